"""The card list as one value: what the address asks for, the cards that it finds, and everything its page
shows beside them: what is wrong in a query, shown in its place, and why it finds nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

from django.utils.functional import cached_property

from cardsdb.catalogue.current import catalogue, games
from cardsdb.games.kit import Card, Fact, Game, RowFact, entries_in_words, fold, some
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import Answer, answer_of
from cardsdb.search.groups import asked_of
from cardsdb.search.query.check import fields_having
from cardsdb.search.query.filter_form import Controls, Range, bounded_facts, ranges_of
from cardsdb.search.query.similar import reasons
from cardsdb.search.query.tree import (
    AtLeast,
    Exact,
    Problem,
    Query,
    Term,
    Tree,
    Word,
    leaves,
    normal,
    ordered,
    parts_of,
    without,
)
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardQuery, count_of, parse_query, results_of
from cardsdb.web.lists.facets import Facet, columns_of, facets_of, facts_asked_about, marks_of, not_empty

# Names offered where nothing is found, and characters of a query that may be a name.
MAX_ALIKE, MAX_ALIKE_LENGTH = 6, 60
# Each part is a few searches more; of a longer query the first parts are looked at.
MAX_PARTS = 8
# What of a part of a query stands before its value, and behind its field.
_BEFORE_IT = re.compile(r"[^\s()\"]*\Z")
_AFTER_IT = re.compile(r'[^\s()"]*(?:"[^"]*")?')


class Advice(NamedTuple):
    """A problem with a query, shown in its place: what stands before, what is wrong, what follows, and whole
    queries that would do.

    ``corrections`` are (label, query). ``is_note`` marks what was understood and perhaps not meant: nothing
    is wrong with it.
    """

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]
    is_note: bool = False


def advice_on(query: str, problem: Problem) -> Advice:
    """The problem as it is shown in its place in the query."""
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    left = right = ""
    # A field or a value is shown within the whole part that it would make.
    if problem.code in ("unknown-field", "unknown-value"):
        start, end = _BEFORE_IT.search(before), _AFTER_IT.match(after)
        left, right = start[0] if start else "", end[0] if end else ""
    corrections = tuple(
        (f"{left}{word}{right}" if word else "leave it out", f"{before}{word}{after}".strip())
        for word in problem.suggestions
    )
    return Advice(problem.message, before, wrong, after, corrections, problem.advice)


# -- nothing found --------------------------------------------------------------------


class OtherQuery(NamedTuple):
    """A query that finds something: its address, how many cards, and what it leaves out or has instead
    (``typed``).
    """

    typed: str
    count: int
    href: str


class Part(NamedTuple):
    """A part as it is typed and in words, the cards that it finds alone, the query without it, and a word
    that may have been meant.
    """

    typed: str
    words: str
    alone: int
    rest: OtherQuery
    instead: OtherQuery | None


class NoResults(NamedTuple):
    """The parts, those first that find least; ``together`` leaves out the fewest of them where no single one
    is enough.
    """

    parts: tuple[Part, ...]
    together: OtherQuery | None


def cards_meant(query: CardQuery) -> list[Card]:
    """A few cards whose names are like the words that were typed; none where nothing but fields were asked
    for.
    """
    name = " ".join(
        part.value
        for part in parts_of(query.query.tree)
        if isinstance(part, Word | Exact)
        or (isinstance(part, Term) and part.key == "name" and part.op in (":", "="))
    )
    return catalogue().named_like(name, MAX_ALIKE) if name and len(fold(name)) <= MAX_ALIKE_LENGTH else []


def no_results(query: CardQuery) -> NoResults | None:
    """Why a query finds nothing. None if it has a single part and no likelier word for it."""
    pairs = []
    for tree in parts_of(query.query.tree)[:MAX_PARTS]:
        alone, rest = count_of(query, tree), without_parts(query, [tree])
        instead = None if alone else _instead(query, tree)
        pairs.append((Part(normal(tree), in_words(tree, query.fields), alone, rest, instead), tree))
    pairs.sort(key=lambda pair: (not pair[0].rest.count, pair[0].alone))
    parts, trees = tuple(part for part, _ in pairs), [tree for _, tree in pairs]
    if len(parts) < 2 and not any(part.instead for part in parts):
        return None
    if any(part.rest.count for part in parts):
        return NoResults(parts, None)
    # Without the rarest parts, one more at a time until something is found.
    others = (without_parts(query, trees[:count]) for count in range(2, len(trees)))
    return NoResults(parts, next((other for other in others if other.count), None))


def without_parts(query: CardQuery, parts: Sequence[Tree]) -> OtherQuery:
    """Return what the query finds without some of its parts; nothing without any part, for that would be
    every card there is.
    """
    rest = without(query.query, parts)
    count = count_of(query, rest.tree) if rest.tree else 0
    return OtherQuery(" ".join(map(normal, parts)), count, list_address(rest))


def list_address(query: Query | str) -> str:
    """The list of a query, as what follows its address."""
    return f"?{urlencode({'q': query if isinstance(query, str) else normal(query)})}"


def _instead(query: CardQuery, part: Tree) -> OtherQuery | None:
    """A query that has another word for this part: the word without its plural "s", or the field that has it
    as a value.
    """
    if not isinstance(part, Word):
        return None
    of_fields = (Term(key, ":", part.value) for key in fields_having(Term("", ":", part.value), query.fields))
    singular = (Word(part.value[:-1]),) if part.value.endswith("s") and len(part.value) > 3 else ()
    others = normal(without(query.query, [part]))
    for meant in (*singular, *of_fields):
        if count := count_of(query, meant):
            return OtherQuery(normal(meant), count, list_address(f"{others} {normal(meant)}".strip()))
    return None


# -- help with a query -----------------------------------------------------------------

PER_PAGE = 48
# Advice that speaks of the catalogue's cards alone.
OF_THE_CATALOGUE = ("unknown-name", "unknown-value")
VIEWS = {"line": "With the line", "numbers": "Numbers only", "faces": "Faces"}
# What addresses called them before.
OLD_VIEWS = {"list": "line", "table": "numbers", "grid": "faces"}
# A shorter text stands in the name of too many games.
MIN_GAME_NAME = 3


class CardListPage:
    """One page of the card list: its query, what that finds, and how it is shown. A bad query has advice,
    never an error.

    Where something else than the query as it was ``typed`` was meant, the page is that of the ``answer``.
    ``text`` is the query in its normal form, which links carry; ``game`` the one that all its cards have,
    also where the query does not name it: its facts make facets. ``rest`` stands behind the query in the
    address of a list, where it says which view; else the query alone decides that. ``address`` is the list
    from its first page on, as what follows the question mark.
    """

    def __init__(self, params: Mapping[str, str], viewer: Viewer | None = None) -> None:
        self.typed, self.viewer = params.get("q", ""), viewer
        self._asked = self.query = parse_query(self.typed, viewer=viewer)
        self.answer = Answer(results_of(self.query)) if params.get("as_typed") else answer_of(self.query)
        self.query, self.results = self.answer.results.query, self.answer.results
        self.text, self.has_faults = normal(self.query.query), bool(self.query.query.faults)
        counts = self.results.facet("game")
        self.game: Game | None = self.query.game or (games().get(counts[0][0]) if len(counts) == 1 else None)
        self.asked = asked_of(self.query.query.tree)
        view = OLD_VIEWS.get(params.get("view", ""), params.get("view", ""))
        self._view = {"view": view} if view in (*VIEWS, "checklist") else {}
        self.view = self._view.get("view", "line" if self.asked else "numbers")
        self.rest = f"&view={self.view}" if self._view else ""
        # A page behind this one asks again what was typed, so that the order is the same.
        self.query_in_address = urlencode({"q": self.typed if self.answer.meant else self.text})
        self.address = f"{self.query_in_address}{self.rest}"
        self.total = self.results.total
        self.span = self.results.page(PER_PAGE, params.get("after", ""), params.get("before", ""))
        self.cards = self.span.cards
        # The parts of the query that ask for the cards of one game.
        one_game = self.query.controls.only("game") and not self.has_faults
        self._of_game: tuple[Tree, ...] = self.query.controls.parts("game") if one_game else ()

    # -- the query -------------------------------------------------------------------

    @cached_property
    def advice(self) -> list[Advice]:
        """The problems of the query, each shown in its place. What no card of the catalogue has, one's own
        that are found may have.
        """
        query, has_own = self.query.query, bool(self.query.own and self.total)
        return [
            advice_on(query.text, problem)
            for problem in query.problems
            if not (has_own and problem.code in OF_THE_CATALOGUE)
        ]

    @property
    def understood(self) -> str:
        """Return what is left of a query of which some part was not understood; empty if all of it was."""
        return normal(self.query.query.tree) if self.has_faults else ""

    @cached_property
    def words(self) -> str:
        """The query in words; empty for one that asks for nothing."""
        query = self.query.query
        return in_words(query, self.query.fields) if query.tree is not None or query.order else ""

    @cached_property
    def _like(self) -> Card | None:
        """The card that a ``similar:`` asks for others of."""
        near = (
            node.like for node in leaves(self.query.query.tree) if isinstance(node, AtLeast) and node.like
        )
        name = next(near, "")
        return self.query.fields.cards(name) if name else None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The facts that the query asks about."""
        return tuple(
            dict.fromkeys(node.key for node in leaves(self.query.query.tree) if isinstance(node, Term))
        )

    # -- the cards -------------------------------------------------------------------

    @cached_property
    def counted(self) -> tuple[str, str]:
        """Return how many there are, and where not all are of one kind how many of them are cards, stand-ins,
        components, terms.
        """
        kinds = dict(self.results.facet("entry"))
        if len(kinds) > 1:
            return f"{self.total:,} entries", entries_in_words(kinds)
        return entries_in_words(kinds) if kinds else some(self.total, "card"), ""

    @property
    def only_card(self) -> Card | None:
        """The card whose whole name was typed, if no other has it."""
        is_name = isinstance(self.query.query.tree, Exact) and not self.answer.meant
        return self.cards[0] if is_name and self.total == 1 and self.cards else None

    @property
    def groups(self) -> Iterator[tuple[str, int, str]]:
        """The title of each group of the cards, how many it has, and the address of the page that begins with
        it.
        """
        start = 0
        for title, keys in self.results.groups.items():
            after = f"&after={quote(self.results.key_at(start - 1))}" if start else ""
            yield title, len(keys), f"?{self.address}{after}#results"
            start += len(keys)

    def because(self, card: Card, game: Game) -> str:
        """Why a card is among the similar ones."""
        if not self._like or self._like.game != card.game:
            return ""
        return reasons(self._like.facts, card.facts, game) or (
            "words of your texts" if self.query.own else ""
        )

    @cached_property
    def columns(self) -> tuple[Fact, ...]:
        """The facts that the table shows; none in other views."""
        if self.view not in ("line", "numbers") or not self.game:
            return ()
        asked, picked = facts_asked_about(self.query)
        return not_empty(columns_of(self.game, self.query.type, asked, picked), self.cards, asked)

    @property
    def marks(self) -> tuple[RowFact, ...]:
        """Return what stands as a mark before the names of a table of one game."""
        return marks_of(self.game, self.query.type) if self.game else ()

    # -- the filter form ---------------------------------------------------------------

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """Return what tells the cards found apart."""
        return facets_of(self.query, self.game, self.results, self.rest)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The number facts that the form bounds."""
        controls = Controls() if self.has_faults else self.query.controls
        return ranges_of(controls, bounded_facts(self.query.game, self.query.type, self.query.fields))

    @property
    def box(self) -> str:
        """Return what was typed, without the game that stands beside the box."""
        game = self._asked.game
        return self.typed.removeprefix(f"game:{game.slug} ") if game else self.typed

    @property
    def search_box(self) -> str:
        """Return what stands in the form's search box. A query with faults stays whole there, as it was
        typed.
        """
        return self.query.text if self.has_faults else self._asked.controls.words

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """Return what the form sends along: the values picked elsewhere, unless the search box has them, and
        the view.
        """
        picked = "" if self.has_faults else self.query.controls.picked
        return [*([("with", picked)] if picked else []), *self._view.items()]

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """Return what the form offers to sort by: (value, label, whether it is chosen)."""
        now = ordered(self.query.query.order).removeprefix("order:")
        choices = {
            "": "Best match, then name",
            "name": "Name",
            "type": "Type",
            "set": "Set",
            "number": "Number in the set",
            "rarity": "Rarity",
            "-prints": "Most prints first",
        }
        for bounds in self.ranges:
            key, title = bounds.fact.key, bounds.fact.title
            choices |= {f"-{key}": f"{title}, highest first", key: f"{title}, lowest first"}
        choices.setdefault(now, f"As asked: {now}")
        return [(value, label, value == now) for value, label in choices.items()]

    # -- links -------------------------------------------------------------------------

    @property
    def address_as_typed(self) -> str:
        """The list of what was typed, though nothing is found, as what follows the question mark."""
        return urlencode({"q": self.typed, **self._view, "as_typed": "1"})

    # -- what may be meant ---------------------------------------------------------------

    @cached_property
    def in_all_games(self) -> str:
        """The address of the same query for the cards of all games, where it asks for those of one."""
        return list_address(without(self.query.query, self._of_game)) if self._of_game else ""

    @cached_property
    def found_in_all_games(self) -> OtherQuery | None:
        """Return what is found in all games, where nothing is found in one."""
        if not self._of_game or self.cards:
            return None
        found = answer_of(parse_query(normal(without(self.query.query, self._of_game)))).results.total
        return without_parts(self.query, self._of_game)._replace(count=found)

    @property
    def games_named(self) -> list[Game]:
        """The games that have what was typed in their names."""
        text = self._asked.controls.words if self._asked.game else self.typed
        return [
            game for game in games().values() if len(text) >= MIN_GAME_NAME and fold(text) in fold(game.name)
        ]

    @cached_property
    def alike(self) -> list[Card]:
        """Return cards whose names look like what was typed, where nothing is found."""
        return cards_meant(self.query) if not self.cards and not self.has_faults else []

    @cached_property
    def no_results(self) -> NoResults | None:
        """Return what each part of the query finds, where nothing is found."""
        return no_results(self.query) if not self.query.is_lost and not self.total else None
