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
# In place of a handle: none was looked for yet; and nothing can be told from the file.
UNOPENED, UNTOLD = -1, -2
FORMAT = (3_007_000).to_bytes(4, sys.byteorder)

# Files that were opened, by what the system knows them by. None that lies there is ever closed: whatever handle on a file a process
# closes, the system drops all locks that the process has on it, SQLite's own too. Another comes only after all have closed the database.
_handles: dict[tuple[int, int], int] = {}
_one_at_a_time = threading.Lock()


def opened(database: str) -> int:
    """A handle on that file, for whoever has read from the database and has not closed it; UNTOLD where nothing can be told from it."""
    path = f"{database}-shm"
    with _one_at_a_time:
        try:
            found = os.stat(path)
            if (file := (found.st_dev, found.st_ino)) not in _handles:
                _close_gone()
                _handles[file] = os.open(path, os.O_RDONLY)
        except OSError:
            return UNTOLD
        return _handles[file] if os.pread(_handles[file], NOTES, 0).startswith(FORMAT) else UNTOLD


def _close_gone() -> None:
    """SQLite takes the file away when nobody has the database open any more, so that nobody has a lock on it."""
    for file, handle in list(_handles.items()):
        if not os.fstat(handle).st_nlink:
            os.close(_handles.pop(file))
