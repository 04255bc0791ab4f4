"""What ``claims.csv``, ``effects.csv`` and ``effects.toml`` add to a card, and their faults."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, FolderError
from cardsdb.games.kit.folder.additions import read_effect_words, with_claims
from cardsdb.games.kit.folder.cards import CardFiles
from cardsdb.games.kit.model.effects import abilities, told_lines

SPYCRAFT = games()["spycraft"]
HEADER = "code,line,source,certainty,note,sentence\n"


@pytest.fixture
def folder(tmp_path):
    """A copy of Spycraft's files, with an ``effects.csv`` that has no rows."""
    for name in ("cards.csv", "sets.csv", "rulebook.toml", "effects.toml"):
        shutil.copy(SPYCRAFT.folder / name, tmp_path)
    (tmp_path / "effects.csv").write_text(HEADER, encoding="utf-8")
    return tmp_path


def files_with(folder: Path, *rows: str) -> CardFiles:
    """The card files of the folder with these rows in ``effects.csv``, each with a sentence: "Told 1."."""
    (folder / "effects.csv").write_text(
        HEADER + "\n".join(f"{row},Told {number}." for number, row in enumerate(rows, 1)) + "\n",
        encoding="utf-8",
    )
    return replace(SPYCRAFT, folder=folder).card_files


def kai(files: CardFiles) -> Card:
    return next(card for card in files.cards() if card.code == "kai")


def test_lines_become_the_text_the_sentences_the_facts_and_their_sources(folder):
    rows = (
        "kai,wound agent,octgn#a list,,",
        'kai,"React Craft after self is wounded: draw 1 card",octgn#a list,,',
    )
    card = kai(files_with(folder, *rows))
    assert card.text == "wound agent\nReact Craft after self is wounded: draw 1 card"
    assert (card.sentences, card.told) == (("Told 1.", "Told 2."), "Told 1.\nTold 2.")
    assert [card.facts[key] for key in ("does", "target", "when")] == [
        ("wound", "draw"),
        ("agent", "card"),
        ("React",),
    ]
    (claim,) = card.claims("text")
    assert (claim.document, claim.section, claim.certainty) == ("octgn", "a list", "outside")
    assert card.claims("does") == (claim,)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER.replace(',sentence', '')}kai,wound agent,octgn#a list,,\nkai,draw 1 card,octgn,,\n",
        f"{HEADER}kai,wound agent,octgn#a list,,,Told.\nkai,draw 1 card,octgn,,,\n",
    ],
    ids=["no column of sentences", "no sentence of one line"],
)
def test_if_a_line_has_no_sentence_people_read_the_lines(folder, text):
    files = files_with(folder)
    (folder / "effects.csv").write_text(text, encoding="utf-8")
    assert (kai(files).sentences, kai(files).told) == ((), "wound agent\ndraw 1 card")


def test_two_stars_in_an_own_text_are_no_header():
    card = Card("spycraft", "kai", "Kai", "agent", text="**React:** It waits.\nthen it goes.")
    assert card.told == card.text
    assert [ability[:2] for ability in abilities(card, None)] == [
        ("", line) for line in card.text.split("\n")
    ]


def test_a_line_keeps_its_source_beside_a_claim_of_the_same_document_that_says_otherwise(folder):
    source = "octgn#Nighfall/set.xml at commit c6a3cd5"
    (folder / "claims.csv").write_text(
        "code,fact,value,document,section,lines,certainty,note\nkai,text,wound leader,octgn,an older"
        " state,,outside,Before.\n",
        encoding="utf-8",
    )
    card = kai(files_with(folder, f"kai,wound agent,{source},,"))
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
def test_the_fault_of_a_row_is_told_with_its_line_and_column(folder, row, problem):
    problems: list[str] = []
    list(files_with(folder, row).cards(problems))
    assert [problem in told for told in problems] == [True]


def test_a_file_without_a_needed_column_is_refused(folder):
    files = files_with(folder)
    (folder / "effects.csv").write_text("code,line,sentence\n", encoding="utf-8")
    with pytest.raises(FolderError, match="column source is missing"):
        list(files.cards())


WORDS = "[moments]\nIntel = 'a'\n[verbs]\nwound = 'b'\n[targets]\nagent = 'c'\n"


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        (WORDS.partition("[targets]")[0], "targets: must name each with what it means"),
        (WORDS.replace("'a'", "''"), "moments: must name each with what it means"),
        ("word = ['a']\n", "word: means nothing here"),
        (f"{WORDS}[synonyms]\nhurt = ['injure']\n", "for 'hurt' a list of words that the lines have"),
    ],
)
def test_each_fault_of_the_words_is_told(tmp_path, toml, problem):
    assert read_effect_words(tmp_path) is None  # a game without effects
    (tmp_path / "effects.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(FolderError, match=problem):
        read_effect_words(tmp_path)


# -- claims: they confirm or dispute a fact

ROW = {"value": "9", "section": "A", "lines": "", "certainty": "stated", "note": ""}
ROW |= {"fact": "expense", "document": next(iter(SPYCRAFT.documents))}


def claimed(cells: dict[str, str], problems: list[str]) -> Card:
    """Kai, whose expense is not 9, with the claim of ``ROW`` in which these cells are changed."""
    rows = [("claims.csv line 2", ROW | cells)]
    return with_claims(SPYCRAFT.card("kai"), rows, SPYCRAFT.facts_by_key, SPYCRAFT.documents, problems.append)


def test_a_claim_of_another_value_disputes_the_fact():
    assert [claim.value for claim in claimed({}, []).disagreements()["expense"]] == ["9"]


def test_a_claim_without_a_value_confirms_the_fact():
    card = claimed({"value": ""}, [])
    assert (card.claims("expense")[-1].section, "expense" in card.disagreements()) == ("A", False)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("fact", "column fact: no fact is called 'x'"),
        ("document", "column document: no document is called 'x'; rulebook.toml lists them"),
        ("certainty", "column certainty: certainty must be one of "),
    ],
)
def test_a_bad_row_is_reported_and_left_out(cell, problem):
    problems: list[str] = []
    assert claimed({cell: "x"}, problems).sources == SPYCRAFT.card("kai").sources
    assert [problem in told for told in problems] == [True]
