"""The card list as one value: what the address asks for, the cards that it finds, and everything its page
shows beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.texts import texts_in, with_text
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Fact, Game, RowFact
from cardsdb.games.kit.model.cards import entries_in_words
from cardsdb.games.kit.model.text import fold, plural
from cardsdb.identity.viewer import Viewer
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.own_cards import own_cards
from cardsdb.search.query.filter_form import Controls, Range, bounded_facts, ranges_of, without
from cardsdb.search.query.similar import Reference, reasons
from cardsdb.search.query.tree import AtLeast, Exact, Term, Tree, leaves, normal, ordered
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardPage, Results, results_of
from cardsdb.search.rewrite import Rewrite, rewrite_of
from cardsdb.web.lists.advice import (
    Advice,
    NoResults,
    OtherQuery,
    advice_on,
    cards_meant,
    list_address,
    no_results,
    without_parts,
)
from cardsdb.web.lists.facets import Choice, Facet, facets_of
from cardsdb.web.lists.shown_facts import columns_of, facts_asked_about, marks_of, not_empty

PER_PAGE = 48
# Advice that speaks of the catalogue's cards alone.
OF_THE_CATALOGUE = ("unknown-name", "unknown-value")
VIEWS = ("list", "grid", "table", "checklist")
# A shorter text stands in the name of too many games.
MIN_GAME_NAME = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading in the table. ``href`` sorts by it and is empty where nothing can; ``sorted`` is how
    it is sorted now.

    ``short`` is what stands there where the title is too long for a column, ``symbol`` the drawing above it.
    """

    title: str
    kind: str
    short: str = ""
    symbol: str = ""
    href: str = ""
    sorted: str = ""

    @property
    def css_class(self) -> str:
        """Return how its cells stand; empty for the names."""
        if self.kind in ("number", "flag"):
            return "num"
        return "marks" if self.kind == "mark" else "" if self.title == "Name" else "words"


@dataclass(frozen=True, slots=True)
class GridCard:
    """A card of the grid, ``whole`` as its face needs it; ``because`` says why it is among the similar ones.

    ``picture`` is the visitor's own.
    """

    card: KitCard
    whole: KitCard
    game: Game
    href: str
    because: str
    picture: PictureRef = None


@dataclass(frozen=True)
class CardListPage:
    """One page of the card list: its query, what that finds, and the parameters of its address.

    Where something else than the query as it was typed was surely meant, the page is that of ``rewrite``.
    """

    query: CardQuery
    results: Results
    params: Mapping[str, str]
    rewrite: Rewrite | None = None
    viewer: Viewer | None = None

    @property
    def typed(self) -> str:
        """The query as it was typed."""
        return self.params.get("q", "")

    @cached_property
    def game(self) -> Game | None:
        """The game that all its cards have, also where the query does not name it: its facts make facets."""
        counts = self.results.facet("game")
        return self.query.game or (games().get(counts[0][0]) if len(counts) == 1 else None)

    @property
    def is_view_chosen(self) -> bool:
        """Return whether the address says which view, and not the query alone."""
        return self.params.get("view", "") in VIEWS

    @property
    def view(self) -> str:
        """The view that is shown."""
        return self.params["view"] if self.is_view_chosen else "table" if self.game else "list"

    @cached_property
    def span(self) -> CardPage:
        """The cards of the page and its place among all."""
        return self.results.page(PER_PAGE, self.params.get("after", ""), self.params.get("before", ""))

    @property
    def cards(self) -> tuple[KitCard, ...]:
        """The cards of the page."""
        return self.span.cards

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """Return what tells the cards found apart."""
        return facets_of(self.query, self.game, self.results, self._view_in_address)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The number facts that the form bounds."""
        controls = Controls() if self.has_faults else self.query.controls
        return ranges_of(controls, bounded_facts(self.query.game, self.query.type, self.query.fields))

    @cached_property
    def columns(self) -> tuple[Fact, ...]:
        """The facts that the table shows; none in other views."""
        if self.view != "table" or not self.game:
            return ()
        asked = facts_asked_about(self.query)
        return not_empty(columns_of(self.game, self.query.type, *asked), self.cards, asked[0])

    @cached_property
    def advice(self) -> tuple[Advice, ...]:
        """The problems of the query, each shown in its place. What no card of the catalogue has, one's own
        that are found may have.
        """
        query, has_own = self.query.query, bool(self.query.own and self.total)
        return tuple(
            advice_on(query.text, problem)
            for problem in query.problems
            if not (has_own and problem.code in OF_THE_CATALOGUE)
        )

    # -- the query -------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        """The query in its normal form: what links carry."""
        return normal(self.query.query)

    @property
    def has_faults(self) -> bool:
        return bool(self.query.query.faults)

    @property
    def understood(self) -> str:
        """Return what is left of a query of which some part was not understood; empty if all of it was."""
        return normal(self.query.query.tree) if self.has_faults else ""

    @cached_property
    def words(self) -> str:
        """The query in words; empty for one that asks for nothing."""
        query = self.query.query
        return in_words(query, self.query.fields) if query.tree is not None or query.order else ""

    @cached_property
    def like(self) -> Reference | None:
        """The card that a ``similar:`` asks for others of."""
        name = next(
            (node.like for node in leaves(self.query.query.tree) if isinstance(node, AtLeast) and node.like),
            "",
        )
        return self.query.fields.cards(name) if name else None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The facts that the query asks about."""
        return tuple(
            dict.fromkeys(node.key for node in leaves(self.query.query.tree) if isinstance(node, Term))
        )

    # -- the cards -------------------------------------------------------------------

    @property
    def total(self) -> int:
        return self.results.total

    @cached_property
    def counted(self) -> tuple[str, str]:
        """Return how many there are, and where not all are of one kind how many of them are cards, stand-ins,
        components, terms.
        """
        kinds = dict(self.results.facet("entry"))
        if len(kinds) > 1:
            return f"{self.total:,} entries", entries_in_words(kinds)
        return entries_in_words(kinds) if kinds else f"{self.total:,} {plural(self.total, 'card')}", ""

    @property
    def last(self) -> int:
        """The place of the last card on the page, from 1."""
        return self.span.first + len(self.cards) - 1

    @property
    def only_card(self) -> KitCard | None:
        """The card whose whole name was typed, if no other has it."""
        is_name = isinstance(self.query.query.tree, Exact) and not self.rewrite
        return self.cards[0] if is_name and self.total == 1 and self.cards else None

    def because(self, card: KitCard, game: Game) -> str:
        """Why a card is among the similar ones."""
        if not self.like or self.like.game != card.game:
            return ""
        return reasons(self.like.facts, card.facts, game) or ("words of your texts" if self.query.own else "")

    @cached_property
    def grid(self) -> tuple[GridCard, ...]:
        """The cards, whole: their faces say where their facts come from."""
        carried = f"?{self.query_in_address}" if self.text else ""
        made, codes = own_cards(self.query.own).by_code, [card.code for card in self.cards]
        own = texts_in([pk for pk, _ in self.query.own], codes) if self.query.own else {}
        of_games = {
            card.game: [one.code for one in self.cards if one.game == card.game] for card in self.cards
        }
        pictures = {
            slug: pictures_on_pages(self.viewer, games()[slug], codes)
            for slug, codes in (of_games.items() if self.viewer else ())
            if self.viewer
        }
        return tuple(
            GridCard(
                card,
                # The face of one's own card does not say which set it is of.
                made.get(card.code) or with_text(card, own.get(card.game, {})),
                games()[card.game],
                reverse("card", args=(card.game, card.code)) + carried,
                self.because(card, games()[card.game]),
                pictures.get(card.game, {}).get(card.code),
            )
            for card in self.cards
        )

    # -- the filter form ---------------------------------------------------------------

    @property
    def search_box(self) -> str:
        """Return what stands in the form's search box. A query with faults stays whole there, as it was
        typed.
        """
        return self.query.text if self.has_faults else self.query.controls.words

    @property
    def hidden_fields(self) -> tuple[tuple[str, str], ...]:
        """Return what the form sends along: the values picked elsewhere, unless the search box has them, and
        the view.
        """
        picked = "" if self.has_faults else self.query.controls.picked
        return tuple((name, value) for name, value in (("with", picked), *self._view.items()) if value)

    @cached_property
    def picked(self) -> list[tuple[Facet, Choice]]:
        """Every value that is picked, with its facet: where the facets are folded a press on it takes it
        out.
        """
        return [(facet, choice) for facet in self.facets for choice in facet.picked]

    @property
    def has_bounds(self) -> bool:
        """Return whether a number fact is bounded by the form."""
        return any(bounds.low or bounds.high for bounds in self.ranges)

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """Return what the form offers to sort by: (value, label, whether it is chosen)."""
        now = ordered(self.query.query.order).removeprefix("order:")
        choices = [
            ("", "Best match, then name"),
            ("name", "Name"),
            ("type", "Type"),
            ("-prints", "Most prints first"),
        ]
        for bounds in self.ranges:
            key, title = bounds.fact.key, bounds.fact.title
            choices += [(f"-{key}", f"{title}, highest first"), (key, f"{title}, lowest first")]
        if now not in dict(choices):
            choices.append((now, f"As asked: {now}"))
        return [(value, label, value == now) for value, label in choices]

    # -- links -------------------------------------------------------------------------

    @property
    def _view(self) -> dict[str, str]:
        """The view as addresses hold it; empty where the query alone decides it."""
        return {"view": self.view} if self.is_view_chosen else {}

    @property
    def _view_in_address(self) -> str:
        """Return what stands behind the query in the address of a list; nothing where the query alone decides
        the view.
        """
        return f"&view={self.view}" if self.is_view_chosen else ""

    @cached_property
    def query_in_address(self) -> str:
        """The query as addresses hold it."""
        return urlencode({"q": self.text})

    @property
    def address(self) -> str:
        """The list from its first page on, as what follows the question mark."""
        return f"{self.query_in_address}{self._view_in_address}"

    @property
    def address_as_typed(self) -> str:
        """The list of what was typed, though nothing is found, as what follows the question mark."""
        return urlencode({"q": self.typed, **self._view, "as_typed": "1"})

    @property
    def views(self) -> list[tuple[str, str]]:
        """(view, what follows the question mark of the list in that view)."""
        return [(view, f"{self.query_in_address}&view={view}") for view in VIEWS]

    @property
    def _of_game(self) -> tuple[Tree, ...]:
        """The parts of the query that ask for the cards of one game."""
        return (
            self.query.controls.parts("game")
            if self.query.controls.only("game") and not self.has_faults
            else ()
        )

    @cached_property
    def in_all_games(self) -> str:
        """The address of the same query for the cards of all games, where it asks for those of one."""
        return list_address(without(self.query.query, self._of_game)) if self._of_game else ""

    @cached_property
    def found_in_all_games(self) -> OtherQuery | None:
        """Return what is found in all games, where nothing is found in one."""
        return without_parts(self.query, self._of_game) if self._of_game and not self.cards else None

    @property
    def has_sets(self) -> bool:
        """Return whether cards of the page are in sets, so that a table has a column for their prints."""
        return any(card.prints for card in self.cards)

    @property
    def marks(self) -> tuple[RowFact, ...]:
        """Return what stands as a mark before the names of a table of one game."""
        return marks_of(self.game, self.query.type) if self.game else ()

    @property
    def headings(self) -> list[Heading]:
        """The table's headings: each a link that sorts by it, the other way round when it is sorted by
        already.
        """
        query, headings = self.query.query, list[Heading]()
        first = query.order[0] if query.order else None
        conditions = urlencode({"q": f"{normal(query.tree)} ".lstrip()})
        marks = [self.game.facts_by_key[mark.key] for mark in self.marks[:1]] if self.game else []
        # Title, kind of column, key, kind of fact.
        columns = [(fact.title, "mark", fact.key, fact.kind) for fact in marks]
        columns += [("Name", "word", "name", "word")]
        columns += [] if self.query.type else [("Type", "word", "type", "word")]
        columns += [(fact.title, fact.kind, fact.key, fact.kind) for fact in self.columns]
        for title, kind, key, of_fact in columns:
            now = first if first and first.key == key else None
            # Numbers are mostly looked through from the highest down.
            descending = not now.descending if now else kind == "number"
            href = f"{conditions}order%3A{'-' if descending else ''}{key}{self._view_in_address}"
            state = "ascending" if now or (key == "name" and not first) else ""
            if now and now.descending:
                state = "descending"
            if of_fact in ("words", "text"):
                href = ""
            headings.append(Heading(title, kind, *self._short_heading(key), href, state))
        return headings

    def _short_heading(self, key: str) -> tuple[str, str]:
        """Return what the game declares to stand over a fact's column: a short heading, a symbol."""
        row_fact = self.game.row_facts_by_key.get(key) if self.game else None
        return (row_fact.heading, row_fact.symbol) if row_fact else ("", "")

    # -- what may be meant ---------------------------------------------------------------

    @property
    def games_named(self) -> list[Game]:
        """The games that have what was typed in their names."""
        text = self.query.controls.words if self.query.game else self.query.text
        return [
            game for game in games().values() if len(text) >= MIN_GAME_NAME and fold(text) in fold(game.name)
        ]

    @cached_property
    def alike(self) -> list[KitCard]:
        """Return cards whose names look like what was typed, where nothing is found."""
        return cards_meant(self.query) if not self.cards and not self.has_faults else []

    @cached_property
    def no_results(self) -> NoResults | None:
        """Return what each part of the query finds, where nothing is found."""
        return no_results(self.query) if not self.query.is_lost and not self.total else None


def card_list_page(params: Mapping[str, str], viewer: Viewer | None = None) -> CardListPage:
    """Read the address of a card list and find its page. A bad query has advice, never an error."""
    query = parse_query(params.get("q", ""), viewer=viewer)
    results = results_of(query)
    rewrite = rewrite_of(query, results.total) if not params.get("as_typed") else None
    if rewrite:
        query, results = rewrite.query, rewrite.results
    return CardListPage(query, results, params, rewrite, viewer)
