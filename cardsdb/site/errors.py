"""Answers to requests that are refused or fail: pages for people, JSON for the API.

Views raise ``Refused`` (or Django's Http404 and the like); the handlers here, named in ``urls.py`` and the
settings, and the middleware ``Refusals`` turn them into answers. For addresses below ``/api/`` the answer is
a list of ``{"code", "message", "where"}``, elsewhere a page that says what is wrong and what to do.
Tests: ``tests/cardsdb/site/test_errors.py``; of ``refuse`` ``test_overload.py`` there, and of its policy
``tests/house/test_policies.py``.
"""

import json
import logging
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.cache import patch_cache_control

from cardsdb.faults import VERY_SOON, Fault, Refused, error_list
from cardsdb.games import games
from cardsdb.site.sharing import FILE_POLICY, POLICY
from cardsdb.watch.requests import note_refusal, request_id

log = logging.getLogger(__name__)


# Characters of the name of a card that a page of error 404 suggests to search for.
MAX_NAME_LENGTH = 120
# Characters that may follow an address in a sentence. No address of this site ends with one of them.
SENTENCE_END = ".,;:!?'\")]}>*…’”"


def refusal(request: HttpRequest, refused: Refused, title: str, advice: str) -> HttpResponse:
    """Return the answer to a refused request: JSON for the API, else a page with the title, the message of
    the first fault, and the advice. A 429 is never cached.
    """
    note_refusal(request, refused.faults[0].code)
    if request.path.startswith("/api/"):
        return JsonResponse(
            error_list(refused.faults), safe=False, status=refused.status, headers=refused.headers
        )
    message, status = refused.faults[0].message, refused.status
    context: dict[str, Any] = {"title": title, "message": message, "advice": advice, "status": status}
    if status == 404:
        context |= {"games": list(games().values()), "perhaps": _perhaps(request.path)}
        context["is_shared"] = is_shared_by_link(request)
    answer = render(request, "error.html", context, status=status)
    if status == 429:
        answer["Cache-Control"] = "no-store"
    return with_headers(answer, refused)


def _perhaps(path: str) -> str:
    """Return a search for the card that the address of a missing card may mean: "/cards/spycraft/glock-18/"
    -> "glock 18"; empty for other addresses.
    """
    match = re.match(r"/cards/(?P<game>[^/]+)/(?P<card>[^/]+)", path)
    if match is None or match["game"] not in games():
        return ""
    return match["card"].replace("-", " ")[:MAX_NAME_LENGTH]


def try_later(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Return the answer to a refusal that may not happen again later."""
    return refusal(request, refused, "Not just now", "Nothing was lost. Go back and try again.")


def with_headers(answer: HttpResponse, refused: Refused | None) -> HttpResponse:
    """Add the headers of a refusal, such as ``Retry-After``, to an answer that shows it in its own way."""
    for name, value in refused.headers.items() if refused else ():
        answer[name] = value
    return answer


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 for too many bytes or fields. Django calls this."""
    if isinstance(exception, RequestDataTooBig):
        fault = Fault("too_large", "What was sent is larger than 1 MB.")
        advice = "Send a shorter list; one deck needs a few kilobytes."
        return refusal(request, Refused(fault, status=413), "Too large", advice)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        fields, files = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS, settings.DATA_UPLOAD_MAX_NUMBER_FILES
        most = f"{fields} fields and {files} files are the most"
        fault = Fault("too_many", f"What was sent has too many parts: {most}.")
        advice = "Nothing was changed. Go back and send less at once."
        return refusal(request, Refused(fault, status=413), "Too much at once", advice)
    fault = Fault("bad_request", "The request could not be understood.")
    return refusal(request, Refused(fault, status=400), "Bad request", "Go back and try again.")


def bad_character(request: HttpRequest, field: str, line: int) -> HttpResponse:
    """Return the answer to a field with a character that no database stores, with its name and line."""
    sentence = (
        f"What was sent as “{field}” has a character that is no text in line {line}: NUL, or half of a"
        " surrogate pair."
    )
    refused = Refused(Fault("bad_character", sentence, field))
    return refusal(request, refused, "Bad request", "Go back, type it again and send it once more.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    refused = Refused(Fault("permission_denied", "You may not do this."), status=403)
    return refusal(request, refused, "Not allowed", "Ask the deck's owner for its edit link.")


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the answer to a form without a valid token: one from before a log-in, or from another site. What
    was typed into our own form is shown again, to be sent once more.
    """
    typed, rest = _typed_again(request)
    if not typed:
        refused = Refused(
            Fault("csrf_failed", "The form was too old, or this browser refuses cookies."), status=403
        )
        return refusal(
            request,
            refused,
            "The form has expired",
            "Allow cookies for this site, go back, reload the page and send it again.",
        )
    context = {"typed": typed, "rest": rest, "action": request.get_full_path()}
    answer = render(request, "expired.html", context, status=403)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


# Name of a field that people write in -> its label on the page that shows it again.
WRITTEN = {
    "name": "Name",
    "text": "The list or text",
    "notes": "Notes",
    "tags": "Tags",
    "line": "Line",
    "lines": "Lines",
    "note": "Note",
}
# A form with more fields, or with more characters in one, is not shown again.
MAX_FIELDS = 60
MAX_VALUE = 300_000
# Parts of names of secret fields. A form with one of these is not shown again.
_NOT_AGAIN = ("password", "key", "token", "otp", "credential")


def _typed_again(request: HttpRequest) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """Return ([(name, label, value)] of the fields that were typed, [(name, value)] of the others, which the
    page sends along unseen); both are empty if the form should not be shown again.

    A form from another site is not shown again: that site could otherwise put its own words before a visitor,
    to be sent under their name.
    """
    posted = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
    sent_from = urlsplit(request.headers.get("Origin") or request.headers.get("Referer", ""))
    ours = (sent_from.scheme, sent_from.netloc) == (request.scheme, request.get_host())
    is_secret = any(part in name.lower() for name, _ in posted for part in _NOT_AGAIN)
    too_much = len(posted) > MAX_FIELDS or any(len(value) > MAX_VALUE for _, value in posted)
    if not ours or is_secret or too_much or request.FILES or request.path.startswith("/api/"):
        return [], []
    typed = [(name, WRITTEN[name], value) for name, value in posted if name in WRITTEN and value.strip()]
    shown = {name for name, _, _ in typed}
    return typed, [(name, value) for name, value in posted if name not in shown]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404, or redirect if the address only has the end of a sentence too much: mail programs often
    make links such as "/cards/.", which leads to "/cards/".
    """
    address = request.path.rstrip(f"/{SENTENCE_END}").lstrip("/")
    is_page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    if address and is_page and address != request.path.strip("/") and ".." not in request.path:
        return redirect(f"/{address}/")
    refused = Refused(nothing_at(request), status=404)
    advice = "It may have been mistyped, or moved. Search for the card, or look through a game."
    return refusal(request, refused, "Not found", advice)


def is_shared_by_link(request: HttpRequest) -> bool:
    """True if the address has a secret link: a random word in its path, or a deck in its query."""
    match = request.resolver_match
    return "deck" in request.GET or (match is not None and "link" in match.kwargs)


def nothing_at(request: HttpRequest) -> Fault:
    """Return the fault of an address at which this visitor finds nothing.

    The answer must be the same, word for word, for a private thing, a deleted one and one that never existed.
    Otherwise a stranger with an old address could learn that the thing exists, and when it is deleted.
    """
    private = ", or it is private" if is_shared_by_link(request) else ""
    return Fault("not_found", f"There is nothing at this address{private}.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception in a view: 500, 503 if the database does not answer, or 507 if the disk is full.
    The page shows the id of the request, under which the log has the error.
    """
    number = request_id(request)
    log.error("error %s at %s %s", number, request.method, request.path)
    refused, advice = _failure(sys.exception(), f"It was logged as {number}.")
    if request.path.startswith("/api/"):
        return refusal(request, refused, "", "")
    # Not by ``refusal``, because its template may be what failed.
    note_refusal(request, refused.faults[0].code)
    page = _broken("Something went wrong", refused, advice)
    return HttpResponse(page, status=refused.status, headers=refused.headers)


def _failure(error: BaseException | None, logged: str) -> tuple[Refused, str]:
    """Return the refusal for an exception in a view, and the advice. ``logged``: a sentence with the id of
    the request, for the message.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        fault = Fault("server_error", f"Something went wrong on our side. {logged}")
        advice = "Go back and try once more. If it fails again, tell the operator of this site that number."
        return Refused(fault, status=500), advice
    if storage_is_full(error):
        fault = Fault("no_room", f"The site's disk is full: nothing more can be stored. {logged}")
        advice = "Nothing was changed. Tell the operator of this site, with that number; reading still works."
        return Refused(fault, status=507), advice
    fault = Fault("unavailable", f"The database does not answer. Try again in a few seconds. {logged}")
    return Refused(fault, status=503, wait=VERY_SOON), "Go back and try once more."


def storage_is_full(error: BaseException | None) -> bool:
    """True if a database failed because the disk is full. SQLite says so in words, PostgreSQL by the code
    53100 (disk_full).
    """
    # Django raises its own error from that of the driver, which has PostgreSQL's code.
    of_driver = error.__cause__ if error else None
    return "disk is full" in str(error) or getattr(of_driver, "sqlstate", "") == "53100"


# The page of a failure. It is not a template, because templates may be what failed.
BROKEN = """<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>{title} · Cutout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">{style}</head>
<body><main class="width broken"><h1>{title}</h1><p class="lead">{message}</p><p>{advice}</p>
<p class="actions"><a class="button-secondary" href="/">Home</a> <a href="/cards/">All cards</a></p></main>
</body></html>
"""


def _broken(title: str, refused: Refused, advice: str) -> str:
    """Return the page of a failure, without style sheets if their names cannot be read."""
    names: list[str] = []
    with suppress(Exception):
        names = [static("cutout/cutout.css"), static("cutout/error.css")]
    style = "".join(f'<link rel="stylesheet" href="{name}">' for name in names)
    return BROKEN.format(title=title, style=style, message=refused.faults[0].message, advice=advice)


def refuse(refused: Refused, path: str, start_response: StartResponse) -> Iterable[bytes]:
    """Send a refusal as a WSGI answer, without Django, and end the connection."""
    if path.startswith("/api/"):
        text, kind, policy = json.dumps(error_list(refused.faults)), "application/json", FILE_POLICY
    else:
        text = _broken("Not just now", refused, "Everything else is as it was.")
        kind, policy = "text/html; charset=utf-8", POLICY
    headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
    ]
    headers += [("Cache-Control", "no-store"), ("Connection", "close"), *refused.headers.items()]
    start_response(f"{refused.status} {HTTPStatus(refused.status).phrase}", headers)
    return [text.encode()]
