"""A print as one value: its cards, their layout, their surroundings, and a summary in words. Pure.

Cards stand in the list's order, copies side by side. A job that cannot be printed raises an error with a
sentence for the reader before anything is drawn.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game, as_words, entries_in_words, plural, slugify, some
from printing.faces import wording
from printing.faces.compose import compose, digest_of_drawing
from printing.faces.own_pictures import (
    UsedPicture,
    in_words,
    on_cards,
    on_drawings,
    places_used,
    soft_pictures,
)
from printing.faces.strokes import Drawing
from printing.layout import geometry, marks
from printing.layout.imposition import Piece, layout_for, sheets_needed
from printing.layout.margins import Margins, Notes
from printing.layout.qr_code import Code
from printing.options.sizes import SLEEVE, cutter_template, millimetres, shown
from printing.options.values import NAMED, USUAL, BadOption, CannotPrint, Options

MAX_DIFFERENT, MAX_CARDS = 500, 2_000
MAX_TEXT, MAX_TITLE = 5_000, 200
# The most letters of the names of several lists together, in a heading and in the name of a file.
MAX_HEADING, MAX_NAME = 100, 60


class TooMuch(CannotPrint):
    """The job has more cards than one print may have, or none at all."""

    code = "too_much"


@dataclass(frozen=True)
class Job:
    """A print. ``extra`` are pieces that are no cards of the list.

    ``pictures``: own pictures by (card's code, front or back); the code is empty for the back of all cards.
    On every sheet ``version`` stands behind the title and ``about`` before the settings. ``chosen`` describes
    the cards in the summary. ``codes``: the first for which the margins have room is printed there.
    ``others``: games whose cards are among the extra pieces. ``following``: jobs of other card sizes, on
    sheets of their own and the same paper. ``end_pages``: whole pages at the end, each on paper of its own.
    ``more_remarks``: sentences for the reader. ``code_elsewhere``: a page has the code too. ``titles``: the
    titles of all lists, if there are several. ``unread``: the number of lines of the lists that are missing
    from the print, which stands in the name of every file, because not every file has room for words.
    ``own_words``: cards have own texts.

    Raises BadOption or TooMuch for a job that cannot be printed.
    """

    game: Game
    entries: tuple[tuple[Card, int], ...]
    title: str = ""
    options: Options = USUAL
    extra: tuple[Piece, ...] = ()
    pictures: Mapping[tuple[str, str], PictureRef] = field(default_factory=dict)
    version: str = ""
    about: tuple[str, ...] = ()
    chosen: str = ""
    codes: tuple[Code, ...] = ()
    others: tuple[Game, ...] = ()
    following: "tuple[Job, ...]" = ()
    end_pages: tuple[Drawing, ...] = ()
    more_remarks: tuple[str, ...] = ()
    code_elsewhere: bool = False
    titles: tuple[str, ...] = ()
    unread: int = 0
    own_words: bool = False

    def __post_init__(self) -> None:
        if len(self.title) > MAX_TITLE:
            raise TooMuch(f"a title has at most {MAX_TITLE} letters")
        if not (self.entries or self.extra or self.end_pages) or any(count < 1 for _, count in self.entries):
            raise TooMuch("there is nothing to print: the list has no cards")
        refuse_too_much(sum(len(part.distinct) for part in self.parts), self.cards, self.options.copies)
        for card in self.distinct:
            if (
                len(card.name) + len(card.told) + sum(len(as_words(value)) for value in card.facts.values())
                > MAX_TEXT
            ):
                raise TooMuch(f"“{card.name[:80]}” says more than {MAX_TEXT:,} letters")
        self.layout  # noqa: B018  a card that does not fit the paper is an error now

    @cached_property
    def size(self) -> tuple[int, int]:
        """The trim in micrometres."""
        return size_of(self.game, self.options)

    @cached_property
    def layout(self) -> geometry.Layout:
        return layout_of(self.options, self.size)

    @cached_property
    def distinct(self) -> tuple[Card, ...]:
        """Every card once, in the list's order."""
        return tuple({id(card): card for card, _ in self.entries}.values())

    @property
    def parts(self) -> "tuple[Job, ...]":
        """This job, then the jobs that follow it on sheets of their own."""
        return (self, *self.following)

    @cached_property
    def own_cards(self) -> int:
        """The number of cards and other pieces on this job's own sheets, copies counted."""
        return (
            sum(count for _, count in self.entries) + sum(piece.count for piece in self.extra)
        ) * self.options.copies

    @property
    def own_sheets(self) -> int:
        return sheets_needed(self.layout, self.options, self.own_cards)

    @cached_property
    def cards(self) -> int:
        """The number of cards and other pieces of all parts, copies counted."""
        return sum(part.own_cards for part in self.parts)

    @cached_property
    def kinds(self) -> str:
        """The numbers of cards, stand-ins, components and terms that are printed, copies counted; other
        pieces count as cards.
        """
        kinds = Counter[str]()
        for part in self.parts:
            own = kinds_of(part.game, part.entries, part.options.copies)
            kinds += own
            kinds["card"] += part.own_cards - own.total()
        return entries_in_words(kinds)

    @property
    def sheets(self) -> int:
        """The number of sheets of paper."""
        return sum(part.own_sheets for part in self.parts) + len(self.end_pages)

    @property
    def pages(self) -> int:
        """The number of printed sides."""
        return self.sheets * (2 if self.options.flip and self.options.side == "both" else 1)

    def part_with(self, number: int) -> "tuple[Job, int] | None":
        """The part with this sheet of the print, counted from 1, and the number of sheets before that part;
        None for a sheet behind the cards.
        """
        before = 0
        for part in self.parts:
            if number <= before + part.own_sheets:
                return part, before
            before += part.own_sheets
        return None

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The games whose cards are printed, each once."""
        return tuple({game.slug: game for part in self.parts for game in (part.game, *part.others)}.values())

    @property
    def own_heading(self) -> str:
        """The heading of this part's own sheets."""
        return self.title.strip() or f"{self.game.name} cards"

    @property
    def heading(self) -> str:
        """The heading of the whole print."""
        return wording.together(self.titles, MAX_HEADING) if len(self.titles) > 1 else self.own_heading

    @property
    def filename(self) -> str:
        end = "zip" if self.options.apart or self.options.part else "pdf"
        named = wording.together(self.titles, MAX_NAME) if len(self.titles) > 1 else self.title
        of = self.game.slug if len(self.games) == 1 else "cards"
        lacks = f"-without-{self.unread}-{plural(self.unread, 'line')}" if self.unread else ""
        return f"{of}-{slugify(named)[:MAX_NAME].strip('-') or 'cards'}{lacks}.{end}"

    @property
    def content_type(self) -> str:
        return "application/zip" if self.filename.endswith(".zip") else "application/pdf"

    def summary(self) -> str:
        """``54 cards, 6 sheets, 12 sides, 63.5 × 88.9 mm``, then the pictures that print softly."""
        return ", ".join(filter(None, (self.extent(), in_words(self.soft))))

    def extent(self) -> str:
        """``54 cards, 6 sheets, 12 sides, 63.5 × 88.9 mm``."""
        sides = f", {some(self.pages, 'side')}" if self.pages != self.sheets else ""
        sizes = " and ".join(dict.fromkeys(millimetres(part.size) for part in self.parts))
        chosen = self.chosen or self.kinds
        return f"{chosen}, {some(self.sheets, 'sheet')}{sides}, {sizes}"

    @cached_property
    def used_pictures(self) -> dict[tuple[str, str], PictureRef]:
        """The own pictures of this part that are printed."""
        return places_used(self.pictures, (card.code for card in self.distinct), self.options)

    def face_of(self, card: Card, bleed: int = 0) -> Drawing:
        """The card on its drawn face in the job's style, with its picture in the window if it has one
        there.
        """
        options, ref = self.options, self.used_pictures.get((card.code, "front"))
        return compose(
            card,
            self.game,
            self.size,
            bleed,
            plain=options.style == "saver",
            light=options.style == "light",
            large=options.type == "large",
            ruled=options.ruled,
            art=ref if ref and ref.use == "art" else None,
        )

    @cached_property
    def faces_with_art(self) -> tuple[Drawing, ...]:
        """The faces of this part with a picture in their window."""
        art = {
            code for (code, side), ref in self.used_pictures.items() if side == "front" and ref.use == "art"
        }
        return tuple(self.face_of(card) for card in self.distinct if card.code in art)

    @cached_property
    def every_picture(self) -> tuple[UsedPicture, ...]:
        """The own pictures of all parts, place by place; also those on cards of other games."""
        pictures: list[UsedPicture] = []
        for part in self.parts:
            pictures += on_cards(
                part.used_pictures, {card.code: card.name for card in part.distinct}, part.size
            )
            pictures += on_drawings(part.faces_with_art)
            pictures += on_drawings(drawing for piece in part.extra for drawing in (piece.front, piece.back))
        return tuple(pictures)

    @cached_property
    def soft(self) -> tuple[UsedPicture, ...]:
        """The pictures that print softly."""
        return soft_pictures(self.every_picture)

    def details(self) -> tuple[tuple[str, str], ...]:
        """The summary as pairs of label and value: the sheets, and the reason for their size."""
        layout, options, trim = self.layout, self.options, self.options.trim
        each = f"{'one side' if layout.fold else 'each'}, {layout.columns} × {layout.rows}"
        sides = f", {self.pages:,} sides" if self.pages != self.sheets else ""
        # The number alone where all are cards, as the label says already.
        kinds = self.kinds if "," in self.kinds else re.sub(" cards?$", "", self.kinds)
        reason = trim.source.strip() or "You asked for this size" if trim else ""
        why = f"{reason[:1].upper()}{reason[1:].rstrip('.')}." if trim else self.game.trim_source
        different = sum(len(part.distinct) for part in self.parts)
        return (
            ("Cards", f"{kinds}, {different:,} different" if different else kinds),
            ("Sheets", f"{self.sheets:,} with {layout.per_sheet} on {each}{sides}"),
            ("Paper", f"{options.paper.name}, {layout.lies}" + ", cards on their side" * layout.turned),
            ("Card size", millimetres(self.size) + " (smaller for sleeves)" * options.sleeves),
            ("Why this size", why),
        )

    @property
    def cutter(self) -> str:
        """The cutting template for which the sheets are made; empty if there is none."""
        options, layout, template = self.options, self.layout, cutter_template(self.options.paper, self.size)
        if not template or options.marks not in marks.REGISTRATION_KINDS or not layout.landscape:
            return ""
        as_it_is = replace(options, block=None, left=None, top=None, turn="auto", margin=USUAL.margin)
        fits = (layout.gap_x, layout.gap_y) == (template.gap, template.gap_y)
        fits = fits and layout.block == layout_of(as_it_is, self.size).block
        return f"cutting template {template.name} of silhouette-card-maker" if fits else ""

    @property
    def says_what_it_is(self) -> bool:
        """True if words are wanted in a margin of its own sheets and have room there."""
        return self.options.header and bool(self.margins.furnished[0].above)

    @cached_property
    def margins(self) -> Margins:
        """The margins of its own sheets."""
        return Margins(self.layout, self.options, self.notes())

    def notes(self) -> Notes:
        """The words in the margins of every sheet."""
        games = (self.game, *self.others)
        names = " and ".join(game.name for game in games)
        own = [wording.OWN_WORDS] * self.own_words + [wording.OWN_PICTURES] * bool(self.used_pictures)
        forms = [(wording.sheet_credit(game), *wording.shorter_credits(game)) for game in games]
        longest = max(map(len, forms))
        title, about, credit, *shorter = (
            " · ".join(filter(None, words))
            for words in (
                (self.own_heading, self.version),
                (*self.about, names, millimetres(self.size), *self.options.words(), self.cutter),
                *((*(form[min(step, len(form) - 1)] for form in forms), *own) for step in range(longest)),
            )
        )
        return Notes(title, about, credit, self.codes, tuple(shorter))

    @cached_property
    def key(self) -> str:
        """A hash of everything that decides the file's bytes, for ETags. It changes when the code that draws
        changes.
        """
        game = self.game
        cards = [
            (
                card.name,
                card.type,
                sorted(card.facts.items()),
                card.told,
                wording.credit_line(card, game),
                card.prints[:1],
                count,
            )
            for card, count in self.entries
        ]
        decides = (
            digest_of_drawing(game),
            (game.slug, game.name, game.hue, sorted(game.colours.items()), game.backs),
            [(one.key, one.title) for one in game.facts],
            [(one.slug, one.name, game.face_named(one.slug)) for one in game.types],
            self.heading,
            self.filename,
            self.size,
            self.options,
            cards,
            self.extra,
            sorted(self.used_pictures.items()),
            self.notes(),
            self.summary(),
            self.end_pages,
            [part.key for part in self.following],
        )
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:32]


def kinds_of(game: Game, entries: Iterable[tuple[Card, int]], copies: int = 1) -> Counter[str]:
    """The numbers of copies of cards, stand-ins, components and terms."""
    kinds = Counter[str]()
    for card, count in entries:
        kinds[game.kind_of(card)] += count * copies
    return kinds


def refuse_too_much(distinct: int, cards: int, copies: int) -> None:
    """Raise TooMuch, with advice, for more cards than one job prints. ``cards``: all of them, copies
    counted.
    """
    if distinct > MAX_DIFFERENT:
        raise TooMuch(
            f"one job prints at most {MAX_DIFFERENT} different cards, not {distinct:,}: print sections of the"
            " list by themselves"
        )
    if cards > MAX_CARDS:
        fit = MAX_CARDS // (cards // copies)
        advice = (
            f"{some(fit, 'copy', 'copies')} of everything would fit"
            if fit
            else "print sections of the list by themselves"
        )
        raise TooMuch(f"one job prints at most {MAX_CARDS:,} cards, not {cards:,}: {advice}")


def size_of(game: Game, options: Options) -> tuple[int, int]:
    """The trim of a game's cards with these options, in micrometres."""
    width, height = options.trim.lengths if options.trim else game.trim
    return (width - SLEEVE, height - SLEEVE) if options.sleeves else (width, height)


def layout_of(options: Options, size: tuple[int, int]) -> geometry.Layout:
    """The layout of cards of this size. Raises BadOption for a size that does not fit the paper."""
    try:
        return layout_for(options, size)
    except geometry.DoesNotFit:
        if options.block:
            few = f"as few columns and rows of {millimetres(size)} as fit on {options.paper.name}"
            raise BadOption(NAMED["block"], NAMED["block"].words(options.block), (few,)) from None
        for name, place, middle in (
            ("left", options.left, replace(options, left=None)),
            ("top", options.top, replace(options, top=None)),
        ):
            if place is not None:
                # A layout that is refused in the middle too is at fault itself.
                layout_of(middle, size)
                less = f"auto, or less, so that a card fits on {options.paper.name}"
                raise BadOption(NAMED[name], shown(place), (less,)) from None
        raise BadOption(
            NAMED["trim"], millimetres(size), (f"small enough for {options.paper.name}",)
        ) from None
