"""``manage.py own``: adding texts and pictures for an account or for everyone, reports, export, and
own sets.
"""

import io
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import storages
from django.core.management import CommandError, call_command

from cardsdb.box import picture_store, placing, sets, waiting
from cardsdb.box.pictures import pictures_of
from cardsdb.box.texts import texts_of
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, OwnText, UploadedPicture
from cardsdb.storage.contract import UNFINISHED
from printing.management.commands.own import Command
from tests.support.own_sets import own_card, own_set
from tests.support.packages import files_in_encodings
from tests.support.pictures import coded, painted, stored_names

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action")
TABLE = "name,text\nKai,Words of mine.\nNobody Knows,Lost.\n"
MINE = {"kai": "Words of mine."}
GAME = ("--game", "spycraft")
GIF, SVG = coded(painted(size=(90, 120)), "GIF"), b"<svg/>"


@pytest.fixture
def ada():
    return Viewer(User.objects.create_user("ada").pk)


@pytest.fixture
def table(tmp_path):
    return written(tmp_path / "mine.csv", TABLE)


HARBOUR = "name,type,text\nKai,agent,Words.\nIron Heron,agent,Fly.\nParty Crafters,action,\nWax Heron,Ship,\n"
INTO = (*GAME, "--into-set", "Harbour")


@pytest.fixture
def harbour(tmp_path):
    return written(tmp_path / "harbour.csv", HARBOUR)


def written(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def pack(folder: Path, **files: bytes | tuple[int, int]) -> str:
    """A folder of pictures: ``kai_png=(90, 126)`` is a file kai.png of that size, or its bytes are given."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else coded(painted(size=content), "PNG")
        (folder / name.replace("_", ".")).write_bytes(data)
    return str(folder)


def own(*words: str, **streams) -> str:
    """Run ``manage.py own`` with these arguments, and return its output."""
    out = io.StringIO()
    call_command("own", *words, stdout=out, **{"stderr": io.StringIO(), **streams})
    return out.getvalue()


def added(*words: str) -> dict[str, Any]:
    """Run ``own add`` with these arguments, and return its report."""
    report: dict[str, Any] = json.loads(own("add", *words, "--json"))
    return report


def files_of(report: dict[str, Any]) -> list[str]:
    """The files of the problems in a report."""
    return [problem["file"] for problem in report["not_understood"]]


# -- texts ---------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_texts_are_for_everyone_or_for_their_owner_alone(table, ada):
    own("add", table, *GAME)
    assert texts_of(Viewer(), SPYCRAFT) == MINE
    own("forget")
    own("add", table, "--owner", "Ada")
    assert texts_of(Viewer(), SPYCRAFT) == {} and texts_of(ada, SPYCRAFT) == MINE
    assert own("list") == "ada: Spycraft, 1 text\n"


def test_a_dry_run_stores_nothing(harbour):
    report = own("add", harbour, *INTO, "--dry-run")
    assert "1 card would be added" in report and "1 card would be made" in report
    assert not OwnText.objects.exists() and not OwnCard.objects.exists()


def test_the_report_as_json_has_numbers_and_problems(table):
    report = added(table, *GAME)
    numbers = ("game", "cards_with_text", "pictures", "added", "changed", "unchanged")
    assert [report[name] for name in numbers] == ["spycraft", 1, 0, 1, 0, 0]
    assert report["not_understood"] == [
        {"file": "mine.csv", "row": 3, "column": "", "reason": "“Nobody Knows” is no card of this game."}
    ]
    assert added(table, *GAME)["unchanged"] == 1


def test_a_folder_can_be_added_with_another_meaning_of_a_column(tmp_path):
    written(tmp_path / "pack" / "one.csv", "name,Notes\nKai,Mine.\n")
    own("add", str(tmp_path / "pack"), *GAME, "--column", "Notes=text")
    assert texts_of(Viewer(), SPYCRAFT) == {"kai": "Mine."}


def test_an_exported_table_can_be_added_again(table, tmp_path):
    own("add", table)
    own("export", str(tmp_path / "out.csv"))
    assert "1 left alone" in own("add", str(tmp_path / "out.csv"))
    assert "Words of mine." in own("export", *GAME)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing.csv"], "nothing.csv: there is no such file or folder"),
        (["{table}", "--owner", "nobody"], "no account called"),
        (["{table}", "--column", "Notes=text"], "no column"),
        (["{table}", "--column", "name"], "COLUMN=MEANING"),
        (["{table}", "--into-set", "..."], "Give the set a name"),
        (["{table}", "--into-set", "A", "--type", "ship"], "has the types"),
    ],
)
def test_an_impossible_command_is_refused_with_the_reason(table, words, sentence):
    with pytest.raises(CommandError, match=sentence):
        own("add", *(word.format(table=table) for word in words))
    assert not OwnText.objects.exists()


@pytest.mark.both_databases
def test_files_are_read_in_the_encodings_that_programs_write(tmp_path):
    for name, data in files_in_encodings("Café – it’s\nŽeppelin."):
        (tmp_path / name).write_bytes(data)
        own("add", str(tmp_path / name), *GAME)
        assert OwnText.objects.get().text == "Café – it’s\nŽeppelin.", (name, data[:60])
        OwnText.objects.all().delete()


# -- progress bars -------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A terminal. Each write takes the lock of the picture store, as others who store pictures meanwhile
    would.
    """

    def isatty(self) -> bool:
        return True

    def write(self, words: str) -> int:
        with picture_store.locked():
            return super().write(words)


def test_progress_bars_are_drawn_without_the_lock_of_the_picture_store(tmp_path):
    folder, terminal = pack(tmp_path / "pack", **{f"{ACTION.code}_png": (90, 126)}), Terminal()
    written(Path(folder) / "mine.csv", "name,text\n" + "Kai,Words of mine.\n" * 800)
    report = json.loads(own("add", folder, *GAME, "--json", stderr=terminal))
    shown = [line.strip() for line in terminal.getvalue().replace("\r", "\n").splitlines() if line]
    full = f"[{'#' * 30}] 100%"
    assert shown == [
        f"[{'#' * 18:<30}]  62%  500 of 800 rows",
        f"{full}  800 of 800 rows",
        f"{full}  1 of 1 pictures",
    ]
    assert report["pictures"] == 1


def test_no_bar_is_drawn_if_standard_error_is_no_terminal(table):
    error = io.StringIO()
    assert json.loads(own("add", table, "--json", stderr=error))["added"] == 1 and not error.getvalue()


# -- pictures ------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_pictures_are_for_everyone_only_on_a_private_site(
    tmp_path, settings, ada, table, django_capture_on_commit_callbacks
):
    folder = pack(tmp_path / "pack", kai_png=(90, 126), shiatsu_png=(91, 126))
    own("add", folder)
    assert own("list") == "everyone: Spycraft, 0 texts, 2 pictures\n"
    for viewer in (ada, Viewer()):
        assert set(pictures_of(viewer, SPYCRAFT)) == {("kai", "front"), ("shiatsu", "front")}
    settings.HTTPS = True
    assert pictures_of(ada, SPYCRAFT) == pictures_of(Viewer(), SPYCRAFT) == {}
    for brought in (folder, table):
        with pytest.raises(CommandError, match="public site"):
            own("add", brought)
    settings.HTTPS = False
    with django_capture_on_commit_callbacks(execute=True):
        assert "0 texts and 2 pictures deleted" in own("forget", *GAME)
    assert not stored_names(tmp_path / "pictures")


def test_the_use_and_the_bleed_of_pictures_are_chosen(tmp_path):
    wish = ("--pictures-as", "art", "--pictures-bleed", "keep")
    own("add", pack(tmp_path / "pack", shiatsu_png=(330, 450)), *wish)
    (ref,) = pictures_of(Viewer(), SPYCRAFT).values()
    assert (ref.use, ref.own_bleed) == ("art", 0)


def test_add_counts_refused_pictures_and_exits_with_3(tmp_path, capsys):
    folder = pack(tmp_path / "pack", kai_gif=GIF, termite_svg=SVG, holiday_gif=GIF)
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "own", "add", folder, *GAME])
    output = capsys.readouterr().out
    assert ended.value.code == 3
    assert "3 pictures: 1 taken (1 by id), 1 left, 1 refused" in output
    assert "termite.svg: The picture is an SVG, which is not read here. Save it as PNG or JPEG" in output


def test_add_exits_normally_if_all_pictures_are_taken(tmp_path, capsys):
    Command().run_from_argv(["manage.py", "own", "add", pack(tmp_path / "good", kai_gif=GIF), *GAME])
    assert "1 picture: 1 taken (1 by id), 0 left, 0 refused" in capsys.readouterr().out


def test_pictures_beyond_the_limit_of_an_account_are_refused_and_nothing_is_stored(
    tmp_path, ada, monkeypatch
):
    monkeypatch.setattr(placing, "MAX_PICTURES", 1)
    folder = pack(tmp_path / "pack", kai_png=(90, 126), shiatsu_png=(91, 126))
    written(Path(folder) / "mine.csv", TABLE)
    with pytest.raises(CommandError, match="are the most"):
        own("add", folder, *GAME, "--owner", "ada")
    assert not OwnText.objects.exists() and not UploadedPicture.objects.exists()


# -- the folder of the site ----------------------------------------------------------------


def test_files_of_the_sites_folder_are_added_once_and_if_they_change(tmp_path):
    path = tmp_path / "own" / "mine.csv"
    written(path, TABLE)
    (tmp_path / "own" / "broken.zip").write_bytes(b"PK\x03\x04broken")
    pack(tmp_path / "own" / "a", kai_gif=GIF, termite_svg=SVG)
    pack(tmp_path / "own" / "b", ambush_gif=GIF)
    assert "1 card added" in own("folder")
    assert texts_of(Viewer(), SPYCRAFT) == MINE and own("folder") == ""
    assert set(UploadedPicture.objects.values_list("card_code", flat=True)) == {"kai", "ambush"}
    written(path, "name,text\nKai,Other words.\n")
    assert "1 changed" in own("folder")


def test_a_file_that_was_refused_because_of_missing_room_is_tried_again(tmp_path, settings):
    (tmp_path / "own").mkdir()
    pack(tmp_path / "own" / "a", kai_gif=GIF)
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    assert own("folder") == "" and not UploadedPicture.objects.exists()
    settings.CUTOUT_PICTURES_MEGABYTES = 100
    assert "1 taken" in own("folder")


@pytest.mark.parametrize("store", ["pictures", "jobs", "waiting", "bulk"])
def test_unfinished_files_are_cleared_after_a_day(store):
    folder = Path(storages[store].location)
    folder.mkdir(parents=True, exist_ok=True)
    old, young = (folder / f"{name}.0a1b2c3d{UNFINISHED}" for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - waiting.A_DAY - 60,) * 2)
    own("clear")
    assert (old.exists(), young.exists()) == (False, True)
    young.unlink()


# -- rows that are no card of the catalogue -------------------------------------------------


def test_rows_that_match_no_card_become_cards_of_a_set_once(harbour, ada):
    report = added(harbour, *INTO, "--owner", "ada")
    rows = [problem["row"] for problem in report["not_understood"]]
    assert (report["added"], report["cards_made"], rows) == (1, 1, [4, 5])
    assert OwnCard.objects.get().in_set.box.owner_id == ada.user_id
    again = own("add", harbour, *GAME, "--into-set", "harbour", "--owner", "ada")
    assert "In the set “Harbour”: 0 cards made, 0 changed, 1 left alone" in again
    similar = own("add", harbour, *INTO, "--owner", "ada", "--similar-too")
    assert "1 card made, 0 changed, 1 left alone" in similar
    assert own("list") == "ada: Spycraft, 1 text, 2 cards in 1 set\n"


def test_without_a_set_such_rows_are_counted_with_advice(harbour):
    advice = "2 rows of no card: --into-set NAME makes cards of your own of them."
    assert advice in own("add", harbour, *GAME)


def test_a_dry_run_says_if_there_is_no_room_for_the_cards(harbour, ada):
    first = own_card(own_set(ada))
    rows = (OwnCard(in_set=first.in_set, name=f"{n}", type="agent") for n in range(sets.MAX_CARDS - 2))
    OwnCard.objects.bulk_create(rows)
    report = own("add", harbour, *INTO, "--similar-too", "--owner", "ada", "--dry-run")
    assert "There is room for 1 more cards of your own, so none of this would be done." in report


@pytest.mark.both_databases
def test_a_set_is_exported_and_deleted_by_its_name(harbour):
    own("add", harbour, *INTO)
    assert "Iron Heron,,agent,Fly.," in own("export", "--set", "harbour")
    assert "its 1 card deleted" in own("forget", "--set", "Harbour")
    assert not OwnCard.objects.exists() and OwnText.objects.exists()
    with pytest.raises(CommandError, match="name one of none"):
        own("forget", "--set", "Harbour")
