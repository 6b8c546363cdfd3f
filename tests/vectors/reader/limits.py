"""What a reader allows unless told otherwise: section 11."""

from dataclasses import dataclass


@dataclass
class Limits:
    bytes: int = 262_144
    frames: int = 36_000
    players: int = 8
    inputs: int = 288_000
    tracks: int = 64
    samples: int = 65_536
    marks: int = 16_384

    @property
    def questions(self) -> int:
        return 64 * self.inputs
