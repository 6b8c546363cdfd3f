"""What contexts have seen, and L1: section 4.4. Its mixing is L2: section 4.5."""

from range_code import RangeCode

MASK = 0xFFFFFFFF
FRESH = 1 << 15


def hashed(context: int, *parts: int) -> int:
    """`hash` of section 4.3."""
    for part in parts:
        context = ((context << 5 | context >> 27) & MASK ^ part & MASK) * 0x9E3779B1 & MASK
    return context


RATE = [min(32_767, 3_276_800 // (100 * n + 85)) for n in range(251)]
TRUST = [2_560 * n // (10 * n + 44) for n in range(251)]
STEP = [68 + 6_732 // (11 + n) for n in range(251)]
ANCHORS = [
    2, 4, 8, 16, 30, 57, 109, 206, 389, 734, 1379, 2567, 4703, 8380, 14257, 22626, 32768, 42910,
    51279, 57156, 60833, 62969, 64157, 64802, 65147, 65330, 65427, 65479, 65506, 65520, 65528,
    65532, 65534,
]  # fmt: skip


def _squash(x: int) -> int:
    k, r = divmod(x + 2_048, 128)
    return (ANCHORS[k] * (128 - r) + ANCHORS[k + 1] * r) // 128


SQUASH = [_squash(max(x, -2_047)) for x in range(-2_048, 2_048)]


def squash(x: int) -> int:
    return SQUASH[min(max(x, -2_047), 2_047) + 2_048]


def _stretch_table() -> list[int]:
    table, x = [], -2_047
    for p in range(4_096):
        while x < 2_047 and squash(x) >> 4 < p:
            x += 1
        table.append(x)
    return table


STRETCH = _stretch_table()


def target(bit: int) -> int:
    return 65_519 if bit else 16


class Slots:
    """Buckets of two; a slot is its check (8 bits), `n` (8 bits) and `p` (16 bits)."""

    def __init__(self) -> None:
        self.table = [FRESH] * (2 << 16)

    def find(self, context: int) -> tuple[int, int]:
        """The place of a context, and its slot."""
        h = (context ^ context >> 15) * 0x85EBCA6B & MASK
        first, check = h >> 16 << 1, (h & 0xFF) << 24
        one, two = self.table[first], self.table[first + 1]
        if two ^ check < 1 << 24:
            return first + 1, two
        if one ^ check < 1 << 24:
            return first, one
        smaller = two & 0xFFFFFF < one & 0xFFFFFF
        return first + smaller, check | FRESH

    def learn(self, place: int, slot: int, bit: int) -> None:
        p, n = slot & 0xFFFF, slot >> 16 & 0xFF
        p += (target(bit) - p) * RATE[n] >> 15
        self.table[place] = slot & 0xFF000000 | min(n + 1, 250) << 16 | p

    def unsettle(self) -> None:
        self.table = [
            slot if slot >> 16 & 0xFF <= 20 else slot & 0xFF00FFFF | 20 << 16
            for slot in self.table
        ]


class Average:
    """L1."""

    def __init__(self) -> None:
        self.slots = Slots()

    def bit(self, code: RangeCode, contexts, sets, curve: int, lead: int | None = None) -> int:
        found = [self.slots.find(context) for context in contexts[:2]]
        one = sum(slot & 0xFFFF for _, slot in found) >> 1
        bit = code.bit(min(max(one, 64), 65_472))
        for place, slot in found:
            self.slots.learn(place, slot, bit)
        return bit

    def copy(self) -> "Average":
        copy = Average()
        copy.slots.table = self.slots.table[:]
        return copy


WEIGHTS = [1_256] * 64 + [2_355] * 548 + [2_949] * 12 + [2_359] * 72
CURVE = [squash(128 * (k - 16)) for k in range(33)]


class Mixer:
    """L2."""

    def __init__(self) -> None:
        self.slots = Slots()
        # Each set is its weights and, last, its n.
        self.sets = [[weight] * 6 + [0] for weight in WEIGHTS]
        self.curves = [CURVE[:] for _ in range(207)]

    def bit(self, code: RangeCode, contexts, sets, curve: int, lead: int | None = None) -> int:
        if lead is None:
            return self.mix(code, contexts, sets, curve)
        place, slot = self.slots.find(lead)
        p = slot & 0xFFFF
        if slot >> 16 & 0xFF >= 30 and min(p, 65_536 - p) < 400:
            bit = code.bit(p)
        else:
            bit = self.mix(code, contexts, sets, curve)
        self.slots.learn(place, slot, bit)
        return bit

    def mix(self, code: RangeCode, contexts, sets, curve: int) -> int:
        found = [self.slots.find(context) for context in contexts]
        logits = [STRETCH[s >> 4 & 0xFFF] * TRUST[s >> 16 & 0xFF] >> 8 for _, s in found]
        both = [self.sets[number] for number in sets]
        dots = [sum(map(int.__mul__, weights, logits)) for weights in both]
        x = min(max((dots[0] >> 14) + (dots[1] >> 14), -2_047), 2_047)
        k, r = divmod(x + 2_048, 128)
        points = self.curves[curve]
        refined = (points[k] * (128 - r) + points[k + 1] * r) // 128
        one = (9 * squash(x) + 7 * refined) // 16
        bit = code.bit(min(max(one, 24), 65_512))
        wanted = target(bit)
        point = k if r < 64 else k + 1
        points[point] += wanted - points[point] >> 6
        for weights, dot in zip(both, dots):
            self.teach(weights, logits, wanted - squash(dot >> 13))
        for place, slot in found:
            self.slots.learn(place, slot, bit)
        return bit

    @staticmethod
    def teach(weights: list[int], logits: list[int], error: int) -> None:
        n = weights[-1]
        e = min(max(error * STEP[n] >> 8, -32_767), 32_767)
        weights[-1] = min(n + 1, 250)
        for place, logit in enumerate(logits):
            weight = weights[place] + ((logit * e >> 16) + 1 >> 1)
            weights[place] = min(max(weight, -32_768), 32_767)

    def unsettle(self) -> None:
        self.slots.unsettle()
        for weights in self.sets:
            weights[-1] = min(weights[-1], 20)

    def copy(self) -> "Mixer":
        copy = Mixer()
        copy.slots.table = self.slots.table[:]
        copy.sets = [weights[:] for weights in self.sets]
        copy.curves = [points[:] for points in self.curves]
        return copy
