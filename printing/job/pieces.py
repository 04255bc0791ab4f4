"""Draw the cards of a job: ``pieces_of`` turns a ``Job`` into pieces with front, back and number of copies.

``printing/render`` calls it, lays the pieces on sheets and writes the file. ``refuse_missing`` must run
before that: it raises MissingCharacters for text that no font can show. Drawings that look alike must be one
object, which a file stores once. Tests: ``tests/printing/job/test_pieces.py``, and ``tests/printing/render``
for the size of files.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from cardsdb.games.kit import Card
from printing.faces import colours, fonts, wording
from printing.faces.backs import back_of_game
from printing.faces.own_pictures import picture_drawing
from printing.faces.strokes import Drawing, Stroke, TextRun, text_runs
from printing.job.job import Job
from printing.layout.imposition import Piece
from printing.options.sizes import INCH, MM
from printing.options.values import CannotPrint, Options

# Type size of the deck's name on a card, in micrometres: 2 pt, readable with a magnifying glass, and enough
# to tell a proxy from a real card.
MICRO = 2 * INCH // 72
# Micrometres that stay free beside and below these words.
MICRO_SIDE = 3 * MM
MICRO_FOOT = 700
# Missing characters that an error names; the others are only counted.
MAX_NAMED = 10


def pieces_of(job: Job, on_card: Callable[[int], None] = lambda cards: None) -> tuple[Piece, ...]:
    """The cards of the job in the list's order, then its extra pieces, all drawn in the job's style. Jobs in
    ``job.following`` are not included.

    ``on_card`` reports progress: it is called with the number of different cards drawn so far.
    """
    options = job.options
    has_backs = options.backs != "none"
    # A card's drawings, by the id of the card.
    fronts: dict[int, Drawing] = {}
    for number, card in enumerate(job.distinct, 1):
        fronts[id(card)] = _front(card, job)
        on_card(number)
    backs = {id(card): _back(card, job) for card in job.distinct if has_backs}
    pieces = [
        Piece(card.name, fronts[id(card)], backs.get(id(card)), count, card.code)
        for card, count in job.entries
    ]
    for piece in job.extra:
        back = _with_alt(piece.back) if piece.back else None
        pieces.append(piece._replace(front=_with_alt(piece.front), back=back))
    # Every drawing in the style of the print, by itself, so that drawings that look alike become one object.
    known: dict[Drawing, Drawing] = {}
    made = []
    for piece in pieces:
        front = _styled(piece.front, options, known)
        back = _styled(piece.back, options, known) if piece.back and has_backs else None
        made.append(piece._replace(front=front, back=back, count=piece.count * options.copies))
    return tuple(made)


def _with_alt(drawing: Drawing) -> Drawing:
    """The drawing with words for a screen reader (``told``): those it has, else its name and its text."""
    words = (stroke.text for stroke in drawing.strokes if isinstance(stroke, TextRun))
    return drawing._replace(told=drawing.told or ". ".join(dict.fromkeys((drawing.name, " ".join(words)))))


def _own_picture(job: Job, code: str, side: str, name: str) -> Drawing | None:
    """The own picture that replaces this side of the card; None if there is none or the job shows none.
    ``side``: "front" or "back".
    """
    ref = job.pictures.get((code, side)) if job.options.shows_pictures else None
    # Art fills only the window of the drawn face, which Job.face_of draws.
    if ref is None or (ref.use == "art" and side == "front"):
        return None
    ref = ref.with_edge(job.options.edges)
    return picture_drawing(name, ref, job.size, job.options.back_bled if side == "back" else job.options.bled)


def _front(card: Card, job: Job) -> Drawing:
    """The card's front: its own picture, else the drawn face, with the deck's name if that is wanted."""
    drawing = _own_picture(job, card.code, "front", card.name) or job.face_of(card, job.options.bled)
    drawing = drawing._replace(told=wording.read_aloud(card, job.game))
    if not job.options.micro:
        return drawing
    return drawing._replace(strokes=(*drawing.strokes, *_micro(drawing, job.own_heading)))


def _back(card: Card, job: Job) -> Drawing:
    """The card's back: its own picture, else the own picture for all backs of the game, else the back drawn
    for its type.
    """
    options = job.options
    return (
        _own_picture(job, card.code, "back", f"Back, {card.name}")
        or _own_picture(job, "", "back", f"Back, {job.game.name}")
        or back_of_game(
            job.game,
            job.size,
            options.back_bled,
            plain=options.style == "saver",
            light=options.style == "light",
            card_type=card.type,
        )
    )


def _styled(drawing: Drawing, options: Options, known: dict[Drawing, Drawing]) -> Drawing:
    """Convert a drawing to the style and ink of the print. Of drawings that then are equal, all calls with
    one ``known`` return the same object; new drawings are added to it.
    """
    if options.style == "outline":
        plain = colours.outline(drawing.width, drawing.height, options.corner)
        drawing = plain._replace(turned=drawing.turned, told="")
    elif options.style == "saver":
        drawing = colours.saver(drawing)
    if options.ink == "grey":
        drawing = colours.grey(drawing)
    return known.setdefault(drawing, drawing)


def _micro(drawing: Drawing, words: str) -> list[TextRun]:
    """The deck's name in tiny type, centred at the card's foot, cut to fit, in a colour that is legible
    there.
    """
    words = fonts.plain(words)
    # The width for the words, in thousandths of the size of type, as ``fonts.width`` measures.
    room = (drawing.width - 2 * MICRO_SIDE) * 1000 // MICRO
    while words and fonts.width("sans", words) > room:
        words = words[:-1]
    width = fonts.length("sans", words, MICRO)
    # The left end of the line on which the letters stand, and the colour behind their middle.
    x, y = (drawing.width - width) // 2, drawing.height - MICRO_FOOT
    ground = colours.ground_at(drawing, drawing.width // 2, y - MICRO // 3)
    return text_runs(words, "sans", MICRO, x, y, colours.legible(colours.ROLES["soft"], ground))


class MissingCharacters(CannotPrint):
    """Some characters are in no font and would print as black boxes. ``missing`` has a (place, character)
    pair for each, where the place is a card's name or ``the title``.
    """

    code = "missing_character"

    def __init__(self, missing: Sequence[tuple[str, str]]) -> None:
        self.missing = missing
        listed = "; ".join(
            f"{place}: U+{ord(character):04X} {unicodedata.name(character, 'a character without a name')}"
            for place, character in missing[:MAX_NAMED]
        )
        more = f"; and {len(missing) - MAX_NAMED} more" if len(missing) > MAX_NAMED else ""
        in_title = all(place == "the title" for place, _ in missing)
        sentence = f"no font has these characters: {listed}{more}"
        super().__init__(sentence, "title" if in_title else "cards")


def refuse_missing_in(named: Iterable[tuple[str, Iterable[Stroke]]]) -> None:
    """Raise MissingCharacters if a drawing has characters that no font has. ``named`` are (name of a drawing,
    its strokes).
    """
    texts = ((name, run.text) for name, strokes in named for run in strokes if isinstance(run, TextRun))
    missing = dict.fromkeys((name, character) for name, text in texts for character in fonts.missing(text))
    if missing:
        raise MissingCharacters(tuple(missing))


def refuse_missing(job: Job, pieces: tuple[Piece, ...]) -> None:
    """Raise MissingCharacters if the cards or margins of a job have characters that no font has. ``pieces``
    are the job's own, as ``pieces_of`` returns them; those of following parts are drawn here.
    """
    pieces = (*pieces, *(piece for part in job.following for piece in pieces_of(part)))
    # Copies and equal backs share one object, so that each drawing is looked at once.
    sides = (side for piece in pieces for side in (piece.front, piece.back) if side)
    drawings = {id(side): side for side in sides}.values()
    margins = (*job.margins.furniture("front").over, *job.margins.sheet_number(1, 1))
    refuse_missing_in([*((drawing.name, drawing.strokes) for drawing in drawings), ("the title", margins)])
