"""Answer a search in any words: in the search language, or in plain English that the games' words explain.

``answer_of`` is the way in, for pages, the command line and the API alike. It first takes the text as the
search language (``query/``). If that leaves plain words, each game reads them with its own vocabulary
(``plain/``), and the readings that understand most become an ordinary query, whose cards ``results.py``
finds. Decision 0007 has the reasons. The scores below are tuned to the tables of questions with their answers
(``tests/cardsdb/search/*.csv``, run by ``test_ask.py``): change them only with these tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Any

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Game, fold
from cardsdb.search.plain.items import Item, items_of, joins
from cardsdb.search.plain.patterns import Cutter
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.reading import Reading, read
from cardsdb.search.plain.vocabulary import Vocabulary, phrase_of
from cardsdb.search.query.check import check
from cardsdb.search.query.english import ENGLISH, FILLERS, WORDS
from cardsdb.search.query.tree import (
    Exact,
    Query,
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
from cardsdb.search.slips import without_slip

# A query of more words is taken as it was typed.
MAX_WORDS = 24
# A reading with a lower score is dropped.
MIN_SCORE = 0.4
# The cards of a reading are shown if its score is at most this far below the best of all games, and at most
# this far below the best of its own game.
SHOWN_BELOW, SHOWN_BELOW_IN_GAME = 0.32, 0.08
# A reading that is not shown is offered as a link if its score is at most this far below the best; and the
# number of links.
OFFERED_BELOW, MAX_OTHERS = 0.5, 4
# Scores of readings as names (``_as_names``): a print's code or number, or a card called by all words.
CODE_SCORE = 1.05
# Cards whose names stand between commas.
LISTED_SCORE = 1.0
# A card called by all words except those of ABOUT_NAMES.
CALLED_SCORE = 0.85
# Cards whose names have words that begin with the typed ones: this, more for each word, and more if whole
# words of a name are typed.
NAME_SCORE, EACH_WORD_SCORE, WHOLE_WORD_SCORE = 0.55, 0.1, 0.05
# Words that are looked for if no card has all of them, and the score of cards that have each.
MAX_SOME, SOME_SCORE = 6, 0.6
# Items that join words.
JOINTS = ("or", "and", ",")
# Words that may stand beside a card's name in a question about it.
ABOUT_NAMES = FILLERS.union(WORDS["high"], WORDS["purpose"])
# The most words of a print's code, and of a game's name.
MAX_CODE = 4
MAX_GAME_NAME = 3


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
    rest. ``others``: other possible meanings.
    """

    results: Results
    meant: str = ""
    unknown: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any] | None:
        """Return how the text was understood; None if it was searched as typed and understood whole."""
        if not self.meant and not self.unknown:
            return None
        query = self.results.query
        return {
            "query": self.meant,
            "words": in_words(query.query, query.fields),
            "not_understood": list(self.unknown),
            "left_out": list(self.left),
            "others": [{"query": other.meant, "count": other.total} for other in self.others],
        }


def answer_of(query: CardQuery, game: Game | None = None) -> Answer:
    """Return the answer to a query, among the cards of ``game`` if one is given: the results of the text as
    typed, or of the best readings of its plain words.
    """
    query, typed = _answer_as_typed(replace(query, game=game or query.game), game)
    items = items_of(query.query.text, query.fields)
    if not _has_plain_words(query, items, typed):
        return typed
    readings = sorted(_readings(query, items, not typed.results.total), key=lambda pair: -pair[1].score)
    if not readings:
        known = catalogue().derived(_every_word).union(ENGLISH)
        return replace(typed, unknown=tuple(word for word in _words_of(items) if word not in known))
    shown = _shown(readings)
    meant = _query_of(query, shown)
    results = _results(query, meant).preferring(_preferred(shown), ())
    if set(results.pks) == set(typed.results.pks) and (
        typed.results.groups or results.cards == typed.results.cards
    ):
        # The same cards, in the same order or in groups: no other words are needed.
        return typed
    rest = (pair for pair in readings if pair not in shown)
    offered = [pair for pair in rest if pair[1].score >= readings[0][1].score - OFFERED_BELOW][:MAX_OTHERS]
    queries = [
        Query(_in_game(game, reading), (), query.query.order or reading.order) for game, reading in offered
    ]
    others = [Other(normal(one), in_words(one, query.fields), count_of(query, one.tree)) for one in queries]
    left = tuple(in_words(part, query.fields) for part in shown[0][1].left)
    return Answer(results, normal(meant), shown[0][1].unknown, tuple(others), left)


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
    is_plain = _words_of(items) or "*" in text or "not" in fold(text).split()
    if not is_plain or len(items) > MAX_WORDS or query.query.faults:
        return False
    conditions = (item for item in items if not isinstance(item, str))
    if joins(items) and not all(isinstance(part, Term) and part.key == "game" for part in conditions):
        # An "or" beside a condition is meant as that of the search language.
        return False
    # No vocabulary knows cards of a visitor's own sets, so words that find one are taken as typed.
    return not any(entry.card.own for entry in typed.results.found)


def _shown(readings: Sequence[tuple[Game, Reading]]) -> list[tuple[Game, Reading]]:
    """Return the readings, of those sorted by score, whose cards are shown: the best, and those near it that
    understand as many words.
    """
    best = readings[0][1]
    best_of = {game.slug: reading.score for game, reading in reversed(readings)}
    return [
        (game, reading)
        for game, reading in readings
        if reading.score >= max(best.score - SHOWN_BELOW, best_of[game.slug] - SHOWN_BELOW_IN_GAME)
        and len(reading.unknown) + len(reading.left) <= len(best.unknown) + len(best.left)
    ]


def _results(query: CardQuery, meant: Query) -> Results:
    """Return the results of another query for the same visitor. It is parsed anew from its normal form, so
    that the filter form shows its controls.
    """
    asked = replace(parse_query(normal(meant), lists=query.lists), text=query.text, own=query.own)
    return results_of(asked)


def _query_of(query: CardQuery, readings: Sequence[tuple[Game, Reading]]) -> Query:
    """Return the query for all these readings, each in its game, and for ``_same_words``."""
    trees = (any_of([_in_game(*pair), _same_words(query, *pair)]) for pair in readings)
    order = query.query.order or readings[0][1].order
    return Query(any_of(dict.fromkeys(trees)), (), order)


def _same_words(query: CardQuery, game: Game, reading: Reading) -> Tree | None:
    """Return a condition for cards of the game that contain the typed words, to be shown after those of a
    reading; None if it does not apply or finds nothing.

    It applies if the query begins like a question, or is one word, not a plural, that is read as a deed or as
    part of a name.
    """
    typed = query.query
    words = [fold(leaf.value) for leaf in leaves(typed.tree, excluded=False) if isinstance(leaf, Word)]
    same = reading.also if set(map(fold, typed.text.split()[:1])) & set(WORDS["asking"]) else ()
    if len(words) == 1 and not words[0].endswith("s"):
        is_part = (
            fold(leaf.value) != words[0]
            if isinstance(leaf, Exact)
            else getattr(leaf, "key", "") in ("does", "name")
            for leaf in leaves(reading.tree)
        )
        same = (typed.tree,) if any(is_part) else same
    of_game = Term("game", ":", game.slug)
    trees = (all_of(dict.fromkeys((of_game, *parts_of(tree)))) for tree in same)
    return next((tree for tree in trees if tree and count_of(query, tree)), None)


def _in_game(game: Game, reading: Reading) -> Tree | None:
    """Return the conditions of a reading, with its game unless the reading names a game itself."""
    named = any(isinstance(part, Term) and part.key == "game" for part in reading.parts)
    of_game = None if named else Term("game", ":", game.slug)
    return all_of(dict.fromkeys((of_game, *reading.parts)))


def _preferred(readings: Sequence[tuple[Game, Reading]]) -> list[Tree]:
    """Return conditions for ``Results.preferring``, the most important first: for each score, what its
    readings prefer themselves, then all that they find. Cards that only contain the words come last.
    """
    first: list[Tree | None] = []
    for _, alike in groupby(readings, key=lambda pair: round(pair[1].score, 2)):
        equals = list(alike)
        first += [all_of([*reading.parts, part]) for _, reading in equals for part in reading.first]
        first.append(any_of(_in_game(game, reading) for game, reading in equals))
    return [tree for tree in first if tree]


# -- readings of each game -------------------------------------------------------------


def _readings(query: CardQuery, items: Sequence[Item], is_lost: bool) -> Iterator[tuple[Game, Reading]]:
    """Yield each game with its likeliest reading that finds a card, and also the reading as names if that
    differs. ``is_lost``: the text as typed finds no card.
    """
    for game, asked in _by_game(query, items):
        vocabulary = catalogue().derived(vocabulary_of, game)
        pieces = Cutter(asked, vocabulary).pieces()
        is_about = any(word in asked for word in WORDS["concerning"])
        named = None if is_about else _as_names(asked, game, vocabulary)
        for reading in _variants(pieces, vocabulary, is_lost):
            if (
                (reading.parts or asked is not items)
                and reading.score >= MIN_SCORE
                and count_of(query, _in_game(game, reading))
            ):
                # If both have the same conditions, only the better one counts.
                if not named or named.parts != reading.parts or named.score < reading.score:
                    yield game, reading
                if named and (named.parts != reading.parts or named.score > reading.score):
                    yield game, named
                break
        else:
            # No variant finds a card. What is left are names, or cards that have some of the words.
            some = () if named or not is_lost else _with_some_words(asked, vocabulary)
            found = (reading for reading in some if count_of(query, _in_game(game, reading)))
            if last := named or next(found, None):
                yield game, last


def _variants(cut: Sequence[Piece], vocabulary: Vocabulary, is_lost: bool) -> Iterator[Reading]:
    """Yield possible readings of the pieces, the likeliest first.

    First a question of what cards do: its narrower changes, itself, its wider changes; then the same pieces
    without the verb. All that again with ``is_wide``. Last, readings with one part left out.
    """

    def reading_of(with_verb: bool, is_wide: bool) -> Reading:
        # Copies, because reading changes the pieces.
        return read([replace(piece) for piece in cut], vocabulary, with_verb, is_wide)

    for is_wide in (False, True):
        reading = reading_of(True, is_wide)
        yield from reading.changed(reading.narrower)
        yield reading
        if reading.is_playing:
            yield reading_of(False, is_wide)
        yield from reading.changed(reading.wider)
        yield reading_of(False, is_wide)
    yield from reading.halved(is_lost)


def _by_game(query: CardQuery, items: Sequence[Item]) -> list[tuple[Game, Sequence[Item]]]:
    """Return the games that may be meant, each with the items that it should read: the query's game; else
    the games whose names stand first or last ("spycraft or x-files traps"), with the remaining items; else
    all games.
    """
    if query.game:
        return [(query.game, items)]
    for is_first in (True, False):
        found = _game_beside(items, is_first)
        named = [found] if found else []
        while found and found[1] and found[1][0 if is_first else -1] in JOINTS:
            if found := _game_beside(found[1][1:] if is_first else found[1][:-1], is_first):
                named.append(found)
        if named:
            _, rest, is_type = named[-1]
            # "X-Files" is the name of a game, and "X-File" a type of its cards, so all items are tried too.
            also = [(named[0][0], items)] if is_type and len(named) == 1 else []
            return [*((game, rest) for game in dict.fromkeys(game for game, *_ in named)), *also]
    return [(game, items) for game in games().values()]


def _game_beside(items: Sequence[Item], is_first: bool) -> tuple[Game, Sequence[Item], bool] | None:
    """Return (game whose name stands first, or else last; the other items; whether its name is also that of
    a card type), or None.
    """
    for game in games().values():
        vocabulary = catalogue().derived(vocabulary_of, game)
        for length in range(min(MAX_GAME_NAME, len(items) - 1), 0, -1):
            name, rest = (items[:length], items[length:]) if is_first else (items[-length:], items[:-length])
            words = [word for word in name if isinstance(word, str)]
            kinds = {sense.kind for sense in vocabulary.senses(words)} if len(words) == length else set()
            if "game" in kinds:
                return game, rest, "type" in kinds
    return None


def _as_names(items: Sequence[Item], game: Game, vocabulary: Vocabulary) -> Reading | None:
    """Read the words as names of cards: as the code or number of a print, else as whole names, else as
    beginnings of words of names. Return the first of these that finds a card, or None.
    """
    words = [item for item in items if isinstance(item, str) and item not in ("or", "and")]
    conditions = [item for item in items if not isinstance(item, str)]
    code = [word for word in words if word not in (*WORDS["noun"], "number", "no", "nr")]
    if len(code) <= MAX_CODE and (numbered := game.name_index.numbered(" ".join(code))):
        return Reading((*conditions, *_either(Exact(card.name) for card in numbered)), score=CODE_SCORE)
    listed = [list(part) for is_comma, part in groupby(words, lambda word: word == ",") if not is_comma]
    called = [word for word in words if word not in ABOUT_NAMES]
    for names, score in (([words], CODE_SCORE), (listed, LISTED_SCORE), ([called], CALLED_SCORE)):
        cards = [
            _either(sense.tree for sense in vocabulary.senses(name) if sense.kind == "name")
            or (_either(vocabulary.with_words(name)) if len(names) > 1 else [])
            for name in names
        ]
        if cards and all(cards):
            exact = [tree for trees in cards for tree in trees]
            # Cards whose names contain the words come after those called exactly so.
            others = vocabulary.with_words(names[0]) if len(names) == 1 else []
            named = any_of(dict.fromkeys((*leaves(any_of(exact)), *others)))
            return Reading((*conditions, named), first=tuple(exact), score=score) if named else None
    telling = [word for word in words if word not in FILLERS]
    for name in (words, telling, [vocabulary.mended(word) or word for word in telling]):
        if named := vocabulary.named(name):
            of_words = all_of(Term("name", ":", word) for word in name)
            # A few cards are listed by their whole names; for many the query is shorter by words.
            tree = of_words if len(list(leaves(named))) > MAX_OTHERS and of_words else named
            whole_word = WHOLE_WORD_SCORE if vocabulary.with_words(name) else 0
            score = NAME_SCORE + whole_word + EACH_WORD_SCORE * len(name)
            return Reading((*conditions, tree), score=score, count=len(name))
    return None


def _with_some_words(items: Sequence[Item], vocabulary: Vocabulary) -> Iterator[Reading]:
    """Yield readings for cards that have some of the words in their names or texts: first all the words, then
    one less each time, down to half of them. Cards with the words in their names come first.
    """
    words = [item for item in items if isinstance(item, str) and item not in ENGLISH][:MAX_SOME]
    conditions = [item for item in items if not isinstance(item, str)]
    named = {word: vocabulary.called_like(word) if len(words) > 1 else None for word in words}
    trees = {word: tree for word in words if (tree := any_of((named[word], *vocabulary.in_texts(word))))}
    first = tuple(tree for tree in (all_of(named.values()), any_of(named.values())) if tree)
    unknown = tuple(word for word in words if word not in trees)
    for size in range(len(trees), max(0, (len(words) - 1) // 2), -1):
        either = _either(all_of(some) for some in combinations(trees.values(), size))
        score = SOME_SCORE * size / len(words)
        yield Reading((*conditions, *either), (), first, score, unknown, len(words))


def _either(trees: Iterable[Tree | None]) -> list[Tree]:
    """Return the Or of the trees in a list of one, or an empty list if there is no tree."""
    return [tree] if (tree := any_of(trees)) else []


def vocabulary_of(whole: Catalogue, game: Game) -> Vocabulary:
    """Return the vocabulary of a game. Call it as ``catalogue().derived(vocabulary_of, game)``, which makes
    it once for an edition.
    """
    entries = [entry for entry in whole.entries if entry.card.game == game.slug]
    return Vocabulary(game, whole.fields(game), entries, whole.derived(_every_word))


def _every_word(whole: Catalogue) -> frozenset[str]:
    """Return the words of all names and texts of the catalogue, in the form of ``phrase_of``."""
    return frozenset(word for entry in whole.entries for word in phrase_of(entry.search_text).split())
