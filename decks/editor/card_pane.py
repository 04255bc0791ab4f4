"""The card half of the editor: the catalogue's search within one game, with the deck's copies beside each
card. ``views.py`` calls ``card_pane``, which returns the context of ``templates/decks/editor/cards.html``.

The deck decides which cards are hidden (``Preset``) and which come first (``Likely``), both in
``fitting.py``. ``in:deck`` in a query means the cards of the deck. A role is a purpose of cards, such as
"Agents" (``decks/check/completion.py``). Tests: ``tests/decks/editor/test_card_pane.py``; for roles
``tests/decks/editor/test_completing_browser.py``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import ceil
from typing import Any
from urllib.parse import quote_plus, urlencode

from django.utils.text import Truncator

from cardsdb.box.texts import texts_of
from cardsdb.games.kit import Card, Decklist, Format, Game, Section, whole_number
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import answer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.search.query.filter_form import around_one_more
from cardsdb.search.query.tree import Query, Term, Tree, all_of, leaves, normal, quoted, without
from cardsdb.search.results import CardQuery, Results, parse_query, results_of
from cardsdb.web.lists.advice import Advice, advice_on
from cardsdb.web.lists.facets import Choice, Facet, value_shown
from decks.check.completion import MAX_FITTING, Fit, fits_of, role_of
from decks.core.content import DeckContent
from decks.core.edits import home_of
from decks.core.judging import Judged
from decks.core.used_format import format_with
from decks.editor.fitting import Likely, Preset, every_type, likely_for, preset_of
from decks.editor.rows import headings_of, row_facts
from decks.editor.typed_line import offer_in
from decks.models import Deck

PER_PAGE = 24
# Characters of a query.
MAX_QUERY = 1024
# Facets shown beside that of the type.
MAX_FACETS = 4
# Values of a facet. A fact with more is not offered as one.
MAX_VALUES = 12
# Characters of the viewer's own text that a row shows.
MAX_MINE = 140
# Cards that are suggested while nothing is searched for.
MAX_SUGGESTED = 2
# The end of an address that turns the preset off, so that cards are found which the deck may not hold.
FIT_OFF = "&fit=off"
# Stands for all sections where copies are counted. No section has an empty slug.
ANYWHERE = ""


@dataclass(frozen=True)
class CardResults:
    """One page of the cards that a query finds. ``keys``: the facts that the query asks about, which rows
    tell first.

    ``is_by_deck``: the order begins with what the deck lacks. ``is_beyond``: nothing was found that the deck
    may hold, so these are other cards.
    """

    query: str
    total: int = 0
    page: int = 1
    pages: int = 1
    cards: tuple[Card, ...] = ()
    types: Facet | None = None
    facets: tuple[Facet, ...] = ()
    advice: tuple[Advice, ...] = ()
    keys: tuple[str, ...] = ()
    is_by_deck: bool = False
    is_beyond: bool = False

    @property
    def first(self) -> int:
        """The number of the first card on this page, counted from 1 over all pages."""
        return (self.page - 1) * PER_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.cards) - 1

    def address(self, page: int) -> str:
        """The query string of another page of these results ("?q=kai&page=2"); empty if there is no such
        page.
        """
        parameters = {"q": self.query} | ({"page": page} if page > 1 else {})
        return f"?{urlencode(parameters)}" if 1 <= page <= self.pages else ""


def card_pane(
    parameters: Mapping[str, str],
    deck: Deck,
    content: DeckContent,
    game: Game,
    judged: Judged,
    viewer: Viewer,
) -> dict[str, Any]:
    """Return the context of ``cards.html`` for the query parameters ``q``, ``page``, ``into``, ``fit`` and
    ``role``. ``judged`` may be lazy: it is evaluated only if the order or a role needs it. Its keys:

    - ``results``: the CardResults; ``rows``: a dict for each card; ``columns``: headings of the rows' numbers
    - ``role``: the role of the address, if no words are searched for; the cards are those that fit it best
    - ``suggested``: the first role that lacks cards, while nothing is searched for; its cards come first
    - ``into``: the section, one of ``into_choices``, that gets the cards instead of their usual one; or ""
    - ``preset``: the filter by the deck, in force if ``is_preset``; ``turned``: the end of the address that
      turns it off or on again; ``rest``: the end of every other address of this half
    - ``offer``: the change that Enter makes, or None

    Of each row, ``key`` names the section and card that its buttons edit, ``count`` is the copies in that
    section, ``besides`` the copies in other sections, ``mine`` the beginning of the viewer's own text.
    """
    # What is asked for: by the filter, and by what is typed.
    format = format_with(game, content.format, content.house, deck.leagues)
    # Primary keys of the deck's cards, for ``in:deck``.
    own = [line.card_id for line in deck.lines_read if line.card_id]
    preset, is_preset = preset_of(game, format, content.deck), parameters.get("fit") != "off"
    hiding = preset if is_preset else every_type(game)
    page = whole_number(parameters.get("page", "")) or 1
    text = parameters.get("q", "").strip()[:MAX_QUERY]
    offer = offer_in(game, text, own_of_game(viewer, game).names)
    # The cards come from a role, if one is asked for and nothing is typed, else from the search. A suggested
    # role only puts its first cards before those found.
    role = suggested = None
    if parameters.get("role") and not text:
        role = role_of(judged, parameters["role"])
    if not (role or text) and page == 1 and is_preset:
        suggested = role_of(judged, "")
    fits = dict[str, Fit]()
    if asked := role or suggested:
        fits = fits_of(judged, asked, viewer, MAX_FITTING if role else MAX_SUGGESTED)
    fitting = tuple(fit.card for fit in fits.values())
    if role:
        results = CardResults("", len(fits), cards=fitting)
    else:
        typed = offer.typed if offer else text
        results = find(typed, game, hiding, own, page, lambda: likely_for(judged), viewer)
    # A misspelt name may find nothing; then the offered card is searched for.
    if offer and not results.total:
        results = find(f"!{quoted(offer.card.name)}", game, hiding, own, viewer=viewer)
    cards = list(dict.fromkeys((*fitting, *results.cards)))
    if offer:
        cards = _with_offered(offer.card, cards, results.page)
    # The rows of these cards.
    places = _besides_the_usual(game, format)
    into = next((section.slug for section in places if section.slug == parameters.get("into")), "")
    columns = headings_of(game, (card.type for card in results.cards))
    placed, mine = _placed(content.deck), texts_of(viewer, game, [card.code for card in cards])
    offered = offer.card.code if offer else None
    rows = list[dict[str, Any]]()
    for card in cards:
        fit = fits.get(card.code)
        section = fit.section if fit else home_of(game, card.type, format, into)
        count = placed[section, card.code]
        rows.append(
            {
                "card": card,
                "type": game.type_named(card.type).name,
                "facts": row_facts(game, card, results.keys, columns),
                "key": f"{section} {card.code}",
                "count": count,
                "besides": placed[ANYWHERE, card.code] - count,
                "fit": fit,
                "mine": Truncator(mine.get(card.code, "")).chars(MAX_MINE),
                "offer": offer if results.page == 1 and card.code == offered else None,
            }
        )
    kept = f"&into={into}" if into else ""
    return {
        "results": replace(results, query=text),
        "rows": rows,
        "role": role,
        "suggested": suggested if fits else None,
        "into": into,
        "into_choices": places,
        "preset": preset,
        "is_preset": is_preset,
        "columns": columns,
        # On page 1 the offered card stands first; later pages offer nothing.
        "offer": rows[0]["offer"] if rows else None,
        "rest": kept if is_preset else kept + FIT_OFF,
        "turned": kept + FIT_OFF if is_preset else kept,
    }


def _besides_the_usual(game: Game, format: Format) -> list[Section]:
    """The sections of a format, such as a sideboard, that take cards whose types usually go to another one,
    and are the usual section of no type.
    """
    usual = {game.section_for(card_type.slug, format) for card_type in game.types}
    of_format = (section for section in game.sections if section.slug in format.sections)
    return [section for section in of_format if section.slug not in usual and section.types]


def _placed(deck: Decklist) -> Counter[tuple[str, str]]:
    """(section, code) -> copies there; (ANYWHERE, code) -> copies in the whole deck."""
    placed = Counter[tuple[str, str]]()
    for entry in deck:
        placed[entry.section, entry.card.code] += entry.count
        placed[ANYWHERE, entry.card.code] += entry.count
    return placed


def _with_offered(offered: Card, cards: list[Card], page: int) -> list[Card]:
    """The cards with the offered one first on page 1. A later page shows it only if it has no other card."""
    found = next((card for card in cards if card.code == offered.code), offered)
    others = [card for card in cards if card.code != offered.code]
    return [found, *others] if page == 1 else others or cards


# -- the search -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Search:
    """A query among the game's cards, of which the preset hides some. It can be asked again without one of
    its parts, to count how many cards each choice of a filter would find.
    """

    query: CardQuery
    game: Game
    preset: Preset

    @cached_property
    def results(self) -> Results:
        return self.asking(self.query.query)

    def asking(self, asked: Query) -> Results:
        """The results of another query among the same cards."""
        tree = all_of([self.preset.tree(asked.tree), asked.tree])
        return results_of(self.query.asking(replace(asked, tree=tree)).within(self.game))

    def types(self) -> Facet:
        """The filter by type: the types of the preset that have results, and those that the query names."""
        counts = dict(self._counted("type").facet("type"))
        fitting = [slug for slug in self.preset.types if counts.get(slug)]
        picked = self._picked("type")
        listed = [slug for slug in self.game.types_by_slug if slug in fitting or slug in picked]
        return self._facet("type", "Type", [(slug, counts.get(slug, 0)) for slug in listed])

    def facets(self) -> Iterator[Facet]:
        """Yield a filter for each fact that has 2 to MAX_VALUES values, or by which the query filters."""
        for fact in self.game.facts_of(self.query.type):
            if fact.kind not in ("word", "words"):
                continue
            # One more than MAX_VALUES shows that there are too many.
            counts = self._counted(fact.key).facet(fact.key, MAX_VALUES + 1)
            if self._picked(fact.key) or 2 <= len(counts) <= MAX_VALUES:
                yield self._facet(fact.key, fact.title, counts)

    def _picked(self, key: str) -> Mapping[str, Tree]:
        """The values of a field that the query picks, each with the part of the query that does so."""
        return self.query.controls.chosen.get(key, {})

    def _wider(self, key: str) -> Query:
        """The query without the picked values of a field."""
        return without(self.query.query, self._picked(key).values())

    def _counted(self, key: str) -> Results:
        """The results among which the values of a field are counted: as if none of them were picked."""
        return self.asking(self._wider(key)) if self._picked(key) else self.results

    def _facet(self, key: str, title: str, counts: Iterable[tuple[str, int]]) -> Facet:
        """The filter by a field, with these (value, number of results)."""
        picked, wider = self._picked(key), self._wider(key)
        # The address of a choice is ``first``, the choice, ``last``; a picked one leads to the wider query.
        first, last = around_one_more(wider)
        dropped = f"?q={quote_plus(normal(wider))}"
        choices = (
            Choice(
                value_shown(key, value, self.game, self.query.fields),
                count,
                (f"?q={first}", last),
                dropped if value in picked else "",
            )
            for value, count in counts
        )
        return Facet(key, title, tuple(choices), bool(picked))


def find(
    text: str,
    game: Game,
    preset: Preset,
    deck: Collection[int],
    page: int = 1,
    likely: Callable[[], Likely] = Likely,
    viewer: Viewer | None = None,
) -> CardResults:
    """Return one page of what a query finds among the game's cards. ``deck``: primary keys of the deck's
    cards, for ``in:deck``.

    ``preset`` hides cards that the deck may not hold, unless the query asks for them or nothing else is
    found. ``likely`` gives the order if the query neither states one nor searches for words. A bad query
    raises nothing: its understood part is searched for, and the rest becomes advice.
    """
    text = text.strip()[:MAX_QUERY]
    query = parse_query(text, game, lists={"deck": deck}, viewer=viewer)
    advice = tuple(advice_on(text, problem) for problem in query.query.problems)
    answer = answer_of(query)
    # The query as it was understood at last, for example as words of the game (``answer.meant``).
    query = answer.results.query
    if query.is_lost:
        return CardResults(text, advice=advice)
    search, is_beyond = _Search(query, game, preset), False
    if not search.results.total:
        search = _Search(query, game, every_type(game))
        is_beyond = bool(search.results.total)
    results = search.results
    pages = max(ceil(results.total / PER_PAGE), 1)
    page = min(max(page, 1), pages)
    # The deck decides the order if the query states none, has no words, and is searched for as it was typed.
    likeliest = likely() if results.is_by_name and not answer.meant else Likely(answer.results.preferred)
    cards = results.preferring(likeliest.first, likeliest.order).slice((page - 1) * PER_PAGE, PER_PAGE)
    keys = dict.fromkeys(leaf.key for leaf in leaves(query.query.tree) if isinstance(leaf, Term))
    return CardResults(
        text,
        results.total,
        page,
        pages,
        cards=tuple(cards),
        types=search.types(),
        facets=tuple(islice(search.facets(), MAX_FACETS)),
        advice=advice,
        keys=tuple(keys),
        is_by_deck=likeliest.is_lacking and not answer.meant,
        is_beyond=is_beyond,
    )
