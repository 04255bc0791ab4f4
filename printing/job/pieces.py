"""The pieces of a job, each with front, back and count, drawn in the job's style; and the characters that no
font has.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cardsdb.games.kit import Card
from printing.faces import colours, fonts, wording
from printing.faces.backs import back_of_game
from printing.faces.own_pictures import picture_drawing
from printing.faces.strokes import Drawing, Stroke, TextRun, text_runs
from printing.job.job import Job
from printing.layout.imposition import Piece
from printing.options.sizes import MM
from printing.options.values import CannotPrint, Options

# Two points: readable with a glass, and enough to tell a proxy from a card.
MICRO = 2 * 25_400 // 72


def pieces_of(job: Job, on_card: Callable[[int], None] = lambda cards: None) -> tuple[Piece, ...]:
    """The cards of the job in the list's order, then its other pieces. ``on_card`` gets the number of
    different cards drawn so far.
    """
    options, known = job.options, dict[Drawing, Drawing]()
    has_backs, fronts = options.backs != "none", dict[int, Drawing]()
    for number, card in enumerate(job.distinct, 1):
        fronts[id(card)] = _front(card, job)
        on_card(number)
    backs = {id(card): _back(card, job) for card in job.distinct if has_backs}
    pieces = [
        Piece(card.name, fronts[id(card)], backs.get(id(card)), count, card.code)
        for card, count in job.entries
    ]
    extra = [
        piece._replace(front=_read_out(piece.front), back=_read_out(piece.back) if piece.back else None)
        for piece in job.extra
    ]
    styled = partial(_styled, options, known)
    return tuple(
        piece._replace(
            front=styled(piece.front),
            back=styled(piece.back) if piece.back and has_backs else None,
            count=piece.count * options.copies,
        )
        for piece in (*pieces, *extra)
    )


def _read_out(drawing: Drawing) -> Drawing:
    """The drawing, with the words that stand on it as its words for a screen reader."""
    words = (one.text for one in drawing.strokes if isinstance(one, TextRun))
    return drawing._replace(told=drawing.told or ". ".join(dict.fromkeys((drawing.name, " ".join(words)))))


def _own(job: Job, code: str, side: str, name: str) -> Drawing | None:
    """The own picture for this side of the card; None if there is none, or if the job shows no pictures."""
    ref = job.pictures.get((code, side)) if job.options.shows_pictures else None
    if ref is None or (ref.use == "art" and side == "front"):
        return None
    ref = ref.with_edge(job.options.edges)
    return picture_drawing(name, ref, job.size, job.options.back_bled if side == "back" else job.options.bled)


def _front(card: Card, job: Job) -> Drawing:
    drawing = _own(job, card.code, "front", card.name) or job.face_of(card, job.options.bled)
    drawing = drawing._replace(told=wording.read_aloud(card, job.game))
    if not job.options.micro:
        return drawing
    return drawing._replace(strokes=(*drawing.strokes, *_micro(drawing, job.own_heading)))


def _back(card: Card, job: Job) -> Drawing:
    """The own picture for the card's back, else the picture for the back of all cards of the game, else the
    back that is drawn for its type.
    """
    options = job.options
    return (
        _own(job, card.code, "back", f"Back, {card.name}")
        or _own(job, "", "back", f"Back, {job.game.name}")
        or back_of_game(
            job.game,
            job.size,
            options.back_bled,
            plain=options.style == "saver",
            light=options.style == "light",
            card_type=card.type,
        )
    )


def _styled(options: Options, known: dict[Drawing, Drawing], drawing: Drawing) -> Drawing:
    """The drawing in this style. Drawings that look alike become one object, and so one form of a
    file.
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
    """The deck's name in tiny type at the card's foot, in ink that shows on the ground there."""
    words, room = fonts.plain(words), (drawing.width - 6 * MM) * 1000 // MICRO
    while words and fonts.width("sans", words) > room:
        words = words[:-1]
    long = fonts.width("sans", words) * MICRO // 1000
    x, y = (drawing.width - long) // 2, drawing.height - 700
    colour = colours.legible(
        colours.ROLES["soft"], colours.ground_at(drawing, drawing.width // 2, y - MICRO // 3)
    )
    return text_runs(words, "sans", MICRO, x, y, colour)


class MissingCharacters(CannotPrint):
    """Some characters are in no font, and would be printed as black boxes. Each is a pair of the card's name
    or ``the title``, and the character.
    """

    code = "missing_character"

    def __init__(self, missing: Sequence[tuple[str, str]]) -> None:
        self.missing = missing
        listed = "; ".join(
            f"{card}: U+{ord(one):04X} {unicodedata.name(one, 'a character without a name')}"
            for card, one in missing[:10]
        )
        more = f"; and {len(missing) - 10} more" if len(missing) > 10 else ""
        in_title = all(card == "the title" for card, _ in missing)
        sentence = f"no font has these characters: {listed}{more}"
        super().__init__(sentence, "title" if in_title else "cards")


def refuse_missing_in(named: Iterable[tuple[str, Iterable[Stroke]]]) -> None:
    """Raise MissingCharacters for characters that no font has. ``named``: the name of each drawing and its
    strokes.
    """
    texts = ((name, one.text) for name, strokes in named for one in strokes if isinstance(one, TextRun))
    missing = dict.fromkeys((name, character) for name, text in texts for character in fonts.missing(text))
    if missing:
        raise MissingCharacters(tuple(missing))


def refuse_missing(job: Job, pieces: tuple[Piece, ...]) -> None:
    """Raise MissingCharacters for characters of a job that no font has, before anything is drawn. ``pieces``
    are the job's own.
    """
    pieces = (*pieces, *(piece for part in job.following for piece in pieces_of(part)))
    drawings = {id(one): one for piece in pieces for one in (piece.front, piece.back) if one}.values()
    around = (*job.margins.furniture("front").over, *job.margins.sheet_number(1, 1))
    refuse_missing_in([*((one.name, one.strokes) for one in drawings), ("the title", around)])
