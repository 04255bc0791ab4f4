"""What people type who do not know the language: plain English for sizes and values, "not", a star behind a
word.

Only what can hardly mean anything else is read, with advice that says how; on the rest there is advice alone.
Words in quotes are words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

from cardsdb.search.query.fields import Table, TableField
from cardsdb.search.query.scanner import MINUSES
from cardsdb.search.query.tree import (
    ARTICLES,
    BEHIND_NUMBERS,
    CONNECTIVES,
    LINKS,
    NOUNS,
    OPENERS,
    And,
    AtLeast,
    Not,
    Or,
    Problem,
    Query,
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
from cardsdb.search.query.values import FEWER, NUMBER, PATTERNS, Bounds, bounds_in, bounds_of

# What may stand between a field and its size, and between a field and its value.
JOINTS, VALUE_JOINTS = ("is", "are", "of"), ("is", "are")
# Kinds of fields that have such values: "faction is krypt". A field's name may be of several words, as in
# "victory points".
VALUED, NUMBERS = ("word", "words", "exact", "name"), ("number",)
MAX_NAME = 3
# What is only advised about: a "not", a field to sort by, signs that join conditions elsewhere.
EXCLUDING = ("not", "without", "except", "excluding")
HIGHEST, LOWEST = (
    ("highest", "most", "best", "top", "strongest"),
    ("lowest", "least", "fewest", "cheapest", "smallest"),
)
SORTING, JOINING = ("sort", "sorted", "order", "ordered"), ("|", "||", "&", "&&", "+")
IN_QUOTES = "To look for it as words, put it in quotes."

# Something read: its terms, how many parts it takes (0 for none), and whether its number stands without an
# operator.
Reading = tuple[list[Tree], int, bool]


def read_plain_english(query: Query, fields: Table[Any]) -> tuple[Tree | None, list[Problem]]:
    """The query's tree with plain English read; and its problems, without those that this cures and with the
    advice about it.
    """
    reader = _Reader(query, fields)
    tree = reader.read(query.tree) if query.tree else None
    return tree, [*(problem for problem in query.problems if problem not in reader.cured), *reader.advice]


class _Reader:
    def __init__(self, query: Query, fields: Table[Any]) -> None:
        self._text = query.text
        self._fields = fields
        self._has_digits = bool(NUMBER.search(query.text))
        self.advice: list[Problem] = []
        self.cured: list[Problem] = []
        # The column that a value stands at -> the problem that a space stands between it and its field.
        self._apart = {
            problem.end: problem
            for problem in query.problems
            if problem.code == "empty-value" and len(problem.suggestions) > 1
        }
        # The column behind what was read -> where it stands, and as what it was read.
        self._read_as: dict[int, tuple[Span, Tree]] = {}

    def read(self, tree: Tree) -> Tree:
        match tree:
            case Word(value) if value.endswith("*") and value.strip("*") and self._word(tree):
                plain = value.rstrip("*")
                self._advise(
                    "star", f"The star is left out: “{plain}” finds parts of words anyway.", tree.span, plain
                )
                return Word(plain, tree.span)
            case Word() if tree.span.start in self._apart:
                return self._put_together(tree, self._apart[tree.span.start]) or tree
            case Term():
                return self._term(tree)
            case Not(part):
                if (word := self._word(part)) in CONNECTIVES:
                    self._advise(
                        "minus-joins",
                        f"The minus excludes the word “{word}” itself, which joins nothing then.",
                        tree.span,
                        word,
                    )
                return none_of(self.read(part), tree.span.start)
            case And(parts):
                return all_of(self._row(parts)) or tree
            case Or(parts):
                rows = self._joined([list(part.parts) if isinstance(part, And) else [part] for part in parts])
                for first, *others in rows[1:]:
                    if not others and (self._number(first) or self._word(first) in BEHIND_NUMBERS):
                        alone = f"Behind “or”, “{self._word(first)}” alone is looked for as a word, anywhere."
                        self._advise(
                            "lone-alternative",
                            f"{alone} A size stands directly behind its field, as in craft>=4.",
                            first.span,
                        )
                alternatives = any_of([all_of(self._row(row)) for row in rows])
                self._advise_on_values(rows)
                return alternatives or tree
        return tree

    def _typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _word(self, part: Tree) -> str:
        """The part in small letters if it is a word without quotes, else nothing."""
        return (
            part.value.casefold() if isinstance(part, Word) and self._typed(part.span) == part.value else ""
        )

    def _number(self, part: Tree) -> str:
        """The part if it is a number in plain digits."""
        return word if NUMBER.fullmatch(word := self._word(part)) else ""

    def _beside(self, parts: Sequence[Tree]) -> bool:
        """Return whether only spaces stand between the parts."""
        return all(self._text[one.span.end : other.span.start].isspace() for one, other in pairwise(parts))

    def _minuses(self, column: int) -> int:
        """Return how many minus signs stand directly before a column."""
        return column - len(self._text[:column].rstrip(MINUSES))

    def _fields_at(
        self, parts: Sequence[Tree], place: int, is_number: bool = False
    ) -> Iterator[tuple[TableField, int]]:
        """The fields whose names stand here, the longest first, and of how many parts; also with an ending:
        "costs", "costing".
        """
        for length in range(min(MAX_NAME, len(parts) - place), 0, -1):
            words = [self._word(part) for part in parts[place : place + length]]
            if all(words) and self._beside(parts[place : place + length]):
                name = " ".join(words)
                stems = (name, name.removesuffix("s"), name.removesuffix("ing"))
                field = next((field for stem in stems if stem and (field := self._fields.get(stem))), None)
                if field and (not is_number or _is(field, NUMBERS)):
                    yield field, length

    def _amount(self, parts: Sequence[Tree], place: int) -> tuple[Bounds, int, bool]:
        """``4+``, ``at least 4``, ``4 and above``, ``4``: its bounds, of how many parts (0 if it is none),
        and whether it is bare.
        """
        if place < len(parts) and self._word(parts[place]):
            for ops, pattern in PATTERNS:
                match = pattern.match(self._text, parts[place].span.start)
                if (
                    match
                    and (bounds := bounds_in(ops, match))
                    and (length := self._parts_up_to(parts, place, match.end()))
                ):
                    return bounds, length, False
            if number := self._number(parts[place]):
                return (("=", number),), 1, True
        return (), 0, False

    def _parts_up_to(self, parts: Sequence[Tree], place: int, end: int) -> int:
        """Return how many parts, all of them plain words, stand from here up to this column; 0 if they are
        anything else.
        """
        reached = list(takewhile(lambda part: part.span.start < end, parts[place:]))
        return len(reached) if reached[-1].span.end == end and all(map(self._word, reached)) else 0

    def _size(self, parts: Sequence[Tree], place: int, linked: bool = False) -> Reading:
        """The size that begins at this place. Behind a linking word as in "with 4 craft" (``linked``) a bare
        number is exact.
        """
        for field, length in self._fields_at(parts, place, is_number=True) if self._has_digits else ():
            start = place + length
            joint = int(start + 1 < len(parts) and self._word(parts[start]) in JOINTS)
            bounds, amount, is_bare = self._amount(parts, start + joint)
            if amount and self._beside(parts[start - 1 : start + joint + 1]):
                return self._sized(
                    field, bounds, parts[place : start + joint + amount], is_bare and not linked and not joint
                )
        bounds, amount, is_bare = self._amount(parts, place) if self._has_digits else ((), 0, False)
        if amount and self._beside(parts[place + amount - 1 : place + amount + 1]):
            for field, length in self._fields_at(parts, place + amount, is_number=True):
                end = place + amount + length
                if is_bare and (op := self._or_more(parts, end)):
                    return self._sized(field, ((op, bounds[0][1]),), parts[place : end + 1], False)
                if linked or not is_bare:
                    return self._sized(field, bounds, parts[place:end], False)
        return [], 0, False

    def _or_more(self, parts: Sequence[Tree], place: int) -> str:
        """The operator for "or more" and "or less" behind a field: "5 health or more"."""
        if not (0 < place < len(parts) and (word := self._word(parts[place])) in BEHIND_NUMBERS):
            return ""
        between = self._text[parts[place - 1].span.end : parts[place].span.start].strip().casefold()
        return "" if between != "or" else "<=" if word in FEWER else ">="

    def _sized(self, field: TableField, bounds: Bounds, parts: Sequence[Tree], is_bare: bool) -> Reading:
        span = Span(parts[0].span.start, parts[-1].span.end)
        return [Term(field.word, op, number, span, span, span) for op, number in bounds], len(parts), is_bare

    def _put_together(self, word: Word, apart: Problem, is_not: bool = False) -> Tree | None:
        """``type: agent``, if there is such a field; a title such as "Operation: Paperclip" has none.
        ``is_not``: "type: not agent".
        """
        span = Span(apart.start, word.span.end)
        key, colon, _ = self._typed(span).partition(":")
        field = self._fields.get(key.strip()) if colon else None
        if field is None:
            return None
        key_span = Span(apart.start, apart.start + len(key.rstrip()))
        term = Term(field.word, ":", word.value, span, key_span, word.span, not self._word(word))
        bounds = () if is_not else bounds_of(self._word(word))
        if _is(field, NUMBERS) and not (bounds or self._number(word)):
            return None
        self.cured.append(apart)
        # What makes no sense is dropped with its minus.
        minuses = self._minuses(apart.start)
        start = apart.start - minuses
        if bounds:
            return none_of(self._term(term), start) if minuses % 2 else self._term(term)
        meant = none_of(term, start) if (minuses % 2 == 1) != is_not else term
        self._tell_reading("space-after-colon", meant, Span(start, word.span.end))
        return meant

    def _term(self, term: Term) -> Tree:
        """``craft:4+`` and ``craft:3-5`` as the comparisons that they are; a number without the comma behind
        it.
        """
        field = self._fields.get(term.key)
        if term.in_quotes or field is None or not _is(field, NUMBERS):
            return term
        bounds = bounds_of(term.value) if term.op in (":", "=") else ()
        if (
            not bounds
            and term.value[-1:] in (",", ";")
            and term.value.isascii()
            and term.value[:-1].isdecimal()
        ):
            bounds = ((term.op, term.value[:-1]),)
        if not bounds:
            return term
        meant = all_of(replace(term, key=field.word, op=op, value=number) for op, number in bounds) or term
        self._tell_reading("read-as-comparison", meant, term.span)
        return meant

    def _valued(self, parts: Sequence[Tree], place: int) -> Reading:
        """``faction is krypt`` as a term."""
        for field, length in self._fields_at(parts, place):
            start = place + length + 1
            if length > 2 or not _is(field, VALUED) or not self._beside(parts[place:start]):
                continue
            if start < len(parts) and self._word(parts[start - 1]) in VALUE_JOINTS:
                at, is_not = self._behind_not(parts, start)
                if isinstance(value := parts[at], Word):
                    span = Span(parts[place].span.start, value.span.end)
                    term = Term(field.word, ":", value.value, span, span, value.span, not self._word(value))
                    return [none_of(term, span.start) if is_not else term], at + 1 - place, False
        return [], 0, False

    def _behind_not(self, parts: Sequence[Tree], place: int) -> tuple[int, bool]:
        """The place of the value in "not the krypt", or "an agent"; and whether there is a "not"."""
        words = [
            self._word(one) if self._beside((one, other)) else "" for one, other in pairwise(parts[place:])
        ]
        before = list(takewhile(lambda word: word in ("not", *ARTICLES), words))
        return place + len(before), "not" in before

    def _row(self, parts: Sequence[Tree]) -> list[Tree]:
        """The parts of an And, with the sizes and values among them read and the words between them left
        out.
        """
        row: list[Tree] = []
        place, is_question = 0, False
        while place < len(parts):
            (read, taken, is_bare), links = self._linked_size(parts, place)
            if not taken:
                read, taken, _ = self._valued(parts, place + links)
            if taken and not is_bare:
                span = Span(parts[place].span.start, parts[place + links + taken - 1].span.end)
                self._tell_reading("read-as-comparison", all_of(read) or read[0], span)
            elif links and isinstance(_unminused(parts[place + links]), Term):
                self._tell_left_out(parts[place : place + links])
                read, taken = [self.read(parts[place + links])], 1
            elif place and self._is_noun(parts, place):
                self._tell_left_out(parts[place : place + 1])
                read, links, taken = [], 0, 1
            else:
                if is_bare:
                    self._advise_to_compare(read[0])
                self._advise_on_words(parts, place)
                part, taken = self._part(parts, place)
                read, links = [part], 0
            is_question = is_question or links + taken > 1
            row += read
            place += links + taken
        # "Show me all" and its like ask nothing where the rest was certainly a question.
        if is_question and (opening := list(takewhile(lambda part: self._word(part) in OPENERS, row[:-1]))):
            self._tell_left_out(opening)
            row = row[len(opening) :]
        for part, after in pairwise(row):
            self._advise_to_exclude(part, after)
        return row

    def _part(self, parts: Sequence[Tree], place: int) -> tuple[Tree, int]:
        """Return what is no more than one part, and of how many it is made: more than one only in "type: not
        an agent".
        """
        apart = self._apart.get(parts[place].span.start)
        at, is_not = self._behind_not(parts, place) if apart else (place, False)
        if (
            apart
            and is_not
            and isinstance(value := parts[at], Word)
            and (read := self._put_together(value, apart, is_not))
        ):
            return read, at + 1 - place
        return self.read(parts[place]), 1

    def _linked_size(self, parts: Sequence[Tree], place: int) -> tuple[Reading, int]:
        """A size, and how many words before it only join it. "Worth 4 or less" is one where a game calls a
        number so.
        """
        links = self._links(parts, place)
        read = self._size(parts, place + links, links > 0)
        if links and not read[1] and self._fields.get(self._word(parts[place])):
            return self._size(parts, place), 0
        return read, links

    def _links(self, parts: Sequence[Tree], place: int) -> int:
        """Return how many words before a size or a term only join it: "agents *that have a* craft of 4"."""
        count = 0
        while place + count + 1 < len(parts) and self._beside(parts[place + count : place + count + 2]):
            word = self._word(parts[place + count])
            if (
                word not in LINKS
                and not (count and word in ARTICLES)
                and not (word in NOUNS and self._is_noun(parts, place + count))
            ):
                break
            count += 1
        return count if any(self._word(part) in LINKS for part in parts[place : place + count]) else 0

    def _is_noun(self, parts: Sequence[Tree], place: int) -> bool:
        """Return whether the word says only what everything found is: "spycraft *cards*", not "house of
        cards".
        """
        word = self._word(parts[place])
        before = self._word(parts[place - 1]) if place else ""
        return word in NOUNS and before not in JOINTS and not self._fields.get(word)

    def _joined(self, rows: list[list[Tree]]) -> list[list[Tree]]:
        """The alternatives, of which two are one where "or more" or "or less", or another number, stands
        between them.
        """
        joined = [rows[0]]
        for row in rows[1:]:
            before = joined[-1]
            if self._is_one(before, row):
                joined[-1] = [*before, *row]
            elif either := self._either(before[-1], row[0]):
                joined[-1] = [*before[:-1], either, *row[1:]]
            else:
                joined.append(row)
        return joined

    def _is_one(self, before: list[Tree], row: list[Tree]) -> bool:
        """Return whether "or more" between the two belongs to a size."""
        both, place = [*before, *row], 0
        while place < len(before):
            (_, length, is_bare), links = self._linked_size(both, place)
            place += links + length if length and not is_bare else 1
            if length and place > len(before):
                return True
        return False

    def _either(self, last: Tree, other: Tree) -> Tree | None:
        """``power=3`` and ``4`` as one condition: nobody looks for a 4 anywhere on any card."""
        number, field = (
            self._number(other),
            self._fields.get(last.key) if isinstance(last, Term) and last.op in (":", "=") else None,
        )
        between = self._text[last.span.end : other.span.start].strip().casefold()
        if not (number and field and _is(field, NUMBERS) and between == "or" and isinstance(last, Term)):
            return None
        span = Span(last.span.start, other.span.end)
        either = Or((last, replace(last, value=number, span=span, value_span=other.span)), span)
        self._tell_reading("read-as-comparison", either, span)
        return either

    def _advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self.advice.append(Problem(code, message, *span, suggestions, advice=True))

    def _tell_reading(self, code: str, meant: Tree, span: Span) -> None:
        """Tell that a part was read, and as what."""
        # A minus before it would exclude the first condition alone.
        is_one = isinstance(meant, Or) or (isinstance(meant, And) and self._minuses(span.start) > 0)
        self._read_as[span.end] = (span, meant)
        message = f"“{self._typed(span)}” is read as {normal(meant)}. {IN_QUOTES}"
        self._advise(code, message, span, f"({normal(meant)})" if is_one else normal(meant))

    def _tell_left_out(self, parts: Sequence[Tree]) -> None:
        """The words ask nothing and are not looked for."""
        span = Span(parts[0].span.start, parts[-1].span.end)
        message = f"“{self._typed(span)}” asks nothing here and is left out. {IN_QUOTES}"
        self._advise("left-out", message, span, " ".join(quoted(self._typed(part.span)) for part in parts))

    def _advise_to_compare(self, size: Tree) -> None:
        """A number beside its field."""
        if isinstance(size, Term) and not (self.advice and self.advice[-1].end == size.span.end):
            message = (
                f"“{self._typed(size.span)}” is looked for as words. A number is compared with an operator"
                " between the two."
            )
            self._advise(
                "field-and-number",
                message,
                size.span,
                f"{size.key}>={size.value}",
                f"{size.key}={size.value}",
            )

    def _advise_on_words(self, parts: Sequence[Tree], place: int) -> None:
        """A sign that joins nothing, a field to sort by."""
        word = self._word(parts[place])
        if word in JOINING:
            message = (
                f"“{word}” is looked for as a word. Parts side by side must all hold; “or” stands between"
                " alternatives."
            )
            self._advise("word-joins", message, parts[place].span, "or" if "|" in word else "")
        by = int(word in SORTING and place + 1 < len(parts) and self._word(parts[place + 1]) == "by")
        if not (by or word in HIGHEST or word in LOWEST):
            return
        for field, length in self._fields_at(parts, place + 1 + by):
            if length <= 2 and self._beside(parts[place + by : place + by + 2]):
                span = Span(parts[place].span.start, parts[place + by + length].span.end)
                message = f"“{self._typed(span)}” is looked for as words. What is found is sorted by “order”."
                self._advise(
                    "words-of-order", message, span, f"order:{'-' if word in HIGHEST else ''}{field.word}"
                )
                return

    def _advise_on_values(self, rows: Sequence[Sequence[Tree]]) -> None:
        """A second value, as in "faction is krypt or dragons", that an "or" leaves alone as a word."""
        for place, row in enumerate(rows[:-1]):
            span, meant = self._read_as.get(row[-1].span.end, (row[-1].span, None))
            term = _unminused(meant)
            field = self._fields.get(term.key) if isinstance(term, Term) and term.op == ":" else None
            words = [
                part for (part,) in takewhile(self._is_lone_word, rows[place + 1 :]) if isinstance(part, Word)
            ]
            if not (words and field and _is(field, VALUED) and isinstance(term, Term)):
                continue
            either = any_of([term, *(replace(term, value=word.value) for word in words)]) or term
            typed = self._typed(Span(words[0].span.start, words[-1].span.end))
            message = (
                f"Behind “or”, “{typed}” without its field is looked for as a word, anywhere. Each value"
                " stands behind its field."
            )
            instead = normal(none_of(either)) if isinstance(meant, Not) else f"({normal(either)})"
            self._advise("lone-alternative", message, Span(span.start, words[-1].span.end), instead)

    def _is_lone_word(self, row: Sequence[Tree]) -> bool:
        return (
            len(row) == 1
            and isinstance(row[0], Word)
            and self._word(row[0]) not in BEHIND_NUMBERS
            and not self._number(row[0])
        )

    def _advise_to_exclude(self, part: Tree, after: Tree) -> None:
        """A "not" before something, which a minus would exclude."""
        if (
            (word := self._word(part)) not in EXCLUDING
            or not self._beside((part, after))
            or isinstance(after, Not | And | Or | AtLeast)
        ):
            return
        typed = self._typed(after.span)
        field = self._fields.get(self._word(after)) if self._fields.get("has") else None
        if field and field.kind in ("number", "word", "words", "flag"):
            typed = f"{'is' if field.kind == 'flag' else 'has'}:{field.word}"
        without = f"-{normal(after) if isinstance(after, Term) and after.op not in typed else typed}"
        message = f"“{word}” is looked for as a word. A minus directly before something excludes it."
        self._advise("word-not", message, Span(part.span.start, after.span.end), without)


def _unminused(part: Tree | None) -> Tree | None:
    return part.part if isinstance(part, Not) else part


def _is(field: TableField, kinds: Sequence[str]) -> bool:
    """Return whether the field is of these kinds wherever it is anything."""
    return all(place.kind in kinds for place in field.places)
