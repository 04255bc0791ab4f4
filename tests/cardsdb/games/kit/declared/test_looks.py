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


def emblem_of(game: Game, card_type: str) -> Emblem:
    emblem = next(element.emblem for element in game.faces[card_type].elements if isinstance(element, Notes))
    assert emblem
    return emblem


def test_an_emblem_has_as_many_lines_as_the_number_says_up_to_a_bound(night_train):
    card = night_train.card("ada-quill")

    def lines(number: int) -> int:
        window = Window(40_000, 30_000)
        emblem_of(night_train, card.type).draw(replace(card, facts={"nerve": number, "wit": 0}), window)
        return len(window.shapes)

    assert (lines(7) - lines(2), lines(0)) == (5, 0)
    assert lines(9_999) < 40


def test_a_fact_gives_bands_their_colour_and_marks_to_faces_lists_and_decks(night_train):
    marks = (("Porters", SYMBOLS["case"]), ("Stewards", SYMBOLS["flag"]))
    face = night_train.face_named("agent")
    assert face.band == "by:crew"
    assert [each.symbols for each in face.elements if isinstance(each, FactSymbols)] == [marks]
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


# What a key may say is tested with ``Table``.
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[marks.crew]", "[marks.cost]", "marks: 'cost' is no word of"),
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
