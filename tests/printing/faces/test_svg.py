"""A drawn card as SVG for a page."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import dossier
from printing.faces.compose import compose
from printing.faces.strokes import Rect
from printing.render.svg import card_svg
from tests.support.drawn_faces import runs, squashed

SVG = "{http://www.w3.org/2000/svg}"


def test_a_card_as_svg_has_its_true_size_and_a_name(sixth_game):
    svg = ElementTree.fromstring(card_svg(sixth_game.card("zorka"), sixth_game))
    assert (svg.get("width"), svg.get("height"), svg.get("viewBox"), svg.get("role")) == ("63.5mm", "88.9mm", "0 0 63500 88900", "img")
    assert svg.findtext(f"{SVG}title") == "Zorka, Courier, Dead Drop"


def test_svg_draws_the_strokes_of_the_sheet(sixth_game):
    card = sixth_game.card("sealed-box")
    drawing, svg = compose(card, sixth_game, sixth_game.trim), ElementTree.fromstring(card_svg(card, sixth_game))
    assert [(text.text, text.get("x"), text.get("y"), text.get("textLength")) for text in svg.iter(f"{SVG}text")] == [
        (run.text, str(run.x), str(run.y), str(run.width)) for run in runs(drawing)
    ]
    assert len(list(svg.iter(f"{SVG}rect"))) == sum(isinstance(stroke, Rect) for stroke in drawing.strokes)


def test_svg_keeps_hostile_words_inert_and_uses_no_inline_style(sixth_game):
    hostile = """</text><script>alert("1")</script><image href='x' onerror=alert(1)> & "quoted" 'too'"""
    card = Card("deaddrop", "p", hostile, "parcel", {"city": hostile}, text=hostile)
    face = dossier(lines=("city",), marks="city", name_up_edge=True)
    drawn = card_svg(card, replace(sixth_game, faces={"parcel": face}))
    svg = ElementTree.fromstring(drawn)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= {"svg", "title", "rect", "path", "text"}
    assert not any(name == "style" or name.startswith("on") for element in svg.iter() for name in element.attrib)
    assert squashed(hostile) in squashed("".join(text.text or "" for text in svg.iter(f"{SVG}text")))


def test_a_landscape_card_is_upright_on_the_page(sixth_game):
    game = replace(sixth_game, faces={"courier": dossier(landscape=True)})
    assert 'viewBox="0 0 88900 63500"' in card_svg(sixth_game.card("zorka"), game)
