"""What a browser may do with an answer: its Content Security Policy, without inline script or style. No
answer leaves without one.

But for a 304 that states none: it says that a browser's copy is still right, and the copy keeps the policy
that it came with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import WSGIApplication

from django.http.response import HttpResponseBase

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
    )
)
# Of the small page of a deck, which any site may frame.
EMBEDDED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
# Of what is no page of ours: nothing in it runs, whatever a browser takes it for. A drawn face has its
# owner's picture inside.
FILE_POLICY = (
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)

NOT_MODIFIED = 304


def give_policy(response: HttpResponseBase) -> None:
    """Give Django's answer its policy if it states none: a picture is no page, though a browser opens it as
    one.
    """
    if response.status_code != NOT_MODIFIED:
        is_picture = response.get("Content-Type", "").startswith("image/")
        response.headers.setdefault("Content-Security-Policy", FILE_POLICY if is_picture else POLICY)


def with_policy(application: WSGIApplication) -> WSGIApplication:
    """The WSGI application, with the policy of files in those answers that are made before Django is asked
    and have none.
    """

    def answered(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def started(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if not status.startswith(str(NOT_MODIFIED)) and not any(
                name.lower() == "content-security-policy" for name, _ in headers
            ):
                headers = [
                    *headers,
                    ("Content-Security-Policy", FILE_POLICY),
                    ("X-Content-Type-Options", "nosniff"),
                ]
            return start_response(status, headers, *error)

        return application(environ, started)

    return answered
