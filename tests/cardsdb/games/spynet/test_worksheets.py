"""SpyNet's worksheet for the set-up: seats, the situation, and the cards left in the deck."""

import pytest

from cardsdb.games import games
from cardsdb.games.kit.play.opening import drawn
from cardsdb.games.kit.play.worksheet import Outcome

GAME = games()["spynet"]
SHEET = GAME.worksheets[0]


def outcome(label: str, **typed: str) -> Outcome:
    """Return the outcome with this label for the sheet filled in like this."""
    outcomes = SHEET.fill_in(GAME, typed).calculation.outcomes
    return next(outcome for outcome in outcomes if outcome.label == label)


def situation(**typed: str) -> str:
    return outcome("Situation in play", seed="monday", **typed).value


def test_a_situation_is_drawn_from_the_names_that_the_owner_writes_in_and_from_numbers():
    own, number = list("ABCDEFGH"), drawn("monday", "situation", 8)
    assert number > 0
    assert situation(in_the_box="; ".join(own)) == own[number]
    assert situation(in_the_box="A") == f"Situation {number + 1} (name not stated)"


# 76 cards, less three piles of one card and one card in each hand.
@pytest.mark.parametrize(("players", "left"), [("2", "71"), ("4", "69")])
def test_the_cards_left_in_the_deck_are_counted(players, left):
    assert outcome("Cards left in the deck", players=players).value.endswith(f"= {left}")


def test_every_player_has_a_seat_teammates_sit_opposite_and_the_player_before_the_first_drafts():
    rows = outcome("Seats", seed="monday", names="Ann, Ben, Cleo, Dan").rows
    assert sorted(name for _, name, _ in rows) == ["Ann", "Ben", "Cleo", "Dan"]
    roles = [role for _, _, role in rows]
    assert [role[:6] for role in roles] == ["team A", "team B", "team A", "team B"]
    first = next(seat for seat, role in enumerate(roles) if "first player" in role)
    assert "drafts first" in roles[first - 1]


def test_names_for_some_players_only_are_a_problem():
    assert SHEET.fill_in(GAME, {"names": "Ann, Ben"}).problems[0][0] == "names"
