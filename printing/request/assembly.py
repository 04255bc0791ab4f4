"""Build the ``Job`` of a print request: the chosen cards of all its lists, their extras, words and remarks.

Pages, API, commands and stored jobs call ``build_job``; ``deck_papers.py`` and ``printing/extras`` make the
extras. Cards of one size share sheets, whatever their game; each size is a ``_Block``. Three Kai of Spycraft
and one Hitman of SpyNet have two sizes::

    selections      [Spycraft: 3 Kai]   [SpyNet: 1 Hitman]
    blocks          63 × 88 mm: 3 Kai    63.5 × 88.9 mm: 1 Hitman
    Job(spycraft, 3 Kai, following=(Job(spynet, 1 Hitman),), end_pages=(...))

Only what the viewer may see may be printed: own texts, own pictures and secret sections are looked up for
``fields.viewer``. Tests: ``tests/printing/request/test_assembly.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_of
from cardsdb.box.texts import texts_of, with_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Game, entries_in_words, some
from cardsdb.games.kit.play.worksheet import Worksheet
from decks.models import DeckRevision
from printing.extras.blank import Stock
from printing.extras.charts import notebook_pages, score_pieces
from printing.extras.pieces import label_pieces, marker_pieces, reference_pieces
from printing.extras.register import register_pages
from printing.extras.tuck_box import about_boxes, box_page
from printing.extras.worksheets import Paper, sheet_pages
from printing.faces import colours, wording
from printing.faces.strokes import Drawing
from printing.job.job import MAX_HEADING, Job, kinds_of
from printing.job.limits import layout_of, refuse_too_much, size_of
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import millimetres
from printing.options.values import Options
from printing.request.deck_papers import DeckPapers
from printing.request.lists import PrintList
from printing.request.print_request import PrintFields, PrintRequest
from printing.request.printed_texts import printable, small_texts, unprintable
from printing.request.selection import Selection
from printing.request.settings import about_other_paper

# Extra pieces by kind: ("card of markers", the pieces of that kind), ("score card", ...).
Pieces = tuple[tuple[str, tuple[Piece, ...]], ...]
# (card, copies) of one game, in the order of printing.
Cards = tuple[tuple[Card, int], ...]
# The code of a refusal because the visitor owns every card. The print page shows it as good news.
NOTHING_LACKS = "nothing_lacks"


@dataclass(frozen=True)
class _Block:
    """The contents of sheets of one card size, which become one job.

    - size: the trim in micrometres;
    - games: the cards of each game; the job is of the first game;
    - pieces: the extra pieces of all these games;
    - own_words: True if a card shows its owner's text.
    """

    size: tuple[int, int]
    title: str
    games: tuple[tuple[Game, Cards], ...]
    pieces: Pieces = ()
    own_words: bool = False

    @property
    def count(self) -> int:
        """The number of cards and pieces."""
        cards = sum(count for _, cards in self.games for _, count in cards)
        return cards + sum(piece.count for _, pieces in self.pieces for piece in pieces)


def build_job(
    request: PrintRequest, options: Options | None = None, chosen: Sequence[Selection] | None = None
) -> Job:
    """Build the job of a request. ``options`` and ``chosen``, if given, replace the request's own.

    Raises Refused if the request could not be read, if it leaves nothing to print, or if the print is
    impossible.
    """
    # ``read`` raises the refusal of a request that could not be read, even if ``options`` are given.
    readable = request.read
    return _Assembly(request.fields, options or readable, chosen or request.selections).job()


class _EndPages(NamedTuple):
    """The whole pages after all cards, in this order."""

    registers: tuple[Drawing, ...]
    tables: tuple[Drawing, ...]
    worksheets: tuple[Drawing, ...]
    boxes: tuple[Drawing, ...]


class _Assembly:
    """Everything that one job is made of, for one use: ``job`` puts it together.

    ``decks``: the lists that are decks; ``registers``, ``worksheets``, ``boxes``, ``games_with_tables``: the
    contents of pages of their own, empty if the option ``extras`` does not ask for them.
    """

    def __init__(self, fields: PrintFields, options: Options, chosen: Sequence[Selection]) -> None:
        self.fields, self.options, self.chosen = fields, options, chosen
        self.viewer = fields.viewer
        self.papers = DeckPapers(options, fields.viewer, fields.root.rstrip("/"))
        lists = [selection.listed for selection in chosen]
        self.games = {listed.game.slug: listed.game for listed in lists}
        self.decks = [listed for listed in lists if not listed.loose]
        self.registers = self.decks if "register" in options.extras else []
        self.worksheets = list[Paper]()
        for listed in lists if "sheets" in options.extras else []:
            for worksheet in _worksheets_of(listed):
                self.worksheets += [Paper(listed.game, worksheet) for _ in range(listed.players)]
        boxed = self.decks if "box" in options.extras else []
        self.boxes = [(deck.game, self.papers.box(deck)) for deck in boxed if deck.deck.size]
        self.games_with_tables = [
            game
            for game in self.games.values()
            if "scores" in options.extras and game.print_extras.card_tables
        ]

    def job(self) -> Job:
        """Build the job. Raises Refused."""
        self._refuse_nothing()
        self._refuse_too_much()
        chosen, options, blocks = self.chosen, self.options, self.blocks
        first_list = chosen[0].listed
        if blocks:
            first_block = blocks[0]
        else:
            # Pages alone have nothing on their backs.
            options = replace(options, backs="none", side="both")
            size = size_of(first_list.game, options)
            first_block = _Block(size, _title(chosen), ((first_list.game, ()),))
        layout = layout_of(options, first_block.size)
        paper = layout.paper.lengths
        # A box that is too large for the paper is None; ``about_boxes`` says so.
        drawn_boxes = [box_page(game, box, paper, light=options.style != "full") for game, box in self.boxes]
        end_pages = self._end_pages(paper, (page for page in drawn_boxes if page))
        printed = [selection for selection in chosen if selection.entries]
        # The phrases for the choice of cards, each once.
        about = tuple(dict.fromkeys(printable(words) for selection in printed for words in selection.words))
        # All parts lie the same way, because one printer setting holds for the whole file. ``start``, the
        # first free slot, is one of the first sheet.
        options_of_others = replace(options, start=1, orientation=layout.lies)
        # With several lists, a code would lead to one of them only.
        codes = self.papers.codes(first_list, options.qr) if len(chosen) == 1 else ()
        version = self._version()
        return self._job(
            first_block,
            options,
            version=printable(version),
            about=about,
            chosen=self._summary(about, end_pages),
            codes=codes,
            following=tuple(self._job(block, options_of_others, about=about) for block in blocks[1:]),
            end_pages=tuple(chain(*end_pages)),
            more_remarks=(
                *self._remarks(),
                *unprintable(self._texts(version)),
                *about_boxes(self.boxes, drawn_boxes),
            ),
            code_elsewhere=bool(codes and self.registers),
            titles=_titles(chosen),
            unread=sum(len(selection.listed.unread) for selection in printed),
        )

    def _refuse_nothing(self) -> None:
        """Raise Refused if there is nothing to print: neither cards nor pages."""
        if self.blocks or self.games_with_tables or self.registers or self.worksheets or self.boxes:
            return
        owns_all = all(selection.nothing_lacks for selection in self.chosen)
        code = NOTHING_LACKS if owns_all else "nothing_chosen"
        reasons = dict.fromkeys(selection.empty for selection in self.chosen)
        raise Refused(*(Fault(code, reason, "only") for reason in reasons))

    def _refuse_too_much(self) -> None:
        """Raise Refused if all blocks together have too many cards. Each Job checks itself too, but would
        name the number of its own part only.
        """
        copies = self.options.copies
        different = {id(card) for block in self.blocks for _, cards in block.games for card, _ in cards}
        refuse_too_much(len(different), sum(block.count for block in self.blocks) * copies, copies)

    # -- cards ------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> list[_Block]:
        """The sheets with cards, a block for each card size in the order of the lists; empty if only pages
        are printed.
        """
        by_size: dict[tuple[int, int], list[Game]] = {}
        for game in self.games.values():
            by_size.setdefault(size_of(game, self.options), []).append(game)
        blocks = [self._block(size, games) for size, games in by_size.items()]
        return [block for block in blocks if block.count]

    def _block(self, size: tuple[int, int], games: Sequence[Game]) -> _Block:
        """The cards and extra pieces of games whose cards have this size."""
        cards = list[tuple[Game, Cards]]()
        pieces = list[tuple[str, tuple[Piece, ...]]]()
        own_words = False
        for game in games:
            entries = [entry for selection in self._of(game) for entry in selection.entries]
            printed = self._cards(game, entries)
            # A card with an own text is another object than the one in the list (``with_text``).
            unchanged = {id(entry.card) for entry in entries}
            own_words = own_words or any(id(card) not in unchanged for card, _ in printed)
            # A game without printed cards is left out, so that sheets do not name it.
            if printed:
                cards.append((game, printed))
            pieces += self._pieces(game, size)
        slugs = {game.slug for game in games}
        title = _title(selection for selection in self.chosen if selection.listed.game.slug in slugs)
        # Sheets with extra pieces alone still need a game.
        return _Block(size, title, tuple(cards) or ((games[0], ()),), tuple(pieces), own_words)

    def _of(self, game: Game) -> list[Selection]:
        """The selections of lists of this game."""
        return [selection for selection in self.chosen if selection.listed.game.slug == game.slug]

    def _players(self, game: Game) -> int:
        """The number of players for whom the game's pieces are printed; 0 if no list states one."""
        return max(selection.listed.players for selection in self._of(game))

    def _cards(self, game: Game, entries: Sequence[Entry]) -> Cards:
        """The (card, copies) of these entries, in their order, with the viewer's own texts."""
        texts = dict[str, str]()
        if not self.viewer.is_nobody:
            texts |= texts_of(self.viewer, game)
            if own_codes := {entry.card.code for entry in entries if entry.card.own}:
                texts |= texts_of(self.viewer, game, own_codes)
        # Texts that came with the request go before stored ones.
        if self.fields.own.game == game.slug:
            texts |= self.fields.own.texts
        # ``Job.distinct`` and its drawings go by identity, so a card gets its text once, not in each entry.
        cards = {id(entry.card): entry.card for entry in entries}
        with_texts = {key: with_text(card, texts) for key, card in cards.items()}
        return tuple((with_texts[id(entry.card)], entry.count) for entry in entries)

    def _job(self, block: _Block, options: Options, **more: Any) -> Job:
        """The job of a block. A Job has one game, that of the block's first cards; cards of other games
        become extra pieces.
        """
        (game, cards), *others = block.games
        pieces: tuple[Piece, ...] = ()
        for other, other_cards in others:
            # One copy each, because the job multiplies its extra pieces by ``copies`` itself.
            single = replace(options, copies=1)
            pieces += pieces_of(Job(other, other_cards, block.title, single, pictures=self._pictures(other)))
        return Job(
            game,
            cards,
            title=block.title,
            options=options,
            extra=(*pieces, *(piece for _, own in block.pieces for piece in own)),
            pictures=self._pictures(game),
            others=tuple(other for other, _ in others),
            own_words=block.own_words,
            **more,
        )

    def _pictures(self, game: Game) -> Mapping[tuple[str, str], PictureRef]:
        """The viewer's pictures of a game, and over them those that came with the request."""
        stored = {} if self.viewer.is_nobody else pictures_of(self.viewer, game)
        return {**stored, **self.fields.own.pictures} if self.fields.own.game == game.slug else stored

    # -- words ------------------------------------------------------------------------

    def _version(self) -> str:
        """``version 7``, or for its author ``version 7 “Friday”``. Empty for several lists, and for a list
        that has no history: its revision is 0.
        """
        row = self.chosen[0].listed.row
        if row is None or len(self.chosen) > 1 or not row.revision:
            return ""
        named = DeckRevision.objects.of(row.pk).filter(number=row.revision).values_list("name", flat=True)
        name = named.first() if row.is_editable_by(self.viewer) else ""
        return f"version {row.revision} “{name}”" if name else f"version {row.revision}"

    def _summary(self, about: Sequence[str], pages: _EndPages) -> str:
        """``18 cards changed since “Friday”, 2 cards of markers, 1 register page``. ``about`` are the phrases
        for the choice of cards.
        """
        # Kind of card -> copies, and phrase for an extra -> its number.
        kinds, pieces, copies = Counter[str](), Counter[str](), self.options.copies
        for selection in self.chosen:
            counted = ((entry.card, entry.count) for entry in selection.entries)
            kinds += kinds_of(selection.listed.game, counted, copies)
        for block in self.blocks:
            for noun, own in block.pieces:
                pieces[noun] += sum(piece.count for piece in own) * copies
        pieces["register page"] = len(pages.registers)
        pieces["page of card tables"] = len(pages.tables)
        pieces["tuck box"] = len(pages.boxes)
        pieces["page of worksheets"] = len(pages.worksheets)
        parts = []
        if kinds:
            parts.append(f"{entries_in_words(kinds)} {', '.join(about)}".rstrip())
        for noun, count in pieces.items():
            if count:
                # The plural is of the first word: "2 cards of markers", but "2 reference cards".
                first, of, rest = noun.partition(" of ")
                parts.append(some(count, first) + of + rest)
        return ", ".join(parts)

    def _texts(self, version: str) -> Iterator[str]:
        """The words besides cards that ``printable`` may have changed, and the names in registers. A card
        with such letters is refused later, by ``refuse_missing``.
        """
        for selection in self.chosen:
            yield selection.listed.title
            yield from selection.words
        yield version
        if self.registers:
            yield from (entry.card.name for selection in self.chosen for entry in selection.listed.deck)

    def _remarks(self) -> Iterator[str]:
        """Remarks on the choice of cards, own texts, extras, the printer and QR codes."""
        chosen, options = self.chosen, self.options
        yield from dict.fromkeys(remark for selection in chosen for remark in selection.remarks)
        for selection in chosen:
            # An evening has no cards of its own.
            if not selection.entries and not selection.listed.players and len(chosen) > 1:
                yield f"“{selection.listed.title}”: {selection.empty}"
        for block in self.blocks[1:]:
            size, other = millimetres(block.size), millimetres(self.blocks[0].size)
            advice = "Choose one card size to print them on the same sheets."
            yield f"{block.title}: cards of {size}, not {other}, begin sheets of their own. {advice}"
        # Outlines have no texts that could be too small.
        for block in self.blocks if options.style != "outline" else ():
            for game, cards in block.games:
                large = options.type == "large"
                yield from small_texts(game, (card for card, _ in cards), block.size, large=large)
        for game in self.games.values():
            extras = game.print_extras
            if "tokens" in options.extras and not extras.markers:
                yield f"{game.name} needs no tokens that Cutout knows of."
            if "scores" in options.extras and not (extras.scores or extras.card_tables):
                yield f"{game.name} has no score sheet."
        if any((*options.shift, *options.front_shift)):
            yield from about_other_paper(self.fields.printers, options)
        if {"register", "labels", "box"} & set(options.extras) and len(self.decks) < len(chosen):
            yield "Single cards are no deck: they have no register, no label and no box."
        if options.qr != "none":
            if not self.papers.root:
                yield "Without the site's address there is no QR code."
            elif len(chosen) > 1:
                one = "A QR code leads to one list"
                yield f"{one}: with several decks it stands on registers and labels alone."
        if self.papers.root and (options.qr != "none" or "labels" in options.extras):
            yield from filter(None, (selection.listed.privacy_warning for selection in chosen))

    # -- extras -----------------------------------------------------------------------

    def _pieces(self, game: Game, size: tuple[int, int]) -> Iterator[tuple[str, tuple[Piece, ...]]]:
        """The extra pieces of one game that the options ask for: (phrase for one piece, pieces) by kind."""
        # Pieces have the size, bleed and style of the cards on the same sheets.
        options = self.options
        stock = Stock(size, options.bled, options.type == "large", options.style)
        players = self._players(game)
        if "tokens" in options.extras:
            yield "card of markers", marker_pieces(game, stock, players)
        if "scores" in options.extras:
            yield "score card", score_pieces(game, stock, players)
        if "reference" in options.extras:
            # Terms of the whole deck are explained, even if only a few new cards of it are printed.
            entries = [entry for selection in self._of(game) for entry in selection.listed.deck]
            cards = {(entry.card.code, entry.card.name): entry.card for entry in entries}
            two_sided = options.backs != "none"
            of_deck = tuple(cards.values())
            yield "reference card", reference_pieces(game, of_deck, stock, players, two_sided=two_sided)
        if "labels" in options.extras:
            for deck in self.decks:
                if deck.game.slug == game.slug:
                    yield "card of labels", label_pieces(game, self.papers.label(deck), stock)

    def _end_pages(self, paper: tuple[int, int], boxes: Iterable[Drawing]) -> _EndPages:
        """The pages besides cards, for this (width, height) of paper in micrometres. ``boxes``: the drawn
        tuck boxes.
        """
        registers = (register_pages(self.papers.register(deck), paper) for deck in self.registers)
        notebooks = (notebook_pages(game, paper, self._players(game)) for game in self.games_with_tables)
        return _EndPages(
            self._in_ink(chain.from_iterable(registers)),
            self._in_ink(chain.from_iterable(notebooks)),
            self._in_ink(sheet_pages(self.worksheets, paper)),
            self._in_ink(boxes),
        )

    def _in_ink(self, pages: Iterable[Drawing]) -> tuple[Drawing, ...]:
        """The pages in the style and ink of the sheets."""
        pages = map(colours.saver, pages) if self.papers.saving else pages
        return tuple(map(colours.grey, pages) if self.options.ink == "grey" else pages)


def _worksheets_of(listed: PrintList) -> Iterator[Worksheet]:
    """The worksheets of which each player of an evening needs one; none for other lists."""
    guide = listed.game.set_up_guide if listed.players else None
    return (sheet for sheet in listed.game.worksheets if guide and sheet.slug in guide.evening.sheets)


def _title(chosen: Iterable[Selection]) -> str:
    """The titles of the lists, joined and shortened: ``One + Other``."""
    titles = _titles(chosen)
    return wording.together(titles, MAX_HEADING) if len(titles) > 1 else "".join(titles)


def _titles(chosen: Iterable[Selection]) -> tuple[str, ...]:
    """The titles of the lists as they can be printed, without repeats and empty ones."""
    return tuple(filter(None, dict.fromkeys(printable(selection.listed.title) for selection in chosen)))
