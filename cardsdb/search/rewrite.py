"""What a query in plain words was meant to ask, where what it says finds little or nothing."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from string import punctuation

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import fold
from cardsdb.games.kit.model.names import digits_of, letters_off
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.meaning import Reading, read_player_words
from cardsdb.search.query.phrases import phrases_of
from cardsdb.search.query.player_words import plain_words
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import (
    Exact,
    Or,
    Query,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    instead_of,
    normal,
    parts_of,
)
from cardsdb.search.results import Results, count_of, results_of

# How many words may be one too many, and how many must be left.
MAX_LEFT_OUT, MIN_LEFT = 2, 1
# Of more words none is left out: to try all pairs would take hundreds of searches.
MAX_TRIED = 7
MAX_PHRASE, MIN_STEM = 3, 4
# So many words beside each other are a question even without a small word.
MIN_OF_QUESTION = 4
# A shorter word is one letter away from too much; of a longer query nothing is rewritten.
MIN_LENGTH, MAX_PARTS = 4, 14
# Names like the one typed that are compared letter by letter.
MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What the query that was meant finds, the part that nothing was found for, and what stands in its place.

    ``found_as_typed``: the words of a question were all found somewhere, though nobody asked for its small
    ones. ``first`` is what comes first among the results of a question of what cards do to what; others
    follow that have the words.
    """

    results: Results
    typed: str
    meant: str
    found_as_typed: bool = False
    first: tuple[Tree, ...] = ()


def rewrite_of(query: CardQuery, found: int) -> Rewrite | None:
    """Return what was meant by a query that finds so many cards; None if just that was meant, or nobody knows
    what.
    """
    parts = parts_of(query.query.tree)
    if query.query.faults or len(parts) > MAX_PARTS:
        return None
    reading = _of_player(query, found)
    if reading and not reading.first:
        return reading
    asked = [part for part in parts if not _is_one_of(part, "small")]
    other = (_of_question if found else _of_slip)(query, parts, asked, found) if asked else None
    if not (reading and other):
        return reading or other
    # What a question finds by the tags of effects, and then what it finds by their words.
    of_game, tree = _apart(reading.results.query.query.tree)
    either = any_of([tree, _apart(other.results.query.query.tree)[1]])
    meant = Query(all_of([*of_game, either]), (), reading.results.query.query.order)
    results = _results(query, meant).preferring(reading.first, ())
    return replace(reading, results=results, meant=normal(meant))


def _results(query: CardQuery, meant: Query) -> Results:
    """The cards that another query finds, asked by the same visitor."""
    return results_of(replace(parse_query(normal(meant)), own=query.own))


def _is_one_of(part: Tree, words: str) -> bool:
    return isinstance(part, Word) and fold(part.value) in WORDS[words]


def _apart(tree: Tree | None) -> tuple[list[Tree], Tree | None]:
    """The games that a query asks for, and the rest of it."""
    parts = parts_of(tree)
    of_game: list[Tree] = [part for part in parts if isinstance(part, Term) and part.key == "game"]
    return of_game, all_of(part for part in parts if part not in of_game)


# -- players' words ------------------------------------------------------------------


def _of_player(query: CardQuery, found: int) -> Rewrite | None:
    """Return what a player means by plain words, unless a card is called so, or just that is found as typed."""
    words, codes = plain_words(query.query.text), {problem.code for problem in query.query.problems}
    named = [fold(one.value) for one in _apart(query.query.tree)[0] if isinstance(one, Term)]
    game = query.game or next((games()[name] for name in named if name in games()), None)
    # A size in words is no part of a name: "gear under 4 cost".
    if not words or ("read-as-comparison" not in codes and catalogue().is_name(words, game)):
        return None
    phrases = phrases_of(catalogue().fields(game))

    def read(with_verb: bool) -> Reading:
        return read_player_words(query.query, phrases, query.fields, with_verb)

    reading = read(True)
    is_plain = reading.is_plain and "left-out" not in codes
    if not reading.phrases or (found and is_plain and (reading.phrases == 1 or not reading.is_whole)):
        return None
    # The likeliest first: with one thing less that something is done to, and with nothing done.
    others = (
        (*map(reading.without, reading.optional), read(False)) if not count_of(query, reading.tree) else ()
    )
    likely = next((one for one in (reading, *others) if count_of(query, one.tree)), None)
    if likely is None:
        return None
    # The game is named once, though the search is within it and its name was typed, too.
    needless = _apart(likely.tree)[0][1:]
    tree = all_of(part for part in parts_of(likely.tree) if part not in needless)
    meant = Query(tree, (), query.query.order or likely.order)
    results = _results(query, meant)
    if found == results.total and not likely.order and results.pks == results_of(query).pks:
        return None
    first = _first(likely) if likely.preferred or likely.optional else []
    return Rewrite(
        results.preferring(first, ()),
        normal(query.query),
        normal(meant),
        bool(found),
        tuple(first if likely.optional else ()),
    )


def _first(read: Reading) -> list[Tree]:
    """Return what comes first: cards whose lines say by its name what it is done to, then those that mention
    it.
    """
    parts, objects = (*read.parts, *read.preferred), (*read.preferred, *read.optional)
    named = (
        all_of(_named(part, op, words) if part in objects else part for part in parts)
        for op, words in (("=", 0), (":", 0), (":", -1))
    )
    return [tree for tree in dict.fromkeys((*named, all_of(parts))) if tree]


def _named(part: Tree, op: str, words: int) -> Tree:
    """Of what may be mentioned in any way, what lines of effects call so; of its words only those from one
    on: of an enemy action any.
    """
    leaves = (
        leaf
        for leaf in (part.parts if isinstance(part, Or) else (part,))
        if isinstance(leaf, Term) and leaf.key in ("target", "text")
    )
    targets = (Term("target", op, " ".join(leaf.value.split()[words:])) for leaf in leaves)
    return any_of(dict.fromkeys(targets)) or part


# -- questions in the words that cards have ------------------------------------------


def _of_question(
    query: CardQuery, parts: Sequence[Tree], asked: Sequence[Tree], found: int
) -> Rewrite | None:
    """Return what a question finds without its small words, if that is more and no card is called like the
    question.
    """
    in_names = [Term("name", ":", part.value) if isinstance(part, Word) else part for part in parts]
    if not _is_one_of(parts[0], "asking") or len(asked) == len(parts) or count_of(query, all_of(in_names)):
        return None
    other = _translated(query, parts, asked)
    return replace(other, found_as_typed=True) if other and other.results.total > found else None


def _of_slip(query: CardQuery, parts: Sequence[Tree], asked: Sequence[Tree], found: int) -> Rewrite | None:
    """Return what was meant by a query that finds nothing. None unless it is a question, or there is one
    likely slip and one way to mend it.
    """
    is_question = _is_one_of(parts[0], "asking")
    if is_question and (other := _translated(query, parts, asked)):
        return other
    if len(asked) < len(parts) and (other := _finding(query, parts, asked)):
        return other
    to_blame = [part for part in asked if not count_of(query, part)]
    meant = _meant(to_blame[0], query.fields, catalogue()) if len(to_blame) == 1 else None
    if meant and (other := _finding(query, to_blame, [meant], asked)):
        return other
    return None if is_question else _translated(query, parts, asked)


def _finding(
    query: CardQuery, typed: Sequence[Tree], meant: Sequence[Tree], among: Sequence[Tree] | None = None
) -> Rewrite | None:
    """Return what is found with parts of the query, or of ``among`` alone, written otherwise; None if nothing
    is.
    """
    of = replace(query.query, tree=all_of(among)) if among else query.query
    results = _results(query, instead_of(of, typed, all_of(meant)))
    was, instead = (" ".join(map(normal, parts)) for parts in (typed, meant))
    return Rewrite(results, was, instead) if results.total else None


def _translated(query: CardQuery, parts: Sequence[Tree], asked: Sequence[Tree]) -> Rewrite | None:
    """Return what a question finds in the words that cards have. Words are left out of a question alone."""
    is_question = len(asked) < len(parts) or (
        len(asked) >= MIN_OF_QUESTION and all(isinstance(part, Word) for part in asked)
    )
    lexicon = _Lexicon(query)
    candidates = map(all_of, lexicon.candidates(asked, is_question))
    tree = next((tree for tree in candidates if tree and lexicon.count(tree)), None)
    return _finding(query, parts, [tree]) if tree else None


class _Lexicon:
    """The words that cards have, and what people call things otherwise. ``count`` says how many cards a query
    finds.
    """

    def __init__(self, query: CardQuery) -> None:
        self.count = cache(lambda tree: count_of(query, tree))
        self._words = frozenset(word.strip(punctuation) for word in catalogue().words)
        self._synonyms: dict[str, dict[str, None]] = defaultdict(dict)
        for words in (game.effect_words for game in query.fields.games if game.effect_words):
            for word, meant in words.synonyms.items():
                self._synonyms[word].update(dict.fromkeys(meant))

    def candidates(self, asked: Sequence[Tree], is_question: bool) -> Iterator[list[Tree]]:
        """The parts in words that cards have; of a question then with some of them left out."""
        translated = list(map(self._translated, self._phrases(asked)))
        known = [part for part in translated if part is not None]
        unknown = len(translated) - len(known)
        if unknown and (not is_question or len(known) <= unknown):
            return
        yield known
        if not is_question or len(known) > MAX_TRIED:
            return
        # Left out first is a word for a kind of thing, then one that many cards have: it says the least.
        commonest = sorted(known, key=lambda part: (not _is_one_of(part, "kind"), -self.count(part)))
        for number in range(1, min(MAX_LEFT_OUT, len(known) - MIN_LEFT) + 1):
            for left_out in combinations(commonest, number):
                yield [part for part in known if part not in left_out]

    def _phrases(self, parts: Sequence[Tree]) -> Iterator[Tree]:
        """The parts, with words beside each other joined into the longest phrase that has a synonym."""
        place = 0
        while place < len(parts):
            for length in range(min(MAX_PHRASE, len(parts) - place), 0, -1):
                words = [part.value for part in parts[place : place + length] if isinstance(part, Word)]
                if length == 1 or (len(words) == length and fold(" ".join(words)) in self._synonyms):
                    yield parts[place] if length == 1 else Word(" ".join(words))
                    place += length
                    break

    def _translated(self, part: Tree) -> Tree | None:
        """The word itself or without its ending, whichever finds more, or any of its synonyms; None for a
        word that no card has at all.
        """
        if not isinstance(part, Word):
            return part
        stems = _stems(fold(part.value))
        own = max([part, *(Word(stem) for stem in stems[1:] if stem in self._words)], key=self.count)
        others = dict.fromkeys(meant for stem in stems for meant in self._synonyms.get(stem, ()))
        return any_of([own if self.count(own) else None, *(all_of(map(Word, one.split())) for one in others)])


def _stems(word: str) -> list[str]:
    """The word, and what it may be without an ending."""
    stems = [word]
    for ending in ("ies:y", "es:", "s:", "ing:", "ing:e", "ed:", "ed:e"):
        end, _, instead = ending.partition(":")
        stem = word.removesuffix(end)
        if stem != word and len(stem) >= MIN_STEM:
            stems.append(stem + instead)
            if stem[-1] == stem[-2]:
                stems.append(stem[:-1])
    return list(dict.fromkeys(stems))


# -- slips ---------------------------------------------------------------------------


def _meant(part: Tree, fields: Fields, whole: Catalogue) -> Tree | None:
    match part:
        case Word(value) if fold(value) in games():
            return Term("game", ":", fold(value))
        case Word(value):
            word = _nearest(fold(value), whole.words)
            return Word(word) if word else None
        case Exact(value):
            name = _name(value, whole)
            return Exact(name) if name else None
        case Term(key="name", op="=", value=value):
            name = _name(value, whole)
            return replace(part, value=name) if name else None
        case Term(op=":" | "="):
            value = _value(part, fields)
            return replace(part, value=value) if value else None
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
