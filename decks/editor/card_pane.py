"""Cards for the deck being edited: the catalogue's search within one game, and ``in:deck`` for the deck's
own.

The finder is filtered at first by what the deck may hold: the types that the format has room for, and the
values that its rules leave open. What the deck is likeliest to want comes first: what it lacks, and what goes
with its cards. Each card is shown with its copies in the deck.
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
# Facets beside the type, and values of each.
MAX_FACETS, MAX_VALUES = 4, 12
# Lacks that are looked at, and words that the deck's cards share.
MAX_LACKS, MAX_WORDS = 6, 3
# Characters of an own text in a row.
MAX_MINE = 140
# Cards that are suggested before any is asked for.
MAX_SUGGESTED = 2
# What an address ends with to find cards that the deck may not hold, too.
FIT_OFF = "&fit=off"


@dataclass(frozen=True)
class Preset:
    """The cards that a deck may hold. ``facts``: those of which only some values go with the deck; cards
    without such a fact go with every deck.
    """

    words: str
    mark: Mark | None
    types: frozenset[str]
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def tree(self, asked: Tree | None) -> Tree | None:
        """The condition beside a query. What the query itself asks about is left to it: a fact, a card by its
        name, the deck's own.
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
        return None if "type" in keys else any_of(Term("type", "=", slug) for slug in sorted(self.types))


def preset_of(game: Game, format: Format, deck: Decklist) -> Preset:
    """The cards that this deck may hold by its format, and by what its cards must share."""
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
    """No filter but that a card may stand in decks."""
    return Preset("", None, frozenset(card_type.slug for card_type in game.types if card_type.in_decks))


def _shared(rule: AllShare, deck: Decklist) -> tuple[str, ...]:
    """The value that the cards share by this rule, and those that go with every one; empty while that is
    open.
    """
    values = {value for entry in rule.of.pick(deck) if (value := entry.card.fact(rule.fact)) is not None}
    value = values.pop() if len(values) == 1 else None
    return tuple(dict.fromkeys((value, *rule.also))) if isinstance(value, str) else ()


# -- what is shown ------------------------------------------------------------------


@dataclass(frozen=True)
class CardResults:
    """One page of what a query finds in a game. ``keys``: the facts that it asks about, which rows show
    first.

    ``is_by_deck``: what the deck is likeliest to want comes first. ``is_beyond``: these are cards that the
    deck may not hold, since no other is found.
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
        return (self.page - 1) * PER_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.cards) - 1

    def address(self, page: int) -> str:
        """The address of another page of it, from the question mark on; empty where there is none."""
        parameters = {"q": self.query} | ({"page": page} if page > 1 else {})
        return f"?{urlencode(parameters)}" if 1 <= page <= self.pages else ""


@dataclass(frozen=True)
class Likely:
    """An order of cards: those that meet the first condition of ``first`` come first, then those of the
    second; ``order`` within each. ``lacks``: the first are those that the deck lacks.
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
    """The cards that ``q``, ``page`` and ``into`` of an address ask for, as ``cards.html`` reads them.
    ``judged``: the verdict that their order may need, which may be lazy.

    ``into``: the section that the author puts cards into instead of where their types belong, one of
    ``into_choices`` or empty. ``preset``: what the deck may hold, by which the cards are filtered if
    ``is_preset``. ``columns``: what stands over the rows' numbers. ``offer``: the change that Enter makes.
    ``rest``: the end of every address of this side; ``turned``: where the filter is turned off, or on again.
    Searches look into the viewer's own texts too. Of each row: the ``key`` names the section that its card
    would be put into, ``count`` its copies there, ``besides`` those in other sections; ``mine``: how its
    author's own text begins. ``role``, where the address names one and no words: the role; then the cards are
    those that fit it best, each with its ``fit``. Where it asks for nothing, a few that fit the first role
    that lacks cards (``suggested``) stand before the others.
    """
    format = format_with(game, content.format, content.house, deck.leagues)
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
    # The sections, such as a sideboard, that take cards whose types belong elsewhere.
    homes = {game.section_for(card_type.slug, format) for card_type in game.types}
    places = [s for s in game.sections if s.slug in format.sections and s.slug not in homes and s.types]
    into = next((section.slug for section in places if section.slug == parameters.get("into")), "")
    columns = headings_of(game, (card.type for card in results.cards))
    cards = list(dict.fromkeys((*fitting, *results.cards)))
    if offer:
        # The first page has the offered card first. On a later one it stays where nothing else is.
        code = offer.card.code
        best = [card for card in cards if card.code == code] or [offer.card]
        others = [card for card in cards if card.code != code]
        cards = [best[0], *others] if results.page == 1 else others or cards
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
    """The page that a query finds among the game's cards. ``deck``: the primary keys of the deck's cards, for
    ``in:deck``.

    ``preset``: what the deck may hold. Other cards are found where the query asks for them, by type, by a
    fact, by name, and where there are no others. ``likely``: what comes first where the query asks for no
    order and looks for no word. Never raises for a bad query: it asks what was understood and makes advice of
    the rest.
    """
    text = text.strip()[:MAX_QUERY]
    query = parse_query(text, game, lists={"deck": deck}, viewer=viewer)
    advice = tuple(advice_on(text, problem) for problem in query.query.problems)
    answer = answer_of(query)
    query = answer.results.query
    if query.is_lost:
        return CardResults(text, advice=advice)

    def found(fitting: Preset, asked: Query) -> Results:
        """The cards that a query finds among those that the deck may hold."""
        tree = all_of([fitting.tree(asked.tree), asked.tree])
        return results_of(query.asking(replace(asked, tree=tree)).within(game))

    results, is_beyond = found(preset, query.query), False
    if not results.total:
        preset = every_type(game)
        results = found(preset, query.query)
        is_beyond = bool(results.total)

    def facet(key: str, title: str) -> Facet | None:
        """The types that the deck has room for and that have results, with those that the query names; or a
        fact whose words tell the results apart and have few enough values to be read.
        """
        picked = query.controls.chosen.get(key, {})
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
    likeliest = likely() if results.is_by_name and not answer.meant else Likely(answer.results.first)
    cards = results.preferring(likeliest.first, likeliest.order).slice((page - 1) * PER_PAGE, PER_PAGE)
    return CardResults(
        text,
        results.total,
        page,
        pages,
        tuple(cards),
        facet("type", "Type"),
        tuple(islice(filter(None, of_words), MAX_FACETS)),
        advice,
        tuple(dict.fromkeys(leaf.key for leaf in leaves(query.query.tree) if isinstance(leaf, Term))),
        likeliest.lacks and not answer.meant,
        is_beyond,
    )


# -- what the deck wants next ---------------------------------------------------------


def likely_for(judged: Judged) -> Likely:
    """The order for this deck. An empty deck gets whole types, ordered by what its cards will have to
    share.
    """
    alike = _alike(judged)
    # What the fewest cards can be comes first: a deck is built round its leaders.
    wanted = sorted(lacks_of(judged), key=lambda lack: (len(lack.types), -len(lack.facts), lack.count))
    lacks = [tree_of(lack if judged.deck.entries else Lack(types=lack.types)) for lack in wanted[:MAX_LACKS]]
    together = [all_of((tree, alike)) for tree in lacks] if alike else []
    first = tuple(dict.fromkeys(tree for tree in (*together, *lacks, alike) if tree is not None))
    if judged.deck.entries:
        return Likely(first, lacks=bool(lacks))
    # By the facts that all cards must share, then by those in which all must differ.
    kinds, rules = (AllShare, OneOfEach), judged.format.rules
    order = (SortKey(rule.fact) for kind in kinds for rule in rules if isinstance(rule, kind))
    return Likely(first, tuple(dict.fromkeys(order)), bool(lacks))


def lacks_of(judged: Judged, severities: Container[Severity] = tuple(Severity)) -> list[Lack]:
    """The cards that the deck lacks by the violations that are as severe."""
    return [
        lack
        for violation in judged.report.violations
        if violation.severity in severities
        for lack in violation.lacks
        if lack.types and not lack.less
    ]


def tree_of(lack: Lack) -> Tree | None:
    """The condition that finds the cards which would cure it."""
    facts = (
        Term(key, "=", str(word))
        for key, value in lack.facts.items()
        for word in (value if isinstance(value, tuple) else (value,))
        if isinstance(word, str | int) and not isinstance(word, bool)
    )
    return all_of((any_of(Term("type", "=", slug) for slug in lack.types), *facts))


def _alike(judged: Judged) -> Tree | None:
    """Words that most of the deck's cards share, counted among cards that have such a word: agents have a
    faction, gear has none.

    Where the format says which fact cards must share, only that fact counts.
    """
    lines = [entry.card for entry in judged.deck if not entry.card.written]
    usual: list[tuple[int, Term]] = []
    must = {rule.fact for rule in judged.format.rules if isinstance(rule, AllShare)}
    for fact in judged.game.facts:
        if fact.key not in must if must else fact.kind != "word":
            continue
        having = [words for card in lines if (words := card.words(fact.key))]
        if not having or 4 * len(having) < len(lines):
            continue
        (word, count), *_ = Counter(word for words in having for word in words).most_common(1)
        if 2 * count >= len(having):
            usual.append((count, Term(fact.key, "=", word, in_quotes=True)))
    usual.sort(key=lambda pair: -pair[0])
    return any_of(term for _, term in usual[:MAX_WORDS])
