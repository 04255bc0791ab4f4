"""The answer to a refusal that time mends: a readable page that says when to come again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from cardsdb.site.faults import Refused


def try_later(request: HttpRequest, refused: Refused) -> HttpResponse:
    """A readable page with the refusal's own status and the time to come again, where the refusal knows it."""
    context = {"title": "Not just now", "message": refused.faults[0].message, "advice": "Nothing was lost. Go back and try again."}
    return with_headers(render(request, "error.html", context, status=refused.status), refused)


def with_headers(answer: HttpResponse, refused: Refused | None) -> HttpResponse:
    """The answer with the headers of the refusal that it tells: ``Retry-After`` where it is known. No refusal adds none."""
    for name, value in refused.headers.items() if refused else ():
        answer[name] = value
    return answer
