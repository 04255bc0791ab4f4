"""The query of an address: read, checked and taken apart, for the current edition of the catalogue."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, fold
from cardsdb.identity.viewer import Viewer
from cardsdb.models.box import Boxes
from cardsdb.search.own_cards import boxes_of
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import OWN, Controls, bounded_facts, composed, controls_of, is_form
from cardsdb.search.query.tree import Problem, Query, Regex, Term, Tree, all_of, leaves, normal

# Advice on words that may be meant otherwise.
ABOUT_WORDS = frozenset(("word-not", "word-joins"))


@dataclass(frozen=True)
class CardQuery:
    """The query of an address: the text as typed, the query read from it, and the game if it asks for one.

    ``lists`` are lists of cards that ``in:`` knows by name, as primary keys: ``in:deck`` finds those of
    ``lists["deck"]``. ``own`` are the boxes whose texts it looks into besides: those of whoever asks.
    """

    text: str
    query: Query
    fields: Fields
    game: Game | None = None
    controls: Controls = field(default_factory=Controls)
    lists: Mapping[str, Collection[int]] = field(default_factory=dict)
    own: Boxes = ()

    @property
    def is_lost(self) -> bool:
        """Return whether nothing of it was understood: then it finds nothing, rather than every card."""
        return self.query.tree is None and bool(self.query.faults)

    @property
    def type(self) -> str:
        """The slug of the one type asked for; empty without one."""
        return type_asked(self.controls, self.game) if self.game else ""

    def asking(self, query: Query) -> "CardQuery":
        """The same for another query, made from this one."""
        return replace(self, query=query)

    def within(self, game: Game | None) -> "CardQuery":
        """The query among the cards of a game; among all without one."""
        if game is None:
            return self
        return self.asking(replace(self.query, tree=all_of([Term("game", "=", game.slug), self.query.tree])))


def type_asked(controls: Controls, game: Game) -> str:
    """The slug of the one type of the game that is picked; empty without one."""
    value = controls.only("type")
    return next((t.slug for t in game.types if value in (t.slug, fold(t.name))), "")


def parse_query(
    text: str,
    game: Game | None = None,
    lists: Mapping[str, Collection[int]] | None = None,
    viewer: Viewer | None = None,
) -> CardQuery:
    """Read a query; within a game, where one is given.

    A word means the same whether or not the query names a game, so that one more condition always
    narrows: a fact that a game does not have is one that nobody states there. With a viewer it looks into
    their own texts too.
    """
    whole = catalogue()
    fields = whole.fields()
    if lists:
        fields = fields.with_lists(lists)
    query = check(text, fields)
    controls = controls_of(query, fields)
    if slug := controls.only("game"):
        game = next((g for g in games().values() if slug in (g.slug, fold(g.name))), game)
    problems = _without_needless(query, whole, game)
    if game:
        problems = (
            *_with_own_suggestions(problems, text, whole.fields(game)),
            *_foreign(query.tree, game, fields),
        )
    query = Query(query.tree, problems, query.order, query.text)
    if game:
        bounded = {fact.key for fact in bounded_facts(game, type_asked(controls, game), fields)}
        controls = controls_of(query, fields, bounded, game)
    return CardQuery(text, query, fields, game, controls, lists or {}, boxes_of(viewer) if viewer else ())


def parse_strictly(text: str, game: Game | None = None, viewer: Viewer | None = None) -> CardQuery:
    """Read a query that must be understood whole. Raises Refused with every fault and its columns."""
    card_query = parse_query(text, game, viewer=viewer)
    if faults := card_query.query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in faults))
    return card_query


def _foreign(tree: Tree | None, game: Game, fields: Fields) -> Iterator[Problem]:
    """Advice for every fact that is asked for and that the game does not have."""
    keys = {key for one in fields.games for key in one.facts_by_key}
    for leaf in leaves(tree):
        field = fields.get(leaf.key) if isinstance(leaf, Term | Regex) else None
        if field and all(place.key not in game.facts_by_key and place.key in keys for place in field.places):
            start, end = leaf.key_span or leaf.span
            message = f"{game.name} has no {field.title.lower()}: nothing states one of any of its cards."
            yield Problem("not-of-this-game", message, start, end, (), True)


def _without_needless(query: Query, whole: Catalogue, game: Game | None) -> tuple[Problem, ...]:
    """The problems, without advice on words that are part of a card's name: "Failure is Not an Option"
    excludes nothing.
    """
    others = tuple(problem for problem in query.problems if problem.code not in ABOUT_WORDS)
    is_name = len(others) < len(query.problems) and whole.is_name(fold(query.text).split(), game)
    return others if is_name else query.problems


def _with_own_suggestions(problems: Collection[Problem], text: str, own: Fields) -> Iterator[Problem]:
    """The problems, with suggestions out of the game that is searched."""
    among_own = check(text, own).problems if any(problem.suggestions for problem in problems) else ()
    suggested = {(one.code, one.start, one.end): one.suggestions for one in among_own}
    for one in problems:
        yield replace(one, suggestions=suggested.get((one.code, one.start, one.end), one.suggestions))


def query_of_form(params: Mapping[str, str]) -> str | None:
    """The query made of the filter form's controls; None if the address is a query already.

    A query with faults stays as typed, so that nothing is lost while it is being mended.
    """
    if all(name in OWN for name in params):
        return None
    fields = catalogue().fields()
    if not is_form(params, fields):
        return None
    text = composed(params, fields)
    query = parse_query(text).query
    return text if query.faults else normal(query)
