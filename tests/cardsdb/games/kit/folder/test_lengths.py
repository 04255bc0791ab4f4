"""Guides and examples may be longer than what a file of a stranger may list."""

from pathlib import Path

from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.folder.guides import read_play_guide
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, read_glossary

PART = 'title = "Track"\nplaces = ["0"{places}]\nhead = ["At"]\nrows = [["0"]{rows}]\n'
STEP = '[[parts.steps]]\ntitle = "One"\nsays = "So."\n'
EXAMPLE = '[[examples]]\nname = "One"\nformat = "street"\nlist = "1 Zorka"\nverdict = "incomplete"\n'


def test_a_play_guide_has_a_track_of_a_hundred_places_and_as_many_steps(tmp_path: Path) -> None:
    part = PART.format(places=', "1"' * 99, rows=', ["1"]' * 99)
    (tmp_path / "play.toml").write_text(f"[[parts]]\n{part}{STEP * 100}", encoding="utf-8")
    guide = read_play_guide(tmp_path, NOTHING_SAID)
    assert guide is not None and guide.parts[0].table is not None
    assert [len(each) for each in (guide.parts[0].places, guide.parts[0].table.rows)] == [100, 100]
    assert len(guide.parts[0].steps) == 100


def test_the_note_of_a_term_is_as_long_as_its_meaning(tmp_path: Path) -> None:
    (tmp_path / "glossary.toml").write_text(
        f'[terms.Courier]\nmeaning = "Someone."\nnote = "{"a" * 400}"\n', encoding="utf-8"
    )
    (entry,) = read_glossary(tmp_path, NOTHING_SAID)
    assert len(entry.source.note) == 400


def test_a_game_has_a_hundred_examples(tmp_path: Path) -> None:
    folder = tmp_path / "deaddrop"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'name = "Dead Drop"\n[types.courier]\n[formats.street]\nname = "Street"\n'
        'rules = [{ rule = "size", at_least = 3 }]\n',
        encoding="utf-8",
    )
    (folder / "examples.toml").write_text(EXAMPLE * 100, encoding="utf-8")
    assert len(read_game(folder).examples()) == 100
