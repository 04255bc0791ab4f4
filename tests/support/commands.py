"""Running management commands as scripts do: their exit status, output and errors; and files for them to
read.
"""

from __future__ import annotations

import io
from typing import NamedTuple

import pytest
from django.core.management import call_command


class Said(NamedTuple):
    """The result of a command: exit status, standard output and standard error."""

    status: int
    out: str
    err: str


def run(*words: str, **options: str) -> Said:
    """Run the command in this process and return its result."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*words, **options, stdout=out, stderr=err)
    except SystemExit as stop:
        return Said(int(stop.code or 0), out.getvalue(), err.getvalue())
    return Said(0, out.getvalue(), err.getvalue())


@pytest.fixture
def listed(tmp_path):
    """A function that writes a deck list into a file and returns the path."""

    def write(text: str | bytes, name: str = "deck.txt") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write
