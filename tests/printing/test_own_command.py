"""``manage.py own``: a file brought for an account or for everyone, the report, the table that comes out
again.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from cardsdb.box import picture_store as storage
from cardsdb.box import pictures as brought
from cardsdb.box import placing as quota
from cardsdb.box import set_rows, sets, texts
from cardsdb.box.comparing import Report
from cardsdb.box.pictures import pictures_of
from cardsdb.box.reading import container
from cardsdb.box.texts import texts_of
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, OwnText, UploadedPicture
from printing.management.commands import own as own_command
from tests.support.packages import files_in_encodings, hostile_files
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action")


def own(*words: str) -> str:
    out = io.StringIO()
    call_command("own", *words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text("name,text\nKai,Words of mine.\nNobody Knows,Lost.\n", encoding="utf-8")
    return str(path)


@pytest.mark.both_databases
def test_without_an_owner_it_is_everyones_and_with_one_theirs_alone(table: str) -> None:
    user = User.objects.create_user("ada")
    own("add", table, "--game", "spycraft")
    assert texts_of(Viewer(), SPYCRAFT) == {"kai": "Words of mine."}
    own("forget")
    own("add", table, "--owner", "Ada")
    assert texts_of(Viewer(), SPYCRAFT) == {} and texts_of(Viewer(user.pk), SPYCRAFT) == {
        "kai": "Words of mine."
    }
    assert own("list") == "ada: Spycraft, 1 text\n"


def test_the_report_as_json(table: str) -> None:
    report = json.loads(own("add", table, "--game", "spycraft", "--json"))
    assert {
        key: report[key] for key in ("game", "cards_with_text", "pictures", "added", "changed", "unchanged")
    } == {
        "game": "spycraft",
        "cards_with_text": 1,
        "pictures": 0,
        "added": 1,
        "changed": 0,
        "unchanged": 0,
    }
    assert report["not_understood"] == [
        {"file": "mine.csv", "row": 3, "column": "", "reason": "“Nobody Knows” is no card of this game."}
    ]
    assert json.loads(own("add", table, "--game", "spycraft", "--json"))["unchanged"] == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_shows_on_a_terminal_how_much_of_a_file_is_read(tmp_path: Path, settings: Any) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder, out, err = pack(tmp_path, f"{ACTION.code}.png"), io.StringIO(), Terminal()
    (folder / "mine.csv").write_text("name,text\n" + "Kai,Words of mine.\n" * 800, encoding="utf-8")
    call_command("own", "add", str(folder), "--game", "spycraft", "--json", stdout=out, stderr=err)
    shown = [line.strip() for line in err.getvalue().replace("\r", "\n").splitlines() if line]
    full = f"[{'#' * 30}] 100%"
    assert shown == [
        f"[{'#' * 18:<30}]  62%  500 of 800 rows",
        f"{full}  800 of 800 rows",
        f"{full}  1 of 1 pictures",
    ]
    assert json.loads(out.getvalue())["pictures"] == 1


def test_no_bar_is_written_where_nobody_watches(table: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    call_command("own", "add", table, "--json", stdout=out, stderr=err)
    assert err.getvalue() == "" and json.loads(out.getvalue())["added"] == 1


def test_a_dry_run_does_nothing(table: str) -> None:
    assert "1 card would be added" in own("add", table, "--dry-run")
    assert not OwnText.objects.exists()


def test_a_folder_and_a_column_that_means_something_else(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("name,Notes\nKai,Mine.\n", encoding="utf-8")
    own("add", str(tmp_path), "--game", "spycraft", "--column", "Notes=text")
    assert texts_of(Viewer(), SPYCRAFT) == {"kai": "Mine."}


def test_the_table_that_comes_out_can_be_brought_again(table: str, tmp_path: Path) -> None:
    own("add", table)
    own("export", str(tmp_path / "out.csv"))
    assert "1 left alone" in own("add", str(tmp_path / "out.csv"))
    assert "Words of mine." in own("export", "--game", "spycraft")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["add", "nothing.csv"], "nothing.csv: there is no such file or folder"),
        (["add", "{table}", "--owner", "nobody"], "no account called"),
        (["add", "{table}", "--column", "Notes=text"], "no column"),
        (["add", "{table}", "--column", "name"], "COLUMN=MEANING"),
    ],
)
def test_what_cannot_be_done_is_said(table: str, words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        own(*(word.format(table=table) for word in words))
    assert not OwnText.objects.exists()


def test_hostile_files_are_refused_with_a_sentence_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "LARGE", 100_000)
    for name, data, sentence in hostile_files():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(CommandError, match=sentence):
            own("add", str(tmp_path / name), "--game", "spycraft")
        assert not OwnText.objects.exists()


@pytest.mark.both_databases
def test_files_are_read_in_the_encodings_that_programs_write(tmp_path: Path) -> None:
    for name, data in files_in_encodings("Café – it’s\nŽeppelin."):
        (tmp_path / name).write_bytes(data)
        own("add", str(tmp_path / name), "--game", "spycraft")
        assert OwnText.objects.get().text == "Café – it’s\nŽeppelin.", (name, data[:60])
        OwnText.objects.all().delete()


def test_on_a_public_site_nothing_belongs_to_everyone(table: str, settings: Any) -> None:
    settings.HTTPS = True
    with pytest.raises(CommandError, match="public site"):
        own("add", table)


@pytest.mark.both_databases
def test_pictures_of_a_package_find_their_cards_and_are_kept_for_their_owner(
    tmp_path: Path, settings: Any
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    user = User.objects.create_user("ada")
    cards = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:2]
    folder = tmp_path / "pack"
    folder.mkdir()
    for seed, name in enumerate(
        (f"{cards[0].facts['octgn_id']}.png", f"{cards[1].code}.png", "nobody-knows.png")
    ):
        (folder / name).write_bytes(coded(painted(size=(90 + seed, 120)), "PNG"))
    report = json.loads(own("add", str(folder), "--game", "spycraft", "--owner", "ada", "--json"))
    assert report["pictures"] == 2 and [one["file"] for one in report["not_understood"]] == [
        "nobody-knows.png"
    ]
    assert {row.card_code for row in UploadedPicture.objects.of(Viewer(user.pk))} == {
        card.code for card in cards
    }
    own("add", str(folder), "--game", "spycraft", "--owner", "ada")
    assert UploadedPicture.objects.count() == 2
    assert "0 texts, 2 pictures" in own("list")


def pack(tmp_path: Path, *names: str) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir(exist_ok=True)
    for seed, name in enumerate(names):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(coded(painted(size=(90 + seed, 126)), "PNG"))
    return folder


@pytest.mark.both_databases
def test_pictures_without_an_owner_are_everyones_on_a_private_site_alone(
    tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder, ada = pack(tmp_path, "kai.png", "shiatsu.png"), Viewer(User.objects.create_user("ada").pk)
    own("add", str(folder))
    assert (
        set(pictures_of(ada, SPYCRAFT))
        == set(pictures_of(Viewer(), SPYCRAFT))
        == {("kai", "front"), ("shiatsu", "front")}
    )
    settings.HTTPS = True
    assert pictures_of(ada, SPYCRAFT) == pictures_of(Viewer(), SPYCRAFT) == {}
    with pytest.raises(CommandError, match="public site"):
        own("add", str(folder))
    settings.HTTPS = False
    with django_capture_on_commit_callbacks(execute=True):
        assert "0 texts and 2 pictures deleted" in own("forget", "--game", "spycraft")
    assert not [path for path in (tmp_path / "stored").rglob("*") if path.is_file() and path.name != "lock"]


@pytest.mark.both_databases
def test_a_second_run_of_the_same_pictures_changes_nothing_and_another_picture_takes_the_place(
    tmp_path: Path, settings: Any
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder = pack(tmp_path, "kai.png", "shiatsu.png")
    own("add", str(folder))
    before = list(UploadedPicture.objects.values_list("pk", "sha256"))
    own("add", str(folder))
    assert list(UploadedPicture.objects.values_list("pk", "sha256")) == before
    (folder / "kai.png").write_bytes(coded(painted(size=(200, 280)), "PNG"))
    own("add", str(folder))
    assert pictures_of(Viewer(), SPYCRAFT)["kai", "front"].width == 200
    assert UploadedPicture.objects.filter(side="").count() == 1


def test_pictures_are_whole_cards_or_art_as_their_shape_tells_or_as_is_wished(
    tmp_path: Path, settings: Any
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder = tmp_path / "pack"
    folder.mkdir()
    for name, size in (("kai", (250, 350)), ("shiatsu", (330, 450)), (ACTION.code, (400, 300))):
        (folder / f"{name}.png").write_bytes(coded(painted(size=size), "PNG"))

    def seen() -> list[tuple[str, int, int]]:
        return [
            (ref.use, ref.bleed, ref.own_bleed) for _, ref in sorted(pictures_of(Viewer(), SPYCRAFT).items())
        ]

    own("add", str(folder))
    first = {code: (ref.use, ref.own_bleed) for (code, _), ref in pictures_of(Viewer(), SPYCRAFT).items()}
    assert first == {"kai": ("card", 0), "shiatsu": ("card", 3_175), ACTION.code: ("art", 0)}
    own("forget")
    own("add", str(folder), "--pictures-as", "art", "--pictures-bleed", "keep")
    assert {use for use, *_ in seen()} == {"art"} and {bleed for *_, bleed in seen()} == {0}


def test_rows_are_compared_while_others_may_store_pictures(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    locks: list[bool] = []
    compare = own_command.compare

    @contextmanager
    def locked() -> Iterator[None]:
        locks.append(True)
        yield
        locks.pop()

    def compared(*args: Any, **options: Any) -> Report:
        assert not locks
        return compare(*args, **options)

    monkeypatch.setattr(storage, "locked", locked)
    monkeypatch.setattr(own_command, "compare", compared)
    assert "1 card added" in own("add", table)


def test_a_damaged_picture_is_listed_and_the_others_are_kept(tmp_path: Path, settings: Any) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder = pack(tmp_path, "kai.png", "shiatsu.png")
    (folder / "shiatsu.png").write_bytes((folder / "shiatsu.png").read_bytes()[:300])
    report = json.loads(own("add", str(folder), "--json"))
    assert [one["file"] for one in report["not_understood"]] == ["shiatsu.png"]
    assert [row.card_code for row in UploadedPicture.objects.all()] == ["kai"]


def test_what_lies_in_the_folder_of_the_site_is_brought_once(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.csv").write_text("name,text\nKai,Words of mine.\n", encoding="utf-8")
    (tmp_path / "own" / "broken.zip").write_bytes(b"PK\x03\x04broken")
    assert "1 card added" in own("folder")
    assert texts_of(Viewer(), SPYCRAFT) == {"kai": "Words of mine."}
    assert own("folder") == ""
    (tmp_path / "own" / "mine.csv").write_text("name,text\nKai,Other words.\n", encoding="utf-8")
    assert "1 changed" in own("folder")


def test_a_print_takes_texts_and_pictures_out_of_files_without_any_database(
    tmp_path: Path, table: str
) -> None:
    card = next(card for card in SPYCRAFT.cards if card.type == "action")
    pictures = tmp_path / "scans"
    pictures.mkdir()
    (pictures / f"{card.code}.png").write_bytes(coded(painted(size=(90, 126)), "PNG"))
    deck, out = tmp_path / "deck.txt", tmp_path / "out.pdf"
    deck.write_text(f"1 Kai\n1 {card.name}\n", encoding="utf-8")
    said = io.StringIO()
    arguments = ["--game", "spycraft", "-o", str(out), "--texts", table, "--pictures", str(pictures)]
    call_command("print_deck", str(deck), *arguments, stdout=said)
    assert "Nobody Knows" in said.getvalue()
    document = pypdfium2.PdfDocument(out.read_bytes())
    words = " ".join(page.get_textpage().get_text_range() for page in document)
    assert "Words of mine." in words and card.name not in words
    call_command("print_deck", str(deck), *arguments, "--pictures-as", "art", stdout=said)
    document = pypdfium2.PdfDocument(out.read_bytes())
    assert card.name in " ".join(page.get_textpage().get_text_range() for page in document)
    with pytest.raises(SystemExit):
        call_command(
            "print_deck",
            str(deck),
            *arguments[:4],
            "--texts",
            str(tmp_path / "deck.bin"),
            stdout=said,
            stderr=said,
        )


def test_a_note_of_what_was_taken_that_is_damaged_stops_nothing(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR, folder = tmp_path, tmp_path / "own"
    folder.mkdir()
    (folder / "mine.csv").write_text("name,text\nKai,Words of mine.\n", encoding="utf-8")
    for damaged in ('{"mine.csv": [1', "[]", "\ufeff"):
        (folder / ".taken.json").write_text(damaged, encoding="utf-8")
        assert "Spycraft" in own("folder")
        assert list(json.loads((folder / ".taken.json").read_text(encoding="utf-8"))) == ["mine.csv"]
    (folder / "mine.csv").unlink()
    assert own("folder") == "" and json.loads((folder / ".taken.json").read_text(encoding="utf-8")) == {}


def test_a_file_that_was_refused_for_want_of_room_is_tried_again(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.csv").write_text("name,text\nKai,Words of mine.\n", encoding="utf-8")
    with monkeypatch.context() as full:
        full.setattr(texts, "MAX_TEXTS", 0)
        assert own("folder") == ""
    assert "1 card added" in own("folder")


def test_pictures_that_are_too_many_are_refused_before_one_is_read(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    User.objects.create_user("ada")
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "kai.png").write_bytes(coded(painted(size=(90, 120)), "PNG"))
    (folder / "mine.csv").write_text("name,text\nKai,Words of mine.\n", encoding="utf-8")
    with monkeypatch.context() as full:
        full.setattr(quota, "MAX_PICTURES", 0)
        full.setattr(brought, "take", lambda *data, **bounds: 1 / 0)
        with pytest.raises(CommandError, match="are the most"):
            own("add", str(folder), "--game", "spycraft", "--owner", "ada")
    with monkeypatch.context() as full:
        full.setattr(texts, "MAX_TEXTS", 0)
        with pytest.raises(CommandError, match="room for"):
            own("add", str(folder), "--game", "spycraft", "--owner", "ada")
    assert not OwnText.objects.exists() and not UploadedPicture.objects.exists()


# -- rows that are no card of the catalogue -------------------------------------------------


@pytest.fixture
def harbour(tmp_path: Path) -> str:
    path = tmp_path / "harbour.csv"
    path.write_text(
        "name,type,text\nKai,agent,Words.\nIron Heron,agent,Fly.\nParty Crafters,action,\nWax Heron,Ship,\n",
        encoding="utf-8",
    )
    return str(path)


def test_rows_of_no_card_become_cards_of_a_set_and_none_the_second_time(harbour: str) -> None:
    user = User.objects.create_user("ada")
    report = json.loads(
        own("add", harbour, "--game", "spycraft", "--into-set", "Harbour", "--owner", "ada", "--json")
    )
    assert (report["added"], report["cards_made"], [one["row"] for one in report["not_understood"]]) == (
        1,
        1,
        [4, 5],
    )
    assert OwnCard.objects.get().in_set.box.owner == user
    again = own("add", harbour, "--game", "spycraft", "--into-set", "harbour", "--owner", "ada")
    assert "In the set “Harbour”: 0 cards made, 0 changed, 1 left alone" in again
    assert "1 card made, 0 changed, 1 left alone" in own(
        "add", harbour, "--game", "spycraft", "--into-set", "Harbour", "--owner", "ada", "--similar-too"
    )
    assert own("list") == "ada: Spycraft, 1 text, 2 cards in 1 set\n"


def test_without_a_set_such_rows_are_counted_and_the_way_to_cards_is_said(harbour: str) -> None:
    assert "2 rows of no card: --into-set NAME makes cards of your own of them." in own(
        "add", harbour, "--game", "spycraft"
    )
    assert "1 card would be made" in own(
        "add", harbour, "--game", "spycraft", "--into-set", "Harbour", "--dry-run"
    )
    assert not OwnCard.objects.exists()


def test_a_dry_run_says_that_there_is_no_room_for_so_many_cards(
    harbour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in (sets, set_rows):
        monkeypatch.setattr(room, "MAX_CARDS", 1)
    words = ("add", harbour, "--game", "spycraft", "--into-set", "Harbour", "--similar-too")
    assert "There is room for 1 more cards of your own, so none of this would be done." in own(
        *words, "--dry-run"
    )
    with pytest.raises(CommandError, match="You have room for 1 cards"):
        own(*words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--into-set", "..."), "Give the set a name"),
        (("--into-set", "A", "--type", "ship"), "has the types"),
    ],
)
def test_a_set_or_type_that_cannot_be_is_said(harbour: str, words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        own("add", harbour, "--game", "spycraft", *words)
    assert not OwnText.objects.exists()


@pytest.mark.both_databases
def test_a_set_is_written_out_and_deleted_by_its_name(harbour: str) -> None:
    own("add", harbour, "--game", "spycraft", "--into-set", "Harbour")
    assert "Iron Heron,,agent,Fly.," in own("export", "--set", "harbour")
    assert "its 1 card deleted" in own("forget", "--set", "Harbour")
    assert not OwnCard.objects.exists() and OwnText.objects.exists()
    with pytest.raises(CommandError, match="name one of none"):
        own("forget", "--set", "Harbour")


# -- pictures that are not taken ------------------------------------------------------------


def with_pictures(folder: Path, **files: bytes) -> str:
    folder.mkdir()
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)
    return str(folder)


GIF, SVG = coded(painted(size=(90, 120)), "GIF"), b"<svg/>"


def test_add_counts_what_is_taken_left_and_refused_and_its_exit_status_tells(
    tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path / "stored")
    folder = with_pictures(tmp_path / "pack", kai_gif=GIF, termite_svg=SVG, holiday_gif=GIF)
    with pytest.raises(SystemExit) as ended:
        own_command.Command().run_from_argv(["manage.py", "own", "add", folder, "--game", "spycraft"])
    said = capsys.readouterr().out
    assert ended.value.code == 3
    assert "3 pictures: 1 taken (1 by id), 1 left, 1 refused" in said
    assert "termite.svg: The picture is an SVG, which is not read here. Save it as PNG or JPEG" in said
    own("forget")
    shutil.rmtree(folder)
    folder = with_pictures(tmp_path / "pack", kai_gif=GIF)
    own_command.Command().run_from_argv(["manage.py", "own", "add", folder, "--game", "spycraft"])
    assert "1 picture: 1 taken (1 by id), 0 left, 0 refused" in capsys.readouterr().out
    report = json.loads(
        own("add", with_pictures(tmp_path / "second", li_svg=SVG), "--game", "spycraft", "--json")
    )
    assert (report["pictures"], report["pictures_left"], report["pictures_refused"]) == (0, 0, 1)


def test_print_counts_them_too_and_its_exit_status_tells(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("1 Kai\n1 Termite\n", encoding="utf-8")
    said, arguments = io.StringIO(), ["--game", "spycraft", "-o", str(tmp_path / "out.pdf")]
    folder = with_pictures(tmp_path / "pack", kai_gif=GIF, termite_jxl=b"\xff\x0a" + bytes(30))
    with pytest.raises(SystemExit) as ended:
        call_command("print_deck", str(tmp_path / "deck.txt"), *arguments, "--pictures", folder, stdout=said)
    assert ended.value.code == 3 and (tmp_path / "out.pdf").stat().st_size > 1_000
    assert "2 pictures: 1 taken (1 by id), 0 left, 1 refused" in said.getvalue()
    assert "termite.jxl: The picture is a JPEG XL" in said.getvalue()
    (Path(folder) / "termite.jxl").unlink()
    call_command("print_deck", str(tmp_path / "deck.txt"), *arguments, "--pictures", folder, stdout=said)


def test_pictures_that_cannot_be_read_do_not_stop_the_next_file_of_the_folder(
    tmp_path: Path, settings: Any
) -> None:
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path, str(tmp_path / "stored")
    (tmp_path / "own").mkdir()
    with_pictures(tmp_path / "own" / "a", kai_gif=GIF, termite_svg=SVG)
    with_pictures(tmp_path / "own" / "b", ambush_gif=GIF)
    own("folder")
    assert set(UploadedPicture.objects.values_list("card_code", flat=True)) == {"kai", "ambush"}
