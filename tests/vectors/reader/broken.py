"""Vectors that are broken in known ways, and the codes of section 12 that they must give."""

from pathlib import Path

import container
from hashes import crc32c
from run import open_run, varint
from wire import Refused

Part = tuple[int, bytes]


def wrong(folder: Path, priors: dict) -> list[str]:
    """What is refused otherwise than it should be."""
    data = (folder / "l0-everything.run").read_bytes()
    parts = [(kind, payload) for kind, payload, _ in container.chunks(data)]
    told = []
    for name, code, changed in (*bytes_changed(data), *parts_changed(parts)):
        found = outcome(changed, priors)
        if found != code:
            told.append(f"{name}: {found} instead of {code}")
    prior_run = (folder / "l2-prior.run").read_bytes()
    if outcome(prior_run, {}) != "missing_prior":
        told.append("a prior that is not there")
    return told


def outcome(data: bytes, priors: dict) -> str:
    try:
        open_run(data, priors)
    except Refused as error:
        return error.code
    return "opened"


def bytes_changed(data: bytes):
    yield "untouched", "opened", data
    yield "nothing", "not_a_run", b""
    yield "something else", "not_a_run", b"PNG" + data[3:]
    yield "another version", "wrong_version", data[:3] + b"\2" + data[4:]
    yield "a changed byte", "damaged", data[:40] + bytes([data[40] ^ 1]) + data[41:]
    yield "cut in a chunk", "truncated", data[:-1]
    yield "cut in the magic", "truncated", data[:3]
    yield "one byte more", "trailing", data + b"\0"


def parts_changed(parts: list[Part]):
    header, *middle, end = parts

    def without(kind: int) -> list[Part]:
        return [part for part in parts if part[0] != kind]

    yield "no END", "unfinished", assembled(parts[:-1])
    yield "no header", "malformed", assembled(parts[1:])
    yield "two headers", "malformed", assembled([header, header, *middle, end])
    yield "no inputs", "bad_end", assembled(without(container.INPUTS))
    yield "no samples", "bad_end", assembled(without(container.SAMPLES))
    for kind, code in ((9, "unknown_critical"), (0x90, "opened"), (5, "malformed")):
        yield f"an empty chunk of type {kind}", code, assembled([header, (kind, b""), *middle, end])
    yield "END a byte longer", "malformed", assembled([*parts[:-1], (end[0], end[1] + b"\0")])
    for model in (3, 0x80):
        payload = bytes([model]) + b"\1\0"
        changed = [header, (container.INPUTS, payload), *without(container.INPUTS)[1:]]
        yield f"inputs of model {model}", "unknown_model", assembled(changed)


def assembled(parts: list[Part]) -> bytes:
    """A file of these chunks with right checksums."""
    data = container.MAGIC + bytes([container.VERSION])
    crc = crc32c(data)
    for kind, payload in parts:
        chunk = bytes([kind]) + varint(len(payload)) + payload
        crc = crc32c(chunk, crc)
        data += chunk + crc.to_bytes(4, "little")
    return data
