#!/usr/bin/env python
"""Django's command line for Cutout."""

import gc
import os
import sys

# Objects that are made before the garbage collector runs. Most of what is imported stays, and searching it
# every few hundred objects would take a seventh of the start.
GARBAGE_AFTER = 400_000
# Exit status that a shell reports for a program that was ended by SIGPIPE.
ENDED_BY_PIPE = 128 + 13
# Exit status if the database has not the tables of this release.
NOT_PREPARED = 2


def main() -> None:
    gc.set_threshold(GARBAGE_AFTER)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, connection

    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()
            # Python searches all objects for garbage several times before it ends, which takes a third of a
            # short command.
            gc.freeze()
    except BrokenPipeError:
        # The reader has closed the pipe (``| head``): end as any program does. Nothing is left to be
        # written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ENDED_BY_PIPE)
    except DatabaseError as error:
        is_setting_up = sys.argv[1:2] in (["prepare"], ["migrate"])
        if is_setting_up or "cardsdb_edition" in connection.introspection.table_names():
            raise
        print(f"The database is not set up yet: run manage.py prepare. ({error})", file=sys.stderr)
        sys.exit(NOT_PREPARED)


if __name__ == "__main__":
    main()
