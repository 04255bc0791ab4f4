"""Two decks that are played together, such as a mission deck with an agency deck: each page shows the
other.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from cardsdb.catalogue.current import game_named
from cardsdb.games.kit import Format, Game
from cardsdb.identity.viewer import Viewer
from decks.core.judging import Judged
from decks.models import Deck


@dataclass(frozen=True, slots=True)
class Partner:
    """The other deck of a pair as a visitor may see it, with its verdict."""

    deck: Deck
    judged: Judged


def formats_beside(game: Game, format: Format) -> tuple[Format, ...]:
    """The formats whose decks can be played with one of this format: they share no section with it."""
    own = set(format.sections)
    return tuple(other for other in game.formats if own and other.sections and own.isdisjoint(other.sections))


def may_have_partner(deck: Deck) -> bool:
    """Whether the deck's game has a format to pair it with."""
    game = game_named(deck.game)
    format = game.formats_by_slug.get(deck.format) if game else None
    return bool(game and format and formats_beside(game, format))


def partner_problem(deck: Deck, other: Deck) -> str:
    """Why the two cannot be played together, as a sentence; empty if they can."""
    if other.pk == deck.pk:
        return "A deck cannot be its own partner; name the other one."
    game = game_named(deck.game)
    if game is None or other.game != deck.game:
        return f"“{other.name}” is a deck of another game."
    format = game.formats_by_slug.get(deck.format)
    beside = formats_beside(game, format) if format else ()
    if other.format in {format.slug for format in beside}:
        return ""
    names = " or ".join(format.name for format in beside)
    return f"“{other.name}” is no deck to play with this one: " + (
        f"its format must be {names}." if names else "no format of the game is."
    )


def partner_of(deck: Deck, viewer: Viewer, editable: bool) -> Partner | None:
    """The deck's partner if this visitor may see it; else a deck of the same author that names this one as
    its partner.

    Decks of others that name this one are left out: nobody puts a deck onto the page of somebody else's.
    ``editable``: by the viewer.
    """
    game = game_named(deck.game)
    format = game.formats_by_slug.get(deck.format) if game else None
    beside = {other.slug for other in formats_beside(game, format)} if game and format else set()
    if not game or not beside:
        return None
    same = Q(game=deck.game, format__in=beside)
    other = None
    if deck.partner_id:
        other = Deck.objects.visible_to(viewer).with_cards().filter(same, pk=deck.partner_id).first()
    # Hardly any deck is named by another; to find that out costs a tenth of looking whose the other is.
    named = Deck.objects.all_owners("whether there is any").filter(partner=deck.pk)
    if other is None and (editable or deck.owner_id) and named.exists():
        of_author = Q(pk__in=Deck.objects.editable_by(viewer)) if editable else Q(pk__in=())
        of_author |= Q(owner=deck.owner_id) if deck.owner_id else Q(pk__in=())
        naming = Deck.objects.listed_for(viewer).with_cards().filter(of_author, same, partner=deck)
        other = naming.first()
    return Partner(other, other.judged_for(viewer, game)) if other else None
