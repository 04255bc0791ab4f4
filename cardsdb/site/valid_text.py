"""What no database takes as text gets no further than here: NUL characters, and halves of surrogate pairs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict, UnreadablePostError

from cardsdb.site.errors import bad_character

_UNSOUND = re.compile("[\x00\ud800-\udfff]")


class SoundText:
    """Refuses fields and parameters with such a character, naming the field; a path with one is not found.

    Bodies of the API are read by ``cardsdb.site.strict_json``, which refuses the same.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Nobody was ever given such a cookie: it counts as none.
        for name in [name for name, value in request.COOKIES.items() if _UNSOUND.search(name + value)]:
            del request.COOKIES[name]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        if any(isinstance(value, str) and _UNSOUND.search(value) for value in kwargs.values()):
            raise Http404
        name = unsound_field(request.GET)
        # A view without the usual check of the form's token reads its body itself, or not as a form.
        if name is None and request.method == "POST" and not getattr(view, "csrf_exempt", False):
            try:
                name = unsound_field(request.POST)
            except UnreadablePostError:  # The sender went away; nobody reads an answer.
                return None
        return None if name is None else bad_character(request, name)


def unsound_field(sent: QueryDict) -> str | None:
    """The name, fit to be shown, of the first field with such a character in its name or values; None if all are sound."""
    for name, values in sent.lists():
        if _UNSOUND.search(name) or any(map(_UNSOUND.search, values)):
            return _UNSOUND.sub("\ufffd", name)[:60]
    return None
