"""The effects of a game folder: what ``effects.csv`` and ``effects.toml`` add to a card, and their faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, FolderError, Game
from cardsdb.games.kit.folder.cards import CardFiles
from cardsdb.games.kit.folder.effects import read_effect_words
from cardsdb.games.kit.model.effects import abilities, told_lines

HEADER = "code,line,source,certainty,note,sentence\n"


@pytest.fixture(scope="module")
def spycraft():
    return games()["spycraft"]


@pytest.fixture
def folder(tmp_path, spycraft):
    """A copy of Spycraft's files, with an ``effects.csv`` that has no rows."""
    for name in ("cards.csv", "sets.csv", "rulebook.toml", "effects.toml"):
        shutil.copy(spycraft.folder / name, tmp_path)
    (tmp_path / "effects.csv").write_text(HEADER, encoding="utf-8")
    return tmp_path


def files_with(folder: Path, game: Game, *rows: str) -> CardFiles:
    """The card files of the folder with these rows in ``effects.csv``, each with a sentence: "Told 1."."""
    (folder / "effects.csv").write_text(
        HEADER + "\n".join(f"{row},Told {number}." for number, row in enumerate(rows, 1)) + "\n",
        encoding="utf-8",
    )
    return CardFiles(
        folder, game.slug, game.facts, tuple(game.types_by_slug), game.documents, read_effect_words(folder)
    )


def kai(files: CardFiles) -> Card:
    return next(card for card in files.cards() if card.code == "kai")


@pytest.fixture
def kai_with_two_lines(folder, spycraft):
    rows = (
        "kai,wound agent,octgn#a list,,",
        'kai,"React Craft after self is wounded: draw 1 card",octgn#a list,,',
    )
    return kai(files_with(folder, spycraft, *rows))


def test_lines_become_the_text_of_the_card_and_sentences_what_people_read(kai_with_two_lines):
    card = kai_with_two_lines
    assert card.text == "wound agent\nReact Craft after self is wounded: draw 1 card"
    assert (card.sentences, card.told) == (("Told 1.", "Told 2."), "Told 1.\nTold 2.")


def test_the_facts_of_effects_follow_from_the_lines(kai_with_two_lines):
    facts = kai_with_two_lines.facts
    assert facts["does"] == ("wound", "draw")
    assert facts["target"] == ("agent", "card")
    assert facts["when"] == ("React",)


def test_the_source_of_the_lines_is_that_of_the_text_and_of_the_facts(kai_with_two_lines):
    (claim,) = kai_with_two_lines.claims("text")
    assert (claim.document, claim.section, claim.certainty) == ("octgn", "a list", "outside")
    assert kai_with_two_lines.claims("does") == (claim,)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER.replace(',sentence', '')}kai,wound agent,octgn#a list,,\nkai,draw 1 card,octgn,,\n",
        f"{HEADER}kai,wound agent,octgn#a list,,,Told.\nkai,draw 1 card,octgn,,,\n",
    ],
    ids=["no column of sentences", "no sentence of one line"],
)
def test_if_a_line_has_no_sentence_people_read_the_lines(folder, spycraft, text):
    files = files_with(folder, spycraft)
    (folder / "effects.csv").write_text(text, encoding="utf-8")
    assert (kai(files).sentences, kai(files).told) == ((), "wound agent\ndraw 1 card")


def test_two_stars_in_an_own_text_are_no_header():
    card = Card("spycraft", "kai", "Kai", "agent", text="**React:** It waits.\nthen it goes.")
    assert card.told == card.text
    assert [ability[:2] for ability in abilities(card, None)] == [
        ("", line) for line in card.text.split("\n")
    ]


def test_a_line_keeps_its_source_beside_a_claim_of_the_same_document_that_says_otherwise(folder, spycraft):
    source = "octgn#Nighfall/set.xml at commit c6a3cd5"
    (folder / "claims.csv").write_text(
        "code,fact,value,document,section,lines,certainty,note\nkai,text,wound leader,octgn,an older"
        " state,,outside,Before.\n",
        encoding="utf-8",
    )
    card = kai(files_with(folder, spycraft, f"kai,wound agent,{source},,"))
    assert [claim.value for claim in card.claims("text")] == [None, "wound leader"]
    assert [claim.section for claim in card.disagreements()["text"]] == ["an older state"]
    assert [(line, claim.section) for line, claim in told_lines(card)] == [
        ("wound agent", source.partition("#")[2])
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("kai,agent is sad,octgn#a,,", "line 2, column line: “agent is sad” begins with none of the verbs"),
        ("kai,wound agent,nobody#a,,", "line 2, column source: 'nobody' is not among the documents"),
        ("kai,wound agent,octgn#a,sure,", "line 2, column certainty: certainty must be empty or one of"),
        ("kai,wound agent,octgn#a", "line 2: not as many cells as the header"),
        ("nobody,wound agent,octgn#a,,", "line 2: no card has the code 'nobody'"),
    ],
)
def test_the_fault_of_a_row_is_told_with_its_line_and_column(folder, spycraft, row, problem):
    problems: list[str] = []
    list(files_with(folder, spycraft, row).cards(problems))
    assert [problem in told for told in problems] == [True]


def test_a_file_without_a_needed_column_is_refused(folder, spycraft):
    files = files_with(folder, spycraft)
    (folder / "effects.csv").write_text("code,line,sentence\n", encoding="utf-8")
    with pytest.raises(FolderError, match="column source is missing"):
        list(files.cards())


WORDS = "[moments]\nIntel = 'a'\n[verbs]\nwound = 'b'\n[targets]\nagent = 'c'\n"


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ("[moments]\nIntel = 'a'\n[verbs]\nwound = 'b'\n", "targets: must name each with what it means"),
        (
            "[moments]\nIntel = ''\n[verbs]\nwound = 'b'\n[targets]\nagent = 'c'\n",
            "moments: must name each with what it means",
        ),
        ("word = ['a']\n", "word: means nothing here"),
        (f"{WORDS}[synonyms]\nhurt = ['injure']\n", "for 'hurt' a list of words that the lines have"),
    ],
)
def test_each_fault_of_the_words_is_told(tmp_path, toml, problem):
    (tmp_path / "effects.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(FolderError, match=problem):
        read_effect_words(tmp_path)


def test_a_game_without_effects_has_no_words_for_them(tmp_path):
    assert read_effect_words(tmp_path) is None
