"""All that an account has, as one zip: made piece by piece while it is sent, never whole in memory."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from cardsdb.games import game_named
from cardsdb.games.kit.listtext.deck import Reading
from cardsdb.games.kit.model.text import slugify
from decks.accounts.account_data import registered
from decks.formats import export
from decks.identity.viewer import Viewer
from decks.models import Collection, Comment, Deck, Favourite, Owned

MAX_DECKS = 5_000
AT_ONCE = 50
ABOUT = """This is everything that your Cutout account holds.

decks/        each deck twice: as text to paste again, and as JSON with everything you wrote about it
account.json  your name and addresses, and how much there is
favourites.json, comments.json, collection.json  what the names say
"""
# What one has besides may be pictures, which are compressed already.
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


class _Pipe:
    """What the zip is written to: the bytes wait here until they are sent. It cannot be wound back, which zip files can live with."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._waiting.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing to do: what waits is sent after each file."""

    def taken(self) -> bytes:
        waiting, self._waiting = self._waiting, []
        return b"".join(waiting)


def account_files(user_id: int) -> Iterator[bytes]:
    """The zip of this account. At most MAX_DECKS decks, the latest changed first; ``account.json`` says how many it left out."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", DEFLATED) as archive:  # type: ignore[call-overload]
        for name, text in _files(user_id):
            archive.writestr(name, text, STORED if isinstance(text, bytes) else DEFLATED)
            yield pipe.taken()
    yield pipe.taken()


def _files(user_id: int) -> Iterator[tuple[str, str | bytes]]:
    mine = Deck.objects.editable_by(Viewer(user_id))
    total = mine.count()
    yield "about.txt", ABOUT + "".join(one.about for one in registered())
    yield "account.json", _json(_account(user_id, total))
    yield "favourites.json", _json(list(_favourites(user_id)))
    yield "comments.json", _json(list(_comments(user_id)))
    yield "collection.json", _json(list(_collection(user_id)))
    ids = list(mine.values_list("pk", flat=True)[:MAX_DECKS])
    for start in range(0, len(ids), AT_ONCE):
        for deck in Deck.objects.with_cards().filter(pk__in=ids[start : start + AT_ONCE]):
            yield from _deck(deck)
    for one in registered():
        yield from one.files(user_id)


def _deck(deck: Deck) -> Iterator[tuple[str, str | bytes]]:
    game = game_named(deck.game)
    stem = f"decks/{slugify(deck.name)[:60] or 'deck'}-{deck.link}"
    whole = {
        "game": deck.game,
        "address": reverse("deck", args=[deck.link]),
        "visibility": deck.visibility,
        "likes": deck.likes,
        "created": deck.created.isoformat(),
        "changed": deck.changed.isoformat(),
        **deck.content().as_json(),
    }
    yield f"{stem}.json", _json(whole)
    if game:
        yield f"{stem}.txt", export("text", game, Reading(deck.decklist(), format=deck.format)).data


def _account(user_id: int, decks: int) -> dict[str, Any]:
    user = User.objects.get(pk=user_id)
    addresses = EmailAddress.objects.filter(user=user_id).order_by("pk").values("email", "verified", "primary")
    return {
        "name": user.get_username(),
        "since": user.date_joined.isoformat(),
        "addresses": list(addresses),
        "decks": decks,
        "decks_left_out": max(0, decks - MAX_DECKS),
    }


def _favourites(user_id: int) -> Iterator[dict[str, Any]]:
    """Those that may still be seen."""
    seen = Deck.objects.visible_to(Viewer(user_id))
    for kept in _in_order(Favourite.objects.filter(user=user_id, deck__in=seen)):
        yield {
            "deck": kept.deck.name,
            "game": kept.deck.game,
            "address": reverse("deck", args=[kept.deck.link]),
            "kept": kept.made.isoformat(),
        }


def _comments(user_id: int) -> Iterator[dict[str, Any]]:
    """Each with the deck it stands under, as far as its author may still see that."""
    seen = set(Deck.objects.visible_to(Viewer(user_id)).filter(comments__author=user_id).values_list("pk", flat=True))
    for comment in _in_order(Comment.objects.filter(author=user_id)):
        where = {"deck": comment.deck.name, "address": reverse("deck", args=[comment.deck.link])} if comment.deck_id in seen else {}
        yield {**where, "made": comment.made.isoformat(), "state": comment.state, "text": comment.text}


def _collection(user_id: int) -> Iterator[dict[str, Any]]:
    rows = Owned.objects.filter(collection__in=Collection.objects.filter(owner=user_id)).select_related("card").order_by("pk")
    for row in rows.iterator(1_000):
        yield {
            "game": row.card.game,
            "code": row.card.code,
            "name": row.card.name,
            "set": row.set,
            "number": row.number,
            "count": row.count,
        }


def _in_order(rows: QuerySet[Any]) -> Iterator[Any]:
    return rows.select_related("deck").order_by("pk").iterator(1_000)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"
