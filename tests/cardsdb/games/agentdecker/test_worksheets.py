"""Agent Decker's score book, and the state of a campaign at the start of a turn."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.play.worksheet import Worksheet

GAME = games()["agentdecker"]


def sheet_called(slug: str) -> Worksheet:
    return next(sheet for sheet in GAME.worksheets if sheet.slug == slug)


def test_agent_decker_adds_the_score_up():
    sheet = sheet_called("score-book")
    typed = {f"mission_{number}": str(score) for number, score in enumerate((12, 31, 7, 0, 49), 1)}
    result = sheet.fill_in(GAME, typed)
    values = {one.label: one.value for one in result.calculation.outcomes}
    assert values["Total"] == "99"
    assert values["Best mission"] == "4, with 0"
    assert values["Worst mission"] == "5, with 49"
    assert sheet.writes and "Total: 99" in sheet.writes(result.values)


def test_agent_decker_tells_what_an_unfinished_campaign_can_still_come_to():
    sheet = sheet_called("score-book")
    outcomes = sheet.fill_in(GAME, {"mission_1": "12", "best": "40"}).calculation.outcomes
    assert "12 to 208" in outcomes[0].note
    assert outcomes[-1].value == "at most 27 more"


@pytest.mark.parametrize(
    ("typed", "warned"),
    [
        ({}, []),
        ({"obstacle_deck": "15"}, ["Cards in all zones"]),
        ({"alarm": "50", "turn": "4"}, ["Alarm"]),
        ({"alarm": "3"}, ["Alarm"]),
        ({"line": "5", "obstacle_deck": "17"}, ["The line"]),
        ({"obstacle_deck": "15", "your_discard": "1"}, ["Discards and play area"]),
        ({"mission": "B", "turn": "2", "mission_deck": "22", "equip_area": "1"}, []),
        ({"mission": "B", "turn": "2"}, ["Equip area"]),
    ],
)
def test_agent_decker_sees_what_cannot_be_at_the_start_of_a_turn(typed, warned):
    sheet = sheet_called("campaign-state")
    assert [
        one.label for one in sheet.fill_in(GAME, typed).calculation.outcomes if one.kind == "warning"
    ] == warned


def test_agent_decker_is_lost_when_the_line_cannot_be_filled():
    sheet = sheet_called("campaign-state")
    typed = {"turn": "9", "line": "4", "obstacle_deck": "1", "your_deck": "21"}
    steps = next(
        one.rows for one in sheet.fill_in(GAME, typed).calculation.outcomes if one.label == "What to do next"
    )
    assert [(row[2], "lost" in row[1]) for row in steps] == [("AD-29", True)]
