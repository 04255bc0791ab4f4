"""The lines of the log: sentences for people, or JSON for programs, one line a record whatever was sent."""

from __future__ import annotations

import logging
import re
from typing import Any

from cardsdb.watch.requests import current_id

KINDS = ("plain", "json")
# Characters that end a line, or tell a terminal something.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def log_settings(kind: str) -> dict[str, Any]:
    """Django's LOGGING for one of KINDS. With ``json`` each request has a line, with ``plain`` only what
    operators should look at.
    """
    json = {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "fmt": ["levelname", "name", "message"],
        "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "traceback"},
        "timestamp": "time",
    }
    plain = {
        "()": "cardsdb.watch.logs.PlainLine",
        "format": "{asctime} {levelname} {name} {message}",
        "style": "{",
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": json if kind == "json" else plain},
        "filters": {
            "request": {"()": "cardsdb.watch.logs.WithRequest"},
            "no_traceback": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback},
            "faults": {"()": "django.utils.log.CallbackFilter", "callback": is_fault},
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request"]},
            "refused": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["request", "no_traceback"],
            },
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        # A visitor's mistakes (4xx) are no news for whoever runs the site, and anybody could fill the log
        # with them:
        # Django writes an error for each foreign Host, and a warning for each form without its token.
        "loggers": {
            **{
                name: {"level": "INFO" if kind == "json" else "WARNING"}
                for name in ("cutout.requests", "cutout.audit")
            },
            "django.request": {"level": "ERROR", "filters": ["faults"]},
            # It writes down the name of each passkey.
            "fido2": {"level": "WARNING"},
            # They write a line for each task that begins or ends; one that fails says so itself.
            "django_tasks": {"level": "ERROR"},
            "django_tasks_db": {"level": "WARNING"},
            "django.security": {"handlers": ["refused"], "propagate": False},
            "django.security.csrf": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def without_traceback(record: logging.LogRecord) -> bool:
    """Take the traceback from a record: what a visitor sent, and was refused, is a line; how Django came to
    notice it is none of the log's matter.
    """
    record.exc_info = record.exc_text = None
    return True


def is_fault(record: logging.LogRecord) -> bool:
    """Return whether something failed. What we answer with 501, 503 or 507 of our own accord did not."""
    return bool(record.exc_info)


class WithRequest(logging.Filter):
    """Gives each record the id of the request that is answered meanwhile, if there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        if name := current_id():
            record.request = name
        elif not isinstance(getattr(record, "request", ""), str):
            # Django's own records carry the request itself.
            del record.request
        return True


class PlainLine(logging.Formatter):
    """A record as a line to read. What a visitor sent cannot begin a line: a message has one, and those of a
    traceback are set in.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        line = _escaped(super().formatMessage(record))
        return f"{line} [{name}]" if (name := getattr(record, "request", "")) else line

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {_escaped(line)}" for line in super().formatException(ei).splitlines())


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
