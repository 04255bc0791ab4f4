"""What a query in plain words was meant to ask, where what it says finds little or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations
from string import punctuation

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.names import digits_of, letters_off
from cardsdb.games.kit.model.text import fold
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import instead_of, parts_of
from cardsdb.search.query.meaning import Reading, read_player_words
from cardsdb.search.query.phrases import Phrases, phrases_of
from cardsdb.search.query.player_words import plain_words
from cardsdb.search.query.standard import folded
from cardsdb.search.query.tree import Exact, Or, Query, Term, Tree, Word, all_of, any_of, normal
from cardsdb.search.results import Results, count_of, results_of

# How many words may be one too many, and how many must be left.
MAX_LEFT_OUT, MIN_LEFT = 2, 1
# Of more words none is left out: to try all pairs would take hundreds of searches.
MAX_TRIED = 7
MAX_PHRASE, MIN_STEM = 3, 4

# So many words beside each other are a question even without a small word.
MIN_OF_QUESTION = 4


@dataclass(frozen=True)
class Lexicon:
    """The words that cards have: ``words`` folded, with punctuation; ``count`` says how many cards a query
    finds.
    """

    games: tuple[Game, ...]
    words: Collection[str]
    count: Callable[[Tree], int]

    def translated(self, parts: Sequence[Tree]) -> list[Tree | None]:
        """Each part in words that cards have, phrases that have a synonym as one; None for a word that no
        card has at all.
        """
        return [self._translated(part) for part in self._phrases(parts)]

    def _phrases(self, parts: Sequence[Tree]) -> Iterator[Tree]:
        """The parts, with words beside each other joined into the longest phrase that has a synonym."""
        place = 0
        while place < len(parts):
            for length in range(min(MAX_PHRASE, len(parts) - place), 0, -1):
                together = parts[place : place + length]
                words = [part.value for part in together if isinstance(part, Word)]
                if length == 1 or (len(words) == length and fold(" ".join(words)) in self._synonyms):
                    yield together[0] if length == 1 else Word(" ".join(words))
                    place += length
                    break

    def _translated(self, part: Tree) -> Tree | None:
        """The word itself or without its ending, whichever finds more, or any of its synonyms."""
        if not isinstance(part, Word):
            return part
        stems = _stems(fold(part.value))
        own = max([part, *(Word(stem) for stem in stems[1:] if stem in self._plain_words)], key=self.count)
        others = dict.fromkeys(meant for stem in stems for meant in self._synonyms.get(stem, ()))
        return any_of(
            [*([own] if self.count(own) else []), *(all_of(map(Word, meant.split())) for meant in others)]
        )

    @cached_property
    def _synonyms(self) -> dict[str, tuple[str, ...]]:
        """Return what people call something -> what the lines of any of the games call it."""
        found: dict[str, dict[str, None]] = {}
        for game in self.games:
            for word, meant in (game.effect_words.synonyms if game.effect_words else {}).items():
                found.setdefault(word, {}).update(dict.fromkeys(meant))
        return {word: tuple(meant) for word, meant in found.items()}

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        return frozenset(word.strip(punctuation) for word in self.words)


def without_small_words(parts: Sequence[Tree]) -> list[Tree]:
    """Return what is asked for."""
    return [part for part in parts if not (isinstance(part, Word) and fold(part.value) in WORDS["small"])]


def begins_like_a_question(parts: Sequence[Tree]) -> bool:
    return bool(parts) and isinstance(parts[0], Word) and fold(parts[0].value) in WORDS["asking"]


def meant_by(parts: Sequence[Tree], lexicon: Lexicon) -> Tree | None:
    """Return what the parts of a query mean in words that cards have, so that something is found; None if
    nobody knows.

    Words are left out of a question alone.
    """
    asked = without_small_words(parts)
    is_question = len(asked) < len(parts) or (
        len(asked) >= MIN_OF_QUESTION and all(isinstance(part, Word) for part in asked)
    )
    candidates = map(all_of, _candidates(asked, lexicon, is_question))
    return next((tree for tree in candidates if tree and lexicon.count(tree)), None)


def _candidates(asked: Sequence[Tree], lexicon: Lexicon, is_question: bool) -> Iterator[list[Tree]]:
    translated = lexicon.translated(asked)
    known = [part for part in translated if part is not None]
    unknown = len(translated) - len(known)
    if unknown and (not is_question or len(known) <= unknown):
        return
    yield known
    if not is_question or len(known) > MAX_TRIED:
        return
    # Left out first is a word for a kind of thing, then one that many cards have: it says the least.
    commonest = sorted(known, key=lambda part: (not _is_kind(part), -lexicon.count(part)))
    for number in range(1, min(MAX_LEFT_OUT, len(known) - MIN_LEFT) + 1):
        for left_out in combinations(commonest, number):
            yield [part for part in known if part not in left_out]


def _is_kind(part: Tree) -> bool:
    return isinstance(part, Word) and fold(part.value) in WORDS["kind"]


def _stems(word: str) -> list[str]:
    """The word, and what it may be without an ending."""
    stems = [word]
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
    ):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= MIN_STEM:
            stems.append(stem + instead)
            if stem[-1] == stem[-2]:
                stems.append(stem[:-1])
    return list(dict.fromkeys(stems))


# A shorter word is one letter away from too much; of a longer query nothing is rewritten.
MIN_LENGTH, MAX_PARTS = 4, 14
# Names like the one typed that are compared letter by letter.
MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The query that was meant and what it finds, the part that nothing was found for, and what stands in its
    place.

    ``found_as_typed``: the words of a question were all found somewhere, though nobody asked for its small
    ones.
    """

    query: CardQuery
    results: Results
    typed: str
    meant: str
    found_as_typed: bool = False
    # What comes first among the results of a question of what cards do to what; others follow that have the
    # words.
    first: tuple[Tree, ...] = ()


def rewrite_of(query: CardQuery, found: int) -> Rewrite | None:
    """Return what was meant by a query that finds so many cards; None if just that was meant, or nobody knows
    what.
    """
    reading = _of_player(query, found)
    if reading and not reading.first:
        return reading
    other = _of_question(query, found) if found else sure_rewrite(query)
    return _either(reading, other) if reading and other else reading or other


def _of_player(query: CardQuery, found: int) -> Rewrite | None:
    """Return what a player means by plain words, unless a card is called so, or just that is found as typed."""
    words = plain_words(query.query.text)
    if not words or query.query.faults or len(parts_of(query.query.tree)) > MAX_PARTS:
        return None
    # A size in words is no part of a name: "gear under 4 cost".
    has_size = any(problem.code == "read-as-comparison" for problem in query.query.problems)
    if not has_size and catalogue().is_name(words, _game(query)):
        return None
    phrases = phrases_of(catalogue().fields(_game(query)))
    reading = read_player_words(query.query, phrases, query.fields)
    if any(problem.code == "left-out" for problem in query.query.problems):
        reading = replace(reading, is_plain=False)
    if not reading.phrases or (found and reading.is_plain and (reading.phrases == 1 or not reading.is_whole)):
        return None
    read = next(
        (candidate for candidate in _readings(query, reading, phrases) if count_of(query, candidate.tree)),
        None,
    )
    if read is None:
        return None
    # The game is named once, though the search is within it and its name was typed, too.
    of_games = [part for part in read.parts if _is_game(part)]
    tree = all_of([part for part in read.parts if part not in of_games[1:]])
    meant = Query(tree, (), query.query.order or read.order)
    other = replace(parse_query(normal(meant)), own=query.own)
    results = results_of(other)
    if found == results.total and not read.order and results.pks == results_of(query).pks:
        return None
    first = _first(read) if read.preferred or read.optional else []
    return Rewrite(
        other,
        results.preferring(first, ()),
        normal(query.query),
        normal(meant),
        bool(found),
        tuple(first if read.optional else ()),
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
    leaves = [
        leaf
        for leaf in (part.parts if isinstance(part, Or) else (part,))
        if isinstance(leaf, Term) and leaf.key in ("target", "text")
    ]
    return (
        any_of(dict.fromkeys(Term("target", op, " ".join(leaf.value.split()[words:])) for leaf in leaves))
        or part
    )


def _readings(query: CardQuery, reading: Reading, phrases: Phrases) -> Iterator[Reading]:
    """Return what may be meant, the likeliest first: with one thing less that something is done to, and with
    nothing done.
    """
    yield reading
    yield from map(reading.without, reading.optional)
    yield read_player_words(query.query, phrases, query.fields, with_verb=False)


def _either(reading: Rewrite, other: Rewrite) -> Rewrite:
    """Return what a question finds by the tags of effects, and then what it finds by their words."""
    tree = any_of(_without_game(one.query.query.tree) for one in (reading, other))
    of_game = [part for part in parts_of(reading.query.query.tree) if _is_game(part)]
    meant = Query(all_of([*of_game, tree]), (), reading.query.query.order)
    query = replace(parse_query(normal(meant)), own=reading.query.own)
    results = results_of(query).preferring(reading.first, ())
    return replace(reading, query=query, results=results, meant=normal(meant))


def _without_game(tree: Tree | None) -> Tree | None:
    return all_of([part for part in parts_of(tree) if not _is_game(part)])


def _is_game(part: Tree) -> bool:
    return isinstance(part, Term) and part.key == "game"


def _game(query: CardQuery) -> Game | None:
    """The game that is searched."""
    terms = (part for part in parts_of(query.query.tree) if isinstance(part, Term) and part.key == "game")
    return query.game or next(
        (games()[fold(term.value)] for term in terms if fold(term.value) in games()), None
    )


def _of_question(query: CardQuery, found: int) -> Rewrite | None:
    """Return what a question finds without its small words, if that is more and no card is called like the
    question.
    """
    parts = parts_of(query.query.tree)
    if query.query.faults or len(parts) > MAX_PARTS or not begins_like_a_question(parts):
        return None
    asked = without_small_words(parts)
    in_names = [Term("name", ":", part.value) if isinstance(part, Word) else part for part in parts]
    if not asked or len(asked) == len(parts) or count_of(query, all_of(in_names)):
        return None
    other = _translated(query, parts)
    return replace(other, found_as_typed=True) if other and other.results.total > found else None


def sure_rewrite(query: CardQuery) -> Rewrite | None:
    """Return what was meant by a query that finds nothing. None unless it is a question, or there is one
    likely slip and one way to mend it.
    """
    parts = parts_of(query.query.tree)
    asked = without_small_words(parts)
    if query.query.faults or not asked or len(parts) > MAX_PARTS:
        return None
    is_question = begins_like_a_question(parts)
    if is_question and (found := _translated(query, parts)):
        return found
    if len(asked) < len(parts) and (found := _finding(query, parts, asked)):
        return found
    to_blame = [part for part in asked if not count_of(query, part)]
    meant = _meant(to_blame[0], query.fields, catalogue()) if len(to_blame) == 1 else None
    if meant and (found := _finding(query, to_blame, [meant], asked)):
        return found
    return None if is_question else _translated(query, parts)


def _translated(query: CardQuery, parts: Sequence[Tree]) -> Rewrite | None:
    """Return what a question finds in the words that cards have."""
    words = catalogue().words
    tree = meant_by(parts, Lexicon(query.fields.games, words, cache(lambda tree: count_of(query, tree))))
    return _finding(query, parts, [tree]) if tree else None


def _finding(
    query: CardQuery, typed: Sequence[Tree], meant: Sequence[Tree], among: Sequence[Tree] | None = None
) -> Rewrite | None:
    """Return what is found with parts of the query, or of ``among`` alone, written otherwise; None if nothing
    is.
    """
    of = replace(query.query, tree=all_of(among)) if among else query.query
    other = replace(parse_query(normal(instead_of(of, typed, all_of(meant)))), own=query.own)
    results = results_of(other)
    return (
        Rewrite(other, results, " ".join(map(normal, typed)), " ".join(map(normal, meant)))
        if results.total
        else None
    )


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
    known = fields.values(field) if field and field.kind in ("word", "words", "exact") else {}
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
