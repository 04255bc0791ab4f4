"""What an address asks: a query read, checked and taken apart, within the catalogue as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Edition, EditionState
from cardsdb.search.edition import fields_for
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import OWN, Controls, bounded_facts, composed, controls_of, is_form
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import Problem, Query, Regex, Term, Tree, all_of, leaves
from cardsdb.search.results import Results, results_of
from cardsdb.site.faults import Fault, Refused


@dataclass(frozen=True, slots=True)
class CardQuery:
    """What an address asks: the text as typed, the query read from it, and the game if it asks for one."""

    text: str
    query: Query
    fields: Fields
    game: Game | None
    controls: Controls
    now: EditionState

    @property
    def type(self) -> str:
        """The slug of the one type asked for; empty without one."""
        value = self.controls.only("type")
        known = self.game.types if self.game else ()
        return next((t.slug for t in known if value in (t.slug, fold(t.name))), "")


def parse_query(text: str, game: Game | None = None) -> CardQuery:
    """Read a query; within a game, where one is given.

    A word means the same whether or not the query names a game, so that one more condition always
    narrows: a fact that a game does not have is one that nobody states there.
    """
    now = Edition.objects.current()
    fields = fields_for(None, now)
    query = check(parse(text), fields)
    controls = controls_of(query, fields)
    if slug := controls.only("game"):
        game = next((g for g in games().values() if slug in (g.slug, fold(g.name))), game)
    if game:
        query = replace(query, problems=(*query.problems, *_foreign(query.tree, game, fields)))
    read = CardQuery(text, query, fields, game, controls, now)
    return replace(read, controls=controls_of(query, fields, {fact.key for fact in bounded_facts(game, read.type, fields)}, game))


def _foreign(tree: Tree | None, game: Game, fields: Fields) -> Iterator[Problem]:
    """Advice for every fact that is asked for and that the game does not have."""
    for leaf in leaves(tree):
        field = fields.get(leaf.key) if isinstance(leaf, Term | Regex) else None
        if field and all(place.key not in game.facts_by_key and place.key in _fact_keys() for place in field.places):
            start, end = leaf.key_span or leaf.span
            message = f"{game.name} has no {field.title.lower()}: nothing states one of any of its cards."
            yield Problem("not-of-this-game", message, start, end, (), True)


def _fact_keys() -> set[str]:
    return {key for game in games().values() for key in game.facts_by_key}


def rewritten(params: Mapping[str, str]) -> str | None:
    """The query that the filter form's controls amount to, None if the address is a query already.

    A query that has faults stays as it was typed, so that nothing is lost while it is being mended.
    """
    if all(name in OWN for name in params):
        return None
    fields = fields_for(None)
    if not is_form(params, fields):
        return None
    text = composed(params, fields)
    read = parse_query(text)
    return text if read.query.faults else normal(read.query)


def results_for(text: str) -> Results | None:
    """The results of a query as typed, None if nothing of it is understood."""
    return results_of_asked(parse_query(text))


def results_of_asked(read: CardQuery) -> Results | None:
    """The results of what was read, None if nothing of it was understood: rather than every card there is."""
    return None if read.query.tree is None and read.query.faults else results_of(read.query, read.fields, read.now)


def strict(text: str, game: Game | None) -> tuple[Query, Fields]:
    """The checked query, within the game if one is given, and its fields. Raises Refused with every problem and its columns."""
    read = parse_query(text, game)
    if read.query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in read.query.faults))
    return within(read.query, game), read.fields


def within(query: Query, game: Game | None) -> Query:
    """The query among the cards of a game; among all without one."""
    return replace(query, tree=all_of([Term("game", "=", game.slug), query.tree])) if game else query
