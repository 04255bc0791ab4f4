"""The answer to whoever has tried too often."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# The windows in which wrong passwords are counted: of one network, of all together.
SECONDS, HOUR = 300, 3600


def too_many_tries(request: HttpRequest, seconds: int = SECONDS) -> HttpResponse:
    """A readable page with 429 and ``Retry-After``. Also the site's answer wherever allauth counts."""
    wait = "an hour" if seconds == HOUR else "five minutes"
    context = {
        "title": "Too many tries",
        "message": "This was tried too often in too short a time, by you or by somebody who is not you.",
        "advice": f"Wait {wait}, then try again. If you forgot your password, ask for a new one instead of guessing.",
    }
    answer = render(request, "error.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    answer["Cache-Control"] = "no-store"
    return answer
