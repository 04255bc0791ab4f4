"""The longest ``play.toml`` that is read, and values of ``set_up.toml`` that fit no set-up. Other faults of
both are tested in ``contract/test_checks.py``, what becomes of both guides in ``tests/cardsdb/web``.
"""

import pytest

from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.folder.guides import read_play_guide, read_set_up
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, Rulebook
from cardsdb.games.kit.model.rulebook import Ruling

PART = 'title = "Track"\nplaces = ["0"{places}]\nhead = ["At"]\nrows = [["0"]{rows}]\n'
STEP = '[[parts.steps]]\ntitle = "One"\nsays = "So."\n'


def test_a_part_of_a_play_guide_may_have_a_hundred_places_rows_and_steps(tmp_path):
    part_toml = PART.format(places=', "1"' * 99, rows=', ["1"]' * 99)
    (tmp_path / "play.toml").write_text(f"[[parts]]\n{part_toml}{STEP * 100}", encoding="utf-8")
    guide = read_play_guide(tmp_path, NOTHING_SAID)
    assert guide is not None
    (part,) = guide.parts
    assert part.table is not None
    assert [len(each) for each in (part.places, part.table.rows, part.steps)] == [100, 100, 100]


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
