"""One card's face as a file of its own: SVG, PNG or PDF, at true size, with its credit inside. Knows nothing of Django."""

from __future__ import annotations

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from printing.faces import fonts, wording
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, TextRun
from printing.job.glyphs import Missing, MissingCharacters
from printing.job.job import Job
from printing.layout.imposition import Placed, SheetSide
from printing.options.sizes import millimetres
from printing.render import pdf, png
from printing.render.svg import draw_svg

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def face_key(card: Card, game: Game) -> str:
    """A hash of all that decides a face's bytes. Raises BadOption or TooMuch for a card that no sheet would take."""
    return Job(game, ((card, 1),)).key


def face_file(card: Card, game: Game, kind: str) -> bytes:
    """The face as a file; ``kind`` is one of ``CONTENT_TYPES``. Raises MissingCharacters for what no font can write.

    A landscape face stays level: it is a file to look at, and turning is for sheets.
    """
    drawing = compose(card, game, game.trim)._replace(turned=False)
    title = f"{card.name}, {wording.type_name(card, game)}, {game.name}"
    if kind == "svg":
        return draw_svg(drawing, title, rights_of(card, game)).encode()
    _refuse_missing(drawing)
    if kind == "png":
        about = {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": rights_of(card, game)}
        return png.card_png(drawing, about)
    about_pdf = pdf.About(title, f"{millimetres((drawing.width, drawing.height))}. {rights_of(card, game)}")
    return pdf.make_pdf((drawing.width, drawing.height), [SheetSide(1, "front", (Placed(drawing, 0, 0),), card.name)], about_pdf)


def rights_of(card: Card, game: Game) -> str:
    """Whose the game is and where the facts come from: the credit that a game asks for, else its source and rights."""
    return wording.sheet_credit(game) or f"{game.name}. {wording.source_line(card, game)}"


def _refuse_missing(drawing: Drawing) -> None:
    texts = "".join(stroke.text for stroke in drawing.strokes if isinstance(stroke, TextRun))
    if missing := fonts.missing(texts):
        raise MissingCharacters(tuple(Missing(drawing.name, character) for character in missing))
