"""Cards as SVG: for pages, as files with outlined letters, and as strips of small faces."""

import gzip
from dataclasses import replace
from functools import partial
from xml.etree.ElementTree import fromstring, tostring

import brotli
import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.filterPen import DecomposingFilterPen as DecomposingPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

from cardsdb.box.pictures import MAX_IN_STRIP
from cardsdb.games import games
from cardsdb.games.kit import Card, Entry
from cardsdb.games.kit.print.dossier import dossier
from printing.faces import fonts
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Path, Rect, TextRun
from printing.options.sizes import TRIMS
from printing.render.files import face_file, faces_file
from printing.render.svg import (
    LEGIBLE_AT_GLANCE,
    LEGIBLE_SMALL,
    MAX_TYPE,
    card_svg,
    draw_svg,
    outline_of,
    seen_small,
    stroke_svg,
)
from tests.support.drawings import runs, squashed

SVG = "{http://www.w3.org/2000/svg}"


def test_a_card_as_svg_has_its_true_size_and_a_name(sixth_game):
    svg = fromstring(card_svg(sixth_game.card("zorka"), sixth_game))
    expected = {"width": "63.5mm", "height": "88.9mm", "viewBox": "0 0 63500 88900", "role": "img"}
    assert expected.items() <= svg.attrib.items()
    assert svg.findtext(f"{SVG}title") == "Zorka, Courier, Dead Drop"


def test_svg_draws_the_strokes_of_the_sheet(sixth_game):
    card = sixth_game.card("sealed-box")
    drawing = compose(card, sixth_game, sixth_game.trim)
    svg = fromstring(card_svg(card, sixth_game))
    for text, run in zip(svg.iter(f"{SVG}text"), runs(drawing), strict=True):
        placed = [text.get("x"), text.get("y"), text.get("textLength")]
        if run.size > MAX_TYPE:
            # Larger type has a transform instead of a place, and is set ten times smaller.
            assert placed == [None, None, f"{run.width / 10:g}"]
        else:
            assert placed == [str(run.x), str(run.y), str(run.width)]
        assert text.text == run.text
    assert len(list(svg.iter(f"{SVG}rect"))) == sum(isinstance(stroke, Rect) for stroke in drawing.strokes)


def test_svg_keeps_hostile_words_inert_and_uses_no_inline_style(sixth_game):
    hostile = """</text><script>alert("1")</script><image href='x' onerror=alert(1)> & "quoted" 'too'"""
    card = Card("deaddrop", "p", hostile, "parcel", {"city": hostile}, text=hostile)
    face = dossier(lines=("city",), marks="city")
    svg = fromstring(card_svg(card, replace(sixth_game, faces={"parcel": face})))
    tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
    assert tags <= {"svg", "title", "rect", "path", "text"}
    names = {name for element in svg.iter() for name in element.attrib}
    assert not [name for name in names if name == "style" or name.startswith("on")]
    assert squashed(hostile) in squashed("".join(text.text or "" for text in svg.iter(f"{SVG}text")))


def test_very_large_type_is_set_smaller_and_enlarged(sixth_game):
    """Chromium draws type of at most 10,000 units, and would stretch smaller letters to the length."""
    run = TextRun(1_000, 2_000, "58", "sans-bold", 12_000, 13_000, "#000000")
    text = fromstring(stroke_svg(run))
    assert (text.get("transform"), text.get("font-size"), text.get("textLength")) == (
        "translate(1000 2000) scale(10)",
        "1200",
        "1300",
    )
    turned = fromstring(stroke_svg(run._replace(turned=True)))
    assert turned.get("transform") == "translate(1000 2000) rotate(-90) scale(10)"
    for game in games().values():
        svg = fromstring(card_svg(game.cards[0], replace(game, trim=TRIMS["jumbo"].lengths)))
        assert all(float(text.get("font-size") or 0) < 10_000 for text in svg.iter(f"{SVG}text"))


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_file_has_its_letters_as_outlines_and_stays_small(slug):
    game = games()[slug]
    for card in game.cards[:: max(1, len(game.cards) // 40)]:
        data = face_file(card, game, "svg")
        svg = fromstring(data)
        assert len(data) < 110_000 and len(gzip.compress(data)) < 12_500, card.code
        assert not list(svg.iter(f"{SVG}text")) and b"font" not in data.replace(card.name.encode(), b"")
        drawn = compose(card, game, game.trim)
        words = [run.text for run in runs(drawn) if run.text.strip()]
        placed = [path for path in svg.iter(f"{SVG}path") if "translate" in path.get("transform", "")]
        assert len(placed) == len(words), card.code
        letters = sum(not character.isspace() for text in words for character in text)
        assert sum(path.get("d", "").count("M") for path in placed) == letters, card.code


def test_straight_lines_of_a_file_have_flat_ends_and_shapes_round_ones():
    shape = Path((("M", (0, 0)), ("L", (9, 9))), "#000000", 300)
    drawing = Drawing("x", 9_000, 9_000, (Line(0, 0, 9_000, 0, 300, "#000000"), shape))
    for small in (False, True):
        paths = fromstring(draw_svg(drawing, "x", "rights", small)).iter(f"{SVG}path")
        assert [path.get("stroke-linecap") for path in paths] == [None, "round"]
        assert "round" not in draw_svg(drawing._replace(strokes=drawing.strokes[:1]), "x", "rights", small)


@pytest.mark.parametrize("font", ["sans", "sans-bold", "serif-bold"])
def test_outlines_are_the_letters_of_the_font(font):
    with TTFont(fonts.file_of(font)) as opened:
        glyphs, names = opened.getGlyphSet(), opened.getBestCmap()

        def measured(draw):
            area, bounds = AreaPen(), BoundsPen(None)
            draw(DecomposingPen(area, glyphs))
            draw(DecomposingPen(bounds, glyphs))
            return (area.value, *bounds.bounds)

        for character in "AaBgéö&8×·’":
            letter = measured(glyphs[names[ord(character)]].draw)
            outline = measured(partial(parse_path, outline_of(font, character)))
            assert outline == pytest.approx(letter, rel=0.02, abs=2), character
    assert outline_of(font, " ") == ""


def test_letters_of_a_file_have_the_widths_of_the_drawing():
    run = TextRun(1_000, 2_000, "a ba", "sans", 3_000, 0, "#123456", turned=True)
    drawing = Drawing("x", 9_000, 9_000, (run,))
    (element,) = fromstring(draw_svg(drawing, "x", "rights")).iter(f"{SVG}path")
    assert (element.get("transform"), element.get("fill")) == (
        "translate(1000 2000) rotate(-90) scale(12 -12)",
        "#123456",
    )
    before = [round(fonts.width("sans", text) / 4) for text in ("", "a ", "a b")]
    letters = [outline_of("sans", character, 250) for character in "aba"]
    parts = zip(before, letters, strict=True)
    assert element.get("d") == "".join(f"M{across} 0{outline}" for across, outline in parts)


def test_a_card_at_a_glance_leaves_out_its_text_and_the_smallest_words():
    game = games()["spycraft"]
    card = game.card("kai")
    glance = fromstring(card_svg(card, game, at_a_glance=True))
    words = runs(compose(card, game, game.trim, small=True))
    shown = [text.text for text in glance.iter(f"{SVG}text")]
    assert shown == [run.text for run in words if run.size >= LEGIBLE_AT_GLANCE] and len(shown) < len(words)
    keys = ("expense", "charisma", "combat", "transport", "craft", "bravado")
    facts = ", ".join(f"{key.capitalize()} {card.fact(key)}" for key in keys)
    assert glance.get("aria-label") == f"Kai, Agent, Spycraft. {facts}"


def test_a_whole_card_is_read_aloud_with_all_facts_and_its_text():
    game = games()["spycraft"]
    card = game.card("kai")
    label = fromstring(card_svg(card, game)).get("aria-label") or ""
    assert label.startswith("Kai, Agent, Spycraft. Faction Nine Tiger, Expense 7, ")
    assert label.endswith(f", Traits Soldier. {card.told}".replace("\n", " "))


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_small_face_keeps_name_and_numbers(slug):
    game = games()[slug]
    kind = game.key_cards[0][0] if game.key_cards else game.types[0].slug
    card = game.key_cards_of((Entry(card, 1, "") for card in game.cards if card.type == kind), 1)[0]
    whole, small = (face_file(card, game, "svg", small=is_small) for is_small in (False, True))
    assert len(small) < 0.6 * len(whole)
    large = [run for run in runs(compose(card, game, game.trim, small=True)) if run.size >= LEGIBLE_SMALL]
    assert card.name.split()[-1] in " ".join(run.text for run in large)
    assert small.count(b"<path fill=") == len(large)


def test_a_small_face_has_no_unreadable_words_except_the_name():
    turned = TextRun(1_000, 9_000, "Li", "serif-bold", 3_200, 700, "#1d1b18", turned=True)
    assert list(seen_small("Li", [turned])) == [turned]
    assert list(seen_small("Kai", [turned])) == []


def test_a_strip_has_the_small_faces_of_its_cards_side_by_side():
    game = games()["spycraft"]
    cards = [next(card for card in game.cards if card.type == kind) for kind in ("mission", "agent")]
    strip = fromstring(faces_file(cards, game))
    boxes = [
        tuple(part.get(name) for name in ("x", "width", "height")) for part in strip.findall(f"{SVG}svg")
    ]
    assert boxes == [("0", "88000", "63000"), ("88000", "63000", "88000")]
    assert strip.get("viewBox") == "0 0 176000 88000"
    for card, part in zip(cards, strip.findall(f"{SVG}svg"), strict=True):
        alone = fromstring(face_file(card, game, "svg", small=True))
        assert tostring(part[0]) == tostring(alone.findall(f"{SVG}g")[0])


def strip_from(client, of: str, **headers: str):
    return client.get("/cards/spycraft/faces.svg", {"of": of}, headers=headers)


@pytest.mark.django_db
def test_a_strip_is_compressed_by_brotli_if_the_browser_accepts_it(client):
    plain, packed = strip_from(client, "kai,li"), strip_from(client, "kai,li", Accept_Encoding="gzip, br")
    assert (plain["Content-Type"], plain["Cutout-Offline"]) == ("image/svg+xml", "face")
    assert packed["Content-Encoding"] == "br" and "Content-Encoding" not in plain
    assert brotli.decompress(packed.content) == plain.content
    other = strip_from(client, "li,kai")
    assert "Accept-Encoding" in plain["Vary"] and plain["ETag"] != packed["ETag"] != other["ETag"]


@pytest.mark.django_db
def test_an_unchanged_strip_is_not_sent_again(client):
    etag = strip_from(client, "kai,li")["ETag"]
    assert strip_from(client, "kai,li", If_None_Match=etag).status_code == 304


@pytest.mark.django_db
def test_a_strip_of_unknown_repeated_or_too_many_cards_is_not_found(client):
    many = ",".join(f"c{number}" for number in range(MAX_IN_STRIP + 1))
    for wrong in ("", "kai,kai", "kai,nobody", "kai,", "own-1", many):
        assert strip_from(client, wrong).status_code == 404, wrong
    assert client.get("/cards/nothing/faces.svg", {"of": "kai"}).status_code == 404


@pytest.mark.django_db
def test_a_small_face_is_a_smaller_file_with_its_own_etag(client):
    small, usual = (client.get(f"/cards/spycraft/kai/face.svg?size={size}") for size in ("small", ""))
    assert small["ETag"] != usual["ETag"] and len(small.content) < len(usual.content)
