"""Cut the items of a question into pieces: "level 1 leaders that heal" -> "level 1", "leaders", "that",
"heal".

At each item, ``Cutter`` collects every piece that could begin there: phrases of the game's vocabulary, and
patterns of sizes, orders and values. Of all ways to cut the whole question it takes the one with the highest
total ``Piece.value``. ``candidates`` makes a ``Cutter`` for each game; ``reading`` then combines the pieces.

To add a pattern, write a method like ``_orders`` and name it in ``_at``. The words of roles ("high low") are
in ``query/english.toml``. Tests: ``tests/cardsdb/search/plain/test_patterns.py``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cardsdb.search.plain.items import Item
from cardsdb.search.plain.pieces import Piece, marked_pieces
from cardsdb.search.plain.vocabulary import MAX_FIELD, MAX_PHRASE, Vocabulary
from cardsdb.search.query.check import check
from cardsdb.search.query.english import (
    ENGLISH,
    FILLERS,
    PARTICLES,
    SHORT,
    SIZE_WORDS,
    WORDS,
    Bounds,
    amount_at,
    number_of,
)
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Regex, Term, Tree, Versus, Word, any_of, none_of

# Letters of a word that is looked for only as a whole word of names, because too many words contain it.
SHORT_WORD = 2
# A particle belongs to a verb that stands fewer items before it: "get it back".
MAX_APART = 5
# An amount has fewer words than this before its field: "4, 5 or 6 craft" has five.
MAX_BEFORE = 6
# A number written together with letters before or behind it, as its three groups: "lvl1", "6pt".
_GLUED = re.compile(r"([a-z]{1,12})?([0-9]{1,3})([a-z]{1,12})?")
# A piece that begins at some place, and the place behind its last item: (end, piece).
Ending = tuple[int, Piece]


class Cutter:
    """Cuts the items of a query into pieces, with the vocabulary of one game."""

    def __init__(self, items: Sequence[Item], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._items = [part for item in self._gathered(list(items)) for part in self._unglued(item)]
        self._words = [item if isinstance(item, str) else "" for item in self._items]
        # Unknown word -> its corrected spelling, because a correction takes long.
        self._mended = dict[str, str]()

    def _gathered(self, items: list[Item]) -> list[Item]:
        """Move the particle of a verb next to it: "get a card back" -> "get back a card"."""
        for place, verb in enumerate(items):
            # At ``place + 1``, directly behind the verb, it stands right already.
            for at in range(place + 2, min(place + MAX_APART, len(items))):
                particle = items[at]
                senses = self._vocabulary.senses((str(verb), str(particle))) if particle in PARTICLES else ()
                if any(sense.kind == "verb" for sense in senses):
                    between, rest = items[place + 1 : at], items[at + 1 :]
                    return [*items[:place], verb, particle, *between, *rest]
        return items

    def _unglued(self, item: Item) -> Sequence[Item]:
        """Split a word and a number that are written together: ``lvl1`` -> "level", "1"."""
        glued = _GLUED.fullmatch(item) if isinstance(item, str) else None
        # What is a word of the game or of a name already is left whole.
        if glued is None or self._vocabulary.knows(glued[0]) or self._vocabulary.named([glued[0]]):
            return (self._short(item),)
        return [self._short(part) for part in glued.groups() if part]

    def _short(self, item: Item) -> Item:
        """Return the word that an abbreviation stands for, unless the game has a field of that name."""
        if isinstance(item, str) and item in SHORT and not self._vocabulary.field((item,)):
            return SHORT[item]
        return item

    def pieces(self) -> list[Piece]:
        """Return the pieces of the best cut, with marks attached. That of "level 1 leaders" has the value
        3.02:

        item     pieces that may begin there, with their values
        level    size "level 1" 2.02, fact "level" 0.8, mark "level" 0
        1        count "1" 0
        leaders  phrase "leaders" 1, word "leaders" 0.55
        """
        # For each place: the value of the best cut of all items from there on, and its pieces. It is filled
        # from the end, where nothing is left to cut.
        best: list[tuple[float, Sequence[Piece]]] = [(0.0, ())] * (len(self._items) + 1)
        for place in reversed(range(len(self._items))):
            cuts = []
            for end, piece in self._at(place):
                value, behind = best[end]
                cuts.append((piece.value + value, (piece, *behind)))
            # Of equal cuts ``max`` takes the first.
            best[place] = max(cuts, key=lambda cut: cut[0])
        _, pieces = best[0]
        return marked_pieces(pieces)

    # -- what stands at a place --------------------------------------------------------

    def _at(self, place: int) -> Iterator[Ending]:
        """Yield each piece that may begin here, the likelier of equals first."""
        item = self._items[place]
        if not isinstance(item, str):
            yield place + 1, Piece("condition", tree=item)
        elif item in WORDS["passive"] and self._word_at(place + 1).endswith("ed"):
            yield place + 1, Piece("mark", (item,), mark="is")
        elif item in WORDS["asked"] and self._word_at(place - 1) in ("which", "what"):
            # "Which set is it from" has no condition.
            yield place + 1, Piece("mark", (item,), mark=item)
        elif item.endswith("est") and any(
            field.kind == "number" for (field, _), _ in self._match(place, "fact")
        ):
            # A superlative such as "fastest", which [player_words] of a game can use for a number.
            yield place + 1, Piece("order", (item,), field_words=(item,))
        else:
            # The order decides between cuts of the same value (see ``pieces``).
            for read in (self._sizes, self._compared, self._orders, self._values, self._phrases):
                for end, piece in read(place):
                    yield end, replace(piece, words=tuple(self._words[place:end]))
            yield place + 1, self._word(item)

    def _word_at(self, place: int) -> str:
        """Return the word at a place; empty if there is a condition, or nothing."""
        return "".join(self._words[place : place + 1])

    def _words_at(self, place: int, length: int) -> tuple[str, ...]:
        """Return ``length`` words from here on; empty if a condition or an "or" is among them."""
        words = tuple(self._words[place : place + length])
        return words if len(words) == length and all(words) and "or" not in words else ()

    def _match(self, place: int, *pattern: str) -> Iterator[tuple[Any, ...]]:
        """Yield a tuple for every way in which a pattern fits here: a value for each of its parts, and the
        place behind it. At 0 in "highest craft", the pattern ("high", "fact") yields
        ("highest", (field craft, ("craft",)), 2). Parts are:

        - ``fact``: the name of a field; its value is (field, words). Longer names come first.
        - ``words``: up to MAX_PHRASE words; its value is the words. Longer ones come first.
        - roles of ``english.toml`` between spaces: one word with any of these; its value is the word.
        - roles with a star: any number of such words, also none; no value.
        """
        if not pattern:
            yield (place,)
            return
        part, *rest = pattern
        if part == "fact":
            for length in range(MAX_FIELD, 0, -1):
                words = self._words_at(place, length)
                if words and (field := self._vocabulary.field(words)):
                    yield from (((field, words), *behind) for behind in self._match(place + length, *rest))
            return
        if part == "words":
            for length in range(MAX_PHRASE, 0, -1):
                if words := self._words_at(place, length):
                    yield from ((words, *behind) for behind in self._match(place + length, *rest))
            return
        accepted = {word for role in part.rstrip("*").split() for word in WORDS[role]}
        if part.endswith("*"):
            yield from self._match(place, *rest)
            while self._word_at(place) in accepted:
                place += 1
                yield from self._match(place, *rest)
        elif (word := self._word_at(place)) in accepted:
            yield from ((word, *behind) for behind in self._match(place + 1, *rest))

    def _sizes(self, place: int) -> Iterator[Ending]:
        """Yield pieces for sizes: ``level 1``, ``5 bravado``, ``below level 5``, ``worth 4 or more``,
        ``under 4 rp``.
        """
        # Small words may stand before a size ("worth 4", "with a level of 2"), which then begins at ``at``.
        for (at,) in self._match(place, "link kind article*"):
            # The field may stand in front of the amount, inside it or behind it (see ``_sized``).
            for before_field in range(MAX_BEFORE):
                head = self._words[at : at + before_field]
                if all(word in SIZE_WORDS or number_of(word) for word in head):
                    yield from self._sized(at, head)
            # An amount without a field, such as "4 or more"; a bare number only behind "worth" or "cost".
            bounds, taken = amount_at(self._words, at)
            # "Glock 17 or 18" has no amount.
            is_sized = taken > 1 and not _is_either(self._words[at : at + taken])
            if is_sized or (bounds and set(self._words[place:at]) & set(WORDS["pricing"])):
                yield at + taken, Piece("size", bounds=bounds)

    def _sized(self, at: int, head: Sequence[str]) -> Iterator[Ending]:
        """Yield pieces for sizes whose field stands behind the words ``head`` of the amount, which
        begins at ``at``. The amount may go on behind the field:

            head    field     rest
            below   level     5
            5       bravado   or more
            (none)  craft     is at least 4
        """
        begin = at + len(head)
        # Behind an amount small words may stand before its field: "5 of the craft".
        pattern = ("joint article*", "fact") if head else ("fact",)
        for (field, words), end in self._match(begin, *pattern):
            for (behind,) in self._match(end, "is article*"):
                bounds, more = self._rest(head, behind)
                # An "is" behind the field must be followed by a further part of the amount.
                if bounds and field.kind == "number" and (more or behind == end):
                    yield behind + more, Piece("size", field_words=words, bounds=bounds)
            if not head and (printed := self._printed(field, self._word_at(end))):
                yield end + 1, printed
        if head:
            yield from self._with_unit(begin, head)

    def _with_unit(self, place: int, head: Sequence[str]) -> Iterator[Ending]:
        """Yield the piece for an amount whose unit of [player_words] stands at ``place``: "4 rp" of X-Files
        is ``cost=4 pool:RP``.
        """
        unit = self._vocabulary.game.player_words.get(f"# {self._word_at(place)}")
        if not unit:
            return
        bounds, more = self._rest(head, place + 1)
        if bounds:
            query = " ".join(unit.replace("#", f"{op}{number}") for op, number in bounds)
            tree, words = check(query, self._vocabulary.fields).tree, self._words_at(place, 1)
            yield place + 1 + more, Piece("condition", tree=tree, field_words=words, bounds=bounds)

    def _rest(self, head: Sequence[str], behind: int) -> tuple[Bounds, int]:
        """Return the bounds of the amount that begins with the words ``head`` and continues at ``behind``,
        and the number of its further words; ``((), 0)`` if the head is not all part of it. In "5 bravado or
        more", the head "5" with ``behind`` 2 gives (((">=", "5"),), 2).
        """
        words = [*head, *self._words[behind:]]
        bounds, taken = amount_at(words, 0)
        if 0 < len(head) < taken and _is_either(words[:taken]):
            # "3 craft or 4 combat" has two amounts.
            bounds, taken = amount_at(head, 0)
        return (bounds, taken - len(head)) if taken >= len(head) else ((), 0)

    def _compared(self, place: int) -> Iterator[Ending]:
        """Yield pieces for what is printed in place of a number, ``X cost``, and for comparisons of two
        fields: ``more medical than computer``, ``health higher than cost``.
        """
        for (field, _), end in self._match(place + 1, "link article*", "fact"):
            if printed := self._printed(field, self._words[place]):
                yield end, printed
        # The names before "in" are the values of the parts of the pattern (see ``_match``), with "_" for the
        # words of a field and for "than".
        than_field = ("than", "article*", "fact")
        for word, (left, _), _, (right, _), end in self._match(place, "more less", "fact", *than_field):
            yield end, _versus(left, word, right)
        for (left, _), word, _, (right, _), end in self._match(place, "fact", "more less", *than_field):
            yield end, _versus(left, word, right)

    def _printed(self, field: Field, word: str) -> Piece | None:
        """Return the condition for a word that is printed in place of a number, as in ``cost x``; None if no
        card has it there.
        """
        other = self._vocabulary.fields.printed(field, word) if word and not number_of(word) else None
        return Piece("condition", tree=Term(other.word, ":", word)) if other else None

    def _orders(self, place: int) -> Iterator[Ending]:
        """Yield pieces for orders: ``highest combat``, ``most points``, ``cheapest``, ``least
        expensive``, ``sorted by level``; and for praise without a field: ``best``.
        """
        for _, words, end in self._match(place, "sorting", "sorting*", "words"):
            if (field := self._vocabulary.fields.get(" ".join(words))) and field.sortable:
                yield end, Piece("order", field_words=words, most=False, mark="sort")
                for end_word, behind in self._match(end, "high low", "leading*"):
                    most = end_word not in WORDS["low"]
                    yield behind, Piece("order", field_words=words, most=most, mark="sort")
        for word, end in self._match(place, "cheap dear"):
            yield end, Piece("order", field_words=("cost",), most=word in WORDS["dear"])
        # For the patterns below that begin with a word such as "highest" or "least".
        most = self._words[place] not in WORDS["low"]
        # "Least expensive" is the lowest cost, "least cheap" the highest.
        for _, word, end in self._match(place, "high low well", "cheap dear"):
            yield end, Piece("order", field_words=("cost",), most=most == (word in WORDS["dear"]))
        for _, (field, words), end in self._match(place, "high low well skilled", "link article*", "fact"):
            if field.kind == "number" and not number_of(self._word_at(end)):
                yield end, Piece("order", field_words=words, most=most)
        # "Raises the alarm the most", at the end of the question.
        for (field, words), word, end in self._match(place, "fact", "article*", "high low"):
            if field.kind == "number" and end == len(self._words):
                yield end, Piece("order", field_words=words, most=word in WORDS["high"])
        # "Best" alone.
        for _, end in self._match(place, "high low well"):
            yield end, Piece("praise", most=most)

    def _values(self, place: int) -> Iterator[Ending]:
        """Yield pieces for a field with a value: ``faction krypt``, ``government affiliation``,
        ``faction is not krypt``.
        """
        for (field, _), words, end in self._match(place, "fact", "is article*", "words"):
            is_not = words[0] in WORDS["negation"]
            value = words[1:] if is_not else words
            if term := self._value(field, value):
                yield end, Piece("condition", tree=none_of(term) if is_not else term, field_words=value)
        for words, (field, _), end in self._match(place, "words", "fact"):
            if term := self._value(field, words):
                yield end, Piece("condition", tree=term, field_words=words)

    def _value(self, field: Field, words: tuple[str, ...]) -> Tree | None:
        """Return the term for a value of a field. If the field is called like a card type, such as a mission
        fact, a card of that name is meant too.
        """
        term = self._vocabulary.value(field, words)
        is_type = any(sense.kind == "type" for sense in self._vocabulary.senses((field.word,)))
        cards = [sense.tree for sense in self._vocabulary.senses(words) if sense.kind == "name" and is_type]
        return any_of([term, *cards]) if term else None

    def _phrases(self, place: int) -> Iterator[Ending]:
        """Yield pieces for phrases of the vocabulary, the longest first, then for fields alone."""
        for words, end in self._match(place, "words"):
            senses = self._vocabulary.senses(words)
            if len(words) > 2 and not senses:
                first, *between, last = words
                # The words between that are no mere fillers.
                telling = [word for word in between if word not in FILLERS or word in PARTICLES]
                if between[0] == "of" and not telling:
                    # "End of a mission" means "mission end".
                    senses = self._vocabulary.senses((last, first))
                elif telling != between:
                    # "Remove the damage" means "remove damage".
                    senses = self._vocabulary.senses((first, *telling, last))
            kinds = {sense.kind for sense in senses}
            # "Card" alone is a filler, though it is also a target of effects.
            is_small = len(words) == 1 and words[0] in FILLERS and kinds <= {"target", "name", "part"}
            if senses and not is_small:
                yield end, Piece("phrase", senses=senses)
        for (field, words), end in self._match(place, "fact"):
            if field.kind in ("number", "word", "words"):
                mark = "" if field.kind == "number" else "word"
                senses = self._vocabulary.senses(words)
                mentions = tuple(sense for sense in senses if sense.kind in ("target", "moment"))
                yield end, Piece("fact", senses=mentions, field_words=words, mark=mark)

    def _word(self, word: str) -> Piece:
        """Return the piece of a single word that no pattern takes."""
        if word in ("or", ",", "and"):
            return Piece("mark", (word,), mark=word)
        if (number := number_of(word)) and word not in FILLERS:
            # "+2" is looked for in texts, too, as it is typed.
            typed = Word(word, in_quotes=True) if word != number and not word.isalpha() else None
            return Piece("word" if typed else "count", (word,), tree=typed, bounds=(("=", number),))
        if word in ENGLISH:
            return Piece("mark", (word,), mark=word)
        if word in self._vocabulary.texts:
            # "WA" is a word of a name, and part of too many other words.
            short = Regex("name", rf"\b{word}\b") if len(word) == SHORT_WORD and word.isalpha() else None
            return Piece("word", (word,), tree=short or Word(word, in_quotes=True))
        if word not in self._mended:
            self._mended[word] = self._vocabulary.mended(word)
        if mended := self._mended[word]:
            senses = tuple(sense for sense in self._vocabulary.senses((mended,)) if sense.kind != "name")
            tree = None if senses else Word(mended, in_quotes=True)
            return Piece("phrase" if senses else "word", (word,), senses, tree, mended=mended)
        return Piece("unknown", (word,))


def _is_either(words: Sequence[str]) -> bool:
    """True for an amount such as "4 or 5", false for "4 or more"."""
    return "or" in words and bool(number_of(words[-1]))


def _versus(left: Field, word: str, right: Field) -> Piece:
    """Return the comparison of two fields by a word such as "more" or "lower"."""
    sign = ">" if word in WORDS["more"] else "<"
    return Piece("condition", tree=Versus(left.word, sign, right.word))
