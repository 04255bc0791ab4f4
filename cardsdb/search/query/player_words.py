"""Plain words as players mean them, cut into pieces: "level 1 leaders", "killer cards", "agents that heal".

Words that a game declares are phrases, a field beside a number compares, "highest combat" sorts; what is left
stays a word. Words in quotes are just words. What the pieces mean together is told by ``meaning``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cardsdb.search.query.check import check
from cardsdb.search.query.english import WORDS, words_that
from cardsdb.search.query.fields import Fields, Table, TableField
from cardsdb.search.query.grammar import Scanner
from cardsdb.search.query.phrases import MAX_PHRASE, Phrases, Sense, SenseKind, phrase_of
from cardsdb.search.query.plain_english import MAX_NAME, Reader
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import CONNECTIVES, SortKey, Term, Tree, any_of, leaves

COST, FREE, GIVING = "cost", "free", ("gain", "give")
PRAISE = words_that("high", "low", "praise")
# These say nothing beside a field or a kind of card; but for two they are no phrases by themselves.
FILLERS = words_that("against", "small", "link", "article", "noun", "also")
_NO_PHRASES = FILLERS - {"give", "gives"}
# Kinds of fields whose values stand beside their names: "faction krypt".
_VALUED = ("word", "words", "exact")
# Nobody compares with a longer number.
MAX_DIGITS = 9
_NUMBERS = {**{word: str(number) for number, word in enumerate(WORDS["number"])}, "nothing": "0"}


@dataclass(slots=True)
class Piece:
    """Some words beside each other: a condition already, a phrase with its senses, or a word that says
    nothing here.
    """

    words: tuple[str, ...]
    senses: tuple[Sense, ...] = ()
    condition: Tree | None = None
    is_negated: bool = False
    # Whether a verb is expected here: behind "that", or first of all; and whether it is behind "that".
    is_marked: bool = False
    is_related: bool = False
    # Whether "cards" follows; whether something is done to it, though no verb says so.
    is_noun: bool = False
    is_object: bool = False
    # The one kind of sense that counts: it is what is done, the kind of card that is asked for, or the game.
    only: SenseKind | None = None

    def of(self, *kinds: SenseKind) -> list[Tree]:
        return [sense.tree for sense in self.senses if sense.kind in kinds]


@dataclass(slots=True)
class Pieces:
    """The pieces of one alternative, and what to sort by.

    ``is_reduced``: words of praise were left out; ``praise`` is what they said: "best" the most, "worst" the
    least.
    """

    pieces: list[Piece] = field(default_factory=list)
    order: list[SortKey] = field(default_factory=list)
    is_reduced: bool = False
    praise: bool | None = None


def plain_words(text: str) -> list[str]:
    """The words of a query that stand without quotes, folded, as names have them."""
    words = Reader(text, list(Scanner(text).tokens()), Table(())).words
    return [one for word in words if word not in CONNECTIVES for one in phrase_of(word).split()]


def _without_needless(text: str) -> str:
    """The text with spaces in place of what only sorts, and of brackets that change nothing: "craft (4)",
    "(krypt or dragons)".
    """
    tokens = list(Scanner(text).tokens())
    kinds = ["or", *(token.kind for token in tokens), "or"]
    opened: list[int] = []
    joining, needless = set[int](), list[int]()
    for place, token in enumerate(tokens):
        if token.kind == "(":
            opened.append(place)
        elif token.kind == "show":
            needless.append(place)
        elif token.kind == "or":
            joining.update(opened[-1:])
        elif token.kind == ")":
            first = opened.pop() if opened else place
            around = {kinds[first], kinds[place + 2]}
            if not tokens[first].negated and (first not in joining or around <= {"or", "(", ")"}):
                needless += (first, place)
                joining.update(opened[-1:] if first in joining else ())
    for place in needless:
        start, end = tokens[place].span
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


class PlayerWords(Reader):
    """Cuts the words of a query. ``fields``: the search words of what stands among them otherwise."""

    def __init__(self, text: str, phrases: Phrases, fields: Fields) -> None:
        text = _without_needless(text)
        super().__init__(text, list(Scanner(text).tokens()), phrases.fields)
        self._phrases, self._all_fields = phrases, fields
        self._row = Pieces()

    def alternatives(self, given: Sequence[Tree]) -> list[Pieces]:
        """The pieces between each "or"; ``given`` are conditions that hold for all."""
        self._row = Pieces([Piece((), condition=tree) for tree in given])
        rows, place = [self._row], 0
        marked, related, having, negated = True, False, False, False
        while place < len(self._tokens):
            word, kind, last = self.words[place], self._tokens[place].kind, self._row.pieces[-1:]
            if kind == "or":
                if not (taken := self._other_value(place)):
                    self._row = Pieces([Piece((), condition=tree) for tree in given])
                    rows.append(self._row)
                    marked, related, having, negated = True, False, False, False
                place += max(taken, 1)
            elif not word:
                place = self._typed_condition(place)
            elif word in WORDS["negation"] and self._means_something(place + 1):
                place, negated = place + 1, True
            elif word.startswith("non-") and (senses := self._phrases.senses((word[4:],))):
                self._row.pieces.append(Piece((word[4:],), senses, is_negated=True))
                place, marked, related, having, negated = place + 1, False, False, False, False
            elif (word in WORDS["playing"] and place and self.words[place - 1] in WORDS["player"]) or (
                word in WORDS["kind"] and last and last[0].condition is not None and last[0].words
            ):
                place += 1
            elif taken := self._cut(place, marked, having, negated):
                piece = self._row.pieces[-1]
                piece.is_negated, piece.is_related = negated and bool(piece.words), related
                self._note_objects(place)
                place, marked, related, having, negated = place + taken, False, False, False, False
            elif self._says_nothing(place):
                self._row.is_reduced, place = True, place + 1
            else:
                if (
                    word in WORDS["noun"]
                    and last
                    and last[0].senses
                    and self.words[place - 1] == last[0].words[-1]
                ):
                    last[0].is_noun = True
                elif word not in FILLERS:
                    self._row.pieces.append(Piece((word,)))
                related = word in WORDS["relative"] or (related and word in FILLERS)
                marked = related or word in WORDS["noun"] or (marked and word in FILLERS)
                having = word in WORDS["having"] or (having and word in WORDS["article"])
                place += 1
        return rows

    def _cut(self, place: int, marked: bool, having: bool, negated: bool) -> int:
        """Cut the next piece; return of how many words it is, 0 if none begins here."""
        return (
            self._order(place)
            or self._compared(place)
            or self._praised(place)
            or self._with_field(place, having, negated)
            or self._beside_its_field(place)
            or self._added(place)
            or self._phrase(place, marked)
        )

    def _typed_condition(self, place: int) -> int:
        """Take a condition, or what stands between brackets, as it was typed; return the place behind it."""
        depth, end = 0, place
        if self._is_leaf(place) and not self._tree(place):
            # Of "type: agent" the first token says nothing by itself.
            end, _ = self._behind_not(place + 1)
        while end < len(self._tokens):
            depth += {"(": 1, ")": -1}.get(self._tokens[end].kind, 0)
            end += 1
            if depth <= 0:
                break
        if tree := check(self._typed(self._span(place, end - place)), self._all_fields).tree:
            self._row.pieces.append(Piece((), condition=tree))
        return end

    def _other_value(self, place: int) -> int:
        """Another value of the same fact, as in "krypt or bloodvine leaders": return of how many tokens it is
        with its "or", 0 if it is none.
        """
        pieces, found = self._row.pieces, next(self._phrases_at(place + 1), None)
        if not (pieces and found):
            return 0
        values = [
            [
                (leaf, sense.is_plain)
                for sense in senses
                if sense.kind == "value"
                for leaf in leaves(sense.tree)
            ]
            for senses in (pieces[-1].senses, found[1])
        ]
        keys = set.intersection(*({leaf.key for leaf, _ in one} for one in values))
        shared = {leaf: is_plain for one in values for leaf, is_plain in one if leaf.key in keys}
        behind = place + 1 + found[0]
        while self.words[behind] == "or" and (more := next(self._phrases_at(behind + 1), None)):
            behind += 1 + more[0]
        # Alternatives with nothing beside them are as good apart.
        either = any_of(shared)
        if either is None or (behind == len(self._tokens) and len(pieces) == 1):
            return 0
        pieces[-1].senses = (Sense("value", either, all(shared.values())),)
        return found[0] + 1

    def _note_objects(self, place: int) -> None:
        before, (*others, piece) = self.words[place - 1] if place else "", self._row.pieces
        if before in WORDS["against"]:
            piece.is_object = True
        if before in WORDS["being"] and piece.of("verb") and piece.words[-1].endswith("ed"):
            piece.is_object = True
            if others and others[-1].senses:
                others[-1].is_object = True

    # -- what stands at a place ------------------------------------------------------

    def _together(self, place: int, length: int) -> tuple[str, ...]:
        """So many words from here on; nothing if something else stands between them."""
        there = tuple(self.words[place : min(place + length, len(self._tokens))])
        return there if len(there) == length and all(there) and "or" not in there else ()

    def _field_called(self, name: str) -> TableField | None:
        return self._phrases.field(name.split())

    def _number(self, place: int) -> str:
        """A number in digits or in words."""
        word = _NUMBERS.get(self.words[place], self.words[place]) if place < len(self.words) else ""
        return word if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS else ""

    def _field(self, place: int) -> tuple[Field | None, int]:
        """The field whose name stands here, the longest, and of how many words."""
        for length in range(MAX_NAME, 0, -1):
            if (words := self._together(place, length)) and (found := self._phrases.field(words)):
                return found, length
        return None, 0

    def _senses(self, place: int, length: int) -> tuple[Sense, ...]:
        words = self._together(place, length)
        return self._phrases.senses(words) if words and not (length == 1 and words[0] in _NO_PHRASES) else ()

    def _phrases_at(self, place: int, longer_than: int = 0) -> Iterator[tuple[int, tuple[Sense, ...]]]:
        """The phrases that begin here, the longest first: of how many words each is, and its senses."""
        for length in range(MAX_PHRASE, longer_than, -1):
            if senses := self._senses(place, length):
                yield length, senses

    def _types(self, place: int) -> list[str]:
        """The types of card that a word means."""
        senses = self._senses(place, 1)
        return [sense.tree.value for sense in senses if sense.kind == "type" and isinstance(sense.tree, Term)]

    def _means_something(self, place: int) -> bool:
        while self.words[place : place + 1] and self.words[place] in WORDS["article"]:
            place += 1
        return any(
            (words := self._together(place, length))
            and (self._phrases.senses(words) or self._phrases.field(words))
            for length in range(1, MAX_PHRASE + 1)
        )

    def _is_number(self, found: Field | None, behind: int) -> bool:
        """Return whether the field has numbers and none stands behind it."""
        return found is not None and found.kind == "number" and not self._number(behind)

    def _condition(self, tree: Tree, place: int, length: int) -> int:
        self._row.pieces.append(Piece(tuple(self.words[place : place + length]), condition=tree))
        return length

    # -- patterns --------------------------------------------------------------------

    def _order(self, place: int) -> int:
        """``highest combat``, ``good at computer``, ``high RP cost``, ``cheapest``, ``most expensive``."""
        word, at = self.words[place], place + 1
        if word not in WORDS["high"] and word not in WORDS["low"]:
            return 0
        found, length = self._field(at)
        of_value: tuple[Sense, ...] = ()
        if found is None:
            of_value = tuple(sense for sense in self._senses(at, 1) if sense.kind == "value")
            if of_value or self.words[at] in WORDS["of_what"] or self.words[at] == "of":
                at += 1
                found, length = self._field(at)
        if self.words[place + 1] in WORDS["dear"]:
            found, at, length, of_value = self._phrases.field((COST,)), place + 1, 1, ()
        elif found is None and (word in WORDS["cheap"] or word in WORDS["dear"]):
            found, at, length, of_value = self._phrases.field((COST,)), place + 1, 0, ()
        if found is None or (length and not self._is_number(found, at + length)):
            return 0
        if of_value:
            self._row.pieces.append(Piece(self._together(place + 1, 1), of_value))
        return self._sorted(found, word in WORDS["high"], place, at + length - place)

    def _sorted(self, found: Field | None, is_most: bool, place: int, length: int) -> int:
        """Return what has a number there, sorted by it."""
        if found is None or found.kind != "number":
            return 0
        pieces = self._row.pieces
        self._row.order.append(SortKey(found.word, is_most))
        # "Missions that give the most points" do nothing by it.
        if pieces and pieces[-1].words and pieces[-1].words[0] in WORDS["link"]:
            pieces.pop()
        return self._condition(Term("has", ":", found.word), place, length)

    def _praised(self, place: int) -> int:
        """``for medical`` behind "the best agents"."""
        if self._row.praise is None or self.words[place] not in WORDS["of_what"]:
            return 0
        found, length = self._field(place + 1)
        if not self._is_number(found, place + 1 + length):
            return 0
        return self._sorted(found, self._row.praise, place, 1 + length)

    def _says_nothing(self, place: int) -> bool:
        """Praise without a measure, "free" before what is done, and what only announces a number."""
        word = self.words[place]
        if word in WORDS["rank"]:
            return bool(self._number(place + 1)) and self._field(place + 2)[0] is not None
        if word == FREE:
            return any(sense.kind == "verb" for sense in self._senses(place + 1, 1))
        if word not in PRAISE:
            return False
        self._row.praise = word not in WORDS["low"]
        while self.words[place] in PRAISE:
            place += 1
        return self._means_something(place)

    def _added(self, place: int) -> int:
        """``extra victory points``: what gives some."""
        is_phrase = any(self._phrases_at(place, 1))
        if self.words[place] not in WORDS["adding"] or is_phrase or self.words[place + 1] in WORDS["noun"]:
            return 0
        if place > 1 and self.words[place - 1] == "or" and self._number(place - 2):
            return 0  # The end of a size: "4 or more".
        senses = (sense for verb in GIVING for sense in self._phrases.senses((verb,)) if sense.kind == "verb")
        either = any_of(dict.fromkeys(sense.tree for sense in senses))
        if either is None or not self._means_something(place + 1):
            return 0
        self._row.pieces.append(Piece(self._together(place, 1), (Sense("verb", either),), is_marked=True))
        return 1

    def _compared(self, place: int) -> int:
        """``level 1``, ``5 bravado``, ``free gear``, ``mission 5``, and what a number field has instead of a
        number: ``cost x``, ``x in the cost``.
        """
        # "Worth 5 vp" is a size of points, though a game may call points so themselves.
        for link in (1, 0) if self.words[place] in WORDS["link"] else (0,):
            size, taken = self._size(place + link, is_linked=True)
            if size:
                return link + self._condition(size, place + link, taken)
        word, (found, length) = self.words[place], self._field(place)
        if word == FREE and (costs := self._phrases.field((COST,))) and self._types(place + 1):
            return self._condition(Term(costs.word, "=", "0"), place, 1)
        if found is None and (number := self._number(place + 1)) and (of_type := self._of_type(place)):
            return self._condition(Term(of_type.word, "=", number), place, 2)
        printed, taken = self.words[place + length], length + 1
        if len(word) == 1 and self._together(place, 3)[1:] == ("in", "the"):
            found, length = self._field(place + 3)
            printed, taken = word, length + 3
        other = self._phrases.fields.printed(found, printed) if found and printed else None
        return self._condition(Term(other.word, ":", printed), place, taken) if other else 0

    def _of_type(self, place: int) -> Field | None:
        """The field that a word means beside its type: "level" of sites is the level of a site, "mission 5"
        the number of a mission.
        """
        names = [f"{of_type} number" for of_type in self._types(place)] or [
            f"{of_type} {self.words[place]}" for at in range(len(self._tokens)) for of_type in self._types(at)
        ]
        fields = (self._phrases.fields.get(name) for name in names)
        return next((found for found in fields if found and found.kind == "number"), None)

    def _with_field(self, place: int, having: bool, negated: bool) -> int:
        """``with computer``: more than nothing. A field without a number says that somebody states one:
        ``combat bonus gear``.
        """
        found, length = self._field(place)
        if found is None or not (having or negated or found.kind == "number"):
            return 0
        if having and found.kind == "number":
            return self._condition(Term(found.word, ">=", "1"), place, length)
        senses = self._phrases.senses(self._together(place, length))
        is_condition = any(sense.kind in ("type", "value", "flag", "set", "game") for sense in senses)
        if senses or any(self._phrases_at(place, length)):
            if not negated or is_condition or found.kind not in ("word", "words", "number"):
                return 0
        return (
            self._condition(Term("has", ":", found.word), place, length)
            if having or negated or length > 1
            else 0
        )

    def _beside_its_field(self, place: int) -> int:
        """``faction krypt``, ``government affiliation`` and ``faction is krypt``."""
        valued, taken = self._valued(place)
        if valued:
            return self._condition(valued, place, taken)
        for length in range(MAX_PHRASE, 1, -1):
            words = self._together(place, length)
            for cut in range(1, len(words)):
                for name, value in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
                    is_name = len(name) <= MAX_NAME and not (len(name) == 1 and name[0] in WORDS["small"])
                    found = self._phrases.field(name) if is_name else None
                    if found and found.kind in _VALUED and (term := self._phrases.value(found, value)):
                        return self._condition(term, place, length)
        found, length = self._field(place)
        word = self.words[place + length]
        if found and found.kind in ("word", "words") and len(word) > 2 and word not in FILLERS:
            if any(where.meant(":", word) for where in found.places):
                return self._condition(Term(found.word, ":", word), place, length + 1)
        return 0

    def _phrase(self, place: int, marked: bool) -> int:
        found = list(self._phrases_at(place))
        if not found:
            return 0
        length, senses = found[0]
        # What lines of effects call so is two words where each is something that the game declares: "special
        # agents".
        if all(sense.kind == "target" for sense in senses) and all(
            any(sense.kind not in ("target", "verb") for sense in self._senses(at, 1))
            for at in range(place, place + length)
        ):
            length, senses = found[-1]
        self._row.pieces.append(Piece(self._together(place, length), senses, is_marked=marked))
        return length
