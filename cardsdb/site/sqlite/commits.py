"""What stands for the last commit to a SQLite database, read without the locks that any query takes.

Beside a database with a write-ahead log lies a file at whose head each commit is noted, twice, so that a note half written equals
no other (https://sqlite.org/walformat.html#the_wal_index_header). SQLite's own readers look there first, and take their locks then.
"""

from __future__ import annotations

import os
import sys
import threading

# The two notes, of 48 bytes each: other bytes after each commit. They begin with the number of the format, which SQLite never changed.
NOTES = 2 * 48
FORMAT = (3_007_000).to_bytes(4, sys.byteorder)

# Files that were opened, by what the system knows them by. None is ever closed: whatever handle on a file a process closes, the system
# drops all locks that the process has on it, SQLite's own too. Another file comes only after everybody has closed the database.
_handles: dict[tuple[int, int], int] = {}
_one_at_a_time = threading.Lock()


def opened(database: str) -> int | None:
    """A handle on that file, for whoever has read from the database and has not closed it; None where nothing can be told from it."""
    path = f"{database}-shm"
    with _one_at_a_time:
        try:
            found = os.stat(path)
            if (file := (found.st_dev, found.st_ino)) not in _handles:
                _handles[file] = os.open(path, os.O_RDONLY)
        except OSError:
            return None
        return _handles[file] if os.pread(_handles[file], NOTES, 0).startswith(FORMAT) else None
