"""Standard fields: regular expressions, comparisons of two fields, short forms, counted values, and the
search columns of a card's row.
"""

from __future__ import annotations

import time

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Claim, Game, Print
from cardsdb.games.kit.contract.checks import RESERVED_SEARCH_WORDS
from cardsdb.search.query import standard
from cardsdb.search.query.check import check
from cardsdb.search.query.expressions import MAX_PATTERN
from cardsdb.search.query.fields import QUESTIONS, Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.scanner import DISPLAY
from cardsdb.search.query.standard import MINE, STANDARD, search_columns, stated_values
from cardsdb.search.query.tree import Not, Regex, Term, Versus, Word, normal
from tests.support.search_fields import fields_of, vocabulary_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, found, names, problem

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

# -- regular expressions -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("name:/^the .+ (man|men)$/", Regex("name", "^the .+ (man|men)$")),
        ("text=/a b/", Regex("text", "a b")),
        (r"/a\/b\d/", Regex("name", r"a/b\d")),
        ("-/x/", Not(Regex("name", "x"))),
        ("24/7", Word("24/7")),
        ('"/x/"', Word("/x/")),
        ('name:"/x/"', Term("name", ":", "/x/")),
    ],
)
def test_only_slashes_around_a_whole_value_make_a_regular_expression(text, tree):
    query = parse(text)
    assert query.tree == tree
    assert query.problems == ()
    assert parse(normal(query)).tree == tree


def test_an_expression_that_is_too_long_is_reported_in_its_place():
    found = problem(f"name:/{'a' * (MAX_PATTERN + 1)}/")
    assert (found.code, found.start, found.end) == ("bad-regex", 5, MAX_PATTERN + 8)


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("name:/(a|b)", "name:/(a|b)/"),
        # A last backslash that escapes nothing is dropped, but not the escaped one before it.
        ("name:/a\\", "name:/a/"),
        ("name:/a\\\\\\", r"name:/a\\/"),
    ],
)
def test_the_suggestion_for_an_unclosed_expression_closes_it(text, closed):
    assert cured(text) == closed


@pytest.mark.django_db
def test_an_expression_ignores_case_and_accents():
    wanted = sorted(card.name for card in SPYCRAFT[0].cards if card.name.casefold().startswith("the "))
    assert wanted
    assert sorted(names("/^THE /")) == wanted
    assert names("/^Thé /") == names("/^the /")


@pytest.mark.django_db
def test_a_hostile_expression_is_answered_in_good_time():
    started = time.process_time()
    names("name:/(a+)+$/ or text:/(a|aa)+$/ or text:/(.*)*x(.*)*/", ALL)
    assert time.process_time() - started < 5


# -- a field against a field ---------------------------------------------------------------


def test_two_number_fields_are_compared():
    assert checked("combat>craft").tree == Versus("combat", ">", "craft")
    assert checked("combat:lvl").tree == Versus("combat", "=", "level")
    assert normal(checked("combat != lvl")) == "combat!=level"


def test_a_value_in_quotes_is_never_read_as_a_field():
    assert problem('combat="craft"').code == "bad-value"


@pytest.mark.django_db
@pytest.mark.parametrize("op", ["=", "!=", "<", ">"])
def test_an_unknown_side_meets_no_comparison_and_every_exclusion(op):
    found, others = set(names(f"combat{op}craft")), set(names(f"-combat{op}craft"))
    both = {card.name for card in SPYCRAFT[0].cards if {"combat", "craft"} <= set(card.facts)}
    assert found and found < both
    assert len(names(f"combat{op}craft")) + len(names(f"-combat{op}craft")) == len(SPYCRAFT[0].cards)
    assert {card.name for card in SPYCRAFT[0].cards if card.name not in both} <= others


# -- sets, prints, disputes ------------------------------------------------------------------


def test_words_of_the_language_and_query_parameters_are_reserved():
    ours = {field.word for field in STANDARD} | set(DISPLAY) | set("q page all after before view".split())
    assert ours - RESERVED_SEARCH_WORDS == set()


# -- vocabularies ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    [
        "traits:sol",
        "traits=soldier",
        "traits:/^s.l/",
        "order:faction",
    ],
)
def test_a_field_with_too_many_values_finds_the_same_and_gives_no_advice(text):
    game = SPYCRAFT[0]
    counted = vocabulary_of(game, game.cards)
    fields = Fields(
        SPYCRAFT,
        {game.slug: {key: values for key, values in counted.items() if key not in ("traits", "faction")}},
        fields_of(SPYCRAFT).cards,
        fields_of(SPYCRAFT).names_like,
    )
    query = check(text, fields)
    cards = [card for card in found(query, fields) if card.game == "spycraft"]
    assert [card.name for card in cards] == names(text) != []
    assert check("traits:nosuchtrait", fields).problems == ()


def test_fields_without_counted_values_give_no_error():
    fields = Fields(SPYCRAFT, {}, lambda text: None, lambda text: [text])
    assert check("traits:soldier t:agent rarity=rare !Kai", fields).problems == ()
    assert check("similar:kai", fields).problems[0].code == "unknown-card"


@pytest.mark.parametrize("pattern", [r"([a-m]?.{12}[n-z]?){3}[qx]", "(.?){50}[zj]", ".{30}q.{30}x.{100}"])
def test_an_expression_that_would_take_seconds_on_many_cards_is_refused(pattern):
    (problem,) = check(f"text:/{pattern}/", fields_of(ALL)).problems
    assert problem.code == "bad-regex"


def test_a_query_may_have_three_expressions_but_no_more():
    query = check("/a.c/ /b.d/ -/c.e/ (/d.f/ or kai)", fields_of(ALL))
    assert [problem.code for problem in query.problems] == ["too-many-patterns"]


# -- the search columns of a card's row -----------------------------------------------------


ZOE = KitCard(
    "spycraft",
    "x",
    "Dr. Zoé",
    "agent",
    {"faction": "The Krypt", "traits": ("Soldier", "Fi|xer"), "craft": 4, "unique": True},
    "Draws\nTWO.",
    {"": (Claim("octgn"),)},
    (Print("ON", "7"),),
    ("Zo",),
)


def test_the_name_and_all_words_of_a_card_are_folded_in_a_line_each():
    columns = search_columns(ZOE, games()["spycraft"])
    assert columns["name_folded"] == "dr. zoe"
    lines = ["dr. zoe", "zo", "agent", "agents", "spycraft", "the krypt", "soldier", "fi|xer", "draws two."]
    assert columns["search_text"].splitlines() == lines


def test_terms_have_every_stated_value_and_no_other():
    # A bar inside a value becomes a slash, because bars separate the terms.
    stated = "set-name=operation: nightfall;faction=the krypt;traits=fi/xer;text=draws two.".split(";")
    stated += "game=spycraft type=agent set=on number=7 traits=soldier craft=4 unique=yes".split()
    stated += "certainty=stated source=octgn prints=1".split()
    found = terms(ZOE, games()["spycraft"])
    assert set(stated) <= set(found)
    assert not [term for term in found if term.startswith("rarity")]


def test_every_key_of_terms_is_searched_by_some_field():
    looked_at = {place.key for field in fields_of(tuple(games().values())) for place in field.places}
    stated = {
        term.partition("=")[0]
        for game in games().values()
        for card in game.cards
        for term in terms(card, game)
    }
    assert stated <= looked_at


def test_every_standard_field_has_its_line_in_stated_values():
    """Without it the field would never find anything."""
    stated = {key for game in games().values() for card in game.cards for key, _ in stated_values(card, game)}
    for field in STANDARD:
        for place in field.places:
            is_stated = place.key in stated or place.key == MINE or place.kind in QUESTIONS
            assert is_stated, f"no line of stated_values in {standard.__file__} yields {place.key!r}"


def terms(card: KitCard, game: Game) -> list[str]:
    return search_columns(card, game)["terms"].strip("|").split("|")
