"""What is in a run, one fact a line, as the texts beside the vectors have it: section 15."""

from identity import Names
from run import REASONS, Run

MARKS = ("split", "lap", "respawn")
INPUT_FRAMES, SAMPLE_FRAMES = 1_000, 2_000


def said(run: Run) -> str:
    names, header = Names(run), run.header
    lines = [
        f"id {names.id.hex()}",
        f"full_hash {names.full_hash.hex()}",
        f"input_hash {names.input_hash.hex()}",
        f"input_changes {names.input_changes}",
        f"ruleset {names.ruleset.hex()}",
        f"game {header.game} revision {header.revision}",
        f"seed {header.seed} slot {header.slot} of {header.players}",
        f"rate {header.rate[0]}/{header.rate[1]}",
    ]
    lines += [f'meta "{name}" "{text}"' for name, text in header.meta.items()]
    lines += inputs(run) if run.end.frames < INPUT_FRAMES else []
    lines += samples(run) if run.end.frames < SAMPLE_FRAMES else []
    lines += [f"mark {frame} {mark(kind)} {value}" for frame, kind, value in run.marks]
    lines += [f"pause {frame} {wall_ms}" for frame, wall_ms in run.pauses]
    digests = enumerate(run.checkpoints)
    lines += [f"checkpoint {600 * (place + 1)} {digest:08x}" for place, digest in digests]
    end = run.end
    lines.append(f"end {end.frames} {end.score} {REASONS[end.reason]} {end.digest:016x}")
    lines.append(f"signature {run.signature.hex() if run.signature else 'none'}")
    return "\n".join(lines) + "\n"


def mark(kind: int) -> str:
    return MARKS[kind] if kind < 3 else f"custom {kind - 3}"


def inputs(run: Run) -> list[str]:
    lines, before = [], None
    for number, frame in enumerate(run.inputs.frames if run.inputs else []):
        for slot, columns in enumerate(frame):
            held = before[slot] if before else (0,) * len(columns)
            if columns != held:
                axes = [*columns[1:], *[0] * 8][:8]
                lines.append(f"input {number} {slot} {columns[0]} {axes}")
        before = frame
    return lines


def samples(run: Run) -> list[str]:
    lines = []
    for track, all_samples in enumerate(run.samples.tracks if run.samples else []):
        for sample in all_samples:
            position = [*sample.position, 0][:3]
            rotation = sample.rotation if len(sample.rotation) == 4 else sample.rotation[0]
            channels = [*sample.channels, *[0] * 8][:8]
            jump = " teleport" if sample.jump else ""
            lines.append(f"sample {track} {sample.frame} {position} {rotation} {channels}{jump}")
    return lines
