"""One job of the cards that are chosen from one list or several, with their extras."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_of
from cardsdb.box.texts import texts_of, with_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Entry, Game
from cardsdb.games.kit.model.cards import entries_in_words
from cardsdb.games.kit.model.text import listed, some
from cardsdb.identity.viewer import Viewer
from decks.core.judging import Judged, judge
from decks.formats.deck_link import write_link
from decks.models import DeckRevision
from printing.extras.charts import Stock
from printing.extras.pieces import Label, label_pieces, marker_pieces, reference_pieces, score_pieces
from printing.extras.register import Register, register_pages
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
MIN_POINTS = 5
# Letters of one title that are named.
MAX_NAMED = 5


@dataclass(frozen=True)
class _Block:
    """The contents of the same sheets: cards of one size, game by game, and pieces beside them, by what
    they are called.

    ``own_words``: some card has a text that its owner brought along.
    """

    size: tuple[int, int]
    title: str
    games: tuple[tuple[Game, Cards], ...]
    pieces: Pieces
    own_words: bool = False

    @property
    def count(self) -> int:
        cards = sum(count for _, cards in self.games for _, count in cards)
        return cards + sum(piece.count for _, pieces in self.pieces for piece in pieces)


def build_job(
    request: PrintRequest, options: Options | None = None, chosen: Sequence[Selection] | None = None
) -> Job:
    """The print of the chosen cards of a request: with other options than its own where some are given, of
    some of its selections where these are.

    Raises Refused for a request that could not be read, where nothing is left to print, and for what cannot
    be printed.
    """
    readable = request.read
    options, chosen = options or readable, chosen or request.selections
    root = request.fields.root.rstrip("/")
    blocks = [block for block in _blocks(request.fields, chosen, options, root) if block.count]
    registers = [one.listed for one in chosen if not one.listed.loose] if "register" in options.extras else []
    if not blocks and not registers:
        code = NOTHING_LACKS if all(one.nothing_lacks for one in chosen) else "nothing_chosen"
        raise Refused(
            *(Fault(code, sentence, "only") for sentence in dict.fromkeys(one.empty for one in chosen))
        )
    # Counted over all blocks before any of them becomes a job, so that the message has the number of all.
    everything = {
        (game.slug, id(card)) for block in blocks for game, cards in block.games for card, _ in cards
    }
    refuse_too_much(len(everything), sum(block.count for block in blocks) * options.copies, options.copies)
    first = chosen[0].listed
    size = blocks[0].size if blocks else size_of(first.game, options)
    layout, viewer = layout_of(options, size), request.fields.viewer
    pages = tuple(
        page for one in registers for page in register_for(one, layout.paper.lengths, viewer, root, options)
    )
    lies = replace(options, start=1, orientation=layout.lies)
    about = tuple(dict.fromkeys(printable(word) for one in chosen if one.entries for word in one.words))
    following = tuple(_job(request.fields, block, lies, about=about) for block in blocks[1:])
    codes = codes_for(first, options.qr, root) if len(chosen) == 1 else ()
    version = _version(chosen, viewer)
    only_pages = _Block(size, _title(chosen), ((first.game, ()),), ())
    return _job(
        request.fields,
        blocks[0] if blocks else only_pages,
        options,
        version=printable(version),
        about=about,
        chosen=_summary(chosen, blocks, options, about, pages),
        codes=codes,
        following=following,
        end_pages=pages,
        more_remarks=(
            *_remarks(chosen, blocks, options, root),
            *_unprintable(chosen, version, bool(registers)),
        ),
        code_elsewhere=bool(codes and registers),
        titles=_titles(chosen),
        unread=sum(len(one.listed.unread) for one in chosen if one.entries),
    )


def _blocks(
    fields: PrintFields, chosen: Sequence[Selection], options: Options, root: str
) -> Iterable[_Block]:
    for size in dict.fromkeys(size_of(one.listed.game, options) for one in chosen):
        here = [one for one in chosen if size_of(one.listed.game, options) == size]
        games = {one.listed.game.slug: one.listed.game for one in here}
        cards, pieces, own_words = list[tuple[Game, Cards]](), list[tuple[str, tuple[Piece, ...]]](), False
        for game in games.values():
            lists = [one for one in here if one.listed.game.slug == game.slug]
            entries = [entry for one in lists for entry in one.entries]
            printed = _cards(game, entries, fields)
            own_words |= any(
                card is not entry.card for entry, (card, _) in zip(entries, printed, strict=True)
            )
            # Sheets do not name a game that prints nothing on them.
            cards += [(game, printed)] if printed else []
            pieces += pieces_for(game, lists, options, size, root)
        yield _Block(
            size, _title(here), tuple(cards) or ((here[0].listed.game, ()),), tuple(pieces), own_words
        )


def _cards(game: Game, entries: Sequence[Entry], fields: PrintFields) -> Cards:
    """The cards of these entries one after the other, with their owner's texts, and those of own cards that
    the viewer may see.
    """
    viewer, texts = fields.viewer, dict[str, str]()
    if not viewer.is_nobody:
        texts |= texts_of(viewer, game)
        if made := {entry.card.code for entry in entries if entry.card.own}:
            texts |= texts_of(viewer, game, made)
    texts |= fields.own.texts if fields.own.game == game.slug else {}
    # One object for each card: cards that are the same object are one drawing.
    known = {
        id(card): with_text(card, texts) for card in {id(one.card): one.card for one in entries}.values()
    }
    return tuple((known[id(entry.card)], entry.count) for entry in entries)


def _job(fields: PrintFields, block: _Block, options: Options, **more: Any) -> Job:
    """A block as a job: its first game's cards are the job's own, those of others are pieces made as they
    are; it names all its games.
    """
    (game, cards), *others = block.games
    pieces: tuple[Piece, ...] = ()
    for other, theirs in others:
        single = replace(options, copies=1)
        pieces += pieces_of(Job(other, theirs, block.title, single, pictures=_pictures(fields, other)))
    return Job(
        game,
        cards,
        title=block.title,
        options=options,
        extra=(*pieces, *(piece for _, own in block.pieces for piece in own)),
        pictures=_pictures(fields, game),
        others=tuple(other for other, _ in others),
        own_words=block.own_words,
        **more,
    )


def _pictures(fields: PrintFields, game: Game) -> Mapping[tuple[str, str], PictureRef]:
    stored = {} if fields.viewer.is_nobody else pictures_of(fields.viewer, game)
    return {**stored, **(fields.own.pictures if fields.own.game == game.slug else {})}


def _title(chosen: Iterable[Selection]) -> str:
    names = _titles(chosen)
    return wording.together(names, MAX_HEADING) if len(names) > 1 else "".join(names)


def _titles(chosen: Iterable[Selection]) -> tuple[str, ...]:
    return tuple(filter(None, dict.fromkeys(printable(one.listed.title) for one in chosen)))


# -- words ---------------------------------------------------------------------------


def _version(chosen: Sequence[Selection], viewer: Viewer) -> str:
    """``version 7``, and for its author the name it has; empty for a deck without a history, which is at
    number 0.
    """
    row = chosen[0].listed.row
    if row is None or len(chosen) > 1 or not row.revision:
        return ""
    named = DeckRevision.objects.of(row.pk).filter(number=row.revision).values_list("name", flat=True)
    name = named.first() if row.is_editable_by(viewer) else ""
    return f"version {row.revision}" + (f" “{name}”" if name else "")


def _summary(
    chosen: Sequence[Selection],
    blocks: Sequence[_Block],
    options: Options,
    about: Sequence[str],
    pages: Sequence[Drawing],
) -> str:
    """``18 cards changed since “Friday”, 2 cards of markers, 1 register page``."""
    kinds, pieces = Counter[str](), Counter[str]()
    for one in chosen:
        kinds += kinds_of(one.listed.game, ((card.card, card.count) for card in one.entries), options.copies)
    for block in blocks:
        for noun, own in block.pieces:
            pieces[noun] += sum(piece.count for piece in own) * options.copies
    parts = [" ".join(filter(None, (entries_in_words(kinds), ", ".join(about))))] if kinds else []
    for noun, count in pieces.items():
        first, of, rest = noun.partition(" of ")
        parts += [some(count, first) + of + rest] if count else []
    return ", ".join((*parts, some(len(pages), "register page")) if pages else parts)


def _remarks(
    chosen: Sequence[Selection], blocks: Sequence[_Block], options: Options, root: str
) -> Iterable[str]:
    yield from dict.fromkeys(remark for one in chosen for remark in one.remarks)
    for one in chosen:
        if not one.entries and len(chosen) > 1:
            yield f"“{one.listed.title}”: {one.empty}"
    for block in blocks[1:]:
        size, other = millimetres(block.size), millimetres(blocks[0].size)
        advice = "Choose one card size to print them on the same sheets."
        yield f"{block.title}: cards of {size}, not {other}, begin sheets of their own. {advice}"
    for block in blocks if options.style != "outline" else ():
        for game, cards in block.games:
            yield from small_texts(
                game, (card for card, _ in cards), block.size, large=options.type == "large"
            )
    yield from _without(chosen, options)
    if options.qr != "none":
        yield from _about_codes(chosen, root)
    if root and (options.qr != "none" or "labels" in options.extras):
        yield from filter(None, (one.listed.about_page for one in chosen))


def _unprintable(chosen: Sequence[Selection], version: str, has_register: bool) -> Iterable[str]:
    """Remarks on words that are printed with a stand-in, because no font has some letters. Cards that are
    printed are refused then.
    """
    words = [word for one in chosen for word in (one.listed.title, *one.words)]
    cards = [entry.card.name for one in chosen for entry in one.listed.deck if has_register]
    for text in dict.fromkeys((*words, version, *cards)):
        if lacks := fonts.lacking(text):
            named = listed(
                tuple(f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip() for letter in lacks),
                MAX_NAMED,
            )
            yield f"“{text}”: no font has {named}; {fonts.STAND_IN} is printed instead."


def _without(chosen: Sequence[Selection], options: Options) -> Iterable[str]:
    """Remarks on extras that the options name and the games or lists do not have."""
    for game in {one.listed.game.slug: one.listed.game for one in chosen}.values():
        extras = game.print_extras
        if "tokens" in options.extras and not extras.markers:
            yield f"{game.name} needs no tokens that Cutout knows of."
        if "scores" in options.extras and not extras.scores:
            yield f"{game.name} has no score sheet."
    if {"register", "labels"} & set(options.extras) and any(one.listed.loose for one in chosen):
        yield "Single cards are no deck: they have no register and no label."


def _about_codes(chosen: Sequence[Selection], root: str) -> Iterable[str]:
    if not root:
        yield "Without the site's address there is no QR code."
    elif len(chosen) > 1:
        yield "A QR code leads to one list: with several decks it stands on registers and labels alone."


def points_of(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> float:
    """The size in points, to a tenth, in which the card's text is set; nothing where it has no room."""
    return round(type_of_text(card, game, trim, large=large) / fonts.POINT, 1)


def small_texts(
    game: Game, cards: Iterable[Card], trim: tuple[int, int], *, large: bool = False
) -> Iterable[str]:
    """A sentence for each card that has a text of its owner's set smaller than is easily read."""
    for card in {card.code: card for card in cards if not card.written}.values():
        ours = game.card(card.code)
        if (
            ours
            and card.text != ours.text
            and 0 < (points := points_of(card, game, trim, large=large)) < MIN_POINTS
        ):
            yield f"{card.name}: your text is set in {points:g} pt. Shorten it to print it larger."


def printable(title: str) -> str:
    """The title as it can be drawn: a deck must print whatever its name is. ``_unprintable`` says which
    letters that changes.
    """
    return fonts.with_stand_ins(title)[:MAX_TITLE]


# -- extras ---------------------------------------------------------------------------

# A longer address makes a code of more than 130 modules, which few phones read off paper.
MAX_ADDRESS = 1_500


def pieces_for(
    game: Game, lists: Sequence[Selection], options: Options, size: tuple[int, int], root: str
) -> list[tuple[str, tuple[Piece, ...]]]:
    """The extra pieces that the options name, for these lists of one game; before each kind of them the word
    for one.
    """
    # Pieces are printed and cut as the cards of the same sheets are.
    stock = Stock(size, options.bled, options.type == "large")
    pieces: list[tuple[str, tuple[Piece, ...]]] = []
    if "tokens" in options.extras:
        pieces.append(("card of markers", marker_pieces(game, stock)))
    if "scores" in options.extras:
        pieces.append(("score card", score_pieces(game, stock)))
    if "reference" in options.extras:
        pieces.append(("reference card", reference_pieces(game, _distinct(lists), stock)))
    if "labels" in options.extras:
        pieces += [
            ("card of labels", label_pieces(game, _label(one.listed, options, root), stock))
            for one in lists
            if not one.listed.loose
        ]
    return pieces


def _distinct(lists: Iterable[Selection]) -> tuple[Card, ...]:
    """The cards of whole lists, each once: a visitor who prints five new cards plays with all of them."""
    return tuple(
        {
            (entry.card.code, entry.card.name): entry.card for one in lists for entry in one.listed.deck
        }.values()
    )


# -- what leads back ------------------------------------------------------------------


def codes_for(one: PrintList, wanted: str, root: str) -> tuple[Code, ...]:
    """The codes for a list, the wanted one first, without those that have no address or are too long to be
    read off paper.
    """
    if wanted == "none" or not root:
        return ()
    page = root + one.page if one.page else ""
    # A large code takes long to make; a page's address stands for the list wherever there is one.
    whole = f"{root}{reverse('open_link')}#{_whole(one)}" if wanted == "list" or not page else ""
    addresses = [address for address in (whole, page) if 0 < len(address) <= MAX_ADDRESS]
    return tuple(code for address in addresses if (code := code_of(address)))


def _whole(one: PrintList) -> str:
    """The list as the end of an address, without cards that strangers may not see: others may find the
    paper.
    """
    deck = one.row.decklist_to_share(one.game) if one.row else one.deck
    return write_link(
        one.game, deck, one.format or one.game.likely_format(deck), one.row.house if one.row else ""
    )


def _label(one: PrintList, options: Options, root: str) -> Label:
    code = next(iter(codes_for(one, "page" if options.qr == "none" else options.qr, root)), None)
    version = f", version {one.row.revision}" if one.row and one.row.revision else ""
    return Label(
        one.title or f"{one.game.name} deck",
        one.format.name if one.format else "",
        f"{some(one.deck.size, 'card')}{version}",
        code,
        options.style == "saver",
    )


# -- the register --------------------------------------------------------------------


def register_for(
    one: PrintList, paper: tuple[int, int], viewer: Viewer, root: str, options: Options
) -> tuple[Drawing, ...]:
    """The register of the whole list, also where only some of it is printed, as its visitor may see it, in
    the ink of the sheets.
    """
    saving, row = options.style == "saver", one.row
    format = one.format or one.game.likely_format(one.deck)
    judged = row.judged_for(viewer, one.game) if row else judge(one.game, one.deck, format)
    findings = tuple(
        f"{view.severity_words}: {view.message} ({view.violation.code})" for view in judged.violation_views()
    )
    hidden = (
        row is not None
        and not row.shows_secrets_to(viewer)
        and any(section.secret for section in one.game.sections)
    )
    version = (f"version {row.revision}",) if row and row.revision else ()
    register = Register(
        one.game,
        one.title or f"{one.game.name} deck",
        (one.game.name, format.name, *version, *filter(None, (one.without,)), *_details(one.deck, judged)),
        tuple(
            (section.name, tuple((entry.card, entry.count) for entry in entries))
            for section in one.game.sections
            if (entries := one.deck.in_section(section.slug))
        ),
        f"{format.name}: {judged.verdict_words}.",
        findings,
        "What is secret is not listed." if hidden else "",
        codes_for(one, "page" if saving else "list", root),
        saving,
    )
    pages = register_pages(register, paper)
    pages = tuple(map(colours.saver, pages)) if saving else pages
    return tuple(map(colours.grey, pages)) if options.ink == "grey" else pages


def _details(deck: Decklist, judged: Judged) -> tuple[str, ...]:
    labels = {detail.key: detail.label for detail in judged.format.details}
    return tuple(f"{labels.get(key, key.replace('_', ' '))}: {value}" for key, value in deck.details.items())
