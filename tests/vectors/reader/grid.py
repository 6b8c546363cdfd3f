"""Samples on their grid: section 5.1."""

from dataclasses import dataclass

from header import Track
from wire import Refused, malformed

YAW_STEPS = (1_800, 360, 180)
PART_MAX = 131_071
CHUNK_FRAMES_MAX = 3_600


@dataclass
class Sample:
    frame: int
    position: list[int]
    rotation: list[int]
    channels: list[int]
    jump: bool


def blank(track: Track, frame: int) -> Sample:
    turned = 4 if track.quaternion else 1
    return Sample(frame, [0] * track.dimensions, [0] * turned, [0] * track.channels, False)


def fitting(value: int) -> int:
    if not -(1 << 31) <= value < 1 << 31:
        raise malformed("a sample's value over 32 bits")
    return value


def check(sample: Sample, track: Track, precision: int) -> None:
    if track.quaternion:
        fits = all(-PART_MAX <= part <= PART_MAX for part in sample.rotation)
    else:
        fits = 0 <= sample.rotation[0] < YAW_STEPS[precision]
    if not fits:
        raise Refused("bad_sample", "a rotation off its grid")
