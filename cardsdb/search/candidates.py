"""Read a query's plain words in the vocabulary of each game: all readings that ``ask`` can choose from.

``ask.answer_of`` calls ``candidates``, and shows those with the best scores. A ``Reading`` comes from
``plain/reading.py`` if the words are a question; two kinds are made here: the words as names of cards, and
cards that have only some of the words. For "wound" the candidates are

    spycraft  0.95  does=wound                      xfiles  0.95  does=damage
    spycraft  0.7   !"Flesh Wound" (as names)

The scores were tuned, like those of ``ask``, to the tables of ``tests/cardsdb/search/test_ask.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from typing import NamedTuple

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Game
from cardsdb.search.plain.forms import phrase_of
from cardsdb.search.plain.items import Item
from cardsdb.search.plain.patterns import Cutter
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.reading import Reading, read
from cardsdb.search.plain.vocabulary import Vocabulary
from cardsdb.search.query.english import ENGLISH, FILLERS, WORDS
from cardsdb.search.query.tree import Exact, Term, Tree, all_of, any_of, leaves
from cardsdb.search.results import CardQuery, count_of

# A reading with a lower score is dropped. A score is the share of the words that is understood: 1 is all.
MIN_SCORE = 0.4
# Scores of readings as names. A print's code or number, or a card called by all words:
CODE_SCORE = 1.05
# Cards whose names stand between commas.
LISTED_SCORE = 1.0
# A card called by all words except those of ABOUT_NAMES.
CALLED_SCORE = 0.85
# Cards whose names have words that begin with the typed ones:
NAME_SCORE = 0.55
# more for each word,
EACH_WORD_SCORE = 0.1
# and more if the typed words are whole words of a name.
WHOLE_WORD_SCORE = 0.05
# Cards that have some of the words, multiplied by the share of the words that they have.
SOME_SCORE = 0.6
# Words that are looked for if no card has all of them. Every combination of them becomes a condition.
MAX_SOME = 6
# Names that a query lists in full; beyond these it has their words.
MAX_LISTED = 4
# The most words of a print's code, such as "ON 12".
MAX_CODE = 4
# The most words of a game's name.
MAX_GAME_NAME = 3
# Items that join words.
JOINTS = ("or", "and", ",")
# Words that may stand beside a card's name in a question about it.
ABOUT_NAMES = FILLERS.union(WORDS["high"], WORDS["purpose"])


class Candidate(NamedTuple):
    """A reading of the query's words in one game."""

    game: Game
    reading: Reading

    @property
    def tree(self) -> Tree | None:
        """Its conditions, with the game unless the reading names a game itself."""
        parts = self.reading.parts
        named = any(isinstance(part, Term) and part.key == "game" for part in parts)
        of_game = None if named else Term("game", ":", self.game.slug)
        return all_of(dict.fromkeys((of_game, *parts)))


def candidates(query: CardQuery, items: Sequence[Item], is_lost: bool) -> Iterator[Candidate]:
    """Yield for each game the likeliest reading that finds a card, and the reading as names if that differs.
    ``is_lost``: the text as typed finds no card.
    """
    for game, asked in _by_game(query, items):
        # ``asked``: the items without the words that name the game; ``items`` itself if none do.
        vocabulary = catalogue().derived(vocabulary_of, game)
        is_about = any(word in asked for word in WORDS["concerning"])
        named = None if is_about else _first_found(query, game, _as_names(asked, vocabulary))
        # A reading without conditions finds every card: it needs at least the game's name.
        variants = (
            reading
            for reading in _variants(Cutter(asked, vocabulary).pieces(), vocabulary, is_lost)
            if (reading.parts or asked is not items) and reading.score >= MIN_SCORE
        )
        found = _first_found(query, game, variants)
        if not found and not named and is_lost:
            found = _first_found(query, game, _with_some_words(asked, vocabulary))
        if found and found.left and not named:
            # "Beowulf combat" asks for the card of that name.
            others = [word for word in asked if not vocabulary.field((str(word),))]
            named = _first_found(query, game, _as_names(others, vocabulary))
        if found and named and found.parts == named.parts:
            # Both find the same cards, so only the better one counts.
            yield Candidate(game, max(found, named, key=lambda reading: reading.score))
        else:
            yield from (Candidate(game, reading) for reading in (found, named) if reading)


def names_game(items: Sequence[Item]) -> bool:
    """True if a game's name stands first or last beside something else."""
    return bool(_named_first_or_last(items))


def games_named(items: Sequence[Item]) -> tuple[list[Game], Sequence[Item]]:
    """Return the games whose names stand first, else those whose names stand last; and the other items."""
    named = _named_first_or_last(items)
    return list(dict.fromkeys(found.game for found in named)), named[-1].rest if named else items


def _first_found(query: CardQuery, game: Game, readings: Iterator[Reading]) -> Reading | None:
    """Return the first reading that finds a card of the game, or None."""
    return next((reading for reading in readings if count_of(query, Candidate(game, reading).tree)), None)


def _variants(cut: Sequence[Piece], vocabulary: Vocabulary, is_lost: bool) -> Iterator[Reading]:
    """Yield possible readings of the pieces, the likeliest first.

    First a question of what cards do: its narrower changes, itself, its wider changes; then the same pieces
    without the verb. All that again with ``is_wide``. Last, readings with one part left out.
    """
    for is_wide in (False, True):
        reading = read(cut, vocabulary, with_verb=True, is_wide=is_wide)
        yield from reading.changed(reading.narrower)
        yield reading
        without_verb = read(cut, vocabulary, with_verb=False, is_wide=is_wide)
        if reading.is_playing:
            yield without_verb
        yield from reading.changed(reading.wider)
        yield without_verb
    yield from reading.halved(is_lost)


# -- the game ------------------------------------------------------------------------


class _Named(NamedTuple):
    """A game that items name, the other items, and whether its name is also that of a card type."""

    game: Game
    rest: Sequence[Item]
    is_type: bool


def _by_game(query: CardQuery, items: Sequence[Item]) -> list[tuple[Game, Sequence[Item]]]:
    """Return the games that may be meant, each with the items that it should read: the query's game; else
    the games whose names stand first or last ("spycraft or x-files traps"), with the remaining items; else
    all games.
    """
    if query.game:
        return [(query.game, items)]
    if named := _named_first_or_last(items):
        asked, rest = games_named(items)
        by_game: list[tuple[Game, Sequence[Item]]] = [(game, rest) for game in asked]
        if len(named) == 1 and named[0].is_type:
            # "X-Files" is the name of a game, and "X-File" a type of its cards, so all items are tried too.
            by_game.append((named[0].game, items))
        return by_game
    return [(game, items) for game in games().values()]


def _named_first_or_last(items: Sequence[Item]) -> list[_Named]:
    return _named_games(items, is_first=True) or _named_games(items, is_first=False)


def _named_games(items: Sequence[Item], is_first: bool) -> list[_Named]:
    """Return the games whose names stand first (else last), with an "or", "and" or comma between them. Each
    has what is left of the items behind its name: "spycraft or x-files traps" has Spycraft with the rest
    "or", "x", "files", "traps", and X-Files with the rest "traps".
    """
    named: list[_Named] = []
    found = _named_game(items, is_first)
    while found:
        named.append(found)
        joint, others = (found.rest[:1], found.rest[1:]) if is_first else (found.rest[-1:], found.rest[:-1])
        is_joined = any(item in JOINTS for item in joint)
        found = _named_game(others, is_first) if is_joined else None
    return named


def _named_game(items: Sequence[Item], is_first: bool) -> _Named | None:
    """Return the game whose name stands first (else last); None if there is none, or nothing beside it."""
    for game in games().values():
        vocabulary = catalogue().derived(vocabulary_of, game)
        for length in range(min(MAX_GAME_NAME, len(items) - 1), 0, -1):
            name, rest = (items[:length], items[length:]) if is_first else (items[-length:], items[:-length])
            words = [word for word in name if isinstance(word, str)]
            kinds = {sense.kind for sense in vocabulary.senses(words)} if len(words) == length else set()
            if "game" in kinds:
                return _Named(game, rest, "type" in kinds)
    return None


# -- names ---------------------------------------------------------------------------


def _as_names(items: Sequence[Item], vocabulary: Vocabulary) -> Iterator[Reading]:
    """Yield readings of the words as names of cards, the likeliest first. Some find no card: cards of these
    names may not meet typed conditions, and words that stand for many names ("missions") may be in none.
    """
    words = [item for item in items if isinstance(item, str) and item not in ("or", "and")]
    conditions = [item for item in items if not isinstance(item, str)]
    for read_names in (_by_code, _by_whole_names, _by_beginnings):
        if reading := read_names(words, vocabulary):
            yield replace(reading, parts=(*conditions, *reading.parts))


def _by_code(words: Sequence[str], vocabulary: Vocabulary) -> Reading | None:
    """Read the words as the code or number of a print."""
    code = [word for word in words if word not in (*WORDS["noun"], "number", "no", "nr")]
    numbered = vocabulary.game.name_index.numbered(" ".join(code)) if len(code) <= MAX_CODE else ()
    named = any_of(Exact(card.name) for card in numbered)
    return Reading((named,), score=CODE_SCORE) if named else None


def _by_whole_names(words: Sequence[str], vocabulary: Vocabulary) -> Reading | None:
    """Read the words as a whole name ("stolen identity", score 1.05), as names between commas ("kai, stolen
    identity", 1.0), or as a whole name among small words ("the best kai", 0.85).
    """
    listed = [list(part) for is_comma, part in groupby(words, lambda word: word == ",") if not is_comma]
    telling = [word for word in words if word not in ABOUT_NAMES]
    for names, score in (([words], CODE_SCORE), (listed, LISTED_SCORE), ([telling], CALLED_SCORE)):
        is_list = len(names) > 1
        exact = [tree for name in names if (tree := _called(name, vocabulary, is_list))]
        if exact and len(exact) == len(names):
            # Cards whose names contain the words come after those called exactly so.
            others = [] if is_list else vocabulary.with_words(names[0])
            named = any_of(dict.fromkeys((*leaves(any_of(exact)), *others)))
            return Reading((named,), first=tuple(exact), score=score) if named else None
    return None


def _called(name: Sequence[str], vocabulary: Vocabulary, is_list: bool) -> Tree | None:
    """Return the condition for cards of a name. In a list of names a part of a name will do."""
    exact = any_of(sense.tree for sense in vocabulary.senses(name) if sense.kind == "name")
    return exact or (any_of(vocabulary.with_words(name)) if is_list else None)


def _by_beginnings(words: Sequence[str], vocabulary: Vocabulary) -> Reading | None:
    """Read the words as beginnings of words of names ("stol ident", score 0.75): all of them, those with
    meaning, or these corrected.
    """
    telling = [word for word in words if word not in FILLERS]
    for name in (words, telling, [vocabulary.mended(word) or word for word in telling]):
        if named := vocabulary.named(name):
            score = NAME_SCORE + EACH_WORD_SCORE * len(name)
            if vocabulary.with_words(name):
                score += WHOLE_WORD_SCORE
            if len(list(leaves(named))) > MAX_LISTED:
                # In place of many names the words: ``name:agents``.
                named = all_of(Term("name", ":", word) for word in name) or named
            return Reading((named,), score=score, count=len(name))
    return None


# -- some of the words ---------------------------------------------------------------


def _with_some_words(items: Sequence[Item], vocabulary: Vocabulary) -> Iterator[Reading]:
    """Yield readings for cards that have some of the words in their names or texts: first all the words, then
    one less each time, down to half of them. Cards with the words in their names come first. For three words:
    ``a b c``, then ``a b or a c or b c``, where "a" is "a word of the name, or of the text".
    """
    words = [item for item in items if isinstance(item, str) and item not in (*JOINTS, *ENGLISH)][:MAX_SOME]
    conditions = [item for item in items if not isinstance(item, str)]
    named = {word: vocabulary.called_like(word) if len(words) > 1 else None for word in words}
    trees = {word: tree for word in words if (tree := any_of((named[word], *vocabulary.in_texts(word))))}
    first = tuple(filter(None, (all_of(named.values()), any_of(named.values()))))
    unknown = tuple(word for word in words if word not in trees)
    half = max(1, (len(words) + 1) // 2)
    for size in range(len(trees), half - 1, -1):
        if either := any_of(all_of(some) for some in combinations(trees.values(), size)):
            score = SOME_SCORE * size / len(words)
            parts = (*conditions, either)
            yield Reading(parts, first=first, score=score, unknown=unknown, count=len(words))


# -- vocabularies --------------------------------------------------------------------


def vocabulary_of(whole: Catalogue, game: Game) -> Vocabulary:
    """Return the vocabulary of a game. Call it as ``catalogue().derived(vocabulary_of, game)``, which makes
    it once for an edition.
    """
    entries = [entry for entry in whole.entries if entry.card.game == game.slug]
    return Vocabulary(game, whole.fields(game), entries, whole.derived(every_word))


def every_word(whole: Catalogue) -> frozenset[str]:
    """Return the words of all names and texts of the catalogue, in the form of ``phrase_of``."""
    return frozenset(word for entry in whole.entries for word in phrase_of(entry.search_text).split())
