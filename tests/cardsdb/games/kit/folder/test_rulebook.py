"""``rulebook.toml`` and ``glossary.toml``: each fault is told with the name of its entry."""

import pytest

from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, read_glossary
from tests.support.game_folders import with_files


def test_the_note_of_a_term_may_be_longer_than_one_line(tmp_path):
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
def test_the_fault_of_an_entry_of_the_rulebook_is_told_with_its_name(sixth_game, tmp_path, table, fault):
    text = (sixth_game.folder / "rulebook.toml").read_text()
    (told,) = problems(with_files(sixth_game, tmp_path, {"rulebook.toml": f"{text}\n{table}\n"}))
    assert told.startswith(f"deaddrop/{fault}")
