"""Two decks that are played together, such as a mission deck with an agency deck: each page shows the other."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from cardsdb.games import game_named
from cardsdb.games.kit import Format, Game
from decks.core.judging import Judged
from decks.identity.viewer import Viewer
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
    if other.format in {one.slug for one in beside}:
        return ""
    wanted = " or ".join(one.name for one in beside)
    return f"“{other.name}” is no deck to play with this one: " + (
        f"its format must be {wanted}." if wanted else "no format of the game is."
    )


def partner_of(deck: Deck, viewer: Viewer, editable: bool) -> Partner | None:
    """The deck's partner if this visitor may see it; else the deck of the same author that names this one as its partner.

    A stranger cannot put a deck of theirs onto someone's page by naming that one.
    """
    game = game_named(deck.game)
    format = game.formats_by_slug.get(deck.format) if game else None
    beside = {other.slug for other in formats_beside(game, format)} if game and format else set()
    if not game or not beside:
        return None
    same = Deck.objects.filter(game=deck.game, format__in=beside)
    found = None
    if deck.partner_id:
        found = Deck.objects.visible_to(viewer).with_cards().filter(pk__in=same.filter(pk=deck.partner_id)).first()
    if found is None:
        of_author = Q(pk__in=Deck.objects.editable_by(viewer)) if editable else Q(pk__in=())
        of_author |= Q(owner=deck.owner_id) if deck.owner_id else Q(pk__in=())
        naming = Deck.objects.listed_for(viewer).with_cards().filter(of_author, pk__in=same.filter(partner=deck))
        found = naming.first()
    return Partner(found, found.judged(game, keep_secrets=not found.shows_secrets_to(viewer))) if found else None


def partner_context(deck: Deck, viewer: Viewer, judged: Judged | None = None, editable: bool | None = None) -> dict[str, object]:
    """What ``decks/partner.html`` shows: the partner with its verdict beside the deck's own. ``editable``: None if not known yet."""
    editable = deck.is_editable_by(viewer) if editable is None else editable
    partner = partner_of(deck, viewer, editable)
    return {"deck": deck, "judged": judged, "editable": editable, "partner": partner, "may_pair": may_have_partner(deck)}
