"""Numbers and texts: section 1 of FORMAT.md."""


class Refused(Exception):
    """What is not allowed, by its code in section 12."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{why} ({code})")
        self.code = code


def malformed(why: str) -> Refused:
    return Refused("malformed", why)


class Cursor:
    """Bytes that are taken one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise malformed("bytes are missing")
        self.at += count
        return self.data[self.at - count : self.at]

    def rest(self) -> bytes:
        return self.take(self.left)

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def varint(self, bits: int = 64) -> int:
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if byte == 0 and shift > 7:
            raise malformed("a varint that is not the shortest")
        if value >> bits:
            raise malformed(f"a number over {bits} bits")
        return value

    def signed(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def sized(self, most: int) -> bytes:
        length = self.varint()
        if length > most:
            raise malformed("a field over its limit")
        return self.take(length)

    def text(self, most: int) -> str:
        return decoded(self.sized(most))

    def finish(self) -> None:
        if self.left:
            raise malformed("bytes are left over")


def decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise malformed("a text that is not UTF-8") from error
