"""Loading game folders: the rows that are written, the edition that is made, and its files."""

import shutil
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from cardsdb.catalogue import loader
from cardsdb.catalogue.edition_files import has_bulk
from cardsdb.catalogue.loader import load, load_all
from cardsdb.games import games
from cardsdb.games.kit import FolderError, Game
from cardsdb.models import Card, Edition, Holding, Print
from tests.support.game_folders import edited, with_cards
from tests.support.processes import Child, answer, copied_site
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

__all__ = ["edited"]

WRITES = ("INSERT", "UPDATE", "DELETE", "COPY", "LOCK", "BEGIN", "SAVEPOINT")
# Seconds within which a process that does not wait would have answered.
MOMENT = 0.3


# -- two loads at once ------------------------------------------------------------


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("loads")) as site:
        yield site


def load_when_told(pipe: Connection, game: Game) -> None:
    """Load a game in another process. It says "begins", then "reads" once it has the lock, and goes on when
    it gets an answer; at the end it says how many cards it added.
    """
    plain = loader._load_game

    def waiting(game: Game, report: Any, writes: bool) -> Any:
        if writes:
            pipe.send("reads")
            pipe.recv()
        return plain(game, report, writes)

    loader._load_game = waiting
    pipe.send("begins")
    pipe.send(load(game).count("added"))


def stored() -> tuple[int, int, int]:
    """Return the numbers of editions, and of cards and prints of the sixth game."""
    cards, prints = Card.objects.in_game("deaddrop"), Print.objects.filter(card__game="deaddrop")
    return Edition.objects.count(), cards.count(), prints.count()


@pytest.mark.both_databases
def test_of_two_loads_at_once_the_second_waits_and_finds_nothing_to_do(site, sixth_game):
    cards = len(sixth_game.cards)
    editions, *none = answer(site, stored)
    first = Child(site, load_when_told, sixth_game)
    assert (first.hear(), first.hear()) == ("begins", "reads")
    # Begun together, either of them might be the first.
    second = Child(site, load_when_told, sixth_game)
    try:
        assert second.hear() == "begins"
        assert not second.pipe.poll(MOMENT)
        first.say("read")
        assert second.hear() == "reads"
        second.say("read")
        assert (first.hear(), second.hear()) == (cards, 0)
    finally:
        first.kill()
        second.kill()
    prints = sum(len(card.prints) for card in sixth_game.cards)
    assert (none, answer(site, stored)) == ([0, 0], (editions + 1, cards, prints))


# -- what is written ------------------------------------------------------------


def test_unchanged_folders_write_nothing_take_no_lock_and_make_no_edition():
    before = Edition.objects.current().number
    sent = queries_of(lambda: load_all(games().values()))
    assert [sql for sql in sent if sql.lstrip().upper().startswith(WRITES)] == []
    assert Edition.objects.current().number == before


@pytest.mark.both_databases
def test_only_the_card_that_changed_is_written_and_named_in_the_edition(edited):
    load(edited())
    printed = Print.objects.filter(card__game="deaddrop").order_by("card__code", "set_code", "number")
    places = printed.values_list("card__code", "set_code")
    prints, before = set(printed.values_list("pk", flat=True)), list(places)
    load(edited(("Zorka", "Zorka Two")))
    changed = Card.objects.get(game="deaddrop", name_folded="zorka two")
    counts = {"added": 0, "changed": 1, "retired": 0}
    (named,) = Edition.objects.latest("number").changes
    assert named == {
        "game": "deaddrop",
        "added": [],
        "changed": [changed.code],
        "retired": [],
        "counts": counts,
    }
    # Prints of other cards are the same rows; those of the changed card were replaced by equal ones.
    assert set(printed.exclude(card=changed).values_list("pk", flat=True)) <= prints
    assert changed.sort_name == "zorka two" and list(places.all()) == before


def test_cards_of_several_batches_are_all_written_and_a_fault_in_the_last_line_takes_them_back(
    tmp_path, sixth_game, monkeypatch
):
    monkeypatch.setattr(loader, "BATCH", 2)
    game = replace(sixth_game, folder=with_cards(sixth_game, tmp_path, 5))
    path = game.folder / "cards.csv"
    sound = path.read_text()
    path.write_text(sound + "last,Last,parcel,,,,,,sheet,,,,heavy,\n")
    # The sixth card is faulty, when two batches of two are written already.
    with pytest.raises(FolderError, match="column weight"):
        load(game)
    assert not Card.objects.filter(game="deaddrop").exists()
    path.write_text(sound)
    assert load(game).count("added") == Card.objects.filter(game="deaddrop").count() == 5
    assert load(game).count("added") == 0


def test_a_load_of_many_cards_reports_its_progress(edited, monkeypatch):
    monkeypatch.setattr(loader, "PROGRESS", 2)
    lines: list[str] = []
    load_all([edited()], lines.append)
    assert lines[0].endswith(": 2 cards read")


@pytest.mark.both_databases
def test_a_renamed_set_rewrites_the_cards_that_are_found_by_its_name(edited):
    game = edited()
    load(game)
    name = game.sets[0].name
    # No line of cards.csv changes, but the search columns of the set's cards do.
    loaded = load(edited((name, "Renamed Set"), file="sets.csv"))
    found = Card.objects.filter(game="deaddrop", terms__contains="|set-name=renamed set|").count()
    assert loaded.count("changed") == found > 0


@pytest.mark.both_databases
def test_every_part_of_a_card_is_read_back_from_the_database_as_it_is_in_the_folder():
    for game in games().values():
        rows = Card.objects.in_game(game.slug).prefetch_related("prints")
        stored_cards = {row.code: row.as_card() for row in rows}
        for card in game.cards:
            for part in ("name", "type", "facts", "text", "prints", "aliases", "note", "sources"):
                assert getattr(stored_cards[card.code], part) == getattr(card, part), (card.key, part)


def test_a_retired_card_comes_back_as_it_was(edited):
    load(edited())
    path = edited().folder / "cards.csv"
    (line,) = (line for line in path.read_text().splitlines(True) if "Zorka" in line)
    zorka = Card.objects.get(game="deaddrop", name="Zorka")
    assert load(edited((line, ""))).count("retired") == 1
    zorka.refresh_from_db()
    assert zorka.retired
    path.write_text(path.read_text() + line)
    assert load(edited()).count("changed") == 1
    zorka.refresh_from_db()
    assert not zorka.retired


def test_loading_into_a_database_without_tables_says_to_run_migrate(monkeypatch):
    def without_tables(*args):
        raise OperationalError("no such table: cardsdb_edition")

    monkeypatch.setattr("cardsdb.management.commands.load_cards.load_whole_ones", without_tables)
    monkeypatch.setattr(connection.introspection, "table_names", list)
    with pytest.raises(CommandError, match=r"run manage\.py migrate"):
        call_command("load_cards")


# -- editions -------------------------------------------------------------------


def test_several_games_make_one_edition(edited):
    before = Edition.objects.count()
    Card.objects.filter(game="spycraft", code="kai").update(digest="stale")
    load_all([edited(), games()["spycraft"]])
    assert Edition.objects.count() == before + 1
    assert [change["game"] for change in Edition.objects.latest("number").changes] == ["deaddrop", "spycraft"]


def test_an_edition_lists_some_cards_of_each_kind_and_counts_all(sixth_game, monkeypatch):
    monkeypatch.setattr(loader, "MAX_NAMED", 2)
    load(sixth_game)
    (change,) = Edition.objects.latest("number").changes
    assert (len(change["added"]), change["counts"]["added"]) == (2, len(sixth_game.cards))


@pytest.mark.both_databases
def test_a_game_whose_folder_is_gone_makes_an_edition_that_retires_its_cards(sixth_game):
    from cardsdb import games as folders

    load(sixth_game)
    gone = next(path for path in folders.__path__ if "sixth_game" in path)
    folders.__path__.remove(gone)
    games.cache_clear()
    try:
        load_all([])
    finally:
        folders.__path__.append(gone)
    (change,) = Edition.objects.latest("number").changes
    cards = Card.objects.filter(game="deaddrop").count()
    assert (change["game"], change["counts"]["retired"]) == ("deaddrop", cards)
    assert not Holding.objects.filter(game="deaddrop").exists()


# -- the files of an edition ------------------------------------------------------


@pytest.fixture
def loading(settings, tmp_path, django_capture_on_commit_callbacks):
    """A function that loads a game as outside of tests: its transaction is committed, and files are made, of
    this game alone.
    """
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    # Without the cards of other games, the files are made in a moment.
    Card.objects.update(retired=True)

    def load_and_publish(game):
        with django_capture_on_commit_callbacks(execute=True):
            load(game)

    return load_and_publish


@pytest.mark.both_databases
def test_a_load_that_fails_leaves_edition_and_cards_as_they_were(loading, edited, monkeypatch):
    loading(edited())
    before = Edition.objects.current()
    monkeypatch.setattr(Edition.objects, "create", lambda **values: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loading(edited(("Zorka", "Zorka Two")))
    assert Edition.objects.current() == before
    assert not Card.objects.filter(name="Zorka Two").exists()


def test_missing_files_are_made_by_the_next_load(loading, settings, sixth_game):
    loading(sixth_game)
    assert has_bulk(Edition.objects.current().number)
    shutil.rmtree(settings.VAR_DIR / "bulk")
    loading(sixth_game)
    assert has_bulk(Edition.objects.current().number)
