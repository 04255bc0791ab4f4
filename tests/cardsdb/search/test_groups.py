"""Groups of the cards that one word finds, and the sentence that shows why a card was found."""

from __future__ import annotations

import pytest

from cardsdb.games.kit import Card
from cardsdb.search.ask import answer_of
from cardsdb.search.groups import asked_of, told_of
from cardsdb.search.query.grammar import parse
from cardsdb.search.results import Results, parse_query, results_of

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def typed(text: str) -> Results:
    """Return the results of a text as typed, without reading plain words."""
    return results_of(parse_query(text))


def titles(text: str) -> list[str]:
    return list(typed(text).groups)


def test_groups_are_names_then_the_verb_itself_then_other_verbs_by_size_then_the_rest():
    groups = typed("game:spycraft wound").groups
    first, second, *verbs, last = groups
    assert (first, second, last) == ("Named “wound”", "They wound", "Others that say “wound”")
    sizes = [len(groups[title]) for title in verbs]
    assert sizes == sorted(sizes, reverse=True) and "They prevent" in verbs
    assert typed("game:spycraft wound").cards[0].name == "Flesh Wound"


def test_cards_in_the_group_of_a_verb_do_it():
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
def test_only_a_single_word_with_many_cards_and_no_order_makes_groups(text):
    assert typed(text).total and titles(text) == []


def test_the_last_group_names_the_word_only_if_all_its_cards_have_it():
    assert titles("game:xfiles damage")[-1] == "Others that say “damage”"
    assert titles("game:xfiles damage or game:xfiles type=agent")[-1] == "Others"


def test_a_single_group_of_all_cards_is_not_shown():
    results = typed("game:spycraft mission wound does=wound -flesh")
    assert results.total >= 8 and not results.groups


# -- the sentence ------------------------------------------------------------------


ALL_VERBS = ("wound", "prevent", "draw")


@pytest.mark.parametrize(
    ("asked", "lines", "shown", "verb"),
    [
        ("wound", ("React before agent is wounded: prevent that wound", "wound agent"), 1, "wound"),
        ("wound", ("after self wounds agent: draw 1 card", "Mission: prevent 1 wound"), 1, "prevent"),
        ("wound", ("if agent is wounded, draw 1 card", "draw 2 cards; prevent wound"), 1, "prevent"),
        ("wound", ("[wound self] draw 1 card", "draw 1 card"), 0, ""),
        # One with more of the words is preferred to one with a verb.
        ("wound draw", ("wound agent", "after agent is wounded: draw 1 card"), 1, "draw"),
    ],
)
def test_the_shown_sentence_has_most_of_the_words_and_a_verb_that_acts_on_them(asked, lines, shown, verb):
    pattern = asked_of(parse(asked).tree)
    assert pattern
    card = Card("spycraft", "x", "X", "agent", {"does": ALL_VERBS}, text="\n".join(lines))
    assert told_of(card, pattern)[:2] == (lines[shown], verb)


# -- one word as a question -----------------------------------------------------------


@pytest.mark.parametrize("text", ["hospital", "game:xfiles heal", "game:spycraft wound", "mulder"])
def test_a_verb_or_a_word_of_a_name_finds_all_cards_with_the_word(text):
    answer = answer_of(parse_query(text))
    assert set(answer.results.pks) >= set(typed(text).pks) and answer.results.groups


def test_another_form_of_a_verb_finds_only_cards_that_do_it():
    found = answer_of(parse_query("game:spycraft cancels")).results
    assert set(found.pks) == set(typed("game:spycraft does=cancel").pks)


def test_the_query_that_a_word_was_read_as_has_the_same_groups():
    answer = answer_of(parse_query("wound"))
    assert answer.meant and list(answer.results.groups) == titles(answer.meant)
