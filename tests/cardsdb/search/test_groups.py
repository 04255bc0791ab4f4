"""The groups in which the cards of one word come, and the sentence that says why each is there."""

from __future__ import annotations

import pytest

from cardsdb.games.kit import Card
from cardsdb.search.ask import answer_of
from cardsdb.search.groups import asked_of, told_of
from cardsdb.search.query.grammar import parse
from cardsdb.search.results import Results, parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def typed(text: str) -> Results:
    return results_of(parse_query(text))


def titles(text: str) -> list[str]:
    return list(typed(text).groups)


def test_names_come_first_then_the_word_itself_then_the_largest_and_last_the_others():
    groups = typed("game:spycraft wound").groups
    first, second, *verbs, last = groups
    assert (first, second, last) == ("Named “wound”", "They wound", "Others that say “wound”")
    sizes = [len(groups[title]) for title in verbs]
    assert sizes == sorted(sizes, reverse=True) and "They prevent" in verbs
    assert typed("game:spycraft wound").cards[0].name == "Flesh Wound"


def test_every_card_is_in_one_group_and_those_of_a_group_stand_together():
    results = typed("game:xfiles damage")
    found = [card.key for card in results.cards]
    assert sorted(key for keys in results.groups.values() for key in keys) == sorted(found)
    for keys in results.groups.values():
        places = sorted(found.index(key) for key in keys)
        assert places == list(range(places[0], places[0] + len(keys)))


def test_a_group_of_a_verb_has_cards_that_do_it():
    groups = typed("game:spycraft wound").groups
    by_key = {card.key: card for card in typed("game:spycraft wound").cards}
    for title, verb in (
        ("They wound", "wound"),
        ("They prevent", "prevent"),
        ("They make others act", "make"),
    ):
        assert all(verb in by_key[key].words("does") for key in groups[title])


@pytest.mark.parametrize(
    "text",
    [
        "game:spycraft craft>=6",
        "game:spycraft wound order:name",
        "game:spycraft wound leader",
        "game:spycraft text:wound",
        "game:spycraft kai",
        "game:steamspy -wound",
    ],
)
def test_facts_an_order_several_words_the_search_language_and_few_cards_make_no_groups(text):
    assert typed(text).total and titles(text) == []


def test_the_others_are_said_to_have_the_word_only_where_all_have_it():
    assert titles("game:xfiles damage")[-1] == "Others that say “damage”"
    assert titles("game:xfiles damage or game:xfiles type=agent")[-1] == "Others"


def test_one_group_of_all_is_none():
    results = typed("game:spycraft mission wound does=wound -flesh")
    assert results.total >= 8 and not results.groups


# -- the sentence ------------------------------------------------------------------


def told(asked: str, *lines: str, does: tuple[str, ...]) -> tuple[str, str]:
    pattern = asked_of(parse(asked).tree)
    assert pattern
    card = Card("spycraft", "x", "X", "agent", {"does": does}, text="\n".join(lines))
    return told_of(card, pattern)[:2]


@pytest.mark.parametrize(
    ("lines", "sentence", "verb"),
    [
        (("React before agent is wounded: prevent that wound", "wound agent"), 1, "wound"),
        (("after self wounds agent: draw 1 card", "Mission: prevent 1 wound"), 1, "prevent"),
        (("if agent is wounded, draw 1 card", "draw 2 cards; prevent wound"), 1, "prevent"),
        (("[wound self] draw 1 card", "draw 1 card"), 0, ""),
    ],
)
def test_the_sentence_is_the_one_that_does_something_with_the_word(lines, sentence, verb):
    said = told("wound", *lines, does=("wound", "prevent", "draw"))
    assert said == (lines[sentence], verb)


def test_the_sentence_with_more_of_the_words_is_told_before_one_that_does_more():
    lines = "wound agent", "after agent is wounded: draw 1 card"
    assert told("wound draw", *lines, does=("wound", "draw"))[0] == lines[1]


def test_a_card_that_has_none_of_the_words_has_no_sentence():
    assert told("wound", "draw 1 card", does=("draw",)) == ("", "")


# -- one word as a question -----------------------------------------------------------


@pytest.mark.parametrize("text", ["hospital", "game:xfiles heal", "game:spycraft wound", "mulder"])
def test_a_word_that_is_a_deed_or_part_of_a_name_finds_all_cards_that_say_it(text):
    answer = answer_of(parse_query(text))
    assert set(answer.results.pks) >= set(typed(text).pks) and answer.results.groups


@pytest.mark.parametrize(
    ("text", "meant"), [("kai", "game:spycraft !Kai"), ("nightfall", "game:spycraft set=ON")]
)
def test_a_word_that_is_the_whole_name_of_something_means_that_alone(text, meant):
    assert answer_of(parse_query(text)).meant == meant


def test_a_question_in_a_verb_s_other_form_finds_those_that_do_it_alone():
    found = answer_of(parse_query("game:spycraft cancels")).results
    assert set(found.pks) == set(typed("game:spycraft does=cancel").pks)


def test_a_link_to_what_was_read_has_the_same_groups():
    answer = answer_of(parse_query("wound"))
    assert answer.meant and list(answer.results.groups) == titles(answer.meant)
