"""What people type who do not know the language: plain English for sizes and values, "not", a star behind a
word.

Only what can hardly mean anything else is read, with advice that says how; on the rest there is advice alone.
Words in quotes are words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from cardsdb.search.query.english import NUMBER, WORDS, Bounds, bounds_at, bounds_of
from cardsdb.search.query.fields import Table, TableField
from cardsdb.search.query.grammar import MINUSES, Token
from cardsdb.search.query.tree import (
    CONNECTIVES,
    And,
    Exact,
    Not,
    Or,
    Problem,
    Regex,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    none_of,
    normal,
    quoted,
)

# Kinds of fields that have such values: "faction is krypt". A field's name may be of several words, as in
# "victory points".
VALUED, NUMBERS = ("word", "words", "exact", "name"), ("number",)
MAX_NAME = 3
# What is read, None if it is nothing; and of how many tokens it is made.
Reading = tuple[Tree | None, int]
NOTHING: Reading = None, 0


class Reader:
    """The tokens of a text, and the sizes and values among them."""

    def __init__(self, text: str, tokens: Sequence[Token], fields: Table[Any]) -> None:
        self._text, self._tokens, self._fields = text, tokens, fields
        # Each token in small letters if it is a word without quotes, else nothing; nothing stands behind the
        # last.
        self.words = [*map(self._plain, tokens), "", ""]

    def _tree(self, place: int) -> Tree | None:
        """The part of a query that stands here, if anything was understood."""
        return self._tokens[place].tree if self._is_leaf(place) else None

    def _is_leaf(self, place: int) -> bool:
        return place < len(self._tokens) and self._tokens[place].kind == "leaf"

    def _typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _plain(self, token: Token) -> str:
        if token.kind in CONNECTIVES:
            return token.kind
        return self._word(token.tree) if token.tree else ""

    def _word(self, part: Tree) -> str:
        """The part in small letters if it is a word without quotes, else nothing."""
        is_plain = isinstance(part, Word) and self._typed(part.span) == part.value
        return part.value.casefold() if is_plain and isinstance(part, Word) else ""

    def _number(self, place: int) -> str:
        """The token if it is a number in plain digits."""
        return self.words[place] if NUMBER.fullmatch(self.words[place]) else ""

    def _span(self, place: int, length: int) -> Span:
        return Span(self._tokens[place].span.start, self._tokens[place + length - 1].span.end)

    def _are_beside(self, place: int, last: int) -> bool:
        """Return whether only spaces stand between the tokens from one place to another."""
        return last < len(self._tokens) and all(
            self._text[self._tokens[at].span.end : self._tokens[at + 1].span.start].isspace()
            for at in range(place, last)
        )

    def _fields_at(self, place: int, kinds: Sequence[str] = ()) -> Iterator[tuple[TableField, int]]:
        """The fields of these kinds whose names stand here, the longest first, and of how many words; also
        with an ending: "costs", "costing".
        """
        for length in range(min(MAX_NAME, len(self._tokens) - place), 0, -1):
            words = self.words[place : place + length]
            if all(words) and self._are_beside(place, place + length - 1):
                name = " ".join(words)
                stems = dict.fromkeys((name, name.removesuffix("s"), name.removesuffix("ing")))
                field = next((field for stem in stems if stem and (field := self._field_called(stem))), None)
                if field and (not kinds or is_of(field, kinds)):
                    yield field, length

    def _field_called(self, name: str) -> TableField | None:
        return self._fields.get(name)

    # -- sizes and values ------------------------------------------------------------

    def _amount(self, place: int) -> tuple[Bounds, int]:
        """``4+``, ``at least 4``, ``4 and above``, ``4``: its bounds, and of how many words."""
        if not self.words[place]:
            return (), 0
        bounds, end = bounds_at(self._text, self._tokens[place].span.start)
        reached = list(takewhile(lambda token: token.span.start < end, self._tokens[place:]))
        if bounds and reached[-1].span.end == end and all(self.words[place : place + len(reached)]):
            return bounds, len(reached)
        return ((("=", number),), 1) if (number := self._number(place)) else ((), 0)

    def _size(self, place: int, is_linked: bool = False) -> Reading:
        """The size that begins at this place; a bare number beside its field only if ``is_linked``, as exact."""
        for field, length in self._fields_at(place, NUMBERS):
            behind = place + length
            joint = int(self.words[behind] in WORDS["joint"] and behind + 1 < len(self._tokens))
            bounds, taken = self._amount(behind + joint)
            if taken and self._are_beside(behind - 1, behind + joint):
                span = self._span(place, length + joint + taken)
                if is_linked or joint or bounds[0][0] != "=" or taken > 1:
                    return self._sized(field, bounds, span), length + joint + taken
                return NOTHING
        bounds, taken = self._amount(place)
        for field, length in self._fields_at(place + taken, NUMBERS) if taken else ():
            end = place + taken + length
            if not self._are_beside(place + taken - 1, place + taken):
                break
            is_bare = taken == 1 and bool(self._number(place))
            if (
                is_bare
                and self.words[end] == "or"
                and (more := self.words[end + 1]) in WORDS["behind_number"]
            ):
                op = "<=" if more in WORDS["fewer"] else ">="
                sized = self._sized(field, ((op, bounds[0][1]),), self._span(place, taken + length + 2))
                return sized, taken + length + 2
            if is_linked or not is_bare:
                return self._sized(field, bounds, self._span(place, taken + length)), taken + length
        return NOTHING

    def _sized(self, field: TableField, bounds: Bounds, span: Span) -> Tree | None:
        return all_of(
            Term(field.word, op, number, span=span, key_span=span, value_span=span) for op, number in bounds
        )

    def _term_at(self, field: TableField, place: int, value: Word, span: Span, key_span: Span) -> Term:
        """The term of a field and the value at a place."""
        in_quotes = not self.words[place]
        term = Term(field.word, ":", value.value, span=span, in_quotes=in_quotes)
        return replace(term, key_span=key_span, value_span=value.span)

    def _valued(self, place: int) -> Reading:
        """``faction is krypt`` as a term."""
        joints = [word for word in self.words[place + 1 : place + MAX_NAME] if word in WORDS["value_joint"]]
        for field, length in self._fields_at(place, VALUED) if joints else ():
            joint = place + length
            if length < MAX_NAME and self.words[joint] in WORDS["value_joint"]:
                at, is_not = self._behind_not(joint + 1)
                if self._are_beside(joint - 1, joint) and isinstance(value := self._tree(at), Word):
                    span = self._span(place, at + 1 - place)
                    term = self._term_at(field, at, value, span, span)
                    return none_of(term, span.start) if is_not else term, at + 1 - place
        return NOTHING

    def _behind_not(self, place: int) -> tuple[int, bool]:
        """The place of the value in "not the krypt", or "an agent"; and whether there is a "not"."""
        first = place
        while self._is_leaf(place + 1) and self._are_beside(place, place + 1):
            # A part such as "Operation:" says nothing by itself.
            is_dropped = self._is_leaf(place) and self._tree(place) is None
            if self.words[place] not in ("not", *WORDS["article"]) and not is_dropped:
                break
            place += 1
        return place, "not" in self.words[first:place]


def is_of(field: TableField, kinds: Sequence[str]) -> bool:
    """Return whether the field is of these kinds wherever it is anything."""
    return all(place.kind in kinds for place in field.places)


IN_QUOTES = "To look for it as words, put it in quotes."


class PlainEnglish(Reader):
    """Reads the tokens of one query. What is read is added to its ``problems``; what this cures is taken out
    of them.
    """

    def __init__(
        self, text: str, tokens: Sequence[Token], fields: Table[Any], problems: list[Problem]
    ) -> None:
        super().__init__(text, tokens, fields)
        self._problems, self._has_digits = problems, bool(NUMBER.search(text))

    def read(self) -> list[Token]:
        """The tokens with sizes and values as terms, without the words that only join them."""
        read: list[Token] = []
        place = first = 0
        is_question = False
        while place < len(self._tokens):
            token = self._tokens[place]
            if token.kind in ("leaf", "and"):
                meant, taken = self._condition(place)
                is_question = is_question or taken > 1
                if not taken:
                    self._advise_on_words(place)
                    meant, taken = (self._part(token.tree) if token.tree else None), 1
                    read.append(replace(token, tree=meant))
                else:
                    # What is left out still stands beside an "and" or "or".
                    read.append(Token("leaf", meant.span if meant else token.span, tree=meant))
                if meant and len(read) - first > 1:
                    self._advise_to_exclude(*read[-2:])
                place += taken
                continue
            if token.kind == "show":
                read.append(token)
                place += 1
                continue
            read = self._without_opening(read, first, is_question)
            read.append(token)
            place, first, is_question = place + 1, len(read), False
        return self._without_opening(read, first, is_question)

    def _size(self, place: int, is_linked: bool = False) -> Reading:
        return super()._size(place, is_linked) if self._has_digits else NOTHING

    def _without_opening(self, read: list[Token], first: int, is_question: bool) -> list[Token]:
        """The tokens without "show me all" at this place: it asks nothing where the rest was certainly a
        question.
        """
        there = (token for token in read[first:-1] if token.kind != "leaf" or token.tree)
        opening = list(takewhile(lambda token: self._plain(token) in WORDS["opener"], there))
        if not is_question or not opening:
            return read
        self._tell_left_out(opening)
        return [replace(token, tree=None) if token in opening else token for token in read]

    def _condition(self, place: int) -> Reading:
        """The condition that begins here; None for words that ask nothing."""
        links = self._links(place)
        meant, taken = self._size(place + links, links > 0)
        if links and not taken and self._fields.get(self.words[place]):
            # "Worth 4 or less" is a size where a game calls a number so.
            links, (meant, taken) = 0, self._size(place)
        if not taken:
            meant, taken = self._with_others(*self._valued(place + links), place + links)
        if meant:
            self._tell_reading("read-as-comparison", meant, self._span(place, links + taken))
            return meant, links + taken
        behind = self._tree(place + links)
        if links and behind and isinstance(_unminused(behind), Term):
            self._tell_left_out(self._tokens[place : place + links])
            return self._part(behind), links + 1
        before = place - 1
        while self._kind(before) in ("show", ")"):
            before -= 1
        if self._kind(before) not in ("", "(", "-(", "or") and self._is_noun(place):
            self._tell_left_out(self._tokens[place : place + 1])
            return None, 1
        return self._either(place) if isinstance(behind, Term) else self._put_together(place)

    def _is_lone(self, place: int) -> bool:
        """Return whether the token is an alternative by itself, in brackets or not."""
        first, last = place - 1, place + 1
        while self._kind(first) == "(" and self._kind(last) in ("", ")"):
            first, last = first - 1, last + 1
        return first > 0 and self._kind(first) == "or" and self._kind(last) in ("", "or", ")")

    def _kind(self, place: int) -> str:
        """The kind of the token, with the minus of a bracket; nothing before the first and behind the last."""
        token = self._tokens[place] if 0 <= place < len(self._tokens) else None
        return f"{'-' * token.negated}{token.kind}" if token else ""

    def _minuses(self, column: int) -> int:
        """Return how many minus signs stand directly before a column."""
        return column - len(self._text[:column].rstrip(MINUSES))

    def _put_together(self, place: int) -> Reading:
        """``type: agent`` and ``type: not agent``, if there is such a field; a title such as "Operation:
        Paperclip" has none.
        """
        start = self._tokens[place].span.start
        key, colon, rest = self._typed(self._tokens[place].span).lstrip(MINUSES).partition(":")
        field = self._fields.get(key) if colon and not rest and self._are_beside(place, place + 1) else None
        at, is_not = self._behind_not(place + 1)
        value = self._tree(at)
        if self._tree(place) or field is None or not isinstance(value, Word):
            return NOTHING
        bounds = () if is_not else bounds_of(self.words[at])
        if is_of(field, NUMBERS) and not (bounds or self._number(at)):
            return NOTHING
        begin = self._tokens[place].span.end - len(key) - 1
        key_span, span = Span(begin, begin + len(key)), Span(begin, value.span.end)
        term = self._term_at(field, at, value, span, key_span)
        self._problems[:] = [
            one
            for one in self._problems
            if one.code != "empty-value" or not begin <= one.start < value.span.start
        ]
        is_excluded = (begin - start) % 2 == 1
        if bounds:
            read = self._term(term)
            return none_of(read, start) if is_excluded else read, at + 1 - place
        of_one = none_of(term, start) if is_excluded != is_not else term
        meant, taken = self._with_others(of_one, at + 1 - place, place)
        if meant:
            self._tell_reading("space-after-colon", meant, self._span(place, taken))
        return meant, taken

    def _either(self, place: int) -> Reading:
        """``power=3 or 4`` as one condition: nobody looks for a 4 anywhere on any card."""
        term = self._tree(place)
        field = self._fields.get(term.key) if isinstance(term, Term) and term.op in (":", "=") else None
        if field is None or not is_of(field, NUMBERS):
            return NOTHING
        meant, taken = self._with_others(term, 1, place, is_number=True)
        if taken == 1 or meant is None:
            return NOTHING
        self._tell_reading("read-as-comparison", meant, self._span(place, taken))
        return meant, taken

    def _with_others(self, meant: Tree | None, taken: int, place: int, is_number: bool = False) -> Reading:
        """The condition with the other values that stand behind it by themselves: "faction is krypt or
        dragons".
        """
        term, terms = _unminused(meant) if meant else None, list[Tree]()
        while self.words[place + taken] == "or" and isinstance(term, Term):
            first = at = place + taken + 1
            while self._kind(at) == "(":
                at += 1
            value, is_size, brackets = self._tree(at), bool(self._number(at)), at - first
            is_lone = self._is_lone(at) and self.words[at] not in WORDS["behind_number"]
            is_closed = not brackets or self._kind(at + brackets) == ")"
            is_other = is_closed and (is_lone or (is_number and not brackets))
            if not isinstance(value, Word) or is_size != is_number or not is_other:
                break
            span = Span(term.span.start, value.span.end)
            in_quotes = not self.words[at]
            terms.append(
                replace(term, value=value.value, span=span, value_span=value.span, in_quotes=in_quotes)
            )
            taken += 2 + 2 * brackets
        either = any_of([term, *terms]) if terms else None
        if either is None:
            return meant, taken
        return none_of(either, either.span.start) if isinstance(meant, Not) else either, taken

    def _part(self, part: Tree) -> Tree:
        """A part by itself: a word without its star, a term as a comparison."""
        match part:
            case Word(value) if value.endswith("*") and (plain := value.rstrip("*")) and self._word(part):
                message = f"The star is left out: “{plain}” finds parts of words anyway."
                self._advise("star", message, part.span, plain)
                return Word(plain, span=part.span)
            case Term():
                return self._term(part)
            case Not(inner):
                if (word := self._word(inner)) in CONNECTIVES:
                    message = f"The minus excludes the word “{word}” itself, which joins nothing then."
                    self._advise("minus-joins", message, part.span, word)
                return none_of(self._part(inner), part.span.start)
        return part

    def _term(self, term: Term) -> Tree:
        """``craft:4+`` and ``craft:3-5`` as the comparisons that they are; a number without the comma behind
        it.
        """
        field, value = self._fields.get(term.key), term.value
        if term.in_quotes or field is None or not is_of(field, NUMBERS):
            return term
        bounds = bounds_of(value) if term.op in (":", "=") else ()
        if value[-1:] in (",", ";") and value.isascii() and value[:-1].isdecimal():
            bounds = ((term.op, value[:-1]),)
        meant = all_of(replace(term, key=field.word, op=op, value=number) for op, number in bounds)
        if meant:
            self._tell_reading("read-as-comparison", meant, term.span)
        return meant or term

    # -- words between them ----------------------------------------------------------

    def _links(self, place: int) -> int:
        """Return how many words before a size or a term only join it: "agents *that have a* craft of 4"."""
        count, is_link = 0, False
        while self._are_beside(place + count, place + count + 1):
            word = self.words[place + count]
            if not (
                word in WORDS["link"] or (count and word in WORDS["article"]) or self._is_noun(place + count)
            ):
                break
            is_link = is_link or word in WORDS["link"]
            count += 1
        return count if is_link else 0

    def _is_noun(self, place: int) -> bool:
        """Return whether the word says only what everything found is: "spycraft *cards*", not "house of
        cards".
        """
        word, before = self.words[place], self.words[place - 1] if place else ""
        return word in WORDS["noun"] and before not in WORDS["joint"] and not self._fields.get(word)

    # -- advice ----------------------------------------------------------------------

    def _advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self._problems.append(Problem(code, message, *span, suggestions, advice=True))

    def _tell_reading(self, code: str, meant: Tree, span: Span) -> None:
        """Tell that a part was read, and as what."""
        # A minus before it would exclude the first condition alone.
        is_one = isinstance(meant, Or) or (isinstance(meant, And) and self._minuses(span.start) > 0)
        message = f"“{self._typed(span)}” is read as {normal(meant)}. {IN_QUOTES}"
        self._advise(code, message, span, f"({normal(meant)})" if is_one else normal(meant))

    def _tell_left_out(self, tokens: Sequence[Token]) -> None:
        """The words ask nothing and are not looked for."""
        span = Span(tokens[0].span.start, tokens[-1].span.end)
        message = f"“{self._typed(span)}” asks nothing here and is left out. {IN_QUOTES}"
        self._advise("left-out", message, span, " ".join(quoted(self._typed(token.span)) for token in tokens))

    def _advise_on_words(self, place: int) -> None:
        """A sign that joins nothing, a field to sort by, a number that an "or" leaves alone."""
        word, span = self.words[place], self._tokens[place].span
        for field, length in self._fields_at(place, NUMBERS) if self._has_digits else ():
            if (number := self._number(place + length)) and self._are_beside(place, place + length):
                size = self._span(place, length + 1)
                if self._problems and self._problems[-1].end == size.end:
                    continue
                message = (
                    f"“{self._typed(size)}” is looked for as words. A number is compared with an operator"
                    " between the two."
                )
                self._advise(
                    "field-and-number", message, size, f"{field.word}>={number}", f"{field.word}={number}"
                )
        if word in WORDS["sign"] and len(self._tokens) > 1:
            message = (
                f"“{word}” is looked for as a word. Parts side by side must all hold; “or” stands"
                " between alternatives."
            )
            self._advise("word-joins", message, span, "or" if "|" in word else "")
        if (word in WORDS["behind_number"] or self._number(place)) and self._is_lone(place):
            message = (
                f"Behind “or”, “{word}” alone is looked for as a word, anywhere. A size stands"
                " directly behind its field, as in craft>=4."
            )
            self._advise("lone-alternative", message, span)
        by = int(word in WORDS["sorting"] and self.words[place + 1] == "by")
        if by or word in WORDS["highest"] or word in WORDS["lowest"]:
            for field, length in self._fields_at(place + 1 + by):
                if length < MAX_NAME and self._are_beside(place + by, place + by + 1):
                    span = self._span(place, 1 + by + length)
                    message = (
                        f"“{self._typed(span)}” is looked for as words. What is found is sorted by “order”."
                    )
                    minus = "-" if word in WORDS["highest"] else ""
                    self._advise("words-of-order", message, span, f"order:{minus}{field.word}")
                    return

    def _advise_to_exclude(self, token: Token, behind: Token) -> None:
        """A "not" before something, which a minus would exclude."""
        word, after = self._plain(token), behind.tree
        between = self._text[token.span.end : behind.span.start]
        if (
            word not in WORDS["excluding"]
            or not between.isspace()
            or not isinstance(after, Word | Term | Exact | Regex)
        ):
            return
        typed = self._typed(after.span)
        field = self._fields.get(self._word(after)) if self._fields.get("has") else None
        if field and field.kind in ("number", "word", "words", "flag"):
            typed = f"{'is' if field.kind == 'flag' else 'has'}:{field.word}"
        without = f"-{normal(after) if isinstance(after, Term) and after.op not in typed else typed}"
        message = f"“{word}” is looked for as a word. A minus directly before something excludes it."
        self._advise("word-not", message, Span(token.span.start, behind.span.end), without)


def _unminused(part: Tree) -> Tree:
    return part.part if isinstance(part, Not) else part
