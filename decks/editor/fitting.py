"""The cards that suit a deck, as conditions and an order for the editor's search. A ``Preset`` hides cards
that the deck may not hold; ``Likely`` puts first what it lacks, then what goes with its cards.

``card_pane.py`` searches with both; ``deck_pane.py`` says what is missing with ``lacks_of`` and ``tree_of``.
The tests are in ``tests/decks/editor/test_card_pane.py``.
"""

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import chain

from cardsdb.games.kit import AllShare, Decklist, Format, Game, OneOfEach, Severity
from cardsdb.games.kit.model.format import Lack
from cardsdb.search.query.tree import Exact, Not, SortKey, Term, Tree, all_of, any_of, leaves
from cardsdb.web.lists.facets import Mark, mark
from decks.core.judging import Judged

# Lacks that the order of results takes into account.
MAX_LACKS = 6
# Words shared by the deck's cards that it takes into account.
MAX_WORDS = 3


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
        """Return the condition to add to a query, None for none. It leaves out what the query asks about
        itself: a fact or the type. For a query that names a card or looks into the deck (``in:``), only the
        type can be left as a condition.
        """
        named = list(leaves(asked))
        keys = {leaf.key for leaf in named if isinstance(leaf, Term)}
        conditions = list[Tree | None]()
        if "type" not in keys:
            conditions.append(any_of(Term("type", "=", slug) for slug in sorted(self.types)))
        if "in" not in keys and not any(isinstance(leaf, Exact) for leaf in named):
            conditions += [_shares(key, values) for key, values in self.facts if key not in keys]
        return all_of(conditions)


def _shares(key: str, values: Iterable[str]) -> Tree | None:
    """The condition for cards whose fact has one of these values, or that have no such fact."""
    return any_of((*(Term(key, "=", value, in_quotes=True) for value in values), Not(Term("has", "=", key))))


def preset_of(game: Game, format: Format, deck: Decklist) -> Preset:
    """The preset of a deck by its format, and by the facts that its cards must share."""
    facts = dict[str, tuple[str, ...]]()
    for rule in format.rules:
        if isinstance(rule, AllShare) and (values := _shared(rule, deck)):
            facts[rule.fact] = values
    words = ", ".join(chain.from_iterable(facts.values())) or format.name
    # The first of the values is the one that the deck's cards share.
    marked = ((game.row_facts_by_key.get(key), values[0]) for key, values in facts.items())
    drawn = (mark(game, shown, value) for shown, value in marked if shown and shown.place == "mark")
    types = every_type(game).types
    in_format = {
        slug for section in game.sections if section.slug in format.sections for slug in section.types
    }
    # A game may leave open which types its sections take.
    if in_format:
        types &= in_format
    return Preset(words, next(drawn, None), types, tuple(facts.items()))


def every_type(game: Game) -> Preset:
    """The preset that hides only cards which never stand in decks."""
    return Preset("", None, frozenset(card_type.slug for card_type in game.types if card_type.in_decks))


def _shared(rule: AllShare, deck: Decklist) -> tuple[str, ...]:
    """The values that the rule allows, now that the deck's cards share one: that value, and those that always
    go with it. Empty while the cards have no value, or several.
    """
    values = {value for entry in rule.of.pick(deck) if (value := entry.card.fact(rule.fact)) is not None}
    if len(values) != 1:
        return ()
    value = values.pop()
    return tuple(dict.fromkeys((value, *rule.also))) if isinstance(value, str) else ()


# -- what the deck wants next ---------------------------------------------------------


@dataclass(frozen=True)
class Likely:
    """An order of cards. Cards that meet the first condition of ``first`` come first, then those that meet
    the second, and so on; ``order`` sorts within each. ``is_lacking``: the first conditions are what the deck
    lacks.
    """

    first: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    is_lacking: bool = False


def likely_for(judged: Judged) -> Likely:
    """The order of results that suits this deck. For an empty deck whole types come first, ordered by the
    facts that its cards will have to share.
    """
    alike = _alike(judged)
    # The lack that the fewest cards can fill comes first: a deck is built around its leaders.
    wanted = sorted(lacks_of(judged), key=lambda lack: (len(lack.types), -len(lack.facts), lack.count))
    if not judged.deck.entries:
        wanted = [Lack(types=lack.types) for lack in wanted]
    lacks = [tree_of(lack) for lack in wanted[:MAX_LACKS]]
    # First the cards that fill a lack and are like the deck's, then all that fill one, then all that are
    # like the deck's.
    together = [all_of((tree, alike)) for tree in lacks] if alike else []
    first = tuple(dict.fromkeys(tree for tree in (*together, *lacks, alike) if tree is not None))
    if judged.deck.entries:
        return Likely(first, is_lacking=bool(lacks))
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
    conditions = [any_of(Term("type", "=", slug) for slug in lack.types)]
    for key, value in lack.facts.items():
        for word in value if isinstance(value, tuple) else (value,):
            # No query asks for a fact that is true or false by a value; bool is a kind of int.
            if isinstance(word, str | int) and not isinstance(word, bool):
                conditions.append(Term(key, "=", str(word)))
    return all_of(conditions)


def _alike(judged: Judged) -> Tree | None:
    """The condition for cards that have a word in common with most of the deck's cards, such as their
    faction. Only cards that have the fact are counted: agents have a faction, gear has none.

    If the format says which facts cards must share, only those count.
    """
    cards = [entry.card for entry in judged.deck if not entry.card.written]
    must = {rule.fact for rule in judged.format.rules if isinstance(rule, AllShare)}
    keys = [f.key for f in judged.game.facts if (f.key in must if must else f.kind == "word")]
    # A word, as a condition -> cards that have it.
    usual = Counter[Term]()
    for key in keys:
        having = [words for card in cards if (words := card.words(key))]
        # At least a quarter of the cards must have the fact, and half of those the word.
        if not having or len(having) < len(cards) / 4:
            continue
        [(word, count)] = Counter(chain.from_iterable(having)).most_common(1)
        if count >= len(having) / 2:
            usual[Term(key, "=", word, in_quotes=True)] = count
    return any_of(term for term, _ in usual.most_common(MAX_WORDS))
