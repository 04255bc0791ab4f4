"""Programs that some tests need: where they are missing the test is skipped with a reason, or fails where all
must run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


def path_of(program: str) -> str | None:
    """Where the program is, also among those for administrators, which not everybody's PATH has: Debian puts
    nginx there.
    """
    return shutil.which(
        program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"))
    )


def need(program: str) -> str:
    """The program's path. ``CUTOUT_REQUIRE_ALL=1`` turns a missing program into a failure."""
    path = path_of(program)
    if path is None:
        lack(
            f"{program} is not installed (Debian: apt install chromium poppler-utils qpdf ghostscript"
            " redis-server nginx-light caddy nodejs npm)"
        )
    return path


def lack(reason: str, what: str = "") -> NoReturn:
    """Skip the test for a reason, or fail where all must run, unless ``CUTOUT_MAY_LACK`` says that this
    cannot be had.
    """
    may_lack = os.environ.get("CUTOUT_MAY_LACK", "").split()
    if os.environ.get("CUTOUT_REQUIRE_ALL") == "1" and what not in may_lack:
        pytest.fail(reason)
    pytest.skip(reason)


def need_browser() -> str:
    """Chromium's path. Its headless shell, if there is one, starts and draws a third quicker than the
    whole.
    """
    return shutil.which("chromium-headless-shell") or need("chromium")


def run(program: str, *arguments: str) -> str:
    """What the program prints; its failure is the test's."""
    done = subprocess.run(
        [need(program), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{program} {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout
