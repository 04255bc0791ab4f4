"""A deck that a program asks for twice is made once: ``Idempotency-Key`` names the request, and the second answer is as the first.

The deck's address and its edit key are derived from that name and the site's secret, so that nothing needs to be stored for it,
and a key that is shown once can be shown again to whoever sent the name.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from cardsdb.games.kit.model.dataclass import dataclass
from cardsdb.site.faults import Fault, Refused
from decks.models import Deck, DeckRevision

MIN_NAME, MAX_NAME = 16, 100
_ABOUT = (
    f"A name of the request, {MIN_NAME} to {MAX_NAME} letters that nobody guesses, such as a UUID: sent again, it makes no second deck."
)
IDEMPOTENCY_KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description=_ABOUT)


@dataclass(frozen=True, slots=True)
class AskedOnce:
    """A request for a new deck that has a name; ``link`` and ``edit_key`` are those of the one deck that it makes."""

    link: str
    edit_key: str

    def made(self, data: dict[str, Any]) -> Deck | None:
        """The deck that was made of this body, None if there is none yet. Raises Refused (422) if it was another body."""
        deck = Deck.objects.filter(link=self.link).first()
        if deck is None:
            return None
        first = DeckRevision.objects.of(deck.pk).filter(number=0).values_list("request_id", flat=True).first()
        if first not in (None, body_id(data)):
            sentence = "Another deck was asked for under this Idempotency-Key. A new deck needs a new one."
            raise Refused(Fault("idempotency_key_used", sentence, "Idempotency-Key"), status=422)
        return deck


def asked_once(request: Request) -> AskedOnce | None:
    """What the header says, None without one. Raises Refused for a name that somebody else may send too."""
    name = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not name:
        return None
    if not (MIN_NAME <= len(name) <= MAX_NAME and name.isascii() and name.isprintable()):
        sentence = f"An Idempotency-Key has {MIN_NAME} to {MAX_NAME} plain letters, such as a UUID."
        raise Refused(Fault("bad_idempotency_key", sentence, "Idempotency-Key"))
    return AskedOnce(*(_derived(f"{noun} {request.user.pk or ''} {name}") for noun in ("link", "edit key")))


def body_id(data: dict[str, Any]) -> str:
    """What tells this body from another, for the deck's first state to hold (36 letters)."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=list).encode()).hexdigest()[:36]


def _derived(about: str) -> str:
    """128 bits that nobody knows without the site's secret, as a link is written."""
    secret = hmac.digest(settings.SECRET_KEY.encode(), f"decks.api.asked_once {about}".encode(), "sha256")
    return base64.urlsafe_b64encode(secret[:16]).decode().rstrip("=")
