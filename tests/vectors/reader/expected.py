"""S1, what was to be expected: section 5.3."""

from copy import deepcopy
from math import isqrt
from pathlib import Path

from grid import CHUNK_FRAMES_MAX, YAW_STEPS, Sample, blank, fitting
from header import Track
from range_code import RangeCode
from wire import malformed

SHARE = [0] + [65_536 // n for n in range(1, 161)]
LATTICE = (100, 500, 1_000)
UNIT = 1 << 17
NO_SWING = [0, 0, 0, UNIT]


def _likely() -> list[list[int]]:
    """The table of `more`, which the tests keep equal to the one in section 5.3."""
    text = Path(__file__).with_name("more.txt").read_text()
    return [[int(number) for number in line.split()[1:]] for line in text.splitlines()]


LIKELY = _likely()


def size(d: int) -> int:
    return 16 * min(abs(d), 65_536)


def sign(d: int) -> int:
    return 0 if d == 0 else 1 if d > 0 else 2


def moved(by: int, f: int, g: int) -> int:
    return by if f == g else by * f // max(g, 1)


def cut(v: int) -> int:
    return min(max(v, -(1 << 31)), (1 << 31) - 1)


class Chance:
    def __init__(self, one: int = 32_768, seen: int = 3) -> None:
        self.quick = self.slow = one
        self.seen = seen

    def bit(self, code: RangeCode, most: int = 65_408) -> int:
        bit = code.bit(min(max(self.quick + self.slow >> 1, 128), most))
        target = 65_535 if bit else 0
        self.seen = min(self.seen + 1, 160)
        self.quick += (target - self.quick) * SHARE[min(self.seen, 24)] >> 16
        self.slow += (target - self.slow) * SHARE[self.seen] >> 16
        return bit


def rare() -> Chance:
    return Chance(4_096, 8)


class Leap:
    def __init__(self) -> None:
        self.more = [Chance(57_000, 4) for _ in range(33)]

    def read(self, code: RangeCode) -> int:
        digits = 0
        while digits < 33 and self.more[digits].bit(code):
            digits += 1
        if not digits:
            return 0
        minus = code.plain(1)
        number = 1 << digits - 1 | code.plain(digits - 1)
        return -number if minus else number


class Column:
    def __init__(self) -> None:
        self.more = [[Chance(256 * likely, 8) for likely in row] for row in LIKELY]
        self.sign = [[[Chance() for _ in range(3)] for _ in range(3)] for _ in range(3)]
        self.second = [Chance() for _ in range(12)]
        self.third = [[Chance(), Chance()] for _ in range(12)]
        self.last = self.short = self.long = 16
        self.sign_last = self.sign_before = 0

    def read(self, code: RangeCode, beside: int, hint: int) -> int:
        more, digits = self.more[self.scale(beside)], 0
        while digits < 33 and more[min(digits, 11)].bit(code):
            digits += 1
        d = 0
        if digits:
            chance = self.sign[sign(hint)][self.sign_last][self.sign_before]
            minus = chance.bit(code)
            d = self.digits(code, digits)
            d = -d if minus else d
        self.last = size(d)
        self.short = self.short + self.last >> 1
        self.long = 27 * self.long + 5 * self.last >> 5
        self.sign_before, self.sign_last = self.sign_last, sign(d)
        return d

    def scale(self, beside: int) -> int:
        own = 8 * self.last + 5 * self.short + 3 * self.long >> 4
        s = (3 * own + beside >> 2) + 1
        o = s.bit_length() - 1
        half = s >> o - 1 & 1 if o else 0
        return min(max(2 * o + half - 2, 0), 27)

    def digits(self, code: RangeCode, digits: int) -> int:
        c, number = min(digits, 12) - 1, 1
        if digits >= 2:
            second = self.second[c].bit(code)
            number = 2 | second
            if digits >= 3:
                number = number << 1 | self.third[c][second].bit(code)
                number = number << digits - 3 | code.plain(digits - 3)
        return number


class Guess:
    def __init__(self) -> None:
        self.off1 = self.off2 = 0

    def choose(self, first: int, second: int) -> int:
        return second if self.off2 < self.off1 else first

    def learn(self, first: int, second: int) -> None:
        self.off1 = 7 * self.off1 + 8 * size(first) >> 3
        self.off2 = 7 * self.off2 + 8 * size(second) >> 3


class Model:
    """All that is learned about a track."""

    def __init__(self, track: Track, precision: int) -> None:
        self.turn_steps, self.lattice = YAW_STEPS[precision], LATTICE[precision]
        self.pace = 1
        self.usual, self.jump, self.off_lattice = Chance(), rare(), rare()
        self.other = [Chance() for _ in range(8)]
        self.frames, self.values = Leap(), Leap()
        self.paces = Column()
        self.positions = [Column() for _ in range(track.dimensions)]
        self.position_guesses = [Guess() for _ in range(track.dimensions)]
        self.turns = [Column() for _ in range(3 if track.quaternion else 1)]
        self.yaw_guess = Guess()
        self.channels = [Column() for _ in range(track.channels)]
        self.channel_guesses = [Guess() for _ in range(track.channels)]

    def copy(self) -> "Model":
        return deepcopy(self)


class Place:
    """Where a track is within a chunk."""

    def __init__(self, track: Track) -> None:
        self.speed = [0] * 3
        self.yaw_speed = 0
        self.channel_speed = [0] * track.channels
        self.turn = [0] * 3
        self.swings = [NO_SWING, NO_SWING]
        self.frames_before = 1
        self.moved_size = self.swung_size = 16


def decode(data: bytes, model: Model, track: Track, start: int, count: int):
    """The samples of one track's code."""
    code, place, last = RangeCode(data), Place(track), blank(track, start)
    for number in range(count):
        frames, jump = head(code, model, first=number == 0)
        if number == 0 or jump:
            last, place = leap(code, model, last, frames, jump), Place(track)
        else:
            last = step(code, model, place, last, frames)
            place.frames_before = frames
        yield last
    code.finish()


def head(code: RangeCode, model: Model, first: bool) -> tuple[int, bool]:
    """How many frames after the one before, and whether the track jumps: item 1."""
    if first:
        jump, frames = model.jump.bit(code), model.frames.read(code)
    elif model.usual.bit(code, 63_488):
        jump, frames = 0, model.pace
    else:
        jump = model.jump.bit(code)
        frames = model.pace + model.paces.read(code, model.paces.long, 0)
        model.pace = frames
    if not (0 if first else 1) <= frames <= CHUNK_FRAMES_MAX:
        raise malformed("a sample out of its chunk or its order")
    return frames, bool(jump)


def leap(code: RangeCode, model: Model, last: Sample, frames: int, jump: bool) -> Sample:
    """All values as they are: item 2."""

    def each(values: list[int]) -> list[int]:
        return [fitting(value + model.values.read(code)) for value in values]

    position = each(last.position)
    rotation = whole(code) if len(last.rotation) == 4 else each(last.rotation)
    return Sample(last.frame + frames, position, rotation, each(last.channels), jump)


def whole(code: RangeCode) -> list[int]:
    return [code.plain(18) - UNIT for _ in range(4)]


def step(code: RangeCode, model: Model, place: Place, last: Sample, f: int) -> Sample:
    """Rotation, position, channels: item 3."""
    if len(last.rotation) == 4:
        rotation = quaternion(code, model, place, last.rotation, f)
        swing = product(rotation, conjugate(last.rotation))
        place.swings = [swing, place.swings[0]]
    else:
        rotation = [yaw(code, model, place, last.rotation[0], f)]
    position = where(code, model, place, last.position, f)
    channels = []
    for at, value in enumerate(last.channels):
        guess, column = model.channel_guesses[at], model.channels[at]
        way = moved(place.channel_speed[at], f, place.frames_before)
        wanted = cut(value + guess.choose(0, way))
        off = column.read(code, column.long, 2 * (value - wanted) + way)
        channels.append(fitting(wanted + off))
        speed = channels[-1] - value
        guess.learn(speed, speed - way)
        place.channel_speed[at] = speed
    return Sample(last.frame + f, position, rotation, channels, False)


def yaw(code: RangeCode, model: Model, place: Place, last: int, f: int) -> int:
    turn = model.turn_steps

    def short(w: int) -> int:
        return (w + turn // 2) % turn - turn // 2

    guess, column = model.yaw_guess, model.turns[0]
    way = moved(place.yaw_speed, f, place.frames_before)
    wanted = cut(last + guess.choose(0, way))
    off = column.read(code, column.long, 2 * (last - wanted) + way)
    if short(off) != off:
        raise malformed("a yaw of more than a turn")
    to = (wanted + off) % turn
    speed = short(to - last)
    guess.learn(speed, short(speed - way))
    place.yaw_speed = speed
    return to


def quaternion(code: RangeCode, model: Model, place: Place, p: list[int], f: int) -> list[int]:
    if model.off_lattice.bit(code):
        place.turn = [0] * 3
        return whole(code)
    exact = [moved(11 * part, f, place.frames_before) for part in place.turn]

    def near(odd: int) -> list[int]:
        return [2 * (part - 16 * odd + 16 >> 5) + odd for part in exact]

    def far(odd: int) -> int:
        return sum((16 * to - part) ** 2 for to, part in zip(near(odd), exact))

    nearest = int(far(1) < far(0))
    odd = nearest ^ model.other[min(place.swung_size >> 4, 7)].bit(code)
    beside, total = place.swung_size, 0
    for axis, wanted in enumerate(near(odd)):
        half = model.turns[axis].read(code, beside, exact[axis] - 16 * wanted)
        place.turn[axis] = fitting(wanted + 2 * half)
        beside = size(half)
        total += beside
    place.swung_size = total // 3
    return turned(p, [part * model.lattice for part in place.turn])


def turned(p: list[int], v: list[int]) -> list[int]:
    rest = UNIT * UNIT - sum(part * part for part in v)
    if rest < 0:
        raise malformed("a turn off its lattice")
    q = product(p, [*v, isqrt(rest)])
    scale = 3 * UNIT * UNIT - sum(part * part for part in q)
    return [min(max(part * scale + (1 << 34) >> 35, 1 - UNIT), UNIT - 1) for part in q]


def conjugate(q: list[int]) -> list[int]:
    return [-q[0], -q[1], -q[2], q[3]]


def product(a: list[int], b: list[int]) -> list[int]:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    parts = (
        ax * bw + aw * bx + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
    return [part + 65_536 >> 17 for part in parts]


def cross(a: list[int], b: list[int]) -> list[int]:
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]


def curve_of(place: Place, ways: list[int]) -> list[int]:
    if any(abs(way) >= 1 << 24 for way in ways) or place.swings == [NO_SWING, NO_SWING]:
        return [0] * 3
    vector = [16 * way for way in ways]
    added = [0] * 3
    for *v, w in place.swings:
        b = [part + 65_536 >> 17 for part in cross(v, vector)]
        second = cross(v, b)
        for axis in range(3):
            added[axis] += w * b[axis] + second[axis] + 32_768 >> 16
    return [part + 16 >> 5 for part in added]


def where(code: RangeCode, model: Model, place: Place, last: list[int], f: int) -> list[int]:
    ways = [moved(speed, f, place.frames_before) for speed in place.speed]
    curve = curve_of(place, ways)
    beside, total, position = place.moved_size, 0, []
    for axis, value in enumerate(last):
        guess, way = model.position_guesses[axis], ways[axis]
        wanted = cut(value + guess.choose(way, way + curve[axis]))
        hint = 2 * (value - wanted) + 2 * way + curve[axis]
        near = beside + size(curve[axis]) >> 1
        off = model.positions[axis].read(code, near, hint)
        position.append(fitting(wanted + off))
        speed = position[-1] - value
        guess.learn(speed - way, speed - way - curve[axis])
        place.speed[axis] = speed
        beside = size(off)
        total += beside
    place.moved_size = total // len(last)
    return position
