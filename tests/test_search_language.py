"""What the language can say beyond words and terms: expressions, comparisons of facts, display, likeness, and what may have been meant."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.contract import RESERVED_SEARCH_WORDS
from cardsdb.models import Card
from cardsdb.search.compile import check, to_q
from cardsdb.search.fields import STANDARD, Fields, fields_of
from cardsdb.search.grammar import parse
from cardsdb.search.limits import MAX_NAMED, MAX_ORDERS, MAX_PATTERN
from cardsdb.search.order import is_by_name, ordering, relevance_words
from cardsdb.search.scanner import DISPLAY
from cardsdb.search.similar import closeness, liked, reasons
from cardsdb.search.stored import stored_card
from cardsdb.search.tree import And, AtLeast, Not, Order, Problem, Query, Regex, Term, Versus, Word, normal
from cardsdb.search.vocabulary import vocabulary_of
from cardsdb.search.words import in_words
from tests.search_oracle import catalogue_order, matches

ALL = tuple(games().values())
SPYCRAFT = (games()["spycraft"],)


def checked(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Query:
    return check(parse(text), fields_of(among))


def problem(text: str, among: tuple[Game, ...] = SPYCRAFT) -> Problem:
    (found,) = checked(text, among).problems
    return found


def cured(text: str, among: tuple[Game, ...] = SPYCRAFT) -> str:
    """The text with the first suggestion in place of what is marked."""
    found = problem(text, among)
    return text[: found.start] + found.suggestions[0] + text[found.end :]


def names(text: str, among: tuple[Game, ...] = SPYCRAFT) -> list[str]:
    fields = fields_of(among)
    query = checked(text, among)
    assert not query.faults, query.faults
    rows = Card.objects.current().filter(game__in=[game.slug for game in among]).filter(to_q(query.tree, fields))
    return [row.name for row in rows.order_by(*ordering(query.order, query.tree, fields))]


# -- regular expressions -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("name:/^the .+ (man|men)$/", Regex("name", "^the .+ (man|men)$")),
        ("/^x/", Regex("name", "^x")),
        ("text=/a b/", Regex("text", "a b")),
        (r"/a\/b\d/", Regex("name", r"a/b\d")),
        ("-/x/", Not(Regex("name", "x"))),
        ("24/7", Word("24/7")),
        ("/", Word("/")),
        ("a/b/", Word("a/b/")),
        ('"/x/"', Word("/x/")),
        ('name:"/x/"', Term("name", ":", "/x/")),
    ],
)
def test_slashes_make_an_expression_only_around_a_whole_value(text: str, tree: object) -> None:
    query = parse(text)
    assert query.tree == tree
    assert query.problems == ()
    assert parse(normal(query)).tree == tree


patterns = (
    st.text(st.sampled_from('ab/.*\\ ()|"é-:'), min_size=1).map(str.strip).filter(lambda p: p and not p.endswith("\\") and "\\/" not in p)
)


@given(patterns)
def test_an_expression_written_down_reads_as_the_same(pattern: str) -> None:
    assert parse(normal(Regex("name", pattern))) == Query(Regex("name", pattern))


@pytest.mark.parametrize(
    ("text", "code", "start", "end"),
    [
        ("kai /abc", "unclosed-regex", 4, 8),
        ("name:/a|b c", "unclosed-regex", 5, 11),
        ("kai //", "empty-value", 4, 6),
        ("craft>/4/", "wrong-operator", 5, 6),
        ("craft:/4/", "wrong-operator", 6, 9),
        ("foo:/4/", "unknown-field", 0, 3),
        ("name:/(a/", "bad-regex", 5, 9),
        (r"name:/(a)\1/", "bad-regex", 5, 12),
        ("name:/a(?=b)/", "bad-regex", 5, 13),
        (f"name:/{'a' * (MAX_PATTERN + 1)}/", "bad-regex", 5, MAX_PATTERN + 8),
        ("name:/((a{100}){100}){100}/", "bad-regex", 5, 27),
    ],
)
def test_an_expression_that_cannot_be_used_is_reported_in_its_place(text: str, code: str, start: int, end: int) -> None:
    found = problem(text)
    assert (found.code, found.start, found.end) == (code, start, end)
    assert not found.advice


def test_closing_an_expression_cures_it() -> None:
    assert cured("name:/(a|b)") == "name:/(a|b)/"


@pytest.mark.django_db
def test_an_expression_finds_folded_text_whatever_the_case() -> None:
    wanted = sorted(card.name for card in SPYCRAFT[0].cards if card.name.casefold().startswith("the "))
    assert wanted
    assert sorted(names("/^THE /")) == wanted
    assert names("/^Thé /") == names("/^the /")


@pytest.mark.django_db
def test_an_expression_that_every_card_meets_meets_no_limit_of_the_database() -> None:
    assert len(names("text:/./ or name:/./ or traits:/./", ALL)) == Card.objects.current().count()
    assert names("-/./", ALL) == []


@pytest.mark.django_db
def test_a_hostile_expression_is_answered_in_good_time() -> None:
    started = time.perf_counter()
    names("name:/(a+)+$/ or text:/(a|aa)+$/ or text:/(.*)*x(.*)*/", ALL)
    assert time.perf_counter() - started < 5


# -- a field against a field ---------------------------------------------------------------


def test_two_number_fields_are_compared() -> None:
    assert checked("combat>craft").tree == Versus("combat", ">", "craft")
    assert checked("combat:lvl").tree == Versus("combat", "=", "level")
    assert normal(checked("combat != lvl")) == "combat!=level"


def test_a_value_in_quotes_is_no_field() -> None:
    assert problem('combat="craft"').code == "bad-value"


def test_a_misspelt_field_on_the_right_has_a_suggestion() -> None:
    assert cured("combat>crfat") == "combat>craft"


@pytest.mark.django_db
@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">="])
def test_an_unknown_side_satisfies_no_comparison_and_every_exclusion(op: str) -> None:
    found, others = set(names(f"combat{op}craft")), set(names(f"-combat{op}craft"))
    both = {card.name for card in SPYCRAFT[0].cards if {"combat", "craft"} <= set(card.facts)}
    assert found and found < both
    assert len(names(f"combat{op}craft")) + len(names(f"-combat{op}craft")) == len(SPYCRAFT[0].cards)
    assert {card.name for card in SPYCRAFT[0].cards if card.name not in both} <= others


# -- sets, prints, disputes ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("not:unique", "-is:unique"),
        ("-not:unique", "is:unique"),
        ("is:reprint", "prints>1"),
        ("not:reprint", "-prints>1"),
        ("is:disputed", "has:disputed"),
        ("disputed:lvl", "disputed:level"),
        ("sort:lvl direction:desc", "order:-level"),
        ("direction:desc", "order:-name"),
        ("similar:!Kai", "similar:Kai"),
        ("order:-craft t:agent or t:gear", "(type:agent or type:gear) order:-craft"),
    ],
)
def test_a_short_form_is_written_out(text: str, written: str) -> None:
    query = checked(text)
    assert normal(query) == written
    again = checked(written)
    assert (again.tree, again.order, again.problems) == (query.tree, query.order, ())


@pytest.mark.django_db
def test_in_is_a_set_or_a_rarity() -> None:
    assert names("in:on") == names("set:on") != []
    assert names("in:rare") == names("rarity:rare") != []


@pytest.mark.parametrize("word", sorted({word for field in STANDARD for word in (field.word,)} | set(DISPLAY)))
def test_a_word_of_the_language_cannot_be_a_facts_key(word: str) -> None:
    assert word in RESERVED_SEARCH_WORDS


@pytest.mark.parametrize("word", ["q", "page", "all", "after", "before", "view"])
def test_a_word_of_the_addresses_cannot_be_a_facts_key(word: str) -> None:
    assert word in RESERVED_SEARCH_WORDS


# -- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("order:craft", (Order("craft"),)),
        ("order:-craft,name", (Order("craft", True), Order("name"))),
        ("sort:craft direction:desc", (Order("craft", True),)),
        ("order:-craft direction:asc", (Order("craft"),)),
        ("direction:desc", (Order("name", True),)),
        ('order:"victory points"', (Order("victory_points"),)),
        ("order:craft,craft", (Order("craft"),)),
        ("a or b order:craft", (Order("craft"),)),
        ("kai", ()),
    ],
)
def test_the_order_is_read_apart_from_what_is_asked(text: str, order: tuple[Order, ...]) -> None:
    query = parse(text)
    assert query.order == order
    assert query.problems == ()
    assert parse(normal(query)).order == order


@pytest.mark.parametrize(
    ("text", "code", "start", "end"),
    [
        ("(kai order:craft)", "misplaced-order", 5, 16),
        ("kai -order:craft", "misplaced-order", 4, 16),
        ("order>craft", "wrong-operator", 5, 6),
        ("direction:sideways", "bad-value", 10, 18),
        ("order:,", "bad-value", 0, 7),
        ("order:", "empty-value", 0, 6),
        (f"order:{','.join('abcdefgh')}", "too-many-orders", 6 + 2 * MAX_ORDERS, 21),
    ],
)
def test_an_order_that_makes_no_sense_is_dropped_and_reported(text: str, code: str, start: int, end: int) -> None:
    (found,) = parse(text).problems
    assert (found.code, found.start, found.end) == (code, start, end)
    assert not found.advice


def test_of_two_orders_the_last_counts_and_says_so() -> None:
    query = parse("order:craft order:name")
    assert query.order == (Order("name"),)
    assert [(p.code, p.start, p.end, p.advice) for p in query.problems] == [("overruled", 0, 11, True)]


@pytest.mark.parametrize(
    ("text", "code", "cure"),
    [("order:-crfat", "unknown-field", "order:-craft"), ("order:name,traits", "not-sortable", "order:name,prints")],
)
def test_a_field_that_nothing_is_sorted_by_has_suggestions(text: str, code: str, cure: str) -> None:
    assert problem(text).code == code
    assert cured(text) == cure
    assert checked(cure).problems == ()


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
@pytest.mark.parametrize("key", ["craft", "faction", "unique"])
def test_what_is_unknown_comes_last_in_both_directions(key: str, minus: str) -> None:
    query = checked(f"order:{minus}{key}")
    rows = Card.objects.in_game("spycraft").order_by(*ordering(query.order, query.tree, fields_of(SPYCRAFT)))
    known = [key in row.facts for row in rows]
    assert known == sorted(known, reverse=True)
    assert True in known and False in known


@pytest.mark.django_db
@pytest.mark.parametrize("minus", ["", "-"])
def test_a_word_that_is_another_fact_in_each_game_sorts_what_is_unknown_last(minus: str) -> None:
    fields = fields_of(ALL)
    query = checked(f"order:{minus}cost", ALL)
    assert in_words(query, fields) == f"every card, sorted by cost{', highest first' if minus else ''}"
    rows = list(Card.objects.current().order_by(*ordering(query.order, query.tree, fields)))
    values = [next((row.facts[p.key] for p in fields.sortable("cost") if row.game in p.games and p.key in row.facts), None) for row in rows]
    known = [value for value in values if value is not None]
    assert values == [*sorted(known, reverse=bool(minus)), *[None] * (len(values) - len(known))]
    assert 0 < len(known) < len(values)


@pytest.mark.django_db
def test_words_that_are_excluded_bring_no_name_to_the_front() -> None:
    assert relevance_words(parse("Li -(mao or tse)").tree) == "li"
    assert names("Li")[:2] == ["Li", "Li Cong"]
    assert names("-Li") == names("-Li order:name")


# -- likeness ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_similar_cards_share_most_facts_and_leave_the_card_out() -> None:
    found = names('similar:!"Glock 17"')
    glock = next(card for card in SPYCRAFT[0].cards if card.name == "Glock 17")
    others = [card for card in SPYCRAFT[0].cards if card.name in found]
    assert others and glock not in others
    assert all(card.type == glock.type and reasons(glock.facts, card.facts, SPYCRAFT[0]) for card in others)
    assert names("similar:glock-17") == names("similar:spycraft/glock-17") == found


@pytest.mark.django_db
def test_what_shares_most_comes_first_and_ties_by_name() -> None:
    game = SPYCRAFT[0]
    query = checked("similar:kai")
    parts = closeness(query.tree)
    assert len(parts) > 1
    rows = Card.objects.in_game(game.slug).filter(to_q(query.tree, fields_of(SPYCRAFT)))
    by_code = {card.code: card for card in game.cards}
    found = [by_code[row.code] for row in rows.order_by(*ordering(query.order, query.tree, fields_of(SPYCRAFT)))]
    shared = [sum(matches(part, card, game, fields_of(SPYCRAFT)) for part in parts) for card in found]
    assert shared == sorted(shared, reverse=True) and len(set(shared)) > 1
    together = list(zip([-count for count in shared], map(catalogue_order, found), strict=True))
    assert together == sorted(together)
    assert names("similar:kai order:name") == [card.name for card in sorted(found, key=catalogue_order)]


@pytest.mark.parametrize(
    ("text", "by_name"),
    [("", True), ("t:agent", True), ("kai", False), ("similar:kai", False), ("-similar:kai", True), ("order:craft", False)],
)
def test_which_queries_come_in_the_catalogues_order(text: str, by_name: bool) -> None:
    assert is_by_name(checked(text)) is by_name


def test_similar_is_one_part_of_the_query_and_keeps_its_words() -> None:
    query = checked('similar:!"Glock 17" t:gear -similar:kai')
    assert isinstance(query.tree, And) and len(query.tree.parts) == 3
    assert isinstance(query.tree.parts[0], AtLeast)
    assert normal(query) == 'similar:"Glock 17" type:gear -similar:kai'
    assert liked(query.tree) == "Glock 17"
    assert in_words(query, fields_of(SPYCRAFT)) == "it is much like “Glock 17”, type is Gear, and it is not much like “kai”"


def test_the_reason_names_what_is_shared(sixth_game: Game) -> None:
    game = games()["spycraft"]
    one: dict[str, Any] = {"expense": 2, "combat": 1, "craft": 1, "traits": ("Soldier", "Sniper"), "faction": "The Krypt"}
    other: dict[str, Any] = {"expense": 2, "combat": 2, "craft": 3, "traits": ["Sniper"], "faction": "the krypt"}
    assert reasons(one, other, game) == "same faction, same expense, combat +1, both Sniper"
    assert reasons(one, {}, game) == ""


def test_an_unknown_or_ambiguous_card_to_be_like_has_suggestions() -> None:
    assert problem("similar:!Glok").code == "unknown-card"
    assert cured('similar:!"Glokc 17"') == 'similar:!"Glock 17"'
    name = next(card.name for card in games()["xfiles"].cards)
    double = replace(games()["spynet"])
    double.__dict__["cards"] = (replace(double.cards[0], name=name), *double.cards[1:])
    fields = Fields([games()["xfiles"], double])
    (found,) = check(parse(f'similar:"{name}"'), fields).problems
    assert found.suggestions == (f'"xfiles/{name}"', f'"spynet/{name}"')


@pytest.mark.django_db
def test_the_rows_know_the_card_that_the_folders_know() -> None:
    look_up = stored_card(ALL)
    for text in ("Glock 17", "glock-17", "spycraft/Glock 17", "spycraft/glock-17"):
        card = look_up(text)
        assert card is not None and card.key == "spycraft/glock-17"
    assert look_up("xfiles/Glock 17") is look_up("nobody") is look_up("") is None


# -- what may have been meant ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "cure"),
    [
        ('!"Glokc 17"', "unknown-name", '!"Glock 17"'),
        ('name="Glokc 17"', "unknown-name", 'name="Glock 17"'),
        ("is:disputd", "bad-value", "is:disputed"),
        ("not:unqiue", "bad-value", "not:unique"),
        ("pirnts>1", "unknown-field", "prints>1"),
    ],
)
def test_a_slip_has_a_cure(text: str, code: str, cure: str) -> None:
    assert problem(text).code == code
    assert cured(text) == cure
    assert checked(cure).problems == ()


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("cmc>=3", "cost>=3"),
        ("mana:3", "cost:3"),
        ("o:draw", "text:draw"),
        ("oracle:/x/", "text:/x/"),
        ("e:on", "set:on"),
        ("a:smith", "artist:smith"),
        ("side:krypt", "faction:krypt"),
        ("pow>2", "combat>2"),
        ("order:-cmc", "order:-cost"),
    ],
)
def test_a_word_from_another_cards_search_is_told_what_says_the_same_here(text: str, cure: str) -> None:
    assert problem(text, ALL).code == "unknown-field"
    assert cured(text, ALL) == cure
    assert not check(parse(cure), fields_of(ALL)).faults


def test_only_fields_that_there_are_stand_for_words_from_elsewhere() -> None:
    assert problem("side:krypt", (games()["spynet"],)).suggestions == ()


@pytest.mark.parametrize(("text", "says"), [("y:1999", "printed"), ("date>1999", "printed"), ("legal:x", "Decks"), ("format:x", "Decks")])
def test_what_is_not_asked_of_cards_here_says_so(text: str, says: str) -> None:
    found = problem(text, ALL)
    assert says in found.message
    assert found.suggestions == ()


def test_f_is_the_faction_where_there_are_factions_and_a_format_elsewhere() -> None:
    assert check(parse('f:"nine tiger"'), fields_of(ALL)).tree == check(parse('faction:"nine tiger"'), fields_of(ALL)).tree
    assert "Decks" in problem("f:x", (games()["spynet"],)).message


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("is:leader", "type:leader"),
        ("kai is:Leader", "kai type:leader"),
        ("not:leader", "-type:leader"),
        ("certainty:disputed", "is:disputed"),
        ("certainty!=disputed", "-is:disputed"),
    ],
)
def test_a_question_that_is_asked_otherwise_has_the_other_as_its_cure(text: str, cure: str) -> None:
    assert cured(text) == cure
    assert check(parse(cure), fields_of(SPYCRAFT)).problems == ()


@pytest.mark.parametrize(("text", "some"), [("is:promo", "unique"), ("has:ruling", "rarity")])
def test_an_unknown_question_names_some_that_there_are(text: str, some: str) -> None:
    message = problem(text, ALL).message
    assert some in message
    assert message.count(",") < MAX_NAMED and " more." in message


def test_a_name_that_some_card_has_is_no_slip() -> None:
    assert checked('!"glock 17" -!KAI name="Glock 17"').problems == ()


# -- vocabularies ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["traits:sol", "-traits:sol", "traits=soldier", "traits!=soldier", "traits:/^s.l/", "-traits:/^s.l/", "order:faction"]
)
def test_a_field_with_too_many_values_finds_the_same_and_gives_no_advice(text: str) -> None:
    game = SPYCRAFT[0]
    counted = vocabulary_of(game, game.cards)
    fields = Fields(SPYCRAFT, {game.slug: {key: values for key, values in counted.items() if key not in ("traits", "faction")}})
    query = check(parse(text), fields)
    rows = Card.objects.current().filter(game="spycraft").filter(to_q(query.tree, fields))
    assert [row.name for row in rows.order_by(*ordering(query.order, query.tree, fields))] == names(text) != []
    assert check(parse("traits:nosuchtrait"), fields).problems == ()


def test_nothing_loaded_is_no_error() -> None:
    fields = Fields(SPYCRAFT, {})
    assert check(parse("traits:soldier t:agent rarity=rare !Kai"), fields).problems == ()
    assert check(parse("similar:kai"), fields).problems[0].code == "unknown-card"


# -- in plain words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("combat>craft -combat=craft", "combat is more than craft and combat is not known to be the same as craft"),
        ("combat!=craft", "combat is other than craft"),
        ("name:/^a/ -traits:/b/", "name matches /^a/ and traits is not known to match /b/"),
        ("in:on -in:rare", "it is printed in Operation: Nightfall and it is not known to be printed in rare"),
        ("is:disputed -is:disputed", "sources disagree about it and sources disagree about nothing of it"),
        ("disputed=craft", "sources disagree about its craft"),
        ("prints>1", "number of prints is more than 1"),
        ("t:agent order:-craft,faction", "type is Agent, sorted by craft, highest first, then faction"),
        ("order:-name", "every card, sorted by name, from the end"),
    ],
)
def test_what_is_asked_is_said_in_plain_words(text: str, words: str) -> None:
    assert in_words(checked(text), fields_of(SPYCRAFT)) == words


@pytest.mark.parametrize("pattern", [r"([a-m]?.{12}[n-z]?){3}[qx]", "(.?){50}[zj]", ".{30}q.{30}x.{100}"])
def test_an_expression_that_would_take_seconds_on_many_cards_is_refused(pattern: str) -> None:
    (problem,) = check(parse(f"text:/{pattern}/"), fields_of(ALL)).problems
    assert problem.code == "bad-regex"


def test_a_query_has_three_expressions_and_no_more() -> None:
    query = check(parse("/a.c/ /b.d/ -/c.e/ (/d.f/ or kai)"), fields_of(ALL))
    assert [problem.code for problem in query.problems] == ["too-many-patterns"]
