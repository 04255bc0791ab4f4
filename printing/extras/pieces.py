"""Extra pieces that are printed and cut with the cards: markers, labels for the box, reference cards.

`printing.request.assembly` adds those that the option ``extras`` names; score cards are made in `charts`.
Their content comes from the game folder (``print_extras``, ``set_up``, ``play_guide``, glossary). All have
the size, bleed and style of the cards (`Stock`), and pieces that look alike must be one piece with a count.
Tests: ``tests/printing/extras/test_pieces.py``.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, islice, pairwise, zip_longest
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, Marker, fold, some
from cardsdb.games.kit.model.play_guide import PlayPart
from cardsdb.games.kit.print.face import Box, Figure
from printing.extras.blank import (
    INK,
    LEADING,
    SOFT,
    Blank,
    Stock,
    counts_by_card,
    divided,
    parts_of,
    piece_of,
    pitch,
    source_words,
    wrapped,
)
from printing.extras.charts import table_cards, track_card
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing
from printing.layout import qr_code
from printing.layout.imposition import Piece

# -- markers ---------------------------------------------------------------------------

# The least side of a marker, 19 mm, so that it can be picked up.
MIN_SIDE = 19_000
# In micrometres: the free end of a strip; the space above the name of a tile, at its sides, and below it.
STRIP_END = 4_000
ABOVE_NAME = 500
BESIDE_NAME = 1_200
BELOW_NAME = 1_200


def marker_pieces(game: Game, stock: Stock, players: int = 0) -> tuple[Piece, ...]:
    """Return the game's markers on as few cards as possible.

    With ``players`` each player gets cards of their own markers. If these are few, they are strips across one
    card.
    """
    short, long = sorted(stock.trim)
    columns, rows = max(1, short // MIN_SIDE), max(1, long // MIN_SIDE)
    # The markers of one player, and those for the whole table.
    own: list[Marker] = []
    shared: list[Marker] = []
    for marker in game.print_extras.markers:
        if players and marker.each:
            own += [marker] * marker.each
        else:
            shared += [marker] * marker.count
    cards = _marker_cards(game, own, 1 if len(own) <= rows else columns, rows, stock) * players
    cards += _marker_cards(game, shared, columns, rows, stock)
    return tuple(
        piece_of(alike, f"markers {number}", cards.count(alike))
        for number, alike in enumerate(dict.fromkeys(cards))
    )


def _marker_cards(
    game: Game, markers: Sequence[Marker], columns: int, rows: int, stock: Stock
) -> list[Drawing]:
    each = columns * rows
    parts = (tuple(markers[start : start + each]) for start in range(0, len(markers), each))
    return [_marker_card(game, part, columns, rows, stock) for part in parts]


def _marker_card(game: Game, markers: tuple[Marker, ...], columns: int, rows: int, stock: Stock) -> Drawing:
    """Return a card cut into ``columns`` x ``rows`` tiles, each with the symbol and the name of a marker."""
    canvas = Blank(game, stock)
    xs, ys = divided(0, canvas.width, columns), divided(0, canvas.height, rows)
    rows_used = -(-len(markers) // columns)
    for place, marker in enumerate(markers):
        row, column = divmod(place, columns)
        tile = Box(xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row])
        _draw_marker(canvas, marker, tile, stock, is_strip=columns == 1)
    canvas.cut_lines(xs[1:-1], ys[1 : rows_used + 1], ys[rows_used])
    alike = groupby(marker.name for marker in markers)
    names = ", ".join(f"{len(list(same))} {name}" for name, same in alike)
    return canvas.drawing(f"Markers: {names}")


def _draw_marker(canvas: Blank, marker: Marker, tile: Box, stock: Stock, is_strip: bool) -> None:
    """Draw a marker: its ground, its symbol, and its name beside the symbol of a strip or below that of a
    tile.
    """
    game, side = canvas.game, min(tile.width, tile.height) * 11 // 20
    hue = game.hue[0] if marker.colour == "hue" else game.colours.get(marker.colour, marker.colour)
    _draw_ground(canvas, marker, tile, hue, stock)
    ink = colours.legible(hue, colours.PAPER)
    if is_strip:
        canvas.symbol(
            Box(tile.x + side // 2, tile.y + (tile.height - side) // 2, side, side), marker.symbol, hue
        )
        name = Box(tile.x + 2 * side, tile.y, tile.width - 2 * side - STRIP_END, tile.height)
        canvas.words(marker.name, name, "sans-bold", 150, 65, ink)
        return
    top = tile.y + tile.height // 10
    canvas.symbol(Box(tile.x + (tile.width - side) // 2, top, side, side), marker.symbol, hue)
    top += side + ABOVE_NAME
    height = tile.y + tile.height - top - BELOW_NAME
    name = Box(tile.x + BESIDE_NAME, top, tile.width - 2 * BESIDE_NAME, height)
    canvas.words(marker.name, name, "sans-bold", 120, 65, ink, "centre")


def _draw_ground(canvas: Blank, marker: Marker, tile: Box, hue: str, stock: Stock) -> None:
    """Draw the ground of a marker: the emblem of its card, or a tint, running on into the bleed.

    A marker without a card, and any marker in the style that saves ink, has a tint; in the light style it has
    no ground.
    """
    card = canvas.game.card(marker.card)
    if not card or stock.style == "saver":
        if stock.style != "light":
            canvas.flood(tile, colours.mix(hue, colours.PAPER, 10))
        return
    canvas.card, canvas.deep, canvas.light = card, hue, stock.style == "light"
    left, top, right, foot = tile.x, tile.y, tile.x + tile.width, tile.y + tile.height
    left -= stock.bleed if left == 0 else 0
    top -= stock.bleed if top == 0 else 0
    right += stock.bleed if right == canvas.width else 0
    foot += stock.bleed if foot == canvas.height else 0
    for element in canvas.game.face_named(card.type).elements:
        if isinstance(element, Figure):
            canvas.emblem(element.emblem, Box(left, top, right - left, foot - top), framed=False)


# -- labels ----------------------------------------------------------------------------

# The number of equal labels on a card, and the rows into which the height of a label is divided.
STRIPS = 3
ROWS = 24
# The length of the coloured edge, in micrometres.
EDGE = 5_000


class Label(NamedTuple):
    """The words of a label: the deck's name, its format and its number of cards. ``code`` leads to the list.

    ``code_once``: only the first strip has the code, to save ink.
    """

    name: str
    format: str
    cards: str
    code: qr_code.Code | None = None
    code_once: bool = False


def label_pieces(game: Game, label: Label, stock: Stock) -> tuple[Piece, ...]:
    """Return one card of labels for one deck."""
    canvas = Blank(game, stock, landscape=True)
    ys = divided(0, canvas.height, STRIPS)
    for number, (top, bottom) in enumerate(pairwise(ys)):
        _strip(canvas, label._replace(code=None) if label.code_once and number else label, top, bottom)
    canvas.cut_lines([], ys[1:-1], canvas.height)
    return (piece_of(canvas.drawing(f"Labels: {label.name}"), f"labels {label.name}"),)


def _strip(canvas: Blank, label: Label, top: int, bottom: int) -> None:
    """Draw one label between ``top`` and ``bottom``: a coloured edge, the words, and the code if it fits."""
    game, inset = canvas.game, canvas.inset
    hue, deep = game.hue[0], bottom - top
    # The edge in the game's colour tells boxes apart on a shelf.
    edge = canvas.length(EDGE)
    canvas.flood(Box(0, top, edge, deep), hue)
    left, right = edge + inset, canvas.width - inset
    largest = qr_code.MIN_MODULE if label.code_once else 3 * qr_code.MAX_MODULE
    place = qr_code.square(label.code, canvas.width - deep, top, deep, largest) if label.code else None
    if label.code and place:
        canvas.strokes += qr_code.code_strokes(label.code, place)
        right = place.x - qr_code.QUIET * (place.width // label.code.side)
    row, game_and_format = deep // ROWS, " · ".join(filter(None, (game.name, label.format)))

    def rows(first: int, count: int) -> Box:
        return Box(left, top + first * row, right - left, count * row)

    canvas.words(label.name, rows(2, 7), "serif-bold", 150, 80)
    canvas.words(game_and_format, rows(10, 4), "sans-bold")
    canvas.words(label.cards, rows(14, 4), "sans", 75, 60, SOFT)
    canvas.words(wording.game_credit(game), rows(18, 4), "sans", 60, 60, SOFT)


# -- reference cards -------------------------------------------------------------------

# The sizes of type in tenths of a point, of which the larger is taken if it needs no more cards.
TYPES = (95, 90)
# The space after a lead, in thousandths of the size.
AFTER_LEAD = 400
# The space between paragraphs, and below the head of a card, in micrometres.
AIR = 900
BELOW_HEAD = 1_500
# The most cards of terms. If there are more terms, those that fewest cards of the deck use are left out.
MAX_TERM_CARDS = 3


class Paragraph(NamedTuple):
    """A few words in bold, and the text that follows them."""

    lead: str
    says: str


class _Lines(NamedTuple):
    """A paragraph in lines. A short lead is on the first line of the text, which begins after it, at
    ``indent``; a long lead has lines of its own, and ``indent`` is 0.
    """

    lead: list[str]
    text: list[str]
    indent: int


class _Setting(NamedTuple):
    """Paragraphs in type of one size, and how many of them each card has."""

    size: int
    paragraphs: list[_Lines]
    counts: list[int]


def reference_pieces(
    game: Game, cards: Iterable[Card], stock: Stock, players: int = 0, *, two_sided: bool = False
) -> tuple[Piece, ...]:
    """Return the reference cards for these cards of one game, in the order in which players need them.

    With ``players`` the set-up is for that number of players, and cards that each player needs are printed
    for each. ``two_sided`` puts the next card on the back of each.
    """
    numbers = [Paragraph(line.label, line.value) for line in game.set_up]
    drawings = [] if players else _reference_cards(game, "Numbers", numbers, stock)
    if set_up := game.set_up_guide:
        guide = set_up.guide(players or set_up.usual)
        steps = []
        for step in guide.steps:
            if players and step.short:
                steps.append(Paragraph(f"{step.number}.", step.short))
            else:
                steps.append(Paragraph(f"{step.number}. {step.title}", step.says))
        drawings += _reference_cards(game, f"Set-up, {some(guide.players, 'player')}", steps, stock)
    counted = [(drawing, 1) for drawing in drawings]
    for part in game.play_guide.parts if game.play_guide else ():
        if not part.card:
            continue
        count = max(players, 1) if part.each else 1
        counted += [(drawing, count) for drawing in _play_cards(game, part, stock)]
    counted += [(drawing, 1) for drawing in _term_cards(game, cards, stock)]
    pieces = [piece_of(front, f"reference {number}", count) for number, (front, count) in enumerate(counted)]
    return tuple(_two_sided(pieces) if two_sided else pieces)


def _two_sided(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces, two on a card: first pairs with the same title, then pairs with equal counts.

    Set-up 1 to 3, Turn (2 copies), Terms 1 and 2 and End become the cards Set-up 1 with Set-up 2 behind it,
    Set-up 3 with End, Turn alone, Terms 1 with Terms 2.
    """
    cards: list[Piece] = []
    unpaired: list[Piece] = []
    for _, same_title in groupby(pieces, key=_title_of):
        group = list(same_title)
        if len(group) % 2:
            unpaired.append(group.pop())
        cards += _in_pairs(group)
    unpaired.sort(key=lambda piece: piece.count)
    for _, same_count in groupby(unpaired, key=lambda piece: piece.count):
        cards += _in_pairs(list(same_count))
    # Back into the order in which players need them.
    places = {id(piece.front): place for place, piece in enumerate(pieces)}
    return sorted(cards, key=lambda card: places[id(card.front)])


def _title_of(piece: Piece) -> str:
    """Return the name of a piece without its part, such as ``, 1 of 2``."""
    return re.sub(r", \d+ of \d+$", "", piece.name)


def _in_pairs(pieces: Sequence[Piece]) -> list[Piece]:
    """Return every other piece with the next one on its back; the last of an odd number has none."""
    pairs = zip_longest(pieces[::2], pieces[1::2])
    return [front._replace(back=behind.front if behind else None) for front, behind in pairs]


def _play_cards(game: Game, part: PlayPart, stock: Stock) -> list[Drawing]:
    """Return the cards for a part of the play guide: its steps, its chart, its places for a marker."""
    steps = [
        Paragraph(f"{number}. {step.title}" if part.ordered else step.title, step.says)
        for number, step in enumerate(part.steps, start=1)
    ]
    drawings = _reference_cards(game, part.title, steps, stock)
    if part.table:
        drawings += table_cards(game, part.title, part.table.head, part.table.rows, stock)
    if part.places:
        drawings.append(track_card(game, part.title, part.says, part.places, stock))
    return drawings


def _term_cards(game: Game, cards: Iterable[Card], stock: Stock) -> list[Drawing]:
    """Return cards with the terms that the deck uses most, as many as fit on MAX_TERM_CARDS."""
    uses = Counter(term for card in cards for term in game.terms_for(card))
    terms = [term for term, _ in uses.most_common()]
    while terms:
        paragraphs = [
            Paragraph(term.term, term.meaning) for term in sorted(terms, key=lambda term: fold(term.term))
        ]
        drawings = _reference_cards(game, "Terms", paragraphs, stock)
        if len(drawings) <= MAX_TERM_CARDS:
            return drawings
        terms = terms[: min(len(terms) - 1, len(terms) * MAX_TERM_CARDS // len(drawings))]
    return []


def _reference_cards(game: Game, title: str, paragraphs: Sequence[Paragraph], stock: Stock) -> list[Drawing]:
    """Return the paragraphs on as few cards as possible, about as much on each."""
    if not paragraphs:
        return []
    probe = Blank(game, stock)
    air, top = probe.length(AIR), probe.band(title, game.name, "1 of 2") + probe.length(BELOW_HEAD)
    room = probe.foot(source_words(game)) - top
    # Large print stays large, however many cards it takes.
    sizes = map(probe.size, TYPES[:1] if stock.large else TYPES)
    settings = [_setting(probe, paragraphs, size, room, air) for size in sizes]
    setting = min(settings, key=lambda setting: len(setting.counts))
    drawings = []
    waiting = iter(setting.paragraphs)
    for count, part in zip(setting.counts, parts_of(len(setting.counts)), strict=True):
        canvas = Blank(game, stock)
        y = canvas.band(title, game.name, part) + canvas.length(BELOW_HEAD)
        for paragraph in islice(waiting, count):
            y = _write(canvas, paragraph, setting.size, y) + air
        canvas.foot(source_words(game))
        drawings.append(canvas.drawing(", ".join(filter(None, (title, game.name, part)))))
    return drawings


def _setting(canvas: Blank, paragraphs: Sequence[Paragraph], size: int, room: int, air: int) -> _Setting:
    """Return the paragraphs in lines of this size, and their number on each card of this room."""
    in_lines = [_in_lines(canvas, paragraph, size) for paragraph in paragraphs]
    counts = [len(lines.text) + (0 if lines.indent else len(lines.lead)) for lines in in_lines]
    depths = [count * size * LEADING // 1000 for count in counts]
    return _Setting(size, in_lines, _shared_out(depths, room, air))


def _shared_out(depths: Sequence[int], room: int, air: int) -> list[int]:
    """Return how many paragraphs each card has: as few cards as possible, the fullest as short as possible.

    This keeps the last card from having a single line: four paragraphs, of which a card holds three, become
    [2, 2] and not [3, 1].
    """
    fewest, low = len(counts_by_card(depths, room, air)), min(max(depths), room)
    # The least room that needs no more cards than the whole room does.
    rooms = range(low, room)
    shortest = bisect_left(rooms, True, key=lambda room: len(counts_by_card(depths, room, air)) <= fewest)
    return counts_by_card(depths, low + shortest, air)


def _in_lines(canvas: Blank, paragraph: Paragraph, size: int) -> _Lines:
    """Return a paragraph in lines as wide as the card. A lead is long above 60 per cent of the width."""
    width = canvas.width - 2 * canvas.inset
    indent = (fonts.width("sans-bold", paragraph.lead) + AFTER_LEAD) * size // 1000
    lead = [paragraph.lead]
    if indent > width * 6 // 10:
        lead, indent = wrapped(paragraph.lead, "sans-bold", size, width), 0
    return _Lines(lead, wrapped(paragraph.says, "sans", size, width, indent), indent)


def _write(canvas: Blank, lines: _Lines, size: int, y: int) -> int:
    """Write a paragraph, and return the y below it."""
    for line in lines.lead:
        canvas.write(line, "sans-bold", size, canvas.inset, y + size, INK)
        y += 0 if lines.indent else pitch(size)
    x = canvas.inset + lines.indent
    for line in lines.text:
        canvas.write(line, "sans", size, x, y + size, INK)
        x = canvas.inset
        y += pitch(size)
    return y
