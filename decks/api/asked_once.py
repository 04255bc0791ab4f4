"""A deck that a program asks for twice is made once: ``Idempotency-Key`` names the request, and the second
answer is as the first.

The deck's address is derived from that name, from who asks (their account, else their address) and from the
site's secret, and its edit key from the body besides. So nothing needs to be stored for it, and a key that is
shown once is shown again to whoever sends all of this: to guess the name is not enough.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import hashed
from cardsdb.site.ratelimits import sender
from decks.models import Deck

# Letters: 128 random bits, as base64 writes them; a UUID has more.
MIN_NAME, MAX_NAME = 22, 100
_ABOUT = (
    f"A name of the request, {MIN_NAME} to {MAX_NAME} letters that nobody guesses, such as a UUID: sent again"
    " by the same account, or without one from the same address, with the same body, it makes no second"
    " deck."
)
IDEMPOTENCY_KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description=_ABOUT)


@dataclass(frozen=True, slots=True)
class AskedOnce:
    """A request for a new deck that has a name; ``link`` and ``edit_key`` are those of the one deck that it
    makes.
    """

    link: str
    edit_key: str

    def made(self) -> Deck | None:
        """The deck that was made so, None if there is none yet. Raises Refused (422) if it was made of
        another body.
        """
        deck = (
            Deck.objects.all_owners("nobody else's has this link, which the site's secret makes")
            .filter(link=self.link)
            .first()
        )
        if deck and deck.edit_hash != hashed(self.edit_key):
            sentence = "Another deck was asked for under this Idempotency-Key. A new deck needs a new one."
            raise Refused(Fault("idempotency_key_used", sentence, "Idempotency-Key"), status=422)
        return deck


def asked_once(request: Request, data: dict[str, Any]) -> AskedOnce | None:
    """The words of header and body, None without a header. Raises Refused for a name that somebody else may
    send too.
    """
    name = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not name:
        return None
    if not (MIN_NAME <= len(name) <= MAX_NAME and name.isascii() and name.isprintable()):
        sentence = (
            f"An Idempotency-Key has {MIN_NAME} to {MAX_NAME} letters that nobody guesses, such as a UUID."
        )
        raise Refused(Fault("bad_idempotency_key", sentence, "Idempotency-Key"))
    who = f"account {request.user.pk}" if request.user.pk else f"address {sender(request)}"
    body = hashlib.sha256(json.dumps(data, sort_keys=True, default=list).encode()).hexdigest()
    return AskedOnce(_derived(f"link of {who} {name}"), _derived(f"edit key of {who} {body} {name}"))


def _derived(about: str) -> str:
    """128 bits that nobody knows without the site's secret, as a link is written."""
    secret = hmac.digest(settings.SECRET_KEY.encode(), f"decks.api.asked_once {about}".encode(), "sha256")
    return base64.urlsafe_b64encode(secret[:16]).decode().rstrip("=")
