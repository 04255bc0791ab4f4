"""The cards that suit a deck, as conditions and an order for the editor's search. A ``Preset`` hides cards
that the deck may not hold; ``Likely`` puts first what it lacks, then what goes with its cards.

``card_pane.py`` searches with both; ``deck_pane.py`` says what is missing with ``lacks_of`` and ``tree_of``.
A condition is a ``Tree`` of the search language (``cardsdb/search/query/tree.py``), written here as a query.
A ``Lack`` describes cards that would cure a violation (``cardsdb/games/kit/model/format.py``).
Tests: ``tests/decks/editor/test_card_pane.py``.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from cardsdb.games.kit import AllShare, Decklist, Format, Game, OneOfEach, Severity
from cardsdb.games.kit.model.format import Lack
from cardsdb.search.query.tree import Exact, Not, SortKey, Term, Tree, all_of, any_of, leaves
from cardsdb.web.lists.columns import Mark, mark
from decks.core.judging import Judged

# Lacks that the order of results takes into account.
MAX_LACKS = 6
# Facts, such as the faction, whose usual value the order of results takes into account.
MAX_WORDS = 3


@dataclass(frozen=True)
class Preset:
    """A filter for the cards that a deck may hold. ``words`` and ``mark`` name it on the page. ``types``:
    slugs of the card types that may stand in the deck. ``facts``: (fact key, allowed values); a card without
    the fact passes. For a deck with one leader, Backlash of the faction Bloodvine::

        words  Bloodvine, Freelancer
        types  {"leader", "agent", "action", "gear"}
        facts  (("faction", ("Bloodvine", "Freelancer")),)
    """

    words: str
    mark: Mark | None
    types: frozenset[str]
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def tree(self, asked: Tree | None) -> Tree | None:
        """Return the condition to add to the query ``asked``, None for none. For the deck of the example:

            (type=action or type=agent or type=gear or type=leader)
            (faction=Bloodvine or faction=Freelancer or -has=faction)

        What the query itself asks about is left out, such as the second line for ``faction=Krypt``. For a
        query that names a card (``!Kai``) or looks into the deck (``in:deck``), all facts are left out.
        """
        asked_leaves = list(leaves(asked))
        asked_keys = {leaf.key for leaf in asked_leaves if isinstance(leaf, Term)}
        names_card = any(isinstance(leaf, Exact) for leaf in asked_leaves)
        conditions = list[Tree | None]()
        if "type" not in asked_keys:
            conditions.append(any_of(Term("type", "=", slug) for slug in sorted(self.types)))
        if "in" not in asked_keys and not names_card:
            conditions += [_shares(key, values) for key, values in self.facts if key not in asked_keys]
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
    types = every_type(game).types
    sections = (section for section in game.sections if section.slug in format.sections)
    # A game may leave open which types its sections take.
    if in_format := set(chain.from_iterable(section.types for section in sections)):
        types &= in_format
    return Preset(words, _mark_of(game, facts), types, tuple(facts.items()))


def _mark_of(game: Game, facts: Mapping[str, tuple[str, ...]]) -> Mark | None:
    """The mark of the first of these facts that has one in rows of cards."""
    for key, values in facts.items():
        fact = game.row_facts_by_key.get(key)
        if fact and fact.place == "mark":
            # The first of the values is the one that the deck's cards share.
            return mark(game, fact, values[0])
    return None


def every_type(game: Game) -> Preset:
    """The preset that hides only cards which never stand in decks."""
    return Preset("", None, frozenset(card_type.slug for card_type in game.types if card_type.in_decks))


def _shared(rule: AllShare, deck: Decklist) -> tuple[str, ...]:
    """The values that the rule allows, now that the deck's cards share one: that value, and those that always
    go with it (``rule.also``): Bloodvine, Freelancer. Empty while the cards have no value, or several.
    """
    values = {entry.card.fact(rule.fact) for entry in rule.of.pick(deck)} - {None}
    if len(values) != 1:
        return ()
    value = values.pop()
    return tuple(dict.fromkeys((value, *rule.also))) if isinstance(value, str) else ()


# -- what the deck wants next ---------------------------------------------------------


@dataclass(frozen=True)
class Likely:
    """An order of cards. Cards that meet the first condition of ``first`` come first, then those that meet
    the second, and so on, last those that meet none; ``order`` sorts within each of these groups.
    ``is_lacking``: the first conditions are what the deck lacks.
    """

    first: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    is_lacking: bool = False


def likely_for(judged: Judged) -> Likely:
    """The order of results that suits this deck: first the cards that fill a lack and are like the deck's,
    then all that fill one, then all that are like the deck's. With one leader of level 2, Backlash of the
    faction Bloodvine, ``first`` is::

        type=leader level=1 faction=Bloodvine           3 more lines with level 3, level 4, any level
        (type=agent or type=action or type=gear) faction=Bloodvine
        type=leader level=1                             the same five without a faction
        ...
        faction=Bloodvine

    An empty deck has another order: ``_likely_to_begin``.
    """
    lacks = sorted(lacks_of(judged), key=_rarest_first)[:MAX_LACKS]
    if not judged.deck.entries:
        return _likely_to_begin(judged.format, lacks)
    lacking, alike = [tree_of(lack) for lack in lacks], _alike(judged)
    lacking_alike = [all_of((tree, alike)) for tree in lacking] if alike else []
    return Likely(_each_once((*lacking_alike, *lacking, alike)), is_lacking=bool(lacks))


def _likely_to_begin(format: Format, lacks: Iterable[Lack]) -> Likely:
    """The order of results for an empty deck: whole types first (``type=leader``), ordered by the facts that
    its cards will have to share (``faction``), then by those in which they must differ (``level``).
    """
    types = _each_once(tree_of(Lack(types=lack.types)) for lack in lacks)
    shared = [rule.fact for rule in format.rules if isinstance(rule, AllShare)]
    unlike = [rule.fact for rule in format.rules if isinstance(rule, OneOfEach)]
    return Likely(types, tuple(map(SortKey, dict.fromkeys(shared + unlike))), is_lacking=bool(types))


def _each_once(trees: Iterable[Tree | None]) -> tuple[Tree, ...]:
    """The conditions in order, without None: some lacks have the same condition, and it counts once."""
    return tuple(dict.fromkeys(tree for tree in trees if tree is not None))


def _rarest_first(lack: Lack) -> tuple[int, int, int]:
    """Sort key: a lack that fewer cards can fill comes first, since a deck is built around its leaders.

    One type (leaders) has fewer cards than three (agents, actions, gear); leaders of level 1 are fewer than
    all leaders, so more facts come first; of two alike, the one that needs fewer cards is sooner filled.
    """
    return len(lack.types), -len(lack.facts), lack.count


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
    """The condition that finds cards which fill this lack: ``type=leader level=1``."""
    conditions = [any_of(Term("type", "=", slug) for slug in lack.types)]
    for key, value in lack.facts.items():
        for word in value if isinstance(value, tuple) else (value,):
            # No query asks for a fact that is true or false by a value; bool is a kind of int.
            if isinstance(word, str | int) and not isinstance(word, bool):
                conditions.append(Term(key, "=", str(word)))
    return all_of(conditions)


def _alike(judged: Judged) -> Tree | None:
    """The condition for cards that have a word in common with most of the deck's cards, such as
    ``faction="Nine Tiger"`` if half of its agents are of that faction. Only cards that have the fact are
    counted: agents have a faction, gear has none. None if no word is so frequent.

    If the format says which facts cards must share, only those count.
    """
    cards = [entry.card for entry in judged.deck if not entry.card.written]
    must = {rule.fact for rule in judged.format.rules if isinstance(rule, AllShare)}
    keys = [fact.key for fact in judged.game.facts if (fact.key in must if must else fact.kind == "word")]
    # A word, as a condition -> cards that have it.
    usual = Counter[Term]()
    for key in keys:
        # The words of each card that has the fact.
        having = [words for card in cards if (words := card.words(key))]
        # At least a quarter of the cards must have the fact, and half of those the word.
        if not having or len(having) < len(cards) / 4:
            continue
        [(word, count)] = Counter(chain.from_iterable(having)).most_common(1)
        if count >= len(having) / 2:
            usual[Term(key, "=", word, in_quotes=True)] = count
    return any_of(term for term, _ in usual.most_common(MAX_WORDS))
