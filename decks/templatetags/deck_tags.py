"""Functions and filters for the Jinja templates of decks and lists.

``FUNCTIONS`` and ``FILTERS`` at the end are what templates can call. They cover card names in sentences as
links, short facts, the gravest violations and worksheets. They are tested through the pages: ``gravest`` in
``tests/decks/core/test_judging.py``, worksheets and the printed page in ``tests/decks/pages``.
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
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.identity import viewer as viewers
from cardsdb.web.lists.columns import short_facts
from decks.core.judging import Judged
from decks.core.violations import ViolationView
from decks.editor.rows import columns_of, row_facts
from decks.models import Deck
from decks.pages.worksheets import fill, sheets_in, whole_deck_sheets
from decks.web.deck_context import fan_of, secret_sections

# Violations on a page. A list may have thousands: each written-in card can break several rules.
MAX_VIOLATIONS = 100
# Facts that a line of a deck shows of its card.
MAX_FACTS = 2


@pass_context
def viewer_tag(context: Context) -> str:
    """Return a tag that identifies the visitor for the editor's script. Changes kept while offline are sent
    only if the page still has the same visitor.
    """
    return viewers.viewer_tag(context["request"])


def facts_in_short(card: Card) -> str:
    """Return the first facts of a card in words, empty for a card that was written in."""
    game = game_named(card.game)
    return short_facts(game, card, most=MAX_FACTS) if game and card.has_page else ""


def fan(of: CardType | Card, game: Game) -> str:
    """Return how faces of this type, or of this card's type, overlap: a word of the CSS class
    (``fan_of``).
    """
    return fan_of(game, of.slug if isinstance(of, CardType) else of.type)


def is_wide(card: Card, game: Game) -> bool:
    """True for a landscape card."""
    return game.face_named(card.type).landscape


def paper_rows(game: Game, group: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of one type as a table for paper. ``columns``: those in which some card has a
    number. ``rows``: (entry, its numbers, a few words), for Kai ("7", "2", "7", "3", "2", "3") as numbers.
    ``has_words``: False if the numbers leave no room for words.

    ``group``: ``entries`` and their ``type``, as in ``sections_shown``.
    """
    facts = [(entry, row_facts(game, entry.card)) for entry in group["entries"]]
    columns = [
        (place, column)
        for place, column in enumerate(columns_of(game, group["type"].slug))
        if any(shown["numbers"][place] for _, shown in facts)
    ]
    rows = []
    for entry, shown in facts:
        # A number that the card lacks is None.
        numbers = [shown["numbers"][place] or {} for place, _ in columns]
        rows.append((entry, [number.get("words") or "" for number in numbers], shown["words"]))
    return {
        "columns": [column for _, column in columns],
        "rows": rows,
        # Beside one column of numbers there is room for words.
        "has_words": len(columns) < 2,
    }


@pass_context
def gravest(context: Context, violations: Sequence[ViolationView]) -> Sequence[ViolationView]:
    """Return the first ``MAX_VIOLATIONS`` violations, which are the gravest, or all if the request has
    ``findings=all``.
    """
    request = context["request"]
    parameters = request.POST if request.method == "POST" else request.GET
    return violations if parameters.get("findings") == "all" else violations[:MAX_VIOLATIONS]


def deck_worksheets(deck: Deck, judged: Judged, editable: bool) -> dict[str, Any]:
    """Return the worksheets of a deck, each with its link:

    - cards: (name of a card, link to its sheet, which the deck fills in);
    - wholes: (filled sheet, link) of sheets about the whole deck;
    - of_table: (sheet, link) of the game's other sheets;
    - makes: (sheet, link) of sheets that make a card for the deck, only for those who may edit it;
    - secret: the names of the format's secret sections.
    """
    game = judged.game

    def address(sheet: Worksheet, **more: str) -> str:
        return f"{reverse('aid', args=(game.slug, sheet.slug))}?{urlencode({'deck': deck.link, **more})}"

    def can_be_added(sheet: Worksheet) -> bool:
        """True if the visitor may put a card of the sheet into the deck, whose format has a place for it."""
        if not editable or not sheet.card_type:
            return False
        return game.section_for(sheet.card_type, judged.format) in judged.format.sections

    names = {entry.card.code: entry.card.name for entry in judged.deck}
    whole_sheets = whole_deck_sheets(game, judged.deck, judged.format.slug)
    wholes = [fill(game, sheet, typed) for sheet, typed in whole_sheets]
    filled = [whole.sheet for whole in wholes]
    of_table = [sheet for sheet in game.worksheets if not sheet.card_type and sheet not in filled]
    return {
        "cards": [
            (names[code], address(sheet, card=code)) for sheet, code, _ in sheets_in(game, judged.deck)
        ],
        "wholes": [(whole, address(whole.sheet)) for whole in wholes],
        "of_table": [(sheet, address(sheet)) for sheet in of_table],
        "makes": [(sheet, address(sheet)) for sheet in game.worksheets if can_be_added(sheet)],
        "secret": secret_sections(game, judged.format),
    }


@pass_context
def rule_address(context: Context, code: str) -> str:
    """Return the address of the rule with this code: on the league's page if the deck is judged by a league
    that has it, else on the page of the game's rules.
    """
    league = getattr(context.get("judged"), "league", None)
    if league and code in league.citations:
        return f"{reverse('league', args=[league.link])}#{code}"
    return f"{reverse('rules', args=[context['game'].slug])}#{code}"


def with_cards(sentence: str, named: Sequence[Card]) -> list[tuple[str, Card | None]]:
    """Split the sentence at the names of these cards: (piece, the card that it names or None). "Add Kai to
    Kailas." gives ("Add ", None), ("Kai", Kai), (" to Kailas.", None).
    """
    cards = {card.name: card for card in named if not card.written and card.name in sentence}
    # The longest name first, since a name may begin with another card's name.
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
