"""The pages of own pictures: bring, place, cut, give up; nobody else's business, and nothing left behind when something fails."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from cardsdb.games import games
from decks.accounts.leaving import delete_user
from decks.visitors import BROWSER, Visitor, hashed
from printing.models import UploadedPicture
from printing.pictures import bounds, files
from printing.pictures.own import pictures_of
from tests.made_pictures import CANARY, coded, jpeg_that_claims, painted, stored_names, told

HOSTILE_NAMES = ("../../x.php", ".htaccess", "index.html", "x.svg", "a\x00b.jpg", "<script>alert(1)</script>.jpg", "C:\\con.jpg")
pytestmark = pytest.mark.django_db
GAME = games()["spycraft"]
JPEG = coded(painted(), quality=88)
OTHER = coded(painted(size=(300, 420)))


@pytest.fixture(autouse=True)
def shelf(settings: Any, tmp_path: Path) -> Path:
    settings.CUTOUT_PICTURES = str(tmp_path / "pictures")
    return tmp_path / "pictures"


def bring(client: Client, *sent: tuple[str, bytes], meant: str = "front", **more: Any) -> Any:
    found = [SimpleUploadedFile(name, data) for name, data in sent]
    return client.post(reverse("pictures"), {"game": "spycraft", "meant": meant, "files": found}, **more)


def member(name: str = "ann") -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name))
    return client


def words(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def row() -> UploadedPicture:
    return UploadedPicture.objects.get()


def test_a_picture_finds_its_card_by_its_name(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), ("kai back.jpg", OTHER))
    assert answer.status_code == 302
    assert set(UploadedPicture.objects.values_list("game", "card_code", "side")) == {
        ("spycraft", "kai", "front"),
        ("spycraft", "kai", "back"),
    }
    page = words(client.get(reverse("pictures")))
    assert "Kai, front" in page and "Kai, back" in page and "300 ppi" in page


def test_what_no_card_is_called_is_placed_by_hand(client: Client) -> None:
    bring(client, ("IMG_0001.jpg", JPEG))
    pk = row().pk
    assert "IMG_0001.jpg" in words(client.get(reverse("pictures")))
    client.post(reverse("pictures_place"), {f"game:{pk}": "spycraft", f"card:{pk}": "Kai", f"side:{pk}": "front"})
    assert (row().card_code, row().side) == ("kai", "front")


def test_a_card_that_is_not_there_is_said_and_the_picture_stays_where_it_was(client: Client) -> None:
    bring(client, ("IMG_0001.jpg", JPEG))
    pk = row().pk
    answer = client.post(reverse("pictures_place"), {f"game:{pk}": "spycraft", f"card:{pk}": "Nobody", f"side:{pk}": "front"}, follow=True)
    assert "“Nobody” is no card of Spycraft" in words(answer) and row().side == ""


def test_one_back_for_all_cards(client: Client) -> None:
    bring(client, ("whatever.jpg", JPEG), meant="all")
    assert (row().card_code, row().side) == ("", "back")


def test_the_new_picture_of_a_card_leaves_the_old_one_unused_not_lost(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    bring(client, ("kai.jpg", OTHER))
    assert sorted(UploadedPicture.objects.values_list("width", "side")) == [(300, "front"), (750, "")]


def test_good_pictures_are_kept_beside_a_bad_one_which_is_named(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), ("holiday.jpg", b"GIF89a rubbish"), ("bomb.jpg", jpeg_that_claims(9_000, 9_000)))
    page = words(client.get(answer["Location"]))
    assert UploadedPicture.objects.count() == 1
    assert "holiday.jpg is a GIF" in page and "bomb.jpg is 9000 x 9000 pixels" in page


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ((), "Choose at least one picture"),
        ((("x.png", b"%!PS-Adobe-3.0 EPSF"),), "x.png is an EPS"),
        ((("x.jpg", JPEG[:5_000]),), "x.jpg is cut off or damaged"),
        ((("x.jpg", bytes(bounds.MOST_BYTES + 1)),), "x.jpg has 5.1 MB"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_kept(client: Client, shelf: Path, sent: Any, said: str) -> None:
    answer = bring(client, *sent)
    assert answer.status_code == 400 and said in words(answer)
    assert not UploadedPicture.objects.exists() and (not shelf.exists() or stored_names(shelf) == [])


def test_an_upload_that_is_too_large_is_refused_unread(client: Client) -> None:
    answer = bring(client, ("kai.jpg", JPEG), CONTENT_LENGTH=str(bounds.MOST_BYTES_AT_ONCE + 1))
    assert answer.status_code == 413 and not UploadedPicture.objects.exists()


def test_more_pictures_than_are_taken_at_once_are_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printing.pictures.uploading.MOST_AT_ONCE", 2)
    page = words(client.get(bring(client, *((f"{n}.jpg", OTHER) for n in "abc"))["Location"]))
    assert "c.jpg and what follows: at most 2 at once" in page and UploadedPicture.objects.count() == 2


def test_a_form_without_its_token_is_refused() -> None:
    assert bring(Client(enforce_csrf_checks=True), ("kai.jpg", JPEG)).status_code == 403


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_what_a_file_is_called_names_nothing_on_the_shelf(client: Client, shelf: Path, name: str) -> None:
    bring(client, (name, JPEG))
    assert stored_names(shelf) == [row().sha256] and re.fullmatch("[0-9a-f]{64}", row().sha256)
    assert "<script>" not in client.get(reverse("pictures")).content.decode().replace("<script src", "").replace("<script defer", "")


def test_the_stored_file_says_nothing_of_its_maker(client: Client, shelf: Path) -> None:
    bring(client, ("kai.jpg", told("JPEG")))
    assert all(CANARY not in path.read_bytes() for path in shelf.rglob("*") if path.is_file())


def test_a_picture_is_its_owners_alone(client: Client) -> None:
    owner, stranger = member(), member("bob")
    bring(owner, ("kai.jpg", JPEG))
    picture = row()
    addresses = [
        reverse("picture_file", args=[picture.sha256]),
        reverse("picture_small", args=[picture.sha256]),
        reverse("picture", args=[picture.pk]),
    ]
    staff = Client()
    staff.force_login(User.objects.create_superuser("root"))
    assert [owner.get(address).status_code for address in addresses] == [200, 200, 200]
    for other in (stranger, client, staff):
        assert [other.get(address).status_code for address in addresses] == [404, 404, 404]
        assert other.post(reverse("picture_delete", args=[picture.pk])).status_code == 404
        other.post(reverse("pictures_place"), {f"card:{picture.pk}": "lucky-shot", f"side:{picture.pk}": "back"})
        assert "Kai, front" not in words(other.get(reverse("pictures")))
    assert row().side == "front"
    assert pictures_of(Visitor(), GAME) == {} and pictures_of(Visitor(browser="0" * 64), GAME) == {}


def test_the_same_picture_of_two_people_is_one_file_which_goes_with_the_last(shelf: Path, django_capture_on_commit_callbacks: Any) -> None:
    ann, bob = member(), member("bob")
    for client in (ann, bob):
        bring(client, ("kai.jpg", JPEG))
    assert len(stored_names(shelf)) == 1
    first, second = UploadedPicture.objects.order_by("pk")
    for client, picture, left in ((ann, first, 1), (bob, second, 0)):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(reverse("picture_delete", args=[picture.pk]))
        assert len(stored_names(shelf)) == left


def test_pictures_go_with_their_account(shelf: Path, django_capture_on_commit_callbacks: Any) -> None:
    client = member()
    bring(client, ("kai.jpg", JPEG))
    client.get(reverse("picture_small", args=[row().sha256]))
    assert len(stored_names(shelf)) == 2
    with django_capture_on_commit_callbacks(execute=True):
        delete_user(User.objects.get().pk)
    assert stored_names(shelf) == []


def test_a_picture_is_served_so_that_nothing_in_it_runs(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    answer = client.get(reverse("picture_file", args=[row().sha256]))
    assert answer.content == files.path_of(row().sha256).read_bytes()
    assert answer["Content-Type"] == "image/jpeg" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"].startswith("private") and "Cookie" in answer["Vary"]
    small = client.get(reverse("picture_small", args=[row().sha256]))
    assert small["Content-Type"] == "image/webp" and len(small.content) < len(JPEG)


@pytest.mark.parametrize("address", ["0" * 64, "x", "0" * 63 + "g", "secret_key"])
def test_no_other_file_is_served(client: Client, address: str) -> None:
    bring(client, ("kai.jpg", JPEG))
    assert client.get(reverse("picture_file", args=[address])).status_code == 404


def test_a_picture_is_cut_turned_and_put_elsewhere(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    address = reverse("picture", args=[row().pk])
    assert 'value="Kai' in client.get(address).content.decode()
    values = {"game": "spycraft", "card": "lucky shot", "side": "back", "turn": "90", "mirrored": "on", "left": "10", "top": "2.5"}
    card = next(card for card in GAME.cards if card.code != "kai")
    answer = client.post(address, {**values, "card": card.code, "right": "", "bottom": "0", "fit": "whole", "edge": "included"})
    assert answer.status_code == 302
    changed = row()
    assert (changed.card_code, changed.side, changed.turn, changed.mirrored) == (card.code, "back", 90, True)
    assert (changed.crop, changed.fit, changed.edge) == ([100, 25, 1000, 1000], "whole", "included")
    page = client.get(address).content.decode()
    assert 'value="10"' in page and 'value="2.5"' in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"left": "60", "right": "60"}, "leave 2 per cent"),
        ({"left": "-1"}, "at most 98 per cent"),
        ({"top": "x"}, "at most 98 per cent"),
        ({"card": "Nobody"}, "is no card of Spycraft"),
        ({"card": ""}, "Say which card"),
        ({"game": "chess"}, "Choose one of the games"),
        ({"side": "inside"}, "Choose front, back or not used"),
    ],
)
def test_a_change_that_cannot_be_is_said_and_changes_nothing(client: Client, change: dict[str, str], said: str) -> None:
    bring(client, ("kai.jpg", JPEG))
    values = {"game": "spycraft", "card": "kai", "side": "front", "turn": "90", "fit": "fill", "edge": "mirrored", **change}
    answer = client.post(reverse("picture", args=[row().pk]), values)
    assert answer.status_code == 400 and said in words(answer)
    assert (row().turn, row().crop, row().card_code) == (0, [], "kai")


def test_there_is_a_bound_on_pictures_and_on_their_bytes(client: Client, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printing.pictures.own.MOST_PICTURES", 1)
    bring(client, ("kai.jpg", JPEG))
    assert "Delete some first" in words(bring(client, ("b.jpg", OTHER)))
    monkeypatch.setattr("printing.pictures.own.MOST_PICTURES", 9)
    monkeypatch.setattr("printing.pictures.own.MOST_STORED", len(JPEG) + 10)
    assert "b.jpg: your pictures would take more than" in words(bring(client, ("b.jpg", OTHER)))
    assert UploadedPicture.objects.count() == len(stored_names(shelf)) == 1


def test_a_full_disk_is_said_and_leaves_nothing(client: Client, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        path.with_name("unfinished").write_bytes(data[:10])
        path.with_name("unfinished").unlink()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "_write", full)
    answer = bring(client, ("kai.jpg", JPEG))
    assert answer.status_code == 507 and "has no room" in words(answer)
    assert stored_names(shelf) == [] and not UploadedPicture.objects.exists()


def test_a_row_that_cannot_be_written_leaves_no_file(client: Client, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printing.pictures.own._make_room", lambda *_: (_ for _ in ()).throw(RuntimeError("the database is gone")))
    with pytest.raises(RuntimeError):
        bring(client, ("kai.jpg", JPEG))
    assert stored_names(shelf) == []


def test_what_a_browser_brought_goes_along_into_the_account(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("b.jpg", OTHER))
    user = User.objects.create_user("ann")
    browser = client.session[BROWSER]
    client.force_login(user)
    session = client.session
    session[BROWSER] = browser
    session.save()
    assert "pictures from before you logged in" in words(client.get(reverse("pictures")))
    client.post(reverse("pictures_take"))
    assert UploadedPicture.objects.of(Visitor(user.pk)).count() == 2
    assert UploadedPicture.objects.of(Visitor(browser=hashed(browser))).count() == 0


def test_the_page_asks_the_database_no_more_for_more_pictures(client: Client) -> None:
    counts = []
    for n in range(3):
        bring(client, *((f"{n}{m}.jpg", OTHER) for m in range(n * 2 + 1)))
        client.get(reverse("pictures"))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            client.get(reverse("pictures"))
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_printing_asks_once_for_all_pictures_of_a_game(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG), ("back.jpg", OTHER))
    visitor = Visitor(browser=hashed(client.session[BROWSER]))
    with CaptureQueriesContext(connection) as asked:
        found = pictures_of(visitor, GAME)
    assert len(asked) == 1 and set(found) == {("kai", "front"), ("", "back")}
    assert Path(found["kai", "front"].file()).read_bytes() == files.path_of(found["kai", "front"].sha256).read_bytes()


def test_a_sound_shelf_is_said_to_be_sound(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    bring(client, ("kai.jpg", JPEG))
    call_command("sanity_check")
    assert "Nothing is wrong" in capsys.readouterr().out


@pytest.mark.parametrize("harm", ["missing", "altered", "orphaned", "stray"])
def test_a_harmed_shelf_is_found_and_mended_where_it_can_be(client: Client, shelf: Path, harm: str, capsys: Any) -> None:
    bring(client, ("kai.jpg", JPEG))
    path = files.path_of(row().sha256)
    match harm:
        case "missing":
            path.unlink()
        case "altered":
            path.write_bytes(JPEG[:-100])
        case "orphaned":
            UploadedPicture.objects.all()._raw_delete(using="default")  # type: ignore[attr-defined]
        case "stray":
            shutil.copy(path, path.with_name("unfinished.x"))
    with pytest.raises(CommandError):
        call_command("sanity_check")
    assert harm in capsys.readouterr().out
    with pytest.raises(CommandError) if harm in ("missing", "altered") else _nothing():
        call_command("sanity_check", fix=True)
    left = UploadedPicture.objects.count(), len(stored_names(shelf))
    assert left == {"missing": (1, 0), "altered": (1, 1), "orphaned": (0, 0), "stray": (1, 1)}[harm]


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...
