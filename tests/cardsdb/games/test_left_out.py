"""A game whose folder has a fault is left out: the site starts without it, says why, and has it again with
all its decks when the fault is corrected.
"""

import io

import pytest
from django.core.checks import Error
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from cardsdb import apps
from cardsdb import games as folders
from cardsdb.apps import NOT_WHOLE
from cardsdb.catalogue import current
from cardsdb.catalogue.loader import load
from cardsdb.management.commands import prepare
from cardsdb.models import Card, Edition, Holding
from cardsdb.operate import checks
from decks.models import Deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def forget_games_and_catalogue() -> None:
    """Bring this process into the state of one that just started."""
    folders.games.cache_clear()
    current._newest = None


def prepared() -> str:
    """Check and load all games as ``manage.py prepare`` does, and return the messages."""
    err = io.StringIO()
    prepare.Command(stderr=err)._check()
    call_command("load_cards", stdout=io.StringIO(), stderr=err)
    forget_games_and_catalogue()
    return err.getvalue()


@pytest.fixture
def deck(night_train, site_data, settings, client):
    """The address of a deck that was made when its game had no fault."""
    settings.VAR_DIR = site_data
    load(night_train)
    made = client.post(
        "/decks/new/", {"game": "night-train", "name": "Crew", "text": night_train.starters[0].text}
    )
    yield made["Location"].partition("?")[0]
    forget_games_and_catalogue()


def test_a_faulty_game_is_left_out_with_a_message_until_it_is_corrected(deck, changed, client):
    def statuses(*paths: str) -> list[int]:
        return [client.get(path).status_code for path in paths]

    def listed() -> int:
        return Card.objects.in_game("night-train").filter(retired=False).count()

    before, cards, card = Edition.objects.current(), listed(), "/cards/night-train/ada-quill/"
    # A card without a name breaks the contract: the game is left out with a message, its pages are missing
    # and all others answer; its cards and decks stay in the database.
    changed(("ada-quill,Ada Quill,", "ada-quill,,"), file="cards.csv")
    assert "night-train/cards.csv line 2" in prepared()
    assert "night-train" not in folders.games() and "spycraft" in folders.games()
    assert set(statuses("/", "/games/", "/cards/", "/cards/?q=quill", "/decks/", "/sets/")) == {200}
    assert statuses(card, "/games/night-train/", deck) == [404] * 3
    assert (listed(), Deck.objects.count(), Edition.objects.current()) == (cards, 1, before)
    assert Holding.objects.filter(game="night-train").exists()

    # Now a file cannot be read either.
    changed(('players = "2"', "players = 2"))
    message = "night-train/game.toml, players: must be text"
    with pytest.raises(SystemCheckError, match=message):
        call_command("check")
    assert message in checks.catalogue().msg
    assert client.get("/readyz").text == (
        "ready, but without night-train, whose folders are not whole: manage.py check says why\n"
    )

    # Without both faults the same edition of the catalogue is shown, and the deck is there again.
    changed(("players = 2", 'players = "2"'))
    changed(("ada-quill,,", "ada-quill,Ada Quill,"), file="cards.csv")
    assert prepared() == "" and Edition.objects.current() == before
    assert statuses(deck, card) == [200, 200]


def test_games_with_failing_code_are_left_out_and_no_other(night_train, tmp_path, monkeypatch):
    codes = ("1 / 0\n", "import nothing_of_this_name\n", "name = 'no game'\n", "def (:\n")
    names = [f"broken_wing_{number}" for number in range(len(codes))]
    for name, code in zip(names, codes, strict=True):
        (tmp_path / "code" / name).mkdir(parents=True)
        (tmp_path / "code" / name / "__init__.py").write_text(code)
    monkeypatch.setattr(folders, "__path__", [*folders.__path__, str(tmp_path / "code")])
    # The code of Night Train fails only during the checks of its contract.
    plain = apps.problems
    monkeypatch.setattr(apps, "problems", lambda game: [1 / 0] if game.slug == "night-train" else plain(game))
    try:
        folders.games.cache_clear()
        assert folders.game_named(names[0]) is None and "spycraft" in folders.games()
        messages = prepared()
        assert [name for name in names if f"{name}: its code cannot be read" not in messages] == []
        assert "night-train: its code fails: ZeroDivisionError" in messages
        assert folders.left_out() == {"night-train", *(name.replace("_", "-") for name in names)}
    finally:
        monkeypatch.undo()
        forget_games_and_catalogue()


def test_load_cards_loads_all_games_but_one_that_became_faulty(deck, changed):
    Card.objects.in_game("spycraft").filter(code="kai").update(name="Another")
    changed(("ada-quill,Ada Quill,", "ada-quill,,"), file="cards.csv")
    err = io.StringIO()
    call_command("load_cards", stdout=io.StringIO(), stderr=err)
    assert (
        "Left out until it is repaired" in err.getvalue() and "night-train/cards.csv line 2" in err.getvalue()
    )
    assert Card.objects.get(game="night-train", code="ada-quill").name == "Ada Quill"
    assert Card.objects.get(game="spycraft", code="kai").name == "Kai"


def test_any_fault_other_than_of_a_game_still_stops_the_site(site_data, monkeypatch):
    monkeypatch.setattr(
        prepare,
        "run_checks",
        lambda: [Error("the disk is upside down"), Error("no game", obj="spycraft", id=NOT_WHOLE)],
    )
    with pytest.raises(SystemCheckError, match="the disk is upside down") as raised:
        prepare.Command()._check()
    assert "no game" not in str(raised.value)


def test_no_game_of_the_repository_is_left_out():
    assert folders.every_game()[1] == []
    assert folders.left_out() == set()
