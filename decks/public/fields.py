"""A search for decks as values, in four sections:

- the fields that decks can be searched by, and the ways to sort: for ``query.py``, ``listing.py``, the help;
- the lines of decks that a viewer may see (``lines_of``, ``lines_of_cards``): for lists of decks, the pages
  of a card, and the conditions ``uses:`` and ``deck:``;
- conditions on decks (``sized``, ``holding``, ...): ``query.py`` puts them together;
- a query as understood, ``DeckQuery``: ``query.py`` makes it from the text that was typed, ``listing.py``
  finds its decks, ``views.py`` says it with ``in_words``.

Invariants: a condition is true or false, never NULL, so that its opposite finds exactly the other decks. And
what a viewer may not see of a deck does not count, so that no query reveals a secret section. Who may see a
deck at all is not checked here, but by querysets (``Deck.objects.visible_to``). Tests in
``tests/decks/public``: ``test_fields.py``, ``test_secrets.py``; of clauses and words ``test_query.py``.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import BooleanField, F, Func, Q, QuerySet, Sum

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import fold
from cardsdb.games.kit.model.text import table_beside
from cardsdb.identity.viewer import Viewer
from cardsdb.search.query.fields import Table
from cardsdb.search.query.matching import HOLDS
from cardsdb.search.query.standard import fields_in
from cardsdb.search.query.tree import NOWHERE, And, Not, Or, Query, Span, Tree, leaves
from cardsdb.search.query.words import joined_clauses
from decks.models import Deck, DeckLine, Favourite, Like

# Parts with ``deck:`` that one query may have. Each searches all cards, and reads the lines of all decks.
MAX_CARD_QUERIES = 4
# Parts with ``uses:`` that one query may have. Each reads the lines of all decks.
MAX_USES = 6

# -- the fields of a search, and the ways to sort ------------------------------------------

_FILE = table_beside(__file__, "deck_words")
# Query -> what it finds, for the help page.
EXAMPLES: dict[str, str] = _FILE["examples"]
DECK_FIELDS = Table(
    fields_in({word: row for word, row in _FILE.items() if word != "examples"}), nesting=("deck", "holds")
)

# Way to sort, as the parameter ``order`` names it -> its title.
ORDERS = {
    "newest": "Newest first",
    "liked": "Most liked first",
    "name": "By name",
    "match": "Best match first",
}
# Words that may follow ``order:`` in a query. A minus before one puts the highest value first.
SORTABLE = ("name", "likes", "changed", "created", "newest", "liked", "match")


# -- lines that a viewer may see ------------------------------------------------------------

# The condition that no row meets.
NOTHING = Q(pk__in=())


def lines_of(decks: Sequence[Deck], viewer: Viewer) -> QuerySet[DeckLine]:
    """The lines of these decks that the viewer may see. Secret lines are among them only for the viewer's own
    decks and for revealed ones. Pass the decks of one page, all of which the viewer may look at.

    The query joins no line with its deck, because PostgreSQL would then read all decks.
    """
    # Both grow game by game: the condition for secret lines, and the decks that may have some.
    secret, decks_with_secrets = NOTHING, list[int]()
    for slug, hidden in _secrets(catalogue()).items():
        if of_game := [deck.pk for deck in decks if deck.game == slug]:
            # ``isnull`` keeps the condition from being NULL for a line without a card or without a written
            # one.
            of_type = Q(card__isnull=False, card__type__in=hidden.types) | Q(
                written__isnull=False, written__type__in=hidden.types
            )
            secret |= Q(deck__in=of_game) & (Q(section__in=hidden.sections) | of_type)
            decks_with_secrets += of_game
    lines = DeckLine.objects.in_decks([deck.pk for deck in decks]).order_by()
    if not decks_with_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, pk__in=decks_with_secrets))


def _in_open_decks(viewer: Viewer, **among: Any) -> Q:
    """The condition for lines whose deck is one of these and shows its secrets to the viewer."""
    decks = Deck.objects.all_owners("which of them tell their secrets").order_by().filter(_is_open(viewer))
    return Q(deck__in=decks.filter(**among).values("pk"))


def _is_open(viewer: Viewer) -> Q:
    """The condition for decks that show their secrets to the viewer: revealed ones and the viewer's own."""
    return Q(revealed=True) | mine(viewer)


class _Secrets(NamedTuple):
    """What decks of one game hide: their secret ``sections``, and cards of the ``types`` that only such
    sections take, wherever these stand. For The X-Files ``["xfile"]`` and ``["x-file"]``.
    """

    sections: list[str]
    types: list[str]


def _secrets(current: Catalogue) -> dict[str, _Secrets]:
    """Return game slug -> what its decks hide, for games whose decks hide anything."""
    found = {}
    for game in current.games.values():
        sections = [section.slug for section in game.sections if section.secret]
        types = [card_type.slug for card_type in game.types if game.is_secret("", card_type.slug)]
        if sections or types:
            found[game.slug] = _Secrets(sections, types)
    return found


class _CardAmong(Func):
    """The condition for lines whose card is one of many; NULL for a line without a card of the catalogue. All
    primary keys are sent as one parameter, because databases limit the number of parameters.
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
    """The lines with these cards of the catalogue that the viewer may see, in all decks.

    ``lines_of`` knows the decks, and with them the games. Here all decks count, and reading the game of each
    would be slow. But a card stands only in decks of its game, so the catalogue in memory tells where a card
    is secret, and the query reads no deck and no card. For a witness (key 7) and an x-file (key 9), both of
    The X-Files, these lines are shown only in decks that are open to the viewer::

        section in (xfile) and card in (7, 9)     all cards of the game are secret in this section
        card in (9)                               this type is secret in every section
    """
    asked = set(pks)
    # Cards that a later edition brought. This catalogue knows neither game nor type, so they may be secret.
    unknown = asked - catalogue().by_pk.keys()
    # Both grow game by game: the condition for secret lines, and the games whose decks may have some.
    secret, games_with_secrets = NOTHING, list[str]()
    for slug, cards in catalogue().derived(_cards_with_secrets).items():
        of_game = (asked & cards.of_game) | unknown
        always_secret = (asked & cards.always_secret) | unknown
        if of_game:
            games_with_secrets.append(slug)
            # The section is compared first, because most lines are decided by it alone.
            secret |= Q(section__in=cards.sections) & Q(_CardAmong(of_game))
        if always_secret:
            secret |= Q(_CardAmong(always_secret))
    lines = DeckLine.objects.all_owners("the condition tells whose secrets are shown").order_by()
    lines = lines.filter(Q(_CardAmong(pks)))
    if not games_with_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, game__in=games_with_secrets))


class _GameCards(NamedTuple):
    """A game that has secrets: its ``sections`` in which every card is secret, and as primary keys, retired
    ones included, its cards and those of them that are secret in every section.
    """

    sections: list[str]
    of_game: frozenset[int]
    always_secret: frozenset[int]


def _cards_with_secrets(current: Catalogue) -> dict[str, _GameCards]:
    """Return game slug -> its cards, for games whose decks hide anything."""
    found = {}
    for slug, hidden in _secrets(current).items():
        cards = {pk: entry.card for pk, entry in current.by_pk.items() if entry.card.game == slug}
        always_secret = frozenset(pk for pk, card in cards.items() if card.type in hidden.types)
        found[slug] = _GameCards(hidden.sections, frozenset(cards), always_secret)
    return found


# -- conditions ----------------------------------------------------------------------------

# Operator -> suffix of Django's look-up. Django has none for "!=", so it has that of equality, and
# ``compared`` inverts the condition.
_LOOKUPS = {"=": "", "!=": "", "<": "__lt", "<=": "__lte", ">": "__gt", ">=": "__gte"}
# Operator -> its opposite.
_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
# Comparisons that every deck with a copy fulfils, so that no copies need to be added up.
_ANY_COPY = ((">=", 1), (">", 0), ("!=", 0))
# A year, a month or a day: "2026", "2026-01", "2026-01-31".
_DATE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4})(?:-([0-9]{1,4}))?)?", re.ASCII)


def compared(column: str, op: str, value: int | datetime) -> Q:
    """The condition ``column op value``. The column must never be NULL, so that the condition is
    not either.
    """
    found = Q(**{f"{column}{_LOOKUPS[op]}": value})
    return ~found if op == "!=" else found


def sized(viewer: Viewer, op: str, count: int) -> Q:
    """The condition for decks whose number of cards, as the viewer sees it, compares with ``count``. Secret
    cards count only in decks that show their secrets to the viewer.
    """
    is_open = _is_open(viewer)
    return (is_open & compared("size", op, count)) | (~is_open & compared("size_shown", op, count))


def holding(lines: QuerySet[DeckLine], op: str, count: int) -> Q:
    """The condition for decks with so many copies in these lines, such as ">= 5". A deck without such a line
    has 0 copies::

        >= 5    0 does not fit    pk in (decks of the lines, HAVING SUM(count) >= 5)
        < 5     0 fits            pk not in (decks of the lines, HAVING SUM(count) >= 5)
        >= 1    0 does not fit    pk in (decks of the lines)
        = 0     0 fits            pk not in (decks of the lines)
    """
    if HOLDS[op](0, count):
        # Decks without such a line fit too, but no query over lines finds them. So those that do not fit are
        # found.
        return ~_adding_up(lines, _OPPOSITES[op], count)
    return _adding_up(lines, op, count)


def _adding_up(lines: QuerySet[DeckLine], op: str, count: int) -> Q:
    """The condition for decks that have such a line, and whose copies in these lines add up to ``op
    count``.
    """
    decks = lines.values("deck")
    if (op, count) not in _ANY_COPY:
        decks = decks.annotate(copies=Sum("count")).filter(compared("copies", op, count)).values("deck")
    return Q(pk__in=decks)


def within_days(column: str, op: str, first: datetime, after: datetime) -> Q:
    """The condition that compares a column of times with a span of days: from the moment ``first`` until just
    before the moment ``after`` (see ``span_of``). For January 2026::

        <     before 1 January        >=    from 1 January on
        <=    before 1 February       >     from 1 February on
        =     in January              !=    before or after it
    """
    if op in ("<", ">="):
        return compared(column, op, first)
    if op in ("<=", ">"):
        return compared(column, "<" if op == "<=" else ">=", after)
    inside = compared(column, ">=", first) & compared(column, "<", after)
    return ~inside if op == "!=" else inside


def span_of(text: str) -> tuple[datetime, datetime] | None:
    """Return (first moment of a year, month or day, first moment after it) in UTC: "2026", "2026-01" or
    "2026-01-31". None for any other text.
    """
    date = _DATE.fullmatch(text)
    if date is None:
        return None
    year, month, day = date.groups(default="1")
    try:
        first = datetime(int(year), int(month), int(day), tzinfo=UTC)
        if date[3]:
            return first, first + timedelta(days=1)
        if date[2]:
            # 31 days after the first day of a month is always some day of the next one.
            return first, (first + timedelta(days=31)).replace(day=1)
        return first, first.replace(year=first.year + 1)
    except (ValueError, OverflowError):
        return None


def mine(viewer: Viewer) -> Q:
    """The condition for decks that the viewer may edit. No deck meets it for a viewer without account,
    browser and key.
    """
    own = Deck.objects.editable_by(viewer).order_by()
    return NOTHING if viewer == Viewer() else Q(pk__in=own.values("pk"))


def liked_by(viewer: Viewer) -> Q:
    """The condition for decks that the viewer likes."""
    return Q(pk__in=Like.objects.of(viewer).values("deck"))


def favourite_of(viewer: Viewer) -> Q:
    """The condition for decks that are favourites of the viewer."""
    return Q(pk__in=Favourite.objects.of(viewer).values("deck"))


# -- a query as understood -------------------------------------------------------------------


@dataclass(frozen=True)
class Clause:
    """A part of a query that was understood. The word ``tiger`` becomes::

        Clause(q=Q(name_folded__contains="tiger"), phrase="have “tiger” in their name", word="tiger")

    - q: its condition on decks; phrase: the same in words, with decks as subject;
    - word: what names shall contain, for the order of results; game: the name of the game asked for; each is
      empty if the part asks for none;
    - is_verdict: it asks for a stored verdict, which may be out of date and then counts as unknown. So its
      opposite is "are not known to be legal".
    """

    q: Q
    phrase: str
    word: str = ""
    is_verdict: bool = False
    game: str = ""
    span: Span = NOWHERE

    @property
    def opposite(self) -> str:
        """The opposite of ``phrase``: "use Kai" -> "do not use Kai"; "are yours" -> "are not yours"."""
        verb, _, rest = self.phrase.partition(" ")
        certainty = "known to be " if self.is_verdict else ""
        return f"{verb} not {certainty}{rest}" if verb in ("are", "were") else f"do not {self.phrase}"


@dataclass(frozen=True)
class DeckQuery(Query):
    """A query as understood. The leaves of ``tree`` are clauses; None as tree is met by every deck.
    ``looks_into_decks``: it reads the lines of all decks, which is slow, so it counts as work in the rate
    limits.
    """

    looks_into_decks: bool = False

    @property
    def is_lost(self) -> bool:
        """True if no part of the text was understood. Such a query finds no decks instead of all decks."""
        return self.tree is None and bool(self.faults)

    @property
    def asks_verdict(self) -> bool:
        return any(leaf.is_verdict for leaf in leaves(self.tree))

    @property
    def words(self) -> str:
        """The folded words that names of decks shall contain, without those that they must not contain."""
        return fold(" ".join(leaf.word for leaf in leaves(self.tree, excluded=False) if leaf.word))


def in_words(tree: Tree | None, has_own: bool) -> str:
    """Say the query in words: "Public Spycraft decks that are legal in Agency Deck and use Kai". ``has_own``:
    the viewer's own decks are searched as well.
    """
    parts = [*tree.parts] if isinstance(tree, And) else [tree] if tree else []
    decks = "decks, and yours," if has_own else "decks"
    # If the whole query asks for one game, its name stands before "decks".
    asking_for_game = [part for part in parts if isinstance(part, Clause) and part.game]
    if len(asking_for_game) == 1:
        (clause,) = asking_for_game
        parts.remove(clause)
        decks = f"{clause.game} {decks}"
    subject = f"Public {decks}"
    if not parts:
        return subject.rstrip(",")
    # A single part needs no brackets around it.
    clauses = [_in_words(part, in_brackets=len(parts) > 1) for part in parts]
    return f"{subject} that {joined_clauses(clauses, 'and')}"


def _in_words(tree: Tree, negated: bool = False, in_brackets: bool = True) -> str:
    """Say a part of the query, or its opposite if ``negated``, with "decks that" before it."""
    match tree:
        case Not(part):
            return _in_words(part, not negated, in_brackets)
        case And(parts) | Or(parts):
            # De Morgan: "not (a and b)" is "not a or not b", and the other way round.
            word = "and" if isinstance(tree, And) != negated else "or"
            words = joined_clauses([_in_words(part, negated) for part in parts], word)
            return f"({words})" if in_brackets else words
        case Clause():
            return tree.opposite if negated else tree.phrase
    raise ValueError(f"no query of decks has {tree!r}")
