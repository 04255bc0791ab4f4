"""``rulebook.toml`` and ``glossary.toml`` as they are read: every bad entry is told by its name."""

import pytest

from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, read_glossary
from tests.support.game_folders import with_files


def test_the_note_of_a_term_is_as_long_as_its_meaning(tmp_path):
    (tmp_path / "glossary.toml").write_text(
        f'[terms.Courier]\nmeaning = "Someone."\nnote = "{"a" * 400}"\n', encoding="utf-8"
    )
    (entry,) = read_glossary(tmp_path, NOTHING_SAID)
    assert len(entry.source.note) == 400


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (
            '[documents.list]\ntitle = "List"\ncolour = "red"',
            "rulebook.toml, documents.list.colour: means nothing here",
        ),
        ('[rules.DD-3]\nlines = "3"\nsays = "So."', "rulebook.toml, rules.DD-3.certainty: is missing"),
        ('[rulings.R-1]\nquestion = "So?"', "rulebook.toml, rulings.R-1.treatment: is missing"),
    ],
)
def test_a_bad_entry_of_the_rulebook_is_told_by_its_name(sixth_game, tmp_path, table, fault):
    text = (sixth_game.folder / "rulebook.toml").read_text()
    (said,) = problems(with_files(sixth_game, tmp_path, {"rulebook.toml": f"{text}\n{table}\n"}))
    assert said.startswith(f"deaddrop/{fault}")
