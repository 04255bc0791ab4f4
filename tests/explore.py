"""Try the properties on new examples without end, until one fails: it is printed, and wants to become a named
example of its test.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys

from tests.support.examples import EXPLORING


def main() -> int:
    """One round after the other; the exit status of the first that fails."""
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
