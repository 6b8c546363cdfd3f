"""Reads every vector and compares what is in it with the text beside it; then breaks some of them
and compares the codes of the refusals.

    python3 tests/vectors/reader/check.py [FOLDER]
"""

import sys
from pathlib import Path

import broken
import expected
from inputs import Prior
from run import open_run
from said import said
from wire import Refused

FOLDER = Path(__file__).parent.parent / "runs"
FORMAT = Path(__file__).parents[3] / "FORMAT.md"


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    found = [Prior(path.read_bytes()) for path in sorted(folder.glob("*.prior"))]
    priors = {prior.name: prior for prior in found}
    files = sorted(folder.glob("*.run"))
    wrong = [path.name for path in files if not right(path, priors)]
    wrong += broken.wrong(folder, priors)
    table = Path(expected.__file__).with_name("more.txt").read_text()
    if FORMAT.exists() and table not in FORMAT.read_text():
        wrong.append("more.txt is another table than that of FORMAT.md")
    print(f"{len(files) - len(wrong)} of {len(files)} files", *wrong, sep="\n")
    return int(bool(wrong) or not files)


def right(path: Path, priors: dict) -> bool:
    try:
        told = said(open_run(path.read_bytes(), priors))
    except Refused as error:
        told = str(error)
    same = told == path.with_suffix(".txt").read_text()
    print(f"{path.name:<24} {'as its text says' if same else 'DIFFERS: ' + told[:60]}")
    return same


if __name__ == "__main__":
    sys.exit(main())
