"""One job of the cards that are chosen from one list or several, with their extras."""

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
from printing.extras.charts import Stock
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

Pieces = tuple[tuple[str, tuple[Piece, ...]], ...]
Cards = tuple[tuple[Card, int], ...]
# The code of a refusal because the visitor owns every card. The print page shows it as good news.
NOTHING_LACKS = "nothing_lacks"
# Points. The print page warns of smaller type, which few read at arm's length.
MIN_POINTS = 6
# Letters of one title that are named.
MAX_NAMED = 5
# A longer address makes a code of more than 130 modules, which few phones read off paper.
MAX_ADDRESS = 1_500


@dataclass(frozen=True)
class _Block:
    """The contents of the same sheets: cards of one size, by game, and pieces beside them, by their words.

    ``own_words``: a card has an own text.
    """

    size: tuple[int, int]
    title: str
    games: tuple[tuple[Game, Cards], ...]
    pieces: Pieces = ()
    own_words: bool = False

    @property
    def count(self) -> int:
        cards = sum(count for _, cards in self.games for _, count in cards)
        return cards + sum(piece.count for _, pieces in self.pieces for piece in pieces)


def build_job(
    request: PrintRequest, options: Options | None = None, chosen: Sequence[Selection] | None = None
) -> Job:
    """The print of the chosen cards of a request. ``options`` and ``selections`` stand in place of the
    request's own where they are given.

    Raises Refused for a request that could not be read, for one that leaves nothing to print, and for a print
    that is impossible.
    """
    readable = request.read
    return _Assembly(request.fields, options or readable, chosen or request.selections).job()


class _Assembly:
    """The parts of one job: the chosen cards, the options, and the viewer. ``registers`` are the lists that
    get a register.
    """

    def __init__(self, fields: PrintFields, options: Options, chosen: Sequence[Selection]) -> None:
        self.fields, self.options, self.chosen = fields, options, chosen
        self.viewer, self.root = fields.viewer, fields.root.rstrip("/")
        self.games = {one.listed.game.slug: one.listed.game for one in chosen}
        self.decks = [one.listed for one in chosen if not one.listed.loose]
        self.registers = self.decks if "register" in options.extras else []
        self.sheets = (
            [
                Paper(one.listed.game, sheet)
                for one in chosen
                for sheet in _sheets_of(one.listed)
                for _ in range(one.listed.players)
            ]
            if "sheets" in options.extras
            else []
        )
        self.boxes = [
            (
                one.game,
                TuckBox(
                    one.title or f"{one.game.name} deck",
                    one.format.name if one.format else "",
                    one.deck.size,
                    (options.trim.lengths if options.trim else one.game.trim),
                    options.thickness,
                    options.sleeves,
                ),
            )
            for one in (self.decks if "box" in options.extras else ())
            if one.deck.size
        ]
        self.blocks = [block for block in self._blocks() if block.count]

    def job(self) -> Job:
        """The print. Raises Refused."""
        chosen, options, blocks = self.chosen, self.options, self.blocks
        tables = [
            game
            for game in self.games.values()
            if "scores" in options.extras and game.print_extras.card_tables
        ]
        if not (blocks or tables or self.registers or self.sheets or self.boxes):
            code = NOTHING_LACKS if all(one.nothing_lacks for one in chosen) else "nothing_chosen"
            sentences = dict.fromkeys(one.empty for one in chosen)
            raise Refused(*(Fault(code, sentence, "only") for sentence in sentences))
        # Counted over all blocks before any of them becomes a job, so that the message has the number of all.
        cards = {(game.slug, id(card)) for block in blocks for game, own in block.games for card, _ in own}
        refuse_too_much(len(cards), sum(block.count for block in blocks) * options.copies, options.copies)
        if not blocks:
            # Pages alone have nothing on their backs.
            options = replace(options, backs="none", side="both")
        first = chosen[0].listed
        own = (
            blocks[0] if blocks else _Block(size_of(first.game, options), _title(chosen), ((first.game, ()),))
        )
        layout = layout_of(options, own.size)
        pages = tuple(page for one in self.registers for page in self._register(one, layout.paper.lengths))
        sheets = tuple(self._in_ink(sheet_pages(self.sheets, layout.paper.lengths)))
        ticked = tuple(
            self._in_ink(
                page
                for game in tables
                for page in notebook_pages(game, layout.paper.lengths, self._players(game))
            )
        )
        light = options.style != "full"
        drawn = [box_page(game, box, layout.paper.lengths, light=light) for game, box in self.boxes]
        made = tuple(self._in_ink(page for page in drawn if page))
        printed = [one for one in chosen if one.entries]
        about = tuple(dict.fromkeys(printable(word) for one in printed for word in one.words))
        lies = replace(options, start=1, orientation=layout.lies)
        codes = self._codes(first, options.qr) if len(chosen) == 1 else ()
        version = self._version()
        return self._job(
            own,
            options,
            version=printable(version),
            about=about,
            chosen=self._summary(about, len(pages), len(ticked), len(sheets), len(made)),
            codes=codes,
            following=tuple(self._job(block, lies, about=about) for block in blocks[1:]),
            end_pages=(*pages, *ticked, *sheets, *made),
            more_remarks=(*self._remarks(), *self._unprintable(version), *about_boxes(self.boxes, drawn)),
            code_elsewhere=bool(codes and self.registers),
            titles=_titles(chosen),
            unread=sum(len(one.listed.unread) for one in printed),
        )

    def _blocks(self) -> Iterator[_Block]:
        sizes = {slug: size_of(game, self.options) for slug, game in self.games.items()}
        for size in dict.fromkeys(sizes.values()):
            cards, pieces, own_words = (
                list[tuple[Game, Cards]](),
                list[tuple[str, tuple[Piece, ...]]](),
                False,
            )
            for game in (game for slug, game in self.games.items() if sizes[slug] == size):
                lists = [one for one in self.chosen if one.listed.game.slug == game.slug]
                entries = [entry for one in lists for entry in one.entries]
                printed = self._cards(game, entries)
                own_words |= any(
                    card is not entry.card for entry, (card, _) in zip(entries, printed, strict=True)
                )
                # Sheets do not name a game that prints nothing on them.
                cards += [(game, printed)] if printed else []
                pieces += self._pieces(game, lists, size)
            here = [one for one in self.chosen if sizes[one.listed.game.slug] == size]
            games = tuple(cards) or ((here[0].listed.game, ()),)
            yield _Block(size, _title(here), games, tuple(pieces), own_words)

    def _players(self, game: Game) -> int:
        """The number of players for whom the game's pieces are printed; 0 if none is stated."""
        return max(one.listed.players for one in self.chosen if one.listed.game.slug == game.slug)

    def _cards(self, game: Game, entries: Sequence[Entry]) -> Cards:
        """The cards of these entries one after the other, with their owner's texts. Own cards are among them
        if the viewer may see them.
        """
        texts = dict[str, str]()
        if not self.viewer.is_nobody:
            texts |= texts_of(self.viewer, game)
            if made := {entry.card.code for entry in entries if entry.card.own}:
                texts |= texts_of(self.viewer, game, made)
        texts |= self.fields.own.texts if self.fields.own.game == game.slug else {}
        # One object for each card: cards that are the same object are one drawing.
        cards = {id(entry.card): entry.card for entry in entries}
        known = {key: with_text(card, texts) for key, card in cards.items()}
        return tuple((known[id(entry.card)], entry.count) for entry in entries)

    def _job(self, block: _Block, options: Options, **more: Any) -> Job:
        """A block as a job. The cards of its first game are the job's own, cards of other games are extra
        pieces; it names all its games.
        """
        (game, cards), *others = block.games
        pieces: tuple[Piece, ...] = ()
        for other, theirs in others:
            single = replace(options, copies=1)
            pieces += pieces_of(Job(other, theirs, block.title, single, pictures=self._pictures(other)))
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
        stored = {} if self.viewer.is_nobody else pictures_of(self.viewer, game)
        return {**stored, **(self.fields.own.pictures if self.fields.own.game == game.slug else {})}

    # -- words ------------------------------------------------------------------------

    def _version(self) -> str:
        """``version 7``, and for its author the version's name; empty for a deck without a history, which is
        at number 0.
        """
        row = self.chosen[0].listed.row
        if row is None or len(self.chosen) > 1 or not row.revision:
            return ""
        named = DeckRevision.objects.of(row.pk).filter(number=row.revision).values_list("name", flat=True)
        name = named.first() if row.is_editable_by(self.viewer) else ""
        return f"version {row.revision}" + (f" “{name}”" if name else "")

    def _summary(self, about: Sequence[str], pages: int, tables: int, sheets: int, boxes: int) -> str:
        """``18 cards changed since “Friday”, 2 cards of markers, 1 register page``."""
        kinds, pieces, copies = Counter[str](), Counter[str](), self.options.copies
        for one in self.chosen:
            kinds += kinds_of(one.listed.game, ((card.card, card.count) for card in one.entries), copies)
        for noun, own in (named for block in self.blocks for named in block.pieces):
            pieces[noun] += sum(piece.count for piece in own) * copies
        parts = [" ".join(filter(None, (entries_in_words(kinds), ", ".join(about))))] if kinds else []
        for noun, count in pieces.items():
            first, of, rest = noun.partition(" of ")
            parts += [some(count, first) + of + rest] if count else []
        parts += [some(pages, "register page")] * bool(pages)
        parts += [some(tables, "page of card tables", "pages of card tables")] * bool(tables)
        parts += [some(boxes, "tuck box", "tuck boxes")] * bool(boxes)
        return ", ".join(parts + [some(sheets, "page of worksheets", "pages of worksheets")] * bool(sheets))

    def _remarks(self) -> Iterator[str]:
        chosen, options = self.chosen, self.options
        yield from dict.fromkeys(remark for one in chosen for remark in one.remarks)
        for one in chosen:
            if not one.entries and len(chosen) > 1:
                yield f"“{one.listed.title}”: {one.empty}"
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
            yield from filter(None, (one.listed.about_page for one in chosen))

    def _unprintable(self, version: str) -> Iterator[str]:
        """Remarks on words that are printed with a stand-in, because no font has some letters. Cards with
        such letters are refused later.
        """
        words = [word for one in self.chosen for word in (one.listed.title, *one.words)]
        cards = [entry.card.name for one in self.chosen for entry in one.listed.deck if self.registers]
        for text in dict.fromkeys((*words, version, *cards)):
            lacks = fonts.lacking(text)
            names = (f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip() for letter in lacks)
            if lacks:
                named = listed(tuple(names), MAX_NAMED)
                yield f"“{text}”: no font has {named}; {fonts.STAND_IN} is printed instead."

    # -- extras -----------------------------------------------------------------------

    def _pieces(
        self, game: Game, lists: Sequence[Selection], size: tuple[int, int]
    ) -> Iterator[tuple[str, tuple[Piece, ...]]]:
        """The extra pieces that the options name, for these lists of one game; each kind of them with the
        word for one.
        """
        # Pieces are printed and cut as the cards of the same sheets are.
        options = self.options
        stock = Stock(size, options.bled, options.type == "large", options.style)
        players = self._players(game)
        if "tokens" in options.extras:
            yield "card of markers", marker_pieces(game, stock, players)
        if "scores" in options.extras:
            yield "score card", score_pieces(game, stock, players)
        if "reference" in options.extras:
            # The terms of whole lists: a visitor who prints five new cards plays with all of them.
            cards = {
                (entry.card.code, entry.card.name): entry.card for one in lists for entry in one.listed.deck
            }
            two_sided = options.backs != "none"
            yield (
                "reference card",
                reference_pieces(game, tuple(cards.values()), stock, players, two_sided=two_sided),
            )
        for one in self.decks if "labels" in options.extras else ():
            if one.game.slug == game.slug:
                yield "card of labels", label_pieces(game, self._label(one), stock)

    def _codes(self, one: PrintList, wanted: str) -> tuple[Code, ...]:
        """The codes for a list, the wanted one first, without those that have no address or are too long to
        be scanned from paper.
        """
        if wanted == "none" or not self.root:
            return ()
        page, whole = self.root + one.page if one.page else "", ""
        # A large code takes long to make; a page's address stands for the list wherever there is one.
        if wanted == "list" or not page:
            # Others may find the paper: without cards that strangers may not see.
            deck = one.row.decklist_to_share(one.game) if one.row else one.deck
            format = one.format or one.game.likely_format(deck)
            link = write_link(one.game, deck, format, one.row.house if one.row else "")
            whole = f"{self.root}{reverse('open_link')}#{link}"
        addresses = [address for address in (whole, page) if 0 < len(address) <= MAX_ADDRESS]
        return tuple(code for address in addresses if (code := code_of(address)))

    def _label(self, one: PrintList) -> Label:
        codes = self._codes(one, "page" if self.options.qr == "none" else self.options.qr)
        return Label(
            one.title or f"{one.game.name} deck",
            one.format.name if one.format else "",
            ", ".join((some(one.deck.size, "card"), *one.version)),
            codes[0] if codes else None,
            self.options.style == "saver",
        )

    def _register(self, one: PrintList, paper: tuple[int, int]) -> tuple[Drawing, ...]:
        """The register of the whole list as its viewer may see it, in the ink of the sheets, also if only
        some of the list is printed.
        """
        saving, row, game = self.options.style == "saver", one.row, one.game
        format = one.format or game.likely_format(one.deck)
        judged = row.judged_for(self.viewer, game) if row else judge(game, one.deck, format)
        findings = tuple(
            f"{view.severity_words}: {view.message} ({view.violation.code})"
            for view in judged.violation_views()
        )
        labels = {detail.key: detail.label for detail in judged.format.details}
        details = (
            f"{labels.get(key, key.replace('_', ' '))}: {value}" for key, value in one.deck.details.items()
        )
        is_hidden = (
            row and not row.shows_secrets_to(self.viewer) and any(part.secret for part in game.sections)
        )
        register = Register(
            game,
            one.title or f"{game.name} deck",
            (game.name, format.name, *one.version, *filter(None, (one.without,)), *details),
            tuple(
                (section.name, tuple((entry.card, entry.count) for entry in entries))
                for section in game.sections
                if (entries := one.deck.in_section(section.slug))
            ),
            f"{format.name}: {judged.verdict_words}.",
            findings,
            "What is secret is not listed." if is_hidden else "",
            self._codes(one, "page" if saving else "list"),
            saving,
        )
        return tuple(self._in_ink(register_pages(register, paper)))

    def _in_ink(self, pages: Iterable[Drawing]) -> Iterable[Drawing]:
        """The pages in the ink of the sheets."""
        pages = map(colours.saver, pages) if self.options.style == "saver" else pages
        return map(colours.grey, pages) if self.options.ink == "grey" else pages


def _sheets_of(one: PrintList) -> Iterator[Worksheet]:
    """The worksheets of which each player of an evening gets one."""
    guide = one.game.set_up_guide if one.players else None
    return (sheet for sheet in one.game.worksheets if guide and sheet.slug in guide.evening.sheets)


def _title(chosen: Iterable[Selection]) -> str:
    names = _titles(chosen)
    return wording.together(names, MAX_HEADING) if len(names) > 1 else "".join(names)


def _titles(chosen: Iterable[Selection]) -> tuple[str, ...]:
    return tuple(filter(None, dict.fromkeys(printable(one.listed.title) for one in chosen)))


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The size in points, to a tenth, in which the card's text is set; None if it has no room."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(
    game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False
) -> Iterator[str]:
    """A sentence for each card with an own text that is set too small to be read easily."""
    for card in {card.code: card for card in cards if not card.written}.values():
        ours = game.card(card.code)
        if (
            ours
            and card.text != ours.text
            and 0 < (points := points_of(card, game, trim, large=large)) < MIN_POINTS
        ):
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."


def printable(title: str) -> str:
    """The title as it can be drawn: a deck must print whatever its name is. ``_unprintable`` reports the
    letters that this changes.
    """
    return fonts.with_stand_ins(title)[:MAX_TITLE]
