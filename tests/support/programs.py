"""External programs that some tests need. If one is missing, the test is skipped with a reason, or fails with
``CUTOUT_REQUIRE_ALL=1``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NoReturn

import pytest


def path_of(program: str) -> str | None:
    """The path of a program, or None. Also looks in the ``sbin`` folders, which are not on every PATH: Debian
    has nginx there.
    """
    return shutil.which(
        program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"))
    )


def need(program: str) -> str:
    """The path of a program. Without it the test is skipped, or fails with ``CUTOUT_REQUIRE_ALL=1``."""
    path = path_of(program)
    if path is None:
        lack(
            f"{program} is not installed (Debian: apt install chromium poppler-utils qpdf ghostscript"
            " redis-server nginx-light caddy nodejs npm)"
        )
    return path


def lack(reason: str, what: str = "") -> NoReturn:
    """Skip the test for this reason, or fail it with ``CUTOUT_REQUIRE_ALL=1``. ``what`` names a thing that
    the variable ``CUTOUT_MAY_LACK`` may list; then the test is skipped all the same.
    """
    may_lack = os.environ.get("CUTOUT_MAY_LACK", "").split()
    if os.environ.get("CUTOUT_REQUIRE_ALL") == "1" and what not in may_lack:
        pytest.fail(reason)
    pytest.skip(reason)


def need_browser() -> str:
    """The path of Chromium, or of its headless shell, which is a third faster."""
    return shutil.which("chromium-headless-shell") or need("chromium")


def run(program: str, *arguments: str) -> str:
    """Run a program and return its output. If it fails, the test fails."""
    done = subprocess.run(
        [need(program), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{program} {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout
