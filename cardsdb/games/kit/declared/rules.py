"""Reads the rules that a format declares as data, and words each rule that its author has not worded.

``formats.py`` calls ``read_rule`` for each table of ``[[formats.FORMAT.rules]]``:

rule = "copies"          one of KINDS
limit = 3                keys of that kind of rule
of = { types = ["agent"], what = "agents" }     the cards that it looks at; all if absent
code = "NT-2"            the name of the rule in verdicts: one of rulebook.toml, or FORMAT-1, FORMAT-2 ...
says = "..."             the rule in a sentence, where rulebook.toml does not say it

Without ``says`` this one is worded "A deck has at most 3 copies of each card, counted among the agents."

A rule that no rulebook has is cited by its code FORMAT-1 and its sentence.

A new kind of rule needs, in this order:

- its class in ``rules/construction.py``, which judges a deck (tests: ``rules/test_construction.py``);
- in ``model/sentences.toml`` the sentence of each problem that the class yields;
- here a function that takes a ``RuleTable`` and returns (rule, its sentence), and its name in ``KINDS``
  (tests: ``declared/test_rules.py``);
- in ``tests/data_games/lantern-street/game.toml`` a rule of that kind, and an example that breaks it; tests
  in ``tests/cardsdb/games/test_declared_games.py`` fail until both are there;
- its name in the list of rules in ``docs/add-a-game.md``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.table import MAX_LISTED, Table, named_kinds
from cardsdb.games.kit.model.cards import Fact, FactValue, as_words
from cardsdb.games.kit.model.format import Group, Rule
from cardsdb.games.kit.model.text import listed, some
from cardsdb.games.kit.rules import card_lists, construction
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

MadeRule = TypeVar("MadeRule", bound=Rule)

# How many cards the sentence of a rule names before "and more".
MAX_NAMED = 12


@dataclass(frozen=True)
class RuleTable:
    """The table of one rule, with what every kind of rule reads from it."""

    table: Table
    game: GameFolder  # whose types, facts and sections the table may name
    code: str
    of: Group  # the cards that the rule looks at

    def made(self, kind: type[MadeRule], **given: Any) -> MadeRule:
        """The rule of this class. Fields that are not given are read from the keys of the same names, and
        the table is closed.
        """
        return self.table.made(kind, **{"code": self.code, "of": self.of, **given})

    def number(self, key: str, usual: int | None = None) -> int:
        return self.table.number(key, usual, needed=usual is None) or 0

    def fact(self, kinds: tuple[str, ...], key: str = "fact") -> Fact | None:
        """The fact that a key names. None, and a fault of the table, if the game has no such fact of these
        kinds.
        """
        facts = {fact.key: fact for fact in self.game.facts if fact.kind in kinds}
        return facts.get(self.table.choice(key, facts, needed=True))

    def cards(self) -> CardList:
        return CardList(self.table.words("cards", needed=True, most=MAX_LISTED))


# (rule, its sentence), which a function of ``KINDS`` returns; None if the table has a fault that leaves no
# rule.
Made = tuple[Rule, str] | None


def _size(given: RuleTable) -> Made:
    table = given.table
    # Only a game with code may declare cards of which it is not sure whether they count.
    perhaps = None
    if table.file.code and "perhaps" in table:
        perhaps = read_group(table.table("perhaps"), given.game)
    rule = given.made(Size, perhaps=perhaps)
    if rule.exactly is not None and (rule.at_least is not None or rule.at_most is not None):
        table.fault("exactly", "leaves no room for at_least and at_most; leave them out")
    bounds = {key: getattr(rule, key) for key in ("at_least", "at_most", "exactly")}
    stated = {key: number for key, number in bounds.items() if number is not None}
    if not stated:
        table.fault("rule", "says no number; give at_least, at_most or exactly")
    # "at least 40 and at most 60"
    words = " and ".join(f"{key.replace('_', ' ')} {number}" for key, number in stated.items())
    return rule, f"A deck has {words} {given.of.what}."


def _copies(given: RuleTable) -> Made:
    override = given.fact(("number",), "own_limit") if "own_limit" in given.table else None
    rule = given.made(CopyLimit, limit=given.number("limit"), override=override.key if override else "")
    unless = f", unless its own {override.title.lower()} says otherwise" if override else ""
    says = f"A deck has at most {some(rule.limit, 'copy', 'copies')} of each card{_among(given)}{unless}."
    return rule, says


def _singleton(given: RuleTable) -> Made:
    rule = given.made(CopyLimit, limit=1, override="")
    return rule, f"A deck has no card twice{_among(given)}."


def _restricted(given: RuleTable) -> Made:
    cards, limit = given.cards(), given.number("limit", 1)
    of = Group("restricted cards", given.of.sections, given.of.types, CardTest(cards=cards))
    says = f"A deck has at most {some(limit, 'copy', 'copies')} of each of these: {_names(cards)}."
    return given.made(CopyLimit, limit=limit, of=of, override=""), says


def _banned(given: RuleTable) -> Made:
    cards = given.cards()
    return given.made(Banned, cards=cards), f"Banned: {_names(cards)}."


def _points(given: RuleTable) -> Made:
    points, limit = given.table.numbers("cards", needed=True), given.number("limit")
    for called, number in points:
        if not number:
            given.table.fault(
                "cards", f"{called[:60]!r} must cost a point or more; a card that is left out costs nothing"
            )
    costs = listed(tuple(f"{called} {number}" for called, number in points), MAX_NAMED)
    says = f"The cards of the points list cost at most {some(limit, 'point')} together: {costs}."
    costly = tuple((called, number) for called, number in points if number)
    return given.made(PointsList, points=costly, limit=limit), says


def _only_types(given: RuleTable) -> Made:
    types = given.table.known("types", given.game.types_by_slug, "type", needed=True)
    names = listed(tuple(given.game.types_by_slug[name].plural.lower() for name in types))
    return given.made(OnlyTypes, types=types), f"Only {names} may be among the {given.of.what}."


def _only_sets(given: RuleTable) -> Made:
    sets = given.table.words("sets", needed=True)
    return given.made(OnlySets, sets=sets), f"Every card is from one of these sets: {listed(sets)}."


def _agreement(given: RuleTable) -> Made:
    if (fact := given.fact(("word", "number", "flag"))) is None:
        return None
    return given.made(AllShare, fact=fact.key), f"All {given.of.what} have the same {fact.title.lower()}."


def _one_of_each(given: RuleTable) -> Made:
    if (fact := given.fact(("word", "number"))) is None:
        return None
    values: tuple[FactValue, ...] = (
        given.table.words("values") if fact.kind == "word" else given.table.whole_numbers("values")
    )
    needs = f", and there is one of each: {listed(tuple(map(str, values)))}" if values else ""
    says = f"No two {given.of.what} have the same {fact.title.lower()}{needs}."
    return given.made(OneOfEach, fact=fact.key, values=values), says


def _total(given: RuleTable) -> Made:
    fact, limit = given.fact(("number",)), given.number("limit")
    if fact is None:
        return None
    says = f"The {fact.title.lower()} of the {given.of.what} comes to at most {limit} together."
    return given.made(TotalAtMost, fact=fact.key, limit=limit), says


def _without(given: RuleTable) -> Made:
    if (fact := given.fact(("word", "words", "flag"))) is None:
        return None
    value: FactValue = (
        given.table.flag("value", True) if fact.kind == "flag" else given.table.text("value", needed=True)
    )
    says = f"None of the {given.of.what} has a {fact.title.lower()} that is {as_words(value)}."
    return given.made(Without, fact=fact.key, value=value), says


# Name of a kind of rule -> the function that reads it.
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
    """(rule, its sentence) of a table. In the file of a game with code a rule may also be of a class of the
    kit or of that code, and its sentence is then empty. None, and a fault of the table, if it is no rule.
    """
    names = table.file.code
    classes = named_kinds(Rule, {**vars(construction), **vars(card_lists), **names}) if names else {}
    kind = table.choice("rule", (*KINDS, *classes), needed=True)
    if kind in KINDS:
        of = read_group(table.table("of"), game)
        made = KINDS[kind](RuleTable(table, game, code, of))
        if made is None:
            table.close()  # which ``RuleTable.made`` has not done
        return made
    if kind in classes:
        return table.made(classes[kind], code=code), ""
    return None


def read_group(table: Table | None, game: GameFolder) -> Group:
    """The cards that a rule looks at; all cards without a table.

    The table is ``{ sections, types, cards, where = { FACT = VALUE }, without = { FACT = VALUE }, what }``;
    ``what`` is the word for these cards. In a game with code ``where`` may name a function of that code,
    which then decides alone: ``cards`` and ``without`` have no effect beside it.
    """
    if table is None:
        return Group()
    sections = table.known("sections", game.sections_by_slug, "section")
    types = table.known("types", game.types_by_slug, "type")
    called = table.words("cards", most=MAX_LISTED)
    # ``where`` is either the name of a function, or facts that a card must have.
    names_function = table.file.code and table.says("where", str)
    function = table.named("where") if names_function else None
    having = () if function else _facts(table, "where", game)
    without = _facts(table, "without", game)
    usual = listed(tuple(game.types_by_slug[name].plural.lower() for name in types)) or "cards"
    what = table.text("what", usual, most=60) or usual
    table.close()
    test = CardTest(having, without, CardList(called) if called else None)
    # A group that asks nothing of its cards besides section and type has no condition.
    condition = function or (test if test != CardTest() else None)
    return Group(what, sections, types, condition)


def _facts(table: Table, key: str, game: GameFolder) -> tuple[tuple[str, FactValue], ...]:
    """(key of a fact, value) for each pair of the table at ``key``. Values of a wrong kind are faults."""
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
    return f", counted among the {given.of.what}" if given.of.what != "cards" else ""


def _names(cards: CardList) -> str:
    return listed(cards.called, MAX_NAMED) or "no card"
