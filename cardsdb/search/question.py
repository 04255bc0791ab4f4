"""A question in plain words that finds nothing as it stands, asked in the words that cards have.

"What stops a check of my opponent?" has small words that say nothing, words that the lines of effects call
otherwise, and perhaps one word too many. Each is mended only if the step before found nothing, and what was
done is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from string import punctuation

from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.pieces import KINDS, SMALL_WORDS
from cardsdb.search.query.tree import Tree, Word, all_of, any_of

# What a question begins with.
OPENERS = frozenset("can card cards how what when where which who".split())
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
        """What people call something -> what the lines of any of the games call it."""
        found: dict[str, dict[str, None]] = {}
        for game in self.games:
            for word, meant in (game.effect_words.synonyms if game.effect_words else {}).items():
                found.setdefault(word, {}).update(dict.fromkeys(meant))
        return {word: tuple(meant) for word, meant in found.items()}

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        return frozenset(word.strip(punctuation) for word in self.words)


def without_small_words(parts: Sequence[Tree]) -> list[Tree]:
    """What is asked for."""
    return [part for part in parts if not (isinstance(part, Word) and fold(part.value) in SMALL_WORDS)]


def begins_like_a_question(parts: Sequence[Tree]) -> bool:
    return bool(parts) and isinstance(parts[0], Word) and fold(parts[0].value) in OPENERS


def meant_by(parts: Sequence[Tree], lexicon: Lexicon) -> Tree | None:
    """What the parts of a query mean in words that cards have, so that something is found; None if nobody
    knows.

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
    return isinstance(part, Word) and fold(part.value) in KINDS


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
