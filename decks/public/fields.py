"""A search for decks as values: the fields that decks can be searched by, the conditions on decks, the lines
of decks that a viewer may see, and a query as understood (``DeckQuery``).

``query.py`` makes a ``DeckQuery`` of these conditions from the text that was typed, ``listing.py`` finds its
decks, and ``views.py`` says it with ``in_words``. Lists of decks and the pages of a card read the lines.

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

from cardsdb.catalogue.current import Catalogue, catalogue, games
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

# All tables of the file are fields, except ``examples``.
_TABLE = table_beside(__file__, "deck_words")
# Query -> what it finds, for the help page.
EXAMPLES: dict[str, str] = _TABLE.pop("examples")
DECK_FIELDS = Table(fields_in(_TABLE), nesting=("deck", "holds"))

# Way to sort, as the parameter ``order`` names it -> its title.
ORDERS = {
    "newest": "Newest first",
    "liked": "Most liked first",
    "name": "By name",
    "match": "Best match first",
}
# Words that may follow ``order:`` in a query. A minus before one puts the highest value first.
SORTABLE = ("name", "likes", "changed", "created", "newest", "liked", "match")

# Operator -> suffix of Django's look-up. Django has none for "!=", so it has that of equality, and
# ``compared`` inverts the condition.
_LOOKUPS = {"=": "", "!=": "", "<": "__lt", "<=": "__lte", ">": "__gt", ">=": "__gte"}
# Operator -> its opposite.
_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

# The condition that no row meets.
NOTHING = Q(pk__in=())

# A year, a month or a day: "2026", "2026-01", "2026-01-31".
_DATE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4})(?:-([0-9]{1,4}))?)?", re.ASCII)


# -- lines that a viewer may see ------------------------------------------------------------


def lines_of(decks: Sequence[Deck], viewer: Viewer) -> QuerySet[DeckLine]:
    """The lines of these decks that the viewer may see. Secret lines are among them only for the viewer's own
    decks and for revealed ones. Pass the decks of one page, all of which the viewer may look at.

    The query joins no line with its deck, because PostgreSQL would then read all decks.
    """
    # Built up game by game: the condition for secret lines, and the decks that may have some.
    secret, may_have_secrets = NOTHING, list[int]()
    for slug, its in _secrets().items():
        if of_game := [deck.pk for deck in decks if deck.game == slug]:
            # ``isnull`` keeps the condition from being NULL for a line without a card or without a written
            # one.
            of_type = Q(card__isnull=False, card__type__in=its.types) | Q(
                written__isnull=False, written__type__in=its.types
            )
            secret |= Q(deck__in=of_game) & (Q(section__in=its.sections) | of_type)
            may_have_secrets += of_game
    lines = DeckLine.objects.in_decks([deck.pk for deck in decks]).order_by()
    if not may_have_secrets:
        return lines
    return lines.filter(~secret | _in_open_decks(viewer, pk__in=may_have_secrets))


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


def _secrets() -> dict[str, _Secrets]:
    """Return game slug -> what its decks hide, for games whose decks hide anything."""
    found = {}
    for game in games().values():
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
    """The lines with these cards of the catalogue that the viewer may see, in all decks. The query reads no
    deck and no card: the catalogue in memory tells which lines are secret.

    A card stands only in decks of its game. A card that this catalogue does not know, because a later edition
    brought it, may be secret in any game. A witness of The X-Files is hidden in the section ``xfile``, a card
    of the type ``x-file`` in every section; of other games nothing is.
    """
    asked, secrets = set(pks), _secrets()
    unknown = asked - catalogue().by_pk.keys()
    # Built up game by game: the condition for hidden lines, and the games in which there may be some.
    hidden, games_asked = NOTHING, list[str]()
    for slug, by_type in catalogue().derived(_cards_by_type).items():
        its = secrets[slug]
        of_game = unknown.union(*(asked & cards for cards in by_type.values()))
        if not of_game:
            continue
        games_asked.append(slug)
        # The section is compared first, because most lines are decided by it alone.
        hidden |= Q(section__in=its.sections) & Q(_CardAmong(of_game))
        if always_hidden := unknown.union(*(asked & by_type.get(kind, set()) for kind in its.types)):
            hidden |= Q(_CardAmong(always_hidden))
    lines = (
        DeckLine.objects.all_owners("the condition tells whose secrets are shown")
        .order_by()
        .filter(Q(_CardAmong(pks)))
    )
    return lines.filter(~hidden | _in_open_decks(viewer, game__in=games_asked)) if games_asked else lines


def _cards_by_type(current: Catalogue) -> dict[str, dict[str, frozenset[int]]]:
    """Return game slug -> type slug -> primary keys of its cards, retired ones included, for games that have
    secrets.
    """
    found: dict[str, dict[str, set[int]]] = {slug: {} for slug in _secrets()}
    for pk, entry in current.by_pk.items():
        if entry.card.game in found:
            found[entry.card.game].setdefault(entry.card.type, set()).add(pk)
    return {slug: {kind: frozenset(pks) for kind, pks in types.items()} for slug, types in found.items()}


# -- conditions ----------------------------------------------------------------------------


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
    """The condition for decks whose copies in these lines add up to ``op count``, such as ">= 5". A deck
    without such a line has 0 copies::

        >= 5    0 does not fit    pk in (decks of the lines, HAVING SUM(count) >= 5)
        < 5     0 fits            pk not in (decks of the lines, HAVING SUM(count) >= 5)
        >= 1    0 does not fit    pk in (decks of the lines)
        = 0     0 fits            pk not in (decks of the lines)
    """
    # Decks with 0 copies have no line, so no query over lines finds them. If 0 fits, find the decks that do
    # not fit and invert the condition.
    is_0_fitting = HOLDS[op](0, count)
    sought = _OPPOSITES[op] if is_0_fitting else op
    found = lines.values("deck")
    # These three ask for any copy at all, so no copies need to be added up.
    if (sought, count) not in ((">=", 1), (">", 0), ("!=", 0)):
        found = found.annotate(copies=Sum("count")).filter(compared("copies", sought, count)).values("deck")
    return ~Q(pk__in=found) if is_0_fitting else Q(pk__in=found)


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
    """A part of a query that was understood. ``q`` is its condition on decks. ``phrase`` says it with decks
    as subject: "use Kai". ``word`` is a word that names shall contain, for the order of results, ``game`` the
    name of the game asked for; each is empty if the part asks for none. The word ``tiger`` becomes::

        Clause(q=Q(name_folded__contains="tiger"), phrase="have “tiger” in their name", word="tiger")

    ``is_verdict``: it asks for a stored verdict, which may be out of date and then counts as unknown. Its
    opposite is therefore worded "are not known to be legal".
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
    parts = list(tree.parts) if isinstance(tree, And) else [tree] if tree else []
    # If the whole query asks for one game, its name stands before "decks".
    games = [part for part in parts if isinstance(part, Clause) and part.game]
    of = ""
    if len(games) == 1:
        of = f"{games[0].game} "
        parts.remove(games[0])
    subject = f"Public {of}decks{', and yours,' if has_own else ''}"
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
