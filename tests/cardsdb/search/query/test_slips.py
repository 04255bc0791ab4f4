"""What may have been meant: slips, words of other cards' searches, and what is asked otherwise here."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import MAX_NAMED, check
from tests.support.search_fields import fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, problem


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
    assert not check(cure, fields_of(ALL)).faults


def test_only_fields_that_there_are_stand_for_words_from_elsewhere() -> None:
    assert problem("side:krypt", (games()["spynet"],)).suggestions == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [("y:1999", "printed"), ("date>1999", "printed"), ("legal:x", "Decks"), ("format:x", "Decks")],
)
def test_what_is_not_asked_of_cards_here_says_so(text: str, says: str) -> None:
    found = problem(text, ALL)
    assert says in found.message
    assert found.suggestions == ()


def test_f_is_the_faction_where_there_are_factions_and_a_format_elsewhere() -> None:
    assert check('f:"nine tiger"', fields_of(ALL)).tree == check('faction:"nine tiger"', fields_of(ALL)).tree
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
    assert check(cure, fields_of(SPYCRAFT)).problems == ()


@pytest.mark.parametrize(("text", "some"), [("is:promo", "unique"), ("has:ruling", "rarity")])
def test_an_unknown_question_names_some_that_there_are(text: str, some: str) -> None:
    message = problem(text, ALL).message
    assert some in message
    assert message.count(",") < MAX_NAMED and " more." in message


def test_a_name_that_some_card_has_is_no_slip() -> None:
    assert checked('!"glock 17" -!KAI name="Glock 17"').problems == ()
