"""What a worker tells the process that shows how far the tests are: each message is written, read and handed
round there.
"""

from __future__ import annotations

from typing import Any

import pytest


def is_of_interest(name: str, values: dict[str, Any]) -> bool:
    """That a test begins and ends, was set up and taken down is shown nowhere, unless it failed there."""
    report = values.get("data", {})
    return name not in ("logstart", "logfinish") and (
        name != "testreport" or report["when"] == "call" or report["outcome"] != "passed"
    )


def say_less(config: pytest.Config) -> None:
    """Of several workers each sends two messages for a test instead of six. Who asks for each test's name or
    time is told all.
    """
    if config.getoption("durations") or config.getoption("xmlpath") or config.getoption("verbose") > 0:
        return
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            _tell_less(plugin)


def _tell_less(worker: Any) -> None:
    send = worker.sendevent
    worker.sendevent = lambda name, **values: send(name, **values) if is_of_interest(name, values) else None
