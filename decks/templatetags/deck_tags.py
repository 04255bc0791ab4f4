"""What stands beside a deck on its page: short facts of its cards, the gravest violations, the worksheets of its cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.safestring import SafeString

from cardsdb.games import game_named
from cardsdb.games.kit import Card, CardType, Game
from cardsdb.identity import viewer_tag as tags
from cardsdb.identity.viewer import reader_of
from cardsdb.own.pictures import picture_states
from cardsdb.own.texts import own_states
from cardsdb.site.page_cache import shows_own
from cardsdb.web.lists.shown_facts import short_facts
from decks.core.judging import Judged, ViolationView
from decks.models import Deck
from decks.web.deck_context import fan_of
from decks.worksheets.filling import sheets_in, whole_deck_sheets

register = template.Library()
# Violations on a page; a thousand cards that are written in may have three each.
MAX_VIOLATIONS = 100
# Facts in a line of a deck.
MAX_FACTS = 2


@register.simple_tag(takes_context=True)
def viewer_tag(context: RequestContext) -> str:
    """Whose page this is, for the script that keeps changes without a network: it sends them for nobody else."""
    return tags.viewer_tag(context["request"])


@register.simple_tag(takes_context=True)
def small_face(context: RequestContext, game: Game, card: Card) -> str:
    """The address of a card's small face: with the text and picture of whoever looks at it, where they have one."""
    state = _own_states(context, game).get(card.code)
    if state is None:
        return f"{reverse('face_svg', args=(game.slug, card.code))}?size=small"
    return f"{reverse('own_face', args=(game.slug, card.code))}?size=small&of={state}"


@register.simple_tag(takes_context=True)
def own_faces(context: RequestContext, game: Game) -> SafeString:
    """The attribute of what holds links to cards of which the visitor has texts or pictures: faces beside their names show these."""
    return SafeString(" data-own-faces" if _own_states(context, game) else "")


def _own_states(context: RequestContext, game: Game) -> Mapping[str, int]:
    """What the visitor has of a game, looked up once a request. A page that shows something of it is theirs."""
    request = context["request"]
    own: dict[str, Mapping[str, int]] = request.__dict__.setdefault("_own_states", {})
    if game.slug not in own:
        viewer = reader_of(request)
        texts, pictures = own_states(viewer, game), picture_states(viewer, game)
        own[game.slug] = {code: texts.get(code, 0) ^ pictures.get(code, 0) for code in texts.keys() | pictures.keys()}
    if own[game.slug]:
        shows_own(request)
    return own[game.slug]


@register.filter
def facts_in_short(card: Card) -> str:
    """The first facts of a card, as rows of lists show them; nothing for a card that only the list knows."""
    game = game_named(card.game)
    return short_facts(game, card, most=MAX_FACTS) if game and card.has_page else ""


@register.filter
def fan(card_type: CardType, game: Game) -> str:
    """How the faces of a type overlap: a word of its CSS class."""
    return fan_of(game, card_type.slug)


@register.filter
def fan_like(card: Card, game: Game) -> str:
    """How the faces of this card and of others like it overlap."""
    return fan_of(game, card.type)


@register.filter
def is_wide(card: Card, game: Game) -> bool:
    """Whether the card lies on its side."""
    return game.face_named(card.type).landscape


@register.simple_tag(takes_context=True)
def gravest(context: RequestContext, violations: Sequence[ViolationView]) -> Sequence[ViolationView]:
    """The first of the violations, which are the gravest; all of them where the request says ``findings=all``."""
    request = context["request"]
    parameters = request.POST if request.method == "POST" else request.GET
    return violations if parameters.get("findings") == "all" else violations[:MAX_VIOLATIONS]


@register.inclusion_tag("decks/worksheets_of_deck.html")
def deck_worksheets(deck: Deck, judged: Judged, editable: bool) -> dict[str, Any]:
    """Links to the sheets of the deck's cards and of its table, and to print those that the deck fills in."""
    game = judged.game

    def address(sheet: Any, **more: str) -> str:
        return f"{reverse('aid', args=[game.slug, sheet.slug])}?{urlencode({'deck': deck.link, **more})}"

    names = {entry.card.code: entry.card.name for entry in judged.deck}
    cards = [(names[code], address(sheet, card=code)) for sheet, code, _ in sheets_in(game, judged.deck)]
    wholes = [(sheet, address(sheet)) for sheet, _ in whole_deck_sheets(game, judged.deck, judged.format.slug)]
    whole_slugs = {sheet.slug for sheet, _ in wholes}
    of_table = [(sheet, address(sheet)) for sheet in game.worksheets if not sheet.card_type and sheet.slug not in whole_slugs]
    makes = [
        (sheet, address(sheet))
        for sheet in game.worksheets
        if editable and sheet.card_type and game.section_for(sheet.card_type, judged.format) in judged.format.sections
    ]
    secret = [section.name for section in game.sections if section.secret and section.slug in judged.format.sections]
    shown = {"cards": cards, "wholes": wholes, "of_table": of_table, "makes": makes, "secret": secret}
    return {"deck": deck, "game": game, "editable": editable, **shown}
