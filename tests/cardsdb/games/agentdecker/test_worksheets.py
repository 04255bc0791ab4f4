"""Agent Decker's worksheets: the score book, and the state of a campaign at the start of a turn."""

import pytest

from cardsdb.games import games
from cardsdb.games.kit.play.worksheet import Outcome

GAME = games()["agentdecker"]


SHEETS = {sheet.slug: sheet for sheet in GAME.worksheets}


def outcomes(slug: str, typed: dict[str, str]) -> tuple[Outcome, ...]:
    return SHEETS[slug].fill_in(GAME, typed).calculation.outcomes


FINISHED = {f"mission_{number}": str(score) for number, score in enumerate((12, 31, 7, 0, 49), 1)}


def test_the_scores_of_a_finished_campaign_are_added_up_compared_and_listed():
    values = {outcome.label: outcome.value for outcome in outcomes("score-book", FINISHED)}
    wanted = {"Total": "99", "Best mission": "4, with 0", "Worst mission": "5, with 49"}
    assert values.items() >= wanted.items()
    sheet = SHEETS["score-book"]
    assert sheet.writes and "Total: 99" in sheet.writes(sheet.fill_in(GAME, FINISHED).values)


def test_an_unfinished_campaign_shows_its_possible_total_and_the_points_left_to_the_best():
    shown = outcomes("score-book", {"mission_1": "12", "best": "40"})
    assert "12 to 208" in shown[0].note
    assert shown[-1].value == "at most 27 more"


@pytest.mark.parametrize(
    ("typed", "warnings"),
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
def test_a_state_that_is_impossible_at_the_start_of_a_turn_is_a_warning(typed, warnings):
    shown = outcomes("campaign-state", typed)
    assert [outcome.label for outcome in shown if outcome.kind == "warning"] == warnings


def test_the_game_is_lost_if_the_line_cannot_be_filled():
    shown = outcomes("campaign-state", {"turn": "9", "line": "4", "obstacle_deck": "1", "your_deck": "21"})
    ((_, step, rule),) = next(outcome.rows for outcome in shown if outcome.label == "What to do next")
    assert "lost" in step
    assert rule == "AD-29"
