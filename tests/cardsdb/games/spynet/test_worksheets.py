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


def test_the_same_seed_draws_the_same_situation():
    assert situation() == situation()


def test_a_situation_is_drawn_from_the_names_that_the_owner_writes_in():
    own = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta"]
    assert situation(in_the_box="; ".join(own)) == own[drawn("monday", "situation", 8)]


def test_situations_without_a_name_are_numbered():
    number = drawn("monday", "situation", 8) + 1
    assert number > 1
    assert situation(in_the_box="Alpha") == f"Situation {number} (name not stated)"


@pytest.mark.parametrize(("players", "left"), [("2", "71"), ("4", "69")])
def test_the_cards_left_in_the_deck_are_counted(players, left):
    assert outcome("Cards left in the deck", players=players).value.endswith(f"= {left}")


def test_every_player_has_one_seat_and_teammates_sit_opposite():
    rows = outcome("Seats", seed="monday", names="Ann, Ben, Cleo, Dan").rows
    assert sorted(name for _, name, _ in rows) == ["Ann", "Ben", "Cleo", "Dan"]
    assert [role[:6] for _, _, role in rows] == ["team A", "team B", "team A", "team B"]


def test_the_player_to_the_right_of_the_first_player_drafts_first():
    roles = [role for _, _, role in outcome("Seats", seed="monday", names="Ann, Ben, Cleo, Dan").rows]
    first = next(seat for seat, role in enumerate(roles) if "first player" in role)
    assert "drafts first" in roles[first - 1]


def test_names_for_some_players_only_are_a_problem():
    assert SHEET.fill_in(GAME, {"names": "Ann, Ben"}).problems[0][0] == "names"
