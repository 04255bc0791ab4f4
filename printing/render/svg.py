"""Strokes -> an inline SVG of one card: what stands on the page is what comes out of the printer.

Presentation attributes only, because the site's pages allow no inline style. Every text run carries
its length, so that the card looks alike in whatever font the browser has.
"""

from __future__ import annotations

from html import escape

from cardsdb.games.kit import Card, Game
from printing.faces import fonts, wording
from printing.faces.colours import INK, PAPER
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun
from printing.pictures.ref import PictureRef


def card_svg(card: Card, game: Game, trim: tuple[int, int] | None = None) -> str:
    """The card as SVG at its game's trim size, or at another."""
    drawing = compose(card, game, trim or game.trim)
    return draw_svg(drawing, f"{card.name}, {wording.type_name(card, game)}, {game.name}")


def draw_svg(drawing: Drawing, title: str, rights: str = "") -> str:
    """A drawing as SVG: millimetres outside, micrometres inside. ``title`` is what it is called to those who cannot see it.

    With ``rights`` the drawing is a file of its own, which says inside who made it and whose the game is.
    """
    width, height = drawing.width, drawing.height
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="card-face" role="img" width="{width / 1000:g}mm" height="{height / 1000:g}mm" '
        f'viewBox="0 0 {width} {height}"><title>{escape(title)}</title>'
    )
    return "".join([head, _about(title, rights) if rights else "", *map(stroke_svg, drawing.strokes), "</svg>"])


def _about(title: str, rights: str) -> str:
    """Title, maker and rights in the words that drawing programs look for."""
    said = f"<dc:title>{escape(title)}</dc:title><dc:creator>Cutout</dc:creator><dc:rights>{escape(rights)}</dc:rights>"
    spaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return f'<metadata><rdf:RDF {spaces}><rdf:Description rdf:about="">{said}</rdf:Description></rdf:RDF></metadata>'


def stroke_svg(one: Stroke) -> str:
    """One stroke as an element."""
    match one:
        case TextRun():
            return _text(one)
        case Rect(x, y, width, height, colour):
            return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{escape(colour)}"/>'
        case Line(x1, y1, x2, y2, pen, colour):
            return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{escape(colour)}" stroke-width="{pen}"/>'
        case Path(steps, colour, pen):
            data = "".join(letter + " ".join(map(str, numbers)) for letter, numbers in steps)
            if not pen:
                return f'<path d="{data}" fill="{escape(colour)}"/>'
            pen_shape = f'stroke-width="{pen}" stroke-linecap="round" stroke-linejoin="round"'
            return f'<path d="{data}" fill="none" stroke="{escape(colour)}" {pen_shape}/>'
        case Picture():
            return _picture(one)


def _picture(picture: Picture) -> str:
    """A link to the picture, which only its owner's browser can follow, in a window that cuts it off; on paper if it is see-through."""
    x, y, width, height, image = picture[:5]
    # In pixels of the file, so that no number is too small for a renderer.
    a, b, c, d, e, f = picture.matrix
    numbers = (a / image.width, b / image.width, c / image.height, d / image.height, e - x, f - y)
    matrix = " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in numbers)
    filtered = ' filter="url(#greys)"' if picture.grey else ""
    greys = '<filter id="greys"><feColorMatrix type="saturate" values="0"/></filter>' if picture.grey else ""
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>' if image.see_through else ""
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{greys}{paper}'
        f'<image href="{escape(image.address)}" width="{image.width}" height="{image.height}" preserveAspectRatio="none" '
        f'transform="matrix({matrix})"{filtered}/></svg>'
    )


def picture_svg(ref: PictureRef, title: str) -> str:
    """The whole upright picture with a frame round what of it is shown."""
    width, height = ref.upright
    left, top, across, down = (round(value) for value in ref.shown)
    whole = _picture(Picture(0, 0, width, height, ref, (0, 0, width, height)))
    # The frame shows on any picture: dark beside light.
    frames = [
        f'<rect x="{left}" y="{top}" width="{across}" height="{down}" fill="none" stroke="{colour}" stroke-width="{pen}" '
        'vector-effect="non-scaling-stroke"/>'
        for colour, pen in ((INK, 4), (PAPER, 2))
    ]
    shape = f'class="whole-picture" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {shape}><title>{escape(title)}</title>{whole}{"".join(frames)}</svg>'


def _text(run: TextRun) -> str:
    cut = fonts.CUTS[run.font]
    fallback = "serif" if "Serif" in cut.family else "sans-serif"
    turned = f' transform="rotate(-90 {run.x} {run.y})"' if run.turned else ""
    fixed = f' textLength="{run.width}" lengthAdjust="spacingAndGlyphs"' if run.width else ""
    return (
        f'<text x="{run.x}" y="{run.y}" font-family="\'{cut.family}\', {fallback}" font-weight="{cut.weight}" font-size="{run.size}" '
        f'fill="{escape(run.colour)}"{fixed}{turned}>{escape(run.text)}</text>'
    )
