"""SpyNet's sheet for an evening: seats, situations and what is left of the deck."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.play.opening import drawn


def test_spynet_draws_by_seed_and_names_what_is_known():
    game = games()["spynet"]
    sheet = game.worksheets[0]

    def situation(**typed: str) -> str:
        outcomes = sheet.fill_in(game, {"seed": "monday", **typed}).calculation.outcomes
        return next(outcome.value for outcome in outcomes if outcome.label == "Situation in play")

    assert situation() == situation()
    own = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta"]
    assert situation(in_the_box="; ".join(own)) == own[drawn("monday", "situation", 8)]
    assert situation(in_the_box="Alpha") in (
        "Alpha",
        f"Situation {drawn('monday', 'situation', 8) + 1} (name not stated)",
    )


@pytest.mark.parametrize(("players", "left"), [("2", "71"), ("4", "69")])
def test_spynet_counts_the_cards_left(players, left):
    game = games()["spynet"]
    outcomes = game.worksheets[0].fill_in(game, {"players": players}).calculation.outcomes
    assert next(one.value for one in outcomes if one.label == "Cards left in the deck").endswith(f"= {left}")


def test_spynet_seats_everybody_once_with_teammates_opposite():
    game = games()["spynet"]
    outcomes = (
        game.worksheets[0]
        .fill_in(game, {"seed": "monday", "names": "Ann, Ben, Cleo, Dan"})
        .calculation.outcomes
    )
    rows = next(one.rows for one in outcomes if one.label == "Seats")
    assert sorted(row[1] for row in rows) == ["Ann", "Ben", "Cleo", "Dan"]
    assert [row[2][:6] for row in rows] == ["team A", "team B", "team A", "team B"]
    first = next(number for number, row in enumerate(rows) if "first player" in row[2])
    assert "drafts first" in rows[first - 1][2]


def test_spynet_wants_a_name_for_everybody_or_none():
    game = games()["spynet"]
    assert game.worksheets[0].fill_in(game, {"names": "Ann, Ben"}).problems[0][0] == "names"
