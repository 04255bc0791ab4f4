"""Parts of ``play.toml``, and values of ``set_up.toml`` that fit no set-up. Other faults are tested in
``contract/test_checks.py``, what becomes of both guides in ``tests/cardsdb/web``.
"""

import pytest

from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.folder.guides import read_play_guide, read_set_up
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, Rulebook
from cardsdb.games.kit.model.play_guide import PlayTable
from cardsdb.games.kit.model.rulebook import Ruling

FOR_TWO = '[players]\nnumbers = "2"\n'
ROUNDS = '[options.rounds]\nlabel = "Rounds"\nhigh = 2\n'
STEP_BY_ROUNDS = """
[[steps]]
title = "One"
says = "One."
needs = [{ what = "Cards", kind = "card", per = { rounds = "1" } }]
"""


@pytest.mark.parametrize(
    ("set_up", "fault"),
    [
        ('[players]\nnumbers = "4-2"', "players.numbers: numbers of players"),
        (f'{FOR_TWO}[[open]]\nruling = ["R-1", "R-2"]', "open.1.ruling: must be a list of at most 1"),
        (f"{FOR_TWO}{ROUNDS}{STEP_BY_ROUNDS}", "steps.1.needs.1.per: the number for 'rounds' must be whole"),
    ],
    ids=["numbers of players", "two rulings", "an amount in words"],
)
def test_a_value_that_fits_no_set_up_is_a_fault(tmp_path, set_up, fault):
    (tmp_path / "set_up.toml").write_text(set_up, encoding="utf-8")
    rulings = (Ruling("R-1", "One?", "One."), Ruling("R-2", "Two?", "Two."))
    with pytest.raises(FolderError, match=fault):
        read_set_up(tmp_path, Rulebook({}, {}, rulings), "game", "Game")


def test_a_part_of_a_play_guide_has_places_a_chart_and_steps(tmp_path):
    (tmp_path / "play.toml").write_text(
        '[[parts]]\ntitle = "Track"\nplaces = ["0", "1"]\nhead = ["At"]\nrows = [["0"]]\n'
        '[[parts.steps]]\ntitle = "One"\nsays = "So."\n'
    )
    guide = read_play_guide(tmp_path, NOTHING_SAID)
    assert guide is not None
    (part,) = guide.parts
    assert (part.places, part.table) == (("0", "1"), PlayTable(("At",), (("0",),)))
    assert [step.says for step in part.steps] == ["So."]
