"""CRC-32C, and BLAKE3 with 32 bytes of output (its specification: github.com/BLAKE3-team)."""


def _table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC = _table()


def crc32c(data: bytes, crc: int = 0) -> int:
    """The checksum of what came before, which is `crc`, and of `data`."""
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


MASK = 0xFFFFFFFF
IV = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
# The columns of the state, then its diagonals.
MIXED = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK_BYTES, BLOCK_BYTES = 1024, 64


def _compress(chaining, block: bytes, counter: int, flags: int, length: int) -> list[int]:
    words = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
    state = [*chaining, *IV[:4], counter & MASK, counter >> 32, length, flags]
    for round_number in range(7):
        for place, (a, b, c, d) in enumerate(MIXED):
            for word, spin in ((words[2 * place], (16, 12)), (words[2 * place + 1], (8, 7))):
                state[a] = state[a] + state[b] + word & MASK
                turned = state[d] ^ state[a]
                state[d] = (turned >> spin[0] | turned << 32 - spin[0]) & MASK
                state[c] = state[c] + state[d] & MASK
                turned = state[b] ^ state[c]
                state[b] = (turned >> spin[1] | turned << 32 - spin[1]) & MASK
        words = [words[place] for place in PERMUTATION]
    return [state[i] ^ state[i + 8] for i in range(8)]


def _chunk(data: bytes, number: int, root: int) -> list[int]:
    chaining = list(IV)
    starts = range(0, max(len(data), 1), BLOCK_BYTES)
    for start in starts:
        block = data[start : start + BLOCK_BYTES]
        flags = CHUNK_START if start == 0 else 0
        if start == starts[-1]:
            flags |= CHUNK_END | root
        padded = block.ljust(BLOCK_BYTES, b"\0")
        chaining = _compress(chaining, padded, number, flags, len(block))
    return chaining


def _tree(data: bytes, first: int, root: int) -> list[int]:
    if len(data) <= CHUNK_BYTES:
        return _chunk(data, first, root)
    # The left side has as many chunks as the largest power of two that leaves the right side some.
    chunks = (len(data) - 1) // CHUNK_BYTES
    left = 1 << chunks.bit_length() - 1
    both = _tree(data[: left * CHUNK_BYTES], first, 0)
    both += _tree(data[left * CHUNK_BYTES :], first + left, 0)
    block = b"".join(word.to_bytes(4, "little") for word in both)
    return _compress(IV, block, 0, PARENT | root, BLOCK_BYTES)


def blake3(data: bytes) -> bytes:
    words = _tree(data, 0, ROOT)
    return b"".join(word.to_bytes(4, "little") for word in words)
