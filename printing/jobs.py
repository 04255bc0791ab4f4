"""From what a request asks for to a print job: which cards, which options, who may see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.validators import slug_re
from django.http import Http404

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named
from cardsdb.games.kit import Decklist, Game
from decks.models import Deck
from decks.validation import format_or_refuse, game_or_refuse, read_text
from decks.visitors import Visitor
from printing import fonts
from printing.sheets import MOST_TITLE, CannotPrint, Job, read_options


@dataclass(frozen=True, slots=True)
class Asked:
    """Cards to print: a stored deck as its visitor may see it, or a pasted list."""

    game: Game
    deck: Decklist
    title: str


def stored_deck(link: str, visitor: Visitor) -> Asked:
    """A deck by its address; 404 for whoever may not see it."""
    # What is no address must not reach PostgreSQL, which refuses a NUL.
    if not slug_re.fullmatch(link):
        raise Http404
    row = Deck.objects.visible_to(visitor).with_cards().filter(link=link).first()
    game = game_named(row.game) if row else None
    if row is None or game is None:
        raise Http404
    return Asked(game, row.decklist_for(visitor, game), row.name)


def pasted_list(game_slug: object, text: str, format_slug: object = "") -> Asked:
    """A pasted list. Raises Refused naming every line that was not read: a sheet that lacks cards is paper wasted."""
    game = game_or_refuse(game_slug)
    reading = read_text(game, text, format_or_refuse(game, format_slug))
    if reading.unread:
        raise Refused(*(Fault(unread.code, f"{unread.message} ({unread.text[:80]})", f"line {unread.line}") for unread in reading.unread))
    return Asked(game, reading.deck, reading.deck.name)


def job_for(asked: Asked, options: Mapping[str, Any]) -> Job:
    """The job, in the order of the game's sections. Raises Refused for an option that cannot be."""
    order = {section.slug: position for position, section in enumerate(asked.game.sections)}
    entries = sorted(asked.deck.entries, key=lambda entry: order.get(entry.section, len(order)))
    try:
        return Job(
            asked.game, tuple((entry.card, entry.count) for entry in entries), title=_printable(asked.title), **read_options(options)
        )
    except CannotPrint as error:
        raise refused(error) from None


def refused(error: CannotPrint) -> Refused:
    """The printing error in the site's error shape."""
    sentence = str(error)
    return Refused(Fault(error.code, f"{sentence[:1].upper()}{sentence[1:]}.", error.field))


def _printable(title: str) -> str:
    """The title as far as our fonts go; a deck with another name must still print, and its cards say who they are."""
    missing = set(fonts.missing(title))
    return " ".join("".join(char for char in title if char not in missing).split())[:MOST_TITLE]
