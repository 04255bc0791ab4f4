"""The files of an account's export, kind by kind: every column, but secrets, keys of rows, and what is made
of other columns.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from operator import attrgetter
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from cardsdb.catalogue.current import game_named
from cardsdb.games.kit.declared.formats import write_league_file
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.text import slugify
from cardsdb.identity.viewer import Viewer
from cardsdb.models import AccountSearch, AuditEntry, Card, OwnChoice, OwnSet, OwnText
from decks.accounts.kinds import Files, as_json, columns_of
from decks.formats import export
from decks.models import (
    AccountSession,
    Comment,
    Deck,
    DeckRevision,
    Favourite,
    LeagueFormat,
    Like,
    Owned,
    Review,
)

MAX_DECKS = 5_000
AT_ONCE = 50
# Secrets, what is made of other columns, and keys of rows in place of which an address stands.
_OF_DECK = (
    "edit_hash",
    "name_folded",
    "tags_folded",
    "size",
    "size_shown",
    "judged_by",
    "forked_from",
    "partner",
)
_OF_REVISION = ("deck", "by", "length", "request_id")


# -- the account itself


def account(user_id: int) -> Files:
    user = User.objects.get(pk=user_id)
    total = Deck.objects.editable_by(Viewer(user_id)).count()
    whole = {
        "name": user.get_username(),
        "since": user.date_joined,
        "last_login": user.last_login,
        "names": f"{user.first_name} {user.last_name}".strip(),
        "email": user.email,
        "addresses": _rows(EmailAddress.objects.filter(user=user_id)),
        "passkeys": _rows(Authenticator.objects.filter(user=user_id), "data"),
        "log_ins": [
            columns_of(row, ("key",)) | {"browser": row.browser}
            for row in AccountSession.objects.of(Viewer(user_id))
        ],
        "decks": total,
        "decks_left_out": max(0, total - MAX_DECKS),
    }
    yield "account.json", as_json(whole)


def history(user_id: int) -> Files:
    entries = AuditEntry.objects.of(Viewer(user_id)).iterator(1_000)
    by = ("somebody else", "you")
    yield (
        "history.json",
        as_json([columns_of(entry, ("by",)) | {"by": by[entry.by_id == user_id]} for entry in entries]),
    )


# -- decks


def decks(user_id: int) -> Files:
    """At most MAX_DECKS decks, the latest changed first; ``account.json`` says how many are left out."""
    mine, seen = Deck.objects.editable_by(Viewer(user_id)), Deck.objects.visible_to(Viewer(user_id))
    ids = list(mine.values_list("pk", flat=True)[:MAX_DECKS])
    for start in range(0, len(ids), AT_ONCE):
        by_pk = {deck.pk: deck for deck in mine.with_cards().filter(pk__in=ids[start : start + AT_ONCE])}
        near = {pk for deck in by_pk.values() for pk in (deck.forked_from_id, deck.partner_id) if pk}
        links = dict(seen.filter(pk__in=near).values_list("pk", "link")) if near else {}
        for deck in by_pk.values():
            yield from _deck(deck, links)
        states = DeckRevision.objects.all_owners(
            "those of decks that were looked up for their account"
        ).filter(deck__in=by_pk)
        states = states.order_by("deck", "number").iterator(200)
        for pk, rows in groupby(states, attrgetter("deck_id")):
            kept = [columns_of(row, _OF_REVISION) | {"by_you": row.by_id == user_id} for row in rows]
            yield f"{_stem(by_pk[pk])}-history.json", as_json(kept)


def _stem(deck: Deck) -> str:
    return f"decks/{slugify(deck.name)[:60] or 'deck'}-{deck.link}"


def _deck(deck: Deck, links: dict[int, str]) -> Files:
    game = game_named(deck.game)
    near = {name: reverse("deck", args=[links[pk]]) for name, pk in _near(deck) if pk in links}
    whole = {
        **columns_of(deck, _OF_DECK),
        "address": reverse("deck", args=[deck.link]),
        **near,
        **deck.content().as_json(),
    }
    yield f"{_stem(deck)}.json", as_json(whole)
    if game:
        yield f"{_stem(deck)}.txt", export("text", game, Reading(deck.decklist(), format=deck.format)).data


def _near(deck: Deck) -> tuple[tuple[str, int | None], ...]:
    return (("forked_from", deck.forked_from_id), ("partner", deck.partner_id))


# -- what was said of others' decks, and of cards


def _of_decks(rows: QuerySet[Any], untold: Collection[int] = ()) -> list[dict[str, Any]]:
    """Rows about decks, each with its deck but those whose primary keys are ``untold``."""
    told = []
    for row in rows.select_related("deck").order_by("pk").iterator(1_000):
        deck = row.deck
        known = {"deck": deck.name, "game": deck.game, "address": reverse("deck", args=[deck.link])}
        told.append({**({} if deck.pk in untold else known), **columns_of(row, ("deck",))})
    return told


def favourites(user_id: int) -> Files:
    """The favourites that their account may still see."""
    yield "favourites.json", as_json(_of_decks(Favourite.objects.of(Viewer(user_id))))


def likes(user_id: int) -> Files:
    yield "likes.json", as_json(_of_decks(Like.objects.of(Viewer(user_id))))


def comments(user_id: int) -> Files:
    """The comments of the account. Of decks that it may no longer see they say nothing."""
    written = Comment.objects.by(Viewer(user_id))
    shown = written.filter(deck__in=Deck.objects.visible_to(Viewer(user_id)))
    untold = {*written.order_by().values_list("deck", flat=True)} - {
        *shown.order_by().values_list("deck", flat=True)
    }
    yield "comments.json", as_json(_of_decks(written, untold))


def reviews(user_id: int) -> Files:
    yield "reviews.json", as_json(_of_cards(Review.objects.of(Viewer(user_id))))


def collection(user_id: int) -> Files:
    yield "collection.json", as_json(_of_cards(Owned.objects.of(Viewer(user_id))))


def _of_cards(rows: QuerySet[Any]) -> list[dict[str, Any]]:
    found = rows.select_related("card").order_by("pk").iterator(1_000)
    return [_named(row.card) | columns_of(row, ("card", "collection")) for row in found]


def _named(card: Card) -> dict[str, str]:
    return {"game": card.game, "code": card.code, "name": card.name}


# -- formats, searches, own texts and sets


def formats(user_id: int) -> Files:
    rows = list(LeagueFormat.objects.of(Viewer(user_id)))
    yield "formats.json", as_json([columns_of(row) for row in rows])
    for row in rows:
        yield f"formats/{slugify(row.name)[:60] or 'format'}-{row.link}.toml", write_league_file(row.declared)


def searches(user_id: int) -> Files:
    yield "searches.json", as_json(_rows(AccountSearch.objects.of(Viewer(user_id)), "key"))


def texts(user_id: int) -> Files:
    yield "texts.json", as_json(_rows(OwnText.objects.of(Viewer(user_id))))
    yield "choices.json", as_json(_rows(OwnChoice.objects.of(Viewer(user_id)).order_by("game", "entry")))


def sets(user_id: int) -> Files:
    sets = OwnSet.objects.of(Viewer(user_id)).prefetch_related("cards")
    yield "sets.json", as_json([{**columns_of(one), "cards": _rows(one.cards.all())} for one in sets])


def _rows(rows: QuerySet[Any], *without: str) -> list[dict[str, Any]]:
    return [columns_of(row, without) for row in rows]
