"""The kinds of things of an account, but those of the print shop, with their numbers, files, and how they are
taken along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Sum

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import AccountSearch, OwnSet, OwnText
from cardsdb.own.sets import MAX_CARDS, MAX_SETS, claim_sets
from cardsdb.own.texts import MAX_TEXTS, claim_texts
from decks.accounts import account_export as files
from decks.accounts.browsers import browser_decks, take_decks_along
from decks.accounts.kinds import Kind, Taken, room_for
from decks.collection.holding import take_over
from decks.leagues.storing import MAX_LEAGUES, claim_leagues
from decks.models import Comment, Deck, Favourite, LeagueFormat, Like, Owned, Review
from decks.saving.room import MAX_OF_ACCOUNT


def _decks(viewer: Viewer) -> int:
    return (Deck.objects.editable_by(viewer) if viewer.user_id else browser_decks(viewer)).count()


def _take_decks(viewer: Viewer) -> Taken:
    taken = take_decks_along(viewer, browser_decks(viewer).values_list("link", flat=True))
    return Taken(taken, browser_decks(viewer).count(), room_for(f"{MAX_OF_ACCOUNT:,} decks"))


def _cards(viewer: Viewer) -> int:
    return Owned.objects.of(viewer).aggregate(cards=Sum("count"))["cards"] or 0


def _take_sets(viewer: Viewer) -> Taken:
    theirs, besides = OwnSet.objects.of(Viewer(browser=viewer.browser)), ""
    before = theirs.count()
    try:
        claim_sets(viewer)
    except Refused as refused:
        besides = f"Pictures of cards in your sets stay with this browser. {refused.faults[0].message}"
    why = room_for(f"{MAX_SETS} sets and {MAX_CARDS:,} cards in them")
    return Taken(before - theirs.count(), theirs.count(), why, besides)


def _take_texts(viewer: Viewer) -> Taken:
    moved, theirs = claim_texts(viewer), OwnText.objects.of(Viewer(browser=viewer.browser))
    return Taken(
        moved,
        theirs.count(),
        f"your account has words of its own on these cards, or has its {MAX_TEXTS:,} already",
    )


def _comments(viewer: Viewer) -> int:
    return Comment.objects.by(viewer).count()


def _of(model: type[Any]) -> Callable[[Viewer], int]:
    return lambda viewer: model.objects.of(viewer).count()


KINDS = (
    Kind(
        "account",
        "",
        "account",
        (
            "auth.User",
            "decks.AccountName",
            "decks.AccountSession",
            "account.EmailAddress",
            "account.EmailConfirmation",
            "mfa.Authenticator",
        ),
        files=files.account,
        about=(
            "account.json     your name, addresses and passkeys, where you are logged in, and how much"
            " there is"
        ),
    ),
    Kind(
        "history",
        "",
        "entry",
        ("cardsdb.AuditEntry",),
        files=files.history,
        about=(
            "history.json     when you logged in, and what was done with the account and with what you share"
        ),
    ),
    Kind(
        "decks",
        "Your decks",
        "deck",
        ("decks.Deck", "decks.DeckLine", "decks.DeckRevision", "decks.BrowserAccess"),
        count=_decks,
        take=_take_decks,
        files=files.decks,
        about=(
            "decks/           each deck as text to paste again, as JSON with all that you wrote about it, and"
            " its history"
        ),
    ),
    Kind("comments", "Your comments", "comment", ("decks.Comment",), _comments, files=files.comments),
    Kind("reviews", "Your reviews of cards", "review", ("decks.Review",), _of(Review), files=files.reviews),
    Kind("likes", "Your likes", "like", ("decks.Like",), _of(Like), files=files.likes),
    Kind(
        "favourites",
        "Your favourites",
        "favourite",
        ("decks.Favourite",),
        _of(Favourite),
        files=files.favourites,
    ),
    Kind(
        "collection",
        "Your collection",
        "collected card",
        ("decks.Collection", "decks.Owned"),
        count=_cards,
        take=lambda viewer: Taken(take_over(viewer)),
        page="collection",
        files=files.collection,
    ),
    Kind(
        "formats",
        "Your formats",
        "format",
        ("decks.LeagueFormat",),
        count=_of(LeagueFormat),
        take=lambda viewer: Taken(*claim_leagues(viewer), why=room_for(f"{MAX_LEAGUES} formats")),
        page="league_list",
        files=files.formats,
        about="formats/         the formats of leagues that you made, as files to read in again",
    ),
    Kind(
        "searches",
        "Your saved searches",
        "search",
        ("cardsdb.AccountSearch",),
        _of(AccountSearch),
        files=files.searches,
    ),
    Kind(
        "sets",
        "Your own sets",
        "set",
        ("cardsdb.OwnSet", "cardsdb.OwnCard"),
        count=_of(OwnSet),
        take=_take_sets,
        page="own_sets",
        files=files.sets,
        about="sets.json        sets of your own, with their cards",
    ),
    Kind(
        "texts",
        "Your words on cards",
        "text",
        ("cardsdb.OwnBox", "cardsdb.OwnText", "cardsdb.OwnChoice"),
        count=_of(OwnText),
        take=_take_texts,
        page="card_texts",
        files=files.texts,
        about=(
            "texts.json, choices.json   your own words on cards, and the cards that you chose for entries of"
            " files"
        ),
    ),
)
