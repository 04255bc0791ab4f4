"""A format that a file adds to a game: what it takes over from another format, how it judges, its faults."""

from __future__ import annotations

import pytest

from cardsdb import games as folders
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.repair.search import smallest_repairs
from tests.support.data_games import write_format

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


@pytest.fixture
def spycraft_with_league(site_data):
    assert write_format(site_data, "tuesday.toml", LEAGUE) == []
    return folders.games()["spycraft"]


def test_a_league_s_format_has_rules_and_sections_of_its_base_and_rules_of_its_own(spycraft_with_league):
    formats = spycraft_with_league.formats_by_slug
    tuesday, agency = formats["tuesday"], formats["agency"]
    changed = {"AG-3": "TUESDAY-AG-3", "AG-4": "TUESDAY-AG-4"}
    taken_over = [changed.get(rule.code, rule.code) for rule in agency.rules if rule.code != "PR-1"]
    assert [rule.code for rule in tuesday.rules] == [*taken_over, "TUESDAY-1", "TUESDAY-2"]
    assert (tuesday.sections, tuesday.official) == (agency.sections, False)
    assert spycraft_with_league.formats[0] == agency
    assert problems(spycraft_with_league) == []


def test_a_rule_with_a_changed_number_is_cited_from_the_league_s_format(spycraft_with_league):
    citation = spycraft_with_league.citations["TUESDAY-AG-3"]
    document = spycraft_with_league.documents[citation.document]
    assert citation.says == "AG-3: cards with the leaders, at least 40, where the rulebook says 50."
    assert (document.title, citation.place) == ("Format of Tuesday league", "Tuesday league")


def test_a_league_s_rules_are_broken_in_its_own_format_alone(spycraft_with_league, agency_text):
    game = spycraft_with_league
    tuesday, agency = game.formats_by_slug["tuesday"], game.formats_by_slug["agency"]
    deck = read_deck(game, f"{agency_text}\n2 Kai\n1 Shiatsu", tuesday).deck
    own_rules = {"TUESDAY-1", "TUESDAY-2"}
    assert own_rules <= set(game.judge(deck, tuesday).codes())
    assert own_rules.isdisjoint(game.judge(deck, agency).codes())


def test_a_deck_that_breaks_a_league_s_rules_is_repaired(night_train, site_data):
    rules = """
game = "night-train"
name = "Tuesday league"
[[rules]]
rule = "points"
limit = 2
cards = { mail-van = 3, ada-quill = 1 }
[[rules]]
rule = "banned"
cards = ["Second Key"]
"""
    assert write_format(site_data, "tuesday.toml", rules) == []
    game = folders.games()["night-train"]
    format = game.formats_by_slug["tuesday"]
    deck = read_deck(game, "3 Ada Quill\n2 Second Key\n1 Mail Van\n", format).deck
    repair, *_ = smallest_repairs(game, deck, format)
    assert (repair.verdict, repair.words) == ("legal", "Take out 1 Ada Quill, 2 Second Key and 1 Mail Van.")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('leave_out = ["PR-1"]', 'leave_out = ["PR-9"]', "leave_out: 'PR-9' is no rule of"),
        ('"AG-3.at_least" = 40', '"AG-3.most" = 40', "numbers: Agency Deck has no number"),
        ('"AG-3.at_least" = 40', '"AG-3.at_least" = 4000', "numbers: AG-3.at_least must be a whole"),
        ('"Kai" = 2', '"Kai" = 0', "rules.1.cards: 'Kai' must cost a point"),
        ('rule = "banned"', 'rule = "size"', "rules.2.cards: means nothing here; known are"),
        ("leave_out", "details = []\nleave_out", "details: means nothing here"),
    ],
)
def test_each_fault_of_a_league_s_format_is_told_with_file_and_key(site_data, old, new, fault):
    assert old in LEAGUE
    told = write_format(site_data, "tuesday.toml", LEAGUE.replace(old, new, 1))
    assert any(f"formats/tuesday.toml, {fault}" in line for line in told), told
    assert "tuesday" not in folders.games()["spycraft"].formats_by_slug


def test_a_format_with_the_slug_of_one_of_the_game_is_left_out(site_data):
    (fault,) = write_format(site_data, "agency.toml", LEAGUE)
    assert fault == "formats/agency.toml, name: the format 'agency' is declared already; choose another name"


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
