"""What a run is called: section 9."""

from hashes import blake3
from run import Run


def little(value: int, size: int) -> bytes:
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little")


def texts(*all_texts: str) -> bytes:
    encoded = [text.encode() for text in all_texts]
    return b"".join(little(len(text), 4) + text for text in encoded)


class Names:
    """The names of a run."""

    def __init__(self, run: Run) -> None:
        inputs = blake3(input_stream(run))
        self.full_hash = full_hash(run, inputs)
        self.id = self.full_hash[:16]
        self.ruleset = ruleset(run)
        self.input_hash = input_hash(run, inputs, self.ruleset)
        self.input_changes = input_changes(run)


def full_hash(run: Run, inputs: bytes) -> bytes:
    end = run.end
    marks = (
        little(frame, 4) + little(kind, 2) + little(value, 8) for frame, kind, value in run.marks
    )
    pauses = (little(frame, 4) + little(wall_ms, 4) for frame, wall_ms in run.pauses)
    checkpoints = (little(digest, 4) for digest in run.checkpoints)
    return blake3(
        b"gf-async run 1\0"
        + blake3(run.header.payload)
        + inputs
        + blake3(sample_stream(run))
        + b"".join(blake3(b"".join(stream)) for stream in (marks, pauses, checkpoints))
        + little(end.frames, 4)
        + little(end.score, 8)
        + little(end.reason, 1)
        + little(end.digest, 8)
    )


def input_stream(run: Run) -> bytes:
    if run.inputs is None:
        return b""
    before = None
    stream = []
    for number, frame in enumerate(run.inputs.frames):
        for slot, columns in enumerate(frame):
            held = before[slot] if before else (0,) * len(columns)
            for column, (value, old) in enumerate(zip(columns, held)):
                if value != old:
                    head = little(number, 4) + little(slot, 1) + little(column, 1)
                    stream.append(head + little(value, 4))
        before = frame
    return b"".join(stream)


def sample_stream(run: Run) -> bytes:
    if run.samples is None:
        return b""
    hashes = []
    for samples in run.samples.tracks:
        stream = []
        for sample in samples:
            position = (*sample.position, 0)[:3]
            rotation = (*sample.rotation, 0, 0, 0)[:4]
            values = (*position, *rotation, *sample.channels)
            stream.append(little(sample.frame, 4) + little(sample.jump, 1))
            stream += [little(value, 4) for value in values]
        hashes.append(blake3(b"".join(stream)))
    return b"".join(hashes)


def ruleset(run: Run) -> bytes:
    header = run.header
    build = "" if header.revision else header.build
    content = b"\1" + header.content if header.content else bytes(33)
    return blake3(
        b"gf-async ruleset 1\0"
        + texts(header.game)
        + little(header.revision, 4)
        + texts(build)
        + little(len(header.options), 4)
        + header.options
        + content
        + little(len(header.mods), 4)
        + texts(*header.mods)
        + little(header.rate[0], 4)
        + little(header.rate[1], 4)
        + bytes([header.players, header.slot])
    )[:16]


def input_hash(run: Run, inputs: bytes, rules: bytes) -> bytes:
    seed, board = little(run.header.seed, 8), texts(run.header.board)
    start = b"gf-async inputs 1\0" + rules + seed + board
    return blake3(start + little(run.end.frames, 4) + inputs)


def input_changes(run: Run) -> int:
    if run.inputs is None:
        return 0
    own = [frame[run.header.slot] for frame in run.inputs.frames]
    before = [(0,) * len(own[0]), *own]
    return sum(new != old for new, old in zip(own, before))
