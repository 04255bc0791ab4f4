"""The effects of a game folder: what its files become, and what is said of what is wrong in them."""

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
    """Spycraft's files, with the effects of nobody."""
    for name in ("cards.csv", "sets.csv", "rulebook.toml", "effects.toml"):
        shutil.copy(spycraft.folder / name, tmp_path)
    (tmp_path / "effects.csv").write_text(HEADER, encoding="utf-8")
    return tmp_path


def cards_with(folder: Path, game: Game, *rows: str) -> CardFiles:
    (folder / "effects.csv").write_text(
        HEADER + "\n".join(f"{row},Told {number}." for number, row in enumerate(rows, 1)) + "\n",
        encoding="utf-8",
    )
    return CardFiles(
        folder, game.slug, game.facts, tuple(game.types_by_slug), game.documents, read_effect_words(folder)
    )


def test_lines_become_the_text_with_the_facts_that_follow_and_their_source(folder, spycraft):
    rows = (
        "kai,wound agent,octgn#a list,,",
        'kai,"React Craft after self is wounded: draw 1 card",octgn#a list,,',
    )
    card = next(card for card in cards_with(folder, spycraft, *rows).cards() if card.code == "kai")
    assert card.text == "wound agent\nReact Craft after self is wounded: draw 1 card"
    assert (card.sentences, card.told) == (("Told 1.", "Told 2."), "Told 1.\nTold 2.")
    assert {key: card.facts[key] for key in ("does", "target", "when")} == {
        "does": ("wound", "draw"),
        "target": ("agent", "card"),
        "when": ("React",),
    }
    (claim,) = card.claims("text")
    assert (claim.document, claim.section, claim.certainty) == ("octgn", "a list", "outside")
    assert card.claims("does") == card.claims("text")


def test_where_a_line_has_no_sentence_people_read_the_lines(folder, spycraft):
    header, rows = (
        HEADER.replace(",sentence", ""),
        "kai,wound agent,octgn#a list,,\nkai,draw 1 card,octgn,,\n",
    )
    files = cards_with(folder, spycraft)
    for text in (
        header + rows,
        f"{HEADER}{rows.replace(',,', ',,,Told.', 1).replace('octgn,,', 'octgn,,,')}",
    ):
        (folder / "effects.csv").write_text(text, encoding="utf-8")
        card = next(card for card in files.cards() if card.code == "kai")
        assert (card.sentences, card.told) == ((), "wound agent\ndraw 1 card")


def test_two_stars_in_a_text_of_ones_own_are_no_header():
    card = Card("spycraft", "kai", "Kai", "agent", text="**React:** It waits.\nthen it goes.")
    assert card.told == card.text
    assert [one[:2] for one in abilities(card, None)] == [("", line) for line in card.text.split("\n")]


def test_a_line_keeps_its_source_beside_a_claim_of_the_same_list_that_says_otherwise(folder, spycraft):
    source = "octgn#Nighfall/set.xml at commit c6a3cd5"
    (folder / "claims.csv").write_text(
        "code,fact,value,document,section,lines,certainty,note\nkai,text,wound leader,octgn,an older"
        " state,,outside,Before.\n",
        encoding="utf-8",
    )
    card = next(
        card
        for card in cards_with(folder, spycraft, f"kai,wound agent,{source},,").cards()
        if card.code == "kai"
    )
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
def test_what_is_wrong_in_a_row_is_said_with_its_line_and_column(folder, spycraft, row, problem):
    problems: list[str] = []
    list(cards_with(folder, spycraft, row).cards(problems))
    assert len(problems) == 1
    assert problem in problems[0]


def test_other_columns_are_refused(folder, spycraft):
    files = cards_with(folder, spycraft)
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
def test_words_without_a_meaning_are_refused(tmp_path, toml, problem):
    (tmp_path / "effects.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(FolderError, match=problem):
        read_effect_words(tmp_path)


def test_a_game_without_effects_has_no_words_for_them(tmp_path):
    assert read_effect_words(tmp_path) is None
