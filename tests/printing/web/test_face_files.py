"""The face of a card as a file: its true size, what it shows, and when it is sent again."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.games import games
from tests.support.game_folders import told_otherwise

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def face(client: Client, key: str, kind: str) -> bytes:
    answer = client.get(f"/cards/{key}/face.{kind}")
    assert answer.status_code == 200
    return bytes(answer.content)


ONE_OF_EACH = [f"{game.slug}/{game.cards[0].code}" for game in games().values()]


@pytest.mark.parametrize("key", ONE_OF_EACH)
def test_a_picture_of_the_face_has_the_cards_true_size(client: Client, key: str) -> None:
    from PIL import Image

    picture = Image.open(io.BytesIO(face(client, key, "png")))
    dots = picture.info["dpi"][0]
    trim = games()[key.split("/")[0]].trim
    millimetres = sorted(pixels / dots * 25.4 for pixels in picture.size)
    assert millimetres == pytest.approx(sorted(side / 1000 for side in trim), abs=0.1)


def test_the_picture_shows_what_the_drawing_shows(client: Client) -> None:
    """The edge of the card in its faction's colour, paper beside it, ink where the name stands."""
    from PIL import Image

    picture = Image.open(io.BytesIO(face(client, "spycraft/li", "png"))).convert("RGB")
    width, height = picture.size
    assert picture.getpixel((10, height // 2)) != (255, 255, 255)
    assert picture.getpixel((width - 10, height // 2)) == (255, 255, 255)
    number = picture.crop((width * 3 // 4, 0, width, height // 8))
    assert number.convert("L").getextrema()[0] < 60


def test_a_page_of_the_face_has_the_cards_true_size(client: Client) -> None:
    import pikepdf

    with pikepdf.open(io.BytesIO(face(client, "xfiles/first-aid", "pdf"))) as document:
        assert len(document.pages) == 1
        box = [float(side) for side in document.pages[0].mediabox]
    trim = games()["xfiles"].trim
    assert box[2:] == pytest.approx([side * 72 / 25_400 for side in trim], abs=0.01)


def test_a_drawing_of_the_face_stands_alone(client: Client) -> None:
    root = ElementTree.fromstring(face(client, "spycraft/li", "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("width") == f"{games()['spycraft'].trim[0] / 1000:g}mm"


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_file_carries_the_games_credit_inside(client: Client, kind: str) -> None:
    data = face(client, "agentdecker/hide", kind)
    if kind == "pdf":
        import pikepdf

        with pikepdf.open(io.BytesIO(data)) as document:
            said = str(document.docinfo["/Subject"])
    elif kind == "png":
        from PIL import Image

        said = Image.open(io.BytesIO(data)).info["Copyright"]
    else:
        said = data.decode().partition("<metadata>")[2].partition("</metadata>")[0]
    assert "Manuel Correia" in said
    assert "creativecommons.org/licenses/by-nc/4.0" in said


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_file_that_the_browser_has_is_not_sent_again(client: Client, kind: str) -> None:
    etag = client.get(f"/cards/spycraft/li/face.{kind}").headers["ETag"]
    again = client.get(f"/cards/spycraft/li/face.{kind}", headers={"If-None-Match": f"W/{etag}"})
    assert (again.status_code, again.content) == (304, b"")


def test_a_changed_card_is_another_file(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get("/cards/spycraft/li/face.svg").headers["ETag"]
    told_otherwise(monkeypatch, "li", facts={**games()["spycraft"]._cards["li"].facts, "combat": 9})
    assert client.get("/cards/spycraft/li/face.svg").headers["ETag"] != before


def test_a_name_is_text_in_a_drawing_and_never_a_tag(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    told_otherwise(monkeypatch, "li", name="<script>alert(1)</script>")
    assert b"<script" not in face(client, "spycraft/li", "svg")


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_letter_that_no_font_has_is_refused_with_its_name(
    client: Client, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_otherwise(monkeypatch, "li", name="李")
    answer = client.get(f"/cards/spycraft/li/face.{kind}")
    assert answer.status_code == 400
    assert "U+674E" in answer.content.decode()


@pytest.mark.parametrize("address", ["spycraft/nobody", "chess/li"])
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_there_is_no_face_of_a_card_that_is_not_there(client: Client, address: str, kind: str) -> None:
    assert client.get(f"/cards/{address}/face.{kind}").status_code == 404
