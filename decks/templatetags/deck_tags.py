"""Functions and filters of the templates of decks and lists: the verdict on a list, names in sentences as
links, short facts of cards, the gravest violations, worksheets.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from jinja2 import pass_context
from jinja2.runtime import Context

from cardsdb.catalogue.current import game_named
from cardsdb.games.kit import Card, CardType, Game, some
from cardsdb.identity import viewer as viewers
from cardsdb.web.lists.facets import short_facts
from decks.core.judging import Judged, ViolationView
from decks.editor.row_facts import columns_of, row_facts
from decks.models import Deck
from decks.pages.worksheets import fill, sheets_in, whole_deck_sheets
from decks.web.deck_context import fan_of, secret_sections

# Violations on a page; a thousand cards that are written in may have three each.
MAX_VIOLATIONS = 100
# Facts in a line of a deck.
MAX_FACTS = 2


@pass_context
def viewer_tag(context: Context) -> str:
    """A tag of the page's visitor, for the script that keeps changes without a network: it sends them for
    that visitor alone.
    """
    return viewers.viewer_tag(context["request"])


def facts_in_short(card: Card) -> str:
    """The first facts of a card, as rows of lists show them; nothing for a card that only the list knows."""
    game = game_named(card.game)
    return short_facts(game, card, most=MAX_FACTS) if game and card.has_page else ""


def fan(of: CardType | Card, game: Game) -> str:
    """The way in which the faces of a type, or of a card and others like it, overlap: a word of its CSS
    class.
    """
    return fan_of(game, of.slug if isinstance(of, CardType) else of.type)


def is_wide(card: Card, game: Game) -> bool:
    """True if the card lies on its side."""
    return game.face_named(card.type).landscape


def paper_rows(game: Game, group: Mapping[str, Any]) -> dict[str, Any]:
    """The lines of a type as a table on paper: its ``columns`` that some card has a number in, and ``rows``,
    each an entry with its numbers and a few words, for which there is room beside one number.
    """
    facts = [(entry, row_facts(game, entry.card)) for entry in group["entries"]]
    columns = [
        (place, column)
        for place, column in enumerate(columns_of(game, group["type"].slug))
        if any(shown["numbers"][place] for _, shown in facts)
    ]
    rows = [
        (entry, [(shown["numbers"][place] or {}).get("words") or "" for place, _ in columns], shown["words"])
        for entry, shown in facts
    ]
    return {
        "columns": [column for _, column in columns],
        "rows": rows,
        "has_words": len(columns) < 2,
    }


@pass_context
def gravest(context: Context, violations: Sequence[ViolationView]) -> Sequence[ViolationView]:
    """The first of the violations, which are the gravest; all of them where the request says
    ``findings=all``.
    """
    request = context["request"]
    parameters = request.POST if request.method == "POST" else request.GET
    return violations if parameters.get("findings") == "all" else violations[:MAX_VIOLATIONS]


def deck_worksheets(deck: Deck, judged: Judged, editable: bool) -> dict[str, Any]:
    """Links to the sheets of the deck's cards and of its table, and to print those that the deck fills in; a
    sheet of the whole deck is there filled in.
    """
    game = judged.game

    def address(sheet: Any, **more: str) -> str:
        return f"{reverse('aid', args=(game.slug, sheet.slug))}?{urlencode({'deck': deck.link, **more})}"

    names = {entry.card.code: entry.card.name for entry in judged.deck}
    wholes = [
        fill(game, sheet, typed) for sheet, typed in whole_deck_sheets(game, judged.deck, judged.format.slug)
    ]
    told = [one.sheet for one in wholes]
    sheets = {
        "of_table": [one for one in game.worksheets if not one.card_type and one not in told],
        "makes": [
            one
            for one in game.worksheets
            if editable
            and one.card_type
            and game.section_for(one.card_type, judged.format) in judged.format.sections
        ],
    }
    return {
        "cards": [
            (names[code], address(sheet, card=code)) for sheet, code, _ in sheets_in(game, judged.deck)
        ],
        "wholes": [(one, address(one.sheet)) for one in wholes],
        **{name: [(sheet, address(sheet)) for sheet in found] for name, found in sheets.items()},
        "secret": secret_sections(game, judged.format),
    }


@pass_context
def rule_address(context: Context, code: str) -> str:
    """The address at which the rule with this code can be read: with the league whose format a deck is judged
    by, else among those of its game.
    """
    league = getattr(context.get("judged"), "league", None)
    if league and code in league.citations:
        return f"{reverse('league', args=[league.link])}#{code}"
    return f"{reverse('rules', args=[context['game'].slug])}#{code}"


def with_cards(sentence: str, named: Sequence[Card]) -> list[tuple[str, Card | None]]:
    """The pieces of the sentence, the names of these cards each with its card."""
    cards = {card.name: card for card in named if not card.written and card.name in sentence}
    names = "|".join(re.escape(name) for name in sorted(cards, key=len, reverse=True))
    pieces = re.split(rf"(?<!\w)({names})(?!\w)", sentence) if names else [sentence]
    return [(piece, cards.get(piece)) for piece in pieces]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "viewer_tag": viewer_tag,
    "gravest": gravest,
    "deck_worksheets": deck_worksheets,
    "rule_address": rule_address,
    "paper_rows": paper_rows,
}
FILTERS: Mapping[str, Callable[..., Any]] = {
    "facts_in_short": facts_in_short,
    "fan": fan,
    "is_wide": is_wide,
    "some": some,
    "with_cards": with_cards,
}
