"""The language of ``effects.csv``: parse lines that say what cards do, in a small controlled English, into
tags that people can search for.

A line is ``moment and trigger: [cost] clause; clause``, where moment and cost are optional. A clause begins
with a verb of the game, which may follow a condition that ends in a comma and the word "may". An ability that
a card gives to others stands in round brackets and is parsed as a line of its own. Example: ``Intel Craft 6:
draw 2 cards`` -> when Intel, does draw, target card. ``docs/effects.md`` tells authors how to write lines;
the words of a game are in its ``effects.toml``. ``folder/additions.py`` reads the lines; anything not
understood raises ValueError when a game is loaded. ``told_lines`` and ``abilities`` read cards for pages,
prints and the API.
Tests: ``tests/cardsdb/games/kit/model/test_effects.py``; the lines of all games in
``tests/cardsdb/games/test_effects.py``, ``told_lines`` and ``abilities`` in
``tests/cardsdb/games/kit/folder/test_additions.py``, ``verbs_in`` in
``tests/decks/statistics/test_numbers.py``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from cardsdb.games.kit.model.cards import THEN, Card, Claim, Fact

# Most characters of a line, by our choice: what is longer is easier to read as two lines.
MAX_LINE = 140
# Beginning of a clause without a verb: a restriction of the card's users.
RESTRICTION = "only "
# Beginning of a clause without a verb: the definition of X.
FORMULA = "X is "
# A word that may stand before a verb.
MAY = "may "
# Words that begin a condition: ``if Chase mission, may wound agent``.
CONDITIONS = tuple(
    "if while unless for once twice at during in as then when before after until instead".split()
)

# The facts that hold a card's tags; every game with effects lists them among its facts.
EFFECT_FACTS = tuple(
    Fact(key, "words", help_text, aliases=(alias,), optional=True, is_aside=True)
    for key, help_text, alias in (
        ("does", "What the card does, by the verbs of our summary.", "effect"),
        ("target", "What the card does it to, by our summary.", "targets"),
        ("when", "When the card does it, by our summary.", "moment"),
    )
)

# A quoted name, a word, a number with its sign, or a single other sign.
_TOKEN = re.compile(r'"[^"]*"|[A-Za-z][\w\'’.-]*|[+−-]?[0-9]+|[^\s\w]')
# An ability in round brackets.
_NESTED = re.compile(r"\(([^()]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
# A cost: ``[discard 2 cards] ``.
_COST = re.compile(r"\[([^\]]*)\] ")


class EffectTags(NamedTuple):
    """The tags of a line: its moments, verbs and targets, each value once, in the order of the line.

    ``headers``: moments with skill and number as printed (``Intel Craft 6``), including those of abilities in
    brackets.
    """

    when: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()


class Ability(NamedTuple):
    """One ability as people read it: its header with the colon (or ""), and the rest of the text. ``lines``:
    (line of ``effects.csv``, claim of the document that states it), empty if no document does.
    """

    header: str
    rest: str
    lines: tuple[tuple[str, Claim], ...] = ()


@dataclass(frozen=True)
class EffectWords:
    """The words that the lines of one game may use, read from its ``effects.toml``.

    ``moments``, ``verbs``, ``targets``: word or phrase ("own agent") -> its meaning. ``words``: all other
    words. ``header_fact``: key of the fact with the moments, skills and numbers printed on a card, which its
    lines must agree with. ``synonyms``: word that people search with -> the words of the lines.
    """

    moments: Mapping[str, str]
    verbs: Mapping[str, str]
    targets: Mapping[str, str]
    words: frozenset[str] = field(default_factory=frozenset)
    header_fact: str = ""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def tags_of(self, lines: Iterable[str]) -> EffectTags:
        """Return the tags of all these lines together. Raises ValueError as ``read`` does."""
        return joined(self.read(line) for line in lines)

    def read(self, line: str) -> EffectTags:
        """Return the tags of one line. Raises ValueError with a sentence that names the part of the line that
        is not understood.
        """
        if len(line) > MAX_LINE:
            raise ValueError(f"{len(line)} characters; a line has at most {MAX_LINE}")
        if line != " ".join(line.split()) or line.endswith((".", ";", ",")):
            raise ValueError("single spaces, and nothing behind the last word")
        # "allow agents (Intel Craft: wound agent)" is read as two parts: "allow agents ()" and "Intel Craft:
        # wound agent".
        outer, nested = _NESTED.sub("()", line), _NESTED.findall(line)
        return joined(self._read_part(part) for part in (outer, *nested))

    def _read_part(self, part: str) -> EffectTags:
        """Return the tags of a line whose brackets have been emptied, or of the content of one bracket.

        "Intel Craft: [discard 1 card] draw 1 card" -> when Intel, does draw, target card, header Intel Craft.
        """
        header, colon, rest = part.partition(": ")
        moments: tuple[str, ...] = ()
        if colon:
            moments = (self._moment_of(header),)
        else:
            rest = part
        if cost := _COST.match(rest):
            for payment in cost[1].split(", "):
                self._verb_of(payment)  # Only checked: a payment is not what the card does.
            rest = rest[cost.end() :]
        clauses = (clause.removeprefix(THEN) for clause in rest.split("; "))
        # (verb, text after it) of each clause that has a verb.
        deeds = [
            self._verb_of(clause)
            for clause in clauses
            if clause != "()" and not clause.startswith((RESTRICTION, FORMULA))
        ]
        targets = [found[1] for _, after in deeds if (found := self._target_pattern.search(after))]
        headers = tuple(_header(moment, header) for moment in moments)
        return EffectTags(moments, tuple(verb for verb, _ in deeds), tuple(targets), headers)

    def _moment_of(self, header: str) -> str:
        """Return the moment that the header begins with; raise ValueError if it begins with none."""
        if found := self._moment_pattern.match(header):
            return found[1]
        raise ValueError(f"“{header}” does not begin with a moment ({', '.join(self.moments)})")

    def _verb_of(self, clause: str) -> tuple[str, str]:
        """Return (verb of the clause, text after the verb); raise ValueError if it has none.
        "if Chase mission, may wound agent" -> ("wound", " agent")
        """
        rest = clause.removeprefix(MAY)
        # Conditions are taken off one by one until the rest begins with a verb.
        while not (found := self._verb_pattern.match(rest)):
            condition, comma, after = rest.partition(", ")
            if not comma or condition.split(" ", 1)[0].lower() not in CONDITIONS:
                raise ValueError(f"“{clause}” begins with none of the verbs; effects.toml lists them")
            rest = after.removeprefix(MAY)
        return found[1], rest[found.end() :]

    def header_of(self, line: str) -> str:
        """Return the beginning of the line to print in bold: moment, skill and number, with the colon if no
        trigger follows. Empty if the line has no moment. ``Intel Craft 6: draw 1 card`` -> ``Intel Craft 6:``
        """
        head, colon, _ = line.partition(": ")
        try:
            header = _header(self._moment_of(head), head) if colon else ""
        except ValueError:
            return ""
        return f"{header}:" if header and header == head else header

    def unknown_words(self, line: str, names: Iterable[str]) -> Iterator[str]:
        """Yield the words of a line that are neither words of the game nor in ``names``, the lowercase words
        of the card's facts. Quoted names are passed over.
        """
        known = self._all_words | set(names)
        for token in _TOKEN.findall(_QUOTED.sub(" ", line)):
            word = token.lower()
            if word[0].isalpha() and not any(form in known for form in _forms(word)):
                yield token

    def verbs_in(self, text: str) -> tuple[str, ...]:
        """Return the verbs that occur in any text, such as a printed one, in one of their regular forms; in
        the game's order.
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
        """A target's name as group 1; a plural ending after it is matched but not captured."""
        return re.compile(rf"(?<![\w-])({_any_of(self.targets)})(?:s|es)?(?!\w)")


def line_key(number: int) -> str:
    """Return the key in ``Card.sources`` of the claim behind one line of the card's text, counted from 1.
    Keys of facts have no space, so none is equal.
    """
    return f"line {number}"


def told_lines(card: Card) -> list[tuple[str, Claim]]:
    """Return (line, its claim) for each line of controlled English on the card. Empty if its text is a plain
    sentence, or a visitor's own text without a source.
    """
    if "text" not in card.sources:
        return []
    lines = (
        (line, card.sources.get(line_key(number)))
        for number, line in enumerate(card.text.split("\n"), start=1)
    )
    return [(line, claims[0]) for line, claims in lines if claims]


def abilities(card: Card, words: EffectWords | None) -> list[Ability]:
    """Return the abilities of a card as people read them. In a text without sentences each line is one."""
    # Either all lines of a text are cited or none is. Each ability takes as many as it has lines.
    cited_lines = iter(told_lines(card))
    found: list[Ability] = []
    for header, rest, number in card.paragraphs:
        if words and not card.sentences:
            header = words.header_of(rest)
            rest = rest[len(header) :].lstrip()
        found.append(Ability(header, rest, tuple(islice(cited_lines, number))))
    return found


def quoted_names(line: str) -> list[str]:
    """Return the texts in double quotes: names of cards, and words of the game that are names."""
    return _QUOTED.findall(line)


def joined(read: Iterable[EffectTags]) -> EffectTags:
    """Return all of these tags as one, each value once."""
    # Field of ``EffectTags`` by field: the moments of all, then the verbs of all, and so on.
    columns = [dict.fromkeys(chain.from_iterable(column)) for column in zip(*read, strict=True)]
    return EffectTags(*map(tuple, columns))


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern that matches any of these words, longer ones first: "own agent" before "agent"."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def spoken(word: str) -> str:
    """Return the s-form of a verb or a noun: ``cancel`` -> ``cancels``, ``search`` -> ``searches``, ``own
    agent`` -> ``own agents``.
    """
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def _inflected(verb: str) -> str:
    """Return a pattern for the regular forms of a verb: that of ``draw`` matches draws and drawing, ``carry``
    carries, ``stop`` stopped. In a verb of several words, the first is inflected.
    """
    word, space, rest = verb.partition(" ")
    if word.endswith("e"):
        forms = rf"{re.escape(word[:-1])}(?:e|es|ed|ing)"
    elif re.search(r"[^aeiou]y$", word):
        forms = rf"{re.escape(word[:-1])}(?:y|ies|ied|ying)"
    else:
        forms = rf"{re.escape(word)}(?:s|es|{re.escape(word[-1])}?(?:ed|ing))?"
    return forms + re.escape(space + rest)


def _header(moment: str, header: str) -> str:
    """Return the moment with the skill and number that follow it, without the trigger: ``React`` and ``React
    Combat 8 when wounded`` -> ``React Combat 8``.
    """
    rest = header[len(moment) :]
    printed = re.match(r"(?: [A-Z][a-z]+)*(?: (?:[0-9]+|X))?(?=$|[ ,])", rest)
    return moment + (printed[0] if printed else "")


def _forms(word: str) -> Iterator[str]:
    """Yield the word, and the word without an ending of a possessive or plural."""
    yield word
    bare = re.sub(r"['’]s?$", "", word)
    yield bare
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y")):
        if bare.endswith(ending):
            yield bare[: -len(ending)] + instead
