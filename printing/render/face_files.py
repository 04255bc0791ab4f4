"""Files of the face of one card, or of the small faces of several. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game
from printing.faces import wording
from printing.faces.compose import compose
from printing.faces.own_pictures import picture_drawing
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.pieces import MissingCharacters, MissingGlyph, missing_in
from printing.layout.imposition import Placed, SheetSide
from printing.options.sizes import millimetres
from printing.render import pdf
from printing.render.png import card_png
from printing.render.svg import draw_svg, seen_small, strip_svg

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def face_key(game: Game, *cards: Card) -> str:
    """A hash of all that decides the bytes of these faces. Raises BadOption or TooMuch for a card that cannot
    be printed on a sheet.
    """
    return Job(game, tuple((card, 1) for card in cards)).key


def face_file(
    card: Card, game: Game, kind: str, small: bool = False, picture: PictureRef | None = None
) -> bytes:
    """The face as a file; ``kind`` is one of ``CONTENT_TYPES``. Raises MissingCharacters for characters that
    no font has.

    A ``small`` SVG leaves out what nobody could read at the size of a stamp, which is two thirds of the file.

    ``picture`` is the own picture that is the card or stands in its window.
    A landscape face is not turned: this is a file to look at, and only sheets turn cards.
    """
    whole = picture if picture and picture.use == "card" else None
    drawn = (
        picture_drawing(card.name, whole, game.trim) if whole else compose(card, game, game.trim, art=picture)
    )
    drawing = _small(card, drawn) if small else drawn._replace(turned=False)
    title = f"{card.name}, {wording.type_name(card, game)}, {game.name}"
    if kind == "svg":
        return draw_svg(drawing, title, rights_of(card, game), small).encode()
    _refuse_missing(drawing)
    if kind == "png":
        about = {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": rights_of(card, game)}
        return card_png(drawing, about)
    about_pdf = pdf.About(title, f"{millimetres((drawing.width, drawing.height))}. {rights_of(card, game)}")
    return pdf.make_pdf(
        (drawing.width, drawing.height),
        [SheetSide(1, "front", (Placed(drawing, 0, 0),), card.name)],
        about_pdf,
    )


def faces_file(cards: Iterable[Card], game: Game) -> bytes:
    """The small faces of these cards as one SVG, each at its ``box_in_strip``. Their letters and heads are
    there once, not once a card.
    """
    drawings = (_small(card, compose(card, game, game.trim)) for card in cards)
    return strip_svg(drawings, game.trim, wording.sheet_credit(game) or game.name).encode()


def _small(card: Card, drawing: Drawing) -> Drawing:
    return drawing._replace(turned=False, strokes=tuple(seen_small(card.name, drawing.strokes)))


def rights_of(card: Card, game: Game) -> str:
    """Whose the game is and where the facts come from: the credit that a game asks for, else its source and
    rights.
    """
    return wording.sheet_credit(game) or f"{game.name}. {wording.source_line(card, game)}"


def _refuse_missing(drawing: Drawing) -> None:
    if missing := missing_in(drawing.strokes):
        raise MissingCharacters(tuple(MissingGlyph(drawing.name, character) for character in missing))
