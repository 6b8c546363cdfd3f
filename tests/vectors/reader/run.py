"""A whole run: sections 7, 8 and 10."""

from dataclasses import dataclass, field

import container
import header as headers
from container import CHECKPOINTS, END, HEADER, INDEX, INPUTS, MARKS, PAUSES, SAMPLES, SIGNATURE
from inputs import Inputs
from limits import Limits
from samples import Samples
from wire import Cursor, Refused, malformed

CHECKPOINT_FRAMES = 600
REASONS = ("finished", "stopped", "truncated")


@dataclass
class End:
    frames: int
    score: int
    reason: int
    digest: int


@dataclass
class Run:
    header: headers.Header
    limits: Limits
    inputs: Inputs | None
    samples: Samples | None
    marks: list[tuple[int, int, int]] = field(default_factory=list)
    pauses: list[tuple[int, int]] = field(default_factory=list)
    checkpoints: list[int] = field(default_factory=list)
    signature: bytes | None = None
    unknown_chunks: int = 0
    end: End | None = None


def open_run(data: bytes, priors: dict | None = None, limits: Limits | None = None) -> Run:
    """Reads a whole run, or refuses it. `priors` are found by their names."""
    limits = limits or Limits()
    if len(data) > limits.bytes:
        raise Refused("too_large", f"{len(data)} bytes")
    chunks = container.chunks(data)
    first = next(chunks, None)
    if first is None:
        raise Refused("truncated", "a file without a header")
    if first[0] != HEADER:
        raise malformed("a run that does not start with its header")
    run = begin(headers.read(first[1]), limits, priors or {})
    index, index_seen = b"", False
    for kind, payload, size in chunks:
        if run.end:
            raise Refused("trailing", "bytes after END")
        closing = kind in (SIGNATURE, END)
        if run.signature and kind != END or index_seen and not closing:
            raise malformed("a chunk after the index or the signature")
        if kind == INDEX:
            if payload != index:
                raise malformed("an index of something else")
            index_seen = True
            continue
        frames = chunk(run, kind, payload)
        index += varint(size) + varint(frames)
        if kind == END and anything_left(data, chunks):
            raise Refused("trailing", "bytes after END")
    if not run.end:
        raise Refused("unfinished", "whole chunks and no END")
    return run


def anything_left(data: bytes, chunks) -> bool:
    """Whether anything is behind END, whole or not."""
    try:
        return next(chunks, None) is not None
    except Refused:
        return True


def begin(header: headers.Header, limits: Limits, priors: dict) -> Run:
    tracks = len(header.samples.tracks) if header.samples else 0
    if header.players > limits.players or tracks > limits.tracks:
        raise Refused("limit", "more players or tracks than the reader allows")
    inputs = samples = None
    if header.inputs:
        inputs = Inputs(header.players, header.inputs, limits, priors)
    if header.samples:
        samples = Samples(header.samples, header.rate, limits)
    return Run(header, limits, inputs, samples)


def chunk(run: Run, kind: int, payload: bytes) -> int:
    """Takes in one chunk; gives the frames that it counts in an index."""

    def frames_fit(before: int, frames: int) -> None:
        if before + frames > min(run.header.frames_max, run.limits.frames):
            raise Refused("too_many_frames", "more than the setup or the reader allows")
        if kind == INPUTS and (before + frames) * run.header.players > run.limits.inputs:
            raise Refused("limit", "more inputs than the reader allows")

    cursor = Cursor(payload)
    if kind in (INPUTS, SAMPLES):
        stream = run.inputs if kind == INPUTS else run.samples
        if stream is None:
            raise malformed("a stream without a schema")
        return stream.chunk(payload, frames_fit)
    if kind == CHECKPOINTS:
        checkpoints(run, cursor)
    elif kind == MARKS:
        marks(run, cursor)
    elif kind == PAUSES:
        pauses(run, cursor)
    elif kind == SIGNATURE:
        run.signature = cursor.take(64)
        cursor.finish()
    elif kind == END:
        end(run, cursor)
    elif kind == HEADER:
        raise malformed("a second header")
    elif kind < 0x80:
        raise Refused("unknown_critical", f"a critical chunk of type {kind}")
    else:
        run.unknown_chunks += 1
    return 0


def checkpoints(run: Run, cursor: Cursor) -> None:
    if not cursor.left:
        raise malformed("no checkpoints in a chunk of them")
    while cursor.left:
        run.checkpoints.append(cursor.number(4))
    if len(run.checkpoints) > run.header.frames_max // CHECKPOINT_FRAMES:
        raise malformed("more checkpoints than frames for them")


def stamped(run: Run, cursor: Cursor, last: int):
    """The frames of marks or of pauses, each counted from the one before in the chunk."""
    if not cursor.left:
        raise malformed("an empty chunk")
    frame = 0
    while cursor.left:
        frame += cursor.varint(32)
        if frame > run.header.frames_max or frame < last:
            raise malformed("a mark or a pause out of order, or past the longest run")
        last = frame
        yield frame


def marks(run: Run, cursor: Cursor) -> None:
    for frame in stamped(run, cursor, run.marks[-1][0] if run.marks else 0):
        kind = cursor.varint()
        if kind > 258:
            raise malformed("a mark of an unknown kind")
        run.marks.append((frame, kind, cursor.signed()))
        if len(run.marks) > run.limits.marks:
            raise Refused("limit", "more marks than the reader allows")


def pauses(run: Run, cursor: Cursor) -> None:
    for frame in stamped(run, cursor, run.pauses[-1][0] if run.pauses else 0):
        run.pauses.append((frame, cursor.varint(32)))
        if len(run.pauses) > run.limits.marks:
            raise Refused("limit", "more pauses than the reader allows")


def end(run: Run, cursor: Cursor) -> None:
    number = cursor.varint()
    frames, reason = number >> 2, number & 3
    if frames >> 32 or reason > 2:
        raise malformed("an end of an unknown kind")
    end = End(frames, cursor.signed(), reason, cursor.number(8))
    cursor.finish()
    if frames > run.header.frames_max:
        raise Refused("too_many_frames", "more than the setup allows")
    stamps = [frame for frame, *_ in run.marks + run.pauses]
    fits = (
        frames >= 1
        and all(stamp <= frames for stamp in stamps)
        and len(run.checkpoints) in (0, frames // CHECKPOINT_FRAMES)
        and (run.inputs is None or len(run.inputs.frames) == frames)
        and (run.samples is None or run.samples.frames == frames)
    )
    if not fits:
        raise Refused("bad_end", "the END does not agree with the chunks before it")
    run.end = end


def varint(value: int) -> bytes:
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])
