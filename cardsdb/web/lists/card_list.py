"""The card list as one value, ``CardListPage``: the query of the address, the cards it finds, and everything
shown beside them.

``views.py`` makes the page of each request, ``rows.py`` and the template ``lists/card_list.html`` read it. A
bad query never raises; what was understood is searched, and ``advice.py`` has advice on the rest. Tests:
``test_card_list.py``, ``test_views.py`` and ``test_search_box.py`` of ``tests/cardsdb/web/lists``.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote, urlencode

from django.utils.functional import cached_property

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Card, Fact, Game, RowFact, entries_in_words, fold, some
from cardsdb.games.kit.model.rulebook import GlossaryEntry
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import Answer, answer_of
from cardsdb.search.candidates import games_named
from cardsdb.search.groups import asked_of
from cardsdb.search.plain.forms import forms, phrase_of
from cardsdb.search.plain.items import Item, items_of
from cardsdb.search.query.english import FILLERS, WORDS
from cardsdb.search.query.filter_form import Controls, Range, bounded_facts, facts_asked_about, ranges_of
from cardsdb.search.query.similar import reasons
from cardsdb.search.query.tree import (
    AtLeast,
    Exact,
    Term,
    Tree,
    leaves,
    normal,
    ordered,
    without,
)
from cardsdb.search.query.words import in_words
from cardsdb.search.results import parse_query, results_of
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
from cardsdb.web.lists.columns import columns_of, marks_of, not_empty
from cardsdb.web.lists.facets import Facet, facets_of

# -- the glossaries -------------------------------------------------------------------


def _terms_by_name(whole: Catalogue) -> dict[str, list[tuple[Game, GlossaryEntry]]]:
    """Return term or alias, in the form of ``phrase_of`` -> the entries of that name, with their games."""
    terms: dict[str, list[tuple[Game, GlossaryEntry]]] = defaultdict(list)
    for game in whole.games.values():
        for entry in game.glossary:
            for name in (entry.term, *entry.aliases):
                terms[phrase_of(name)].append((game, entry))
    return dict(terms)


def _terms_meant(question: Sequence[Item], asked: Sequence[Game]) -> list[tuple[Game, GlossaryEntry]]:
    """Return the entries, in the asked games or else in all, of the word whose meaning is asked for."""
    text = " ".join(map(str, question)).removesuffix(" in").removesuffix(" mean")
    terms, (first, *words) = catalogue().derived(_terms_by_name), text.split() or [""]
    while words and first in WORDS["defining"]:
        for name in forms(" ".join(words)):
            if found := [(game, term) for game, term in terms.get(name, ()) if not asked or game in asked]:
                return found
        if words.pop(0) not in FILLERS:
            break
    return []


# -- help with a query -----------------------------------------------------------------

# Divisible by 2, 3, 4 and 6, so that rows of faces are full.
PER_PAGE = 48
# Codes of problems that are about catalogue cards only; own cards may have such a name or value.
OF_THE_CATALOGUE = ("unknown-name", "unknown-value")
# Value of the parameter ``view`` -> its name on the page. There is also "checklist", for printing.
VIEWS = {"line": "With the line", "numbers": "Numbers only", "faces": "Faces"}
# Names of the views in old addresses.
OLD_VIEWS = {"list": "line", "table": "numbers", "grid": "faces"}
# A shorter text is part of too many games' names.
MIN_GAME_NAME = 3


class CardListPage:
    """One page of the card list: its query, the cards it finds, and how they are shown.

    The query is interpreted in two steps. ``typed`` is what the visitor typed; ``answer`` may hold another
    query that was probably meant, and the page shows its results: ``query`` and ``results`` are those of the
    answer, only ``_asked`` is the query as typed. ``text`` is the query in normal form, for links.

    ``game``: the one game of all cards found, also if the query does not name it; its facts become facets.
    ``rest``: what follows the query in addresses, namely the view if the address chose one. ``address``: that
    of the first page, as what follows the question mark. ``asked``: a pattern for the words of effects that
    were asked for, or None.
    """

    def __init__(self, params: Mapping[str, str], viewer: Viewer | None = None) -> None:
        self.typed, self.viewer = params.get("q", ""), viewer
        self._asked = parse_query(self.typed, viewer=viewer)
        is_as_typed = bool(params.get("as_typed"))
        self.answer = Answer(results_of(self._asked)) if is_as_typed else answer_of(self._asked)
        self.results = self.answer.results
        self.query = self.results.query
        self.text, self.has_faults = normal(self.query.query), bool(self.query.query.faults)
        slugs = [slug for slug, _ in self.results.facet("game")]
        self.game: Game | None = self.query.game or (games().get(slugs[0]) if len(slugs) == 1 else None)
        self.asked = asked_of(self.query.query.tree)
        view = params.get("view", "")
        view = OLD_VIEWS.get(view, view)
        # The parameter as it is passed on in links; nothing if the address chose no known view.
        self._view = {"view": view} if view in (*VIEWS, "checklist") else {}
        self.view = self._view.get("view", "line" if self.asked else "numbers")
        self.rest = f"&view={self.view}" if self._view else ""
        # If another query was meant, links to further pages carry what was typed, so that they get the same
        # answer.
        self.query_in_address = urlencode({"q": self.typed if self.answer.meant else self.text})
        self.address = f"{self.query_in_address}{self.rest}"
        self.total = self.results.total
        self.span = self.results.page(PER_PAGE, params.get("after", ""), params.get("before", ""))
        self.cards = self.span.cards
        # The parts of the query that choose one game; () if it chooses none or several, or has faults.
        has_game = bool(self.query.controls.only("game")) and not self.has_faults
        self._of_game: tuple[Tree, ...] = self.query.controls.parts("game") if has_game else ()

    # -- the query -------------------------------------------------------------------

    @cached_property
    def advice(self) -> list[Advice]:
        """The problems of the query. Problems about names and values are left out if own cards are found,
        which may have them.
        """
        query, has_own = self.query.query, bool(self.query.own and self.total)
        return [
            advice_on(query.text, problem)
            for problem in query.problems
            if not (has_own and problem.code in OF_THE_CATALOGUE)
        ]

    @property
    def understood(self) -> str:
        """The understood part of a query with faults; "" for one without."""
        return normal(self.query.query.tree) if self.has_faults else ""

    @cached_property
    def words(self) -> str:
        """The query in English; "" for an empty one."""
        query = self.query.query
        return in_words(query, self.query.fields) if query.tree is not None or query.order else ""

    @cached_property
    def _like(self) -> Card | None:
        """The card that ``similar:`` compares with; None without one."""
        for node in leaves(self.query.query.tree):
            if isinstance(node, AtLeast) and node.like:
                return self.query.fields.cards(node.like)
        return None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of facts that the query asks about."""
        terms = (node for node in leaves(self.query.query.tree) if isinstance(node, Term))
        return tuple(dict.fromkeys(term.key for term in terms))

    # -- the cards -------------------------------------------------------------------

    @cached_property
    def counted(self) -> tuple[str, str]:
        """(number of results, numbers by kind of entry) in words; the second is "" for a single kind."""
        kinds = dict(self.results.facet("entry"))
        if len(kinds) > 1:
            return f"{self.total:,} entries", entries_in_words(kinds)
        return entries_in_words(kinds) if kinds else some(self.total, "card"), ""

    @property
    def only_card(self) -> Card | None:
        """The card whose exact name was typed, if it is the only one; the view redirects to its page."""
        is_name = isinstance(self.query.query.tree, Exact) and not self.answer.meant
        return self.cards[0] if is_name and self.total == 1 and self.cards else None

    @property
    def groups(self) -> Iterator[tuple[str, int, str]]:
        """Yield (title, number of cards, address of the page that begins with it) of each group."""
        start = 0
        for title, keys in self.results.groups.items():
            after = f"&after={quote(self.results.key_at(start - 1))}" if start else ""
            yield title, len(keys), f"?{self.address}{after}#results"
            start += len(keys)

    @cached_property
    def _is_about_disputes(self) -> bool:
        """True if the query asks for disputed cards."""
        tree = self.query.query.tree
        return any(isinstance(leaf, Term) and "disputed" in (leaf.key, leaf.value) for leaf in leaves(tree))

    def because(self, card: Card, game: Game) -> str:
        """Return why a card counts as similar or disputed; "" unless the query asks for such cards."""
        if self._is_about_disputes and (keys := card.disagreements()):
            titles = (fact.title if (fact := game.facts_by_key.get(key)) else key for key in keys)
            return f"sources disagree: {', '.join(titles).lower()}"
        if not self._like or self._like.game != card.game:
            return ""
        of_texts = "words of your texts" if self.query.own else ""
        return reasons(self._like.facts, card.facts, game) or of_texts

    @cached_property
    def columns(self) -> tuple[Fact, ...]:
        """The facts that are columns of the table; () in other views."""
        if self.view not in ("line", "numbers") or not self.game:
            return ()
        varying, picked = facts_asked_about(self.query.query, self.query.fields)
        return not_empty(columns_of(self.game, self.query.type, varying, picked), self.cards, varying)

    @property
    def marks(self) -> tuple[RowFact, ...]:
        """The facts shown as marks before the names, in the table of one game."""
        return marks_of(self.game, self.query.type) if self.game else ()

    # -- the filter form ---------------------------------------------------------------

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        return facets_of(self.query, self.game, self.results, self.rest)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The number facts that have a lower and an upper bound in the filter form."""
        controls = Controls() if self.has_faults else self.query.controls
        return ranges_of(controls, bounded_facts(self.query.game, self.query.type, self.query.fields))

    @property
    def box(self) -> str:
        """The text in the search box: as typed, without the game, which is chosen beside the box."""
        if self.answer.for_game:
            return self.answer.for_game.text
        game = self.query.game
        return self.typed.removeprefix(f"game:{game.slug} ") if game else self.typed

    @property
    def search_box(self) -> str:
        """The text of the filter form's search box: the conditions that have no control of their own. For
        plain words these are conditions of the query that was meant, as its controls show the others. A query
        with faults stays whole.
        """
        return self.query.text if self.has_faults else self.query.controls.words

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """(name, value) of the filter form's hidden fields: values picked elsewhere, and the view."""
        picked = "" if self.has_faults else self.query.controls.picked
        return [*([("with", picked)] if picked else []), *self._view.items()]

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """(value, label, is chosen) of each order that the filter form offers."""
        now = ordered(self.query.query.order).removeprefix("order:")
        choices = {
            "": "Best match, then name",
            "name": "Name",
            "type": "Type",
            "set": "Set",
            "number": "Number in the set",
            "rarity": "Rarity",
            "-prints": "Most prints first",
        }
        for bounds in self.ranges:
            key, title = bounds.fact.key, bounds.fact.title
            choices |= {f"-{key}": f"{title}, highest first", key: f"{title}, lowest first"}
        choices.setdefault(now, f"As asked: {now}")
        return [(value, label, value == now) for value, label in choices.items()]

    # -- other queries -------------------------------------------------------------------

    @property
    def address_as_typed(self) -> str:
        """The address (behind "?") of the list for exactly what was typed, even if it finds nothing."""
        return urlencode({"q": self.typed, **self._view, "as_typed": "1"})

    @cached_property
    def in_all_games(self) -> str:
        """The address of the same query in all games; "" if it does not choose a game."""
        return list_address(without(self.query.query, self._of_game)) if self._of_game else ""

    @cached_property
    def found_in_all_games(self) -> OtherQuery | None:
        """The same query in all games, if it finds nothing in one; else None."""
        if not self._of_game or self.cards:
            return None
        found = answer_of(parse_query(normal(without(self.query.query, self._of_game)))).results.total
        return without_parts(self.query, self._of_game)._replace(count=found)

    @property
    def games_named(self) -> list[Game]:
        """The games whose names contain what was typed."""
        text = self._asked.controls.words if self._asked.game else self.typed
        if len(text) < MIN_GAME_NAME:
            return []
        return [game for game in games().values() if fold(text) in fold(game.name)]

    @property
    def terms(self) -> list[tuple[Game, GlossaryEntry]]:
        """The glossary entries, with their games, of the word whose meaning is asked for: "what is craft"."""
        asked = [self._asked.game] if self._asked.game else []
        items = items_of(self._asked.controls.words, self._asked.fields)
        named, rest = games_named(items)
        # "What is an X-File" asks for a word that is also the name of a game.
        return _terms_meant(items, asked) or _terms_meant(rest, asked or named)

    @cached_property
    def alike(self) -> list[Card]:
        """Cards with names like what was typed, if nothing is found."""
        return cards_meant(self.query) if not self.cards and not self.has_faults else []

    @cached_property
    def no_results(self) -> NoResults | None:
        """The results of each part of the query, if the query finds nothing; else None."""
        return no_results(self.query) if not self.query.is_lost and not self.total else None
