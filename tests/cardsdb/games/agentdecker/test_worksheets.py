"""Agent Decker's worksheets: the score book, and the state of a campaign at the start of a turn.

Fields of the campaign's sheet that a test does not type keep their numbers from ``game.toml``, those of the
first turn of mission A: alarm 0, 54 cards in all zones, 23 of them in the mission deck, 16 in the obstacles
deck, 6 in the line, 4 in your deck.
"""

import pytest

from cardsdb.games import games
from cardsdb.games.kit.play.worksheet import Outcome

GAME = games()["agentdecker"]
SHEETS = {sheet.slug: sheet for sheet in GAME.worksheets}


def outcomes(slug: str, typed: dict[str, str]) -> tuple[Outcome, ...]:
    """Return what the sheet works out from the typed fields."""
    return SHEETS[slug].fill_in(GAME, typed).calculation.outcomes


# Missions 1 to 5; the lower score is the better one.
FINISHED = {f"mission_{number}": str(score) for number, score in enumerate((12, 31, 7, 0, 49), 1)}


def test_the_scores_of_a_finished_campaign_are_added_up_compared_and_listed():
    values = {outcome.label: outcome.value for outcome in outcomes("score-book", FINISHED)}
    wanted = {"Total": "99", "Best mission": "4, with 0", "Worst mission": "5, with 49"}
    assert values.items() >= wanted.items()
    sheet = SHEETS["score-book"]
    assert sheet.writes and "Total: 99" in sheet.writes(sheet.fill_in(GAME, FINISHED).values)


def test_an_unfinished_campaign_shows_its_possible_total_and_the_points_left_to_the_best():
    shown = outcomes("score-book", {"mission_1": "12", "best": "40"})
    # Each of the four other missions adds 0 to 49: at an alarm of 50 the game is lost.
    assert "12 to 208" in shown[0].note
    # 12 and 27 are 39, one less than the best total.
    assert shown[-1].value == "at most 27 more"


@pytest.mark.parametrize(
    ("typed", "warnings"),
    [
        ({}, []),
        # One of the 54 cards is missing.
        ({"obstacle_deck": "15"}, ["Cards in all zones"]),
        # The game is lost at 50.
        ({"alarm": "50", "turn": "4"}, ["Alarm"]),
        # A mission begins at 0.
        ({"alarm": "3"}, ["Alarm"]),
        # The line is filled to 6 before each turn.
        ({"line": "5", "obstacle_deck": "17"}, ["The line"]),
        # On a first turn nothing has been discarded yet.
        ({"obstacle_deck": "15", "your_discard": "1"}, ["Discards and play area"]),
        # In mission B the goal of mission A is in the equip area.
        ({"mission": "B", "turn": "2", "mission_deck": "22", "equip_area": "1"}, []),
        ({"mission": "B", "turn": "2"}, ["Equip area"]),
    ],
)
def test_a_state_that_is_impossible_at_the_start_of_a_turn_is_a_warning(typed, warnings):
    shown = outcomes("campaign-state", typed)
    assert [outcome.label for outcome in shown if outcome.kind == "warning"] == warnings


def test_the_game_is_lost_if_the_line_cannot_be_filled():
    # The line lacks two obstacles, and one is left. The other cards of the 54 are in your deck.
    shown = outcomes("campaign-state", {"turn": "9", "line": "4", "obstacle_deck": "1", "your_deck": "21"})
    ((_, step, rule),) = next(outcome.rows for outcome in shown if outcome.label == "What to do next")
    assert "lost" in step
    assert rule == "AD-29"
