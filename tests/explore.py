"""``make explore``: try the property tests on new random examples, round after round, until one fails.

The failing example is printed; it should become a named example of its test.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys

from tests.support.examples import EXPLORING


def main() -> int:
    """Run rounds until one fails; return its exit status."""
    status = 0
    while status == 0:
        number = str(secrets.randbelow(1_000_000_000))
        print(f"{EXPLORING}={number}", flush=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-n",
            "auto",
            "-m",
            "hypothesis or seeds",
            *sys.argv[1:],
        ]
        status = subprocess.run(command, env={**os.environ, EXPLORING: number}, check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
