"""Cut the words of a question into pieces: "level 1", "leaders", "that", "heal". At each place stand the phrases
of the game's vocabulary and the patterns of sizes, orders and values; of all ways to cut, the one that
understands most is taken.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cardsdb.games.kit import fold
from cardsdb.search.plain.vocabulary import MAX_FIELD, MAX_PHRASE, Sense, SenseKind, Vocabulary, phrase_of
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
    parts_of_size,
)
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import Scanner, Token
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Not, Regex, Term, Tree, Versus, Word, any_of, leaves, none_of

# What a piece is. "size" is a field with bounds, "fact" a field alone, "order" a field to sort by, "praise" an
# order without one, "count" a number that nothing else takes; "mark" says something of the pieces around it.
PieceKind = Literal[
    "condition", "phrase", "size", "fact", "order", "praise", "count", "word", "unknown", "mark"
]
# How much a word of a phrase is understood by what it means, and a word of another kind of piece.
BY_SENSE: dict[SenseKind, float] = {
    "game": 1, "set": 1, "type": 1, "value": 1, "flag": 1, "verb": 0.95, "moment": 0.9, "target": 0.85,
    "part": 0.7, "name": 0.5,
}  # fmt: skip
BY_KIND: dict[PieceKind, float] = {
    "condition": 1, "size": 1, "order": 0.95, "fact": 0.8, "praise": 0.6, "word": 0.55,
    "count": 0, "unknown": 0, "mark": 0,
}  # fmt: skip
# A mended word says less than one as typed; a longer phrase more than its words alone, a name of several words
# more than one of one word, and a field of several as much as a phrase.
MENDED, LONGER, LONG_NAME, LONG_FACT, WORD_FACT = 0.1, 0.02, 1, 1, 0.56
SHORT_WORD = 2
# Words of the longest phrase that stands for a word; and behind a verb what belongs to it is no further away.
MAX_SHORT, MAX_APART = 4, 5
# Words of a size before its number.
MAX_BEFORE = 5
# Classes of words that say something of what follows.
MARKS = ("having", "relative", "purpose", "article", "concerning")
_WORD_OR = re.compile(r"[,|]+")
_GLUED = re.compile(r"([a-z]{1,12})?([0-9]{1,3})([a-z]{1,12})?")


@dataclass(slots=True)
class Piece:
    """Some words beside each other, and what they are.

    ``said`` are the words of the field of a size, an order or a fact, none of a size without one; ``most``:
    an order shows the highest first. ``is_object``: something is done to it.
    """

    kind: PieceKind
    words: tuple[str, ...] = ()
    senses: tuple[Sense, ...] = ()
    tree: Tree | None = None
    said: tuple[str, ...] = ()
    bounds: Bounds = ()
    most: bool = True
    mended: str = ""
    mark: str = ""
    # What marks before it say of it, by the class of their words.
    marks: frozenset[str] = frozenset()
    is_beside: bool = False
    is_noun: bool = False
    is_object: bool = False

    @property
    def count(self) -> int:
        """Return how many words of it say something."""
        if self.kind == "mark" or not self.words:
            return 0
        return max(1, sum(word not in FILLERS for word in self.words))

    @property
    def value(self) -> float:
        """Return how much of it is understood."""
        share, is_long = BY_KIND.get(self.kind, 0.0), len(self.words) > 1
        if self.kind == "phrase":
            share = max(BY_SENSE[sense.kind] for sense in self.senses)
            if is_long and self.of("name", "verb"):
                share = max(share, LONG_NAME)
            if not is_long and self.words[0] in WORDS["playing"]:
                share = 0.02
        if self.kind == "fact" and is_long:
            share = LONG_FACT
        elif self.kind == "fact" and self.mark == "word":
            share = WORD_FACT
        return share * self.count + LONGER * (len(self.words) - 1) * (share > 0) - MENDED * bool(self.mended)

    def silence(self) -> None:
        """Let it say nothing more."""
        self.kind, self.mark, self.senses, self.said = "mark", "silent", (), ()

    def of(self, *kinds: SenseKind) -> list[Tree]:
        return [sense.tree for sense in self.senses if sense.kind in kinds]

    def after(self, *what: str) -> bool:
        """Say if a mark of one of these classes stands before it."""
        return not self.marks.isdisjoint(what)

    def terms(self, *kinds: SenseKind) -> list[Term]:
        """Return the terms in what it means."""
        return [leaf for tree in self.of(*kinds) for leaf in leaves(tree) if isinstance(leaf, Term)]


Item = str | Tree


def items_of(text: str, fields: Fields) -> list[Item]:
    """The words of a query, folded and without marks, and the conditions among them as they are checked."""
    scanner = Scanner(text)
    tokens, items, place = list(scanner.tokens()), list[Item](), 0

    def typed(first: int, last: int) -> str:
        return text[tokens[first].span.start : tokens[last].span.end]

    while place < len(tokens):
        token, first = tokens[place], place
        plain = typed(place, place)
        place += 1
        if token.kind in ("or", "and"):
            items.append(token.kind)
        elif token.kind == "leaf" and _is_plain(token, plain):
            items += _words_in(plain)
        elif token.kind == "leaf" or not _is_needless(tokens, first):
            depth = int(token.kind == "(")
            while place < len(tokens) and depth:
                depth += {"(": 1, ")": -1}.get(tokens[place].kind, 0)
                place += 1
            if token.kind == "leaf" and token.tree is None and tokens[place : place + 1]:
                place += tokens[place].kind == "leaf"
            tree = check(typed(first, place - 1), fields).tree
            if tree and items and items[-1] == "not":
                # A "not" before a typed condition is its minus.
                items[-1] = tree.part if isinstance(tree, Not) else none_of(tree)
            elif tree:
                items.append(tree)
    return _lengthened(items, range(MAX_SHORT, 1, -1))


def _lengthened(items: Sequence[Item], lengths: Iterable[int]) -> list[Item]:
    """The items with what is written short, or is said in so many words for one, as that word: "w/o"."""
    whole: list[Item] = []
    place = 0
    while place < len(items):
        for length in lengths:
            phrase = " ".join(map(str, items[place : place + length]))
            if phrase in SHORT:
                whole += SHORT[phrase].split()
                place += length
                break
        else:
            whole.append(items[place])
            place += 1
    return whole


def _is_plain(token: Token, typed: str) -> bool:
    """Say if a token is a word without quotes, or a sign with a number."""
    return (isinstance(token.tree, Word) and typed == token.tree.value) or len(parts_of_size(typed)) > 1


def _is_needless(tokens: Sequence[Token], place: int) -> bool:
    """Say if a bracket holds plain words alone, or closes nothing."""
    if tokens[place].kind == ")":
        return True
    behind = next((at for at in range(place, len(tokens)) if tokens[at].kind == ")"), len(tokens))
    inside = tokens[place + 1 : behind]
    return not tokens[place].negated and all(
        one.kind == "leaf" and isinstance(one.tree, Word) for one in inside
    )


def _words_in(typed: str) -> Iterator[Item]:
    """The words of what stands between spaces: ``4+``, ``3-5``, ``x-files``, ``kai|chen``, ``k*i``."""
    typed = typed.strip("?!;:.")
    if len(size := parts_of_size(typed)) > 1 or number_of(typed):
        yield from size
    elif "*" in typed.strip("*") and len(letters := typed.split("*")) == 2:
        yield Regex("name", r"\b" + r"\w*".join(map(re.escape, map(fold, letters))) + r"\b")
    else:
        for place, part in enumerate(_WORD_OR.split(typed)):
            if place:
                yield "or" if part else ","
            yield from phrase_of(part.strip("*")).split()


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
        return _marked(best[0][1])

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
        """Return what stands here for each part of a pattern, and the place behind it all, in every way in which
        it fits: ``fact``, a field with its words; ``words``, a phrase; else a word of any of these classes of English, with a
        star any number of them, for which nothing is returned.
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
        if self._words[place] in WORDS["free"] and self._types(place + 1):
            yield place + 1, Piece("size", bounds=(("=", "0"),))
        number = number_of(self._word_at(place + 1))
        for name in self._types(place) if number else ():
            if self._vocabulary.field((name, "number")):
                yield place + 2, Piece("size", said=(name, "number"), bounds=(("=", number),))

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
        """The size that begins with some words and goes on further behind, and of how many words more; nothing if
        not all those words are of it.
        """
        bounds, taken = amount_at([*head, *self._words[behind:]], 0)
        return (bounds, taken - len(head)) if taken >= len(head) else ((), 0)

    def _compared(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``X cost``, ``x in the cost``; ``more medical than computer``, ``health higher than cost``."""
        for (field, _), end in self._match(place + 1, "link article*", "fact"):
            if printed := self._printed(field, self._words[place]):
                yield end, printed
        behind = ("than", "article*", "fact")
        for op, (left, _), _, (right, _), end in self._match(place, "more less", "fact", *behind):
            yield end, _versus(left, op, right)
        for (left, _), op, _, (right, _), end in self._match(place, "fact", "more less", *behind):
            yield end, _versus(left, op, right)

    def _printed(self, field: Field, word: str) -> Piece | None:
        """Return what stands in a number's place, ``cost x``; None if no card has that there."""
        other = self._vocabulary.fields.printed(field, word) if word and not number_of(word) else None
        return Piece("condition", tree=Term(other.word, ":", word)) if other else None

    def _types(self, place: int) -> list[str]:
        """The types of card that the word here means."""
        senses = self._vocabulary.senses(self._words_at(place, 1))
        return [sense.tree.value for sense in senses if sense.kind == "type" and isinstance(sense.tree, Term)]

    def _orders(self, place: int) -> Iterator[tuple[int, Piece]]:
        """``highest combat``, ``most points``, ``cheapest``, ``least expensive``, ``sorted by level``."""
        for word, end in self._match(place, "cheap dear"):
            yield end, Piece("order", said=("cost",), most=word in WORDS["dear"])
        for _, words, end in self._match(place, "sorting", "sorting*", "words"):
            if (field := self._vocabulary.fields.get(" ".join(words))) and field.sortable:
                yield end, Piece("order", said=words, most=False, mark="sort")
        most = self._words[place] not in WORDS["low"]
        for _, word, end in self._match(place, "high low well", "cheap dear"):
            yield end, Piece("order", said=("cost",), most=most == (word in WORDS["dear"]))
        for _, (field, said), end in self._match(place, "high low well", "link article*", "fact"):
            if field.kind == "number" and not number_of(self._word_at(end)):
                yield end, Piece("order", said=said, most=most)
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
        """The phrases of the game's vocabulary that begin here, the longest first; then facts: ``medical``."""
        for words, end in self._match(place, "words"):
            senses = self._vocabulary.senses(words)
            if len(words) > 2 and not senses:
                # "Remove the damage" is "remove damage", "end of a mission" is "mission end".
                inner = [word for word in words[1:-1] if word not in FILLERS or word in PARTICLES]
                is_of = words[1] == "of" and not inner
                other = (words[-1], words[0]) if is_of else (words[0], *inner, words[-1])
                senses = self._vocabulary.senses(other) if len(inner) < len(words) - 2 else ()
            kinds = {sense.kind for sense in senses}
            # "Special agents" are two words where each is something that the game declares.
            is_apart = len(words) > 1 and kinds == {"target"} and all(map(self._is_declared, words))
            # "Card" is what everything found is, though effects speak of cards too.
            is_small = len(words) == 1 and words[0] in FILLERS and kinds <= {"target", "name", "part"}
            if senses and not is_apart and not is_small:
                yield end, Piece("phrase", senses=senses)
        for (field, said), end in self._match(place, "fact"):
            if field.kind in ("number", "word", "words"):
                mark = "" if field.kind == "number" else "word"
                yield end, Piece("fact", said=said, mark=mark)

    def _is_declared(self, word: str) -> bool:
        """Say if a word by itself is more than what effects or names say."""
        return any(one.kind not in ("target", "verb", "name") for one in self._vocabulary.senses((word,)))

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


def _versus(left: Field, op: str, right: Field) -> Piece:
    """The piece for two numbers that are compared."""
    return Piece("condition", tree=Versus(left.word, ">" if op in WORDS["more"] else "<", right.word))


def _marked(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with what the marks before and behind them say; of the marks only "or" stays."""
    marked: list[Piece] = []
    marks, is_against = set[str](), False
    for at, piece in enumerate(pieces):
        word = piece.mark if piece.kind == "mark" else ""
        if not word or word in ("or", ","):
            piece.is_object = is_against and not word
            piece.is_beside = bool(marked) and pieces[at - 1] is marked[-1]
            if not word:
                piece.marks = frozenset(marks)
                # "Not useless" is good.
                piece.most ^= "negation" in marks and piece.kind == "praise"
            if "and" in marks and marked and piece.of("type") and marked[-1].of("type"):
                marked.append(Piece("mark", ("and",), mark="or"))
            marks = set()
            marked.append(piece)
            continue
        if word in WORDS["negation"]:
            marks.add("negation")
            continue
        is_noun = word in WORDS["noun"]
        marks.update(what for what in MARKS if word in WORDS[what])
        if is_noun:
            marks.discard("article")
        if is_noun and marked:
            marked[-1].is_noun = True
        elif is_noun:
            marks.add("relative")
        if word == "and":
            # "Who can fight and drive", "with medical and computer".
            marks |= {"and", *(marked[-1].marks & {"relative", "having"} if marked else ())}
        is_trigger = word in WORDS["trigger"] and not _is_helped(pieces[at + 1 :])
        is_against = is_against or is_trigger or word in WORDS["against"]
        if word in WORDS["give"]:
            marked.append(piece)
    return marked


def _is_helped(behind: Sequence[Piece]) -> bool:
    """Say if a question follows a "when", not what happens: "when can I play it"."""
    return bool(behind) and behind[0].kind == "mark" and behind[0].mark in WORDS["helping"]
