"""What L1 and L2 ask about each frame: section 4.3."""

from copy import deepcopy

from header import Schema
from range_code import RangeCode
from slots import MASK, Average, Mixer, hashed
from wire import malformed

ANY_REST = 1 << 9


def fine(n: int) -> int:
    if n < 16:
        return n
    o = n.bit_length() - 1
    return 4 * o + (n >> o - 2 & 3)


def coarse(n: int) -> int:
    if n < 4:
        return n
    o = n.bit_length() - 1
    return 2 * o + (n >> o - 1 & 1)


def difference(n: int) -> int:
    size = abs(n)
    if size >= 24:
        o = size.bit_length() - 1
        size = 24 + 8 * (o - 4) + (size >> o - 3 & 7)
    return 2 * size + (n < 0)


def within(n: int, m: int) -> int:
    return min(max(n, -m), m) + m


class Player:
    """What is remembered of one player."""

    def __init__(self, axes: int) -> None:
        self.buttons = 0
        self.axis = [0] * axes
        self.age = self.age_before = 0
        self.history_then = 0
        self.masks = 0
        self.changed_at = [0] * (1 + axes)
        self.axis_before = [0] * axes
        self.low, self.high = [0] * axes, [0] * axes
        self.place = [0] * axes
        self.toggled = 0
        self.speed = self.speed_before = 0
        self.state = self.state_before = 0
        self.same_hold = 0

    @property
    def history(self) -> int:
        return self.history_then << self.age & MASK if self.age < 32 else 0

    @property
    def places(self) -> int:
        return sum(place << 3 * axis for axis, place in enumerate(self.place))

    def column_age(self, column: int, frame: int) -> int:
        return frame - self.changed_at[column]

    def put_axis(self, axis: int, value: int) -> None:
        """`low`, `high` and `places` follow as soon as the value is known."""
        low = self.low[axis] = min(self.low[axis], value)
        high = self.high[axis] = max(self.high[axis], value)
        if value == 0:
            place = 0
        elif value in (high, low):
            place = 1 if value == high else 2
        else:
            end = low if value < 0 else high
            place = 3 + 2 * (value < 0) + (2 * abs(value) <= abs(end))
        self.place[axis] = place

    def take(self, buttons: int, axis: list[int], mask: int, frame: int) -> None:
        """A frame in which the columns of `mask` changed."""
        for column in range(len(self.changed_at)):
            if mask >> column & 1:
                self.changed_at[column] = frame + 1
        self.history_then = (self.history << 1 | 1) & MASK
        self.masks = (self.masks << 9 | mask) & MASK
        self.age_before, self.age = self.age, 0
        way = sum(abs(new - old) for new, old in zip(axis, self.axis))
        self.speed_before, self.speed = self.speed, coarse(way)
        for place, (new, old) in enumerate(zip(axis, self.axis)):
            if new != old:
                self.axis_before[place] = old
        if buttons != self.buttons:
            self.toggled = buttons ^ self.buttons
        self.buttons, self.axis = buttons, axis
        pair = [value & 0xFFFF for value in axis] + [0] * (8 - len(axis))
        pairs = [pair[at] + (pair[at + 1] << 16) for at in range(0, 8, 2)]
        self.state_before, self.state = self.state, hashed(0, buttons, *pairs)


class Model:
    """Decodes frames of inputs and learns from each."""

    def __init__(self, decide: Average | Mixer, players: int, schema: Schema) -> None:
        self.decide = decide
        self.schema = schema
        self.start(players)

    def start(self, players: int) -> None:
        self.players = [Player(len(self.schema.axis_bits)) for _ in range(players)]
        self.holds = [0] * 4_096
        self.frame = 0

    def restart(self, players: int) -> None:
        """Before a lesson of a prior, and before a run that starts from one: section 4.6."""
        self.decide.unsettle()
        self.start(players)

    def copy(self) -> "Model":
        copy = Model(self.decide.copy(), 0, self.schema)
        copy.players = deepcopy(self.players)
        copy.holds = self.holds[:]
        copy.frame = self.frame
        return copy

    def next_frame(self, code: RangeCode) -> list[tuple[int, ...]]:
        """One frame: for each player its buttons and its axes."""
        frame, before = [], 0
        for slot, player in enumerate(self.players):
            before = self.one_player(code, slot, player, before)
            frame.append((player.buttons, *player.axis))
        self.frame += 1
        return frame

    def one_player(self, code: RangeCode, slot: int, player: Player, before: int) -> int:
        if not self.anything(code, player, before):
            player.age += 1
            return 0
        buttons, axis, mask = self.columns(code, player)
        self.holds[(player.state ^ slot) % 4_096] = min(player.age, 60_000)
        player.take(buttons, axis, mask, self.frame)
        player.same_hold = self.holds[(player.state ^ slot) % 4_096]
        return mask

    def anything(self, code: RangeCode, player: Player, before: int) -> int:
        age, last, history = player.age, player.masks & 0x1FF, player.history
        contexts = (
            hashed(0, player.places, player.buttons, fine(age)),
            hashed(
                1, player.speed + (player.speed_before << 8), (history & 3) + (min(age, 7) << 2)
            ),
            hashed(
                2, player.state, min(age, 255) + (last << 8) + (min(player.age_before, 31) << 17)
            ),
            hashed(3, player.state, player.state_before, coarse(age)),
            hashed(4, before, (history & 7) + (coarse(age) << 3)),
            hashed(5, player.buttons, within(age - player.same_hold, 12)),
        )
        sets = (min(coarse(age), 31), 32 + (last & 0x1F))
        return self.decide.bit(code, contexts, sets, hashed(0, player.buttons) >> 26)

    def columns(self, code: RangeCode, player: Player) -> tuple[int, list[int], int]:
        """Which columns changed, and to what: questions 2 and 3."""
        now = [player.buttons, *player.axis]
        count, mask = len(now), 0
        for column in range(min(count, 3)):
            known = not mask and column + 1 == count
            mask |= self.column(code, player, column, mask, now, known)
        if count > 3 and (not mask or self.changed(code, player, 3, mask | ANY_REST, now)):
            for column in range(3, count):
                known = not mask >> 3 and column + 1 == count
                mask |= self.column(code, player, column, mask, now, known)
        return now[0], now[1:], mask

    def column(self, code, player: Player, column: int, mask: int, now, known: bool) -> int:
        if not known and not self.changed(code, player, column, mask, now):
            return 0
        if column == 0:
            now[0] ^= self.toggles(code, player)
        else:
            now[column] = self.value(code, player, column - 1, now)
            player.put_axis(column - 1, now[column])
        return 1 << column

    def changed(self, code: RangeCode, player: Player, c: int, mask: int, now) -> int:
        last, seen = player.masks & 0x1FF, mask | 1 << c
        value = player.buttons if c == 0 else player.axis[c - 1]
        beside = 0 if c == 0 else now[c - 1]
        place = c + 16 * (mask >> max(c - 1, 0) & 1) + 32 * (mask >> 9 & 1)
        contexts = (
            hashed(0x100, seen, last, coarse(player.age)),
            hashed(0x101, place, player.places & 0xFFF),
            hashed(0x102, seen, player.state),
            hashed(0x103, place, beside, value),
        )
        sets = (64 + 4 * c + min(player.age, 3), 100 + (seen & 0x1FF))
        return self.decide.bit(code, contexts, sets, 64 + c)

    def toggles(self, code: RangeCode, player: Player) -> int:
        so_far, last, lowest = 0, self.schema.buttons - 1, 0
        while True:
            number = self.button(code, player, so_far, max(last, 0).bit_length())
            if not lowest <= number <= last:
                raise malformed("a button that is not declared, or out of order")
            so_far |= 1 << number
            lowest = number + 1
            if number == last or not self.another(code, player, so_far):
                return so_far

    def sticks(self, player: Player) -> int:
        first, second = (*player.axis, 0, 0)[:2]
        return ((first & 0xFFFF) << 16) + (second & 0xFFFF)

    def button(self, code: RangeCode, player: Player, so_far: int, bits: int) -> int:
        node = 1
        age0, sticks = coarse(player.column_age(0, self.frame)), self.sticks(player)
        for level in reversed(range(bits)):
            contexts = (
                hashed(0x200, node, so_far),
                hashed(0x201, node, so_far, player.buttons),
                hashed(0x202, node, so_far, player.buttons, age0),
                hashed(0x203, node, so_far, player.buttons, player.toggled),
                hashed(0x204, node, so_far, player.buttons, sticks),
            )
            sets = (612 + level, 619 if so_far else 618)
            node = node << 1 | self.decide.bit(code, contexts, sets, 73 + level)
        return node - (1 << bits)

    def another(self, code: RangeCode, player: Player, so_far: int) -> int:
        age0, sticks = coarse(player.column_age(0, self.frame)), self.sticks(player)
        contexts = (
            hashed(0x210, 0),
            hashed(0x211, so_far),
            hashed(0x212, so_far, player.buttons, age0),
            hashed(0x213, so_far, player.toggled),
            hashed(0x214, so_far, player.buttons, sticks),
        )
        sets = (617, 619 + min(so_far.bit_count(), 4))
        return self.decide.bit(code, contexts, sets, 78)

    def value(self, code: RangeCode, player: Player, i: int, now) -> int:
        bits, j, old = self.schema.axis_bits[i], i ^ 1, player.axis[i]
        fresh = min(player.column_age(i + 1, self.frame), 3)
        moved = old - player.axis_before[i]
        speed = 99 if fresh == 3 else within(moved, 20)
        beside, place = (now[j + 1], player.place[j]) if j < len(player.axis) else (0, 0)
        near = player.place[i] + (place << 3)
        toward = ((old > 0) - (old < 0)) << 16
        low = -(1 << bits - 1)
        for level in range(bits):
            half = 1 << bits - 1 - level
            middle = low + half
            node = (level << 17) + middle + 32_768
            relative = (level << 17) + (1 << 16) + difference(middle - old)
            where = i + (fresh << 4) + (within(moved, 1) << 8) + (near << 12)
            contexts = (
                hashed(0x300, i, relative),
                hashed(0x301, i, node),
                hashed(0x302, speed, relative),
                hashed(0x303, i, (beside & 0xFFFF) ^ toward, node),
                hashed(0x304, where, node),
            )
            sets = (624 + 4 * level + fresh, 688 + i)
            lead = hashed(0x309, i, node)
            if self.decide.bit(code, contexts, sets, 79 + 8 * level + i, lead):
                low = middle
        if low == old:
            raise malformed("a value that an axis had")
        return low
