"""Card sheets for Tabletop Simulator and the saved object that shows them, in one archive. Jobs have
``file_options`` without bleed.
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
from printing.exports.card_pictures import SUFFIXES, Drawn, Member, about, readme, upright
from printing.exports.export import Cost
from printing.faces.colours import PAPER
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import INCH
from printing.render.png import card_image, encoded

# The most pixels on a side of a picture that the game takes, and a resolution finer than it shows.
MAX_PIXELS, MAX_DPI = 4096, 330
# Cards on a sheet of the smaller grid, on which words of a card can be read.
READABLE = 15
THUMBNAIL = 256


class SheetedDeck(NamedTuple):
    """A deck in the archive: its sheets, and the looks and the size of its cards."""

    game: Game
    deck: Decklist
    sheets: tuple[Sheet, ...]
    looks: Mapping[Face, Piece]
    size: tuple[int, int]


Sheeted = tuple[SheetedDeck, ...]


def sheeted_decks(lists: Iterable[tuple[Job, Decklist]], most: int = tabletop.PER_SHEET) -> Sheeted:
    """The decks of the archive, one for each list with its job. Each deck has sheets of its own, of at most
    ``most`` cards, because all cards of a sheet have one size.

    Backs that are alike are one file; sheets whose cards have different backs have a sheet of backs as well.
    """
    sheeted: list[SheetedDeck] = []
    backs_by_name: dict[str, Drawing | None] = {}
    before = 0
    for job, deck in lists:
        chosen, _ = bounded(cleaned(Reading(deck)).deck)
        # Pieces that look alike share one object for their back, so that backs can be compared by identity.
        looks = {face_of(card): piece for (card, _), piece in zip(job.entries, pieces_of(job), strict=False)}
        # The backs of another game get names of their own.
        prefix = f"{job.game.slug}-" if sheeted and job.game is not sheeted[0].game else ""
        sheets = []
        for plain in tabletop.sheets_of(job.game, chosen, most):
            sheet = replace(plain, number=before + plain.number, back=prefix + plain.back)
            backs = {id(looks[face_of(card)].back): looks[face_of(card)].back for card in sheet.cards}
            back = next(iter(backs.values()))
            if len(backs) > 1 or backs_by_name.setdefault(sheet.back, back) != back:
                name = tabletop.sheet_name(job.game, chosen, sheet).removesuffix(".png")
                sheet = replace(sheet, back=f"{name}-backs.png", unique_backs=True)
            sheets.append(sheet)
        before += len(sheets)
        sheeted.append(SheetedDeck(job.game, chosen, tuple(sheets), looks, job.size))
    return tuple(sheeted)


def cards_and_sheets(sheeted: Sheeted) -> tuple[int, int]:
    """The numbers of cards and of sheets of all decks."""
    return sum(one.deck.size for one in sheeted), sum(len(one.sheets) for one in sheeted)


def object_of_decks(sheeted: Sheeted, base_url: str, kind: str) -> str:
    """The JSON of the saved object. The address of a picture is ``base_url`` and its file name; without a
    ``base_url`` the name alone.
    """
    suffix = SUFFIXES[kind]
    objects: list[dict[str, Any]] = []
    for row, one in enumerate(sheeted):
        sheets = [replace(sheet, back=_with_suffix(sheet.back, suffix)) for sheet in one.sheets]
        objects += tabletop.objects_of(one.game, Reading(one.deck), sheets, base_url, suffix, row)
    return tabletop.saved_text(objects)


def work_of(sheeted: Sheeted) -> Cost:
    """The cost of the cells of all sheets and sheets of backs, and of each back that whole sheets share."""
    cells, shared = list[tuple[int, int]](), dict[str, int]()
    for one in sheeted:
        for sheet in one.sheets:
            cells.append((prod(cell_of(sheet, one.size)), len(sheet.cards) * (1 + sheet.unique_backs)))
            if not sheet.unique_backs:
                shared[sheet.back] = prod(cell_of(replace(sheet, columns=1, rows=1), one.size))
    cells += [(pixels, 1) for pixels in shared.values()]
    pixels, largest = sum(map(prod, cells)), max((one for one, _ in cells), default=0)
    return Cost(sum(number for _, number in cells), "picture", pixels, largest)


def tabletop_archive(
    job: Job, sheeted: Sheeted, kind: str = "png", base_url: str = "", drawn: Drawn = lambda: None
) -> Iterator[Member]:
    """The README, the saved object, its thumbnail, the sheets and the backs. ``drawn`` is called for each
    card on a sheet.
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
            image = sheet_image(sheet, [piece.front for piece in pieces], size, drawn)
            yield Member(name, _file(image, f"Sheet {sheet.number}, {game.name}", game, kind))
            back, shown = _with_suffix(sheet.back, suffix), [piece.back for piece in pieces if piece.back]
            if back not in backs and len(shown) == len(pieces):
                backs.add(back)
                grid = sheet if sheet.unique_backs else replace(sheet, columns=1, rows=1)
                image = sheet_image(grid, shown[: grid.columns * grid.rows], size, drawn)
                yield Member(back, _file(image, f"Backs, {game.name}", game, kind))


def cell_of(sheet: Sheet, size: tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels of a card on the sheet: as many as the game takes, but no finer than it
    shows.
    """
    width, height = sorted(size, reverse=sheet.sideways)
    across = min(MAX_PIXELS / sheet.columns, MAX_PIXELS / sheet.rows * width / height, width * MAX_DPI / INCH)
    return floor(across), min(round(floor(across) * height / width), MAX_PIXELS // sheet.rows)


def sheet_image(
    sheet: Sheet, drawings: list[Drawing], size: tuple[int, int], drawn: Drawn = lambda: None
) -> Image.Image:
    """The sheet as a picture: the drawings row by row, each as large as its cell."""
    width, height = cell_of(sheet, size)
    image = Image.new("RGB", (width * sheet.columns, height * sheet.rows), PAPER)
    for cell, drawing in enumerate(drawings):
        row, column = divmod(cell, sheet.columns)
        # An own picture may be wider than high where the card is not.
        long = (drawing.width > drawing.height) == (width > height)
        card = upright(
            card_image(drawing, (width if long else height) * INCH / drawing.width), sheet.sideways
        )
        image.paste(
            card if card.size == (width, height) else card.resize((width, height)),
            (column * width, row * height),
        )
        drawn()
    return image


def _file(image: Image.Image, title: str, game: Game, kind: str = "png") -> bytes:
    return encoded(image, kind, about(title, game), MAX_DPI)


def _thumbnail(job: Job, first: Drawing) -> bytes:
    """The first card on a square of the game's hue, for Tabletop Simulator's list of saved objects."""
    ground = Image.new("RGB", (THUMBNAIL, THUMBNAIL), job.game.hue[0])
    card = card_image(first, (THUMBNAIL - 16) * INCH / max(first.width, first.height))
    ground.paste(card, ((THUMBNAIL - card.width) // 2, (THUMBNAIL - card.height) // 2))
    return _file(ground, job.heading, job.game)


def _with_suffix(name: str, suffix: str) -> str:
    return f"{name.removesuffix('.png')}.{suffix}"


def _advice(job: Job, sheeted: Sheeted, stem: str, base_url: str) -> Iterator[list[str]]:
    where = "Documents/My Games/Tabletop Simulator/Saves/Saved Objects"
    cards, sheets = cards_and_sheets(sheeted)
    yield [
        f"{some(sheets, 'sheet')} of cards for Tabletop Simulator, the backs, and the saved object"
        f" {stem}.json that uses them."
    ]
    if len(sheeted) > 1:
        names = ", ".join(filter(None, (one.deck.name for one in sheeted)))
        yield [f"{len(sheeted)} decks, each in a row of the table, on sheets of its own: {names}."]
    if (lost := job.cards - cards * job.options.copies) > 0:
        why = "it holds the first 1,000 cards of a list, and no tokens or reference cards."
        yield [f"{lost} of the job's {job.cards} cards are not in the saved object: {why}"]
    todo = [f"Put the sheets and the backs at {base_url}, where all players can load them."]
    if not base_url:
        todo = [
            "Put the sheets and the backs where all players can load them. In the game that is Modding,"
            " Cloud Manager.",
            f"In {stem}.json put their addresses in the place of the bare file names (FaceURL and BackURL).",
        ]
    todo.append(
        f"Copy {stem}.json and its picture {stem}.png to {where}, then take it from Objects, Saved Objects."
    )
    yield [f"{number}. {step}" for number, step in enumerate(todo, 1)]
