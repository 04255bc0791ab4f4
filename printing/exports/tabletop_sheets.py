"""Card sheets for Tabletop Simulator and the saved object that shows them, in one archive.

`decks.formats.tabletop` decides which card is in which cell (`Sheet`) and writes the object; this module
draws the cells for `kinds`. A change must keep that both agree: the game finds a card's picture by its cell
alone. Jobs have `file_options` without bleed. Tests: ``tests/printing/exports/test_tabletop_sheets.py``, and
``tests/decks/formats/test_tabletop.py`` for the object.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import floor, prod
from typing import Any, NamedTuple

from PIL import Image

from cardsdb.games.kit import Decklist, Game, some
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import tabletop
from decks.formats.contract import file_stem
from decks.formats.tabletop import Sheet
from decks.formats.writing import Face, bounded, cleaned, face_of
from printing.exports.card_pictures import SUFFIXES, Member, OnDrawn, about, readme, upright
from printing.exports.export import Cost
from printing.faces.colours import PAPER
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import INCH
from printing.render.png import card_image, encoded

# The most pixels on a side of a picture that the game takes, and a resolution that is finer than it shows.
MAX_PIXELS = 4096
MAX_DPI = 330
# The most cards on a sheet whose words can be read in the game.
READABLE = 15
# The side of a thumbnail, and the height that its card may take, in pixels.
THUMBNAIL = 256
THUMBNAIL_CARD = 240


class SheetedDeck(NamedTuple):
    """A deck in the archive: its sheets, the piece for each face, and the (width, height) of its cards."""

    game: Game
    deck: Decklist
    sheets: tuple[Sheet, ...]
    looks: Mapping[Face, Piece]
    size: tuple[int, int]


Sheeted = tuple[SheetedDeck, ...]


def sheeted_decks(lists: Iterable[tuple[Job, Decklist]], most: int = tabletop.PER_SHEET) -> Sheeted:
    """Return the decks of the archive, one for each (job, deck).

    Each deck has sheets of its own with at most ``most`` cards, because all cards of a sheet have one size.
    The back of a sheet is one of these:

    - One picture, which further sheets share, if all its cards have the same back and no sheet before it uses
      the file name for another one.
    - Otherwise a sheet of backs in a file of its own, with a cell for each card (``unique_backs``).
    """
    sheeted: list[SheetedDeck] = []
    # The file name of a shared back -> the back that was first stored under it.
    backs_by_name: dict[str, Drawing | None] = {}
    sheets_before = 0
    for job, deck in lists:
        chosen, _ = bounded(cleaned(Reading(deck)).deck)
        # The pieces of the cards come first, the extra pieces after them are left out.
        looks = {face_of(card): piece for (card, _), piece in zip(job.entries, pieces_of(job), strict=False)}
        # The backs of another game get names of their own.
        prefix = f"{job.game.slug}-" if sheeted and job.game is not sheeted[0].game else ""
        sheets = []
        for plain in tabletop.sheets_of(job.game, chosen, most):
            sheet = replace(plain, number=sheets_before + plain.number, back=prefix + plain.back)
            back, *others = (looks[face_of(card)].back for card in sheet.cards)
            is_shared = all(other == back for other in others)
            # ``setdefault`` returns the back that has this name, which is stored if the name is still free.
            if not is_shared or backs_by_name.setdefault(sheet.back, back) != back:
                name = tabletop.sheet_name(job.game, chosen, sheet).removesuffix(".png")
                sheet = replace(sheet, back=f"{name}-backs.png", unique_backs=True)
            sheets.append(sheet)
        sheets_before += len(sheets)
        sheeted.append(SheetedDeck(job.game, chosen, tuple(sheets), looks, job.size))
    return tuple(sheeted)


def cards_and_sheets(sheeted: Sheeted) -> tuple[int, int]:
    """Return the numbers of cards and of sheets of all decks."""
    return sum(each.deck.size for each in sheeted), sum(len(each.sheets) for each in sheeted)


def object_of_decks(sheeted: Sheeted, base_url: str, kind: str) -> str:
    """Return the JSON of the saved object.

    Addresses of pictures are ``base_url`` and the file name; it may be empty.
    """
    suffix = SUFFIXES[kind]
    objects: list[dict[str, Any]] = []
    for row, (game, deck, sheets, _, _) in enumerate(sheeted):
        named = [replace(sheet, back=_with_suffix(sheet.back, suffix)) for sheet in sheets]
        objects += tabletop.objects_of(game, Reading(deck), named, base_url, suffix, row)
    return tabletop.saved_text(objects)


def work_of(sheeted: Sheeted) -> Cost:
    """Return the cost of all cells of sheets and of sheets of backs, and of each back that sheets share."""
    # (pixels of a cell, number of cells)
    cells: list[tuple[int, int]] = []
    # Name of a shared back -> its pixels.
    shared: dict[str, int] = {}
    for each in sheeted:
        for sheet in each.sheets:
            sides = 2 if sheet.unique_backs else 1
            cells.append((prod(cell_of(sheet, each.size)), len(sheet.cards) * sides))
            if not sheet.unique_backs:
                shared[sheet.back] = prod(cell_of(_alone(sheet), each.size))
    cells += [(pixels, 1) for pixels in shared.values()]
    pixels, largest = sum(map(prod, cells)), max((cell for cell, _ in cells), default=0)
    return Cost(sum(number for _, number in cells), "picture", pixels, largest)


def tabletop_archive(
    job: Job, sheeted: Sheeted, kind: str = "png", base_url: str = "", on_drawn: OnDrawn = lambda: None
) -> Iterator[Member]:
    """Yield the README, the saved object, its thumbnail, the sheets and the backs.

    ``on_drawn`` is called for each card on a sheet.
    """
    first, suffix = sheeted[0], SUFFIXES[kind]
    stem = file_stem(first.game, first.deck) if len(sheeted) == 1 else job.filename.rpartition(".")[0]
    yield readme(job, *_advice(job, sheeted, stem, base_url))
    yield Member(f"{stem}.json", object_of_decks(sheeted, base_url, kind).encode())
    yield Member(f"{stem}.png", _thumbnail(job, next(iter(first.looks.values())).front))
    backs: set[str] = set()
    for game, deck, sheets, looks, size in sheeted:
        for sheet in sheets:
            pieces = [looks[face_of(card)] for card in sheet.cards]
            name = tabletop.sheet_name(game, deck, sheet, suffix)
            image = sheet_image(sheet, [piece.front for piece in pieces], size, on_drawn)
            yield Member(name, _file(image, f"Sheet {sheet.number}, {game.name}", game, kind))
            back, drawn = _with_suffix(sheet.back, suffix), [piece.back for piece in pieces if piece.back]
            # A shared back is in the archive once.
            if back not in backs and len(drawn) == len(pieces):
                backs.add(back)
                if sheet.unique_backs:
                    image = sheet_image(sheet, drawn, size, on_drawn)
                else:
                    image = sheet_image(_alone(sheet), drawn[:1], size, on_drawn)
                yield Member(back, _file(image, f"Backs, {game.name}", game, kind))


def _alone(sheet: Sheet) -> Sheet:
    """Return a sheet with one cell, on which the back that its cards share is drawn."""
    return replace(sheet, columns=1, rows=1)


def cell_of(sheet: Sheet, size: tuple[int, int]) -> tuple[int, int]:
    """Return the (width, height) of a card on the sheet in pixels: as many as the game takes and shows."""
    width, height = sorted(size, reverse=sheet.sideways)
    # As wide as the columns allow, as the rows allow for a card of this shape, and as the finest resolution.
    across = min(MAX_PIXELS / sheet.columns, MAX_PIXELS / sheet.rows * width / height, width * MAX_DPI / INCH)
    return floor(across), min(round(floor(across) * height / width), MAX_PIXELS // sheet.rows)


def sheet_image(
    sheet: Sheet, drawings: list[Drawing], size: tuple[int, int], on_drawn: OnDrawn = lambda: None
) -> Image.Image:
    """Return the sheet as a picture, with the drawings in its cells row by row."""
    width, height = cell_of(sheet, size)
    image = Image.new("RGB", (width * sheet.columns, height * sheet.rows), PAPER)
    for cell, drawing in enumerate(drawings):
        row, column = divmod(cell, sheet.columns)
        # An own picture may lie across its card; it is drawn as it lies and then turned.
        lies_as_cell = (drawing.width > drawing.height) == (width > height)
        dpi = (width if lies_as_cell else height) * INCH / drawing.width
        card = upright(card_image(drawing, dpi), sheet.sideways)
        # Rounding may make the drawing a pixel larger or smaller than its cell.
        if card.size != (width, height):
            card = card.resize((width, height))
        image.paste(card, (column * width, row * height))
        on_drawn()
    return image


def _file(image: Image.Image, title: str, game: Game, kind: str = "png") -> bytes:
    return encoded(image, kind, about(title, game), MAX_DPI)


def _thumbnail(job: Job, first: Drawing) -> bytes:
    """Return the first card on a square in the game's hue, for Tabletop Simulator's list of saved objects."""
    ground = Image.new("RGB", (THUMBNAIL, THUMBNAIL), job.game.hue[0])
    card = card_image(first, THUMBNAIL_CARD * INCH / max(first.width, first.height))
    ground.paste(card, ((THUMBNAIL - card.width) // 2, (THUMBNAIL - card.height) // 2))
    return _file(ground, job.heading, job.game)


def _with_suffix(name: str, suffix: str) -> str:
    return f"{name.removesuffix('.png')}.{suffix}"


def _advice(job: Job, sheeted: Sheeted, stem: str, base_url: str) -> Iterator[list[str]]:
    """Yield the parts of the README: the content of the archive, and the steps to use it in the game."""
    where = "Documents/My Games/Tabletop Simulator/Saves/Saved Objects"
    cards, sheets = cards_and_sheets(sheeted)
    yield [
        f"{some(sheets, 'sheet')} of cards for Tabletop Simulator, the backs, and the saved object"
        f" {stem}.json that uses them."
    ]
    if len(sheeted) > 1:
        names = ", ".join(filter(None, (each.deck.name for each in sheeted)))
        yield [f"{len(sheeted)} decks, each in a row of the table, on sheets of its own: {names}."]
    if (left_out := job.cards - cards * job.options.copies) > 0:
        why = "it holds the first 1,000 cards of a list, and no tokens or reference cards."
        yield [f"{left_out} of the job's {job.cards} cards are not in the saved object: {why}"]
    todo = [f"Put the sheets and the backs at {base_url}, where all players can load them."]
    if not base_url:
        todo = [
            "Put the sheets and the backs where all players can load them. In the game that is Modding,"
            " Cloud Manager.",
            f"In {stem}.json replace the bare file names (FaceURL and BackURL) with their addresses.",
        ]
    todo.append(
        f"Copy {stem}.json and its picture {stem}.png to {where}, then take it from Objects, Saved Objects."
    )
    yield [f"{number}. {step}" for number, step in enumerate(todo, 1)]
