"""What people type who do not know the language: plain English for sizes and values, "not", a star behind a word.

Only what can hardly mean anything else is read, and the reader is told how; of the rest the reader is only advised.
Words in quotes are always just words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cardsdb.search.query.as_typed import AsTyped
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.normal_form import ARTICLES, LINKS, NOUNS, OPENERS
from cardsdb.search.query.plain_advice import VALUED, Advisor
from cardsdb.search.query.sizes import BEHIND, JOINTS, Size, Sizes, bounds_of, or_more
from cardsdb.search.query.tree import And, Not, Or, Problem, Query, Span, Term, Tree, Word, all_of, any_of, none_of


def read_plainly(query: Query, fields: Fields) -> tuple[Tree | None, list[Problem]]:
    """The query's tree with plain English read; and its problems, without those that this cures and with the advice about it."""
    reader = _Reader(query, fields)
    tree = reader.read(query.tree) if query.tree else None
    return tree, [*(problem for problem in query.problems if problem not in reader.cured), *reader.advice.given]


class _Reader:
    def __init__(self, query: Query, fields: Fields) -> None:
        self._typed = AsTyped(query.text)
        self._fields = fields
        self._sizes = Sizes(self._typed, fields)
        self.advice = Advisor(self._typed, fields, self._sizes)
        # The field and number last met of which nothing says how they are meant.
        self._bare: Size | None = None
        self.cured: list[Problem] = []
        # The column that a value stands at -> the problem that a space stands between it and its field.
        self._apart = {problem.end: problem for problem in query.problems if problem.code == "empty-value" and len(problem.suggestions) > 1}

    def read(self, tree: Tree) -> Tree:
        match tree:
            case Word(value) if value.endswith("*") and value.strip("*") and self._typed.word(tree):
                plain = value.rstrip("*")
                self.advice.give("star", f"The star is left out: “{plain}” finds parts of words anyway.", tree.span, plain)
                return Word(plain, tree.span)
            case Word(value) if tree.span.start in self._apart:
                return self._put_together(tree, self._apart[tree.span.start]) or tree
            case Term():
                return self._term(tree)
            case Not(part):
                return none_of(self.read(part), tree.span.start)
            case And(parts):
                return all_of(self._row(parts)) or tree
            case Or(parts):
                rows: list[list[Tree]] = [list(part.parts) if isinstance(part, And) else [part] for part in parts]
                joined = self._joined(rows)
                for row in joined[1:]:
                    self.advice.on_alternative(row)
                read = any_of([all_of(self._row(row)) for row in joined])
                self.advice.on_values(joined)
                return read or tree
        return tree

    # -- a field and its value -------------------------------------------------------

    def _put_together(self, word: Word, apart: Problem, is_not: bool = False) -> Tree | None:
        """``type: agent``, if there is such a field; a title such as "Operation: Paperclip" has none. ``is_not``: "type: not agent"."""
        span = Span(apart.start, word.span.end)
        key, colon, _ = self._typed.typed(span).partition(":")
        field = self._fields.get(key.strip()) if colon else None
        if field is None:
            return None
        key_span = Span(apart.start, apart.start + len(key.rstrip()))
        term = Term(field.word, ":", word.value, span, key_span, word.span, not self._typed.word(word))
        bounds = bounds_of(self._typed.word(word))
        if all(place.kind == "number" for place in field.places) and not ((bounds and not is_not) or self._typed.number(word)):
            return None
        self.cured.append(apart)
        # What makes no sense is dropped with its minus.
        minuses = self._typed.minuses(apart.start)
        start = apart.start - minuses
        excluded = (minuses % 2 == 1) != is_not
        if bounds and not is_not:
            read = self._term(term)
            return none_of(read, start) if excluded else read
        read = none_of(term, start) if excluded else term
        self.advice.read_as("space-after-colon", read, Span(start, word.span.end))
        return read

    def _term(self, term: Term) -> Tree:
        """``craft:4+`` and ``craft:3-5`` as the comparisons that they are."""
        field = self._fields.get(term.key)
        bounds = bounds_of(term.value) if term.op in (":", "=") and not term.in_quotes else ()
        if not bounds and not term.in_quotes and term.value[-1:] in (",", ";") and term.value.isascii() and term.value[:-1].isdecimal():
            bounds = ((term.op, term.value[:-1]),)
        if not bounds or field is None or any(place.kind != "number" for place in field.places):
            return term
        meant = all_of(replace(term, key=field.word, op=op, value=number) for op, number in bounds) or term
        self.advice.read_as("read-as-comparison", meant, term.span)
        return meant

    # -- what stands side by side --------------------------------------------------

    def _row(self, parts: Sequence[Tree]) -> list[Tree]:
        """The parts of an And, with the sizes and values among them read and the words between them left out."""
        found: list[Tree] = []
        place, is_question = 0, False
        while place < len(parts):
            links = self._links(parts, place)
            read, taken = self._phrase(parts, place + links, links > 0)
            if taken:
                span = Span(parts[place].span.start, parts[place + links + taken - 1].span.end)
                self.advice.read_as("read-as-comparison", all_of(read) or read[0], span)
            elif links and self._is_term(parts[place + links]):
                self.advice.left_out(parts[place : place + links])
                read, taken = [self.read(parts[place + links])], 1
            elif place and self._is_noun(parts, place):
                self.advice.left_out(parts[place : place + 1])
                read, links, taken = [], 0, 1
            else:
                self.advice.on_words(parts, place, self._bare)
                part, taken = self._part(parts, place)
                read, links = [part], 0
            is_question = is_question or links + taken > 1
            found += read
            place += links + taken
        found = self._without_opening(found, is_question)
        for part, after in pairwise(found):
            self.advice.to_exclude(part, after)
        return found

    def _part(self, parts: Sequence[Tree], place: int) -> tuple[Tree, int]:
        """What is no more than one part, and of how many it is made: more than one only in "type: not an agent"."""
        apart = self._apart.get(parts[place].span.start)
        at, is_not = self._behind_not(parts, place) if apart else (place, False)
        value = parts[at]
        if apart and is_not and isinstance(value, Word) and (read := self._put_together(value, apart, is_not)):
            return read, at + 1 - place
        return self.read(parts[place]), 1

    def _behind_not(self, parts: Sequence[Tree], place: int) -> tuple[int, bool]:
        """The place of the value in "not the krypt", or "an agent"; and whether there is a "not"."""
        is_not = False
        while place + 1 < len(parts) and self._typed.beside(parts[place], parts[place + 1]):
            word = self._typed.word(parts[place])
            if word != "not" and word not in ARTICLES:
                break
            is_not = is_not or word == "not"
            place += 1
        return place, is_not

    def _links(self, parts: Sequence[Tree], place: int) -> int:
        """How many words before a size or a term only join it: "agents *that have a* craft of 4"."""
        count = 0
        while place + count + 1 < len(parts) and self._typed.beside(parts[place + count], parts[place + count + 1]):
            word = self._typed.word(parts[place + count])
            if word not in LINKS and not (count and word in ARTICLES) and not (word in NOUNS and self._is_noun(parts, place + count)):
                break
            count += 1
        return count if any(self._typed.word(part) in LINKS for part in parts[place : place + count]) else 0

    def _phrase(self, parts: Sequence[Tree], place: int, linked: bool) -> tuple[list[Tree], int]:
        """A size, or "faction is krypt", that begins here; and of how many parts it is made, none if it is neither."""
        size = self._sizes.at(parts, place, linked)
        self._bare = size if size and size.is_bare else None
        if size:
            return ([], 0) if size.is_bare else (list(size.terms), size.length)
        for length in (2, 1):
            value = place + length + 1
            if value >= len(parts) or self._typed.word(parts[value - 1]) not in JOINTS[:2]:
                continue
            start = value
            value, is_not = self._behind_not(parts, start)
            field = self._sizes.field(parts[place : place + length])
            words = self._typed.words(parts[place:start])
            if field and words and all(kind.kind in VALUED for kind in field.places) and isinstance(named := parts[value], Word):
                span = Span(parts[place].span.start, named.span.end)
                term = Term(field.word, ":", named.value, span, span, named.span, not self._typed.word(named))
                return [none_of(term, span.start) if is_not else term], value + 1 - place
        return [], 0

    def _is_term(self, part: Tree) -> bool:
        return isinstance(part, Term) or (isinstance(part, Not) and isinstance(part.part, Term))

    def _is_noun(self, parts: Sequence[Tree], place: int) -> bool:
        """Whether the word says only what everything found is: "spycraft *cards*", not "house of cards"."""
        word = self._typed.word(parts[place])
        before = self._typed.word(parts[place - 1]) if place else ""
        return word in NOUNS and before not in JOINTS and not self._fields.get(word)

    def _without_opening(self, parts: list[Tree], is_question: bool) -> list[Tree]:
        """The parts without "show me all" and its like, where the rest was certainly a question."""
        count = 0
        while is_question and count + 1 < len(parts) and self._typed.word(parts[count]) in OPENERS:
            count += 1
        if count:
            self.advice.left_out(parts[:count])
        return parts[count:]

    # -- "or more", "or less" --------------------------------------------------------

    def _joined(self, rows: list[list[Tree]]) -> list[list[Tree]]:
        """The alternatives, of which two are one where "or more" or "or less" stands between them."""
        found = [rows[0]]
        for row in rows[1:]:
            joined = self._or_more(found[-1], row) or self._or_another(found[-1], row)
            if joined:
                found[-1] = joined
            else:
                found.append(row)
        return found

    def _or_more(self, before: list[Tree], row: list[Tree]) -> list[Tree]:
        """``craft 4`` and ``more kai`` as one row, or ``4`` and ``more craft``; empty if they are none."""
        op, number = BEHIND.get(self._typed.word(row[0])), self._typed.number(before[-1])
        if op is None or not number or self._typed.between(before[-1], row[0]) != "or":
            return []
        amount = or_more(op, number, Span(before[-1].span.start, row[0].span.end))
        joined, at = [*before[:-1], amount, *row[1:]], len(before) - 1
        return joined if any(self._holds(joined, place, at) for place in range(at + 1)) else []

    def _or_another(self, before: list[Tree], row: list[Tree]) -> list[Tree]:
        """``power=3`` and ``4`` as one condition: nobody looks for a 4 anywhere on any card."""
        last, number = before[-1], self._typed.number(row[0])
        field = self._fields.get(last.key) if isinstance(last, Term) and last.op in (":", "=") else None
        if not (number and field and isinstance(last, Term)) or self._typed.between(last, row[0]) != "or":
            return []
        if any(place.kind != "number" for place in field.places):
            return []
        span = Span(last.span.start, row[0].span.end)
        either = any_of([last, replace(last, value=number, span=span, value_span=row[0].span)]) or last
        self.advice.read_as("read-as-comparison", either, span)
        return [*before[:-1], either, *row[1:]]

    def _holds(self, parts: list[Tree], place: int, at: int) -> bool:
        """Whether a size begins at the place that takes in the part behind it."""
        size = self._sizes.at(parts, place)
        return size is not None and place + size.length > at
