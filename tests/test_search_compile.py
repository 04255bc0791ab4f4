"""What queries mean: every condition the database is given, compared with a plain reading of the cards."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.catalogue import load
from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Fact, Game, Print
from cardsdb.games.kit.cards import fold as slow_fold
from cardsdb.models import Card
from cardsdb.search.columns import search_columns
from cardsdb.search.compile import check, explain, to_q
from cardsdb.search.fields import Fields, fields_of
from cardsdb.search.grammar import parse
from cardsdb.search.tree import And, Exact, Not, Or, Problem, Query, Term, Tree, Word, normal
from cardsdb.search.words import in_words

ALL = tuple(games().values())
SPYCRAFT = (games()["spycraft"],)

fold = cache(slow_fold)

# -- a plain reading of cards, to compare with -----------------------------------------

COMPARE = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "=": int.__eq__, ":": int.__eq__}


def matches(card: KitCard, game: Game, tree: Tree) -> bool:
    """Whether the card is meant by the tree, read off the card alone."""
    match tree:
        case And(parts):
            return all(matches(card, game, part) for part in parts)
        case Or(parts):
            return any(matches(card, game, part) for part in parts)
        case Not(part):
            return not matches(card, game, part)
        case Exact(value):
            return fold(card.name) == fold(value)
        case Word(value):
            words = [w for fact in game.facts if fact.kind in ("word", "words") for w in card.words(fact.key)]
            kind = game.types_by_slug[card.type]
            lines = (card.name, *card.aliases, kind.name, kind.plural, game.name, *words, card.text)
            return any(fold(value) in fold(line) for line in lines)
        case Term("is", _, value):
            return any(card.fact(fact.key) is True for fact in facts_called(game, value) if fact.kind == "flag")
        case Term("has", _, value):
            return known(card, game, value)
        case Term(key, "!=", value):
            return (key == "name" or known(card, game, key)) and not equals(card, game, key, "=", value)
        case Term(key, op, value):
            return equals(card, game, key, op, value)


@cache
def set_codes() -> set[str]:
    return {fold(card_set.code) for game in ALL for card_set in game.sets}


@cache
def facts_called(game: Game, word: str) -> list[Fact]:
    def plain(text: str) -> str:
        return fold(text).replace("-", " ").replace("_", " ")

    return [fact for fact in game.facts if plain(word) in (plain(text) for text in (fact.key, fact.title, *fact.aliases))]


def known(card: KitCard, game: Game, word: str) -> bool:
    match word:
        case "type" | "game" | "source" | "certainty":
            return True
        case "text":
            return bool(card.text)
        case "set":
            return bool(card.prints)
        case "rarity":
            return any(p.rarity for p in card.prints)
        case "number":
            return any(p.number or p.code for p in card.prints)
    return any(fact.key in card.facts for fact in facts_called(game, word))


def equals(card: KitCard, game: Game, key: str, op: str, value: str) -> bool:
    wanted = fold(value)

    def among(values: Iterable[str]) -> bool:
        folded = [fold(v) for v in values if fold(v)]
        return wanted in folded if op == "=" else any(wanted in v for v in folded)

    match key:
        case "name":
            return among([card.name])
        case "type":
            return among([card.type, game.types_by_slug[card.type].name])
        case "game":
            return among([game.slug, game.name])
        case "text":
            return among([card.text])
        case "set":
            codes = [fold(p.set) for p in card.prints]
            if op == ":" and wanted in set_codes():
                return wanted in codes
            return wanted in codes or among(game.sets_by_code[p.set].name for p in card.prints)
        case "rarity":
            return wanted in [fold(p.rarity) for p in card.prints]
        case "number" if op in ("<", "<=", ">", ">="):
            written = [text for p in card.prints for text in (p.number, p.code)]
            return any(COMPARE[op](int(text), int(value)) for text in written if text.isascii() and text.isdigit())
        case "number":
            return any(wanted in (fold(p.number), fold(p.code)) for p in card.prints)
        case "certainty":
            return among(claim.certainty for claim in claims_of(card))
        case "source":
            return among(text for c in claims_of(card) for text in (c.document, game.documents[c.document].title))
    return any(fact_equals(card, fact, op, value, among) for fact in facts_called(game, key))


def claims_of(card: KitCard) -> Iterable[Claim]:
    return (claim for claims in card.sources.values() for claim in claims)


def fact_equals(card: KitCard, fact: Fact, op: str, value: str, among: Any) -> bool:
    found = card.fact(fact.key)
    if found is None:
        return False
    match fact.kind:
        case "number":
            return value.lstrip("-").isdecimal() and COMPARE[op](found, int(value))
        case "flag":
            return value in ("yes", "no") and found is (value == "yes")
        case _:
            return op in (":", "=") and among(card.words(fact.key))


def found(query: Query, fields: Fields) -> set[int]:
    return set(Card.objects.filter(to_q(query.tree, fields)).values_list("pk", flat=True))


def expected(query: Query, rows: dict[str, int]) -> set[int]:
    cards = ((card, game) for game in ALL for card in game.cards)
    return {rows[card.key] for card, game in cards if query.tree is None or matches(card, game, query.tree)}


@pytest.fixture
def rows(db: None) -> dict[str, int]:
    """Card key -> the id of its row."""
    return {card.key: card.pk for card in Card.objects.only("game", "code")}


# -- every term of every game ------------------------------------------------------------


@cache
def questions() -> list[str]:
    """Terms that use every field, every operator and values that cards really have."""
    asked = ["name:the", 'name="first aid"', "name!=kai", "!Tracer", "tracer", '"of the"', "%", "_", "\\", "a%b", "x_", "é", "'"]
    asked += ["type:agent", "type=agent", "type!=agent", "t:x", "has:text", "text:draw", "x:%", "certainty:stated", "source:rule"]
    asked += [
        "set:truth",
        "set:x1",
        "s:on",
        "set!=on",
        "set=premiere",
        "rarity:rare",
        "rarity!=common",
        "number:12",
        "number!=12",
        "number>340",
        "number<=12",
    ]
    asked += [f"has:{word}" for word in ("set", "rarity", "number", "type", "source")]
    asked += [f"game:{game.slug}" for game in ALL] + ["game:spy", 'game="the x-files"']
    asked += ["cost>=3", "cost<3", "cost!=3", "cost:3", "place:public", "place>=3", "place:3", "trait:soldier", "skill:computer"]
    for game in ALL:
        for place, fact in enumerate(game.facts):
            asked.append(f"has:{fact.key}")
            values = sorted({w for card in game.cards for w in card.words(fact.key)}, key=str.casefold)
            match fact.kind:
                case "number":
                    asked += [f"{fact.key}{op}3" for op in ((":", ">", ">="), ("=", "!=", "<", "<="))[place % 2]]
                    asked.append(f"{fact.key}<-1")
                case "flag":
                    asked += [f"{fact.key}:yes", f"{fact.key}=no", f"{fact.key}!=no", f"is:{fact.key}"]
                case _:
                    asked.append(f"{fact.key}:e")
                    if values:
                        value = values[len(values) // 2].replace('"', "")
                        asked += [f'{fact.key}:"{value}"', f"{fact.key}:{fold(value)[:2]}".replace(" ", "")]
                        asked += [f'{fact.key}{op}"{value}"' for op in ("=", "!=")] if fact.kind != "text" else []
    return asked


@pytest.mark.django_db
def test_every_term_and_its_opposite_find_the_cards_a_plain_reading_finds(rows: dict[str, int]) -> None:
    fields = fields_of(ALL)
    for text in questions():
        query = check(parse(text), fields)
        assert not query.faults, (text, query.faults)
        wanted = expected(query, rows)
        assert found(query, fields) == wanted, text
        opposite = check(parse(f"-{text}"), fields)
        assert found(opposite, fields) == set(rows.values()) - wanted, f"-{text}"


queries = st.recursive(
    st.deferred(lambda: st.sampled_from(questions())),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' or '.join(parts)})"),
        inner.map(lambda part: f"-({part})"),
    ),
    max_leaves=8,
)


@pytest.mark.django_db
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(queries)
def test_any_combination_finds_the_cards_a_plain_reading_finds(rows: dict[str, int], text: str) -> None:
    fields = fields_of(ALL)
    query = check(parse(text), fields)
    assert found(query, fields) == expected(query, rows)
    assert in_words(query.tree, fields)
    assert check(parse(normal(query.tree)), fields).tree == query.tree


@pytest.mark.django_db
def test_a_query_is_one_statement_whatever_it_asks(django_assert_num_queries: Any) -> None:
    fields = fields_of(ALL)
    query = check(parse("t:agent (faction:krypt or traits:soldier) -craft>=4 set:on has:rarity kai"), fields)
    with django_assert_num_queries(1):
        list(Card.objects.filter(to_q(query.tree, fields)))


@pytest.mark.django_db
def test_a_fact_of_the_same_name_but_another_kind_is_left_alone_in_the_other_game(parcels: Game) -> None:
    written = replace(parcels, slug="other", facts=(Fact("weight", "word", "In words."), Fact("city", "word", "A city.")))
    load(written)
    fields = Fields([parcels, written])
    among = Card.objects.filter(game__in=("deaddrop", "other"))

    def keys(text: str) -> set[str]:
        query = check(parse(text), fields)
        assert not query.faults
        return {card.key for card in among.filter(to_q(query.tree, fields))}

    assert keys("weight>=4") == {"deaddrop/sealed-box"}
    assert keys("-weight>=4") == {"deaddrop/zorka", "other/zorka", "other/sealed-box"}
    assert keys("weight:7") == {"deaddrop/sealed-box", "other/sealed-box"}
    assert keys("weight!=8") == {"deaddrop/sealed-box", "other/sealed-box"}


# -- what is not known -------------------------------------------------------------------


@pytest.fixture
def parcels(sixth_game: Game, db: None) -> Game:
    """Two cards: a box that weighs 7 and a courier whose weight nobody states."""
    load(sixth_game)
    return sixth_game


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("weight>=4", {"sealed-box"}),
        ("-weight>=4", {"zorka"}),
        ("-weight>=8", {"zorka", "sealed-box"}),
        ("weight<8", {"sealed-box"}),
        ("-weight<8", {"zorka"}),
        ("weight!=7", set()),
        ("weight!=6", {"sealed-box"}),
        ("-weight!=7", {"zorka", "sealed-box"}),
        ("-weight=7", {"zorka"}),
        ("weight=007", {"sealed-box"}),
        ("has:weight", {"sealed-box"}),
        ("-has:weight", {"zorka"}),
        ("-(weight>=4 or city:trieste)", set()),
        ("-(weight>=4 city:trieste)", {"zorka", "sealed-box"}),
        ("city:TRIÉ", {"zorka"}),
        ("city=trie", set()),
        ("city!=rome", {"zorka"}),
        ("-city:rome", {"zorka", "sealed-box"}),
        ("weight<=9223372036854775807", {"sealed-box"}),
        ("-weight>-9223372036854775807", {"zorka"}),
    ],
)
def test_an_unknown_fact_satisfies_no_comparison_and_every_exclusion(parcels: Game, text: str, codes: set[str]) -> None:
    fields = Fields([parcels])
    query = check(parse(text), fields)
    assert not query.faults
    assert {card.code for card in Card.objects.in_game(parcels.slug).filter(to_q(query.tree, fields))} == codes


def test_a_sixth_game_brings_its_own_search_words(sixth_game: Game) -> None:
    assert {"weight", "city"} <= {field.word for field in Fields([sixth_game])}


# -- checking ----------------------------------------------------------------------------


def problems(text: str, among: tuple[Game, ...] = SPYCRAFT) -> tuple[Problem, ...]:
    return check(parse(text), fields_of(among)).problems


@pytest.mark.parametrize(
    ("text", "code", "start", "end", "suggestion"),
    [
        ("kai crfat>=4", "unknown-field", 4, 9, "craft"),
        ("tpye:agent", "unknown-field", 0, 4, "type"),
        ("faction>3", "wrong-operator", 7, 8, ":"),
        ("type>=agent", "wrong-operator", 4, 6, ":"),
        ("text=draw", "wrong-operator", 4, 5, ":"),
        ("is>unique", "wrong-operator", 2, 3, ":"),
        ("number>ten", "bad-value", 7, 10, None),
        ("craft:four", "bad-value", 6, 10, None),
        ("craft>=1_0", "bad-value", 7, 10, None),
        ("craft>=²", "bad-value", 7, 8, None),
        ("craft>=٣", "bad-value", 7, 8, None),
        ("craft>=1e9", "bad-value", 7, 10, None),
        ("craft>=0x10", "bad-value", 7, 11, None),
        ("craft>=+1", "bad-value", 7, 9, None),
        ("craft>=4.0", "bad-value", 7, 10, None),
        ("craft>=9223372036854775808", "bad-value", 7, 26, None),
        ("craft>=" + "9" * 900, "bad-value", 7, 907, None),
        ("craft>=NaN", "bad-value", 7, 10, None),
        ("unique:maybe", "bad-value", 7, 12, "yes"),
        ("is:unqiue", "bad-value", 3, 9, "unique"),
        ("has:factoin", "bad-value", 4, 11, "faction"),
        ("\u0301", "bad-value", 0, 1, ""),
    ],
)
def test_a_term_that_cannot_be_answered_is_dropped_and_reported(text: str, code: str, start: int, end: int, suggestion: str | None) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.start, problem.end) == (code, start, end)
    assert not problem.advice
    assert (problem.suggestions[0] if problem.suggestions else None) == suggestion
    kept = check(parse(f"{text} type:agent"), fields_of(SPYCRAFT))
    assert normal(kept.tree) == ("kai type:agent" if text.startswith("kai") else "type:agent")


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [("t:agnet", "Agent"), ("faction:kript", '"The Krypt"'), ("traits=soldeir", "Soldier"), ("set:nightfal1", '"Operation: Nightfall"')],
)
def test_a_value_that_no_card_has_stays_valid_and_is_worth_a_suggestion(text: str, suggestion: str) -> None:
    query = check(parse(text), fields_of(SPYCRAFT))
    (problem,) = query.problems
    assert (problem.code, problem.advice, problem.suggestions[0]) == ("unknown-value", True, suggestion)
    assert query.tree is not None
    assert query.faults == ()
    assert problems(text[: problem.start] + suggestion + text[problem.end :]) == ()


def test_known_values_words_and_short_forms_are_no_problem() -> None:
    assert problems('t:agent faction:krypt s:on lvl>2 "victory"  victory-points>=5 has:"victory points" is:unique solo:yes') == ()


def test_a_short_form_is_written_out_in_the_normal_query() -> None:
    assert normal(check(parse("T:agent LVL>2 vp:5"), fields_of(SPYCRAFT)).tree) == "type:agent level>2 victory_points:5"


def test_a_word_of_several_games_looks_in_each_of_them() -> None:
    field = fields_of(ALL).get("cost")
    assert field is not None
    looked_in = {place.key: place.games for place in field.places}
    assert looked_in["expense"] == ("spycraft",)
    assert "xfiles" in looked_in["cost"]


def test_every_fact_of_every_game_is_a_search_word() -> None:
    fields = fields_of(ALL)
    for game in ALL:
        for fact in game.facts:
            for word in (fact.key, *fact.aliases):
                field = fields.get(word)
                assert field is not None, word
                assert fact.key in {place.key for place in field.places}, word


def test_a_short_form_gives_way_to_a_fact_and_a_whole_standard_word_does_not(sixth_game: Game) -> None:
    fields = Fields([replace(sixth_game, facts=(Fact("weight", "number", "Weight.", aliases=("t", "type")), *sixth_game.facts[1:]))])
    assert [fields.get(word).word for word in ("t", "type", "weight")] == ["weight", "type", "weight"]  # type: ignore[union-attr]


# -- plain words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "every card"),
        ("t:agent faction:krypt craft>=4", "type is Agent, faction is The Krypt, and craft is at least 4"),
        ("-t:agent or -craft>=4", "type is not Agent or craft is not known to be at least 4"),
        ("kai -!Kai", "it mentions “kai” and the name is not exactly “Kai”"),
        ("name:kai -name:x", "name contains “kai” and name does not contain “x”"),
        ("craft<3 craft!=2", "craft is less than 3 and craft is known and not 2"),
        ("-craft!=2", "craft is unknown or 2"),
        ("t!=agent", "type is not Agent"),
        ("is:unique -is:unique", "it is unique and it is not known to be unique"),
        ("has:rarity -has:vp", "rarity is known and victory points is not known"),
        ("traits:soldier -traits:soldier", "traits include Soldier and traits are not known to include Soldier"),
        ("faction:e -faction:e", "faction contains “e” and faction does not contain “e”"),
        ("set:on", "set is Operation: Nightfall"),
        ("number>340 -number<=12", "number is more than 340 and number is not known to be at most 12"),
        ("text:draw -text:draw", "our own notes mention “draw” and our own notes do not mention “draw”"),
        ("order:lvl", "every card, sorted by level"),
        ("unique:no", "unique is no"),
        ("a (b or c)", "it mentions “a” and (it mentions “b” or it mentions “c”)"),
        ("-(a b)", "not (it mentions “a” and it mentions “b”)"),
    ],
)
def test_a_query_is_said_in_plain_words(text: str, words: str) -> None:
    assert explain(text, fields_of(SPYCRAFT))["words"] == words


def test_explaining_gives_the_whole_understanding() -> None:
    assert explain("t:agnet craft>=x", fields_of(SPYCRAFT)) == {
        "normal": "type:agnet",
        "words": "type contains “agnet”",
        "tree": {"kind": "term", "key": "type", "op": ":", "value": "agnet", "start": 0, "end": 7},
        "order": [],
        "problems": [
            {"code": "unknown-value", "message": "Type: no card has “agnet”.", "start": 2, "end": 7, "suggestions": ["Agent"]},
            {
                "code": "bad-value",
                "message": "Craft is compared with a whole number or another number field, not with “x”.",
                "start": 15,
                "end": 16,
                "suggestions": [],
            },
        ],
    }


# -- hostile text --------------------------------------------------------------------------

BAITS = r"""
' OR 1=1 --
'; DROP TABLE cardsdb_card; --
" OR ""="
%
%%%
_
\
\%
[a-z]*
.*
(a+)+$
^
$
|
name:|
faction:|game=spycraft|
traits:.*
x:(
NEAR(a b)
a AND
AND OR NOT
-a
x:y
*
name:*
{{7*7}}
${jndi}
<script>alert(1)</script>
../../etc/passwd
NULL
None
true
undefined
0
-1
1e400
NaN
∞
craft>=∞
田中さんにあげて下さい
Ω≈ç√∫˜µ
👾 🙇
مرحبا
T̺͖o͏
İ
ß
ﬁ
game__owner:1
facts__craft:1
_connector:OR
pk:1
id=1
craft__gte>=1
has:__class__
is:__init__
""".splitlines()[1:]
UNPRINTABLE = ["\u202etest\u202c", "\ufeff", "\x00", "\ud800", "a\u2028b", "a\\", "ﷺ" * 1000]
LONG = [
    "a " * 600,
    "traits:a " * 40,
    "-traits:e " * 40,
    "x:e " * 40,
    "a or " * 40,
    "%" * 1024,
    "\\" * 1024,
    "header:e or " * 40,
    "(" * 1024,
]


@pytest.mark.django_db
@pytest.mark.parametrize("text", BAITS + UNPRINTABLE + LONG, ids=lambda text: ascii(text[:24]))
def test_hostile_text_is_answered_by_the_database_in_good_time(text: str) -> None:
    fields = fields_of(ALL)
    started = time.perf_counter()
    for typed in (text, f'name:"{text}"', f"-({text})"):
        query = check(parse(typed), fields)
        Card.objects.filter(to_q(query.tree, fields)).count()
        explain(typed, fields_of(ALL))
    assert time.perf_counter() - started < 3


SIGNS = st.sampled_from(["(", ")", "-", "or", '"'])


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None)) | st.lists(st.deferred(lambda: st.sampled_from(questions())) | SIGNS).map(" ".join))
def test_any_text_is_explained(text: str) -> None:
    explained = explain(text, fields_of(ALL))
    for problem in explained["problems"]:
        assert 0 <= problem["start"] <= problem["end"] <= len(text)


# -- a card's columns ------------------------------------------------------------------------


def test_the_columns_hold_folded_text_between_bars() -> None:
    game = games()["spycraft"]
    facts = {"faction": "The Krypt", "traits": ("Soldier", "Fi|xer"), "craft": 4, "unique": True}
    card = KitCard("spycraft", "x", "Dr. Zoé", "agent", facts, "Draws\nTWO.", {"": (Claim("octgn"),)}, (Print("ON", "7"),), ("Zo",))
    columns = search_columns(card, game)
    assert columns["name_folded"] == "dr. zoe"
    assert columns["search_text"] == "dr. zoe\nzo\nagent\nagents\nspycraft\nthe krypt\nsoldier\nfi|xer\ndraws two."
    for term in ("game=spycraft", "type=agent", "set=on", "set-name=operation: nightfall", "number=7", "faction=the krypt"):
        assert f"|{term}|" in columns["terms"]
    for term in ("traits=soldier", "traits=fi/xer", "craft=4", "unique=yes", "certainty=stated", "source=octgn", "text=draws two."):
        assert f"|{term}|" in columns["terms"]
    assert "rarity" not in columns["terms"]
