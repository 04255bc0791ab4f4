"""House rules: the numbers of a format, texts that change some of them, and verdicts by changed numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import CopyLimit, Format, Group, OneOfEach, Size, write_house_rules
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.rules.house_rules import (
    HouseFormat,
    house_rules_broken,
    house_rules_of,
    league_in,
    parse_house_rules,
    rule_numbers,
    still_known,
    with_house_rules,
    without_league,
)

FORMATS = [(game, format) for game in games().values() for format in game.formats]
AGENCY = games()["spycraft"].formats_by_slug["agency"]


@pytest.mark.parametrize(("game", "format"), FORMATS, ids=lambda value: value.slug)
def test_every_number_of_a_format_has_a_key_and_words_of_its_own(game, format):
    numbers = rule_numbers(format)
    assert len({number.key for number in numbers}) == len(numbers)
    assert all(number.label.startswith(f"{number.code}: ") and "{" not in number.label for number in numbers)


def test_the_keys_of_a_format_never_change():
    # Pinned: stored decks and links name these keys and would lose their house rules.
    assert [number.key for number in rule_numbers(AGENCY)] == [
        "AG-3.at_least",
        "AG-3.leaders",
        "AG-4.limit",
        "AG-5.limit",
        "AG-6.exactly",
        "AG-12.usual",
    ]


def test_two_rules_of_one_code_have_different_keys():
    format = Format("f", "F", (Size("X-1", exactly=3), Size("X-1", exactly=5, of=Group("agents"))), ())
    assert [number.key for number in rule_numbers(format)] == ["X-1.exactly", "X-1.exactly:2"]
    changed = with_house_rules(format, "X-1.exactly:2=6")
    assert [rule.exactly for rule in changed.rules if isinstance(rule, Size)] == [3, 6]


def test_only_whole_numbers_are_house_rules():
    format = Format("f", "F", (OneOfEach("X-1", fact="level", values=(1, 2)), CopyLimit("X-2", limit=4)), ())
    assert [number.key for number in rule_numbers(format)] == ["X-2.limit"]


def test_a_deck_is_judged_by_the_changed_number():
    game = games()["spycraft"]
    deck = read_deck(game, "4 Kai", AGENCY).deck
    assert "AG-4" in game.judge(deck, AGENCY).codes()
    assert "AG-4" not in game.judge(deck, with_house_rules(AGENCY, "AG-4.limit=4")).codes()


def test_a_format_with_house_rules_is_not_official_and_says_so():
    changed = with_house_rules(AGENCY, "AG-3.at_least=40")
    assert isinstance(changed, HouseFormat)
    assert (changed.slug, changed.name, changed.official) == ("agency", "Agency Deck with house rules", False)
    assert [change.words for change in house_rules_of(changed)] == [
        "AG-3: cards with the leaders, at least 40, where the rulebook says 50"
    ]


@pytest.mark.parametrize("text", ["", " ; ", "AG-3.at_least=50", "AG-4.limit = 3, AG-6.exactly=4"])
def test_a_text_that_changes_nothing_gives_the_format_itself(text):
    assert with_house_rules(AGENCY, text) is AGENCY


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AG-99.limit=3", "has no number called"),
        ("AG-4.limit=many", "whole number from 0 to 999"),
        ("AG-4.limit=٣", "whole number from 0 to 999"),
        ("AG-4.limit=1;AG-4.limit=2", "changed twice"),
        ("forty cards", "no house rule"),
        ("A" * 401, "at most 400"),
    ],
)
def test_a_text_that_is_no_house_rule_is_refused_with_a_sentence(text, message):
    with pytest.raises(ValueError, match=message):
        with_house_rules(AGENCY, text)


@given(st.sampled_from(FORMATS), st.data())
def test_written_house_rules_are_read_as_they_were(game_and_format, data):
    _, format = game_and_format
    numbers = rule_numbers(format)
    picked = data.draw(st.lists(st.sampled_from(numbers), unique=True, max_size=6)) if numbers else []
    values = {number.key: data.draw(st.integers(0, 999)) for number in picked}
    text = write_house_rules(values)
    assert parse_house_rules(text) == values
    changed = {change.number.key: change.value for change in house_rules_of(with_house_rules(format, text))}
    assert changed == {
        number.key: values[number.key] for number in picked if values[number.key] != number.value
    }


@given(st.text(max_size=80))
def test_any_stored_text_is_reduced_to_numbers_that_the_format_has(text):
    assert with_house_rules(AGENCY, still_known(AGENCY, text)).slug == "agency"


LINK = "AbCdEfGhIjKlMnOpQrSt_-"


HOUSE = f"league={LINK};AG-4.limit=2"


def test_the_link_of_a_leagues_format_stands_before_the_numbers_and_is_none_of_them():
    assert write_house_rules({"AG-4.limit": 2}, LINK) == HOUSE
    assert league_in(HOUSE) == league_in(f"AG-4.limit=2; league = {LINK}") == LINK
    assert parse_house_rules(HOUSE) == {"AG-4.limit": 2}
    assert without_league(HOUSE) == "AG-4.limit=2"
    assert with_house_rules(AGENCY, f"league={LINK}") is AGENCY


def test_numbers_that_a_format_no_longer_has_are_dropped_and_the_link_stays():
    assert still_known(AGENCY, "AG-4.limit=4;MD-1.exactly=20;broken") == "AG-4.limit=4"
    assert still_known(AGENCY, f"{HOUSE};GONE.limit=1") == HOUSE


@pytest.mark.parametrize("link", ["", "short", LINK + "x", "../../../../../../../x", "é" * 22])
def test_a_malformed_link_is_refused(link):
    with pytest.raises(ValueError, match="is no league's format"):
        parse_house_rules(f"league={link}")
    assert league_in(f"league={link}") == ""


def test_the_house_rule_behind_a_violation_is_found():
    house = with_house_rules(AGENCY, "AG-4.limit=2;AG-3.leaders=3")
    deck = read_deck(games()["spycraft"], "3 Kai").deck
    by_code = {violation.code: violation for violation in games()["spycraft"].judge(deck, house).violations}
    (broken,) = house_rules_broken(house, deck, by_code["AG-4"])
    assert (broken.number.key, broken.value) == ("AG-4.limit", 2)
    assert house_rules_broken(AGENCY, deck, by_code["AG-4"]) == ()
