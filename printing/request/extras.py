"""The extras of a print, by its options, for its games and decks; and the addresses that lead back to
these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.urls import reverse

from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from decks.core.judging import Judged, judge
from decks.formats.deck_link import write_link
from printing.extras.blank import Stock
from printing.extras.pieces import Label, label_pieces, marker_pieces, reference_pieces, score_pieces
from printing.extras.register import Register, register_pages
from printing.faces import styles
from printing.faces.strokes import Drawing
from printing.job.job import size_of
from printing.layout.imposition import Piece
from printing.layout.qr_code import Code, code_of
from printing.options.values import Options
from printing.request.selection import PrintList, Selection

# A longer address makes a code of more than 130 modules, which few phones read off paper.
MAX_ADDRESS = 1_500


def pieces_for(
    game: Game, lists: Sequence[Selection], options: Options, size: tuple[int, int], root: str
) -> tuple[Piece, ...]:
    """The extra pieces that the options name, for these lists of one game."""
    pieces: tuple[Piece, ...] = ()
    stock = _stock(options, size)
    if "tokens" in options.extras:
        pieces += marker_pieces(game, stock)
    if "scores" in options.extras:
        pieces += score_pieces(game, stock)
    if "reference" in options.extras:
        pieces += reference_pieces(game, _distinct(lists), stock)
    if "labels" in options.extras:
        for one in lists:
            if not one.listed.loose:
                pieces += label_pieces(game, _label(one.listed, options, root), stock)
    return pieces


def _stock(options: Options, size: tuple[int, int]) -> Stock:
    """Pieces are printed and cut as the cards of the same sheets are."""
    return Stock(size, options.bled, options.type == "large")


def extras_words(chosen: Sequence[Selection], options: Options) -> list[str]:
    """The pieces in the words of a summary."""
    counts: dict[str, int] = {}
    games = {one.listed.game.slug: one.listed.game for one in chosen}
    for game in games.values():
        here, stock = (
            [one for one in chosen if one.listed.game.slug == game.slug],
            _stock(options, size_of(game, options)),
        )
        if "tokens" in options.extras:
            counts["card of markers"] = counts.get("card of markers", 0) + sum(
                piece.count for piece in marker_pieces(game, stock)
            )
        if "scores" in options.extras:
            counts["score card"] = counts.get("score card", 0) + len(score_pieces(game, stock))
        if "reference" in options.extras:
            counts["reference card"] = counts.get("reference card", 0) + len(
                reference_pieces(game, _distinct(here), stock)
            )
        if "labels" in options.extras:
            counts["card of labels"] = counts.get("card of labels", 0) + sum(
                not one.listed.loose for one in here
            )
    return [_counted(count * options.copies, noun) for noun, count in counts.items() if count]


def _counted(count: int, noun: str) -> str:
    first, _, rest = noun.partition(" of ")
    return some(count, first) + (f" of {rest}" if rest else "")


def _distinct(lists: Iterable[Selection]) -> tuple[Card, ...]:
    """The cards of whole lists, each once: a visitor who prints five new cards plays with all of them."""
    return tuple(
        {
            (entry.card.code, entry.card.name): entry.card for one in lists for entry in one.listed.deck
        }.values()
    )


# -- what leads back ------------------------------------------------------------------


def path_of(page: str, *args: str) -> str:
    """The path of a page of the site, by its name."""
    return reverse(page, args=args)


def codes_for(one: PrintList, wanted: str, root: str) -> tuple[Code, ...]:
    """The codes for a list, the wanted one first, without those that have no address or are too long to be
    read off paper.
    """
    if wanted == "none" or not root:
        return ()
    page = root + one.page if one.page else ""
    # A large code takes long to make; a page's address stands for the list wherever there is one.
    whole = f"{root}{path_of('open_link')}#{_whole(one)}" if wanted == "list" or not page else ""
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
    count = sum(entry.count for entry in one.deck)
    version = f", version {one.row.revision}" if one.row and one.row.revision else ""
    return Label(
        one.title or f"{one.game.name} deck",
        one.format.name if one.format else "",
        f"{some(count, 'card')}{version}",
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
    saving = options.style == "saver"
    format = one.format or one.game.likely_format(one.deck)
    judged = _judged(one, viewer)
    findings = tuple(
        f"{view.severity_words}: {view.message} ({view.violation.cites or view.violation.code})"
        for view in judged.violation_views()
    )
    hidden = (
        one.row is not None
        and not one.row.shows_secrets_to(viewer)
        and any(section.secret for section in one.game.sections)
    )
    version = (f"version {one.row.revision}",) if one.row and one.row.revision else ()
    register = Register(
        one.game,
        one.title or f"{one.game.name} deck",
        (one.game.name, format.name, *version, *filter(None, (one.without,)), *_details(one.deck, judged)),
        _sections(one),
        f"{format.name}: {judged.verdict_words}.",
        findings,
        "What is secret is not listed." if hidden else "",
        codes_for(one, "page" if saving else "list", root),
        saving,
    )
    pages = register_pages(register, paper)
    pages = tuple(map(styles.saver, pages)) if saving else pages
    return tuple(map(styles.grey, pages)) if options.ink == "grey" else pages


def _judged(one: PrintList, viewer: Viewer) -> Judged:
    if one.row:
        return one.row.judged_for(viewer, one.game)
    return judge(one.game, one.deck, one.format or one.game.likely_format(one.deck))


def _details(deck: Decklist, judged: Judged) -> tuple[str, ...]:
    labels = {detail.key: detail.label for detail in judged.format.details}
    return tuple(f"{labels.get(key, key.replace('_', ' '))}: {value}" for key, value in deck.details.items())


def _sections(one: PrintList) -> tuple[tuple[str, tuple[tuple[Card, int], ...]], ...]:
    sections = []
    for section in one.game.sections:
        entries = one.deck.in_section(section.slug)
        if entries:
            sections.append((section.name, tuple((entry.card, entry.count) for entry in entries)))
    return tuple(sections)
