"""Run the tests that touch a database once more, on PostgreSQL: those that send it a statement which no other
test sends, and those of several writers, tasks, backups, history and permissions; with ``whole``, or of the
files named, all of them.
"""

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
ON_ONE = re.compile(r"^pytestmark = .*one_database", re.MULTILINE)
USUAL = "django_db and (not one_database or both_databases)"


def server() -> str:
    """The first server that answers: POSTGRESQL_URL alone if it is set, else the usual local ones; empty if
    none does.
    """
    for url in [os.environ["POSTGRESQL_URL"]] if os.environ.get("POSTGRESQL_URL") else LIKELY:
        try:
            psycopg.connect(url, connect_timeout=3).close()
        except psycopg.OperationalError:
            continue
        return url
    return ""


def modules(*, is_whole: bool) -> list[str]:
    """The modules with a test that touches a database and is to run here: to collect the others would take as
    long again.
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
    named = [word for word in arguments if (ROOT / word.partition("::")[0]).exists()]
    which = ["-m", "django_db" if is_whole or named else USUAL]
    if is_whole:
        # It ends with the statements that only those tests send which are not run usually.
        which += ["-p", "tests.support.statements"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *which,
        *arguments,
        *([] if named else modules(is_whole=is_whole)),
    ]
    return subprocess.run(
        command, env={**os.environ, "DATABASE_URL": url, "PGOPTIONS": NO_WAIT}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
