"""Magic, chunks and checksums: section 2."""

from hashes import crc32c
from wire import Cursor, Refused

MAGIC = b"\x8fGF"
VERSION = 1
PAYLOAD_MAX = 1_048_576

HEADER, INPUTS, SAMPLES, CHECKPOINTS, MARKS, PAUSES, SIGNATURE, END = range(1, 9)
INDEX = 0x80


def chunks(data: bytes):
    """Each chunk as its type, its payload and its size in the file."""
    if data[:3] != MAGIC[: len(data)] or not data:
        raise Refused("not_a_run", "another magic")
    if len(data) < 4:
        raise Refused("truncated", "the bytes stop inside the magic")
    if data[3] != VERSION:
        raise Refused("wrong_version", f"format version {data[3]}")
    crc, at = crc32c(data[:4]), 4
    while at < len(data):
        cursor = Cursor(data)
        cursor.at = at
        kind, payload = _chunk(cursor)
        crc = crc32c(data[at : cursor.at], crc)
        if cursor.left < 4:
            raise Refused("truncated", "the bytes stop inside a chunk")
        if cursor.number(4) != crc:
            raise Refused("damaged", f"a checksum does not match, in the chunk at byte {at}")
        yield kind, payload, cursor.at - at
        at = cursor.at


def _chunk(cursor: Cursor) -> tuple[int, bytes]:
    kind = cursor.byte()
    length, shift = 0, 0
    while True:
        if not cursor.left:
            raise Refused("truncated", "the bytes stop inside a chunk")
        byte = cursor.byte()
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
        if shift > 63:
            raise Refused("malformed", "a number over 64 bits")
    if byte == 0 and shift > 7:
        raise Refused("malformed", "a varint that is not the shortest")
    if length > PAYLOAD_MAX:
        raise Refused("malformed", "a payload over its limit")
    if length > cursor.left:
        raise Refused("truncated", "the bytes stop inside a chunk")
    return kind, cursor.take(length)
