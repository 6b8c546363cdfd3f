"""The header: section 3."""

from dataclasses import dataclass, field
from math import gcd

from wire import Cursor, Refused, decoded, malformed


def bad(why: str) -> Refused:
    return Refused("bad_header", why)


@dataclass
class Schema:
    """What an input may hold: how many buttons, and the bits of each axis."""

    buttons: int
    axis_bits: list[int]


@dataclass
class Track:
    name: str
    dimensions: int
    quaternion: bool
    channels: int


@dataclass
class SampleSchema:
    rate: int
    precision: int
    tracks: list[Track]


@dataclass
class Header:
    payload: bytes
    revision: int = 0
    seed: int = 0
    players: int = 1
    slot: int = 0
    practice: bool = False
    rate: tuple[int, int] = (60, 1)
    frames_max: int = 0
    game: str = ""
    texts: dict[int, str] = field(default_factory=dict)
    options: bytes = b""
    content: bytes | None = None
    mods: list[str] = field(default_factory=list)
    inputs: Schema | None = None
    samples: SampleSchema | None = None
    meta: dict[str, str] = field(default_factory=dict)

    @property
    def build(self) -> str:
        return self.texts.get(0x03, "")

    @property
    def board(self) -> str:
        return self.texts.get(0x06, "")


# The texts to show, and their limits in bytes.
TEXTS = {0x03: 64, 0x04: 32, 0x05: 64, 0x06: 64, 0x07: 64}
UNKNOWN = 0x11


def read(payload: bytes) -> Header:
    if len(payload) > 16_384:
        raise malformed("a header over its limit")
    header, cursor, last = Header(payload), Cursor(payload), 0
    unknown: list[bytes] = []
    while cursor.left:
        tag = cursor.byte()
        value = cursor.sized(16_384)
        if not last and tag != 0x01:
            raise bad("a header that does not start with its setup")
        if tag <= last:
            raise malformed("fields that do not ascend")
        if tag >= UNKNOWN:
            unknown.append(value)
        elif not value:
            raise malformed("a field that holds its default")
        else:
            _field(header, tag, value)
        last = tag
    if len(unknown) > 16 or sum(map(len, unknown)) > 1_024:
        raise bad("too many unknown fields")
    if not header.frames_max or not header.game:
        raise malformed("a header without setup or game")
    if header.inputs is None and header.samples is None:
        raise bad("neither inputs nor samples")
    return header


def _field(header: Header, tag: int, value: bytes) -> None:
    cursor = Cursor(value)
    if tag == 0x01:
        _setup(header, cursor)
    elif tag == 0x02:
        header.game = _limited(value, 64)
    elif tag in TEXTS:
        header.texts[tag] = _limited(value, TEXTS[tag])
    elif tag == 0x08:
        _options(cursor)
        header.options = value
    elif tag == 0x09:
        header.content = cursor.take(32)
        cursor.finish()
    elif tag == 0x0A:
        while cursor.left:
            header.mods.append(cursor.text(128))
        if len(header.mods) > 64 or "" in header.mods:
            raise bad("too many mods, or one without a name")
    elif tag == 0x0B:
        header.inputs = input_schema(cursor)
    elif tag == 0x0C:
        header.samples = _sample_schema(cursor)
    elif tag == 0x0D:
        cursor.take(32)
        cursor.finish()
    elif tag == 0x0E and len(value) > 1_024:
        raise bad("a ticket over its limit")
    elif tag == 0x0F:
        cursor.take(16)
        if cursor.byte() in (header.slot, *range(header.players, 256)):
            raise bad("an opponent in no other slot")
        cursor.finish()
    elif tag == 0x10:
        header.meta = _meta(cursor, value)


def _limited(value: bytes, most: int) -> str:
    if len(value) > most:
        raise bad("a text over its limit")
    return decoded(value)


def _setup(header: Header, cursor: Cursor) -> None:
    header.revision = cursor.varint(32)
    header.seed = cursor.varint()
    flags = cursor.byte()
    header.players = (flags & 7) + 1
    header.slot = flags >> 3 & 7
    header.practice = bool(flags & 64)
    if flags & 128:
        raise malformed("a reserved bit")
    rate = cursor.varint()
    denominator = 1
    if rate & 1:
        denominator = cursor.varint(32)
        if denominator < 2:
            raise malformed("a denominator that is left out")
    numerator = rate >> 1
    header.rate = (numerator, denominator)
    header.frames_max = cursor.varint(32)
    cursor.finish()
    if header.seed >= 1 << 53 or header.slot >= header.players:
        raise bad("a seed or a slot over its limit")
    if not 10 * denominator <= numerator <= 120 * denominator or numerator >> 32:
        raise bad("a frame rate outside 10 to 120")
    if gcd(numerator, denominator) != 1:
        raise bad("a frame rate that is not reduced")
    if not 1 <= header.frames_max <= 216_000:
        raise bad("frames outside 1 to 216,000")


def _options(cursor: Cursor) -> None:
    last, count = "", 0
    while cursor.left:
        name = cursor.text(32)
        if name.encode() <= last.encode():
            raise malformed("names of options that do not ascend")
        kind = cursor.byte()
        if kind == 2:
            cursor.signed()
        elif kind == 3:
            cursor.text(256)
        elif kind > 3:
            raise bad("an option of an unknown kind")
        last, count = name, count + 1
    if count > 32:
        raise bad("too many options")


def _meta(cursor: Cursor, value: bytes) -> dict[str, str]:
    meta: dict[str, str] = {}
    last = b""
    if len(value) > 1_024:
        raise bad("meta over 1,024 bytes")
    while cursor.left:
        name = cursor.text(32)
        if name.encode() <= last:
            raise malformed("names of meta that do not ascend")
        meta[name] = cursor.text(256)
        last = name.encode()
    if len(meta) > 16:
        raise bad("too much meta")
    return meta


def _names(cursor: Cursor, count: int, high_bits: int) -> list[tuple[str, int]]:
    names = []
    for _ in range(count):
        length = cursor.byte()
        if length & 0xC0 & ~high_bits:
            raise malformed("a reserved bit")
        names.append((decoded(cursor.take(length & 63)), length & 0xC0))
        if not 1 <= length & 63 <= 32:
            raise bad("a name of 0 or over 32 bytes")
    if len({name for name, _ in names}) != count:
        raise bad("a name that comes twice")
    return names


def input_schema(cursor: Cursor) -> Schema:
    buttons = cursor.byte()
    if buttons > 32:
        raise bad("more than 32 buttons")
    _names(cursor, buttons, 0)
    axes = cursor.byte()
    if axes > 8:
        raise bad("more than 8 axes")
    bits = [16 if high else 8 for _, high in _names(cursor, axes, 0x40)]
    cursor.finish()
    return Schema(buttons, bits)


def _sample_schema(cursor: Cursor) -> SampleSchema:
    rate, precision, count = cursor.byte(), cursor.byte(), cursor.byte()
    if not 1 <= rate <= 60 or precision > 2 or not 1 <= count <= 64:
        raise bad("a sample schema out of its limits")
    tracks: list[Track] = []
    for _ in range(count):
        (name, high) = _names(cursor, 1, 0xC0)[0]
        channels = cursor.byte()
        if channels > 8:
            raise bad("more than 8 channels")
        _names(cursor, channels, 0)
        tracks.append(Track(name, 3 if high & 0x40 else 2, bool(high & 0x80), channels))
    cursor.finish()
    if len({track.name for track in tracks}) != count:
        raise bad("a track that comes twice")
    return SampleSchema(rate, precision, tracks)
