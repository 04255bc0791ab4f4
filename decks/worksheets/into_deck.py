"""Put what a worksheet stands for into a deck: a card of its own, or the details of the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardsdb.games.kit import Card, Entry
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent
from decks.identity.viewer import Viewer
from decks.models import Deck
from decks.saving.save import Saved, save_edit
from decks.worksheets.filling import Filled


def fits(sheet: Worksheet, deck: Deck) -> bool:
    """Whether the sheet can be put into a deck: it makes a card, or it is a deck of this format."""
    return bool(sheet.writes) and (bool(sheet.card_type) or (sheet.of_deck is not None and sheet.format == deck.format))


def put_into(deck: Deck, viewer: Viewer, filled: Filled, code: str = "") -> Saved:
    """Store the sheet in the deck; ``code`` is the card that it was opened from, and takes the place of.

    Raises Refused, with the field at fault, when nothing could be stored, and Http404 if the deck is not the visitor's to edit.
    """
    if filled.result.problems:
        raise Refused(*(Fault("bad_field", sentence, key) for key, sentence in filled.result.problems))
    if filled.judged is None or not fits(filled.sheet, deck):
        raise Refused(Fault("empty", "Fill something in first; nothing was put into the deck."))
    if filled.judged.unread:
        raise Refused(*(Fault(unread.code, unread.message, "name") for unread in filled.judged.unread))
    edit = _with_card(filled, code) if filled.sheet.card_type else _with_details(filled)
    return save_edit(deck.link, viewer, edit)


def _with_card(filled: Filled, code: str) -> Callable[[DeckContent], DeckContent]:
    assert filled.judged is not None
    card = filled.judged.deck.entries[0].card

    def edit(content: DeckContent) -> DeckContent:
        entries = content.deck.entries
        if code and all(entry.card.code != code for entry in entries):
            sentence = "The card this sheet was opened from is no longer in the deck. Open the sheet from the deck again to put it in anew."
            raise Refused(Fault("card_gone", sentence, "name"), status=409)
        _refuse_namesake(card, [entry.card for entry in entries if entry.card.code != code or not code])
        if code:
            changed = tuple(replace(entry, card=card) if entry.card.code == code else entry for entry in entries)
        else:
            section = filled.game.section_for(card.type, filled.game.formats_by_slug.get(content.format))
            changed = (*entries, Entry(card, 1, section))
        return replace(content, deck=replace(content.deck, entries=changed))

    return edit


def _refuse_namesake(card: Card, others: list[Card]) -> None:
    if any(other.code == card.code for other in others):
        sentence = f"Another “{card.name}” is in the deck already. Give this one another name, or open that one from the deck to change it."
        raise Refused(Fault("written_twice", sentence, "name"))


def _with_details(filled: Filled) -> Callable[[DeckContent], DeckContent]:
    assert filled.judged is not None
    details = dict(filled.judged.deck.details)
    return lambda content: replace(content, deck=replace(content.deck, details=details))
