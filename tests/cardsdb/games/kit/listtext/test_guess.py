"""Which game and format a list is for: what its text says is taken, what it leaves open is asked."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.guess import Guess, guess_format, guess_game

STARTERS = [(game, starter) for game in games().values() for starter in game.starters]
IDS = [f"{game.slug}-{starter.slug}" for game, starter in STARTERS]
MIXED = "2 Kai\n2 Shiatsu\n1 Termite\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis\n"


def guess(text: str) -> Guess:
    return guess_game(games().values(), text)


def slug(text: str) -> str:
    game = guess(text).game
    return game.slug if game else ""


def without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("//"))


def misspelt(text: str) -> str:
    """The list with a slip in every name that is long enough for one."""
    return re.sub(r"(?m)^(\d+ \w{3})(\w)(\w)(\w*)(.{2,})$", r"\1\3\2\4\5", text)


@pytest.mark.parametrize("text", ["1. Kai\n2. Shiatsu\n3. Termite\n", "2. Kai\n3. Shiatsu\n2. Termite\n"])
def test_numbers_with_a_point_count_lines_or_cards_and_the_game_is_the_same(text):
    assert slug(text) == "spycraft"


@pytest.mark.parametrize(("game", "starter"), STARTERS, ids=IDS)
def test_every_starter_is_guessed_with_its_format_and_no_slip_leads_to_another_game(game, starter):
    assert slug(starter.text) == slug(without_comments(starter.text)) == game.slug
    assert slug(misspelt(without_comments(starter.text))) in ("", game.slug)
    format, why = guess_format(game, read_deck(game, starter.text))
    assert (format.slug, why) == (starter.format, "the list says so")


@pytest.mark.parametrize("starter", ["draw-2", "draw-3", "draw-4"])
def test_a_number_that_only_one_format_takes_says_which(starter):
    game = games()["spynet"]
    text = next(one.text for one in game.starters if one.slug == starter)
    format, why = guess_format(game, read_deck(game, without_comments(text)))
    assert (format.slug, why) == (starter, f"the list says “Players: {starter[-1]}”")
    assert slug("Players: 2") == "spynet"


@pytest.mark.parametrize("number", [1, 6])
def test_a_list_is_for_the_format_whose_rules_it_keeps(number):
    game = games()["xfiles"]
    text = next(one.text for one in game.starters if one.slug == f"pack-second-edition-{number}")
    format, why = guess_format(game, read_deck(game, without_comments(text)))
    assert (format.slug, why) == ("basic", "the list breaks none of its rules, unlike those of Advanced")


@pytest.mark.parametrize(
    ("game", "text", "format", "why"),
    [
        ("xfiles", "Agents:\n1 Agent Fox Mulder\n", "advanced", "its cards have their places there"),
        ("spynet", "1 Hitman\n", "set", "its cards have their places there"),
        (
            "xfiles",
            "2 Car Troubles\nSideboard:\n1 Crop Circles\n",
            "contingency",
            "its cards have their places there",
        ),
        (
            "spycraft",
            "1 Party Crashers\n",
            "mission-newest",
            "the list fits its rules better than those of Mission Deck: base set",
        ),
    ],
    ids=["begun", "anything-goes-there", "sideboard", "fan-format"],
)
def test_a_list_that_keeps_the_rules_of_no_official_format(game, text, format, why):
    reading = read_deck(games()[game], text)
    assert not reading.unread
    guessed, said = guess_format(games()[game], reading)
    assert (guessed.slug, said) == (format, why)


@pytest.mark.parametrize(
    "said", ["Format: Mission Deck: base set", "// format: mission-base", "format = MISSION-BASE"]
)
def test_a_format_is_called_by_its_slug_or_its_name(said):
    text = f"{said}\n1 Containment\n"
    assert guess_format(games()["spycraft"], read_deck(games()["spycraft"], text))[0].slug == "mission-base"
    assert slug(text) == "spycraft"


@pytest.mark.parametrize("said", ["Game: SpyNet", "// game: spynet", "# Game: spynet", "game = SPYNET"])
def test_a_list_that_says_its_game_is_taken_at_its_word(said):
    assert slug(f"{said}\n2 Kai\n") == "spynet"
    assert read_deck(games()["spynet"], f"{said}\n1 Hitman\n").unread == ()


def test_a_game_that_there_is_not_is_guessed_by_the_cards():
    assert slug("Game: Chess\n4 Kai\n") == "spycraft"


def test_misspelt_names_alone_are_enough():
    text = "2 Shiatzu\n1 Main Batle Tank\n1 Mothr of Clouds\n"
    assert not read_deck(games()["spycraft"], text).deck.entries
    assert slug(text) == "spycraft"


def test_a_list_of_two_games_is_asked_about():
    asked = guess(MIXED)
    assert asked.game is None
    assert {game.slug for game in asked.candidates} == {"spycraft", "xfiles"}
    assert "3 Spycraft" in asked.why and "3 The X-Files CCG" in asked.why


@pytest.mark.parametrize("text", ["Deck:\n", "Agents:\n", "// format: set\n"])
def test_words_of_several_games_decide_nothing(text):
    asked = guess(text)
    assert asked.game is None and len(asked.candidates) > 1


@pytest.mark.parametrize(
    "text", ["", "\n\n", "4 Lightning Bolt\n4 Counterspell\n", "\x00", "// only a comment"]
)
def test_nothing_known_is_no_guess(text):
    assert (guess(text).game, guess(text).candidates) == (None, ())


def test_one_known_card_among_strange_ones_is_asked_about():
    asked = guess("1 Kai\n" + "\n".join(f"1 Strange Thing Number {letter}" for letter in "ABCDEFGHIJ"))
    assert (asked.game, [game.slug for game in asked.candidates]) == (None, ["spycraft"])


def test_a_game_that_is_only_a_folder_is_guessed(sixth_game):
    assert slug("2 Zorka\n1 Sealed Box\n") == sixth_game.slug
    assert slug("Couriers:\n") == sixth_game.slug


def test_a_game_with_one_format_needs_no_guess():
    game = games()["spycraft"]
    alone = replace(game, formats=game.formats[:1])
    assert guess_format(alone, read_deck(alone, "1 Kai")) == (game.formats[0], "the only one")


def test_cards_with_a_count_that_no_list_has_still_say_their_game():
    assert slug("0 Kai\n0 Termite\n0 Minx") == "spycraft"


def test_a_guess_says_why():
    assert guess("2 Kai\n1 Termite\n").why == "2 lines name cards of it"
    assert guess("Leaders:\n").why == "it has the heading “Leaders”"
    assert guess("// format: agency\n").why == "the list says “Format: agency”"


@given(st.text())
def test_no_text_whatever_raises(text):
    guess(text)
