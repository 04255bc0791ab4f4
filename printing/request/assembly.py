"""One job of the cards that are chosen from one list or several, with their extras."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_of
from cardsdb.box.texts import with_text
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import entries_in_words
from cardsdb.games.kit.model.text import listed, some
from cardsdb.identity.viewer import Viewer
from printing.faces import fonts, wording
from printing.faces.strokes import Drawing
from printing.job.job import (
    MAX_HEADING,
    MAX_TITLE,
    Job,
    JobExtras,
    kinds_of,
    layout_of,
    refuse_too_much,
    size_of,
)
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import millimetres
from printing.options.values import Options
from printing.request.brought import Brought
from printing.request.extras import codes_for, extras_words, pieces_for, register_for
from printing.request.selection import Selection
from printing.request.stored import own_texts, version_words
from printing.request.texts import small_texts

Cards = tuple[tuple[Card, int], ...]
# The code of a refusal because the visitor owns every card. The print page shows it as good news.
NOTHING_LACKS = "nothing_lacks"
NOTHING = Brought()
# Letters of one title that are named.
MAX_NAMED = 5


@dataclass(frozen=True)
class _Block:
    """What is printed on the same sheets: cards of one size, game by game, and pieces beside them.

    ``own_words``: some card has a text that its owner brought along.
    """

    size: tuple[int, int]
    title: str
    games: tuple[tuple[Game, Cards], ...]
    pieces: tuple[Piece, ...]
    own_words: bool = False

    @property
    def count(self) -> int:
        return sum(count for _, cards in self.games for _, count in cards) + sum(
            piece.count for piece in self.pieces
        )


def assembled(
    chosen: Sequence[Selection], options: Options, viewer: Viewer | None, root: str, own: Brought = NOTHING
) -> Job:
    """The job. Raises Refused where nothing is left to print, and CannotPrint for what cannot be printed.

    ``own``: texts and pictures for this print alone, before those that are stored for the viewer.
    """
    blocks = [block for block in _blocks(chosen, options, viewer, root, own) if block.count]
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
    size = blocks[0].size if blocks else size_of(chosen[0].listed.game, options)
    layout = layout_of(options, size)
    pages = tuple(
        page
        for one in registers
        for page in register_for(one, layout.paper.lengths, viewer or Viewer(), root, options)
    )
    lies = replace(options, start=1, orientation="landscape" if layout.landscape else "portrait")
    following = tuple(_job(block, lies, viewer, JobExtras(about=_about(chosen)), own) for block in blocks[1:])
    codes = codes_for(chosen[0].listed, options.qr, root) if len(chosen) == 1 else ()
    version = _version(chosen, viewer or Viewer())
    extras = JobExtras(
        version=printable(version),
        about=_about(chosen),
        chosen=_summary(chosen, options, pages),
        codes=codes,
        following=following,
        pages=pages,
        remarks=(*_remarks(chosen, blocks, options, root), *_unprintable(chosen, version, bool(registers))),
        code_elsewhere=bool(codes and registers),
        titles=_titles(chosen),
        unread=sum(len(one.listed.unread) for one in chosen if one.entries),
    )
    only_pages = _Block(size, _title(chosen), ((chosen[0].listed.game, ()),), ())
    return _job(blocks[0] if blocks else only_pages, options, viewer, extras, own)


def _blocks(
    chosen: Sequence[Selection], options: Options, viewer: Viewer | None, root: str, own: Brought
) -> list[_Block]:
    blocks = []
    for size in dict.fromkeys(size_of(one.listed.game, options) for one in chosen):
        here = [one for one in chosen if size_of(one.listed.game, options) == size]
        games: dict[str, tuple[Game, list[Selection]]] = {}
        for one in here:
            games.setdefault(one.listed.game.slug, (one.listed.game, []))[1].append(one)
        # Sheets do not name a game that prints nothing on them.
        cards = [(game, _cards(game, lists, viewer, own)) for game, lists in games.values()]
        pieces = tuple(
            piece for game, lists in games.values() for piece in pieces_for(game, lists, options, size, root)
        )
        named = tuple(pair for pair in cards if pair[1]) or ((here[0].listed.game, ()),)
        listed = (entry.card for _, lists in games.values() for one in lists for entry in one.entries)
        own_words = any(
            card is not mine
            for card, (mine, _) in zip(listed, chain.from_iterable(pairs for _, pairs in cards), strict=True)
        )
        blocks.append(_Block(size, _title(here), named, pieces, own_words))
    return blocks


def _cards(game: Game, lists: Iterable[Selection], viewer: Viewer | None, brought: Brought) -> Cards:
    """The cards of these lists one after the other, with their owner's texts, and those of own cards that the
    viewer may see.
    """
    lists = tuple(lists)
    made = {entry.card.code for one in lists for entry in one.entries if entry.card.own}
    stored: Mapping[str, str] = {}
    if viewer and not viewer.is_nobody:
        stored = own_texts(viewer, game, made)
    texts = {**stored, **(brought.texts if brought.game == game.slug else {})}
    known: dict[int, Card] = {}

    def own(card: Card) -> Card:
        # One object for each card: cards that are the same object are one drawing.
        return known.setdefault(id(card), with_text(card, texts))

    return tuple((own(entry.card), entry.count) for one in lists for entry in one.entries)


def _job(block: _Block, options: Options, viewer: Viewer | None, extras: JobExtras, own: Brought) -> Job:
    """A block as a job: its first game's cards are the job's own, those of others are pieces made as they
    are; it names all its games.
    """
    (game, cards), *others = block.games
    pieces: tuple[Piece, ...] = ()
    for other, theirs in others:
        single = replace(options, copies=1)
        pieces += pieces_of(Job(other, theirs, block.title, single, pictures=_pictures(viewer, other, own)))
    extras = replace(extras, others=tuple(other for other, _ in others), own_words=block.own_words)
    pictures = _pictures(viewer, game, own)
    return Job(
        game,
        cards,
        title=block.title,
        options=options,
        extra=(*pieces, *block.pieces),
        pictures=pictures,
        extras=extras,
    )


def _pictures(viewer: Viewer | None, game: Game, own: Brought) -> Mapping[tuple[str, str], PictureRef]:
    stored: Mapping[tuple[str, str], PictureRef] = {}
    if viewer and not viewer.is_nobody:
        stored = pictures_of(viewer, game)
    return {**stored, **(own.pictures if own.game == game.slug else {})}


def _title(chosen: Iterable[Selection]) -> str:
    names = _titles(chosen)
    return wording.together(names, MAX_HEADING) if len(names) > 1 else "".join(names)


def _titles(chosen: Iterable[Selection]) -> tuple[str, ...]:
    return tuple(filter(None, dict.fromkeys(printable(one.listed.title) for one in chosen)))


# -- words ---------------------------------------------------------------------------


def _version(chosen: Sequence[Selection], viewer: Viewer) -> str:
    """``version 7``, and for its author the name it has."""
    row = chosen[0].listed.row
    if row is None or len(chosen) > 1:
        return ""
    return version_words(row, viewer)


def _about(chosen: Sequence[Selection]) -> tuple[str, ...]:
    """How the cards were chosen, said once for all lists of which it is true."""
    return tuple(dict.fromkeys(printable(word) for one in chosen if one.entries for word in one.words))


def _summary(chosen: Sequence[Selection], options: Options, pages: Sequence[Drawing]) -> str:
    """``18 cards changed since “Friday”, 2 cards of markers, 1 register page``."""
    lots = [
        kinds_of(one.listed.game, ((entry.card, entry.count) for entry in one.entries), options.copies)
        for one in chosen
    ]
    kinds = sum(lots, Counter[str]())
    parts = [" ".join(filter(None, (entries_in_words(kinds), ", ".join(_about(chosen)))))] if kinds else []
    parts += extras_words(chosen, options)
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


def printable(title: str) -> str:
    """The title as it can be drawn: a deck must print whatever its name is. ``_unprintable`` says which
    letters that changes.
    """
    return fonts.with_stand_ins(title)[:MAX_TITLE]
