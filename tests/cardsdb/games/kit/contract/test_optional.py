"""The files that a game folder may lack: without them the contract holds, the folder loads and every page
answers; and the faults in such files are told.
"""

from __future__ import annotations

import pytest

from cardsdb.catalogue.current import catalogue
from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.contract.optional import document_problems, glossary_problems
from tests.support.game_folders import with_files
from tests.support.new_game import assert_is_decked_and_printed

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

FILES = ("glossary.toml", "set_up.toml", "play.toml", "claims.csv", "sets.csv", "starters")


@pytest.mark.django_db
def test_a_game_works_without_the_files_that_a_folder_may_lack(client, sixth_game, tmp_path, monkeypatch):
    """Its contract, load, pages, verdicts, decks and sheets."""
    # Without ``sets.csv`` the cards are in no set.
    cards = (sixth_game.folder / "cards.csv").read_text().replace(",ONE,", ",,")
    game = with_files(sixth_game, tmp_path, {"cards.csv": cards}, *FILES)
    monkeypatch.setitem(games(), game.slug, game)
    monkeypatch.setitem(catalogue().games, game.slug, game)
    assert problems(game) == []
    load(game)
    deck = assert_is_decked_and_printed(client, game.slug, "2 Zorka\n1 Sealed Box", "Zorka")
    home, card = f"/games/{game.slug}/", f"/cards/{game.slug}/{game.cards[0].code}/"
    there = ["/", "/games/", home, f"{home}rules/", f"{home}house/?format={game.formats[0].slug}", "/sets/"]
    there += [card, f"{card}face.svg", f"{card}correct/", f"/api/v1{home}", f"/api/v1{card}"]
    there += [f"{page}?game={game.slug}" for page in ("/check/", "/decks/new/")]
    there += [f"{deck}numbers/"]
    absent = [f"{home}{page}/" for page in ("glossary", "set-up", "play", "aids", "effects")]
    wanted = dict.fromkeys(there, 200) | dict.fromkeys(absent, 404)
    assert {address: client.get(address).status_code for address in wanted} == wanted


def test_a_play_guide_that_says_no_more_than_a_step_keeps_the_contract(sixth_game, tmp_path):
    play = (
        '[[parts]]\ntitle = "A turn"\n[[parts.steps]]\ntitle = "Draw"\nsays = "Draw a card."\n'
        'section = "Cards"\nlines = "3"\n'
    )
    assert problems(with_files(sixth_game, tmp_path, {"play.toml": play})) == []


@pytest.mark.parametrize(("lines", "beyond"), [("2", None), ("1-2", None), ("3", 3), ("1, 2-4", 4)])
def test_a_rule_that_cites_a_line_beyond_the_end_of_its_document_is_told(sixth_game, tmp_path, lines, beyond):
    rulebook = f"""
[documents.sheet]
title = "Sheet"
file = "sheet.txt"
[rules.DD-1]
section = "Cards"
lines = "{lines}"
certainty = "stated"
says = "Two of each."
"""
    game = with_files(sixth_game, tmp_path, {"rulebook.toml": rulebook, "sheet.txt": "One.\nTwo.\n"})
    told = [problem for problem in document_problems(game) if "credit" not in problem]
    assert told == ([f"rule DD-1 cites line {beyond} of sheet.txt, which has 2"] if beyond else [])


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('meaning = "A thing."\nfacts = ["shape"]', "explains 'shape', which is no fact"),
        ('meaning = "A thing."\nsee = ["Other"]', "sends the reader to 'Other'"),
        ('meaning = "A thing."\naliases = ["drop"]', "'drop' is explained twice"),
        (f'meaning = "{"a" * 240}."', "at most 240 characters"),
    ],
)
def test_each_fault_of_a_glossary_entry_is_told(sixth_game, tmp_path, entry, fault):
    text = f'[terms.Drop]\nsection = "A"\nlines = "1"\n{entry}\n'
    game = with_files(sixth_game, tmp_path, {"glossary.toml": text})
    assert any(fault in problem for problem in glossary_problems(game))
