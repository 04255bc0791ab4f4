"""The kinds of things of an account (``KINDS``, at the end), except those of printing: how each is counted,
taken along from a browser without an account, and exported. ``kinds.py`` declares ``Kind`` and works on all
of them. Most functions below fill one field of a ``Kind``: ``_take_...`` its ``take``, the plain nouns
(``decks``, ``comments``) its ``written``, ``_with_...`` its ``told``. ``views.py`` takes single decks along.

Also ``forget_browsers``, which the command ``clear_browsers`` calls: the only way in which things of guests
are deleted without them, when their browser has not come back for a year.
Tests: ``tests/decks/accounts/test_account_kinds.py``; of exports ``test_kinds.py`` and ``test_views.py``
there.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.urls import reverse

from cardsdb.box.sets import MAX_CARDS, MAX_SETS, claim_sets
from cardsdb.box.texts import MAX_TEXTS, claim_texts
from cardsdb.catalogue.current import game_named
from cardsdb.faults import Refused
from cardsdb.games.kit import slugify
from cardsdb.games.kit.declared.formats import write_league_file
from cardsdb.games.kit.rules.house_rules import LEAGUE, league_in
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Browser, OwnChoice, OwnSet, OwnText
from cardsdb.models.audit import Event
from cardsdb.models.site import KEPT_DAYS
from cardsdb.site.audit import note
from cardsdb.web.lists.saved_searches import MAX_SEARCHES, claim_searches
from decks.accounts.kinds import Files, Kind, Taken, as_json, columns_of, kinds, room_for, rows_json
from decks.collection.holding import take_over
from decks.formats import export
from decks.leagues.league_formats import MAX_LEAGUES, claim_leagues
from decks.models import AccountSession, BrowserAccess, Comment, Deck, DeckRevision, LeagueFormat, Owned
from decks.saving.room import MAX_OF_ACCOUNT, room_for_decks

# Browsers that are forgotten in one step.
AT_ONCE = 500
# Decks in an export.
MAX_DECKS = 5_000
# Decks that are read by one query.
DECKS_AT_ONCE = 50
# Rows of the database that are held in memory at once.
ROWS_AT_ONCE = 1_000
# States of decks, each of up to 256 KB, that are held at once.
STATES_AT_ONCE = 200
# Characters of a name in the name of a file.
MAX_FILE_NAME = 60


def browser_decks(viewer: Viewer) -> QuerySet[Deck]:
    """The decks without an owner that this browser may edit."""
    return Deck.objects.editable_by(Viewer(browser=viewer.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(viewer: Viewer, links: Iterable[str]) -> int:
    """Give the account those of these decks that have no owner and that its browser may edit, as far as the
    account has room. Return how many it has got.

    The browser loses its own access to them. League formats of the browser that the decks use go along too.
    """
    account = Viewer(viewer.user_id)
    # PostgreSQL raises an error for a NUL, which no link contains.
    valid = [link for link in links if link.isprintable()]
    asked = browser_decks(viewer).filter(link__in=valid).values_list("pk", flat=True)
    mine = []
    for pk in list(asked[: room_for_decks(account)]):
        # Finds the deck only if it still has no owner: of two requests at the same moment the first gets it.
        if browser_decks(viewer).filter(pk=pk).update(owner=viewer.user_id):
            mine.append(pk)
    BrowserAccess.objects.of(viewer).filter(deck__in=mine).delete()
    by_league = Deck.objects.editable_by(account).filter(pk__in=mine, house__contains=LEAGUE)
    houses = by_league.values_list("house", flat=True)
    if mine:
        note(Event.TAKEN_ALONG, viewer.user_id, thing="decks", detail=f"{len(mine)} of them")
    if leagues := {league_in(house) for house in houses}:
        claim_leagues(viewer, leagues)
    return len(mine)


def browsers_rows() -> Iterator[QuerySet[Any]]:
    """Yield a queryset for each model with a column ``browser``: its rows that belong to browsers. Rows that
    expire by themselves after days are left out.
    """
    # A browser without an account has things only of kinds that can be taken along.
    for model in (apps.get_model(label) for kind in kinds() if kind.take for label in kind.tables):
        expires = getattr(model, "ends_by_itself", False)
        if not expires and any(field.name == "browser" for field in model._meta.fields):
            rows = model.objects.all_owners("what browsers had that never come back goes from every table")
            yield rows.order_by().filter(browser__isnull=False)


@transaction.atomic
def forget_browsers() -> int:
    """Delete the things of browsers that were not seen for KEPT_DAYS. Return how many browsers that were.

    Decks stay, because their edit links open them and other browsers may have access. A browser that has no
    row yet gets one, which counts as seen today.
    """
    tables = list(browsers_rows())
    with_things = {hash for table in tables for hash in table.values_list("browser", flat=True).distinct()}
    Browser.objects.bulk_create(map(Browser, sorted(with_things)), batch_size=AT_ONCE, ignore_conflicts=True)
    old = Browser.objects.filter(seen__lt=date.today() - timedelta(days=KEPT_DAYS))
    gone = list(old.order_by("hash").values_list("hash", flat=True))
    for start in range(0, len(gone), AT_ONCE):
        # Locked and looked up again: a browser that has just come back is kept, and one that comes back now
        # waits until it is forgotten.
        still_old = old.filter(hash__in=gone[start : start + AT_ONCE]).select_for_update()
        hashes = list(still_old.values_list("hash", flat=True))
        for table in tables:
            table.filter(browser__in=hashes).delete()
        Browser.objects.filter(hash__in=hashes).delete()
    return len(gone)


# -- the account itself


def account(user_id: int) -> Files:
    """The account itself: names, addresses, passkeys, log-ins, and the number of decks."""
    user, viewer = User.objects.get(pk=user_id), Viewer(user_id)
    total = Deck.objects.editable_by(viewer).count()
    whole = {
        "name": user.get_username(),
        "since": user.date_joined,
        "last_login": user.last_login,
        "names": f"{user.first_name} {user.last_name}".strip(),
        "email": user.email,
        "addresses": list(map(columns_of, EmailAddress.objects.filter(user=user_id))),
        "passkeys": list(map(columns_of, Authenticator.objects.filter(user=user_id))),
        # This column ``browser`` is a name in words, not whose the row is, so ``columns_of`` must not drop
        # it.
        "log_ins": [columns_of(row) | {"browser": row.browser} for row in AccountSession.objects.of(viewer)],
        "decks": total,
        "decks_left_out": max(0, total - MAX_DECKS),
    }
    yield "account.json", as_json(whole)


def _entry(row: Any) -> dict[str, Any]:
    """Return an entry of the audit log. Who did it is told without naming another account."""
    return columns_of(row) | {"by": "you" if row.by_id == row.account_id else "another account"}


# -- decks


def _decks(viewer: Viewer) -> int:
    """Return the number of the account's decks; for a browser without an account, of those without owner."""
    decks = Deck.objects.editable_by(viewer) if viewer.user_id else browser_decks(viewer)
    return decks.count()


def _take_decks(viewer: Viewer) -> Taken:
    taken = take_decks_along(viewer, browser_decks(viewer).values_list("link", flat=True))
    return Taken(taken, browser_decks(viewer).count(), room_for(f"{MAX_OF_ACCOUNT:,} decks"))


def decks(user_id: int) -> Files:
    """Yield the files of at most MAX_DECKS decks, those changed last first; ``account.json`` tells how many
    are left out. A deck has three files: "decks/tiger-claw-<link>.json", ".txt" and "-history.json".
    """
    mine, seen = Deck.objects.editable_by(Viewer(user_id)), Deck.objects.visible_to(Viewer(user_id))
    ids = list(mine.values_list("pk", flat=True)[:MAX_DECKS])
    for start in range(0, len(ids), DECKS_AT_ONCE):
        by_pk = {
            deck.pk: deck for deck in mine.with_cards().filter(pk__in=ids[start : start + DECKS_AT_ONCE])
        }
        # Primary key -> link of the decks that these were forked from or are partners of, if the account may
        # see them.
        near = {pk for deck in by_pk.values() for pk in (deck.forked_from_id, deck.partner_id) if pk}
        links = dict(seen.filter(pk__in=near).values_list("pk", "link")) if near else {}
        for deck in by_pk.values():
            yield from _deck(deck, links)
        because = "those of decks that were looked up for their account"
        states = DeckRevision.objects.all_owners(because).filter(deck__in=by_pk).order_by("deck", "number")
        for pk, rows in groupby(states.iterator(STATES_AT_ONCE), attrgetter("deck_id")):
            kept = [columns_of(row) | {"by_you": row.by_id == user_id} for row in rows]
            yield f"{_stem(by_pk[pk])}-history.json", as_json(kept)


def _stem(deck: Deck) -> str:
    """The path of a deck's files in the ZIP, without suffix."""
    return f"decks/{slugify(deck.name)[:MAX_FILE_NAME] or 'deck'}-{deck.link}"


def _deck(deck: Deck, links: dict[int, str]) -> Files:
    """Yield a deck as JSON and as text. ``links``: primary key -> link of the related decks that may be
    named.
    """
    near = {"forked_from": deck.forked_from_id, "partner": deck.partner_id}
    whole = {
        **columns_of(deck),
        "address": reverse("deck", args=[deck.link]),
        **{name: reverse("deck", args=[links[pk]]) for name, pk in near.items() if pk in links},
        **deck.content().as_json(),
    }
    yield f"{_stem(deck)}.json", as_json(whole)
    if game := game_named(deck.game):
        yield f"{_stem(deck)}.txt", export("text", game, deck.content().as_reading()).data


# -- comments, likes, reviews and the collection


def _with_deck(row: Any) -> dict[str, Any]:
    deck = row.deck
    return {
        "deck": deck.name,
        "game": deck.game,
        "address": reverse("deck", args=[deck.link]),
        **columns_of(row),
    }


def _with_card(row: Any) -> dict[str, Any]:
    return {"game": row.card.game, "code": row.card.code, "name": row.card.name} | columns_of(row)


def comments(user_id: int) -> Files:
    """The comments of the account. Those on decks that it may no longer see do not name the deck."""
    written = Comment.objects.by(Viewer(user_id))
    on_seen = written.filter(deck__in=Deck.objects.visible_to(Viewer(user_id)))
    shown = set(on_seen.order_by().values_list("pk", flat=True))
    rows = written.select_related("deck").order_by("pk").iterator(ROWS_AT_ONCE)

    def told(row: Any) -> dict[str, Any]:
        return _with_deck(row) if row.pk in shown else columns_of(row)

    yield "comments.json", rows_json(rows, told)


def _cards(viewer: Viewer) -> int:
    return Owned.objects.of(viewer).aggregate(cards=Sum("count"))["cards"] or 0


# -- formats, own texts and sets


def formats(user_id: int) -> Files:
    rows = list(LeagueFormat.objects.of(Viewer(user_id)))
    yield "formats.json", rows_json(rows)
    for row in rows:
        name = slugify(row.name)[:MAX_FILE_NAME] or "format"
        yield f"formats/{name}-{row.link}.toml", write_league_file(row.declared)


def _take_sets(viewer: Viewer) -> Taken:
    """Take sets of cards along. If their pictures cannot be, the result tells why."""
    theirs, besides = OwnSet.objects.of(Viewer(browser=viewer.browser)), ""
    before = theirs.count()
    try:
        claim_sets(viewer)
    except Refused as refused:
        besides = f"Pictures of cards in your sets stay with this browser. {refused.faults[0].message}"
    why = room_for(f"{MAX_SETS} sets and {MAX_CARDS:,} cards in them")
    return Taken(before - theirs.count(), theirs.count(), why, besides)


def sets(user_id: int) -> Files:
    def told(row: OwnSet) -> dict[str, Any]:
        return columns_of(row) | {"cards": [columns_of(card) for card in row.cards.all()]}

    rows = OwnSet.objects.of(Viewer(user_id)).prefetch_related("cards")
    yield "sets.json", rows_json(rows, told)


def _take_texts(viewer: Viewer) -> Taken:
    moved, theirs = claim_texts(viewer), OwnText.objects.of(Viewer(browser=viewer.browser))
    why = f"your account has its own words on these cards, or already has {MAX_TEXTS:,}, the most it can have"
    return Taken(moved, theirs.count(), why)


def texts(user_id: int) -> Files:
    viewer = Viewer(user_id)
    yield "texts.json", rows_json(OwnText.objects.of(viewer))
    yield "choices.json", rows_json(OwnChoice.objects.of(viewer).order_by("game", "entry"))


# ``key``, ``what``, ``noun`` and ``tables`` stand first, without their names. What a kind leaves out is the
# usual: its things are the rows of its first table, all in one file of the export.
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
        written=account,
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
        told=_entry,
        about=(
            "history.json     when you logged in, and what was done with the account and with what you share"
        ),
    ),
    Kind(
        "decks",
        "Your decks",
        "deck",
        ("decks.Deck", "decks.DeckLine", "decks.DeckRevision", "decks.BrowserAccess"),
        counted=_decks,
        take=_take_decks,
        written=decks,
        about=(
            "decks/           each deck as text to paste again, as JSON with all that you wrote about it, and"
            " its history"
        ),
    ),
    Kind(
        "comments",
        "Your comments",
        "comment",
        ("decks.Comment",),
        counted=lambda viewer: Comment.objects.by(viewer).count(),
        written=comments,
    ),
    Kind("reviews", "Your reviews of cards", "review", ("decks.Review",), told=_with_card, near="card"),
    Kind("likes", "Your likes", "like", ("decks.Like",), told=_with_deck, near="deck"),
    Kind(
        "favourites",
        "Your favourites",
        "favourite",
        ("decks.Favourite",),
        told=_with_deck,
        near="deck",
    ),
    Kind(
        "collection",
        "Your collection",
        "collected card",
        ("decks.Owned", "decks.Collection"),
        counted=_cards,
        take=lambda viewer: Taken(take_over(viewer)),
        told=_with_card,
        near="card",
    ),
    Kind(
        "formats",
        "Your formats",
        "format",
        ("decks.LeagueFormat",),
        take=lambda viewer: Taken(*claim_leagues(viewer), why=room_for(f"{MAX_LEAGUES} formats")),
        written=formats,
        about="formats/         the formats of leagues that you made, as files to read in again",
    ),
    Kind(
        "searches",
        "Your saved searches",
        "search",
        ("cardsdb.OwnSearch",),
        take=lambda viewer: Taken(
            *claim_searches(viewer),
            why=f"your account has others of these names, or its {MAX_SEARCHES} already",
        ),
    ),
    Kind(
        "sets",
        "Your own sets",
        "set",
        ("cardsdb.OwnSet", "cardsdb.OwnCard"),
        take=_take_sets,
        written=sets,
        about="sets.json        sets of your own, with their cards",
    ),
    Kind(
        "texts",
        "Your words on cards",
        "text",
        ("cardsdb.OwnText", "cardsdb.OwnBox", "cardsdb.OwnChoice"),
        take=_take_texts,
        written=texts,
        about=(
            "texts.json, choices.json   your own words on cards, and the cards that you chose for entries of"
            " files"
        ),
    ),
)
