"""Plain words cut into pieces: phrases that a game declares, sizes, values beside their fields, and words that say nothing.

"krypt leaders level 2" is two phrases and a size. What the pieces mean together is told by ``player_words``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from cardsdb.search.query.normal_form import ARTICLES, LINKS, NOUNS
from cardsdb.search.query.phrases import MAX_PHRASE, Phrases, Sense, SenseKind, phrase_of
from cardsdb.search.query.plain_english import EXCLUDING, HIGHEST, LOWEST, MAX_NAME
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import And, Or, Query, SortKey, Span, Term, Tree, Word

# What a question has besides what it asks for.
SMALL_WORDS = frozenset(
    "a against all an and any are as at be been being by can card cards could do does during for from gets have how i in into is it its"
    " let lets make makes me more my need needs of on or our show so some that the their them there these they this those to up used was we"
    " what when where which while who will with without you your".split()
)
# Behind these a verb follows; and behind these a field that is more than nothing.
RELATIVES = frozenset("can could how that to what which who whose".split())
HAVING = frozenset("with have has having".split())
# What follows is what something is done to: "cards against vehicles"; and what precedes "is wounded" is, too.
AGAINST, BEING = frozenset("against anti versus vs".split()), frozenset("are be being get gets is was".split())
NEGATIONS = frozenset((*EXCLUDING, "no", "non"))
# What else is said of the most and the least, before a field; and of a cost by itself.
HIGH = frozenset((*HIGHEST, "high", "highest", "good", "great", "big", "biggest", "strong"))
LOW = frozenset((*LOWEST, "low", "weakest", "worst", "weak", "small"))
CHEAP, DEAR, COST = frozenset(("cheapest",)), frozenset(("expensive", "costly")), "cost"
# These say nothing beside a field or a kind of card.
FILLERS = frozenset((*AGAINST, *SMALL_WORDS, *LINKS, *ARTICLES, *NOUNS, "only", "also"))
# No phrases by themselves.
_NO_PHRASES = FILLERS - {"give", "gives"}
# Words for kinds of things, which texts mostly leave out: "the Exposed trait" is "Exposed" there.
KINDS = frozenset("effect effects keyword keywords phase skill skills trait traits turn type".split())
# Nobody compares with a longer number.
MAX_DIGITS = 9


@dataclass(slots=True)
class Piece:
    """Some words beside each other: a condition already, a phrase with its senses, or a word that says nothing here."""

    words: tuple[str, ...]
    senses: tuple[Sense, ...] = ()
    condition: Tree | None = None
    is_negated: bool = False
    # Whether a verb is expected here: behind "that", or first of all.
    is_marked: bool = False
    # Whether it is behind "that" rather than first.
    is_related: bool = False
    # Whether "cards" follows.
    is_noun: bool = False

    def of(self, *kinds: SenseKind) -> list[Tree]:
        return [sense.tree for sense in self.senses if sense.kind in kinds]


# -- the words of a query ------------------------------------------------------------


def plain_words(query: Query) -> list[str]:
    """The words of the query that stand without quotes, folded, as names have them."""
    parts = query.tree.parts if isinstance(query.tree, Or) else (query.tree,)
    return [word for part in parts for item in items_of(part, query) if isinstance(item, str) for word in phrase_of(item).split()]


def items_of(tree: Tree | None, query: Query) -> list[str | Tree]:
    """The parts of a tree: words without quotes as such, "non-unique" as two; and the words among them that were left out."""
    items: list[str | Tree] = []
    parts = list(tree.parts if isinstance(tree, And) else (tree,) if tree else ())
    if tree is query.tree:
        parts = sorted((*parts, *left_out(query)), key=lambda part: part.span.start)
    for part in parts:
        typed = query.text[part.span.start : part.span.end]
        if not isinstance(part, Word) or typed != part.value:
            items.append(part)
        elif part.value.casefold().startswith("non-"):
            items += ["non", part.value[4:]]
        else:
            items.append(part.value.casefold())
    return items


def left_out(query: Query) -> list[Word]:
    """The words that plain English left out, each where it stands."""
    spans = [Span(problem.start, problem.end) for problem in query.problems if problem.code == "left-out"]
    words = [(span.start, word) for span in spans for word in re.finditer(r"\S+", query.text[span.start : span.end])]
    return [Word(word[0], Span(start + word.start(), start + word.end())) for start, word in words]


def of_this_game(item: str | Tree, query: Query, phrases: Phrases) -> str | Tree:
    """A size in words of a field that the game lacks, as one that it has: "7 points" are victory points in one, stars in another."""
    if not isinstance(item, Term) or phrases.fields.get(item.key):
        return item
    typed = query.text[item.span.start : item.span.end].split()
    fields = (found for length in (2, 1) for at in range(len(typed)) if (found := phrases.field(typed[at : at + length])))
    found = next((one for one in fields if one.kind == "number"), None)
    return replace(item, key=found.word) if found else item


# -- into pieces ---------------------------------------------------------------------


@dataclass
class Pieces:
    """The pieces of some items, cut when it is made; what is to be sorted by."""

    items: Sequence[str | Tree]
    phrases: Phrases
    pieces: list[Piece] = field(default_factory=list)
    order: list[SortKey] = field(default_factory=list)
    # The pieces that something is done to, though no verb says so.
    objects: set[int] = field(default_factory=set)

    def words(self, place: int, length: int) -> tuple[str, ...]:
        """So many words from here on; nothing if something else stands between them."""
        there = tuple(item for item in self.items[place : place + length] if isinstance(item, str))
        return there if len(there) == length else ()

    def __post_init__(self) -> None:
        place, marked, related, having, negated = 0, True, False, False, False
        while place < len(self.items):
            item = self.items[place]
            if not isinstance(item, str):
                self.pieces.append(Piece((), condition=item))
                place += 1
                continue
            if item in NEGATIONS and self._means_something(place + 1):
                place, negated = place + 1, True
                continue
            if item in KINDS and self.pieces and self.pieces[-1].condition is not None and self.pieces[-1].words:
                place += 1
                continue
            taken = self._order(place) or self._size(place) or self._with_field(place, having, negated) or self._valued(place)
            taken = taken or self._phrase(place, marked)
            if taken:
                self.pieces[-1].is_negated = negated and bool(self.pieces[-1].words)
                self.pieces[-1].is_related = related
                self._note_objects(place)
                place, marked, related, having, negated = place + taken, False, False, False, False
                continue
            if item in NOUNS and self.pieces and self.pieces[-1].senses and self.words(place - 1, 1) == self.pieces[-1].words[-1:]:
                self.pieces[-1].is_noun = True
            elif item not in FILLERS:
                self.pieces.append(Piece((item,)))
            related = item in RELATIVES or (related and item in FILLERS)
            marked = related or item in RELATIVES or item in NOUNS or (marked and item in FILLERS)
            having, place = item in HAVING or (having and item in ARTICLES), place + 1

    def _note_objects(self, place: int) -> None:
        before, last = self.words(place - 1, 1), len(self.pieces) - 1
        piece = self.pieces[last]
        if before and before[0] in AGAINST:
            self.objects.add(last)
        if before and before[0] in BEING and piece.of("verb") and piece.words[-1].endswith("ed"):
            self.objects.update((last - 1, last) if last and self.pieces[last - 1].senses else (last,))

    def _means_something(self, place: int) -> bool:
        while self.words(place, 1) and self.items[place] in (*ARTICLES, "a"):
            place += 1
        lengths = range(1, MAX_PHRASE + 1)
        return any((words := self.words(place, length)) and (self.phrases.senses(words) or self.phrases.field(words)) for length in lengths)

    def _field(self, place: int) -> tuple[Field | None, int]:
        """The field whose name stands here, the longest, and of how many words."""
        for length in range(MAX_NAME, 0, -1):
            if (words := self.words(place, length)) and (found := self.phrases.field(words)):
                return found, length
        return None, 0

    def _condition(self, tree: Tree, place: int, length: int) -> int:
        self.pieces.append(Piece(self.words(place, length), condition=tree))
        return length

    def _order(self, place: int) -> int:
        """``highest combat``, ``cheapest``, ``most expensive``."""
        word = self.items[place]
        direction = True if word in HIGH else False if word in LOW or word in CHEAP else None
        if direction is None:
            return 0
        found, length = self._field(place + 1)
        if self.words(place + 1, 1) and self.items[place + 1] in DEAR:
            found, length = self.phrases.field((COST,)), 1
        if found is None and word in CHEAP:
            found, length = self.phrases.field((COST,)), 0
        if found is None or found.kind != "number" or self._number(place + 1 + length):
            return 0
        self.order.append(SortKey(found.word, direction))
        self.pieces.append(Piece(self.words(place, 1 + length), condition=Term("has", ":", found.word)))
        return 1 + length

    def _number(self, place: int) -> str:
        word = self.items[place] if self.words(place, 1) else ""
        return word if isinstance(word, str) and word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS else ""

    def _size(self, place: int) -> int:
        """``level 1``, ``5 bravado``, and what a number field has instead of a number: ``cost x``."""
        found, length = self._field(place)
        if found and found.kind == "number":
            behind = place + length
            if number := self._number(behind):
                return self._condition(Term(found.word, "=", number), place, length + 1)
            if (words := self.words(behind, 1)) and (other := self.phrases.fields.printed(found, words[0])):
                return self._condition(Term(other.word, ":", words[0]), place, length + 1)
        if number := self._number(place):
            found, length = self._field(place + 1)
            behind = place + 1 + length
            # "5 craft 4 combat" is two sizes; of "5 craft 4" nobody knows.
            is_sure = not self._number(behind) or (self._field(behind + 1)[0] and not self._number(behind + 1 + self._field(behind + 1)[1]))
            if found and found.kind == "number" and is_sure:
                return self._condition(Term(found.word, "=", number), place, length + 1)
        return 0

    def _with_field(self, place: int, having: bool, negated: bool) -> int:
        """``with computer``: more than nothing. A field without a number says that somebody states one: ``combat bonus gear``."""
        found, length = self._field(place)
        if found is None or not (having or negated or found.kind == "number"):
            return 0
        words = self.words(place, length)
        if having and found.kind == "number":
            return self._condition(Term(found.word, ">=", "1"), place, length)
        is_value = bool(self.phrases.senses(words)) or any(self._longer(place, length))
        if is_value and not (negated and found.kind in ("word", "words", "number") and not self._has_conditions(words)):
            return 0
        if having or negated or length > 1:
            return self._condition(Term("has", ":", found.word), place, length)
        return 0

    def _has_conditions(self, words: Sequence[str]) -> bool:
        return any(sense.kind in ("type", "value", "flag", "set", "game") for sense in self.phrases.senses(words))

    def _longer(self, place: int, length: int) -> list[tuple[Sense, ...]]:
        return [senses for more in range(length + 1, MAX_PHRASE + 1) if (senses := self._senses(place, more))]

    def _senses(self, place: int, length: int) -> tuple[Sense, ...]:
        words = self.words(place, length)
        return self.phrases.senses(words) if words and not (length == 1 and words[0] in _NO_PHRASES) else ()

    def _valued(self, place: int) -> int:
        """``faction krypt`` and ``government affiliation``: a value beside its field."""
        for length in range(min(MAX_PHRASE, len(self.items) - place), 1, -1):
            words = self.words(place, length)
            for cut in range(1, length) if words else ():
                for name, value in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
                    is_name = 0 < len(name) <= MAX_NAME and not (len(name) == 1 and name[0] in SMALL_WORDS)
                    if is_name and (found := self.phrases.field(name)) and found.kind in ("word", "words", "exact"):
                        if term := self.phrases.value(found, value):
                            return self._condition(term, place, length)
        found, length = self._field(place)
        words = self.words(place + length, 1)
        if found and found.kind in ("word", "words") and words and len(words[0]) > 2 and words[0] not in FILLERS:
            if any(self.phrases.fields.meant(where, ":", words[0]) for where in found.places):
                return self._condition(Term(found.word, ":", words[0]), place, length + 1)
        return 0

    def _phrase(self, place: int, marked: bool) -> int:
        # What lines of effects call so is two words where each is something that the game declares: "special agents".
        lengths = range(min(MAX_PHRASE, len(self.items) - place), 0, -1)
        found = [(length, senses) for length in lengths if (senses := self._senses(place, length))]
        if found and all(sense.kind == "target" for sense in found[0][1]) and self._are_declared(place, found[0][0]):
            found = found[-1:]
        for length, senses in found[:1]:
            self.pieces.append(Piece(self.words(place, length), senses, is_marked=marked))
            return length
        return 0

    def _are_declared(self, place: int, length: int) -> bool:
        senses = (self._senses(at, 1) for at in range(place, place + length))
        return all(any(sense.kind not in ("target", "verb") for sense in of_word) for of_word in senses)
