"""One error shape everywhere: a list of ``{"code", "message", "where"}``."""

from __future__ import annotations

import logging
import secrets
import sys
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from cardsdb.site.faults import Fault, error_list

log = logging.getLogger(__name__)

# Seconds after which a machine that was busy may be asked again.
SOON = 30


def _answer(request: HttpRequest, status: int, fault: Fault, title: str, advice: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse(error_list([fault]), safe=False, status=status)
    return render(request, "error.html", {"title": title, "message": fault.message, "advice": advice}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        fault = Fault("too_large", "What was sent is larger than 1 MB.")
        return _answer(request, 413, fault, "Too large", "Send a shorter list; one deck needs a few kilobytes.")
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        most = f"{settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} fields and {settings.DATA_UPLOAD_MAX_NUMBER_FILES} files are the most"
        fault = Fault("too_many", f"What was sent has too many parts: {most}.")
        return _answer(request, 413, fault, "Too much at once", "Nothing was changed. Go back and send less at once.")
    return _answer(request, 400, Fault("bad_request", "The request could not be understood."), "Bad request", "Go back and try again.")


def bad_character(request: HttpRequest, field: str) -> HttpResponse:
    """The answer to text that no database stores, naming its field."""
    sentence = f"What was sent as “{field}” has a character that is no text: NUL, or half of a surrogate pair."
    return _answer(request, 400, Fault("bad_character", sentence, field), "Bad request", "Go back, type it again and send it once more.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(
        request, 403, Fault("permission_denied", "You may not do this."), "Not allowed", "Ask the deck's owner for its edit link."
    )


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form of another log-in, or of another site. What was typed into one of ours is given back, to be sent once more."""
    fault = Fault("csrf_failed", "The form was too old, or this browser refuses cookies.")
    typed, rest = _typed_again(request)
    if not typed:
        advice = "Allow cookies for this site, go back, reload the page and send it again."
        return _answer(request, 403, fault, "The form has expired", advice)
    context = {"typed": typed, "rest": rest, "action": request.get_full_path()}
    answer = render(request, "expired.html", context, status=403)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


# Fields that people write in, as the page that gives them back calls them; and how much of a form it gives back.
WRITTEN = {"name": "Name", "text": "The list or text", "notes": "Notes", "tags": "Tags", "line": "Line", "lines": "Lines", "note": "Note"}
MAX_FIELDS, MAX_VALUE = 60, 300_000
# A form with one of these is not sent once more at the press of one button.
_NOT_AGAIN = ("password", "key", "token", "otp", "credential")


def _typed_again(request: HttpRequest) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """(name, label, value) of what was typed, and the other fields of the form; nothing of a form that another site sent.

    Without that, any site could put its own words before a visitor, to be sent under their name.
    """
    source = request.headers.get("Origin") or request.headers.get("Referer", "")
    posted = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
    ours = urlsplit(source)[:2] == (request.scheme, request.get_host())
    secret = any(part in name.lower() for name, _ in posted for part in _NOT_AGAIN)
    too_much = len(posted) > MAX_FIELDS or any(len(value) > MAX_VALUE for _, value in posted)
    if not ours or secret or too_much or request.FILES or request.path.startswith("/api/"):
        return [], []
    typed = [(name, WRITTEN[name], value) for name, value in posted if name in WRITTEN and value.strip()]
    return typed, [(name, value) for name, value in posted if name not in {name for name, _, _ in typed}]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    fault = Fault("not_found", "There is nothing at this address.")
    return _answer(request, 404, fault, "Not found", "Search for a card, or look through the games.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 while the database is busy or down, with the number under which the log has it."""
    number = secrets.token_hex(4)
    log.error("error %s at %s %s", number, request.method, request.path)
    fault, status, headers = Fault("server_error", f"Something went wrong on our side. It was logged as {number}."), 500, {}
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        fault = Fault("unavailable", f"The database does not answer. Try again in a few seconds. It was logged as {number}.")
        status, headers = 503, {"Retry-After": "5"}
    if request.path.startswith("/api/"):
        return JsonResponse(error_list([fault]), safe=False, status=status, headers=headers)
    # No template context processors here: whatever failed may fail again.
    page = f"<!doctype html><title>Error</title><h1>Something went wrong</h1><p>{fault.message}</p>"
    return HttpResponse(page, status=status, headers=headers)
