"""The fields that decks are searched by, the conditions on decks that queries are made of, and the lines of
decks that a viewer may see. ``query.py`` reads a query and puts these conditions together; the grammar is
that of the card search, and only the words differ.

Each condition is true or false, never NULL, so that its opposite finds exactly the rest. What a viewer may
not see of a deck does not count: no query gives away a private deck or a secret section. The conditions do
not look at who may see a deck as a whole: querysets do (``Deck.objects.visible_to``). ``test_query.py``
tests the conditions, ``test_fields.py`` that of size, ``test_secrets.py`` what no query gives away.
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

# How many times a query may ask what a deck holds (``deck:``), and how many cards it may name (``uses:``).
MAX_CARD_QUERIES, MAX_USES = 4, 6

_TABLE = table_beside(__file__, "deck_words")
# Queries, each with what it finds.
EXAMPLES: dict[str, str] = _TABLE.pop("examples")
DECK_FIELDS = Table(fields_in(_TABLE), nesting=("deck", "holds"))

# A way to sort, as ``order`` names it in addresses and in the API -> its title.
ORDERS = {
    "newest": "Newest first",
    "liked": "Most liked first",
    "name": "By name",
    "match": "Best match first",
}
# What may stand behind ``order:`` in a query; a minus before one puts the highest first, as among cards.
SORTABLE = ("name", "likes", "changed", "created", "newest", "liked", "match")

# Operator -> the end of Django's look-up for it ("" for equality), and the operator that is true of all that
# it is not true of. Of "!=" the look-up is that of equality, which ``compared`` inverts.
_LOOKUPS = {
    "=": ("", "!="),
    "!=": ("", "="),
    "<": ("__lt", ">="),
    "<=": ("__lte", ">"),
    ">": ("__gt", "<="),
    ">=": ("__gte", "<"),
}

# The condition that nothing meets.
NOTHING = Q(pk__in=())


# -- what of a deck is shown ------------------------------------------------------------


def lines_of(decks: Sequence[Deck], viewer: Viewer) -> QuerySet[DeckLine]:
    """The lines of these decks that a viewer may see: secret ones only of their own decks and of revealed
    ones. The decks are those of one page, at all of which the viewer may look.

    No line is joined with its deck, for which PostgreSQL would read all decks that there are.
    """
    secret, may_have_secrets = NOTHING, list[int]()
    for slug, (sections, types) in _secrets().items():
        if of_game := [deck.pk for deck in decks if deck.game == slug]:
            # ``isnull`` keeps the condition from being NULL for a line without such a card.
            of_type = Q(card__isnull=False, card__type__in=types) | Q(
                written__isnull=False, written__type__in=types
            )
            secret |= Q(deck__in=of_game) & (Q(section__in=sections) | of_type)
            may_have_secrets += of_game
    lines = DeckLine.objects.in_decks([deck.pk for deck in decks]).order_by()
    if not may_have_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, pk__in=may_have_secrets))


def _in_open_decks(viewer: Viewer, **among: Any) -> Q:
    """The condition on lines that their deck is among these and open to the viewer."""
    decks = Deck.objects.all_owners("which of them tell their secrets").order_by().filter(_is_open(viewer))
    return Q(deck__in=decks.filter(**among).values("pk"))


def _is_open(viewer: Viewer) -> Q:
    """The condition on decks that a viewer is told their secrets: they are revealed or the viewer's own."""
    return Q(revealed=True) | mine(viewer)


def _secrets() -> dict[str, tuple[list[str], list[str]]]:
    """Slug of a game -> (slugs of its secret sections, slugs of the types of cards that only those take), for
    the games that have any.
    """
    found = {}
    for game in games().values():
        sections = [section.slug for section in game.sections if section.secret]
        types = [card_type.slug for card_type in game.types if game.is_secret("", card_type.slug)]
        if sections or types:
            found[game.slug] = (sections, types)
    return found


class _CardAmong(Func):
    """The condition on a line that its card is one of many; NULL for a line without a card of the catalogue.
    Their primary keys are one parameter, so that the database's limit on parameters does not apply.
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
    """The lines of these cards of the catalogue that a viewer may see, in decks of everyone. The database
    reads no deck and no card for it: which lines are secret follows from the catalogue in memory.

    A card is only in decks of its game. A card that this catalogue does not know, because a later edition
    brought it, may be secret in any game.
    """
    asked, hidden, games_asked = set(pks), NOTHING, []
    unknown = asked - catalogue().by_pk.keys()
    for slug, types in catalogue().derived(_cards_by_type).items():
        # Cards that a secret section of the game may hold, and among them those that are always secret.
        if of_game := unknown | (asked & frozenset().union(*types.values())):
            sections, secret_types = _secrets()[slug]
            of_type = unknown | asked.intersection(pk for kind in secret_types for pk in types.get(kind, ()))
            # The section first: most lines need no second look.
            hidden |= (Q(section__in=sections) & Q(_CardAmong(of_game))) | (
                Q(_CardAmong(of_type)) if of_type else NOTHING
            )
            games_asked.append(slug)
    lines = (
        DeckLine.objects.all_owners("the condition tells whose secrets are shown")
        .order_by()
        .filter(Q(_CardAmong(pks)))
    )
    return lines.filter(~hidden | _in_open_decks(viewer, game__in=games_asked)) if games_asked else lines


def _cards_by_type(current: Catalogue) -> dict[str, dict[str, frozenset[int]]]:
    """Slug of a game -> slug of a type -> primary keys of its cards, retired ones too; of the games that have
    secrets.
    """
    found: dict[str, dict[str, set[int]]] = {slug: {} for slug in _secrets()}
    for pk, entry in current.by_pk.items():
        if entry.card.game in found:
            found[entry.card.game].setdefault(entry.card.type, set()).add(pk)
    return {slug: {kind: frozenset(pks) for kind, pks in types.items()} for slug, types in found.items()}


# -- conditions ----------------------------------------------------------------------------


def compared(column: str, op: str, value: int | datetime) -> Q:
    """The condition that a column, which is never NULL, compares so with a number or a time. ``op`` is a key
    of ``_LOOKUPS``.
    """
    found = Q(**{f"{column}{_LOOKUPS[op][0]}": value})
    return ~found if op == "!=" else found


def sized(viewer: Viewer, op: str, count: int) -> Q:
    """The condition on decks that the number of their cards that the viewer may see compares so: secret ones
    count only in the viewer's own decks and in revealed ones.
    """
    is_open = _is_open(viewer)
    return (is_open & compared("size", op, count)) | (~is_open & compared("size_shown", op, count))


def holding(lines: QuerySet[DeckLine], op: str, count: int) -> Q:
    """The condition on decks that the copies in these lines add up to so many; to 0 in a deck that has none
    of them.
    """
    # A deck with 0 copies has no line here. Where 0 fits, the decks that do not fit are found and inverted.
    is_0_fitting = HOLDS[op](0, count)
    sought = _LOOKUPS[op][1] if is_0_fitting else op
    found = lines.values("deck")
    # Each of these asks for any copy at all, so nothing need be added up.
    if (sought, count) not in ((">=", 1), (">", 0), ("!=", 0)):
        found = found.annotate(copies=Sum("count")).filter(compared("copies", sought, count)).values("deck")
    return ~Q(pk__in=found) if is_0_fitting else Q(pk__in=found)


def within_days(column: str, op: str, first: datetime, after: datetime) -> Q:
    """The condition that a column of times compares so with a span of days (``span_of``): it equals a time
    within, ``<`` is before its first moment, ``>`` is from the moment ``after`` its last day on.
    """
    if op in ("<", ">="):
        return compared(column, op, first)
    if op in ("<=", ">"):
        return compared(column, "<" if op == "<=" else ">=", after)
    inside = compared(column, ">=", first) & compared(column, "<", after)
    return ~inside if op == "!=" else inside


def span_of(text: str) -> tuple[datetime, datetime] | None:
    """The first moment of a year, a month or a day (``2026``, ``2026-01``, ``2026-01-31``) in UTC, and the
    first moment after it; None for any other text.
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
    """The condition on decks that the viewer may edit them; nothing meets it for a viewer who is nobody."""
    own = Deck.objects.editable_by(viewer).order_by()
    return NOTHING if viewer == Viewer() else Q(pk__in=own.values("pk"))


def liked_by(viewer: Viewer) -> Q:
    """The condition on decks that the viewer likes them."""
    return Q(pk__in=Like.objects.of(viewer).values("deck"))


def favourite_of(viewer: Viewer) -> Q:
    """The condition on decks that they are favourites of the viewer."""
    return Q(pk__in=Favourite.objects.of(viewer).values("deck"))
