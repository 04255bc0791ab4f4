"""A query that finds no card is corrected if one condition is a letter away from a known value. Examples of
corrections are in ``understood.csv``.
"""

import pytest

from cardsdb.games import game_named
from cardsdb.search.ask import answer_of
from cardsdb.search.misspelling import nearest
from cardsdb.search.results import parse_query

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def test_a_name_of_another_game_is_no_misspelling():
    assert answer_of(parse_query("game:spycraft mulder scully")).results.total == 0


@pytest.mark.parametrize(
    "typed",
    [
        "zzzzqqq",  # like nothing
        "mulxxr",  # two letters away
        "muldar scully forsithe",  # two slips
        "krypt type:gear bloodvine craft>900",  # every part has cards, or is a number
        "spynet:1 muldar",  # something else is wrong with it
        "-muldar kai craft>900",
        "2003x",
        "kia",  # too short
    ],
)
def test_a_mistake_that_is_not_certain_is_not_corrected(typed):
    assert answer_of(parse_query(typed)).meant == ""


@pytest.mark.parametrize(
    ("typed", "known", "wanted"),
    [
        ("tarin", ["train", "tarts", "taken"], "train"),
        ("tarin", ["train", "tarn", "taran"], ""),
        # "snipers" contains "sniper", so choosing "sniper" finds both.
        ("sniperz", ["sniper", "snipers"], "sniper"),
        ("mission4", ["mission3"], ""),
    ],
)
def test_of_two_equally_near_words_neither_is_chosen(typed, known, wanted):
    assert nearest(typed, known) == wanted


def test_suggestions_come_from_the_game_that_is_searched():
    def suggested(text: str) -> tuple[str, ...]:
        return parse_query(text).query.problems[0].suggestions

    assert "Witness" in suggested("type=witnes")
    assert "Witness" not in suggested("game:spycraft type=witnes")
    assert parse_query("type=witnes", game_named("spycraft")).query.problems[0].suggestions == suggested(
        "game:spycraft type=witnes"
    )
