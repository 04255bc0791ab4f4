"""Extra pieces that are printed and cut with the cards: markers, score cards, labels for the box, reference
cards.

`printing.request.assembly` adds those that the option ``extras`` names. Their content comes from the game
folder (``print_extras``, ``set_up``, ``play_guide``, glossary). All have the size, bleed and style of the
cards (`Stock`), and pieces that look alike must be one piece with a count.
Tests: ``tests/printing/extras/test_pieces.py``.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, Marker, ScoreCard, fold, some
from cardsdb.games.kit.model.play_guide import PlayPart
from cardsdb.games.kit.print.face import Box, Figure, Font
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
    wrapped,
)
from printing.extras.charts import card_table_pages, table_cards, track_card
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing, Line
from printing.layout import qr_code
from printing.layout.imposition import Piece

# -- markers ---------------------------------------------------------------------------

# The least side of a marker, 19 mm, so that it can be picked up.
MIN_SIDE = 19_000


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
    used = -(-len(markers) // columns)
    for place, marker in enumerate(markers):
        row, column = divmod(place, columns)
        left, top, width, height = xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row]
        hue = game.hue[0] if marker.colour == "hue" else game.colours.get(marker.colour, marker.colour)
        _ground(canvas, marker, Box(left, top, width, height), hue, stock)
        side = min(width, height) * 11 // 20
        ink = colours.legible(hue, colours.PAPER)
        if columns == 1:
            # A strip has its name beside the symbol, a tile below it.
            canvas.symbol(Box(left + side // 2, top + (height - side) // 2, side, side), marker.symbol, hue)
            room = Box(left + 2 * side, top, width - 2 * side - 4_000, height)
            canvas.words(marker.name, room, "sans-bold", 150, 65, ink)
            continue
        canvas.symbol(Box(left + (width - side) // 2, top + height // 10, side, side), marker.symbol, hue)
        below = top + height // 10 + side
        room = Box(left + 1_200, below + 500, width - 2_400, top + height - below - 1_700)
        canvas.words(marker.name, room, "sans-bold", 120, 65, ink, "centre")
    canvas.cut_lines(xs[1:-1], ys[1 : used + 1], ys[used])
    alike = groupby(marker.name for marker in markers)
    names = ", ".join(f"{len(list(same))} {name}" for name, same in alike)
    return canvas.drawing(f"Markers: {names}")


def _ground(canvas: Blank, marker: Marker, box: Box, hue: str, stock: Stock) -> None:
    """Draw the ground of a marker: the emblem of its card, or a tint, running on into the bleed.

    A marker without a card, and any marker in the style that saves ink, has a tint; in the light style it has
    no ground.
    """
    card = canvas.game.card(marker.card)
    if not card or stock.style == "saver":
        if stock.style != "light":
            canvas.flood(box, colours.mix(hue, colours.PAPER, 10))
        return
    canvas.card, canvas.deep, canvas.light = card, hue, stock.style == "light"
    left, top, right, foot = box.x, box.y, box.x + box.width, box.y + box.height
    left -= stock.bleed if left == 0 else 0
    top -= stock.bleed if top == 0 else 0
    right += stock.bleed if right == canvas.width else 0
    foot += stock.bleed if foot == canvas.height else 0
    for element in canvas.game.face_named(card.type).elements:
        if isinstance(element, Figure):
            canvas.emblem(element.emblem, Box(left, top, right - left, foot - top), framed=False)


# -- score cards -----------------------------------------------------------------------

# The pens of lines to write on, and of the heavier line above the sum.
PEN = 150
THICK = 350
LINE = colours.ROLES["line"]


def score_pieces(game: Game, stock: Stock, players: int = 0) -> tuple[Piece, ...]:
    """Return a piece for each score card of the game."""
    return tuple(
        piece_of(_score_card(game, score, stock, players), f"score {score.name}")
        for score in game.print_extras.scores
    )


def notebook_pages(game: Game, paper: tuple[int, int], players: int = 0) -> list[Drawing]:
    """Return the pages of the game's card tables, one set for each player."""
    return card_table_pages(game, paper, _source(game)) * max(players, 1)


def _score_card(game: Game, score: ScoreCard, stock: Stock, players: int) -> Drawing:
    """Return a card with a row for each thing that is scored and a column for each game or player."""
    canvas = Blank(game, stock)
    top = canvas.band(score.name, game.name)
    bottom, inset = canvas.foot(wording.game_credit(game)), canvas.inset
    if score.note:
        note = Box(inset, bottom - canvas.spacing(7_000), canvas.width - 2 * inset, canvas.spacing(6_500))
        canvas.words(score.note, note, "sans", 65, 60, SOFT)
        bottom = note.y
    columns = players if players and score.by_player else score.columns
    lines = ("Name" if score.by_player else "Date", *score.rows, score.total)
    # The column of labels is as wide as its longest label needs, up to half of the card.
    longest = max(fonts.width("sans-bold", label) for label in lines) * canvas.size(80) // 1000
    labels = min(inset + longest + 1_600, canvas.width // 2)
    begin = top + canvas.length(2_000)
    ys = divided(begin, begin + bottom - top - canvas.length(3_000), len(lines))
    xs = divided(labels, canvas.width - inset, columns)
    for number, label in enumerate(lines):
        bold = number == len(lines) - 1
        room = Box(inset, ys[number], labels - inset - 800, ys[number + 1] - ys[number])
        canvas.words(label, room, "sans-bold" if bold else "sans", 80, 60, INK if number else SOFT)
    canvas.strokes += [Line(x, ys[0], x, ys[-1], PEN, LINE) for x in xs]
    heavy = {len(lines) - 1: (THICK, INK)}
    canvas.strokes += [
        Line(inset, y, xs[-1], y, *heavy.get(number, (PEN, LINE))) for number, y in enumerate(ys)
    ]
    return canvas.drawing(f"{score.name}, {game.name}")


# -- labels ----------------------------------------------------------------------------

# The number of equal labels on a card.
STRIPS = 3


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
    edge = canvas.length(5_000)
    canvas.flood(Box(0, top, edge, deep), hue)
    left, right = edge + inset, canvas.width - inset
    largest = qr_code.MIN_MODULE if label.code_once else 3 * qr_code.MAX_MODULE
    place = qr_code.square(label.code, canvas.width - deep, top, deep, largest) if label.code else None
    if label.code and place:
        canvas.strokes += qr_code.code_strokes(label.code, place)
        right = place.x - qr_code.QUIET * (place.width // label.code.side)
    # Words, their first row of 24 and number of rows, font, largest and least size, colour.
    row, game_and_format = deep // 24, " · ".join(filter(None, (game.name, label.format)))
    rows: tuple[tuple[str, int, int, Font, int, int, str], ...] = (
        (label.name, 2, 7, "serif-bold", 150, 80, INK),
        (game_and_format, 10, 4, "sans-bold", 80, 60, INK),
        (label.cards, 14, 4, "sans", 75, 60, SOFT),
        (wording.game_credit(game), 18, 4, "sans", 60, 60, SOFT),
    )
    for text, first, high, font, size, least, colour in rows:
        box = Box(left, top + first * row, right - left, high * row)
        canvas.words(text, box, font, size, least, colour)


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
    # The title is the name without its part, such as ``, 1 of 2``.
    titled = groupby(pieces, key=lambda piece: re.sub(r", \d+ of \d+$", "", piece.name))
    groups = [list(same) for _, same in titled]
    # The last piece of each odd group is taken out of it, and paired with another that has as many copies.
    left = [same.pop() for same in groups if len(same) % 2]
    left.sort(key=lambda piece: piece.count)
    groups += [list(same) for _, same in groupby(left, key=lambda piece: piece.count)]
    pairs = (pair for same in groups for pair in zip_longest(same[::2], same[1::2]))
    cards = [front._replace(back=back.front if back else None) for front, back in pairs]
    # Back into the order in which players need them.
    places = {id(piece.front): place for place, piece in enumerate(pieces)}
    return sorted(cards, key=lambda card: places[id(card.front)])


def _play_cards(game: Game, part: PlayPart, stock: Stock) -> list[Drawing]:
    """Return the cards for a part of the play guide: its steps, its chart, its places for a marker."""
    steps = [
        Paragraph(f"{number}. {step.title}" if part.ordered else step.title, step.says)
        for number, step in enumerate(part.steps, start=1)
    ]
    drawings = _reference_cards(game, part.title, steps, stock)
    if part.table:
        drawings += table_cards(game, part.title, part.table.head, part.table.rows, stock, _source(game))
    if part.places:
        drawings.append(track_card(game, part.title, part.says, part.places, stock, _source(game)))
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
    room = probe.foot(_source(game)) - top
    trials = []
    # Large print stays large, however many cards it takes.
    for size in map(probe.size, TYPES[:1] if stock.large else TYPES):
        in_lines = [_lines(probe, paragraph, size) for paragraph in paragraphs]
        depths = [(lead + len(rows)) * size * LEADING // 1000 for lead, rows in in_lines]
        trials.append((_shared_out(depths, room, air), size, in_lines))
    counts, size, in_lines = min(trials, key=lambda trial: len(trial[0]))
    drawings = []
    # ``start``: the first paragraph of the card.
    start = 0
    for count, part in zip(counts, parts_of(len(counts)), strict=True):
        canvas = Blank(game, stock)
        y = canvas.band(title, game.name, part) + canvas.length(BELOW_HEAD)
        for number in range(start, start + count):
            lead, rows = in_lines[number]
            y = _write(canvas, paragraphs[number], rows, lead, size, y) + air
        start += count
        canvas.foot(_source(game))
        drawings.append(canvas.drawing(", ".join(filter(None, (title, game.name, part)))))
    return drawings


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


def _lines(canvas: Blank, paragraph: Paragraph, size: int) -> tuple[int, list[str]]:
    """Return (number of lines that the lead has to itself, lines of the text).

    After a short lead the text begins on its line: ``1.`` and ``Draw five cards.`` give (0, ["Draw five
    cards."]). A lead of more than 60 per cent of the width stands on lines of its own.
    """
    width = canvas.width - 2 * canvas.inset
    lead = _reach(paragraph.lead, size)
    alone = lead > width * 6 // 10
    rows = wrapped(paragraph.says, "sans", size, width, 0 if alone else lead)
    return len(wrapped(paragraph.lead, "sans-bold", size, width)) if alone else 0, rows


def _write(canvas: Blank, paragraph: Paragraph, rows: list[str], lead: int, size: int, y: int) -> int:
    """Write a paragraph as `_lines` broke it, and return the y below it."""
    inset, pitch = canvas.inset, size * LEADING // 1000
    width = canvas.width - 2 * inset
    for text in wrapped(paragraph.lead, "sans-bold", size, width) if lead else [paragraph.lead]:
        canvas.write(text, "sans-bold", size, inset, y + size, INK)
        y += pitch if lead else 0
    for number, text in enumerate(rows):
        x = inset + (_reach(paragraph.lead, size) if not lead and not number else 0)
        canvas.write(text, "sans", size, x, y + size, INK if lead or number or paragraph.says else SOFT)
        y += pitch
    return y


def _reach(lead: str, size: int) -> int:
    """Return the length of a lead and of the space after it."""
    return (fonts.width("sans-bold", lead) + AFTER_LEAD) * size // 1000


def _source(game: Game) -> str:
    """Return the words for the foot: the credit that the game asks for, or the document that we followed."""
    document = next(iter(game.documents.values()), None)
    title = re.split(r" ?[:,(]", document.title)[0] if document else ""
    return wording.game_credit(game) or (f"Cutout’s words, after {title}" if title else "In Cutout’s words")
