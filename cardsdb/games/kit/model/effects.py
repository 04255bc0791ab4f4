"""The effects of cards in our words: lines of a small controlled English, and the tags that follow from their
words.

A line is ``[moment and trigger:] [[cost]] clause; clause``. A clause begins with a verb of the game, after a
condition that ends in a comma and after "may". What a card lets others do stands in round brackets and is a
line by itself. ``docs/effects.md`` tells how to write one; a game's own words are in ``effects.toml`` of its
folder. Nothing here knows a card.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from cardsdb.games.kit.model.cards import THEN, Card, Claim, Fact

MAX_LINE = 140
# What a clause may begin with instead of a verb: who alone may use the card, and what an X is.
RESTRICTION, FORMULA, MAY = "only ", "X is ", "may "
CONDITIONS = tuple(
    "if while unless for once twice at during in as then when before after until instead".split()
)

EFFECT_FACTS = tuple(
    Fact(key, "words", f"{says} by {of}our summary.", aliases=(alias,), optional=True, is_aside=True)
    for key, says, of, alias in (
        ("does", "What the card does,", "the verbs of ", "effect"),
        ("target", "What the card does it to,", "", "targets"),
        ("when", "When the card does it,", "", "moment"),
    )
)

_TOKEN = re.compile(r'"[^"]*"|[A-Za-z][\w\'’.-]*|[+−-]?[0-9]+|[^\s\w]')
_NESTED = re.compile(r"\(([^()]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
_COST = re.compile(r"\[([^\]]*)\] ")


@dataclass(frozen=True)
class EffectTags:
    """The tags that follow from the words of a line; every tuple is in the order of the words, each value
    once.

    ``headers`` are moments with their skill and number as printed (``Intel Craft 6``), the line's own and
    those in brackets.
    """

    when: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()


class Ability(NamedTuple):
    """One ability as people read it: its header with the colon, or empty, and the rest. ``lines``: how the
    notation has it, each with who says so; none where no document does.
    """

    header: str
    rest: str
    lines: tuple[tuple[str, Claim], ...] = ()


@dataclass(frozen=True)
class EffectWords:
    """The words of one game's lines: moments, verbs and targets with their meaning, and all others.

    ``header_fact`` is the fact that holds the moments, skills and numbers printed on a card, with which its
    lines must agree. ``synonyms`` are words that people ask with, each with the words that the lines have for
    it.
    """

    moments: Mapping[str, str]
    verbs: Mapping[str, str]
    targets: Mapping[str, str]
    words: frozenset[str] = field(default_factory=frozenset)
    header_fact: str = ""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def tags_of(self, lines: Iterable[str]) -> EffectTags:
        """The tags of all the lines of a card together. Raises ValueError as ``read`` does."""
        return joined(self.read(line) for line in lines)

    def read(self, line: str) -> EffectTags:
        """The tags of one line. Raises ValueError with a sentence that names what in the line is not
        understood.
        """
        if len(line) > MAX_LINE:
            raise ValueError(f"{len(line)} characters; a line has at most {MAX_LINE}")
        if line != " ".join(line.split()) or line.endswith((".", ";", ",")):
            raise ValueError("single spaces, and nothing behind the last word")
        return joined(self._read_part(part) for part in (_NESTED.sub("()", line), *_NESTED.findall(line)))

    def _read_part(self, part: str) -> EffectTags:
        """The tags of the line without what stands in round brackets, or of that."""
        header, colon, rest = part.partition(": ")
        moments = (self._moment_of(header),) if colon else ()
        rest = rest if colon else part
        if cost := _COST.match(rest):
            for one in cost[1].split(", "):
                self._verb_of(one)
            rest = rest[cost.end() :]
        clauses = (clause.removeprefix(THEN) for clause in rest.split("; "))
        deeds = [
            self._verb_of(one)
            for one in clauses
            if one != "()" and not one.startswith((RESTRICTION, FORMULA))
        ]
        targets = [found[1] for _, after in deeds if (found := self._target_pattern.search(after))]
        headers = tuple(_header(moment, header) for moment in moments)
        return EffectTags(moments, tuple(verb for verb, _ in deeds), tuple(targets), headers)

    def _moment_of(self, header: str) -> str:
        if found := self._moment_pattern.match(header):
            return found[1]
        raise ValueError(f"“{header}” does not begin with a moment ({', '.join(self.moments)})")

    def _verb_of(self, clause: str) -> tuple[str, str]:
        """The clause's verb and what follows it."""
        rest = clause
        while True:
            rest = rest.removeprefix(MAY)
            if found := self._verb_pattern.match(rest):
                return found[1], rest[found.end() :]
            begin, comma, after = rest.partition(", ")
            if not comma or begin.split(" ", 1)[0].lower() not in CONDITIONS:
                raise ValueError(f"“{clause}” begins with none of the verbs; effects.toml lists them")
            rest = after

    def header_of(self, line: str) -> str:
        """The beginning of the line that says when: moment, skill and number, and the colon if no trigger
        follows; empty if it has none.
        """
        head, colon, _ = line.partition(": ")
        try:
            header = _header(self._moment_of(head), head) if colon else ""
        except ValueError:
            return ""
        return f"{header}:" if header and header == head else header

    def unknown_words(self, line: str, names: Iterable[str]) -> Iterator[str]:
        """The words of a line that are neither the game's nor in ``names``, the lowercase words of its facts.
        Quoted names are left out.
        """
        known = self._all_words | set(names)
        for token in _TOKEN.findall(_QUOTED.sub(" ", line)):
            word = token.lower()
            if word[0].isalpha() and not any(form in known for form in _forms(word)):
                yield token

    def verbs_in(self, text: str) -> tuple[str, ...]:
        """The verbs that stand in any text, a printed one for instance, in one of their regular forms; each
        once, in the game's order.
        """
        return tuple(verb for verb, pattern in self._verb_patterns.items() if pattern.search(text))

    @cached_property
    def _verb_patterns(self) -> dict[str, re.Pattern[str]]:
        return {
            verb: re.compile(rf"(?<![\w-]){_inflected(verb)}(?![\w-])", re.IGNORECASE) for verb in self.verbs
        }

    @cached_property
    def _all_words(self) -> frozenset[str]:
        entries = (*self.moments, *self.verbs, *self.targets, *self.words, *CONDITIONS, "x only is may")
        return frozenset(word.lower() for entry in entries for word in _TOKEN.findall(entry))

    @cached_property
    def _moment_pattern(self) -> re.Pattern[str]:
        return re.compile(rf"({_any_of(self.moments)})(?=[ ,]|\Z)")

    @cached_property
    def _verb_pattern(self) -> re.Pattern[str]:
        return re.compile(rf"({_any_of(self.verbs)})(?= |\Z)")

    @cached_property
    def _target_pattern(self) -> re.Pattern[str]:
        """A target's name; its plural's ending is left out."""
        return re.compile(rf"(?<![\w-])({_any_of(self.targets)})(?:s|es)?(?!\w)")


def line_key(number: int) -> str:
    """Under which key of a card's sources stands who says its line with this number, from 1. No fact has a
    key like it.
    """
    return f"line {number}"


def told_lines(card: Card) -> list[tuple[str, Claim]]:
    """The lines that tell what the card does, each with who says so; none if its text is a sentence, or a
    player's own with no source.
    """
    if "text" not in card.sources:
        return []
    said = (
        (line, card.sources.get(line_key(number)))
        for number, line in enumerate(card.text.split("\n"), start=1)
    )
    return [(line, claims[0]) for line, claims in said if claims]


def abilities(card: Card, words: EffectWords | None) -> list[Ability]:
    """The abilities of a card as people read them. Of a text without sentences each line is one."""
    told, found = iter(told_lines(card)), list[Ability]()
    for header, rest, number in card.paragraphs:
        if words and not card.sentences:
            header = words.header_of(rest)
            rest = rest[len(header) :].lstrip()
        found.append(Ability(header, rest, tuple(islice(told, number))))
    return found


def quoted_names(line: str) -> list[str]:
    """The words in double quotes: names of cards, and words of the game that are names."""
    return _QUOTED.findall(line)


def joined(read: Iterable[EffectTags]) -> EffectTags:
    """All of these tags, each value once."""
    columns = zip(*((tags.when, tags.does, tags.target, tags.headers) for tags in read), strict=True)
    return EffectTags(*(tuple(dict.fromkeys(chain.from_iterable(column))) for column in columns))


def _any_of(words: Iterable[str]) -> str:
    """The pattern of one of these words, the longest that stands there."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def spoken(word: str) -> str:
    """A verb as it stands behind "it", and a noun for several of them: ``cancels``, ``searches``, ``own
    agents``.
    """
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def _inflected(verb: str) -> str:
    """A pattern of the verb's regular forms; of several words the first has them."""
    word, space, rest = verb.partition(" ")
    if word.endswith("e"):
        forms = rf"{re.escape(word[:-1])}(?:e|es|ed|ing)"
    elif re.search(r"[^aeiou]y$", word):
        forms = rf"{re.escape(word[:-1])}(?:y|ies|ied|ying)"
    else:
        forms = rf"{re.escape(word)}(?:s|es|{re.escape(word[-1])}?(?:ed|ing))?"
    return forms + re.escape(space + rest)


def _header(moment: str, header: str) -> str:
    """The moment with the skill and the number that follow it, without the trigger: ``React Combat 8``."""
    rest = header[len(moment) :]
    printed = re.match(r"(?: [A-Z][a-z]+)*(?: (?:[0-9]+|X))?(?=$|[ ,])", rest)
    return moment + (printed[0] if printed else "")


def _forms(word: str) -> Iterator[str]:
    """The word, and what it is without the ending of a possessive or a plural."""
    yield word
    bare = re.sub(r"['’]s?$", "", word)
    yield bare
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y")):
        if bare.endswith(ending):
            yield bare[: -len(ending)] + instead
