"""The rules that a format declares as data: the name of each, its keys, and the sentence that it says if
nobody gives another.

[[formats.FORMAT.rules]]
rule = "copies"          one of KINDS
limit = 3                the rule's own keys
of = { types = ["agent"], what = "agents" }     which cards it looks at; all if nothing is said
code = "NT-2"            by which verdicts name it; of a rule in rulebook.toml, or FORMAT-1, FORMAT-2 ...
says = "..."             the rule in a sentence, where rulebook.toml does not say it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.declared.table import MAX_LISTED, Table
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Fact, FactValue
from cardsdb.games.kit.model.format import Group, Rule
from cardsdb.games.kit.model.text import listed, some
from cardsdb.games.kit.rules.card_lists import Banned, CardList, CardTest, OnlySets, PointsList
from cardsdb.games.kit.rules.construction import (
    AllShare,
    CopyLimit,
    OneOfEach,
    OnlyTypes,
    Size,
    TotalAtMost,
    Without,
)

# So many cards are named in the sentence that a rule says by itself.
MAX_NAMED = 12


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A rule's table, the game whose types, facts and sections it names, its code and the cards that it looks
    at.
    """

    table: Table
    game: GameFolder
    code: str
    of: Group

    @property
    def what(self) -> str:
        return self.of.what

    def number(self, key: str, usual: int | None = None) -> int:
        return self.table.number(key, usual, needed=usual is None) or 0

    def fact(self, key: str = "fact", kinds: tuple[str, ...] = ()) -> Fact | None:
        """The fact that the table names; a fault if it is none, or none of these kinds."""
        facts = {fact.key: fact for fact in self.game.facts if not kinds or fact.kind in kinds}
        name = self.table.choice(key, facts, "", needed=True)
        return facts.get(name)

    def cards(self) -> CardList:
        return CardList(self.table.words("cards", needed=True, most=MAX_LISTED))


# A rule and what it says, or None where a fault says why there is none.
Made = tuple[Rule, str] | None


def _size(given: RuleTable) -> Made:
    low, high, exactly = (given.table.number(key) for key in ("at_least", "at_most", "exactly"))
    if exactly is not None and (low is not None or high is not None):
        given.table.fault("exactly", "leaves no room for at_least and at_most; leave them out")
    if low is high is exactly is None:
        given.table.fault("rule", "says no number; give at_least, at_most or exactly")
    bounds = ((f"at least {low}", low), (f"at most {high}", high), (f"exactly {exactly}", exactly))
    words = " and ".join(text for text, number in bounds if number is not None)
    return Size(
        given.code, at_least=low, at_most=high, exactly=exactly, of=given.of
    ), f"A deck has {words} {given.what}."


def _copies(given: RuleTable) -> Made:
    limit = given.number("limit")
    override = given.fact("own_limit", ("number",)) if "own_limit" in given.table else None
    unless = f", unless its own {override.title.lower()} says otherwise" if override else ""
    says = f"A deck has at most {some(limit, 'copy', 'copies')} of each card{_among(given)}{unless}."
    return CopyLimit(given.code, limit=limit, of=given.of, override=override.key if override else ""), says


def _singleton(given: RuleTable) -> Made:
    return CopyLimit(given.code, limit=1, of=given.of), f"A deck has no card twice{_among(given)}."


def _restricted(given: RuleTable) -> Made:
    cards, limit = given.cards(), given.number("limit", 1)
    of = Group("restricted cards", given.of.sections, given.of.types, CardTest(cards=cards))
    says = f"A deck has at most {some(limit, 'copy', 'copies')} of each of these: {_names(cards)}."
    return CopyLimit(given.code, limit=limit, of=of), says


def _banned(given: RuleTable) -> Made:
    cards = given.cards()
    return Banned(given.code, cards=cards, of=given.of), f"Banned: {_names(cards)}."


def _points(given: RuleTable) -> Made:
    points, limit = given.table.numbers("cards", needed=True), given.number("limit")
    for called, number in points:
        if not number:
            given.table.fault(
                "cards", f"{called[:60]!r} must cost a point or more; a card that is left out costs nothing"
            )
    costs = listed(tuple(f"{called} {number}" for called, number in points), MAX_NAMED)
    says = f"The cards of the points list cost at most {some(limit, 'point')} together: {costs}."
    return PointsList(
        given.code, points=tuple(each for each in points if each[1]), limit=limit, of=given.of
    ), says


def _only_types(given: RuleTable) -> Made:
    types = given.table.known("types", given.game.types_by_slug, "type", needed=True)
    names = listed(tuple(given.game.types_by_slug[name].plural.lower() for name in types))
    return OnlyTypes(given.code, types=types, of=given.of), f"Only {names} may be among the {given.what}."


def _only_sets(given: RuleTable) -> Made:
    sets = given.table.words("sets", needed=True)
    return OnlySets(
        given.code, sets=sets, of=given.of
    ), f"Every card is from one of these sets: {listed(sets)}."


def _agreement(given: RuleTable) -> Made:
    fact = given.fact(kinds=("word", "number", "flag"))
    if fact is None:
        return None
    also = given.table.words("also")
    return AllShare(
        given.code, fact=fact.key, of=given.of, also=also
    ), f"All {given.what} have the same {fact.title.lower()}."


def _one_of_each(given: RuleTable) -> Made:
    fact = given.fact(kinds=("word", "number"))
    if fact is None:
        return None
    values: tuple[FactValue, ...] = (
        given.table.words("values") if fact.kind == "word" else given.table.whole_numbers("values")
    )
    needs = f", and there is one of each: {listed(tuple(map(str, values)))}" if values else ""
    return OneOfEach(
        given.code, fact=fact.key, values=values, of=given.of
    ), f"No two {given.what} have the same {fact.title.lower()}{needs}."


def _total(given: RuleTable) -> Made:
    fact, limit = given.fact(kinds=("number",)), given.number("limit")
    if fact is None:
        return None
    says = f"The {fact.title.lower()} of the {given.what} comes to at most {limit} together."
    return TotalAtMost(given.code, fact=fact.key, limit=limit, of=given.of), says


def _without(given: RuleTable) -> Made:
    fact = given.fact(kinds=("word", "words", "flag"))
    if fact is None:
        return None
    value: FactValue = (
        given.table.text("value", needed=True) if fact.kind != "flag" else given.table.flag("value", True)
    )
    told = f"is {value}" if fact.kind != "flag" else f"is {'yes' if value else 'no'}"
    return Without(
        given.code, fact=fact.key, value=value, of=given.of
    ), f"None of the {given.what} has a {fact.title.lower()} that {told}."


KINDS: Mapping[str, Callable[[RuleTable], Made]] = {
    "size": _size,
    "copies": _copies,
    "singleton": _singleton,
    "restricted": _restricted,
    "banned": _banned,
    "points": _points,
    "only_types": _only_types,
    "only_sets": _only_sets,
    "agreement": _agreement,
    "one_of_each": _one_of_each,
    "total": _total,
    "without": _without,
}


def read_rule(table: Table, game: GameFolder, code: str) -> Made:
    """The rule that a table declares, with the sentence that it says by itself. What is wrong becomes a fault
    of the table.
    """
    kind = table.choice("rule", KINDS, "", needed=True)
    if kind not in KINDS:
        return None
    made = KINDS[kind](RuleTable(table, game, code, _group(table.table("of"), game)))
    table.close()
    return made


def _group(table: Table | None, game: GameFolder) -> Group:
    """Which cards a rule looks at: ``{ sections, types, cards, where = { FACT = VALUE }, without = { FACT =
    VALUE }, what }``.
    """
    if table is None:
        return Group()
    sections = table.known("sections", game.sections_by_slug, "section")
    types = table.known("types", game.types_by_slug, "type")
    called = table.words("cards", most=MAX_LISTED)
    having, lacking = (_facts(table, key, game) for key in ("where", "without"))
    usual = listed(tuple(game.types_by_slug[name].plural.lower() for name in types)) or "cards"
    what = table.text("what", usual, most=60) or usual
    table.close()
    test = CardTest(having, lacking, CardList(called) if called else None)
    return Group(what, sections, types, test if test != CardTest() else None)


def _facts(table: Table, key: str, game: GameFolder) -> tuple[tuple[str, FactValue], ...]:
    kinds = {"number": int, "flag": bool, "word": str, "words": str, "text": str}
    values = table.values(key)
    for name, value in values.items():
        fact = game.facts_by_key.get(name)
        if fact is None:
            table.fault(
                key, f"{name[:60]!r} is no fact; declared are {', '.join(game.facts_by_key) or 'none'}"
            )
        elif type(value) is not kinds[fact.kind]:
            wanted = {"number": "a whole number", "flag": "true or false"}.get(fact.kind, "text")
            table.fault(key, f"{name!r} must be {wanted}, not {str(value)[:40]!r}")
    return tuple(values.items())


def _among(given: RuleTable) -> str:
    return f", counted among the {given.what}" if given.what != "cards" else ""


def _names(cards: CardList) -> str:
    return listed(cards.called, MAX_NAMED) or "no card"
