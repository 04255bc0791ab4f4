"""``make test-postgresql``: run the tests that touch a database on PostgreSQL.

By default these are the tests whose SQL no other test sends, and those of concurrent writers, tasks, backups,
history and permissions (all but the ones marked ``one_database``). ``whole``, or naming files, runs all.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import psycopg

from tests import ROOT

# Local servers that are tried if POSTGRESQL_URL is not set.
LIKELY = ("postgresql:///postgres", "postgresql://postgres@127.0.0.1:5432/postgres")
# Commits do not wait for the disk, because the test database need not survive a crash.
NO_WAIT = "-c synchronous_commit=off"
# Modules whose tests all run on SQLite only, or are all marked ``one_database``.
ON_SQLITE = re.compile(r"^pytestmark = .*engine\(.sqlite.\)", re.MULTILINE)
ON_ONE = re.compile(r"^pytestmark = .*one_database", re.MULTILINE)
# The pytest marker expression of the default run.
USUAL = "django_db and (not one_database or both_databases)"


def server() -> str:
    """Return the URL of the first PostgreSQL server that answers: POSTGRESQL_URL if set, else a local one;
    "" if none does.
    """
    for url in [os.environ["POSTGRESQL_URL"]] if os.environ.get("POSTGRESQL_URL") else LIKELY:
        try:
            psycopg.connect(url, connect_timeout=3).close()
        except psycopg.OperationalError:
            continue
        return url
    return ""


def modules(*, is_whole: bool) -> list[str]:
    """Return the test modules to collect: those that touch a database and have a test to run here. Collecting
    the others would double the time.
    """

    def is_elsewhere(text: str) -> bool:
        return bool(ON_SQLITE.search(text)) or (
            not is_whole and bool(ON_ONE.search(text)) and "both_databases" not in text
        )

    texts = {path: path.read_text() for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    return [
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if "django_db" in text and not is_elsewhere(text)
    ]


def main() -> int:
    url = server()
    if not url:
        print(
            "SKIPPED: no PostgreSQL server answers; set POSTGRESQL_URL to run the database tests there too."
        )
        return 1 if os.environ.get("CUTOUT_REQUIRE_ALL") else 0
    is_whole = "whole" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "whole"]
    named_files = [word for word in arguments if (ROOT / word.partition("::")[0]).exists()]
    selection = ["-m", "django_db" if is_whole or named_files else USUAL]
    if is_whole:
        # At the end, list the statements that only tests left out of the default run send.
        selection += ["-p", "tests.support.statements"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *selection,
        *arguments,
        *([] if named_files else modules(is_whole=is_whole)),
    ]
    return subprocess.run(
        command, env={**os.environ, "DATABASE_URL": url, "PGOPTIONS": NO_WAIT}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
