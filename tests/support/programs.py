"""External programs that some tests need, such as Chromium or nginx.

If a program is missing, the test is skipped with a reason; with ``CUTOUT_REQUIRE_ALL=1`` it fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


def path_of(program: str) -> str | None:
    """Return the program's path, or None. The folders for administrators are searched too, because Debian
    puts nginx there and many users' PATH lacks them.
    """
    return shutil.which(
        program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"))
    )


def need(program: str) -> str:
    """Return the program's path, or skip the test (or fail it, see above)."""
    path = path_of(program)
    if path is None:
        lack(
            f"{program} is not installed (Debian: apt install chromium poppler-utils qpdf ghostscript"
            " redis-server nginx-light caddy nodejs npm)"
        )
    return path


def lack(reason: str, what: str = "") -> NoReturn:
    """Skip the test for this reason, or fail it with ``CUTOUT_REQUIRE_ALL=1``, unless the words in
    ``CUTOUT_MAY_LACK`` include ``what``.
    """
    may_lack = os.environ.get("CUTOUT_MAY_LACK", "").split()
    if os.environ.get("CUTOUT_REQUIRE_ALL") == "1" and what not in may_lack:
        pytest.fail(reason)
    pytest.skip(reason)


def need_browser() -> str:
    """Return Chromium's path. Its headless shell is preferred: it starts and draws a third faster."""
    return shutil.which("chromium-headless-shell") or need("chromium")


def run(program: str, *arguments: str) -> str:
    """Run the program and return its output; the test fails if the program does."""
    done = subprocess.run(
        [need(program), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{program} {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout
