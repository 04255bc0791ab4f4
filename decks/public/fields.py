"""A search for decks as values, in three sections:

- the fields that decks can be searched by, and the ways to sort: for ``query.py``, ``listing.py``, the help;
- conditions on decks (``sized``, ``holding``, ...): ``query.py`` puts them together;
- a query as understood, ``DeckQuery``: ``query.py`` makes it from the text that was typed, ``listing.py``
  finds its decks, ``views.py`` says it with ``in_words``.

``lines.py`` has the lines that a viewer may see, and the invariants of all conditions. Tests in
``tests/decks/public``: ``test_fields.py``; of clauses and words ``test_query.py``.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Q, QuerySet, Sum

from cardsdb.games.kit import fold
from cardsdb.games.kit.model.text import table_beside
from cardsdb.identity.viewer import Viewer
from cardsdb.search.query.fields import Table
from cardsdb.search.query.matching import HOLDS
from cardsdb.search.query.standard import fields_in
from cardsdb.search.query.tree import NOWHERE, And, Not, Or, Query, Span, Tree, leaves
from cardsdb.search.query.words import joined_clauses
from decks.models import DeckLine, Favourite, Like
from decks.public.lines import is_open

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
    shows_all = is_open(viewer)
    return (shows_all & compared("size", op, count)) | (~shows_all & compared("size_shown", op, count))


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
