"""What a deck's page says to machines: a schema.org list for search engines, a few words and a picture for chats and timelines."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urljoin

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.sentences import VERDICTS
from cardsdb.games.kit.model.text import plural
from decks.core.judging import Judged
from decks.models import Deck, Visibility

# Inside <script> these could end the element or begin a comment; JSON has another way to write each.
_ESCAPED = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def for_machines(request: HttpRequest, deck: Deck, judged: Judged) -> dict[str, Any]:
    """What ``decks/deck.html`` needs in its head; nothing for a private deck. ``judged`` must be what a stranger may see."""
    if deck.visibility == Visibility.PRIVATE:
        return {}
    address = request.build_absolute_uri(reverse("deck", args=[deck.link]))
    return {
        "address": address,
        "summary": summary(judged),
        "picture": request.build_absolute_uri(f"{reverse('deck', args=[deck.link])}picture.png"),
        "oembed": request.build_absolute_uri(reverse("oembed")),
        "linked_data": linked_data(address, deck, judged),
        "listed": deck.visibility == Visibility.PUBLIC,
    }


def summary(judged: Judged) -> str:
    """One line: ``Spycraft, Agency Deck. Legal. 53 cards.``"""
    cards = f"{judged.deck.size} {plural(judged.deck.size, 'card')}"
    return f"{judged.game.name}, {judged.format.name}. {VERDICTS[judged.verdict]}. {cards}."


def linked_data(address: str, deck: Deck, judged: Judged) -> SafeString:
    """The deck as JSON-LD, escaped to stand inside <script>."""
    data = {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": deck.name,
        "url": address,
        "description": summary(judged),
        "dateModified": deck.changed.isoformat(),
        "numberOfItems": len(judged.deck.entries),
        "about": {"@type": "Game", "name": judged.game.name},
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": f"{entry.count} {entry.card.name}", **_page_of(entry.card, address)}
            for place, entry in enumerate(judged.deck, 1)
        ],
    }
    return mark_safe(json.dumps(data, ensure_ascii=False).translate(_ESCAPED))  # noqa: S308 - the translation is the escaping


def _page_of(card: Card, site: str) -> dict[str, str]:
    """Where the card is to be read about; a card that is written in has no page."""
    return {} if card.written else {"url": urljoin(site, reverse("card", args=[card.game, card.code]))}
