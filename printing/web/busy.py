"""The answer to whoever comes while the machine has no time or no room for pictures."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from cardsdb.site.errors import SOON
from cardsdb.site.faults import Refused


def try_later(request: HttpRequest, refused: Refused) -> HttpResponse:
    """A readable page with the refusal's own status; with 503 it says when to come again."""
    context = {"title": "Not just now", "message": refused.faults[0].message, "advice": "Nothing was lost. Go back and try again."}
    return with_time(render(request, "error.html", context, status=refused.status))


def with_time(answer: HttpResponse) -> HttpResponse:
    """Of an answer with 503, when to come again."""
    if answer.status_code == 503:
        answer["Retry-After"] = str(SOON)
    return answer
