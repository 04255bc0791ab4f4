"""``Job``: a print as one value, with its cards, options and layout, before anything is drawn. Plain Python.

``printing/request/assembly.py`` makes jobs from a print request, and ``printing/render`` draws them. A job
checks itself when it is made: one that cannot be printed raises BadOption or TooMuch, each with a sentence
for the reader. Cards keep the list's order, copies of a card side by side.

Whatever changes the bytes of the file must be part of ``Job.key``, because that hash is the file's ETag.
Tests: ``tests/printing/job/test_job.py``.
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
from printing.job.limits import MAX_TEXT, MAX_TITLE, TooMuch, layout_of, refuse_too_much, size_of
from printing.layout import geometry, marks
from printing.layout.imposition import Piece, sheets_needed
from printing.layout.margins import Margins, Notes
from printing.layout.qr_code import Code
from printing.options.sizes import cutter_template, millimetres
from printing.options.values import USUAL, Options

# Characters of the joined titles of several lists, in a heading.
MAX_HEADING = 100
# Characters of the titles in a file name.
MAX_NAME = 60


@dataclass(frozen=True)
class Job:
    """A print, immutable. Making one raises BadOption or TooMuch if it cannot be printed.

    - ``entries``: (card, number of copies) in the list's order, before ``options.copies`` multiplies them.
    - ``extra``: pieces that are printed beside the cards of the list, such as tokens and labels.
    - ``pictures``: own pictures by (card code, "front" or "back"). ("", "back") is the back of all cards.
    - ``version``, ``about``: words on every sheet, after the title and before the settings, such as "version
      7" and "of Leaders".
    - ``chosen``: the phrase for the cards in the summary, if not simply their number.
    - ``codes``: QR codes; the first that fits the margins is printed.
    - ``code_elsewhere``: True if an end page has the QR code, too.
    - ``others``: other games whose cards are among ``extra``.
    - ``following``: jobs with another card size, printed after this one on sheets of their own, same paper.
    - ``end_pages``: whole pages after all cards, each on its own sheet of paper, such as the register.
    - ``more_remarks``: sentences to show with the other remarks on the print.
    - ``titles``: the titles of all lists, if the print has several.
    - ``unread``: how many lines of the lists could not be read and are missing; every file name says it.
    - ``own_words``: True if cards show texts that their owner typed.
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
        has_content = self.entries or self.extra or self.end_pages
        if not has_content or any(count < 1 for _, count in self.entries):
            raise TooMuch("there is nothing to print: the list has no cards")
        refuse_too_much(sum(len(part.distinct) for part in self.parts), self.cards, self.options.copies)
        for card in self.distinct:
            facts = sum(len(as_words(value)) for value in card.facts.values())
            if len(card.name) + len(card.told) + facts > MAX_TEXT:
                raise TooMuch(f"“{card.name[:80]}” says more than {MAX_TEXT:,} letters")
        self.layout  # noqa: B018  computed now, so that a card too large for the paper is refused here

    # -- of this part: its own sheets, without those of the jobs that follow -------------------

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of a cut card, in micrometres."""
        return size_of(self.game, self.options)

    @cached_property
    def layout(self) -> geometry.Layout:
        """The layout of this part's own sheets. Raises BadOption if a card does not fit the paper."""
        return layout_of(self.options, self.size)

    @cached_property
    def distinct(self) -> tuple[Card, ...]:
        """Each card once, in the list's order. Cards are told apart by identity, not by name."""
        return tuple({id(card): card for card, _ in self.entries}.values())

    @cached_property
    def own_cards(self) -> int:
        """The number of cards and other pieces on this job's own sheets, copies counted."""
        pieces = sum(count for _, count in self.entries) + sum(piece.count for piece in self.extra)
        return pieces * self.options.copies

    @property
    def own_sheets(self) -> int:
        """The number of this part's own sheets."""
        return sheets_needed(self.layout, self.options, self.own_cards)

    @property
    def own_heading(self) -> str:
        """The heading of this part's own sheets."""
        return self.title.strip() or f"{self.game.name} cards"

    @property
    def different(self) -> int:
        """The number of different cards, told apart as in ``distinct``, and other pieces of all parts."""
        cards = {id(card) for part in self.parts for card in part.distinct}
        return len(cards) + sum(len(part.extra) for part in self.parts)

    @cached_property
    def used_pictures(self) -> dict[tuple[str, str], PictureRef]:
        """The own pictures that this part prints, by the keys of ``pictures``."""
        return places_used(self.pictures, (card.code for card in self.distinct), self.options)

    def face_of(self, card: Card, bleed: int = 0) -> Drawing:
        """Draw the face of a card in the job's style. ``bleed`` is in micrometres. An own picture is placed
        in the face's window if it is meant as art; one of the whole card is not drawn here.
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
        """The drawn faces of this part that have an own picture in their window."""
        fronts = ((card, self.used_pictures.get((card.code, "front"))) for card in self.distinct)
        return tuple(self.face_of(card) for card, ref in fronts if ref and ref.use == "art")

    @property
    def cutter(self) -> str:
        """The cutting template that fits these sheets, in words; empty if there is none."""
        options, layout = self.options, self.layout
        template = cutter_template(options.paper, self.size)
        if not template or options.marks not in marks.REGISTRATION_KINDS or not layout.landscape:
            return ""
        # Templates expect the block of cards where it lies by default, so a moved or smaller block has none.
        default = replace(options, block=None, left=None, top=None, turn="auto", margin=USUAL.margin)
        same_gaps = (layout.gap_x, layout.gap_y) == (template.gap, template.gap_y)
        if same_gaps and layout.block == layout_of(default, self.size).block:
            return f"cutting template {template.name} of silhouette-card-maker"
        return ""

    @cached_property
    def margins(self) -> Margins:
        """The margins of its own sheets, with everything that is printed in them."""
        return Margins(self.layout, self.options, self.notes())

    @property
    def says_what_it_is(self) -> bool:
        """True if its own sheets have a line of words in a margin: it is wanted, and there is room for it."""
        return self.options.header and bool(self.margins.furnished[0].above)

    def notes(self) -> Notes:
        """The words in the margins of every sheet: title, settings, and credit in ever shorter forms."""
        games = (self.game, *self.others)
        names = " and ".join(game.name for game in games)
        of_owner = [wording.OWN_WORDS] if self.own_words else []
        if self.used_pictures:
            of_owner.append(wording.OWN_PICTURES)
        about = (*self.about, names, millimetres(self.size), *self.options.words(), self.cutter)
        # Each game has credits from long to short. A game with fewer forms repeats its shortest one.
        forms_by_game = [(wording.sheet_credit(game), *wording.shorter_credits(game)) for game in games]
        credits = []
        for step in range(max(map(len, forms_by_game))):
            forms_now = [forms[min(step, len(forms) - 1)] for forms in forms_by_game]
            credits.append(_line_of(*forms_now, *of_owner))
        title_line = _line_of(self.own_heading, self.version)
        return Notes(title_line, _line_of(*about), credits[0], self.codes, tuple(credits[1:]))

    # -- of the whole print: this job and the jobs that follow ---------------------------------

    @property
    def parts(self) -> "tuple[Job, ...]":
        """This job and the jobs that follow it, which have no followers of their own."""
        return (self, *self.following)

    def part_with(self, number: int) -> "tuple[Job, int] | None":
        """Return (part, number of sheets before that part) for sheet ``number`` of the print, counted from 1.
        None if that sheet is an end page.
        """
        before = 0
        for part in self.parts:
            if number <= before + part.own_sheets:
                return part, before
            before += part.own_sheets
        return None

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The games whose cards are printed, without repeats."""
        return tuple({game.slug: game for part in self.parts for game in (part.game, *part.others)}.values())

    @cached_property
    def cards(self) -> int:
        """The number of cards and other pieces of all parts, copies counted."""
        return sum(part.own_cards for part in self.parts)

    @cached_property
    def kinds(self) -> str:
        """``6 cards, 2 unnamed cards, 3 components``: the pieces of all parts by kind, copies counted. Extra
        pieces count as cards.
        """
        kinds = Counter[str]()
        for part in self.parts:
            listed = kinds_of(part.game, part.entries, part.options.copies)
            kinds += listed
            kinds["card"] += part.own_cards - listed.total()
        return entries_in_words(kinds)

    @property
    def sheets(self) -> int:
        """The number of sheets of paper in the whole print."""
        return sum(part.own_sheets for part in self.parts) + len(self.end_pages)

    @property
    def pages(self) -> int:
        """The number of printed sides in the whole print."""
        return self.sheets * (2 if self.options.flip and self.options.side == "both" else 1)

    @property
    def heading(self) -> str:
        """The heading of the whole print."""
        return wording.together(self.titles, MAX_HEADING) if len(self.titles) > 1 else self.own_heading

    @property
    def filename(self) -> str:
        """``spycraft-night-watch.pdf``, or ``spycraft-night-watch-without-2-lines.pdf`` with unread lines."""
        suffix = "zip" if self.options.apart or self.options.part else "pdf"
        title = wording.together(self.titles, MAX_NAME) if len(self.titles) > 1 else self.title
        prefix = self.game.slug if len(self.games) == 1 else "cards"
        without = f"-without-{self.unread}-{plural(self.unread, 'line')}" if self.unread else ""
        return f"{prefix}-{slugify(title)[:MAX_NAME].strip('-') or 'cards'}{without}.{suffix}"

    @property
    def content_type(self) -> str:
        return "application/zip" if self.filename.endswith(".zip") else "application/pdf"

    def summary(self) -> str:
        """The extent, then the own pictures whose resolution is too low to print sharply."""
        return ", ".join(filter(None, (self.extent(), in_words(self.soft))))

    def extent(self) -> str:
        """The numbers of the print: ``54 cards, 6 sheets, 12 sides, 63.5 × 88.9 mm``. Sides only if backs are
        printed behind fronts.
        """
        sides = f", {some(self.pages, 'side')}" if self.pages != self.sheets else ""
        sizes = " and ".join(dict.fromkeys(millimetres(part.size) for part in self.parts))
        chosen = self.chosen or self.kinds
        return f"{chosen}, {some(self.sheets, 'sheet')}{sides}, {sizes}"

    def details(self) -> tuple[tuple[str, str], ...]:
        """The summary as (label, value) pairs: cards, sheets, paper, card size and its reason."""
        layout, options, trim = self.layout, self.options, self.options.trim
        # "6 with 9 on each, 3 × 3"; a folded sheet has its backs beside the fronts.
        each = f"{'one side' if layout.fold else 'each'}, {layout.columns} × {layout.rows}"
        sides = f", {self.pages:,} sides" if self.pages != self.sheets else ""
        # "54 cards" becomes "54", because the label says "Cards". A list of several kinds keeps its words.
        kinds = self.kinds if "," in self.kinds else re.sub(" cards?$", "", self.kinds)
        why = self.game.trim_source
        if trim:
            reason = trim.source.strip() or "You asked for this size"
            why = f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
        with_cards, whole = self.sheets - len(self.end_pages), len(self.end_pages)
        sheets = [f"{with_cards:,} with {layout.per_sheet} on {each}"] if with_cards else []
        sheets += [some(whole, "whole page")] if whole else []
        on_side = ", cards on their side" if layout.turned else ""
        smaller = " (smaller for sleeves)" if options.sleeves else ""
        return (
            ("Cards", f"{kinds}, {self.different:,} different" if self.different else kinds),
            ("Sheets", f"{', and '.join(sheets)}{sides}"),
            ("Paper", f"{options.paper.name}, {layout.lies}{on_side}"),
            ("Card size", f"{millimetres(self.size)}{smaller}"),
            ("Why this size", why),
        )

    @cached_property
    def every_picture(self) -> tuple[UsedPicture, ...]:
        """Each use of an own picture in all parts, including cards of other games among the extra pieces."""
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
        """The pictures whose resolution is too low to print sharply."""
        return soft_pictures(self.every_picture)

    @cached_property
    def key(self) -> str:
        """A hash of everything that decides the file's bytes, for ETags. It also covers the source code that
        draws, so that a new release makes new files.

        A new field of Job must be added if it changes the file. ``version``, ``about``, ``codes``, ``others``
        and ``own_words`` are in ``notes``; ``title`` and ``titles`` in ``heading``; ``unread`` in
        ``filename``; ``chosen`` in ``summary``. ``more_remarks`` and ``code_elsewhere`` change no file.
        """
        game = self.game
        cards = []
        for card, count in self.entries:
            facts, credit = sorted(card.facts.items()), wording.credit_line(card, game)
            cards.append((card.name, card.type, facts, card.told, credit, card.prints[:1], count))
        decides = (
            digest_of_drawing(game),
            (game.slug, game.name, game.hue, sorted(game.colours.items()), game.backs),
            [(fact.key, fact.title) for fact in game.facts],
            [(type_.slug, type_.name, game.face_named(type_.slug)) for type_ in game.types],
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


def _line_of(*words: str) -> str:
    """The words in one line: ``Night Watch · version 7``. Empty ones are left out."""
    return " · ".join(filter(None, words))


def kinds_of(game: Game, entries: Iterable[tuple[Card, int]], copies: int = 1) -> Counter[str]:
    """The number of copies of each kind of entry: ``{"card": 54, "stand-in": 2}``."""
    kinds = Counter[str]()
    for card, count in entries:
        kinds[game.kind_of(card)] += count * copies
    return kinds
