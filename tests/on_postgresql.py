"""Run the tests that touch a database once more, on PostgreSQL: all of them, or those of the files named."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import psycopg

from tests import ROOT

LIKELY = ("postgresql:///postgres", "postgresql://postgres@127.0.0.1:5432/postgres")
# A commit need not outlive the machine: nothing waits for the disk.
NO_WAIT = "-c synchronous_commit=off"
# The whole module is.
ON_SQLITE = re.compile(r"^pytestmark = .*engine\(.sqlite.\)", re.MULTILINE)


def server() -> str:
    """The first server that answers: POSTGRESQL_URL alone if it is set, else the usual local ones; empty if none does."""
    for url in [os.environ["POSTGRESQL_URL"]] if os.environ.get("POSTGRESQL_URL") else LIKELY:
        try:
            psycopg.connect(url, connect_timeout=3).close()
        except psycopg.OperationalError:
            continue
        return url
    return ""


def modules() -> list[str]:
    """The modules with a test that touches a database and is not for SQLite alone: to collect the others would take as long again."""
    texts = {path: path.read_text() for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    return [str(path.relative_to(ROOT)) for path, text in texts.items() if "django_db" in text and not ON_SQLITE.search(text)]


def main() -> int:
    url = server()
    if not url:
        print("SKIPPED: no PostgreSQL server answers; set POSTGRESQL_URL to run the database tests there too.")
        return 1 if os.environ.get("CUTOUT_REQUIRE_ALL") else 0
    named = [word for word in sys.argv[1:] if (ROOT / word.partition("::")[0]).exists()]
    command = [sys.executable, "-m", "pytest", "-m", "django_db", *sys.argv[1:], *([] if named else modules())]
    return subprocess.run(command, env={**os.environ, "DATABASE_URL": url, "PGOPTIONS": NO_WAIT}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
