"""Emblems, marks and backs that a game of data declares, and the faults of their tables. The tests use Night
Train, the game that ``manage.py new_game`` writes.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb import games as folders
from cardsdb.games.kit import Game
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.looks import PATTERNS
from cardsdb.games.kit.print.face import FactSymbols, Notes
from cardsdb.games.kit.print.shapes import SYMBOLS, Emblem, Window, placed
from printing.faces.backs import back_of_game
from tests.support.data_games import changed, night_train, site_data

__all__ = ["changed", "night_train", "site_data"]


def emblem_of(game: Game, card_type: str) -> Emblem:
    emblem = next(element.emblem for element in game.faces[card_type].elements if isinstance(element, Notes))
    assert emblem
    return emblem


def drawn(game: Game, code: str, **facts: int) -> Window:
    """A window with the emblem of a card whose facts are changed to these."""
    card, window = game.card(code), Window(40_000, 30_000)
    assert card
    emblem_of(game, card.type).draw(replace(card, facts={**card.facts, **facts}), window)
    return window


def test_an_emblem_has_as_many_lines_as_the_number_says(night_train):
    few, many = (drawn(night_train, "ada-quill", nerve=number, wit=0) for number in (2, 7))
    assert len(many.shapes) - len(few.shapes) == 5


def test_an_emblem_of_zeros_is_empty(night_train):
    assert drawn(night_train, "ada-quill", nerve=0, wit=0).shapes == []


def test_an_emblem_of_a_very_high_number_has_a_bounded_number_of_lines(night_train):
    assert len(drawn(night_train, "ada-quill", nerve=9_999, wit=0).shapes) < 40


def test_a_band_has_the_colour_of_the_fact_that_it_names(night_train):
    assert night_train.face_named("agent").band == "by:crew"


def test_marks_stand_on_faces_in_lists_and_on_decks(night_train):
    marks = (("Porters", SYMBOLS["case"]), ("Stewards", SYMBOLS["flag"]))
    elements = night_train.faces["agent"].elements
    assert [each.symbols for each in elements if isinstance(each, FactSymbols)] == [marks]
    assert [(each.key, each.place, each.symbols) for each in night_train.row_facts] == [
        ("crew", "mark", marks)
    ]
    assert night_train.deck_mark == "crew"


def test_a_card_has_the_back_that_is_declared_for_its_type(night_train):
    assert [(back.emblem, back.label, back.types) for back in night_train.backs] == [
        (SYMBOLS["wheel"], "", ()),
        (SYMBOLS["pin"], "Places", ("place",)),
    ]
    usual, places = (back_of_game(night_train, card_type=name) for name in ("agent", "place"))
    assert [usual.name, places.name] == ["Back, Night Train", "Back, Night Train, Places"]


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_is_its_own_mirror_image(name):
    points = {
        (x, y)
        for _, numbers in placed(PATTERNS[name], 0, 0, 24_000)
        for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    }
    assert {(24_000 - x, y) for x, y in points} == {(x, 24_000 - y) for x, y in points} == points


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('ruling = "rays"', 'ruling = "stripes"', "types.agent.face.emblem.1.ruling: must be one of arcs,"),
        (
            'count = "nerve"',
            'count = "nerve", corner = "up"',
            "types.agent.face.emblem.1.corner: must be one of top",
        ),
        ('Porters = "case"', 'Porters = "bag"', "marks.crew.Porters: must be one of "),
        ("[marks.crew]", "[marks.cost]", "marks: 'cost' is no word of"),
        ('pattern = "net"', 'pattern = "tartan"', "backs.2.pattern: must be one of lattice,"),
        ("hue = [", 'deck_mark = "cost"\nhue = [', "deck_mark: must be one of crew,"),
    ],
)
def test_each_fault_is_told_with_file_and_key(changed, old, new, fault):
    assert any(line.startswith(f"night-train/game.toml, {fault}") for line in changed((old, new)))


def test_a_game_may_declare_neither_marks_nor_backs(night_train, changed, site_data):
    text = (night_train.folder / "game.toml").read_text(encoding="utf-8")
    looks = text[text.index("[marks.crew]") : text.index("[sections.deck]")]
    assert changed((looks, "")) == []
    plain = folders.games()["night-train"]
    assert (plain.backs, plain.row_facts, plain.deck_mark, problems(plain)) == ((), (), "", [])
