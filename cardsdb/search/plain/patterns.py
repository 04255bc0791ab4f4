"""Cut the words of a question into pieces: "level 1", "leaders", "that", "heal". At each place stand the
phrases of the game's vocabulary and the patterns of sizes, orders and values; of all ways to cut, the one
that understands most is taken.
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

# Two letters stand in too many words.
SHORT_WORD = 2
# What belongs to a verb stands no further behind it; and words of a size before its number.
MAX_APART, MAX_BEFORE = 5, 5
_GLUED = re.compile(r"([a-z]{1,12})?([0-9]{1,3})([a-z]{1,12})?")


class Cutter:
    """Cuts the items of a query into pieces of a game's vocabulary."""

    def __init__(self, items: Sequence[Item], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._items = [part for item in self._gathered(list(items)) for part in self._unglued(item)]
        self._words = [item if isinstance(item, str) else "" for item in self._items]
        self._mended = dict[str, str]()

    def _gathered(self, items: list[Item]) -> list[Item]:
        """The items with what belongs to a verb beside it: "get a card back" is "get back a card"."""
        for place, verb in enumerate(items):
            for behind in range(place + 2, min(place + MAX_APART, len(items))):
                words = (verb, items[behind])
                if words[1] in PARTICLES and any(
                    sense.kind == "verb" for sense in self._vocabulary.senses(list(map(str, words)))
                ):
                    return [*items[:place], *words, *items[place + 1 : behind], *items[behind + 1 :]]
        return items

    def _unglued(self, item: Item) -> Sequence[Item]:
        """A word and a number that are written together: ``lvl1``, ``6pt``."""
        glued = _GLUED.fullmatch(item) if isinstance(item, str) else None
        if glued is None or self._vocabulary.knows(glued[0]) or self._vocabulary.named([glued[0]]):
            return (self._short(item),)
        return [self._short(part) for part in glued.groups() if part]

    def _short(self, item: Item) -> Item:
        """The word that one is short for, unless the game has it."""
        is_known = not isinstance(item, str) or item not in SHORT or self._vocabulary.field((item,))
        return item if is_known else SHORT[str(item)]

    def pieces(self) -> list[Piece]:
        """The pieces of the best cut, with what marks say of them."""
        # From each place on, how much the best cut understands, and its pieces; of equals the first.
        best: list[tuple[float, tuple[Piece, ...]]] = [(0.0, ())] * (len(self._items) + 1)
        for place in reversed(range(len(self._items))):
            cuts = [(piece, *best[place + length]) for length, piece in self._at(place)]
            best[place] = max(
                ((piece.value + value, (piece, *behind)) for piece, value, behind in cuts),
                key=lambda cut: cut[0],
            )
        return marked_pieces(best[0][1])

    # -- what stands at a place --------------------------------------------------------

    def _at(self, place: int) -> Iterator[tuple[int, Piece]]:
        """Every piece that may begin here, and of how many items it is; the likelier of equals first."""
        item = self._items[place]
        if not isinstance(item, str):
            yield 1, Piece("condition", tree=item)
            return
        is_passive = item in WORDS["passive"] and self._word_at(place + 1).endswith("ed")
        # "Which set is it from" asks nothing of cards.
        is_asked = item in WORDS["asked"] and place and self._words[place - 1] in ("which", "what")
        if is_passive or is_asked:
            yield 1, Piece("mark", (item,), mark="is" if is_passive else item)
        elif item.endswith("est") and any(
            field.kind == "number" for (field, _), _ in self._match(place, "fact")
        ):
            # "The fastest": players call a number so.
            yield 1, Piece("order", (item,), said=(item,))
        else:
            for read in (self._sizes, self._compared, self._orders, self._values, self._phrases):
                for end, piece in read(place):
                    yield end - place, replace(piece, words=tuple(self._words[place:end]))
            yield 1, self._word(item)

    def _word_at(self, place: int) -> str:
        """The word at a place; empty if none stands there."""
        return "".join(self._words[place : place + 1])

    def _words_at(self, place: int, length: int) -> tuple[str, ...]:
        """So many words from here on; nothing if something else stands between them."""
        words = tuple(self._words[place : place + length])
        return words if len(words) == length and all(words) and "or" not in words else ()

    def _match(self, place: int, *pattern: str) -> Iterator[tuple[Any, ...]]:
        """Return what stands here for each part of a pattern, and the place behind it all, in every way in
        which it fits: ``fact``, a field with its words; ``words``, a phrase; else a word of any of these
        classes of English, with a star any number of them, for which nothing is returned.
        """
        if not pattern:
            yield (place,)
            return
        what, *rest = pattern
        if what in ("fact", "words"):
            for length in range(MAX_FIELD if what == "fact" else MAX_PHRASE, 0, -1):
                words = self._words_at(place, length)
                field = self._vocabulary.field(words) if words and what == "fact" else None
                if field or (words and what == "words"):
                    found = (field, words) if field else words
                    yield from ((found, *behind) for behind in self._match(place + length, *rest))
            return
        classes = {word for one in what.rstrip("*").split() for word in WORDS[one]}
        if what.endswith("*"):
            yield from self._match(place, *rest)
            while self._word_at(place) in classes:
                place += 1
                yield from self._match(place, *rest)
        elif (word := self._word_at(place)) in classes:
            yield from ((word, *behind) for behind in self._match(place + 1, *rest))

    def _sizes(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``level 1``, ``5 bravado``, ``below level 5``, ``worth 4 or more``, ``under 4 rp``."""
        for (at,) in self._match(place, "link kind article*"):
            for before in range(MAX_BEFORE):
                head = self._words[at : at + before]
                if all(word in SIZE_WORDS or number_of(word) for word in head):
                    yield from self._sized(at, head)
            bounds, taken = amount_at(self._words, at)
            if taken > 1 or (bounds and set(self._words[place:at]) & set(WORDS["pricing"])):
                yield at + taken, Piece("size", bounds=bounds)

    def _sized(self, at: int, head: Sequence[str]) -> Iterator[tuple[int, Piece]]:
        """The sizes that begin here, each with where it ends: what it is of stands behind some of its words,
        before or in the middle of the others.
        """
        begin = at + len(head)
        for (field, said), end in (
            self._match(begin, "joint article*", "fact") if head else self._match(at, "fact")
        ):
            for (behind,) in self._match(end, "is article*"):
                bounds, more = self._rest(head, behind)
                if bounds and field.kind == "number" and (more or behind == end):
                    yield behind + more, Piece("size", said=said, bounds=bounds)
            if not head and (printed := self._printed(field, self._word_at(end))):
                yield end + 1, printed
        # A number with a unit that players have: "4 rp" is a cost of 4 that is paid by RP.
        unit = self._vocabulary.game.player_words.get(f"# {self._word_at(begin)}") if head else None
        bounds, more = self._rest(head, begin + 1) if unit else ((), 0)
        if unit and bounds:
            query = " ".join(unit.replace("#", f"{op}{number}") for op, number in bounds)
            tree, said = check(query, self._vocabulary.fields).tree, self._words_at(begin, 1)
            yield begin + 1 + more, Piece("condition", tree=tree, said=said, bounds=bounds)

    def _rest(self, head: Sequence[str], behind: int) -> tuple[Bounds, int]:
        """The size that begins with some words and goes on further behind, and of how many words more;
        nothing if not all those words are of it.
        """
        bounds, taken = amount_at([*head, *self._words[behind:]], 0)
        return (bounds, taken - len(head)) if taken >= len(head) else ((), 0)

    def _compared(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``X cost``, ``x in the cost``; ``more medical than computer``, ``health higher than cost``."""
        for (field, _), end in self._match(place + 1, "link article*", "fact"):
            if printed := self._printed(field, self._words[place]):
                yield end, printed
        for before in (("more less", "fact"), ("fact", "more less")):
            for *said, _, (right, _), end in self._match(place, *before, "than", "article*", "fact"):
                op, (left, _) = said if isinstance(said[0], str) else reversed(said)
                sign = ">" if op in WORDS["more"] else "<"
                yield end, Piece("condition", tree=Versus(left.word, sign, right.word))

    def _printed(self, field: Field, word: str) -> Piece | None:
        """Return what stands in a number's place, ``cost x``; None if no card has that there."""
        other = self._vocabulary.fields.printed(field, word) if word and not number_of(word) else None
        return Piece("condition", tree=Term(other.word, ":", word)) if other else None

    def _orders(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``highest combat``, ``most points``, ``cheapest``, ``least expensive``, ``sorted by level``."""
        for _, words, end in self._match(place, "sorting", "sorting*", "words"):
            if (field := self._vocabulary.fields.get(" ".join(words))) and field.sortable:
                yield end, Piece("order", said=words, most=False, mark="sort")
                for end_word, behind in self._match(end, "high low", "leading*"):
                    most = end_word not in WORDS["low"]
                    yield behind, Piece("order", said=words, most=most, mark="sort")
        most = self._words[place] not in WORDS["low"]
        for *_, word, end in (
            *self._match(place, "cheap dear"),
            *self._match(place, "high low well", "cheap dear"),
        ):
            yield end, Piece("order", said=("cost",), most=most == (word in WORDS["dear"]))
        for _, (field, said), end in self._match(place, "high low well skilled", "link article*", "fact"):
            if field.kind == "number" and not number_of(self._word_at(end)):
                yield end, Piece("order", said=said, most=most)
        for (field, said), word, end in self._match(place, "fact", "article*", "high low"):
            # "Raises the alarm the most".
            if field.kind == "number" and end == len(self._words):
                yield end, Piece("order", said=said, most=word in WORDS["high"])
        for _, end in self._match(place, "high low well"):
            yield end, Piece("praise", most=most)

    def _values(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``faction krypt``, ``government affiliation``, ``faction is not krypt``."""
        for (field, _), words, end in self._match(place, "fact", "is article*", "words"):
            is_not = words[0] in WORDS["negation"]
            if term := self._value(field, words[is_not:]):
                yield end, Piece("condition", tree=none_of(term) if is_not else term, said=words[is_not:])
        for words, (field, _), end in self._match(place, "words", "fact"):
            if term := self._value(field, words):
                yield end, Piece("condition", tree=term, said=words)

    def _value(self, field: Field, words: tuple[str, ...]) -> Tree | None:
        """The term for a value; of a field that is a type, too, also the card of that name."""
        term = self._vocabulary.value(field, words)
        is_type = any(sense.kind == "type" for sense in self._vocabulary.senses((field.word,)))
        called = [sense.tree for sense in self._vocabulary.senses(words) if sense.kind == "name" and is_type]
        return any_of([term, *called]) if term else None

    def _phrases(self, place: int) -> Iterator[tuple[int, Piece]]:
        """The phrases of the game's vocabulary that begin here, the longest first; then facts:
        ``medical``.
        """
        for words, end in self._match(place, "words"):
            senses = self._vocabulary.senses(words)
            if len(words) > 2 and not senses:
                # "Remove the damage" is "remove damage", "end of a mission" is "mission end".
                inner = [word for word in words[1:-1] if word not in FILLERS or word in PARTICLES]
                is_of = words[1] == "of" and not inner
                other = (words[-1], words[0]) if is_of else (words[0], *inner, words[-1])
                senses = self._vocabulary.senses(other) if len(inner) < len(words) - 2 else ()
            kinds = {sense.kind for sense in senses}
            # "Card" is what everything found is, though effects speak of cards too.
            is_small = len(words) == 1 and words[0] in FILLERS and kinds <= {"target", "name", "part"}
            if senses and not is_small:
                yield end, Piece("phrase", senses=senses)
        for (field, said), end in self._match(place, "fact"):
            if field.kind in ("number", "word", "words"):
                mark = "" if field.kind == "number" else "word"
                told = tuple(one for one in self._vocabulary.senses(said) if one.kind in ("target", "moment"))
                yield end, Piece("fact", senses=told, said=said, mark=mark)

    def _word(self, word: str) -> Piece:
        """A word that no pattern takes."""
        if word in ("or", ",", "and"):
            return Piece("mark", (word,), mark=word)
        if (number := number_of(word)) and word not in FILLERS:
            of_text = Word(word, in_quotes=True) if word != number and not word.isalpha() else None
            return Piece("word" if of_text else "count", (word,), tree=of_text, bounds=(("=", number),))
        if word in ENGLISH:
            return Piece("mark", (word,), mark=word)
        if word in self._vocabulary.texts:
            # Two letters stand in too many words: "WA" is a word of a name.
            short = Regex("name", rf"\b{word}\b") if len(word) == SHORT_WORD and word.isalpha() else None
            return Piece("word", (word,), tree=short or Word(word, in_quotes=True))
        if word not in self._mended:
            self._mended[word] = self._vocabulary.mended(word)
        if mended := self._mended[word]:
            senses = tuple(one for one in self._vocabulary.senses((mended,)) if one.kind != "name")
            tree = None if senses else Word(mended, in_quotes=True)
            return Piece("phrase" if senses else "word", (word,), senses, tree, mended=mended)
        return Piece("unknown", (word,))
