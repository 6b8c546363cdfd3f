"""SAMPLES chunks: section 5, and S0: section 5.2."""

from expected import Model, decode
from grid import CHUNK_FRAMES_MAX, Sample, blank, check, fitting
from header import SampleSchema
from limits import Limits
from wire import Cursor, Refused, malformed


class Samples:
    """The samples of a file, chunk by chunk."""

    def __init__(self, schema: SampleSchema, rate: tuple[int, int], limits: Limits) -> None:
        self.schema = schema
        self.tracks: list[list[Sample]] = [[] for _ in schema.tracks]
        self.left = limits.samples
        self.frames = 0
        self.models = [Model(track, schema.precision) for track in schema.tracks]
        self.head_frames = -(-60 * rate[0] // rate[1])
        self.head_models: list[Model] | None = None

    def chunk(self, payload: bytes, check_frames) -> int:
        cursor = Cursor(payload)
        model, frames = cursor.byte(), cursor.varint(32)
        if not 1 <= frames <= CHUNK_FRAMES_MAX:
            raise malformed("a chunk of 1 to 3,600 frames")
        check_frames(self.frames, frames)
        start, end = self.frames, self.frames + frames
        if model == 0:
            self.plain(cursor, start, end)
        elif model == 1:
            self.expected(cursor, start, end)
        else:
            raise Refused("unknown_model", f"samples of model {model}")
        cursor.finish()
        self.frames = end
        return frames

    def count(self, cursor: Cursor) -> int:
        count = cursor.varint()
        if count > self.left:
            raise Refused("limit", "more samples than the reader allows")
        return count

    def plain(self, cursor: Cursor, start: int, end: int) -> None:
        for track, out in zip(self.schema.tracks, self.tracks):
            count = self.count(cursor)
            if count > cursor.left // 4:
                raise malformed("more samples than bytes for them")
            self.left -= count
            before, first = blank(track, start), True
            for _ in range(count):
                before = difference(cursor, before, first)
                check(before, track, self.schema.precision)
                append(out, before, end)
                first = False

    def expected(self, cursor: Cursor, start: int, end: int) -> None:
        if self.head_models is not None:
            self.models = [model.copy() for model in self.head_models]
        elif start >= self.head_frames:
            self.head_models = [model.copy() for model in self.models]
        for place, (track, model) in enumerate(zip(self.schema.tracks, self.models)):
            count = self.count(cursor)
            last = place + 1 == len(self.tracks)
            code = cursor.rest() if last else cursor.take(cursor.varint())
            if count > min(256 * (len(code) + 1), end - start + 1):
                raise malformed("more samples than bytes for them")
            self.left -= count
            for sample in decode(code, model, track, start, count):
                append(self.tracks[place], sample, end)
                check(sample, track, self.schema.precision)


def difference(cursor: Cursor, before: Sample, first: bool) -> Sample:
    """A sample of S0, as differences from the one before."""
    head = cursor.varint()
    frame = before.frame + (head >> 1) + (not first)
    if frame >> 32:
        raise malformed("a number over 32 bits")
    parts = [
        [fitting(value + cursor.signed()) for value in values]
        for values in (before.position, before.rotation, before.channels)
    ]
    return Sample(frame, *parts, bool(head & 1))


def append(out: list[Sample], sample: Sample, end: int) -> None:
    if sample.frame > end or out and sample.frame <= out[-1].frame:
        raise malformed("a sample out of its chunk or its order")
    out.append(sample)
