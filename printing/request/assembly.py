"""Build the ``Job`` of a print request: the chosen cards of all its lists, their extras, words and remarks.

``build_job`` is called by pages, API, commands and stored jobs. Cards of one size share sheets, whatever
their game; each further size becomes a job of its own in ``Job.following``. Only what the viewer may see is
printed: own texts, own pictures and secret sections are looked up for ``fields.viewer``.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_of
from cardsdb.box.texts import texts_of, with_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Game, entries_in_words, listed, some
from cardsdb.games.kit.play.worksheet import Worksheet
from decks.core.judging import judge
from decks.formats.deck_link import write_link
from decks.models import DeckRevision
from printing.extras.blank import Stock
from printing.extras.pieces import (
    Label,
    label_pieces,
    marker_pieces,
    notebook_pages,
    reference_pieces,
    score_pieces,
)
from printing.extras.register import Register, register_pages
from printing.extras.tuck_box import TuckBox, about_boxes, box_page
from printing.extras.worksheets import Paper, sheet_pages
from printing.faces import colours, fonts, wording
from printing.faces.compose import type_of_text
from printing.faces.strokes import Drawing
from printing.job.job import MAX_HEADING, MAX_TITLE, Job, kinds_of, layout_of, refuse_too_much, size_of
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.layout.qr_code import Code, code_of
from printing.options.sizes import millimetres
from printing.options.values import Options
from printing.request.lists import PrintList
from printing.request.print_request import PrintFields, PrintRequest
from printing.request.selection import Selection

# Extra pieces by kind: (phrase for one of them, such as "card of markers"; the pieces).
Pieces = tuple[tuple[str, tuple[Piece, ...]], ...]
# (card, copies)
Cards = tuple[tuple[Card, int], ...]
# The code of a refusal because the visitor owns every card. The print page shows it as good news.
NOTHING_LACKS = "nothing_lacks"
# Type size in points. A remark warns of smaller type, which few can read at arm's length.
MIN_POINTS = 6
# Unprintable letters of one text that a remark names; the others are only counted.
MAX_NAMED = 5
# Characters of an address in a QR code. A longer one needs more than 130 modules a side, which few phones can
# read from paper.
MAX_ADDRESS = 1_500


@dataclass(frozen=True)
class _Block:
    """The contents of sheets of one card size, which become one job.

    ``size`` is the trim in micrometres, ``games`` has the cards of each game, ``pieces`` the extra pieces,
    and ``own_words`` is True if a card shows its owner's text.
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
    readable = request.read
    return _Assembly(request.fields, options or readable, chosen or request.selections).job()


class _Assembly:
    """Everything that one job is made of. ``job`` puts it together.

    ``decks``: the lists that are decks. ``registers``, ``worksheets``, ``boxes``, ``games_with_tables``: the
    contents of extras that are printed on pages of their own. ``blocks``: the sheets with cards, one block
    for each card size; empty if only pages are printed.
    """

    def __init__(self, fields: PrintFields, options: Options, chosen: Sequence[Selection]) -> None:
        self.fields, self.options, self.chosen = fields, options, chosen
        self.viewer, self.root = fields.viewer, fields.root.rstrip("/")
        lists = [selection.listed for selection in chosen]
        self.games = {listed.game.slug: listed.game for listed in lists}
        self.decks = [listed for listed in lists if not listed.loose]
        self.registers = self.decks if "register" in options.extras else []
        self.worksheets = [
            Paper(listed.game, worksheet)
            for listed in (lists if "sheets" in options.extras else ())
            for worksheet in _worksheets_of(listed)
            for _ in range(listed.players)
        ]
        self.boxes = [
            (
                deck.game,
                TuckBox(
                    deck.title or f"{deck.game.name} deck",
                    deck.format.name if deck.format else "",
                    deck.deck.size,
                    (options.trim.lengths if options.trim else deck.game.trim),
                    options.thickness,
                    options.sleeves,
                ),
            )
            for deck in (self.decks if "box" in options.extras else ())
            if deck.deck.size
        ]
        self.games_with_tables = [
            game
            for game in self.games.values()
            if "scores" in options.extras and game.print_extras.card_tables
        ]
        self.blocks = [block for block in self._blocks() if block.count]

    def job(self) -> Job:
        """Build the job. Raises Refused."""
        self._refuse_nothing_and_too_much()
        chosen, options, blocks = self.chosen, self.options, self.blocks
        if not blocks:
            # Pages alone have nothing on their backs.
            options = replace(options, backs="none", side="both")
        first_list = chosen[0].listed
        if blocks:
            first_block = blocks[0]
        else:
            size = size_of(first_list.game, options)
            first_block = _Block(size, _title(chosen), ((first_list.game, ()),))
        layout = layout_of(options, first_block.size)
        paper = layout.paper.lengths
        registers = tuple(page for deck in self.registers for page in self._register(deck, paper))
        notebooks = (notebook_pages(game, paper, self._players(game)) for game in self.games_with_tables)
        tables = tuple(self._in_ink(page for pages in notebooks for page in pages))
        worksheets = tuple(self._in_ink(sheet_pages(self.worksheets, paper)))
        # A box that is too large for the paper is None; ``about_boxes`` says so.
        drawn_boxes = [box_page(game, box, paper, light=options.style != "full") for game, box in self.boxes]
        boxes = tuple(self._in_ink(page for page in drawn_boxes if page))
        printed = [selection for selection in chosen if selection.entries]
        about = tuple(dict.fromkeys(printable(words) for selection in printed for words in selection.words))
        # All parts lie the same way, because one printer setting holds for the whole file.
        options_of_others = replace(options, start=1, orientation=layout.lies)
        codes = self._codes(first_list, options.qr) if len(chosen) == 1 else ()
        version = self._version()
        return self._job(
            first_block,
            options,
            version=printable(version),
            about=about,
            chosen=self._summary(about, len(registers), len(tables), len(worksheets), len(boxes)),
            codes=codes,
            following=tuple(self._job(block, options_of_others, about=about) for block in blocks[1:]),
            end_pages=(*registers, *tables, *worksheets, *boxes),
            more_remarks=(
                *self._remarks(),
                *self._unprintable(version),
                *about_boxes(self.boxes, drawn_boxes),
            ),
            code_elsewhere=bool(codes and self.registers),
            titles=_titles(chosen),
            unread=sum(len(selection.listed.unread) for selection in printed),
        )

    def _refuse_nothing_and_too_much(self) -> None:
        """Raise Refused if there is nothing to print, or if there are too many cards."""
        if not (self.blocks or self.games_with_tables or self.registers or self.worksheets or self.boxes):
            owns_all = all(selection.nothing_lacks for selection in self.chosen)
            code = NOTHING_LACKS if owns_all else "nothing_chosen"
            reasons = dict.fromkeys(selection.empty for selection in self.chosen)
            raise Refused(*(Fault(code, reason, "only") for reason in reasons))
        # Checked here for all blocks together, so that the message has the whole number of cards.
        different = {
            (game.slug, id(card)) for block in self.blocks for game, own in block.games for card, _ in own
        }
        copies = self.options.copies
        refuse_too_much(len(different), sum(block.count for block in self.blocks) * copies, copies)

    def _blocks(self) -> Iterator[_Block]:
        """A block for each card size, in the order of the lists; some may be empty."""
        sizes = {slug: size_of(game, self.options) for slug, game in self.games.items()}
        for size in dict.fromkeys(sizes.values()):
            cards, pieces = list[tuple[Game, Cards]](), list[tuple[str, tuple[Piece, ...]]]()
            own_words = False
            for game in (game for slug, game in self.games.items() if sizes[slug] == size):
                of_game = [selection for selection in self.chosen if selection.listed.game.slug == game.slug]
                entries = [entry for selection in of_game for entry in selection.entries]
                printed = self._cards(game, entries)
                # ``_cards`` replaces a card by another object only if it has an own text.
                own_words |= any(
                    card is not entry.card for entry, (card, _) in zip(entries, printed, strict=True)
                )
                # A game without printed cards is left out, so that sheets do not name it.
                cards += [(game, printed)] if printed else []
                pieces += self._pieces(game, of_game, size)
            of_size = [selection for selection in self.chosen if sizes[selection.listed.game.slug] == size]
            games = tuple(cards) or ((of_size[0].listed.game, ()),)
            yield _Block(size, _title(of_size), games, tuple(pieces), own_words)

    def _players(self, game: Game) -> int:
        """The number of players for whom the game's pieces are printed; 0 if no list states one."""
        return max(
            selection.listed.players for selection in self.chosen if selection.listed.game.slug == game.slug
        )

    def _cards(self, game: Game, entries: Sequence[Entry]) -> Cards:
        """The (card, copies) of these entries, in their order, with the viewer's own texts."""
        texts = dict[str, str]()
        if not self.viewer.is_nobody:
            texts |= texts_of(self.viewer, game)
            if own_codes := {entry.card.code for entry in entries if entry.card.own}:
                texts |= texts_of(self.viewer, game, own_codes)
        texts |= self.fields.own.texts if self.fields.own.game == game.slug else {}
        # Each card stays one object, because ``Job.distinct`` and its drawings go by identity.
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
        return {**stored, **(self.fields.own.pictures if self.fields.own.game == game.slug else {})}

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
        return f"version {row.revision}" + (f" “{name}”" if name else "")

    def _summary(self, about: Sequence[str], pages: int, tables: int, sheets: int, boxes: int) -> str:
        """``18 cards changed since “Friday”, 2 cards of markers, 1 register page``. ``about`` are the phrases
        for the choice of cards, the numbers those of pages of each kind.
        """
        kinds, pieces, copies = Counter[str](), Counter[str](), self.options.copies
        for selection in self.chosen:
            kinds += kinds_of(
                selection.listed.game, ((entry.card, entry.count) for entry in selection.entries), copies
            )
        for noun, own in (named for block in self.blocks for named in block.pieces):
            pieces[noun] += sum(piece.count for piece in own) * copies
        parts = [" ".join(filter(None, (entries_in_words(kinds), ", ".join(about))))] if kinds else []
        for noun, count in pieces.items():
            # The plural is of the first word: "2 cards of markers", but "2 reference cards".
            first, of, rest = noun.partition(" of ")
            parts += [some(count, first) + of + rest] if count else []
        parts += [some(pages, "register page")] * bool(pages)
        parts += [some(tables, "page of card tables", "pages of card tables")] * bool(tables)
        parts += [some(boxes, "tuck box", "tuck boxes")] * bool(boxes)
        return ", ".join(parts + [some(sheets, "page of worksheets", "pages of worksheets")] * bool(sheets))

    def _remarks(self) -> Iterator[str]:
        """Remarks on the choice of cards, own texts, extras and QR codes."""
        chosen, options = self.chosen, self.options
        yield from dict.fromkeys(remark for selection in chosen for remark in selection.remarks)
        for selection in chosen:
            if not selection.entries and len(chosen) > 1:
                yield f"“{selection.listed.title}”: {selection.empty}"
        for block in self.blocks[1:]:
            size, other = millimetres(block.size), millimetres(self.blocks[0].size)
            advice = "Choose one card size to print them on the same sheets."
            yield f"{block.title}: cards of {size}, not {other}, begin sheets of their own. {advice}"
        for block in self.blocks if options.style != "outline" else ():
            for game, cards in block.games:
                yield from small_texts(
                    game, (card for card, _ in cards), block.size, large=options.type == "large"
                )
        for game in self.games.values():
            extras = game.print_extras
            if "tokens" in options.extras and not extras.markers:
                yield f"{game.name} needs no tokens that Cutout knows of."
            if "scores" in options.extras and not (extras.scores or extras.card_tables):
                yield f"{game.name} has no score sheet."
        if {"register", "labels", "box"} & set(options.extras) and len(self.decks) < len(chosen):
            yield "Single cards are no deck: they have no register, no label and no box."
        if options.qr != "none":
            if not self.root:
                yield "Without the site's address there is no QR code."
            elif len(chosen) > 1:
                yield (
                    "A QR code leads to one list: with several decks it stands on registers and labels alone."
                )
        if self.root and (options.qr != "none" or "labels" in options.extras):
            yield from filter(None, (selection.listed.about_page for selection in chosen))

    def _unprintable(self, version: str) -> Iterator[str]:
        """Remarks on titles and other words whose letters no font has: ``printable`` replaces those. Cards
        with such letters are not replaced but refused later, by ``refuse_missing``.
        """
        words = [word for selection in self.chosen for word in (selection.listed.title, *selection.words)]
        cards = [
            entry.card.name for selection in self.chosen for entry in selection.listed.deck if self.registers
        ]
        for text in dict.fromkeys((*words, version, *cards)):
            missing = fonts.lacking(text)
            names = (f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip() for letter in missing)
            if missing:
                named = listed(tuple(names), MAX_NAMED)
                yield f"“{text}”: no font has {named}; {fonts.STAND_IN} is printed instead."

    # -- extras -----------------------------------------------------------------------

    def _pieces(
        self, game: Game, lists: Sequence[Selection], size: tuple[int, int]
    ) -> Iterator[tuple[str, tuple[Piece, ...]]]:
        """The extra pieces that the options ask for, for ``lists``, the selections of one game. Yield (phrase
        for one piece, pieces) for each kind.
        """
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
            cards = {
                (entry.card.code, entry.card.name): entry.card
                for selection in lists
                for entry in selection.listed.deck
            }
            two_sided = options.backs != "none"
            yield (
                "reference card",
                reference_pieces(game, tuple(cards.values()), stock, players, two_sided=two_sided),
            )
        for deck in self.decks if "labels" in options.extras else ():
            if deck.game.slug == game.slug:
                yield "card of labels", label_pieces(game, self._label(deck), stock)

    def _codes(self, listed: PrintList, wanted: str) -> tuple[Code, ...]:
        """QR codes for a list: with the whole list in its address (if ``wanted`` is "list", or the list has
        no page), then with the address of its page. Addresses too long to be scanned are left out.
        """
        if wanted == "none" or not self.root:
            return ()
        page, whole = self.root + listed.page if listed.page else "", ""
        # The code of a whole list takes long to make, so it is made only if needed.
        if wanted == "list" or not page:
            # Strangers may find the paper, so the code has no cards that are hidden from them.
            deck = listed.row.decklist_to_share(listed.game) if listed.row else listed.deck
            format = listed.format or listed.game.likely_format(deck)
            link = write_link(listed.game, deck, format, listed.row.house if listed.row else "")
            whole = f"{self.root}{reverse('open_link')}#{link}"
        addresses = [address for address in (whole, page) if 0 < len(address) <= MAX_ADDRESS]
        return tuple(code for address in addresses if (code := code_of(address)))

    def _label(self, listed: PrintList) -> Label:
        """The label of a deck. It has a QR code even if the sheets have none."""
        codes = self._codes(listed, "page" if self.options.qr == "none" else self.options.qr)
        return Label(
            listed.title or f"{listed.game.name} deck",
            listed.format.name if listed.format else "",
            ", ".join((some(listed.deck.size, "card"), *listed.version)),
            codes[0] if codes else None,
            self.options.style == "saver",
        )

    def _register(self, listed: PrintList, paper: tuple[int, int]) -> tuple[Drawing, ...]:
        """The pages of a deck's register: all its cards that the viewer may see, even if only some of them
        are printed, with its verdict.
        """
        saving, row, game, deck = self.options.style == "saver", listed.row, listed.game, listed.deck
        format = listed.format or game.likely_format(deck)
        judged = row.judged_for(self.viewer, game) if row else judge(game, deck, format)
        findings = tuple(
            f"{view.severity_words}: {view.message} ({view.violation.code})"
            for view in judged.violation_views()
        )
        labels = {detail.key: detail.label for detail in judged.format.details}
        details = (
            f"{labels.get(key, key.replace('_', ' '))}: {value}" for key, value in deck.details.items()
        )
        is_hidden = (
            row and not row.shows_secrets_to(self.viewer) and any(part.secret for part in game.sections)
        )
        register = Register(
            game,
            listed.title or f"{game.name} deck",
            (game.name, format.name, *listed.version, *filter(None, (listed.without,)), *details),
            tuple(
                (section.name, tuple((entry.card, entry.count) for entry in entries))
                for section in game.sections
                if (entries := deck.in_section(section.slug))
            ),
            f"{format.name}: {judged.verdict_words}.",
            findings,
            "What is secret is not listed." if is_hidden else "",
            self._codes(listed, "page" if saving else "list"),
            saving,
        )
        return tuple(self._in_ink(register_pages(register, paper)))

    def _in_ink(self, pages: Iterable[Drawing]) -> Iterable[Drawing]:
        """The pages in the style and ink of the sheets."""
        pages = map(colours.saver, pages) if self.options.style == "saver" else pages
        return map(colours.grey, pages) if self.options.ink == "grey" else pages


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


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The type size of the card's text in points, to a tenth; 0 if the card has no room for a text."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(
    game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False
) -> Iterator[str]:
    """A sentence for each card with an own text that is set too small to be read easily."""
    for card in {card.code: card for card in cards if not card.written}.values():
        original = game.card(card.code)
        if not original or card.text == original.text:
            continue
        points = points_of(card, game, trim, large=large)
        if 0 < points < MIN_POINTS:
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."


def printable(title: str) -> str:
    """The title with a stand-in for each letter that no font has, so that a deck can be printed whatever its
    name. ``_unprintable`` reports those letters.
    """
    return fonts.with_stand_ins(title)[:MAX_TITLE]
