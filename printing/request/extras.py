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
from printing.extras.charts import Stock
from printing.extras.pieces import Label, label_pieces, marker_pieces, reference_pieces, score_pieces
from printing.extras.register import Register, register_pages
from printing.faces import colours
from printing.faces.strokes import Drawing
from printing.layout.imposition import Piece
from printing.layout.qr_code import Code, code_of
from printing.options.values import Options
from printing.request.lists import PrintList
from printing.request.selection import Selection

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
        f"{view.severity_words}: {view.message} ({view.violation.cites or view.violation.code})"
        for view in judged.violation_views()
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
