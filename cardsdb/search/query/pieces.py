"""Plain words cut into pieces: phrases that a game declares, sizes, values beside their fields, and words
that say nothing.

"krypt leaders level 2" is two phrases and a size. What the pieces mean together is told by ``player_words``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from cardsdb.search.query.english import WORDS
from cardsdb.search.query.phrases import MAX_PHRASE, Phrases, Sense, SenseKind, phrase_of
from cardsdb.search.query.plain_english import MAX_NAME
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import (
    And,
    Or,
    Query,
    SortKey,
    Span,
    Term,
    Tree,
    Word,
    any_of,
)

# What a question has besides what it asks for.
SMALL_WORDS = frozenset(
    "a against all an and any are as at be been being by can card cards could do does during for from gets"
    " have how i in into is it its let lets make makes me more my need needs of on or our show so some that"
    " the their them there these they this those to up used was we what when where which while who will with"
    " without you your".split()
)
# Behind these a verb follows; and behind these a field that is more than nothing.
RELATIVES = frozenset("can could how that to what which who whose".split())
HAVING = frozenset("with have has having".split())
# What follows is what something is done to: "cards against vehicles"; and what precedes "is wounded" is, too.
AGAINST, BEING = (
    frozenset("against anti beat beating beats versus vs".split()),
    frozenset("are be being get gets is was".split()),
)
NEGATIONS = frozenset((*WORDS["excluding"], "no", "non"))
# What else is said of the most and the least, before a field or with "at" or "of" between; and of a cost by
# itself.
HIGH = frozenset(
    (*WORDS["highest"], "high", "highest", "good", "great", "big", "biggest", "lots", "plenty", "strong")
)
LOW = frozenset((*WORDS["lowest"], "low", "weakest", "worst", "weak", "small"))
CHEAP, DEAR, COST = frozenset("cheap cheaper cheapest".split()), frozenset(("expensive", "costly")), "cost"
# What they are said of may follow: "the best agents for medical". Praise that no fact measures is left out:
# "the best leaders".
OF_WHAT = frozenset("at for in with".split())
PRAISE = frozenset((*HIGH, *LOW, *CHEAP, *DEAR, *"easiest easy hardest powerful tough useful".split()))
# A cost of nothing, and numbers in words; words that say only that a number follows: "level 4 medical".
FREE, RANKS = "free", frozenset("level rank rating score value".split())
NUMBERS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
} | {"nothing": "0"}
# "More combat", "extra victory points": what gives some.
ADDING, GIVING = frozenset("additional extra more".split()), ("gain", "give")
# Behind these "play" is no verb of a card's: "what can I play to end combat".
PLAYERS, PLAYING = frozenset("i we you".split()), frozenset(("play", "use"))
# These say nothing beside a field or a kind of card.
FILLERS = frozenset(
    (*AGAINST, *SMALL_WORDS, *WORDS["link"], *WORDS["article"], *WORDS["noun"], "only", "also")
)
# No phrases by themselves.
_NO_PHRASES = FILLERS - {"give", "gives"}
# Words for kinds of things, which texts mostly leave out: "the Exposed trait" is "Exposed" there.
KINDS = frozenset("effect effects keyword keywords phase skill skills trait traits turn type".split())
# Nobody compares with a longer number.
MAX_DIGITS = 9


@dataclass(slots=True)
class Piece:
    """Some words beside each other: a condition already, a phrase with its senses, or a word that says
    nothing here.
    """

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
    return [
        word
        for part in parts
        for item in items_of(part, query)
        if isinstance(item, str)
        for word in phrase_of(item).split()
    ]


def items_of(tree: Tree | None, query: Query) -> list[str | Tree]:
    """The parts of a tree: words without quotes as such, "non-unique" as two; and the words among them that
    were left out.
    """
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
    words = [
        (span.start, word)
        for span in spans
        for word in re.finditer(r"\S+", query.text[span.start : span.end])
    ]
    return [Word(word[0], Span(start + word.start(), start + word.end())) for start, word in words]


def of_this_game(item: str | Tree, query: Query, phrases: Phrases) -> str | Tree:
    """A size in words of a field that the game lacks, as one that it has: "7 points" are victory points in
    one, stars in another.
    """
    if not isinstance(item, Term) or phrases.fields.get(item.key):
        return item
    typed = query.text[item.span.start : item.span.end].split()
    fields = (
        found
        for length in (2, 1)
        for at in range(len(typed))
        if (found := phrases.field(typed[at : at + length]))
    )
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
    # Whether words of praise were left out; and what they said: "best" the most, "worst" the least.
    is_reduced: bool = False
    praise: bool | None = None
    # What was looked up: the fields at a place, the senses of so many words from a place on.
    _fields: dict[int, tuple[Field | None, int]] = field(default_factory=dict)
    _known: dict[tuple[int, int], tuple[Sense, ...]] = field(default_factory=dict)

    def words(self, place: int, length: int) -> tuple[str, ...]:
        """So many words from here on; nothing if something else stands between them."""
        there = tuple(item for item in self.items[place : place + length] if isinstance(item, str))
        return there if len(there) == length else ()

    def __post_init__(self) -> None:
        place, marked, related, having, negated = 0, True, False, False, False
        while place < len(self.items):
            item = self.items[place]
            if not isinstance(item, str):
                place += self._ranked(item, place) or self._condition(item, place, 1)
                continue
            if item in NEGATIONS and self._means_something(place + 1):
                place, negated = place + 1, True
                continue
            if item in PLAYING and self.words(place - 1, 1) and self.items[place - 1] in PLAYERS:
                place += 1
                continue
            if (
                item in KINDS
                and self.pieces
                and self.pieces[-1].condition is not None
                and self.pieces[-1].words
            ):
                place += 1
                continue
            taken = self._order(place) or self._size(place) or self._praised(place)
            taken = (
                taken or self._with_field(place, having, negated) or self._valued(place) or self._added(place)
            )
            taken = taken or self._phrase(place, marked)
            if not taken and self._says_nothing(place):
                self.is_reduced, place = True, place + 1
                continue
            if taken:
                self.pieces[-1].is_negated = negated and bool(self.pieces[-1].words)
                self.pieces[-1].is_related = related
                self._note_objects(place)
                place, marked, related, having, negated = place + taken, False, False, False, False
                continue
            if (
                item in WORDS["noun"]
                and self.pieces
                and self.pieces[-1].senses
                and self.words(place - 1, 1) == self.pieces[-1].words[-1:]
            ):
                self.pieces[-1].is_noun = True
            elif item not in FILLERS:
                self.pieces.append(Piece((item,)))
            related = item in RELATIVES or (related and item in FILLERS)
            marked = related or item in RELATIVES or item in WORDS["noun"] or (marked and item in FILLERS)
            having, place = item in HAVING or (having and item in WORDS["article"]), place + 1

    def _note_objects(self, place: int) -> None:
        before, last = self.words(place - 1, 1), len(self.pieces) - 1
        piece = self.pieces[last]
        if before and before[0] in AGAINST:
            self.objects.add(last)
        if before and before[0] in BEING and piece.of("verb") and piece.words[-1].endswith("ed"):
            self.objects.update((last - 1, last) if last and self.pieces[last - 1].senses else (last,))

    def _means_something(self, place: int) -> bool:
        while self.words(place, 1) and self.items[place] in (*WORDS["article"], "a"):
            place += 1
        lengths = range(1, MAX_PHRASE + 1)
        return any(
            (words := self.words(place, length)) and (self.phrases.senses(words) or self.phrases.field(words))
            for length in lengths
        )

    def _field(self, place: int) -> tuple[Field | None, int]:
        """The field whose name stands here, the longest, and of how many words."""
        if place not in self._fields:
            self._fields[place] = self._field_at(place)
        return self._fields[place]

    def _field_at(self, place: int) -> tuple[Field | None, int]:
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
        direction = True if word in HIGH or word in DEAR else False if word in LOW or word in CHEAP else None
        if direction is None:
            return 0
        found, length = self._field(place + 1)
        # "Good at computer", "lots of health", "high RP cost".
        between = self.items[place + 1] if self.words(place + 1, 1) else ""
        if found is None and between and (between in OF_WHAT or between == "of"):
            found, length = self._field(place + 2)
            length += 1
        elif (
            found is None
            and between
            and (of_value := [sense for sense in self._senses(place + 1, 1) if sense.kind == "value"])
        ):
            found, length = self._field(place + 2)
            if self._is_number(found, place + 2 + length):
                self.pieces.append(Piece((str(between),), tuple(of_value)))
                length += 1
        if between in DEAR:
            found, length = self.phrases.field((COST,)), 1
        if found is None and (word in CHEAP or word in DEAR):
            return self._sorted(self.phrases.field((COST,)), direction, place, 1)
        return (
            self._sorted(found, direction, place, 1 + length)
            if self._is_number(found, place + 1 + length)
            else 0
        )

    def _sorted(self, found: Field | None, direction: bool, place: int, length: int) -> int:
        """Return what has a number there, sorted by it."""
        if found is None or found.kind != "number":
            return 0
        self.order.append(SortKey(found.word, direction))
        # "Missions that give the most points" do nothing by it.
        if self.pieces and self.pieces[-1].words and self.pieces[-1].words[0] in WORDS["link"]:
            self.pieces.pop()
        self.pieces.append(Piece(self.words(place, length), condition=Term("has", ":", found.word)))
        return length

    def _is_number(self, found: Field | None, behind: int) -> bool:
        """Return whether the field has numbers and none stands behind it."""
        return found is not None and found.kind == "number" and not self._number(behind)

    def _praised(self, place: int) -> int:
        """``for medical`` behind "the best agents"."""
        if self.praise is None or self.items[place] not in OF_WHAT:
            return 0
        found, length = self._field(place + 1)
        return (
            self._sorted(found, self.praise, place, 1 + length)
            if self._is_number(found, place + 1 + length)
            else 0
        )

    def _says_nothing(self, place: int) -> bool:
        """Praise without a measure, "free" before what is done, and what only announces a number."""
        word = self.items[place]
        if word in RANKS:
            return bool(self._number(place + 1)) and self._field(place + 2)[0] is not None
        if word == FREE:
            return any(sense.kind == "verb" for sense in self._senses(place + 1, 1))
        if word not in PRAISE:
            return False
        behind = place + 1
        while self.words(behind, 1) and self.items[behind] in PRAISE:
            behind += 1
        self.praise = word not in LOW
        return self._means_something(behind)

    def _added(self, place: int) -> int:
        """``extra victory points``: what gives some."""
        if (
            self.items[place] not in ADDING
            or any(self._longer(place, 1))
            or not self._means_something(place + 1)
            or self.items[place + 1] in WORDS["noun"]
        ):
            return 0
        verbs = tuple(
            sense for verb in GIVING for sense in self.phrases.senses((verb,)) if sense.kind == "verb"
        )
        either = any_of(dict.fromkeys(sense.tree for sense in verbs))
        if either is None:
            return 0
        self.pieces.append(Piece(self.words(place, 1), (Sense("verb", either),), is_marked=True))
        return 1

    def _number(self, place: int) -> str:
        word = self.items[place] if self.words(place, 1) else ""
        word = NUMBERS.get(word, word) if isinstance(word, str) else ""
        return word if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS else ""

    def _size(self, place: int) -> int:
        """``level 1``, ``5 bravado``, ``free gear``, and what a number field has instead of a number: ``cost
        x``, ``x in the cost``.
        """
        found, length = self._field(place)
        if found is None and self._number(place + 1):
            found, length = self._of_type(place), 1
        if self.items[place] == FREE and (costs := self.phrases.field((COST,))) and self._types(place + 1):
            return self._condition(Term(costs.word, "=", "0"), place, 1)
        if len(str(self.items[place])) == 1 and self.words(place, 3)[1:] == ("in", "the"):
            found, length = self._field(place + 3)
            if found and (other := self.phrases.fields.printed(found, str(self.items[place]))):
                return self._condition(Term(other.word, ":", str(self.items[place])), place, length + 3)
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
            is_sure = not self._number(behind) or (
                self._field(behind + 1)[0] and not self._number(behind + 1 + self._field(behind + 1)[1])
            )
            if found and found.kind == "number" and is_sure:
                return self._condition(Term(found.word, "=", number), place, length + 1)
        return 0

    def _ranked(self, size: Tree, place: int) -> int:
        """``level=4`` before "medical", in a game that has no levels: so much of that."""
        found, length = self._field(place + 1)
        is_rank = isinstance(size, Term) and size.key in RANKS and self.phrases.fields.get(size.key) is None
        if not (is_rank and isinstance(size, Term) and found and found.kind == "number"):
            return 0
        self.pieces.append(Piece((), condition=replace(size, key=found.word)))
        return 1 + length

    def _types(self, place: int) -> list[str]:
        """The types of card that a word means."""
        senses = self._senses(place, 1) if self.words(place, 1) else ()
        return [sense.tree.value for sense in senses if sense.kind == "type" and isinstance(sense.tree, Term)]

    def _of_type(self, place: int) -> Field | None:
        """The field that a word means beside its type: "level" of sites is the level of a site, "mission 5"
        the number of a mission.
        """
        if types := self._types(place):
            names = [f"{of_type} number" for of_type in types]
        else:
            names = [
                f"{of_type} {self.items[place]}"
                for at in range(len(self.items))
                for of_type in self._types(at)
            ]
        fields = (self.phrases.fields.get(name) for name in names)
        return next((found for found in fields if found and found.kind == "number"), None)

    def _with_field(self, place: int, having: bool, negated: bool) -> int:
        """``with computer``: more than nothing. A field without a number says that somebody states one:
        ``combat bonus gear``.
        """
        found, length = self._field(place)
        if found is None or not (having or negated or found.kind == "number"):
            return 0
        words = self.words(place, length)
        if having and found.kind == "number":
            return self._condition(Term(found.word, ">=", "1"), place, length)
        is_value = bool(self.phrases.senses(words)) or any(self._longer(place, length))
        if is_value and not (
            negated and found.kind in ("word", "words", "number") and not self._has_conditions(words)
        ):
            return 0
        if having or negated or length > 1:
            return self._condition(Term("has", ":", found.word), place, length)
        return 0

    def _has_conditions(self, words: Sequence[str]) -> bool:
        return any(
            sense.kind in ("type", "value", "flag", "set", "game") for sense in self.phrases.senses(words)
        )

    def _longer(self, place: int, length: int) -> list[tuple[Sense, ...]]:
        return [senses for more in range(length + 1, MAX_PHRASE + 1) if (senses := self._senses(place, more))]

    def _senses(self, place: int, length: int) -> tuple[Sense, ...]:
        if (place, length) not in self._known:
            words = self.words(place, length)
            is_phrase = words and not (length == 1 and words[0] in _NO_PHRASES)
            self._known[place, length] = self.phrases.senses(words) if is_phrase else ()
        return self._known[place, length]

    def _valued(self, place: int) -> int:
        """``faction krypt`` and ``government affiliation``: a value beside its field."""
        for length in range(min(MAX_PHRASE, len(self.items) - place), 1, -1):
            words = self.words(place, length)
            for cut in range(1, length) if words else ():
                for name, value in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
                    is_name = 0 < len(name) <= MAX_NAME and not (len(name) == 1 and name[0] in SMALL_WORDS)
                    if (
                        is_name
                        and (found := self.phrases.field(name))
                        and found.kind in ("word", "words", "exact")
                    ):
                        if term := self.phrases.value(found, value):
                            return self._condition(term, place, length)
        found, length = self._field(place)
        words = self.words(place + length, 1)
        if (
            found
            and found.kind in ("word", "words")
            and words
            and len(words[0]) > 2
            and words[0] not in FILLERS
        ):
            if any(self.phrases.fields.meant(where, ":", words[0]) for where in found.places):
                return self._condition(Term(found.word, ":", words[0]), place, length + 1)
        return 0

    def _phrase(self, place: int, marked: bool) -> int:
        # What lines of effects call so is two words where each is something that the game declares: "special
        # agents".
        lengths = range(min(MAX_PHRASE, len(self.items) - place), 0, -1)
        found = [(length, senses) for length in lengths if (senses := self._senses(place, length))]
        if (
            found
            and all(sense.kind == "target" for sense in found[0][1])
            and self._are_declared(place, found[0][0])
        ):
            found = found[-1:]
        for length, senses in found[:1]:
            self.pieces.append(Piece(self.words(place, length), senses, is_marked=marked))
            return length
        return 0

    def _are_declared(self, place: int, length: int) -> bool:
        senses = (self._senses(at, 1) for at in range(place, place + length))
        return all(any(sense.kind not in ("target", "verb") for sense in of_word) for of_word in senses)
