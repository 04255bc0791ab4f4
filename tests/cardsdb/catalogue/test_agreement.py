"""Another machine has other cards in its folders and loads them: this one judges by the cards that it
lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsdb.catalogue import agreement
from cardsdb.catalogue.loader import load
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.folder.cards_digest import digest_of
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.models import Card, Edition, Holding
from tests.support.game_folders import edited

__all__ = ["edited"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
Edit = Callable[..., Game]


@pytest.fixture(autouse=True)
def agreed_anew(tmp_path: Path, settings: Any) -> Iterator[None]:
    settings.VAR_DIR = tmp_path
    agreement._agreed.clear()
    yield
    agreement._agreed.clear()


@pytest.fixture
def elsewhere(edited: Edit, sixth_game: Game, client: Client) -> Game:
    """The sixth game, as this machine has it, was loaded and served here; another machine loads it with a
    card that has a new name.
    """
    load(sixth_game)
    assert judged(client, "Zorka")
    newer = edited(("zorka,Zorka", "zorka,Zorka Blue"))
    load(newer)
    return newer


def judged(client: Client, name: str) -> bool:
    """Whether a list with this name is read as the card of this game."""
    body = json.dumps({"game": "deaddrop", "text": f"1 {name}"})
    answer = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    return not answer["unread"] and not answer["notices"]


def listed(client: Client, name: str) -> bool:
    return bool(client.get("/api/v1/cards/", {"q": f'game:deaddrop "{name}"'}).json()["count"])


def test_a_list_is_read_by_the_cards_of_the_edition(elsewhere: Game, client: Client) -> None:
    assert listed(client, "Zorka Blue") and judged(client, "Zorka Blue")


def test_what_the_edition_no_longer_has_is_not_judged_by_the_folder(elsewhere: Game, client: Client) -> None:
    client.get("/")
    game = game_named("deaddrop")
    assert game and [card.name for card in game.cards if card.code == "zorka"] == ["Zorka Blue"]
    assert [card.name for card in game.card_files.cards() if card.code == "zorka"] == ["Zorka"], (
        "this machine's folder is the old one"
    )


def test_a_folder_that_was_loaded_beside_this_process_is_read_again(
    edited: Edit, sixth_game: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    games()["deaddrop"] = edited()
    load(edited())
    assert judged(client, "Zorka")
    load(edited(("zorka,Zorka", "zorka,Zorka Blue")))
    monkeypatch.setattr(agreement, "_cards_of_edition", {}.pop)
    assert judged(client, "Zorka Blue")


def test_the_cards_of_the_same_folder_stay_what_they_are(sixth_game: Game, client: Client) -> None:
    load(sixth_game)
    client.get("/")
    assert game_named("deaddrop") is sixth_game


def test_the_cards_of_an_edition_are_those_of_its_folder() -> None:
    for slug in ("spycraft", "xfiles", "spynet", "steamspy", "agentdecker"):
        game = game_named(slug)
        assert game and digest_of(agreement._cards_of_edition(slug)) == digest_of(game.cards)


def test_the_digest_is_of_every_part_of_a_card_and_of_no_order(edited: Edit, sixth_game: Game) -> None:
    first, second, *rest = sixth_game.cards
    assert digest_of((second, first, *rest)) == sixth_game.cards_digest
    assert (
        edited(("Zorka,courier,ONE,1,,,,sheet#3", "Zorka,courier,ONE,1,,,,sheet#4")).cards_digest
        != sixth_game.cards_digest
    )


# -- what a watcher is told --------------------------------------------------------------


def ready(client: Client) -> tuple[int, str]:
    answer = client.get("/readyz")
    return answer.status_code, answer.content.decode().strip()


def test_a_machine_with_the_cards_of_the_edition_is_ready(sixth_game: Game, client: Client) -> None:
    load(sixth_game)
    assert ready(client) == (200, "ready")


def test_a_machine_with_other_cards_is_ready_and_says_which(elsewhere: Game, client: Client) -> None:
    status, words = ready(client)
    edition = Edition.objects.current().number
    assert status == 200
    assert words.startswith(
        f"ready, but this machine's folders have other cards of Dead Drop, edition {edition} of the database"
    )
    assert words.endswith("run manage.py load_cards")


def test_a_game_that_was_not_loaded_is_said(sixth_game: Game, client: Client) -> None:
    assert "Dead Drop, which it lacks" in ready(client)[1]


def test_a_game_that_only_another_machine_has_is_said(client: Client) -> None:
    Holding.objects.create(game="night-train")
    assert "no night-train" in ready(client)[1]


@pytest.mark.both_databases
def test_a_catalogue_that_an_older_version_loaded_is_no_fault(client: Client) -> None:
    for one in Holding.objects.all():
        one.summary.pop("digest")
        one.save()
    assert Card.objects.exists() and ready(client) == (200, "ready")


def test_where_a_folder_cannot_be_read_the_cards_of_the_edition_stand_in(
    elsewhere: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(game: Game) -> str:
        raise FolderError("cards.csv, line 3: half a line")

    monkeypatch.setattr(Game, "cards_digest", property(unreadable))
    agreement._agreed.clear()
    assert client.get("/healthz").status_code == 200
    assert judged(client, "Zorka Blue")


def test_a_card_whose_game_was_never_loaded_has_no_page(sixth_game: Game, client: Client) -> None:
    assert client.get("/cards/deaddrop/zorka/").status_code == 404
    load(sixth_game)
    assert client.get("/cards/deaddrop/zorka/").status_code == 200
