"""INPUTS chunks: section 4, and L0: section 4.1. Segments: section 4.2. Priors: section 4.6."""

from hashes import blake3, crc32c
from header import Schema, input_schema
from limits import Limits
from questions import Model
from range_code import RangeCode
from slots import Average, Mixer
from wire import Cursor, Refused, malformed

RUNS_ON, PRIOR, CUT = 0x80, 0x40, 0x20
HEAD_INPUTS = 57_600
SEGMENT_FRAMES_MIN = 50
QUESTIONS_PER_BYTE = 256

Frame = list[tuple[int, ...]]


class Inputs:
    """The inputs of a file, chunk by chunk."""

    def __init__(self, players: int, schema: Schema, limits: Limits, priors: dict) -> None:
        self.players, self.schema, self.limits, self.priors = players, schema, limits, priors
        self.frames: list[Frame] = []
        self.coding: tuple[int, bool] | None = None
        self.model: Model | None = None
        self.head: Model | None = None
        self.segment_frames = SEGMENT_FRAMES_MIN
        self.questions_left = limits.questions

    def chunk(self, payload: bytes, check_frames) -> int:
        """Decodes one chunk; gives its frames. `check_frames` refuses too many of them."""
        cursor = Cursor(payload)
        byte = cursor.byte()
        model = byte & 31
        if model > 2 or model == 0 and byte:
            raise Refused("unknown_model", f"inputs of model {byte}")
        name = cursor.take(8) if byte & PRIOR else None
        if name and model != 2:
            raise malformed("a prior for another model than L2")
        frames = cursor.varint(32)
        if not 1 <= frames <= (36_000 if model else 3_600):
            raise malformed("a chunk of too few or too many frames")
        if model and QUESTIONS_PER_BYTE * len(payload) < frames * self.players:
            raise malformed("fewer bytes than so many inputs take")
        span = cursor.varint(32) if byte & CUT else None
        if span is not None and not SEGMENT_FRAMES_MIN <= span < frames:
            raise malformed("segments of too few or too many frames")
        check_frames(len(self.frames), frames)
        self.begin(model, bool(byte & RUNS_ON), name)
        if model == 0:
            self.frames += l0(cursor, self.schema, self.players, frames)
        else:
            self.segments(cursor, frames, span or frames)
        return frames

    def begin(self, model: int, runs_on: bool, name: bytes | None) -> None:
        """All chunks have the same model and the same bit; only the first may have a prior."""
        if self.coding is not None:
            if self.coding != (model, runs_on) or name:
                raise malformed("inputs coded in more than one way")
            return
        self.coding = (model, runs_on)
        if name is not None:
            if name not in self.priors:
                raise Refused("missing_prior", f"the prior {name.hex()} is not there")
            prior = self.priors[name]
            if prior.schema != self.schema:
                raise Refused("bad_prior", "a prior for another input schema")
            self.model = prior.model.copy()
            self.model.restart(self.players)
        elif model:
            decide = Average() if model == 1 else Mixer()
            self.model = Model(decide, self.players, self.schema)

    def segments(self, cursor: Cursor, frames: int, span: int) -> None:
        count = -(-frames // span)
        lengths = [cursor.varint() for _ in range(count - 1)]
        codes = [cursor.take(length) for length in lengths] + [cursor.rest()]
        decoded: list[Frame] = []
        for place, code in enumerate(codes):
            if self.segment_frames < SEGMENT_FRAMES_MIN:
                raise malformed("a segment of too few frames")
            self.segment_frames = span if place + 1 < count else frames - span * (count - 1)
            self.place_model(len(self.frames) + len(decoded))
            segment, asked = coded(code, self.model, self.segment_frames, self.questions_left)
            self.questions_left -= asked
            decoded += segment
        self.frames += decoded

    def place_model(self, start: int) -> None:
        """What the model knows at the start of a segment."""
        runs_on = self.coding[1]
        if runs_on or start * self.players < HEAD_INPUTS:
            return
        if self.head is None:
            self.head = self.model.copy()
        else:
            self.model = self.head.copy()


def coded(data: bytes, model: Model, frames: int, questions_left: int) -> tuple[list[Frame], int]:
    """The frames of one range code, and how many questions they asked."""
    trimmed = data.rstrip(b"\0")
    code = RangeCode(trimmed)
    decoded = []
    for _ in range(frames):
        decoded.append(model.next_frame(code))
        if code.questions > QUESTIONS_PER_BYTE * len(data):
            raise malformed("fewer bytes than so many inputs take")
        if code.questions > questions_left:
            raise Refused("limit", "more questions than the reader answers")
    least = -(-code.questions // QUESTIONS_PER_BYTE)
    if len(trimmed) < len(data) != least:
        raise malformed("zeros behind the end of a code")
    code.finish()
    return decoded, code.questions


def l0(cursor: Cursor, schema: Schema, players: int, frames: int) -> list[Frame]:
    columns = [
        [_l0_column(cursor, bits, schema, frames) for bits in (0, *schema.axis_bits)]
        for _ in range(players)
    ]
    cursor.finish()
    return [[tuple(column[at] for column in own) for own in columns] for at in range(frames)]


def _l0_column(cursor: Cursor, bits: int, schema: Schema, frames: int) -> list[int]:
    """A column of runs: of the buttons where `bits` is 0, else of an axis of so many bits."""
    values: list[int] = []
    value = 0
    while len(values) < frames:
        change = cursor.signed() if bits else cursor.varint(32)
        if not change and values:
            raise malformed("a run that changes nothing")
        value = value + change if bits else value ^ change
        half = 1 << max(bits - 1, 0)
        if not -half <= value < half if bits else value >> schema.buttons:
            raise Refused("input_undeclared", "an input that the schema does not declare")
        length = cursor.varint(32)
        left = frames - len(values)
        if length >= left:
            raise malformed("a last run that is not written as 0")
        values += [value] * (length or left)
    return values


class Prior:
    """What other runs have taught."""

    LESSONS_MAX, INPUTS_MAX, QUESTIONS_MAX = 1_024, 400_000, 25_600_000

    def __init__(self, data: bytes) -> None:
        if len(data) < 8 or data[:4] != b"\x8fGP\x01":
            raise Refused("not_a_prior", "another magic or version")
        if crc32c(data[:-4]) != int.from_bytes(data[-4:], "little"):
            raise Refused("damaged", "the checksum does not match")
        self.name = blake3(data)[:8]
        cursor = Cursor(data[4:-4])
        self.schema = input_schema(Cursor(cursor.sized(16_384)))
        self.model = Model(Mixer(), 1, self.schema)
        lessons, inputs, questions = self.LESSONS_MAX, self.INPUTS_MAX, self.QUESTIONS_MAX
        if not cursor.left:
            raise malformed("a prior of nothing")
        while cursor.left:
            players, frames = cursor.varint(), cursor.varint(32)
            if not 1 <= players <= 8:
                raise malformed("a lesson of no players or of too many")
            lessons, inputs = lessons - 1, inputs - players * frames
            if lessons < 0 or inputs < 0:
                raise Refused("limit", "too many lessons or inputs")
            code = cursor.sized(1 << 32)
            if not frames or QUESTIONS_PER_BYTE * len(code) < players * frames:
                raise malformed("fewer bytes than so many inputs take")
            self.model.restart(players)
            questions -= coded(code, self.model, frames, questions)[1]
