"""Loading: what is written when, what an edition says, and what a folder with mistakes is told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from cardsdb.catalogue import load, load_all
from cardsdb.games.kit.card_rows import LONGEST, MOST_PROBLEMS
from cardsdb.games.kit.folder import FolderError, iter_cards
from cardsdb.holdings import edition, state
from cardsdb.index_file import is_published, make_index
from cardsdb.models import Card, Edition, Holding, Print
from cardsdb.open_index import index_of, index_path
from tests.bench.generator import write_game

WRITES = ("INSERT", "UPDATE", "DELETE", "COPY")


@pytest.fixture
def edited(sixth_game: Any, tmp_path: Path) -> Callable[..., Any]:
    """The sixth game with its folder copied, and its ``cards.csv`` changed by replacing texts."""

    def edit(*changes: tuple[str, str], file: str = "cards.csv") -> Any:
        folder = tmp_path / "deaddrop"
        if not folder.exists():
            folder.mkdir()
            for path in sixth_game.folder.glob("*.*"):
                if path.suffix in (".csv", ".toml"):
                    (folder / path.name).write_bytes(path.read_bytes())
        text = (folder / file).read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / file).write_text(text)
        return replace(sixth_game, folder=folder)

    return edit


# -- what is written ------------------------------------------------------------


@pytest.mark.django_db
def test_an_unchanged_folder_writes_no_row_and_makes_no_edition() -> None:
    from cardsdb.games import games

    before = edition()
    with CaptureQueriesContext(connection) as queries:
        load_all(games().values())
    assert [query["sql"] for query in queries if query["sql"].lstrip().upper().startswith(WRITES)] == []
    assert edition() == before


@pytest.mark.django_db
def test_only_the_card_that_changed_is_written(edited: Any) -> None:
    load(edited())
    prints = set(Print.objects.filter(card__game="deaddrop").values_list("pk", flat=True))
    loaded = load(edited(("Zorka", "Zorka Two")))
    assert (loaded.added, loaded.changed, loaded.retired) == (0, 1, 0)
    assert Card.objects.get(game="deaddrop", name_folded="zorka two").sort_name == "zorka two"
    kept = set(Print.objects.filter(card__game="deaddrop").exclude(card__name="Zorka Two").values_list("pk", flat=True))
    assert kept <= prints


@pytest.mark.django_db
def test_a_set_with_another_name_rewrites_the_cards_that_are_found_by_it(edited: Any) -> None:
    """No line of cards.csv changed, but what a search looks into did."""
    game = edited()
    load(game)
    name = game.sets[0].name
    loaded = load(edited((name, "Renamed Set"), file="sets.csv"))
    assert loaded.changed == Card.objects.filter(game="deaddrop", terms__contains="|set-name=renamed set|").count() > 0


@pytest.mark.django_db
def test_all_that_a_folder_says_can_be_read_back_from_the_database() -> None:
    from cardsdb.games import games

    for game in games().values():
        rows = {row.code: row.as_card() for row in Card.objects.in_game(game.slug).prefetch_related("prints")}
        for card in game.cards:
            told = rows[card.code]
            for part in ("name", "type", "facts", "text", "prints", "aliases", "note", "sources"):
                assert getattr(told, part) == getattr(card, part), (card.key, part)


@pytest.mark.django_db
def test_a_retired_card_comes_back_as_it_was(edited: Any) -> None:
    load(edited())
    zorka = Card.objects.get(game="deaddrop", name="Zorka")
    line = next(line for line in (edited().folder / "cards.csv").read_text().splitlines(True) if "Zorka" in line)
    assert load(edited((line, ""))).retired == 1
    zorka.refresh_from_db()
    assert zorka.retired
    path = edited().folder / "cards.csv"
    path.write_text(path.read_text() + line)
    assert load(edited()).changed == 1
    zorka.refresh_from_db()
    assert not zorka.retired


# -- editions -------------------------------------------------------------------


@pytest.mark.django_db
def test_an_edition_names_what_changed(edited: Any) -> None:
    load(edited())
    load(edited(("Zorka", "Zorka Two")))
    (change,) = Edition.objects.latest("number").changes
    code = Card.objects.get(game="deaddrop", name="Zorka Two").code
    counts = {"added": 0, "changed": 1, "retired": 0}
    assert change == {"game": "deaddrop", "added": [], "changed": [code], "retired": [], "counts": counts}


@pytest.mark.django_db
def test_several_games_make_one_edition(edited: Any) -> None:
    from cardsdb.games import games

    before = Edition.objects.count()
    Card.objects.filter(game="spycraft", code="kai").update(digest="stale")
    load_all([edited(), games()["spycraft"]])
    assert Edition.objects.count() == before + 1
    assert [change["game"] for change in Edition.objects.latest("number").changes] == ["deaddrop", "spycraft"]


@pytest.mark.django_db
def test_an_edition_names_a_hundred_cards_of_each_kind_and_counts_all(tmp_path: Path, sixth_game: Any) -> None:
    folder = _with_cards(sixth_game, tmp_path, 250)
    load(replace(sixth_game, folder=folder))
    (change,) = Edition.objects.latest("number").changes
    assert (len(change["added"]), change["counts"]["added"]) == (100, 250)


@pytest.mark.django_db
def test_a_game_that_is_gone_is_an_edition_too(sixth_game: Any) -> None:
    from cardsdb import games as folders
    from cardsdb.games import games

    load(sixth_game)
    gone = next(path for path in folders.__path__ if "sixth_game" in path)
    folders.__path__.remove(gone)
    games.cache_clear()
    try:
        load_all(games().values())
    finally:
        folders.__path__.append(gone)
    (change,) = Edition.objects.latest("number").changes
    assert (change["game"], change["counts"]["retired"]) == ("deaddrop", Card.objects.filter(game="deaddrop").count())
    assert not Holding.objects.filter(game="deaddrop").exists()


# -- the files of an edition ------------------------------------------------------


@pytest.fixture
def loading(settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any) -> Callable[[Any], None]:
    """Load a game as outside of a test, where the transaction ends and the files are made."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()

    def load_and_publish(game: Any) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            load(game)

    return load_and_publish


@pytest.mark.django_db
def test_of_all_indexes_the_current_and_the_one_before_are_kept(loading: Any, edited: Any, settings: Any) -> None:
    states = []
    for number, old in enumerate(("Zorka", "Zorka 0", "Zorka 1")):
        loading(edited((old, f"Zorka {number}")))
        states.append(state())
    assert set((settings.VAR_DIR / "index").glob("*")) == {index_path(kept) for kept in states[1:]}


@pytest.mark.django_db
def test_a_broken_index_is_made_again_although_no_card_changed(loading: Any, edited: Any) -> None:
    loading(edited())
    before = state()
    index_path(before).write_bytes(b"half an index")
    loading(edited())
    assert state() == before
    assert index_of(before) is not None


@pytest.mark.django_db
def test_a_load_that_breaks_off_leaves_the_edition_as_it_was(loading: Any, edited: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loading(edited())
    before = state()
    monkeypatch.setattr(Edition.objects, "create", lambda **values: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loading(edited(("Zorka", "Zorka Two")))
    assert state() == before
    assert not Card.objects.filter(name="Zorka Two").exists()
    assert index_of(before) is not None


def test_the_index_of_another_database_with_an_edition_of_the_same_number_is_not_used() -> None:
    number, made = 1, datetime(2026, 1, 1, tzinfo=UTC)
    assert index_path((number, made)) != index_path((number, made + timedelta(microseconds=1)))


@pytest.mark.django_db
def test_the_slower_of_two_loads_leaves_the_newer_ones_index(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    older = state()
    newer = Edition.objects.create()
    make_index((newer.number, newer.made))
    make_index(older)
    assert index_of((newer.number, newer.made)) is not None


@pytest.mark.django_db
@pytest.mark.parametrize("folder", ["bulk", "index"])
def test_files_that_are_lacking_are_made_by_the_next_load(loading: Any, settings: Any, folder: str, sixth_game: Any) -> None:
    loading(sixth_game)
    assert is_published(state())
    shutil.rmtree(settings.VAR_DIR / folder)
    loading(sixth_game)
    assert is_published(state())


# -- folders with mistakes --------------------------------------------------------


@pytest.mark.django_db
def test_a_mistake_is_told_with_file_line_and_column_and_nothing_is_stored(edited: Any) -> None:
    game = edited(("courier", "corrier"))
    before = edition()
    with pytest.raises(FolderError) as told:
        load(game)
    assert told.value.problems[0].startswith("deaddrop/cards.csv line 2, column type: type 'corrier' is not declared; use one of courier")
    assert edition() == before and not Card.objects.filter(game="deaddrop").exists()


@pytest.mark.django_db
def test_all_mistakes_of_all_folders_are_told_at_once_up_to_fifty(tmp_path: Path, sixth_game: Any) -> None:
    folder = _with_cards(sixth_game, tmp_path, 200, kind="nothing")
    with pytest.raises(FolderError) as told:
        load(replace(sixth_game, folder=folder))
    assert len(told.value.problems) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("c1,One,courier,,,,,,nosuch,,,,,", "line 2, column source: source 'nosuch' is not among the documents"),
        ("c1,One,courier,,,,,,,,,,,", "line 2, column source: every card needs a source"),
        ("c1,One,parcel,,,,,,sheet,,,,heavy,", "line 2, column weight: Weight must be a whole number, not “heavy”; leave the cell empty"),
        ("c1,One,courier,,,,,,sheet,,,,3,", "line 2, column weight: weight does not apply to a card of type courier; empty the cell"),
        ("c 1,One,courier,,,,,,sheet,,,,,", "line 2, column code: 'c 1' cannot stand in an address"),
        ("c1, ,courier,,,,,,sheet,,,,,", "line 2, column name: every card needs a name"),
        ("c1,One,courier,,,,,,sheet,,,,", "line 2: not as many cells as the header (13, not 14)"),
        (f"c1,{'N' * 201},courier,,,,,,sheet,,,,,", "line 2, column name: longer than 200 characters"),
        (f"c1,{'ﷺ' * 100},courier,,,,,,sheet,,,,,", "line 2, column name: longer than 200 characters when written without accents"),
        ("c1,One\0,courier,,,,,,sheet,,,,,", "line 2, column name: holds an invisible character (U+0000)"),
        ("c1,One\x0b,courier,,,,,,sheet,,,,,", "line 2, column name: holds an invisible character (U+000B)"),
        (
            "c1,One,courier,,,,,,sheet,,,,,\nc2,Two,courier,,,,,,sheet,,,,,\nc1,One,courier,,,,,,sheet,,,,,",
            "line 4, column code: 'c1' stands",
        ),
    ],
)
def test_each_mistake_has_its_sentence(sixth_game: Any, tmp_path: Path, line: str, told: str) -> None:
    folder = _with_cards(sixth_game, tmp_path, 0)
    with (folder / "cards.csv").open("a") as file:
        file.write(line + "\n")
    problems: list[str] = []
    list(iter_cards(replace(sixth_game, folder=folder), problems))
    assert [problem.startswith(f"deaddrop/cards.csv {told}") for problem in problems] == [True], problems


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("code,name,type", "line 1: column set is missing"),
        ("code,code,name,type,set,number,rarity,source", "line 1: column code is there twice"),
        ("code,name,type,set,number,rarity,source,wieght", "line 1: column wieght is neither a standard column nor a declared fact"),
    ],
)
def test_a_wrong_header_is_one_mistake(sixth_game: Any, tmp_path: Path, header: str, told: str) -> None:
    folder = _with_cards(sixth_game, tmp_path, 0)
    (folder / "cards.csv").write_text(f"{header}\nx,x\n")
    with pytest.raises(FolderError, match=told):
        list(iter_cards(replace(sixth_game, folder=folder), []))


def test_a_file_that_is_no_utf_8_is_told_its_line(sixth_game: Any, tmp_path: Path) -> None:
    folder = _with_cards(sixth_game, tmp_path, 3)
    with (folder / "cards.csv").open("ab") as file:
        file.write("c9,Sölve,courier".encode("latin-1"))
    with pytest.raises(FolderError, match="not UTF-8 text; save the file as UTF-8"):
        list(iter_cards(replace(sixth_game, folder=folder), []))


def test_a_claim_about_a_card_that_is_not_there_is_told(sixth_game: Any, tmp_path: Path) -> None:
    folder = _with_cards(sixth_game, tmp_path, 1)
    (folder / "claims.csv").write_text("code,fact,value,document,section,lines,certainty,note\nnobody,city,Riga,sheet,,1,stated,\n")
    problems: list[str] = []
    list(iter_cards(replace(sixth_game, folder=folder), problems))
    assert problems == ["deaddrop/claims.csv line 2: no card has the code 'nobody'; correct it, or add the card to cards.csv"]


@pytest.mark.parametrize(("column", "field"), [("code", "code"), ("name", "name"), ("name", "name_folded")])
def test_the_folder_allows_no_more_characters_than_the_card_table(column: str, field: str) -> None:
    assert LONGEST[column] == Card._meta.get_field(field).max_length


@pytest.mark.parametrize(
    ("column", "field"), [("set", "set_code"), ("number", "number"), ("rarity", "rarity"), ("print_code", "code"), ("print_note", "note")]
)
def test_the_folder_allows_no_more_characters_than_the_table_of_prints(column: str, field: str) -> None:
    assert LONGEST[column] == Print._meta.get_field(field).max_length


def test_cards_are_made_one_at_a_time(sixth_game: Any, tmp_path: Path) -> None:
    """The first card is there although the third line is wrong: nobody waits for the end of the file."""
    folder = _with_cards(sixth_game, tmp_path, 1)
    with (folder / "cards.csv").open("a") as file:
        file.write("c8,Eight,courier,,,,,,sheet,,,,,\nc9,Nine,nothing,,,,,,sheet,,,,,\n")
    assert next(iter(iter_cards(replace(sixth_game, folder=folder)))).code == "c0"


# -- the invented game ------------------------------------------------------------


def test_the_invented_game_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from cardsdb import games as folders
    from cardsdb.games import games
    from cardsdb.games.kit.contract import problems

    write_game(tmp_path, 300)
    monkeypatch.setattr(folders, "__path__", [*folders.__path__, str(tmp_path)])
    games.cache_clear()
    try:
        game = games()["paperwar"]
        assert problems(game) == []
        assert any(card.disagreements() for card in game.cards)
    finally:
        games.cache_clear()
        for name in [name for name in sys.modules if name.startswith("cardsdb.games.paperwar")]:
            del sys.modules[name]


def test_the_same_seed_makes_the_same_game(tmp_path: Path) -> None:
    files = [(write_game(tmp_path / name, 50) / "cards.csv").read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]


def _with_cards(game: Any, tmp_path: Path, cards: int, kind: str = "courier") -> Path:
    """A folder of the sixth game with so many cards."""
    folder = tmp_path / "deaddrop"
    folder.mkdir()
    (folder / "rulebook.toml").write_bytes((game.folder / "rulebook.toml").read_bytes())
    header = "code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note,weight,city\n"
    lines = (f"c{at},Card {at},{kind},,,,,,sheet,,,,,\n" for at in range(cards))
    (folder / "cards.csv").write_text(header + "".join(lines))
    return folder


@pytest.mark.django_db
def test_a_database_without_tables_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_tables(*args: Any) -> None:
        raise OperationalError("no such table: cardsdb_edition")

    monkeypatch.setattr("cardsdb.management.commands.load_cards.load_all", without_tables)
    monkeypatch.setattr(connection.introspection, "table_names", list)
    with pytest.raises(CommandError, match=r"run manage\.py migrate"):
        call_command("load_cards")
