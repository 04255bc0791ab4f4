#!/usr/bin/env python
"""Django's command line for Cutout."""

import gc
import os
import sys

# What a start imports stays. Looking through all of it for rubbish after each few hundred objects would take
# a seventh of the start.
GARBAGE_AFTER = 400_000
# What a shell says of a program that the signal of a broken pipe has ended.
ENDED_BY_PIPE = 128 + 13


def main() -> None:
    gc.set_threshold(GARBAGE_AFTER)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
    from django.core.management import execute_from_command_line

    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()
            # Python would go through everything that is here several times before it ends: a third of what a
            # short command takes.
            gc.freeze()
    except BrokenPipeError:
        # Whoever reads the output has seen enough (``| head``): an end as of any program in a pipe. Nothing
        # is left to be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ENDED_BY_PIPE)


if __name__ == "__main__":
    main()
