"""Answer what people ask in any words: each game reads them with its own vocabulary, and the reading that
understands most is the answer, on every page, on the command line and in the API alike.

``answer_of`` is the way in. ``query/`` reads the search language, ``plain/`` reads plain words, and
``results.py`` finds the cards; here is chosen which of the readings are meant. Decision 0007 has the reasons.
Tables of questions with their answers are the tests: ``tests/cardsdb/search/*.csv``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Any

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Game, fold
from cardsdb.games.kit.model.names import digits_of, letters_off
from cardsdb.search.plain.items import Item, items_of, joins
from cardsdb.search.plain.patterns import Cutter
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.reading import Reading, read
from cardsdb.search.plain.vocabulary import Vocabulary, phrase_of
from cardsdb.search.query.check import check
from cardsdb.search.query.english import ENGLISH, FILLERS, WORDS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import (
    Exact,
    Query,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    instead_of,
    leaves,
    normal,
    parts_of,
)
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardQuery, Results, count_of, parse_query, results_of

# A query of more words is taken as it was typed.
MAX_WORDS = 24
# A reading with a lower score than LEAST is none. The cards of a reading are shown with those of the best if
# its score is lower by at most BESIDE, and by at most BESIDE_IN_GAME than the best of its own game. One that
# is not shown, and is lower by at most TOLD, is told as something else that may be meant.
LEAST, BESIDE, BESIDE_IN_GAME, TOLD = 0.4, 0.32, 0.08, 0.5
# The scores of names (``_named``). OF_CODE: a print's code or number, or a card that is called by all words.
# OF_APART: cards whose names stand between commas. OF_SAID: a card that is called by all words but those of
# ABOUT_NAMES. OF_NAME: cards whose names have words that begin with those of the query, with BY_WORD more for
# each word, and with OF_WHOLE more if whole words of a name are typed.
OF_NAME, OF_WHOLE, BY_WORD, OF_CODE, OF_APART, OF_SAID = 0.55, 0.05, 0.1, 1.05, 1.0, 0.85
# How many other queries are told; and a name that more cards have is one condition, not a list of cards.
MAX_OTHERS = 4
# How many words are looked for where no card has all, and the score of cards that have each (``_holding``).
MAX_HELD, OF_HELD = 6, 0.6
# Items that join words and are none.
JOINTS = ("or", "and", ",")
# Words that ask about a card beside its name.
ABOUT_NAMES = FILLERS.union(WORDS["high"], WORDS["purpose"])
# The most words of a print's code, and of a game's name.
MAX_CODE = 4
MAX_GAME_NAME = 3


@dataclass(frozen=True, slots=True)
class Other:
    """Another thing that may be meant: as a query, in words, and how many cards it finds."""

    meant: str
    words: str
    total: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The cards that are meant by a query.

    ``meant``: the query that finds them, empty where that is what was typed; ``unknown``: the words of which
    nothing was understood; ``left``: in words, what no card has besides all the rest; ``others``: what else
    may be meant.
    """

    results: Results
    meant: str = ""
    unknown: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any] | None:
        """Return what is shown in place of the query as it was typed; None where that is shown whole."""
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
    """Return the answer to a query, among the cards of a game where one is given: what was typed, or what
    the best readings of its words mean.
    """
    query = replace(query, game=game or query.game)
    typed = Answer(results_of(query.within(game)))
    # First the search language itself, with sizes in words and one slip put right.
    sized = query.fields.with_sizes(query.query.text) if "(" in query.query.text else query.query.text
    if sized != query.query.text:
        query = query.asking(check(sized, query.fields))
        typed = Answer(results_of(query.within(game)), normal(query.query))
    if not typed.results.total and (meant := _without_slip(query)):
        query = query.asking(meant)
        typed = Answer(results_of(query.within(game)), normal(meant))
    # Then plain words, unless there are none, too many, or words that the language understands better.
    items = items_of(query.query.text, query.fields)
    words = [item for item in items if isinstance(item, str) and item not in JOINTS]
    is_plain = words or "*" in query.query.text or "not" in fold(query.query.text).split()
    if not is_plain or len(items) > MAX_WORDS or query.query.faults:
        return typed
    conditions = [item for item in items if not isinstance(item, str)]
    if joins(items) and not all(isinstance(one, Term) and one.key == "game" for one in conditions):
        # An "or" beside a condition is that of the language.
        return typed
    if any(entry.card.own for entry in typed.results.found):
        # No vocabulary knows the cards of one's own sets, so words that find one are taken as typed.
        return typed
    readings = sorted(_readings(query, items, not typed.results.total), key=lambda one: -one[1].score)
    if not readings:
        # No game reads anything in them: told are the words that no card and no question has.
        known = catalogue().derived(_every_word)
        return replace(
            typed, unknown=tuple(word for word in words if word not in known and word not in ENGLISH)
        )
    # Shown are the best reading and those near it that understand as many words; others are told.
    best = readings[0][1].score
    of_game = {game.slug: max(one.score for other, one in readings if other is game) for game, _ in readings}
    shown = [
        (game, one)
        for game, one in readings
        if one.score >= max(best - BESIDE, of_game[game.slug] - BESIDE_IN_GAME)
        and len(one.unknown) + len(one.left) <= len(readings[0][1].unknown) + len(readings[0][1].left)
    ]
    told = [one for one in readings if one not in shown and one[1].score >= best - TOLD][:MAX_OTHERS]
    meant = _together(query, shown)
    results = _results(query, meant).preferring(_first(shown), ())
    if set(results.pks) == set(typed.results.pks) and (
        typed.results.groups or results.cards == typed.results.cards
    ):
        # The same cards in groups need no other words.
        return typed
    queries = [Query(_within(*one), (), query.query.order or one[1].order) for one in told]
    others = [Other(normal(one), in_words(one, query.fields), count_of(query, one.tree)) for one in queries]
    first = shown[0][1]
    left = tuple(in_words(part, query.fields) for part in first.left)
    return Answer(results, normal(meant), first.unknown, tuple(others), left)


def _without_slip(query: CardQuery) -> Query | None:
    """The query with its one condition that finds no card replaced by what was meant (``mended``). None if
    several find none, if it is not sure what was meant, or if the new query finds no card either.
    """
    asked = query.query
    to_blame = [part for part in parts_of(asked.tree) if not count_of(query, part)]
    meant = (
        mended(to_blame[0], query.fields, catalogue()) if len(to_blame) == 1 and not asked.faults else None
    )
    if meant is None:
        return None
    other = instead_of(asked, to_blame, meant)
    other = replace(other, text=normal(other))
    return other if count_of(query, other.tree) else None


def _results(query: CardQuery, meant: Query) -> Results:
    """The cards that another query finds for the same visitor. It is read anew from its normal form, so that
    its controls are those of what is shown.
    """
    asked = replace(parse_query(normal(meant), lists=query.lists), text=query.text, own=query.own)
    return results_of(asked)


def _together(query: CardQuery, readings: Sequence[tuple[Game, Reading]]) -> Query:
    """The query that finds what any of these readings means, each among the cards of its game, and what is
    found besides (``_also``).
    """
    trees = (any_of([_within(game, one), _also(query, game, one)]) for game, one in readings)
    order = query.query.order or readings[0][1].order
    return Query(any_of(dict.fromkeys(trees)), (), order)


def _also(query: CardQuery, game: Game, reading: Reading) -> Tree | None:
    """Return the condition for cards of the game that have the very words, to be found besides a reading;
    None if there are no such cards.

    They are looked for if the query begins as a question does, or if it is one word, no plural, that is read
    as a deed or as part of a name.
    """
    typed = query.query
    words = [fold(leaf.value) for leaf in leaves(typed.tree, excluded=False) if isinstance(leaf, Word)]
    also = reading.also if set(map(fold, typed.text.split()[:1])) & set(WORDS["asking"]) else ()
    if len(words) == 1 and not words[0].endswith("s"):
        is_part = (
            fold(leaf.value) != words[0]
            if isinstance(leaf, Exact)
            else getattr(leaf, "key", "") in ("does", "name")
            for leaf in leaves(reading.tree)
        )
        also = (typed.tree,) if any(is_part) else also
    of_game = Term("game", ":", game.slug)
    trees = (all_of(dict.fromkeys((of_game, *parts_of(tree)))) for tree in also)
    return next((tree for tree in trees if tree and count_of(query, tree)), None)


def _within(game: Game, reading: Reading) -> Tree | None:
    """The conditions of a reading and that of its game, unless the reading names a game itself."""
    named = any(isinstance(part, Term) and part.key == "game" for part in reading.parts)
    of_game = None if named else Term("game", ":", game.slug)
    return all_of(dict.fromkeys((of_game, *reading.parts)))


def _first(readings: Sequence[tuple[Game, Reading]]) -> list[Tree]:
    """Return the conditions for the cards that come first, in their order (``Results.preferring``): for each
    score, the highest first, what these readings themselves put first, then all that they find. Behind these
    come the cards that only have the words.
    """
    first: list[Tree | None] = []
    for _, alike in groupby(readings, key=lambda one: round(one[1].score, 2)):
        equals = list(alike)
        first += [all_of([*one.parts, part]) for _, one in equals for part in one.first]
        first.append(any_of(_within(game, one) for game, one in equals))
    return [tree for tree in first if tree]


def _readings(query: CardQuery, items: Sequence[Item], is_lost: bool) -> Iterator[tuple[Game, Reading]]:
    """Yield each game with what it reads in the words, if that finds any card: the likeliest reading, and
    beside it the reading as names if both differ. ``is_lost``: as typed the words find nothing.
    """
    for game, asked in _by_game(query, items):
        vocabulary = catalogue().derived(vocabulary_of, game)
        pieces = Cutter(asked, vocabulary).pieces()
        is_about = any(word in asked for word in WORDS["concerning"])
        named = None if is_about else _named(asked, game, vocabulary)
        for one in _variants(pieces, vocabulary, is_lost):
            if (
                (one.parts or asked is not items)
                and one.score >= LEAST
                and count_of(query, _within(game, one))
            ):
                # Of two readings with the same conditions the better one stands.
                if not named or named.parts != one.parts or named.score < one.score:
                    yield game, one
                if named and (named.parts != one.parts or named.score > one.score):
                    yield game, named
                break
        else:
            # No variant finds a card: names are left, or cards that have some of the words.
            held = () if named or not is_lost else _holding(asked, vocabulary)
            found = (one for one in held if count_of(query, _within(game, one)))
            if last := named or next(found, None):
                yield game, last


def _variants(cut: Sequence[Piece], vocabulary: Vocabulary, is_lost: bool) -> Iterator[Reading]:
    """Yield what the words may mean, the likeliest first: as a question of what cards do, with the changes
    that narrow it before it and those that widen it behind it; then as no such question. The same comes again
    with each value as what cards have in any way. Last come readings with one part left out.
    """

    def reading_of(with_verb: bool, is_wide: bool) -> Reading:
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
    """Return the games that may be meant, each with the items that are asked of it: the query's game; else
    those whose names stand first or last, without these names, several with an "and" or an "or" between them;
    else all.
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
            also = [(named[0][0], items)] if is_type and len(named) == 1 else []
            # "X-File" is a type of its game, too.
            return [*((game, rest) for game in dict.fromkeys(game for game, *_ in named)), *also]
    return [(game, items) for game in games().values()]


def _game_beside(items: Sequence[Item], is_first: bool) -> tuple[Game, Sequence[Item], bool] | None:
    """Return the game whose name stands first, or last, the other words, and whether that is the name of a
    type, too; None if there is none.
    """
    for game in games().values():
        vocabulary = catalogue().derived(vocabulary_of, game)
        for length in range(min(MAX_GAME_NAME, len(items) - 1), 0, -1):
            words, rest = (items[:length], items[length:]) if is_first else (items[-length:], items[:-length])
            said = [word for word in words if isinstance(word, str)]
            kinds = {sense.kind for sense in vocabulary.senses(said)} if len(said) == length else set()
            if "game" in kinds:
                return game, rest, "type" in kinds
    return None


def _named(items: Sequence[Item], game: Game, vocabulary: Vocabulary) -> Reading | None:
    """Return the words as names of cards, as the first of these that finds any: a print's code or number,
    whole names, words with which words of a name begin. None if they are no names. OF_CODE and the constants
    beside it are the scores.
    """
    words = [item for item in items if isinstance(item, str) and item not in ("or", "and")]
    typed = [item for item in items if not isinstance(item, str)]
    said = [word for word in words if word not in ABOUT_NAMES]
    code = [word for word in words if word not in (*WORDS["noun"], "number", "no", "nr")]
    if len(code) <= MAX_CODE and (numbered := game.name_index.numbered(" ".join(code))):
        return Reading((*typed, *_either(Exact(card.name) for card in numbered)), score=OF_CODE)
    apart = [list(part) for is_comma, part in groupby(words, lambda word: word == ",") if not is_comma]
    for names, score in (([words], OF_CODE), (apart, OF_APART), ([said], OF_SAID)):
        called = [
            _either(one.tree for one in vocabulary.senses(name) if one.kind == "name")
            or (_either(vocabulary.with_words(name)) if len(names) > 1 else [])
            for name in names
        ]
        if called and all(called):
            exact = [tree for trees in called for tree in trees]
            # Cards with more words in their names come behind those that are called just so.
            others = vocabulary.with_words(names[0]) if len(names) == 1 else []
            named = any_of(dict.fromkeys((*leaves(any_of(exact)), *others)))
            return Reading((*typed, named), first=tuple(exact), score=score) if named else None
    telling = [word for word in words if word not in FILLERS]
    for name in (words, telling, [vocabulary.mended(word) or word for word in telling]):
        if named := vocabulary.named(name):
            of_words = all_of(Term("name", ":", word) for word in name)
            # Many cards are told by the words of their names, few by their whole names.
            told = of_words if len(list(leaves(named))) > MAX_OTHERS and of_words else named
            whole_word = OF_WHOLE if vocabulary.with_words(name) else 0
            return Reading((*typed, told), score=OF_NAME + whole_word + BY_WORD * len(name), count=len(name))
    return None


def _holding(items: Sequence[Item], vocabulary: Vocabulary) -> Iterator[Reading]:
    """Yield readings for cards that have the words, in their names before their texts: first for all words,
    then for one less each time, down to half of them.
    """
    words = [item for item in items if isinstance(item, str) and item not in ENGLISH][:MAX_HELD]
    typed = [item for item in items if not isinstance(item, str)]
    named = {word: vocabulary.called_like(word) if len(words) > 1 else None for word in words}
    held = {word: tree for word in words if (tree := any_of((named[word], *vocabulary.told(word))))}
    first = tuple(tree for tree in (all_of(named.values()), any_of(named.values())) if tree)
    unknown = tuple(word for word in words if word not in held)
    for size in range(len(held), max(0, (len(words) - 1) // 2), -1):
        either = _either(all_of(some) for some in combinations(held.values(), size))
        yield Reading((*typed, *either), (), first, OF_HELD * size / len(words), unknown, len(words))


def _either(trees: Iterable[Tree | None]) -> list[Tree]:
    """The condition that any of these holds, alone in a list; an empty list if there is none."""
    return [tree] if (tree := any_of(trees)) else []


def vocabulary_of(whole: Catalogue, game: Game) -> Vocabulary:
    """The vocabulary of a game of the catalogue. ``Catalogue.derived`` calls this once for an edition."""
    entries = [entry for entry in whole.entries if entry.card.game == game.slug]
    return Vocabulary(game, whole.fields(game), entries, whole.derived(_every_word))


def _every_word(whole: Catalogue) -> frozenset[str]:
    """The words of all names and texts of the catalogue, as phrases are compared."""
    return frozenset(word for entry in whole.entries for word in phrase_of(entry.search_text).split())


# -- a condition that finds nothing for one slip in it: the condition that was meant ----

# The letters of the shortest word that is mended: a shorter one is a letter away from too many. Then the
# number of names like the one typed that are compared letter by letter.
MIN_LENGTH, MAX_NAMES = 4, 8


def mended(part: Tree, fields: Fields, whole: Catalogue) -> Tree | None:
    """Return the condition that was meant by one with a letter wrong; None if that is not sure."""
    match part:
        case Exact(value) if name := _name(value, whole):
            return Exact(name)
        case Term(key="name", op="=", value=value) if name := _name(value, whole):
            return replace(part, value=name)
        case Term(op=":" | "=") if part.key != "name" and (value := _value(part, fields)):
            return replace(part, value=value)
    return None


def _value(term: Term, fields: Fields) -> str:
    """The value that a term means: a whole one as it is shown, or a word of some; empty if that is not
    sure.
    """
    field = fields.get(term.key)
    known = field.values if field and field.kind in ("word", "words", "exact") else {}
    words = {word for value in known for word in value.split()} if term.op == ":" else set()
    nearest = _nearest(folded(term.value), {*known, *words})
    return known.get(nearest, nearest)


def _name(typed: str, whole: Catalogue) -> str:
    """The one name a letter away; empty if there is none, or more than one."""
    names = {fold(card.name): card.name for card in whole.named_like(typed, MAX_NAMES)}
    return names.get(_nearest(fold(typed), names), "")


def _nearest(typed: str, known: Iterable[str]) -> str:
    """The one word of these a letter away; of several, one that is part of all the others, so that it finds
    what they find.

    Another number is another thing: digits are no slips.
    """
    if len(typed) < MIN_LENGTH:
        return ""
    near = [word for word in letters_off(typed, known, 1) if digits_of(word) == digits_of(typed)]
    shortest = min(near, key=len, default="")
    return shortest if all(shortest in word for word in near) else ""
