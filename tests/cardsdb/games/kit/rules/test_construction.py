"""Meters: the numbers of a format, counted while a deck is built."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Meter, Severity, Starter, meter_words
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.judging import judge_text

STARTERS = [(slug, starter) for slug, game in games().items() for starter in game.starters]


def meters(game: str, format: str, text: str) -> dict[str, tuple[int, int | None, int | None]]:
    judged = judge_text(games()[game], text, games()[game].formats_by_slug[format])
    return {meter.label: (meter.found, meter.least, meter.most) for meter in judged.meters()}


def test_an_agency_counts_its_cards_leaders_and_levels() -> None:
    assert meters("spycraft", "agency", "Leaders:\n1 Minx\n1 Harlequin\nDeck:\n3 Kai") == {
        "cards with the leaders": (5, 50, None),
        "leaders": (2, 4, 4),
        "levels among the leaders": (2, 4, 4),
    }


def test_a_bureau_counts_its_deck_x_file_and_the_cost_of_its_team() -> None:
    shown = meters("xfiles", "advanced", "Agents:\n1 Agent Fox Mulder")
    assert shown["RP of the starting Agents"] == (7, None, 20)
    assert shown["cards in the Bureau deck"] == (0, 60, None)
    assert shown["X-Files"] == (0, 1, 1)
    assert shown["starting Agents"] == (1, 1, None)


def test_the_box_counts_its_types_and_the_tokens_of_each_branch() -> None:
    shown = meters("spynet", "set", "Tokens:\n3 Tech token")
    assert shown["tech tokens"] == (3, 4, 4)
    assert shown["agents"] == (0, 34, 34)


def test_a_cell_counts_both_its_decks_and_the_xp_of_its_people() -> None:
    starter = next(starter for starter in games()["steamspy"].starters if starter.format == "cell")
    shown = meters("steamspy", "cell", starter.text)
    assert shown["cards in the corporation deck"] == (32, 32, 32)
    assert shown["cards in the organisation deck"] == (24, 24, 24)
    assert [label for label in shown if label.startswith("XP of")]


def test_a_campaign_counts_the_line_and_the_hand() -> None:
    starter = next(starter for starter in games()["agentdecker"].starters if starter.format == "campaign")
    shown = meters("agentdecker", "campaign", starter.text)
    assert (shown["cards in the line"], shown["cards in your hand"]) == ((6, 6, 6), (4, 4, 4))


@pytest.mark.parametrize(("slug", "starter"), STARTERS, ids=lambda value: getattr(value, "slug", value))
def test_meters_and_verdict_agree(slug: str, starter: Starter) -> None:
    game = games()[slug]
    format = game.formats_by_slug[starter.format]
    deck = read_deck(game, starter.text, format).deck
    open_codes = {
        violation.code
        for violation in game.judge(deck, format).violations
        if violation.severity > Severity.NOTE
    }
    assert {
        meter.code for rule in format.rules for meter in rule.meters(deck) if not meter.within_bounds
    } <= open_codes


def test_a_meter_is_there_once() -> None:
    judged = judge_text(games()["spycraft"], "2 Kai")
    assert len(set(judged.meters())) == len(judged.meters())


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (50, None, "46 of at least 50"),
        (None, 20, "46 of at most 20"),
        (4, 4, "46 of 4"),
        (1, 9, "46 of at least 1 and at most 9"),
    ],
)
def test_a_meter_reads_as_a_person_would_say_it(least: int | None, most: int | None, words: str) -> None:
    assert meter_words(Meter("cards", 46, least, most, "X-1")) == words
