"""The longest ``play.toml`` that is read. Its faults and those of ``set_up.toml`` are tested in
``contract/test_checks.py``, what becomes of both guides in ``tests/cardsdb/web``.
"""

from cardsdb.games.kit.folder.guides import read_play_guide
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID

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
