"""``set_up.toml`` and ``play.toml`` as they are read: what they make, and how long they may be."""

from cardsdb.games.kit.folder.guides import read_play_guide
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID

PART = 'title = "Track"\nplaces = ["0"{places}]\nhead = ["At"]\nrows = [["0"]{rows}]\n'
STEP = '[[parts.steps]]\ntitle = "One"\nsays = "So."\n'


def test_a_play_guide_has_a_track_of_a_hundred_places_and_as_many_steps(tmp_path):
    part = PART.format(places=', "1"' * 99, rows=', ["1"]' * 99)
    (tmp_path / "play.toml").write_text(f"[[parts]]\n{part}{STEP * 100}", encoding="utf-8")
    guide = read_play_guide(tmp_path, NOTHING_SAID)
    assert guide is not None and guide.parts[0].table is not None
    assert [len(each) for each in (guide.parts[0].places, guide.parts[0].table.rows)] == [100, 100]
    assert len(guide.parts[0].steps) == 100
