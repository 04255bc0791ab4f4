"""The card half of the editor: the catalogue's search within one game, with the deck's copies beside each
card. ``views.py`` calls ``card_pane``, which returns the context of ``cards.html``.

Two things depend on the deck. A ``Preset`` hides cards that the deck may not hold by its format and by what
its cards must share, unless the query asks for them. ``Likely`` puts first what the deck lacks, then what
goes with its cards. ``in:deck`` in a query means the cards of the deck.
"""

from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from urllib.parse import quote_plus, urlencode

from django.utils.text import Truncator

from cardsdb.box.texts import texts_of
from cardsdb.games.kit import AllShare, Card, Decklist, Format, Game, OneOfEach, Severity, whole_number
from cardsdb.games.kit.model.format import Lack
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import answer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.search.query.filter_form import and_also
from cardsdb.search.query.tree import (
    Exact,
    Not,
    Query,
    SortKey,
    Term,
    Tree,
    all_of,
    any_of,
    leaves,
    normal,
    quoted,
    without,
)
from cardsdb.search.results import Results, parse_query, results_of
from cardsdb.web.lists.card_list import Advice, advice_on
from cardsdb.web.lists.facets import Choice, Facet, Mark, mark, value_shown
from decks.check.completion import MAX_FITTING, fits_of, role_of
from decks.core.content import DeckContent
from decks.core.edits import home_of
from decks.core.judging import Judged
from decks.core.used_format import format_with
from decks.editor.row_facts import headings_of, row_facts
from decks.editor.typed_line import offer_in
from decks.models import Deck

PER_PAGE = 24
MAX_QUERY = 1024
# Facets shown beside that of the type; values of each facet.
MAX_FACETS, MAX_VALUES = 4, 12
# Lacks, and words shared by the deck's cards, that the order of results takes into account.
MAX_LACKS, MAX_WORDS = 6, 3
# Characters of the viewer's own text that a row shows.
MAX_MINE = 140
# Cards that are suggested while nothing is searched for.
MAX_SUGGESTED = 2
# The end of an address that turns the preset off, so that cards are found which the deck may not hold.
FIT_OFF = "&fit=off"


@dataclass(frozen=True)
class Preset:
    """A filter for the cards that a deck may hold. ``words`` and ``mark`` name it on the page. ``types``:
    slugs of the card types that may stand in the deck. ``facts``: (fact key, allowed values); a card without
    the fact passes.
    """

    words: str
    mark: Mark | None
    types: frozenset[str]
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def tree(self, asked: Tree | None) -> Tree | None:
        """The condition to add to a query. It leaves out what the query asks about itself: a fact or the
        type. For a query that names a card or looks into the deck (``in:``), only the type can be left as a
        condition.
        """
        named = list(leaves(asked))
        keys = {leaf.key for leaf in named if isinstance(leaf, Term)}
        if "in" in keys or any(isinstance(leaf, Exact) for leaf in named):
            return self._room(keys)
        facts = (
            any_of((*(Term(key, "=", value, in_quotes=True) for value in values), Not(Term("has", "=", key))))
            for key, values in self.facts
            if key not in keys
        )
        return all_of((self._room(keys), *facts))

    def _room(self, keys: set[str]) -> Tree | None:
        """The condition on the card type; None if the query asks for a type."""
        return None if "type" in keys else any_of(Term("type", "=", slug) for slug in sorted(self.types))


def preset_of(game: Game, format: Format, deck: Decklist) -> Preset:
    """The preset of a deck by its format, and by the facts that its cards must share."""
    types = {slug for section in game.sections if section.slug in format.sections for slug in section.types}
    every = every_type(game)
    facts = {
        rule.fact: values
        for rule in format.rules
        if isinstance(rule, AllShare) and (values := _shared(rule, deck))
    }
    words = ", ".join(value for values in facts.values() for value in values) or format.name
    marked = ((game.row_facts_by_key.get(key), values[0]) for key, values in facts.items())
    drawn = (mark(game, shown, value) for shown, value in marked if shown and shown.place == "mark")
    return Preset(
        words, next(drawn, None), every.types & types if types else every.types, tuple(facts.items())
    )


def every_type(game: Game) -> Preset:
    """The preset that hides only cards which never stand in decks."""
    return Preset("", None, frozenset(card_type.slug for card_type in game.types if card_type.in_decks))


def _shared(rule: AllShare, deck: Decklist) -> tuple[str, ...]:
    """The values that the rule allows, now that the deck's cards share one: that value, and those that always
    go with it. Empty while the cards have no value, or several.
    """
    values = {value for entry in rule.of.pick(deck) if (value := entry.card.fact(rule.fact)) is not None}
    value = values.pop() if len(values) == 1 else None
    return tuple(dict.fromkeys((value, *rule.also))) if isinstance(value, str) else ()


# -- what is shown ------------------------------------------------------------------


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


@dataclass(frozen=True)
class Likely:
    """An order of cards. Cards that meet the first condition of ``first`` come first, then those that meet
    the second, and so on; ``order`` sorts within each. ``lacks``: the first conditions are what the deck
    lacks.
    """

    first: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    lacks: bool = False


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
    format = format_with(game, content.format, content.house, deck.leagues)
    # Primary keys of the deck's cards, for ``in:deck``.
    own = [line.card_id for line in deck.lines_read if line.card_id]
    preset, is_preset = preset_of(game, format, content.deck), parameters.get("fit") != "off"
    shown = preset if is_preset else every_type(game)
    page = whole_number(parameters.get("page", "")) or 1
    text = parameters.get("q", "").strip()[:MAX_QUERY]
    offer = offer_in(game, text, own_of_game(viewer, game).names)
    typed = offer.typed if offer else text
    role = role_of(judged, parameters["role"]) if parameters.get("role") and not text else None
    suggested = None if role or text or page > 1 or not is_preset else role_of(judged, "")
    asked = role or suggested
    fits = fits_of(judged, asked, viewer, MAX_FITTING if role else MAX_SUGGESTED) if asked else {}
    fitting = tuple(fit.card for fit in fits.values())
    results = (
        CardResults("", len(fits), cards=fitting)
        if role
        else find(typed, game, shown, own, page, lambda: likely_for(judged), viewer)
    )
    if offer and not results.total:
        results = find(f"!{quoted(offer.card.name)}", game, shown, own, viewer=viewer)
    # Sections such as a sideboard: they take cards whose types usually go to another section.
    homes = {game.section_for(card_type.slug, format) for card_type in game.types}
    places = [s for s in game.sections if s.slug in format.sections and s.slug not in homes and s.types]
    into = next((section.slug for section in places if section.slug == parameters.get("into")), "")
    columns = headings_of(game, (card.type for card in results.cards))
    cards = list(dict.fromkeys((*fitting, *results.cards)))
    if offer:
        cards = _with_offered(offer.card, cards, results.page)
    # (section, code) -> copies; with an empty section, the copies in the whole deck.
    placed = Counter[tuple[str, str]]()
    for entry in content.deck:
        placed[entry.section, entry.card.code] += entry.count
        placed["", entry.card.code] += entry.count
    mine, rows = texts_of(viewer, game, [card.code for card in cards]), list[dict[str, Any]]()
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
                "besides": placed["", card.code] - count,
                "fit": fit,
                "mine": Truncator(mine.get(card.code, "")).chars(MAX_MINE),
                "offer": offer if offer and results.page == 1 and card.code == offer.card.code else None,
            }
        )
    put = f"&into={into}" if into else ""
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
        "offer": rows[0]["offer"] if rows else None,
        "rest": put if is_preset else put + FIT_OFF,
        "turned": put + FIT_OFF if is_preset else put,
    }


def _with_offered(offered: Card, cards: list[Card], page: int) -> list[Card]:
    """The cards with the offered one first on page 1. A later page shows it only if it has no other card."""
    found = next((card for card in cards if card.code == offered.code), offered)
    others = [card for card in cards if card.code != offered.code]
    return [found, *others] if page == 1 else others or cards


# -- the search -------------------------------------------------------------------------


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
    query = answer.results.query
    if query.is_lost:
        return CardResults(text, advice=advice)

    def found(fitting: Preset, asked: Query) -> Results:
        """The results of the query among the cards of this preset."""
        tree = all_of([fitting.tree(asked.tree), asked.tree])
        return results_of(query.asking(replace(asked, tree=tree)).within(game))

    results, is_beyond = found(preset, query.query), False
    if not results.total:
        preset = every_type(game)
        results = found(preset, query.query)
        is_beyond = bool(results.total)

    def facet(key: str, title: str) -> Facet | None:
        """A filter with the number of results of each value. For ``type``: the types of the preset that have
        results, and those that the query names. For a fact: None unless it has 2 to MAX_VALUES values.
        """
        picked = query.controls.chosen.get(key, {})
        # Other values are counted as if those that are picked were not.
        wider = without(query.query, picked.values())
        among = found(preset, wider) if picked else results
        if key == "type":
            of_type = dict(among.facet(key))
            fitting = [slug for slug in preset.types if of_type.get(slug)]
            listed = [slug for slug in game.types_by_slug if slug in fitting or slug in picked]
            counts = [(slug, of_type.get(slug, 0)) for slug in listed]
        else:
            counts = among.facet(key, MAX_VALUES + 1)
            if not picked and not 2 <= len(counts) <= MAX_VALUES:
                return None
        first, last = and_also(wider)
        dropped = f"?q={quote_plus(normal(wider))}"
        choices = (
            Choice(
                value_shown(key, value, game, query.fields),
                count,
                (f"?q={first}", last),
                dropped if value in picked else "",
            )
            for value, count in counts
        )
        return Facet(key, title, tuple(choices), bool(picked))

    facts = game.facts_of(query.type) if query.type else game.facts
    of_words = (facet(fact.key, fact.title) for fact in facts if fact.kind in ("word", "words"))
    pages = max(-(-results.total // PER_PAGE), 1)
    page = min(max(page, 1), pages)
    # The deck decides the order if the query states none, has no words, and is searched for as it was typed.
    likeliest = likely() if results.is_by_name and not answer.meant else Likely(answer.results.first)
    cards = results.preferring(likeliest.first, likeliest.order).slice((page - 1) * PER_PAGE, PER_PAGE)
    keys = dict.fromkeys(leaf.key for leaf in leaves(query.query.tree) if isinstance(leaf, Term))
    return CardResults(
        text,
        results.total,
        page,
        pages,
        cards=tuple(cards),
        types=facet("type", "Type"),
        facets=tuple(islice(filter(None, of_words), MAX_FACETS)),
        advice=advice,
        keys=tuple(keys),
        is_by_deck=likeliest.lacks and not answer.meant,
        is_beyond=is_beyond,
    )


# -- what the deck wants next ---------------------------------------------------------


def likely_for(judged: Judged) -> Likely:
    """The order of results that suits this deck. For an empty deck whole types come first, ordered by the
    facts that its cards will have to share.
    """
    alike = _alike(judged)
    # The lack that the fewest cards can fill comes first: a deck is built around its leaders.
    wanted = sorted(lacks_of(judged), key=lambda lack: (len(lack.types), -len(lack.facts), lack.count))
    lacks = [tree_of(lack if judged.deck.entries else Lack(types=lack.types)) for lack in wanted[:MAX_LACKS]]
    together = [all_of((tree, alike)) for tree in lacks] if alike else []
    first = tuple(dict.fromkeys(tree for tree in (*together, *lacks, alike) if tree is not None))
    if judged.deck.entries:
        return Likely(first, lacks=bool(lacks))
    # Order by the facts that all cards must share, then by those in which all must differ.
    kinds, rules = (AllShare, OneOfEach), judged.format.rules
    order = (SortKey(rule.fact) for kind in kinds for rule in rules if isinstance(rule, kind))
    return Likely(first, tuple(dict.fromkeys(order)), bool(lacks))


def lacks_of(judged: Judged, severities: Container[Severity] = tuple(Severity)) -> list[Lack]:
    """The lacks of the deck, by its violations of these severities. Cards that it has too many of are not
    among them.
    """
    return [
        lack
        for violation in judged.report.violations
        if violation.severity in severities
        for lack in violation.lacks
        if lack.types and not lack.less
    ]


def tree_of(lack: Lack) -> Tree | None:
    """The condition that finds cards which fill this lack."""
    facts = (
        Term(key, "=", str(word))
        for key, value in lack.facts.items()
        for word in (value if isinstance(value, tuple) else (value,))
        if isinstance(word, str | int) and not isinstance(word, bool)
    )
    return all_of((any_of(Term("type", "=", slug) for slug in lack.types), *facts))


def _alike(judged: Judged) -> Tree | None:
    """The condition for cards that have a word in common with most of the deck's cards, such as their
    faction. Only cards that have the fact are counted: agents have a faction, gear has none.

    If the format says which facts cards must share, only those count.
    """
    lines = [entry.card for entry in judged.deck if not entry.card.written]
    usual: list[tuple[int, Term]] = []
    must = {rule.fact for rule in judged.format.rules if isinstance(rule, AllShare)}
    for fact in judged.game.facts:
        if fact.key not in must if must else fact.kind != "word":
            continue
        # At least a quarter of the cards must have the fact, and half of those the word.
        having = [words for card in lines if (words := card.words(fact.key))]
        if not having or 4 * len(having) < len(lines):
            continue
        (word, count), *_ = Counter(word for words in having for word in words).most_common(1)
        if 2 * count >= len(having):
            usual.append((count, Term(fact.key, "=", word, in_quotes=True)))
    usual.sort(key=lambda pair: -pair[0])
    return any_of(term for _, term in usual[:MAX_WORDS])
