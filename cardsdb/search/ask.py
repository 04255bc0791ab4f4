"""Answer a search in any words: in the search language, or in plain English that the games' words explain.

``answer_of`` is the way in, for pages, the command line and the API alike. It first takes the text as the
search language (``query/``), with one misspelling corrected if nothing else is near. If that leaves plain
words, each game reads them with its own vocabulary (``candidates.py``, ``plain/``), and the readings that
understand most become an ordinary query, whose cards ``results.py`` finds. Decision 0007 has the reasons.

    faction:krypy              ->  faction:krypt
    krypt agents with craft 4  ->  game:spycraft faction="The Krypt" type=agent craft=4

Tests: ``tests/cardsdb/search/test_ask.py``, with tables of questions and their answers beside it. The scores
here were tuned to these tables: change them only with these tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice, pairwise
from typing import Any

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Game, fold
from cardsdb.search.candidates import JOINTS, Candidate, candidates, every_word, games_named, names_game
from cardsdb.search.misspelling import without_slip
from cardsdb.search.plain.items import Item, items_of, sides_of
from cardsdb.search.plain.reading import Reading
from cardsdb.search.query.check import check
from cardsdb.search.query.english import ENGLISH, WORDS, number_of
from cardsdb.search.query.tree import (
    Exact,
    Query,
    Regex,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    leaves,
    normal,
    parts_of,
)
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardQuery, Results, count_of, parse_query, results_of

# A query of more words is taken as it was typed.
MAX_WORDS = 24
# The cards of a reading are shown if its score is at most this far below the best of all games,
SHOWN_BELOW = 0.32
# and at most this far below the best of its own game.
SHOWN_BELOW_IN_GAME = 0.08
# A reading that is not shown is offered as a link if it understands as many words, and its score is at most
# this far below the best.
OFFERED_BELOW = 0.5
# The most links.
MAX_OTHERS = 4


@dataclass(frozen=True, slots=True)
class Other:
    """Another possible meaning: as a query, as an English clause, and the number of cards that it finds."""

    meant: str
    words: str
    total: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The cards that a search is understood to ask for.

    ``meant``: the query that finds them; empty if that is the typed text. ``unknown``: typed words that were
    not understood. ``left``: conditions, in words, that were dropped because no card meets them with all the
    rest. ``others``: other possible meanings. ``without``: sentences on named games that have no such card.
    ``for_game``: the words that a typed game is meant for (``words_for_game``).
    """

    results: Results
    meant: str = ""
    unknown: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    for_game: CardQuery | None = None

    @property
    def told(self) -> list[str]:
        """Sentences on what was left out."""
        left = [f"No card has all of it; left out: {'; '.join(self.left)}."] if self.left else []
        return [*left, *self.without]

    def as_json(self) -> dict[str, Any] | None:
        """Return how the text was understood; None if it was searched as typed and understood whole."""
        if not self.meant and not self.unknown:
            return None
        query = self.results.query
        return {
            "query": self.meant,
            "words": in_words(query.query, query.fields),
            "not_understood": list(self.unknown),
            "left_out": [*self.left, *self.without],
            "others": [{"query": other.meant, "count": other.total} for other in self.others],
        }


def answer_of(query: CardQuery, game: Game | None = None) -> Answer:
    """Return the answer to a query, among the cards of ``game`` if one is given: the results of the text as
    typed, or of the best readings of its plain words.
    """
    words = words_for_game(query)
    if words and game in (None, words.game):
        return _answer_for_game(query, words)
    # ``typed``: the answer if the text is taken as the search language.
    query, typed = _answer_as_typed(replace(query, game=game or query.game), game)
    # The plain words, and the conditions of the search language among them.
    items = items_of(query.query.text, query.fields)
    if not _has_plain_words(query, items, typed):
        return typed
    questions = _questions(query, items, is_lost=not typed.results.total)
    ranked = _by_score(chain.from_iterable(questions))
    if not ranked:
        unknown = [word for word in _words_of(items) if word not in catalogue().derived(every_word)]
        # Small words are named only if there are no others, and nothing is found.
        telling = [word for word in unknown if word not in ENGLISH]
        return replace(typed, unknown=tuple(telling if telling or typed.results.total else unknown))
    shown = _by_score(chain.from_iterable(map(_shown, questions)))
    meant = _query_of(query, shown)
    results = _results(query, meant).preferring(_preferred(shown), ())
    if _shows_the_same(results, typed.results):
        return typed
    best = shown[0].reading
    left = tuple(in_words(part, query.fields) for part in best.left)
    without = () if query.game else tuple(_without(items, ranked, best))
    return Answer(results, normal(meant), best.unknown, _others(query, ranked, shown), left, without)


# -- the text as typed -----------------------------------------------------------------


def words_for_game(query: CardQuery) -> CardQuery | None:
    """Return the words that a typed game is meant for, as a query within this game, if there is an "or" among
    them: "game:spycraft kai or chen" asks for no Chen of another game. None for any other query, such as one
    with more conditions, or with the game beside an "or" or in brackets with some of the words.
    """
    text = query.query.text
    conditions = [leaf for leaf in leaves(query.query.tree, excluded=False) if not isinstance(leaf, Word)]
    if not conditions or query.query.faults:
        return None
    items = items_of(text, query.fields)
    if [*filter(_is_game, items)] != conditions or _is_of_one_side(items):
        return None
    games, rest = set[Game | None](), text
    for start, end in sorted((leaf.span for leaf in conditions), reverse=True):
        games.add(parse_query(text[start:end]).game)
        # "(game:spycraft) kai or chen" leaves an empty bracket.
        rest = f"{rest[:start].rstrip()} {rest[end:].lstrip()}".replace("( )", "").strip()
    game = games.pop() if len(games) == 1 else None
    words = replace(parse_query(rest, game, query.lists), own=query.own)
    is_divided = len(sides_of(items_of(rest, query.fields))) > 1
    return words if game and is_divided and not words.query.faults else None


def _is_game(item: Item) -> bool:
    return isinstance(item, Term) and item.key == "game"


def _is_of_one_side(items: Sequence[Item]) -> bool:
    """True if a game is typed beside an "or", so that it is meant for that alternative only."""
    return any("or" in pair and any(map(_is_game, pair)) for pair in pairwise(items))


def _answer_for_game(query: CardQuery, words: CardQuery) -> Answer:
    """Return the answer to the words of a query within the game that is meant for all of them."""
    answer = answer_of(words, words.game)
    results = _results(query, answer.results.query.query).preferring(answer.results.preferred, ())
    meant = answer.meant and normal(results.query.query)
    return replace(answer, results=results, meant=meant, for_game=words)


def _answer_as_typed(query: CardQuery, game: Game | None) -> tuple[CardQuery, Answer]:
    """Take the text as the search language, with amounts in words and one misspelling put right. Return the
    query as it was then read, and its answer.
    """
    typed, text = Answer(results_of(query.within(game))), query.query.text
    # Without brackets the plain words are read later, with their amounts.
    sized = query.fields.with_sizes(text) if "(" in text else text
    if sized != text:
        query = query.asking(check(sized, query.fields))
        typed = Answer(results_of(query.within(game)), normal(query.query))
    if not typed.results.total and (meant := without_slip(query)):
        query = query.asking(meant)
        typed = Answer(results_of(query.within(game)), normal(meant))
    return query, typed


def _words_of(items: Sequence[Item]) -> list[str]:
    return [item for item in items if isinstance(item, str) and item not in JOINTS]


def _has_plain_words(query: CardQuery, items: Sequence[Item], typed: Answer) -> bool:
    """True if the query has plain words to read; false if the search language answers it best."""
    text = query.query.text
    # A star is one for words ("k*i"), unless the query has a pattern, which may hold it.
    has_star = "*" in text and not any(
        isinstance(leaf, Regex) for leaf in leaves(query.query.tree, excluded=True)
    )
    is_plain = _words_of(items) or has_star or "not" in fold(text).split()
    if not is_plain or len(items) > MAX_WORDS or query.query.faults:
        return False
    conditions = {item for item in items if not isinstance(item, str)}
    if len(sides_of(items)) > 1 and conditions:
        # An "or" beside a condition is meant as that of the search language, unless that is a game for all.
        return len(conditions) == 1 and all(map(_is_game, conditions)) and not _is_of_one_side(items)
    # No vocabulary knows cards of a visitor's own sets, so words that find one are taken as typed.
    return not any(entry.card.own for entry in typed.results.found)


def _shows_the_same(results: Results, typed: Results) -> bool:
    """True if both find the same cards, in the same order or, as typed, in groups."""
    return set(results.pks) == set(typed.pks) and bool(typed.groups or results.cards == typed.cards)


# -- two questions in one --------------------------------------------------------------


def _questions(query: CardQuery, items: Sequence[Item], is_lost: bool) -> list[list[Candidate]]:
    """Return the readings of the query, by score. If both sides of an "or" are whole questions, return those
    of each: "agents from spycraft or agents from spynet". They are if each by itself is understood without a
    rest, and if each names its game or the query as a whole is not understood so; but a "not" before the "or"
    is meant for both sides ("not public or private"), unless the other has its own or names its game.
    """

    def read(some: Sequence[Item]) -> list[Candidate]:
        return _by_score(candidates(query, some, is_lost))

    def is_understood(found: Sequence[Candidate]) -> bool:
        return bool(found) and not found[0].reading.unknown + found[0].reading.left

    def is_denied(side: Sequence[Item]) -> bool:
        return any(item in WORDS["negation"] for item in side)

    sides = sides_of(items)
    # A number alone ("craft 4 or 7") asks for no card of that number.
    is_divided = len(sides) > 1 and not any(all(number_of(str(item)) for item in side) for side in sides)
    whole = None if is_divided and all(map(names_game, sides)) else read(items)
    shares_not = any(
        is_denied(side) and not (is_denied(other) or names_game(other)) for side, other in pairwise(sides)
    )
    if is_divided and not shares_not and not (whole and is_understood(whole)):
        each = [read(side) for side in sides]
        if all(map(is_understood, each)):
            return each
    return [read(items) if whole is None else whole]


def _by_score(found: Iterable[Candidate]) -> list[Candidate]:
    return sorted(found, key=lambda candidate: -candidate.reading.score)


# -- the readings that are shown -------------------------------------------------------


def _shown(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the readings, of those sorted by score, whose cards are shown: the best, and those near it that
    understand as many words. For "wound" these are Spycraft's ``does=wound`` and X-Files' ``does=damage``,
    both with 0.95, but not ``!"Flesh Wound"`` with 0.7, which is too far below the best of its own game.
    """
    best = ranked[0].reading
    # Slug of a game -> the score of its best reading.
    best_of: dict[str, float] = {}
    for game, reading in ranked:
        best_of.setdefault(game.slug, reading.score)
    return [
        Candidate(game, reading)
        for game, reading in ranked
        if reading.score >= max(best.score - SHOWN_BELOW, best_of[game.slug] - SHOWN_BELOW_IN_GAME)
        and len(reading.unknown) + len(reading.left) <= len(best.unknown) + len(best.left)
    ]


def _others(query: CardQuery, ranked: Sequence[Candidate], shown: Sequence[Candidate]) -> tuple[Other, ...]:
    """Return the likeliest readings that are not shown, each query once."""
    least = ranked[0].reading.score - OFFERED_BELOW
    unknown = len(ranked[0].reading.unknown)
    offered = [
        other
        for other in ranked
        if other not in shown and other.reading.score >= least and len(other.reading.unknown) <= unknown
    ]
    queries = (Query(other.tree, (), query.query.order or other.reading.order) for other in offered)
    by_text = {normal(meant): meant for meant in queries}
    return tuple(
        Other(text, in_words(meant, query.fields), count_of(query, meant.tree))
        for text, meant in islice(by_text.items(), MAX_OTHERS)
    )


def _without(items: Sequence[Item], ranked: Sequence[Candidate], best: Reading) -> Iterator[str]:
    """Yield a sentence for each named game in which no reading understands as many words as the best. Of
    several things, such as "agents or leaders", each game may have some; then nothing is told.
    """
    named, rest = games_named(items)
    if any(item in JOINTS for item in rest):
        return
    most = len(best.unknown + best.left)
    found = [game for game, reading in ranked if len(reading.unknown + reading.left) <= most]
    yield from (f"{game.name} has none." for game in named if game not in found)


def _results(query: CardQuery, meant: Query) -> Results:
    """Return the results of another query for the same visitor. It is parsed anew from its normal form, so
    that the filter form shows its controls.
    """
    asked = replace(parse_query(normal(meant), lists=query.lists), text=query.text, own=query.own)
    return results_of(asked)


def _query_of(query: CardQuery, shown: Sequence[Candidate]) -> Query:
    """Return the query for all these readings, each in its game, and for ``_same_words``."""
    trees = (any_of((candidate.tree, _same_words(query, candidate))) for candidate in shown)
    return Query(any_of(dict.fromkeys(trees)), (), query.query.order or shown[0].reading.order)


def _same_words(query: CardQuery, candidate: Candidate) -> Tree | None:
    """Return a condition for cards of the game that contain the typed words, to be shown after those of a
    reading; None if it does not apply or finds nothing.

    It applies if the query begins like a question ("can agents heal" also finds ``"agent" "heal"``), or is
    one word, not a plural, that is read as a deed or as part of a name ("wound" also finds ``wound``).
    """
    game, reading = candidate
    typed = query.query
    words = [fold(leaf.value) for leaf in leaves(typed.tree, excluded=False) if isinstance(leaf, Word)]
    is_asked = set(fold(typed.text).split()[:1]) <= set(WORDS["asking"])
    same: tuple[Tree | None, ...] = reading.also if is_asked else ()
    if len(words) == 1 and not words[0].endswith("s"):
        (word,) = words
        if any(_is_part(leaf, word) for leaf in leaves(reading.tree)):
            same = (typed.tree,)
    of_game = Term("game", ":", game.slug)
    trees = (all_of(dict.fromkeys((of_game, *parts_of(tree)))) for tree in same)
    return next((tree for tree in trees if tree and count_of(query, tree)), None)


def _is_part(leaf: Tree, word: str) -> bool:
    """True if a condition is a deed, or a name of which the word is only a part."""
    if isinstance(leaf, Exact):
        return fold(leaf.value) != word
    return getattr(leaf, "key", "") in ("does", "name")


def _preferred(shown: Sequence[Candidate]) -> list[Tree]:
    """Return conditions for ``Results.preferring``, the most important first: for each score, what its
    readings prefer themselves, then all that they find. Cards that only contain the words come last.
    """
    preferred: list[Tree | None] = []
    # Scores are compared to the hundredth; ``shown`` is sorted by score.
    for _, of_score in groupby(shown, key=lambda candidate: round(candidate.reading.score, 2)):
        equals = list(of_score)
        for _, reading in equals:
            preferred += (all_of((*reading.parts, part)) for part in reading.first)
        preferred.append(any_of(candidate.tree for candidate in equals))
    return [tree for tree in preferred if tree]
