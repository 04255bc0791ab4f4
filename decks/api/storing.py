"""Storing decks for the API: the edit that a request asks for, new decks that are made only once, and answers
with whole decks.

``decks.py`` calls it. A new deck under an Idempotency-Key is made once, however often the same request
arrives (``made``). A change with ``If-Match`` is made only to the state that it names (``refuse_stale``).
Tests: ``test_storing.py`` and ``test_decks.py`` in ``tests/decks/api``.
"""

import base64
import hashlib
import hmac
import json
from typing import Any

from django.conf import settings
from django.db import IntegrityError
from django.http import Http404
from django.urls import reverse
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.serializers import HEADER, asked
from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.rules.house_rules import still_known, without_league
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.search.own_cards import own_cards_of
from cardsdb.site.ratelimits import sender
from decks.core import edits
from decks.core.content import DeckContent, short_json
from decks.core.diff import with_marks_of
from decks.core.edits import Edit, EditRefused
from decks.core.judging import game_or_refuse, judge_text
from decks.core.used_format import format_or_refuse
from decks.editor.changes import card_of, format_of, known_section, parse_edit
from decks.models import Deck, visible_deck
from decks.saving.room import begin_deck, note_opened
from decks.saving.save import Conflicts, changed_elsewhere, save_whole
from decks.saving.turn import saving

# Characters of an Idempotency-Key: 22 of base64 hold 128 random bits, and a UUID is longer.
MIN_NAME = 22
MAX_NAME = 100
_ABOUT = (
    f"A name of the request, {MIN_NAME} to {MAX_NAME} letters that cannot be guessed, such as a UUID:"
    " sent again by the same account, or without one from the same address, with the same body, it makes"
    " no second deck."
)
IDEMPOTENCY_KEY = asked("Idempotency-Key", _ABOUT, place=HEADER)


def change_of(data: dict[str, Any], game: Game) -> Edit:
    """Return the edit that a validated body asks for: ``{"add": {"card": "kai", "count": 2}}`` or ``{"lines":
    "2 Kai"}``. An edit is a function from the content of a deck to its next content. Raise Refused for an
    invalid body; the edit itself may raise EditRefused.
    """
    if "lines" in data:
        return parse_edit({"edit": "lines", "lines": data["lines"]}, game).edit
    # The serializer made sure that there is exactly one of add, take and set.
    ((how, copies),) = data.items()
    count, section = copies["count"], copies.get("section", "")
    if section:
        known_section(game, section)
    if not count and how != "set":
        sentence = f"A count is 1 to {MAX_COUNT} here; with set it may be 0."
        raise Refused(Fault("bad_count", sentence, f"{how}.count"))

    def edit(content: DeckContent) -> DeckContent:
        card = card_of(content, game, copies["card"].removeprefix(f"{game.slug}/"))
        # Sections that have the card now.
        having = [entry.section for entry in content.deck if entry.card.code == card.code]
        place = section
        if not place:
            # The usual section for the card's type, unless the card is only in another one.
            place = edits.home_of(game, card.type, format_of(content, game))
            if having and place not in having:
                place = having[0]
        if how == "set":
            return edits.with_count(content, card, place, count)
        if how == "take" and place not in having:
            sentence = f"The deck has no {card.name} to take out there."
            raise EditRefused("not_in_the_deck", sentence, "take.card")
        return edits.with_more(content, card, place, count if how == "add" else -count)

    return edit


def made(request: Request, data: dict[str, Any]) -> tuple[Deck, str]:
    """Store the new deck and return (deck, edit key). If a request with the same Idempotency-Key has made one
    already, return that.

    The deck's link is derived from that key, from the client (its account, else its network address) and from
    the site's secret; the edit key from the body as well::

        link       <- secret, client, Idempotency-Key          the same request finds the deck that it made
        edit key   <- secret, client, Idempotency-Key, body    another body gives another edit key: 422

    So nothing more need be stored, and the edit key can be shown again, but only to a client that sends the
    same body: guessing the Idempotency-Key is not enough.
    """
    viewer = Viewer(request.user.pk)
    deck, key = begin_deck(request, viewer)
    name = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not name:
        store(deck, data, viewer, request)
        return deck, key
    if not (MIN_NAME <= len(name) <= MAX_NAME and name.isascii() and name.isprintable()):
        sentence = (
            f"An Idempotency-Key has {MIN_NAME} to {MAX_NAME} letters that cannot be guessed, such as a UUID."
        )
        raise Refused(Fault("bad_idempotency_key", sentence, "Idempotency-Key"))
    # The texts below must give the same link and key for ever: see ``_derived``.
    who = f"account {request.user.pk}" if request.user.pk else f"address {sender(request)}"
    body = hashlib.sha256(json.dumps(data, sort_keys=True, default=list).encode()).hexdigest()
    deck.link, key = _derived(f"link of {who} {name}"), _derived(f"edit key of {who} {body} {name}")
    deck.edit_hash = hashed(key)
    before = _made_before(deck)
    if before is None:
        try:
            store(deck, data, viewer, request)
        except IntegrityError:
            # The same request arrived twice at once, and the other one has made the deck.
            if (before := _made_before(deck)) is None:
                raise
    return (before or deck), key


def _made_before(deck: Deck) -> Deck | None:
    """Return the deck that a request with the same Idempotency-Key made, None if there is none. Raise Refused
    (422) if it was made from another body.
    """
    because = "no other deck has this link, which the site's secret makes"
    before = Deck.objects.all_owners(because).filter(link=deck.link).first()
    if before and before.edit_hash != deck.edit_hash:
        sentence = "Another deck was asked for under this Idempotency-Key. A new deck needs a new one."
        raise Refused(Fault("idempotency_key_used", sentence, "Idempotency-Key"), status=422)
    return before


def _derived(about: str) -> str:
    """Return 128 bits, written like a link in 22 letters ("cEFdgxxUtr8MK81GCJJwEw"), that cannot be known
    without the site's secret.

    The same text must give the same bits for ever, so the words before it, which keep these apart from others
    made with the secret, must not change.
    """
    secret = hmac.digest(settings.SECRET_KEY.encode(), f"decks.api.asked_once {about}".encode(), "sha256")
    return base64.urlsafe_b64encode(secret[:16]).decode().rstrip("=")


def store(deck: Deck, data: dict[str, Any], viewer: Viewer, request: Request) -> None:
    """Store a new deck, or a new state of a stored one, which has a primary key. Fields that the body leaves
    out stay as they are. Raise Refused if the body is invalid, if lines cannot be read, or if the deck was
    changed elsewhere.
    """
    game = game_or_refuse(data["game"], games())
    format, house = format_or_refuse(game, data["format"]), data.get("house", "")
    leagues = deck.leagues_while(data.get("visibility") or deck.visibility)
    also = (*own_cards_of(viewer)(game), *deck.named_cards())
    judged = judge_text(game, data["text"], format, also, house, leagues, titled=not data.get("name"))
    values = {field: data[field] for field in ("name", "notes", "tags") if field in data}
    if "house" in data:
        values["house"] = judged.house
    elif deck.pk and judged.format.slug != deck.format:
        # Of the stored house rules, those stay that the new format has too.
        values["house"] = still_known(judged.format, without_league(deck.house))
    # The visibility is a column of the deck, and no part of its content.
    columns = {"visibility": data["visibility"]} if "visibility" in data else {}
    if not deck.pk:
        judged.refuse_unread()
        deck.game = game.slug
        save_whole(deck, judged.content(**values), viewer, **columns)
        return
    stored = deck.content()
    content = judged.content(stored, **values)
    if all(entry.marks.only_prints for entry in content.deck):
        # A program that does not know marks sends none. Keep the stored ones.
        content = with_marks_of(content, stored)
    try:
        with saving():
            refuse_stale(deck, request)
            judged.refuse_unread()
            save_whole(deck.link, content, viewer, seen=deck.revision, **columns)
    except Conflicts as conflicts:
        raise conflicts.refused() from None
    except Http404:
        # The deck was deleted meanwhile.
        raise changed_elsewhere() from None


def refuse_stale(deck: Deck, request: Request) -> None:
    """Lock the deck if ``If-Match`` is sent. Raise Refused (412) if the deck is not in a state that it names:
    ``"7-private"`` (``deck_tag``), several between commas, or ``*`` for any.

    ``deck`` is as it was read before the lock: it must still have that revision, too.
    """
    if not (if_match := request.headers.get("If-Match", "")):
        return
    now = Deck.objects.stored(deck).select_for_update().only("revision", "visibility").first()
    # A proxy that compresses answers makes their tags weak: it puts W/ before them.
    known = {tag.removeprefix("W/") for tag in parse_etags(if_match)}
    is_same = now is not None and now.revision == deck.revision
    if not is_same or not known & {"*", deck_tag(now.revision, now.visibility)}:
        state = f"at revision {now.revision} and {now.visibility}" if now else "gone"
        sentence = f"The deck is {state} now, not as If-Match says. Read it again, then decide."
        raise Refused(Fault("stale", sentence, "If-Match"), status=412)


def deck_tag(revision: int, visibility: str) -> str:
    """Return the entity tag of a deck, with its quotation marks: '"7-private"'. It includes the visibility,
    since changing that alone makes no new revision.
    """
    return f'"{revision}-{visibility}"'


def deck_answer(link: str, viewer: Viewer, **more: Any) -> Response:
    """Return the whole deck as this viewer may see it, with its entity tag. ``more``: further fields."""
    whole = _whole(link, viewer)
    return Response(whole | more, headers={"ETag": deck_tag(whole["revision"], whole["visibility"])})


def made_answer(deck: Deck, key: str) -> Response:
    """Return the answer (201) with a new deck and its edit key, which no other answer holds."""
    answer = deck_answer(deck.link, Viewer(key_hash=deck.edit_hash), edit_key=key)
    answer.status_code, answer["Location"] = 201, f"/api/v1/decks/{deck.link}/"
    return answer


def head(deck: Deck) -> dict[str, Any]:
    """Return the fields that lists of decks and whole decks share."""
    return {
        "id": deck.link,
        "url": reverse("deck", args=[deck.link]),
        **picked(deck, "game", "format", "name", "visibility", "revision"),
        "changed": deck.changed.isoformat(),
    }


def card_told(card: Card) -> dict[str, Any]:
    """Return a card as JSON: its key (None for a written-in card), its name and its type."""
    return short_json(card) | {"type": card.type}


def game_installed(deck: Deck) -> Game:
    """Return the game of the deck. Raise Refused (404) if it is not installed."""
    if game := game_named(deck.game):
        return game
    raise Refused(Fault("unknown_game", "The deck's game is not installed here.", "game"), status=404)


def _whole(link: str, viewer: Viewer) -> dict[str, Any]:
    """Return the whole deck as this viewer may see it. Raise Http404."""
    deck = visible_deck(link, viewer)
    note_opened(deck)
    game = game_installed(deck)
    judged = deck.judged_for(viewer, game)
    lines = [
        {
            **picked(entry, "section", "count"),
            **card_told(entry.card),
            "prints": [
                {"print": label, "count": copies}
                for label, copies in entry.marks.prints.groups(entry.count)
                if label
            ],
        }
        for entry in judged.deck
    ]
    # For strangers the text has nameless cards in place of secret ones, so that pasting it gives the same
    # verdict.
    listed = judged.deck if deck.shows_secrets_to(viewer) else deck.decklist_to_share(game)
    text = write_deck(game, listed, judged.format)
    about = picked(deck, "notes", "tags", "house", "details")
    return head(deck) | about | {"lines": lines, "text": text, "report": judged.as_json()}
