"""Formats as data: each kind of rule, and a league's format that a file adds to a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardsdb import games as folders
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.repair.search import smallest_repairs
from tests.support.data_games import night_train, site_data, write_format

__all__ = ["night_train", "site_data"]

HEAD = 'game = "night-train"\nname = "Tuesday league"\n\n[[rules]]\n'
DECK = "3 Ada Quill\n2 Second Key\n1 Mail Van\n"


def said_by(site_data: Path, rule: str) -> str:
    """What the rule says by itself."""
    assert write_format(site_data, "tuesday.toml", HEAD + rule) == []
    game = folders.games()["night-train"]
    assert problems(game) == []
    return game.citations["TUESDAY-1"].says


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ('rule = "size"\nat_least = 20\nat_most = 40', "A deck has at least 20 and at most 40 cards."),
        ('rule = "copies"\nlimit = 2', "A deck has at most 2 copies of each card."),
        (
            'rule = "copies"\nlimit = 1\nof = { types = ["trick"], where = { cost = 2 } }',
            "A deck has at most 1 copy of each card, counted among the tricks.",
        ),
        (
            'rule = "copies"\nlimit = 2\nown_limit = "nerve"\nof = { cards = ["Benno Latch"] }',
            "A deck has at most 2 copies of each card,",
        ),
        ('rule = "singleton"\nof = { sections = ["places"] }', "A deck has no card twice."),
        (
            'rule = "restricted"\ncards = ["Second Key", "lights-out"]',
            "of each of these: Second Key and lights-out.",
        ),
        ('rule = "banned"\ncards = ["mail-van"]', "Banned: mail-van."),
        (
            'rule = "points"\nlimit = 4\ncards = { "Ada Quill" = 1, mail-van = 2 }',
            "The cards of the points list cost at most 4 points together: Ada Quill 1 and mail-van 2.",
        ),
        ('rule = "only_types"\ntypes = ["agent", "trick"]', "Only agents and tricks may be among the cards."),
        ('rule = "only_sets"\nsets = ["ONE"]', "Every card is from one of these sets: ONE."),
        ('rule = "agreement"\nfact = "crew"\nof = { types = ["agent"] }', "All agents have the same crew."),
        (
            'rule = "one_of_each"\nfact = "reward"\nvalues = [2, 3, 4]\nof = { types = ["place"] }',
            "No two places have the same reward, and there is one of each: 2, 3 and 4.",
        ),
        ('rule = "total"\nfact = "cost"\nlimit = 30', "The cost of the cards comes to at most 30 together."),
        (
            'rule = "without"\nfact = "crew"\nvalue = "Porters"',
            "None of the cards has a crew that is Porters.",
        ),
    ],
)
def test_each_kind_of_rule_says_itself(night_train, site_data, rule, says):
    """That each judges is shown by the examples of Lantern Street, of which each kind is broken."""
    assert says in said_by(site_data, rule)


def test_a_rule_says_what_its_author_lets_it_say(night_train, site_data):
    assert said_by(site_data, 'rule = "singleton"\nsays = "One of each."') == "One of each."


LEAGUE = """
game = "spycraft"
name = "Tuesday league"
by = "The Tuesday table"
based_on = "agency"
leave_out = ["PR-1"]
numbers = { "AG-3.at_least" = 40, "AG-4.limit" = 2 }

[[rules]]
rule = "points"
limit = 3
cards = { "Kai" = 2, "termite" = 1 }

[[rules]]
rule = "banned"
cards = ["Shiatsu"]
"""


def test_a_league_adds_its_format_to_a_game(site_data, agency_text):
    assert write_format(site_data, "tuesday.toml", LEAGUE) == []
    game = folders.games()["spycraft"]
    assert problems(game) == []
    format, agency = game.formats_by_slug["tuesday"], game.formats_by_slug["agency"]
    changed = {"AG-3": "TUESDAY-AG-3", "AG-4": "TUESDAY-AG-4"}
    taken_over = [changed.get(rule.code, rule.code) for rule in agency.rules if rule.code != "PR-1"]
    assert [rule.code for rule in format.rules] == [*taken_over, "TUESDAY-1", "TUESDAY-2"]
    assert (format.sections, format.official, game.formats[0]) == (agency.sections, False, agency)
    citation = game.citations["TUESDAY-AG-3"]
    assert citation.says == "AG-3: cards with the leaders, at least 40, where the rulebook says 50."
    assert (game.documents[citation.document].title, citation.place) == (
        "Format of Tuesday league",
        "Tuesday league",
    )

    deck = read_deck(game, f"{agency_text}\n2 Kai\n1 Shiatsu", format).deck
    codes = game.judge(deck, format).codes()
    assert {"TUESDAY-1", "TUESDAY-2"} <= set(codes) and not {"TUESDAY-1", "TUESDAY-2"} & set(
        game.judge(deck, agency).codes()
    )


def test_a_deck_that_breaks_a_league_s_rules_is_repaired(night_train, site_data):
    rules = (
        'rule = "points"\nlimit = 2\ncards = { mail-van = 3, ada-quill = 1 }\n\n[[rules]]\nrule ='
        ' "banned"\ncards = ["Second Key"]'
    )
    assert write_format(site_data, "tuesday.toml", HEAD + rules) == []
    game = folders.games()["night-train"]
    format = game.formats_by_slug["tuesday"]
    deck = read_deck(game, DECK, format).deck
    repair, *_ = smallest_repairs(game, deck, format)
    assert (repair.verdict, repair.words) == ("legal", "Take out 1 Ada Quill, 2 Second Key and 1 Mail Van.")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('game = "spycraft"', 'game = "chess"', "game: must be one of agentdecker,"),
        ('based_on = "agency"', 'based_on = "agencies"', "based_on: must be one of agency,"),
        ('leave_out = ["PR-1"]', 'leave_out = ["PR-9"]', "leave_out: 'PR-9' is no rule of"),
        ('"AG-3.at_least" = 40', '"AG-3.most" = 40', "numbers: Agency Deck has no number"),
        ('"AG-3.at_least" = 40', '"AG-3.at_least" = 4000', "numbers: AG-3.at_least must be a whole"),
        ('"Kai" = 2', '"Kai" = "two"', "rules.1.cards: must be a table of"),
        ('"Kai" = 2', '"Kai" = 0', "rules.1.cards: 'Kai' must cost a point"),
        ('rule = "banned"', 'rule = "forbidden"', "rules.2.rule: must be one of size,"),
        ('rule = "banned"', 'rule = "size"', "rules.2.cards: means nothing here; known are"),
        ("leave_out", "details = []\nleave_out", "details: means nothing here"),
    ],
)
def test_each_fault_of_a_league_is_told_with_file_and_key(site_data, old, new, fault):
    assert old in LEAGUE
    said = write_format(site_data, "tuesday.toml", LEAGUE.replace(old, new, 1))
    assert any(f"formats/tuesday.toml, {fault}" in line for line in said), said
    assert "tuesday" not in folders.games()["spycraft"].formats_by_slug


def test_a_format_called_like_one_of_the_game_is_left_out(site_data):
    (said,) = write_format(site_data, "agency.toml", LEAGUE)
    assert (
        said == "formats/agency.toml, name: the format 'agency' is declared already; call this one otherwise"
    )


def test_cards_and_sets_that_the_game_does_not_have_break_the_contract(site_data):
    text = LEAGUE.replace("Shiatsu", "Shiatsu Two") + '\n[[rules]]\nrule = "only_sets"\nsets = ["ON", "XX"]\n'
    assert write_format(site_data, "tuesday.toml", text) == []
    assert problems(folders.games()["spycraft"]) == [
        (
            "spycraft: format tuesday: rule TUESDAY-2 names 'Shiatsu Two', which is neither the code nor the"
            " name of a card"
        ),
        "spycraft: format tuesday: rule TUESDAY-3 names the set 'XX', which is not in sets.csv",
    ]
