"""The game and the format that a list is for: what its text says is taken, what it leaves open is asked."""

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


def slug_guessed(text: str) -> str:
    """The slug of the guessed game; empty if none was guessed."""
    game = guess(text).game
    return game.slug if game else ""


def without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("//"))


def misspelt(text: str) -> str:
    """The list with two letters of each name exchanged, except in very short names."""
    return re.sub(r"(?m)^(\d+ \w{3})(\w)(\w)(\w*)(.{2,})$", r"\1\3\2\4\5", text)


@pytest.mark.parametrize(("game", "starter"), STARTERS, ids=IDS)
def test_the_game_and_the_format_of_every_starter_are_guessed(game, starter):
    bare = without_comments(starter.text)
    assert slug_guessed(starter.text) == slug_guessed(bare) == game.slug
    assert slug_guessed(misspelt(bare)) in ("", game.slug)
    format, why = guess_format(game, read_deck(game, starter.text))
    assert (format.slug, why) == (starter.format, "the list says so")


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Players: 2", "spynet"),
        ("Game: Chess\n4 Kai\n", "spycraft"),
        ("0 Kai\n0 Termite\n0 Minx", "spycraft"),
        ("2 Shiatzu\n1 Main Batle Tank\n1 Mothr of Clouds\n", "spycraft"),
        ("1. Kai\n2. Shiatsu\n3. Termite\n", "spycraft"),
        ("2. Kai\n3. Shiatsu\n2. Termite\n", "spycraft"),
    ],
    ids=[
        "a detail",
        "an unknown game",
        "bad counts",
        "misspelt names",
        "numbers of lines",
        "counts with a point",
    ],
)
def test_little_is_enough_to_guess_the_game(text, slug):
    assert slug_guessed(text) == slug


KEEPS_RULES_OF_BASIC = "the list breaks none of its rules, unlike those of Advanced"


@pytest.mark.parametrize(
    ("game", "starter", "format", "why"),
    [
        ("spynet", "draw-2", "draw-2", "the list says “Players: 2”"),
        ("spynet", "draw-3", "draw-3", "the list says “Players: 3”"),
        ("spynet", "draw-4", "draw-4", "the list says “Players: 4”"),
        ("xfiles", "pack-second-edition-1", "basic", KEEPS_RULES_OF_BASIC),
        ("xfiles", "pack-second-edition-6", "basic", KEEPS_RULES_OF_BASIC),
    ],
)
def test_the_format_is_guessed_by_a_detail_of_it_or_by_its_rules(game, starter, format, why):
    text = next(each.text for each in games()[game].starters if each.slug == starter)
    guessed, reason = guess_format(games()[game], read_deck(games()[game], without_comments(text)))
    assert (guessed.slug, reason) == (format, why)


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
def test_the_nearest_format_of_a_list_that_keeps_the_rules_of_no_official_format(game, text, format, why):
    reading = read_deck(games()[game], text)
    assert not reading.unread
    guessed, reason = guess_format(games()[game], reading)
    assert (guessed.slug, reason) == (format, why)


@pytest.mark.parametrize(
    "line", ["Format: Mission Deck: base set", "// format: mission-base", "format = MISSION-BASE"]
)
def test_a_list_states_its_format_by_slug_or_name(line):
    text = f"{line}\n1 Containment\n"
    assert guess_format(games()["spycraft"], read_deck(games()["spycraft"], text))[0].slug == "mission-base"
    assert slug_guessed(text) == "spycraft"


@pytest.mark.parametrize("line", ["Game: SpyNet", "// game: spynet", "# Game: spynet", "game = SPYNET"])
def test_a_game_that_the_list_states_is_taken_whatever_its_cards_are(line):
    assert slug_guessed(f"{line}\n2 Kai\n") == "spynet"
    assert read_deck(games()["spynet"], f"{line}\n1 Hitman\n").unread == ()


def test_a_list_of_two_games_is_asked_about():
    guessed = guess(MIXED)
    assert guessed.game is None
    assert {game.slug for game in guessed.candidates} == {"spycraft", "xfiles"}
    assert "3 Spycraft" in guessed.why
    assert "3 The X-Files CCG" in guessed.why


@pytest.mark.parametrize("text", ["Deck:\n", "Agents:\n", "// format: set\n"])
def test_words_of_several_games_decide_nothing(text):
    guessed = guess(text)
    assert guessed.game is None
    assert len(guessed.candidates) > 1


@pytest.mark.parametrize(
    "text", ["", "\n\n", "4 Lightning Bolt\n4 Counterspell\n", "\x00", "// only a comment"]
)
def test_a_list_without_anything_known_has_no_candidates(text):
    assert (guess(text).game, guess(text).candidates) == (None, ())


def test_one_known_card_among_strange_ones_is_asked_about():
    guessed = guess("1 Kai\n" + "\n".join(f"1 Strange Thing Number {letter}" for letter in "ABCDEFGHIJ"))
    assert (guessed.game, [game.slug for game in guessed.candidates]) == (None, ["spycraft"])


def test_a_sixth_game_is_guessed_by_its_cards_and_headings(sixth_game):
    assert slug_guessed("2 Zorka\n1 Sealed Box\n") == sixth_game.slug
    assert slug_guessed("Couriers:\n") == sixth_game.slug


def test_the_only_format_of_a_game_is_taken():
    game = games()["spycraft"]
    alone = replace(game, formats=game.formats[:1])
    assert guess_format(alone, read_deck(alone, "1 Kai")) == (game.formats[0], "the only one")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2 Kai\n1 Termite\n", "2 lines name cards of it"),
        ("Leaders:\n", "it has the heading “Leaders”"),
        ("// format: agency\n", "the list says “Format: agency”"),
    ],
)
def test_a_guess_states_its_strongest_reason(text, why):
    assert guess(text).why == why


@given(st.text())
def test_no_text_raises_an_error(text):
    guess(text)
