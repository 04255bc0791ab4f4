"""Whoever has cards of their own finds them by what a file and a row of a package call them."""

from __future__ import annotations

import pytest

from cardsdb.box.reading.matching import card_called, cards_called, own_card_in_set, own_card_stated
from cardsdb.box.reading.rows import Stated
from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card, NameIndex, Print

SPYCRAFT = games()["spycraft"]


def own(code: str, name: str, card_type: str = "agent", in_set: str = "Balloons") -> Card:
    prints = (Print(in_set, code, code=f"{OWN_CODE}{code}"),)
    return Card("spycraft", f"{OWN_CODE}{code}", name, card_type, prints=prints)


FALCON, OTHER, KITE = own("1", "Brass Falcon"), own("2", "Brass Falcon", "gear"), own("3", "Kite")
ELSEWHERE = own("4", "Kite", in_set="Airships")
OWN = NameIndex([FALCON, OTHER, KITE, ELSEWHERE])


@pytest.mark.parametrize(
    ("stated", "card"),
    [
        (Stated(id=f"{OWN_CODE}2"), OTHER),
        (Stated(name="Brass Falcon", type="gear"), OTHER),
        (Stated(name="Brass Falcon"), None),
        (Stated(name="Nobody"), None),
    ],
)
def test_a_row_is_about_ones_own_card_by_its_code_else_its_name_and_type(
    stated: Stated, card: Card | None
) -> None:
    assert own_card_stated(OWN, stated) is card


@pytest.mark.parametrize(
    ("in_set", "words", "card"),
    [
        ("balloons", "kite", KITE),
        ("Airships", "Kite", ELSEWHERE),
        ("Balloons", "3", KITE),
        ("Balloons", "Brass Falcon", None),
        ("Trains", "Kite", None),
    ],
)
def test_a_file_in_the_folder_of_a_set_shows_the_one_card_of_it(
    in_set: str, words: str, card: Card | None
) -> None:
    assert own_card_in_set(OWN, in_set, words) is card


def test_a_name_of_nothing_is_no_card() -> None:
    assert cards_called(" ", SPYCRAFT, OWN) == () and card_called("", SPYCRAFT, OWN) is None
