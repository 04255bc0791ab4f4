"""What belongs to an account: what it has, all of it as one zip, and how it is deleted."""

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
from cardsdb.games.kit.declared.league_file import write_league_file
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.text import slugify
from cardsdb.identity.viewer import Viewer
from cardsdb.models import AccountSearch, AuditEntry
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from decks.accounts.other_apps import registered
from decks.formats import export
from decks.models import Comment, Deck, Favourite, LeagueFormat, Owned, Review

MAX_DECKS = 5_000
AT_ONCE = 50
ABOUT = """This is everything that your Cutout account holds.

decks/        each deck twice: as text to paste again, and as JSON with everything you wrote about it
formats/      the formats of leagues that you made, as files to read in again
account.json  your name and addresses, and how much there is
favourites.json, comments.json, reviews.json, collection.json, searches.json  what the names say
history.json  when you logged in, and what was done with the account and with what you share
"""
# Other apps' files may be pictures, which are compressed already.
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


def delete_user(user_id: int) -> None:
    """Delete the user. The database deletes with it decks with their history, comments, reviews, likes, favourites, collection, formats,
    saved searches, passkeys, and what other apps keep for an account, files included.

    Decks of others stay, and are liked by one less (``decks.models.people``). The caller opens a transaction.
    """
    # Its own entries go with it; that it was deleted, by its number alone, stays as long as other entries.
    note(Event.ACCOUNT_DELETED, detail=f"account {user_id}")
    User.objects.filter(pk=user_id).delete()


class _Pipe:
    """The file that the zip is written to: it holds bytes until they are sent. It cannot seek, and a zip file does not need to."""

    def __init__(self) -> None:
        self._unsent: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._unsent.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing to do: the bytes are sent after each file."""

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        data, self._unsent = b"".join(self._unsent), []
        return data


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
    yield "about.txt", ABOUT + "".join(belongings.about for belongings in registered())
    yield "account.json", _json(_account(user_id, total))
    yield "favourites.json", _json(list(_favourites(user_id)))
    yield "comments.json", _json(list(_comments(user_id)))
    yield "reviews.json", _json(list(_reviews(user_id)))
    yield "collection.json", _json(list(_collection(user_id)))
    yield "searches.json", _json(list(AccountSearch.objects.of(Viewer(user_id)).values("name", "query", "made")))
    yield "history.json", _json(list(_history(user_id)))
    for row in LeagueFormat.objects.of(Viewer(user_id)):
        yield f"formats/{slugify(row.name)[:60] or 'format'}-{row.link}.toml", write_league_file(row.declared)
    ids = list(mine.values_list("pk", flat=True)[:MAX_DECKS])
    for start in range(0, len(ids), AT_ONCE):
        for deck in mine.with_cards().filter(pk__in=ids[start : start + AT_ONCE]):
            yield from _deck(deck)
    for belongings in registered():
        yield from belongings.files(user_id)


def _deck(deck: Deck) -> Iterator[tuple[str, str | bytes]]:
    game = game_named(deck.game)
    stem = f"decks/{slugify(deck.name)[:60] or 'deck'}-{deck.link}"
    whole = {
        "game": deck.game,
        "address": reverse("deck", args=[deck.link]),
        "visibility": deck.visibility,
        "private_because": deck.private_because,
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
    """The favourites that their account may still see."""
    for favourite in _in_order(Favourite.objects.of(Viewer(user_id))):
        yield {
            "deck": favourite.deck.name,
            "game": favourite.deck.game,
            "address": reverse("deck", args=[favourite.deck.link]),
            "kept": favourite.made.isoformat(),
        }


def _comments(user_id: int) -> Iterator[dict[str, Any]]:
    """The comments, each with its deck where the author may still see that."""
    visible = set(Deck.objects.visible_to(Viewer(user_id)).filter(comments__author=user_id).values_list("pk", flat=True))
    for comment in _in_order(Comment.objects.by(Viewer(user_id))):
        deck = {"deck": comment.deck.name, "address": reverse("deck", args=[comment.deck.link])} if comment.deck_id in visible else {}
        yield {**deck, "made": comment.made.isoformat(), "state": comment.state, "text": comment.text}


def _reviews(user_id: int) -> Iterator[dict[str, Any]]:
    for review in Review.objects.of(Viewer(user_id)).select_related("card").order_by("pk").iterator(1_000):
        card = {"game": review.card.game, "code": review.card.code, "name": review.card.name}
        yield {**card, "made": review.made.isoformat(), "changed": review.changed.isoformat(), "hidden": review.hidden, "text": review.text}


def _collection(user_id: int) -> Iterator[dict[str, Any]]:
    rows = Owned.objects.of(Viewer(user_id)).select_related("card").order_by("pk")
    for row in rows.iterator(1_000):
        yield {
            "game": row.card.game,
            "code": row.card.code,
            "name": row.card.name,
            "set": row.set,
            "number": row.number,
            "count": row.count,
        }


def _history(user_id: int) -> Iterator[dict[str, Any]]:
    for entry in AuditEntry.objects.of(Viewer(user_id)).iterator(1_000):
        yield {
            "when": entry.made.isoformat(),
            "what": entry.what,
            "thing": entry.thing,
            "name": entry.name,
            "detail": entry.detail,
            "by": "you" if entry.by_id == user_id else "somebody else",
            "browser": entry.browser_tag,
            "network": entry.network,
        }


def _in_order(rows: QuerySet[Any]) -> Iterator[Any]:
    return rows.select_related("deck").order_by("pk").iterator(1_000)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"
