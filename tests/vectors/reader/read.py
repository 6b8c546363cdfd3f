"""Shows what is in a run.

    python3 tests/vectors/reader/read.py FILE [PRIOR …]
"""

import sys
from pathlib import Path

from inputs import Prior
from limits import Limits
from run import open_run
from said import said
from wire import Refused


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = [Prior(Path(path).read_bytes()) for path in sys.argv[2:]]
        priors = {prior.name: prior for prior in found}
        run = open_run(Path(sys.argv[1]).read_bytes(), priors, Limits())
    except (OSError, Refused) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    print(said(run), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
