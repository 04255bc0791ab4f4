"""Card sheets for Tabletop Simulator and the saved object that shows them, in one archive. Jobs have
``file_options`` without bleed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import floor
from typing import Any, NamedTuple

from PIL import Image

from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.text import some
from decks.formats import tabletop
from decks.formats.contract import file_stem
from decks.formats.tabletop import Sheet
from decks.formats.writing import Face, bounded, cleaned, face_of
from printing.exports.card_pictures import SUFFIXES, Drawn, Member, about, readme, upright
from printing.exports.cost import Cost
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
    """A deck as the archive holds it: its sheets, and its cards' looks and size. ``following``: other decks,
    on sheets of their own.
    """

    game: Game
    deck: Decklist
    sheets: tuple[Sheet, ...]
    looks: Mapping[Face, Piece]
    size: tuple[int, int]
    following: tuple[SheetedDeck, ...] = ()

    @property
    def decks(self) -> tuple[SheetedDeck, ...]:
        """This deck and those that follow."""
        return (self, *self.following)

    @property
    def cards(self) -> int:
        return sum(one.deck.size for one in self.decks)

    @property
    def every_sheet(self) -> tuple[Sheet, ...]:
        return tuple(sheet for one in self.decks for sheet in one.sheets)


def chosen_of(job: Job, deck: Decklist) -> Decklist:
    """The cards of the deck that the job prints, in their sections. Cards that are not in the deck go into
    the section of their type.
    """
    left: Counter[Face] = Counter()
    for card, count in job.entries:
        left[face_of(card)] += count
    entries = []
    for entry in deck:
        count = min(entry.count, left[face_of(entry.card)])
        left[face_of(entry.card)] -= count
        entries += [replace(entry, count=count)] if count else []
    cards = {face_of(card): card for card, _ in job.entries}
    game = job.game
    entries += [
        Entry(cards[face], count, game.section_for(cards[face].type)) for face, count in left.items() if count
    ]
    return replace(deck, entries=tuple(entries), name=job.title or deck.name)


def sheeted_decks(lists: Iterable[tuple[Job, Decklist]], most: int = tabletop.PER_SHEET) -> SheetedDeck:
    """The lists, each with its own job and its own sheets, because a sheet has cards of one size. Backs that
    are alike are one file.
    """
    sheeted: list[SheetedDeck] = []
    backs: dict[str, Drawing | None] = {}
    for job, deck in lists:
        # The backs of another game get names of their own.
        before = f"{job.game.slug}-" if sheeted and job.game is not sheeted[0].game else ""
        sheeted.append(sheeted_deck(job, deck, most, sum(len(one.sheets) for one in sheeted), before, backs))
    first, *others = sheeted
    return first._replace(following=tuple(others))


def sheeted_deck(
    job: Job,
    deck: Decklist,
    most: int = tabletop.PER_SHEET,
    before: int = 0,
    prefix: str = "",
    backs_before: dict[str, Drawing | None] | None = None,
) -> SheetedDeck:
    """The deck on sheets of at most ``most`` cards. Sheets whose cards have different backs have a sheet of
    backs as well.

    ``before`` is the number of sheets of other decks; ``prefix`` stands before the names of backs,
    ``backs_before`` are theirs by name.
    """
    chosen, _ = bounded(cleaned(Reading(chosen_of(job, deck))).deck)
    # Pieces that look alike share one object for their back, so that backs can be compared by identity.
    looks = {face_of(card): piece for (card, _), piece in zip(job.entries, pieces_of(job), strict=False)}
    sheets, backs_by_name = [], {} if backs_before is None else backs_before
    for plain in tabletop.sheets_of(job.game, chosen, most):
        sheet = replace(plain, number=before + plain.number, back=prefix + plain.back)
        backs = {id(looks[face_of(card)].back): looks[face_of(card)].back for card in sheet.cards}
        back = next(iter(backs.values()))
        if len(backs) > 1 or backs_by_name.setdefault(sheet.back, back) != back:
            name = tabletop.sheet_name(job.game, chosen, sheet).removesuffix(".png")
            sheet = replace(sheet, back=f"{name}-backs.png", unique_backs=True)
        sheets.append(sheet)
    return SheetedDeck(job.game, chosen, tuple(sheets), looks, job.size)


def object_of_decks(sheeted: SheetedDeck, base_url: str, kind: str) -> str:
    """The JSON. Pictures have ``base_url`` and their file name as address; without one the name alone."""
    suffix = SUFFIXES[kind]
    objects: list[dict[str, Any]] = []
    for row, one in enumerate(sheeted.decks):
        sheets = [replace(sheet, back=_with_suffix(sheet.back, suffix)) for sheet in one.sheets]
        objects += tabletop.objects_of(one.game, Reading(one.deck), sheets, base_url, suffix, row)
    return tabletop.saved_text(objects)


def work_of(sheeted: SheetedDeck) -> Cost:
    """The cost of the cells of all sheets and sheets of backs, and of each back that whole sheets share."""
    sized = [(sheet, one.size) for one in sheeted.decks for sheet in one.sheets]
    shared = {
        sheet.back: cell_of(replace(sheet, columns=1, rows=1), size)
        for sheet, size in sized
        if not sheet.unique_backs
    }
    cells = [(cell_of(sheet, size), len(sheet.cards) * (1 + sheet.unique_backs)) for sheet, size in sized]
    cells += [(cell, 1) for cell in shared.values()]
    sizes = [(wide * high, number) for (wide, high), number in cells]
    pixels, largest = (
        sum(size * number for size, number in sizes),
        max((size for size, _ in sizes), default=0),
    )
    return Cost(sum(number for _, number in sizes), "picture", pixels, largest)


def tabletop_archive(
    job: Job, sheeted: SheetedDeck, kind: str = "png", base_url: str = "", drawn: Drawn = lambda: None
) -> Iterator[Member]:
    """The README, the saved object, its thumbnail, the sheets and the backs. ``drawn`` is called for each
    card on a sheet.
    """
    stem = job.filename.rpartition(".")[0] if sheeted.following else file_stem(sheeted.game, sheeted.deck)
    yield readme(job, *_advice(job, sheeted, stem, base_url))
    yield Member(f"{stem}.json", object_of_decks(sheeted, base_url, kind).encode())
    yield Member(f"{stem}.png", _thumbnail(job, sheeted))
    backs: set[str] = set()
    for one in sheeted.decks:
        yield from _pictures(one, kind, backs, drawn)


def _pictures(sheeted: SheetedDeck, kind: str, backs: set[str], drawn: Drawn) -> Iterator[Member]:
    """The sheets of one deck, and those of its backs whose names are not in ``backs`` yet."""
    game, suffix = sheeted.game, SUFFIXES[kind]
    for sheet in sheeted.sheets:
        pieces = [sheeted.looks[face_of(card)] for card in sheet.cards]
        name = tabletop.sheet_name(game, sheeted.deck, sheet, suffix)
        fronts = sheet_image(sheet, [piece.front for piece in pieces], sheeted.size, drawn)
        yield Member(name, _file(fronts, f"Sheet {sheet.number}", game, kind))
        back = _with_suffix(sheet.back, suffix)
        if back not in backs and all(piece.back for piece in pieces):
            backs.add(back)
            shown = [piece.back for piece in pieces if piece.back]
            grid = sheet if sheet.unique_backs else replace(sheet, columns=1, rows=1)
            image = sheet_image(grid, shown if sheet.unique_backs else shown[:1], sheeted.size, drawn)
            yield Member(back, _file(image, "Backs", game, kind))


def cell_of(sheet: Sheet, size: tuple[int, int]) -> tuple[int, int]:
    """Width and height of a card of the sheet in pixels: as many as the game takes, but no finer than it
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


def _file(image: Image.Image, title: str, game: Game, kind: str) -> bytes:
    return encoded(image, kind, about(f"{title}, {game.name}", game), MAX_DPI)


def _thumbnail(job: Job, sheeted: SheetedDeck) -> bytes:
    """The first card on a square of the game's hue, for Tabletop Simulator's list of saved objects."""
    ground = Image.new("RGB", (THUMBNAIL, THUMBNAIL), job.game.hue[0])
    first = next(iter(sheeted.looks.values())).front
    card = card_image(first, (THUMBNAIL - 16) * INCH / max(first.width, first.height))
    ground.paste(card, ((THUMBNAIL - card.width) // 2, (THUMBNAIL - card.height) // 2))
    return encoded(ground, "png", about(job.heading, job.game), MAX_DPI)


def _with_suffix(name: str, suffix: str) -> str:
    return f"{name.removesuffix('.png')}.{suffix}"


def _advice(job: Job, sheeted: SheetedDeck, stem: str, base_url: str) -> Iterator[list[str]]:
    where = "Documents/My Games/Tabletop Simulator/Saves/Saved Objects"
    sheets = some(len(sheeted.every_sheet), "sheet")
    yield [
        f"{sheets} of cards for Tabletop Simulator, the backs, and the saved object {stem}.json that uses"
        " them."
    ]
    if sheeted.following:
        names = ", ".join(filter(None, (one.deck.name for one in sheeted.decks)))
        yield [f"{len(sheeted.decks)} decks, each in a row of the table, on sheets of its own: {names}."]
    lost = job.cards - sheeted.cards * job.options.copies
    yield [f"{lost} of the job's {job.cards} cards are not in the saved object: {_WHY}"] if lost > 0 else []
    if base_url:
        todo = [f"1. Put the sheets and the backs at {base_url}, where all players can load them."]
    else:
        todo = [
            (
                "1. Put the sheets and the backs where all players can load them. In the game that is"
                " Modding, Cloud Manager."
            ),
            (
                f"2. In {stem}.json put their addresses in the place of the bare file names (FaceURL and"
                " BackURL)."
            ),
        ]
    yield [
        *todo,
        (
            f"{len(todo) + 1}. Copy {stem}.json and its picture {stem}.png to {where}, then take it from"
            " Objects, Saved Objects."
        ),
    ]


_WHY = "it holds the first 1,000 cards of a list, and no tokens or reference cards."
