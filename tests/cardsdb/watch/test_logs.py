"""A record is one line of the log, whatever somebody sent, for people as for programs."""

from __future__ import annotations

import json
import logging
import logging.config
import sys

import pytest

from cardsdb.watch.requests import PlainLine, log_settings

FORGED = "x\n2026-11-23 12:00:00 ERROR root forged\r\x1b[2J\u2028y"


def record(message: str, *, failed: bool = False) -> logging.LogRecord:
    try:
        raise ValueError(FORGED)
    except ValueError:
        return logging.LogRecord(
            "cutout",
            logging.ERROR,
            __file__,
            1,
            "error at %s",
            (message,),
            sys.exc_info() if failed else None,
        )


def formatter(kind: str) -> logging.Formatter:
    made = logging.config.DictConfigurator(log_settings(kind))
    found: logging.Formatter = made.configure_formatter(made.config["formatters"]["line"])
    return found


@pytest.mark.parametrize("kind", ["plain", "json"])
def test_what_somebody_sent_ends_no_line(kind: str) -> None:
    line = formatter(kind).format(record(FORGED))
    assert len(line.splitlines()) == 1 and "\x1b" not in line


def test_of_a_traceback_no_line_looks_like_the_beginning_of_another_record() -> None:
    _, *rest = formatter("plain").format(record("x", failed=True)).split("\n")
    assert "\x1b" not in "".join(rest)
    assert len(rest) > 3 and all(line.startswith("  ") for line in rest)


def test_in_json_a_traceback_is_part_of_its_line() -> None:
    (line,) = formatter("json").format(record("x", failed=True)).splitlines()
    assert json.loads(line)["traceback"].startswith("Traceback")


@pytest.mark.parametrize("failed", [False, True])
def test_the_id_stands_at_the_end_of_a_plain_line_before_its_traceback(failed: bool) -> None:
    one = record("x", failed=failed)
    one.request = "0af7651916cd"
    assert isinstance(formatter("plain"), PlainLine)
    assert formatter("plain").format(one).splitlines()[0].endswith("error at x [0af7651916cd]")


def test_requests_have_lines_in_json_alone() -> None:
    levels = {kind: log_settings(kind)["loggers"]["cutout.requests"]["level"] for kind in ("plain", "json")}
    assert levels == {"plain": "WARNING", "json": "INFO"}
