"""The fields that decks are searched by, and the conditions on decks that queries are made of. The grammar is
that of the card search; only the words differ.

Each condition is true or false, never NULL, so that its opposite finds exactly the rest. What a viewer may
not see of a deck does not count: no query gives away a private deck or a secret section.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import BooleanField, F, Func, Q, QuerySet, Sum

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit.model.text import table_beside
from cardsdb.identity.viewer import Viewer
from cardsdb.search.query.fields import Table
from cardsdb.search.query.matching import HOLDS
from cardsdb.search.query.standard import fields_in
from decks.models import Deck, DeckLine, Favourite, Like

# How many times a query may ask what a deck holds, and how many cards it may name.
MAX_CARD_QUERIES, MAX_USES = 4, 6

_TABLE = table_beside(__file__, "deck_words")
# Queries, each with what it finds.
EXAMPLES: dict[str, str] = _TABLE.pop("examples")
DECK_FIELDS = Table(fields_in(_TABLE), nesting=("deck", "holds"))

# A way to sort -> its title, and what it is in a query's own words. The first stands in addresses as
# ``order``.
ORDERS = {
    "newest": "Newest first",
    "liked": "Most liked first",
    "name": "By name",
    "match": "Best match first",
}
# What may stand behind ``order:`` in a query; a minus before one puts the highest first, as among cards.
SORTABLE = ("name", "likes", "changed", "created", "newest", "liked", "match")

# Operator -> the database's word for it, and the operator that is true of all that it is not true of.
_LOOKUPS = {
    "=": ("", "!="),
    "!=": ("", "="),
    "<": ("__lt", ">="),
    "<=": ("__lte", ">"),
    ">": ("__gt", "<="),
    ">=": ("__gte", "<"),
}

NOTHING = Q(pk__in=())


# -- what of a deck is shown ------------------------------------------------------------


def lines_of(decks: Sequence[Deck], viewer: Viewer) -> QuerySet[DeckLine]:
    """The lines of a page of decks that a viewer may see: secret ones only of their own decks and of revealed
    ones. No line is joined with its deck, for which PostgreSQL would read all decks that there are.
    """
    secret, some = NOTHING, list[int]()
    for slug, (sections, types) in _secrets().items():
        if of_game := [deck.pk for deck in decks if deck.game == slug]:
            of_type = Q(card__isnull=False, card__type__in=types) | Q(
                written__isnull=False, written__type__in=types
            )
            secret |= Q(deck__in=of_game) & (Q(section__in=sections) | of_type)
            some += of_game
    lines = DeckLine.objects.in_decks([deck.pk for deck in decks]).order_by()
    return lines.filter(~secret | _telling(viewer, pk__in=some)) if some else lines


def _telling(viewer: Viewer, **among: Any) -> Q:
    """The lines of those of these decks whose secrets a viewer is told."""
    decks = Deck.objects.all_owners("which of them tell their secrets").order_by().filter(_whole(viewer))
    return Q(deck__in=decks.filter(**among).values("pk"))


def _whole(viewer: Viewer) -> Q:
    """The decks whose secrets a viewer is told: revealed ones and their own."""
    return Q(revealed=True) | mine(viewer)


def _secrets() -> dict[str, tuple[list[str], list[str]]]:
    """Game -> its secret sections, and the types of cards that only those take; of the games that have
    any.
    """
    found = {}
    for game in games().values():
        sections = [section.slug for section in game.sections if section.secret]
        types = [card_type.slug for card_type in game.types if game.is_secret("", card_type.slug)]
        if sections or types:
            found[game.slug] = (sections, types)
    return found


class _CardAmong(Func):
    """True if a line's card is one of many. Their primary keys are one parameter, so that no limit on
    parameters applies.
    """

    output_field = BooleanField()

    def __init__(self, pks: Iterable[int]) -> None:
        super().__init__(F("card"))
        self.pks = tuple(pks)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        if connection.vendor == "postgresql":
            return f"({column} = ANY(%s::bigint[]))", [*params, list(self.pks)]
        among = f"({column} IN (SELECT value FROM json_each(%s)))"  # noqa: S608 (a column of ours)
        return among, [*params, json.dumps(self.pks)]


def lines_of_cards(viewer: Viewer, pks: Collection[int]) -> QuerySet[DeckLine]:
    """The lines of these cards that a viewer may see, in all decks, without a look at the deck and the card
    of each line.

    A card of the catalogue is only in decks of its game; one that a later edition brought may be secret in
    any.
    """
    asked, hidden, games_asked = set(pks), NOTHING, []
    unknown = asked - catalogue().by_pk.keys()
    for slug, types in catalogue().derived(_cards_by_type).items():
        if guarded := unknown | (asked & frozenset().union(*types.values())):
            sections, secret_types = _secrets()[slug]
            of_type = unknown | asked.intersection(pk for kind in secret_types for pk in types.get(kind, ()))
            # The section first: most lines need no second look.
            hidden |= (Q(section__in=sections) & Q(_CardAmong(guarded))) | (
                Q(_CardAmong(of_type)) if of_type else NOTHING
            )
            games_asked.append(slug)
    lines = (
        DeckLine.objects.all_owners("the condition tells whose secrets are shown")
        .order_by()
        .filter(Q(_CardAmong(pks)))
    )
    return lines.filter(~hidden | _telling(viewer, game__in=games_asked)) if games_asked else lines


def _cards_by_type(whole: Catalogue) -> dict[str, dict[str, frozenset[int]]]:
    """Game -> type -> primary keys of its cards, retired ones too; of the games that have secrets."""
    found: dict[str, dict[str, set[int]]] = {slug: {} for slug in _secrets()}
    for pk, entry in whole.by_pk.items():
        if entry.card.game in found:
            found[entry.card.game].setdefault(entry.card.type, set()).add(pk)
    return {slug: {kind: frozenset(pks) for kind, pks in types.items()} for slug, types in found.items()}


# -- conditions ----------------------------------------------------------------------------


def compared(column: str, op: str, value: int | datetime) -> Q:
    """A column that is never NULL compared with a number or a time."""
    found = Q(**{f"{column}{_LOOKUPS[op][0]}": value})
    return ~found if op == "!=" else found


def sized(viewer: Viewer, op: str, count: int) -> Q:
    """The decks with so many cards that the viewer may see: secret ones count only in their own decks and in
    revealed ones.
    """
    whole = _whole(viewer)
    return (whole & compared("size", op, count)) | (~whole & compared("size_shown", op, count))


def holding(lines: QuerySet[DeckLine], op: str, count: int) -> Q:
    """The decks in which these lines add up to so many copies; 0 in a deck that has none of them."""
    # No deck with 0 copies has a row: where such a deck fits, those that do not are looked for.
    is_none_fitting = HOLDS[op](0, count)
    sought = _LOOKUPS[op][1] if is_none_fitting else op
    found = lines.values("deck")
    if (sought, count) not in ((">=", 1), (">", 0), ("!=", 0)):
        found = found.annotate(copies=Sum("count")).filter(compared("copies", sought, count)).values("deck")
    return ~Q(pk__in=found) if is_none_fitting else Q(pk__in=found)


def within_days(column: str, op: str, first: datetime, after: datetime) -> Q:
    """A time compared with a span of days, from its first moment to the one after its last."""
    if op in ("<", ">="):
        return compared(column, op, first)
    if op in ("<=", ">"):
        return compared(column, "<" if op == "<=" else ">=", after)
    inside = compared(column, ">=", first) & compared(column, "<", after)
    return ~inside if op == "!=" else inside


def span_of(text: str) -> tuple[datetime, datetime] | None:
    """The first moment of a year, a month or a day (``2026``, ``2026-01``, ``2026-01-31``) and the one after
    its last; None for others.
    """
    if not re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4}){0,2}", text, re.ASCII):
        return None
    year, *rest = map(int, text.split("-"))
    month, day = (*rest, 1, 1)[:2]
    try:
        first = datetime(year, month, day, tzinfo=UTC)
        if len(rest) == 2:
            return first, first + timedelta(1)
        return first, first.replace(year=year + month // 12, month=month % 12 + 1) if rest else first.replace(
            year=year + 1
        )
    except (ValueError, OverflowError):
        return None


def mine(viewer: Viewer) -> Q:
    """The decks that are the viewer's own."""
    own = Deck.objects.editable_by(viewer).order_by()
    return NOTHING if viewer == Viewer() else Q(pk__in=own.values("pk"))


def liked_by(viewer: Viewer) -> Q:
    return Q(pk__in=Like.objects.of(viewer).values("deck"))


def favourite_of(viewer: Viewer) -> Q:
    return Q(pk__in=Favourite.objects.of(viewer).values("deck"))
