"""Each of several workers compiles another part of the test modules; what it imports of the others' parts is
compiled already.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest


def modules(config: pytest.Config) -> list[Path]:
    """The test modules that this run is asked for, in order."""
    return sorted(set(_modules(config)))


def _modules(config: pytest.Config) -> Iterator[Path]:
    for argument in config.args:
        path = (config.invocation_params.dir / argument.split("::")[0]).resolve()
        yield from path.rglob("test_*.py") if path.is_dir() else [path]


def import_others_last(config: pytest.Config, engine: str) -> None:
    """Import the test modules, beginning at another one in each worker.

    On a fresh clone compiling them takes each worker 10 s of a core, and all workers would compile the same
    module at the same time. The workers on PostgreSQL begin between those on SQLite: ``make test`` runs both
    at once.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    files = modules(config)
    place = (int(worker["workerid"].removeprefix("gw")) + (engine == "postgresql") / 2) / worker[
        "workercount"
    ]
    first = int(len(files) * place)
    for file in files[first:] + files[:first]:
        # What cannot be imported is reported where pytest collects it.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))
