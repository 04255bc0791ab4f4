"""What the contract says of lines whose words, names or headers are not the game's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from cardsdb.games import games
from cardsdb.games.kit import EFFECT_FACTS
from cardsdb.games.kit.contract.checks import effect_problems

HEADER = "code,line,source,certainty,note,sentence\n"
SENTENCE = "**React Combat 8:** After an agent declares a Combat action, cancel that action."


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            "acrobatic-escape,React Combat 8 after agent declares Combat action: cancel that action,octgn,,"
            f',"{SENTENCE}"',
            "",
        ),
        (
            "acrobatic-escape,React Combat 8 after agent declares Combat action: cancel that stunt,octgn,,"
            f',"{SENTENCE}"',
            "'stunt' in",
        ),
        (
            "acrobatic-escape,React Combat 7 after agent declares Combat action: cancel that action,octgn,,"
            f',"{SENTENCE.replace("8", "7")}"',
            "no line is headed React Combat 8",
        ),
        (
            'kai,"find ""Nobody at All"" in own deck",octgn,,,Search your deck for “Nobody at All”.',
            'no card is called "Nobody at All"',
        ),
        ("kai,wound agent,octgn,,,", "a line has no sentence"),
        ('kai,"find ""The Zero Sum"" in own deck",octgn,,,Search your deck for “The Zero Sum”.', ""),
    ],
    ids=["as it should be", "a word", "a number", "a name", "no sentence", "a card's name"],
)
def test_a_line_has_known_words_names_of_cards_and_the_printed_header(
    tmp_path: Path, row: str, problem: str
) -> None:
    spycraft = games()["spycraft"]
    folder = tmp_path / "spycraft"
    copytree(spycraft.folder, folder, ignore=ignore_patterns("*.py", "starters", "__pycache__"))
    (folder / "effects.csv").write_text(HEADER + row + "\n", encoding="utf-8")
    told = list(effect_problems(replace(spycraft, folder=folder)))
    assert ([problem in one for one in told] == [True]) if problem else (told == [])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("wound agent", ""),
        ("wound agent gently", "'gently' in"),
        ("agent is wounded", "begins with none of the verbs"),
    ],
)
def test_what_another_source_says_a_card_does_is_told_in_the_same_words(
    tmp_path: Path, line: str, problem: str
) -> None:
    spycraft = games()["spycraft"]
    folder = tmp_path / "spycraft"
    copytree(spycraft.folder, folder, ignore=ignore_patterns("*.py", "starters", "__pycache__"))
    (folder / "effects.csv").write_text(f"{HEADER}kai,draw 1 card,octgn,,,Draw 1 card.\n", encoding="utf-8")
    claims = (folder / "claims.csv").read_text(encoding="utf-8")
    (folder / "claims.csv").write_text(
        f"{claims}kai,text,{line},octgn,elsewhere,,outside,\n", encoding="utf-8"
    )
    told = list(effect_problems(replace(spycraft, folder=folder)))
    assert ([problem in one for one in told] == [True]) if problem else (told == [])


def test_the_facts_of_effects_and_their_words_come_together(tmp_path: Path) -> None:
    spycraft, spynet = games()["spycraft"], games()["spynet"]
    folder = tmp_path / "spynet"
    copytree(spynet.folder, folder, ignore=ignore_patterns("*.py", "effects.*", "__pycache__"))
    without_facts = replace(
        spycraft, facts=tuple(fact for fact in spycraft.facts if fact not in EFFECT_FACTS)
    )
    assert "declare the EFFECT_FACTS" in next(iter(effect_problems(without_facts)))
    without_words = replace(spynet, folder=folder)
    assert "there is no effects.toml" in next(iter(effect_problems(without_words)))
    assert list(effect_problems(spynet)) == []
