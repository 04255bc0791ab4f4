"""Faces of cards as files: their size, credit, caching and refusals. Own faces are tested in
test_own_faces.py.
"""

import io
from xml.etree import ElementTree

import pikepdf
import pytest
from django.test import Client
from PIL import Image

from cardsdb.games import games
from tests.support.game_folders import told_otherwise
from tests.support.pages import page

# SQLite is enough here: tests/house/test_permissions.py asks each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
KINDS = ("svg", "png", "pdf")


def face(client: Client, key: str, kind: str) -> bytes:
    answer = client.get(f"/cards/{key}/face.{kind}")
    assert answer.status_code == 200
    return bytes(answer.content)


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("slug", ["spycraft", "xfiles"])
def test_a_face_has_the_cards_true_size_in_every_kind_of_file(client, slug):
    key, trim = f"{slug}/{games()[slug].cards[0].code}", [side / 1000 for side in games()[slug].trim]
    drawn = picture(face(client, key, "png"))
    millimetres = [pixels / drawn.info["dpi"][0] * 25.4 for pixels in drawn.size]
    assert sorted(millimetres) == pytest.approx(sorted(trim), abs=0.1)
    assert drawn.convert("L").getextrema() == (pytest.approx(0, abs=60), 255), "ink on paper"
    with pikepdf.open(io.BytesIO(face(client, key, "pdf"))) as document:
        (sheet,) = document.pages
        box = [float(side) / 72 * 25.4 for side in sheet.mediabox]
    assert sorted(box[2:]) == pytest.approx(sorted(trim), abs=0.01)
    root = ElementTree.fromstring(face(client, key, "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {root.get("width"), root.get("height")} == {f"{side:g}mm" for side in trim}


def test_a_file_has_the_games_credit_in_its_metadata(client):
    svg, png, pdf = (face(client, "agentdecker/hide", kind) for kind in KINDS)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        credits = [str(document.docinfo["/Subject"]), picture(png).info["Copyright"]]
    credits.append(svg.decode().partition("<metadata>")[2].partition("</metadata>")[0])
    for credit in credits:
        assert "Manuel Correia" in credit and "creativecommons.org/licenses/by-nc/4.0" in credit


@pytest.mark.parametrize("kind", KINDS)
def test_a_face_is_not_sent_twice_until_its_card_changes(client, kind, monkeypatch):
    address = f"/cards/spycraft/li/face.{kind}"
    etag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": f"W/{etag}"})
    assert (again.status_code, again.content) == (304, b"")
    told_otherwise(monkeypatch, "li", facts={**games()["spycraft"]._cards["li"].facts, "combat": 9})
    assert client.get(address)["ETag"] != etag


def test_markup_in_a_card_name_is_escaped_in_the_svg(client, monkeypatch):
    told_otherwise(monkeypatch, "li", name="<script>alert(1)</script>")
    assert b"<script" not in face(client, "spycraft/li", "svg")


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_face_with_a_letter_that_no_font_has_is_refused_with_its_code_point(client, kind, monkeypatch):
    told_otherwise(monkeypatch, "li", name="李")
    assert "U+674E" in page(client, f"/cards/spycraft/li/face.{kind}", status=400).text
