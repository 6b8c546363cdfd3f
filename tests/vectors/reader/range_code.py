"""The range coder: section 6."""

from wire import malformed


class RangeCode:
    """A code that is being read, bit by bit."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.next = 4
        self.range = 0xFFFFFFFF
        self.code = int.from_bytes(data[:4].ljust(4, b"\0"), "big")
        self.questions = 0

    def bit(self, one: int) -> int:
        self.questions += 1
        bound = self.range * one >> 16
        if self.code < bound:
            self.range = bound
            bit = 1
        else:
            self.range -= bound
            self.code -= bound
            bit = 0
        while self.range < 1 << 24:
            self.range <<= 8
            byte = self.data[self.next] if self.next < len(self.data) else 0
            self.code = (self.code << 8 & 0xFFFFFFFF) + byte
            self.next += 1
        return bit

    def plain(self, count: int) -> int:
        """A number of so many digits, each as likely as not."""
        number = 0
        for _ in range(count):
            number = number << 1 | self.bit(32_768)
        return number

    def finish(self) -> None:
        """Refuses a code that does not end as a writer ends it."""
        if len(self.data) > self.next or self.data[-1:] == b"\0":
            raise malformed("bytes behind the end of a code")
        taken = self.data.ljust(self.next, b"\0")[self.next - 4 : self.next]
        window = int.from_bytes(taken, "big")
        if window != roundest(window - self.code, self.range):
            raise malformed("another end of a code than the roundest")


def roundest(first: int, count: int) -> int:
    """Of so many numbers from `first` on, the one divisible by the highest power of two."""
    for zeros in range(32, -1, -1):
        number = -(-first >> zeros) << zeros
        if number < first + count:
            return number
    return first
