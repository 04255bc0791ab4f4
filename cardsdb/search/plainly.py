"""What people type who do not know the language: plain English for sizes and values, "not", a star behind a word.

Only what can hardly mean anything else is read, and the reader is told how; of the rest the reader is only advised.
Words in quotes are always just words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cardsdb.search.as_typed import AsTyped
from cardsdb.search.fields import Fields
from cardsdb.search.sizes import BEHIND, JOINTS, Size, Sizes, bounds_of, or_more
from cardsdb.search.tree import (
    ARTICLES,
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

EXCLUDING = ("not", "without", "except", "excluding")
HIGHEST, LOWEST = ("highest", "most", "best", "top", "strongest"), ("lowest", "least", "fewest", "cheapest", "smallest")
SORTING = ("sort", "sorted", "order", "ordered")
# What joins conditions elsewhere.
JOINING = ("|", "||", "&", "&&", "+")
# Kinds of fields that "is" may stand behind: "faction is krypt".
VALUED = ("word", "words", "exact", "name")
IN_QUOTES = "To look for it as words, put it in quotes."


def read_plainly(query: Query, fields: Fields) -> tuple[Tree | None, list[Problem]]:
    """The query's tree with plain English read; and its problems, without those that this cures and with the advice about it."""
    reader = _Reader(query, fields)
    tree = reader.read(query.tree) if query.tree else None
    return tree, [*(problem for problem in query.problems if problem not in reader.cured), *reader.advice]


class _Reader:
    def __init__(self, query: Query, fields: Fields) -> None:
        self._typed = AsTyped(query.text)
        self._fields = fields
        self._sizes = Sizes(self._typed, fields)
        self.advice: list[Problem] = []
        # The field and number last met of which nothing says how they are meant.
        self._bare: Size | None = None
        self.cured: list[Problem] = []
        # The column that a value stands at -> the problem that a space stands between it and its field.
        self._apart = {problem.end: problem for problem in query.problems if problem.code == "empty-value" and len(problem.suggestions) > 1}

    def read(self, tree: Tree) -> Tree:
        match tree:
            case Word(value) if value.endswith("*") and value.strip("*") and self._typed.word(tree):
                plain = value.rstrip("*")
                self._advise("star", f"The star is left out: “{plain}” finds parts of words anyway.", tree.span, plain)
                return Word(plain, tree.span)
            case Word(value) if tree.span.start in self._apart:
                return self._put_together(tree, self._apart[tree.span.start])
            case Term():
                return self._term(tree)
            case Not(part):
                return none_of(self.read(part), tree.span.start)
            case And(parts):
                return all_of(self._row(parts)) or tree
            case Or(parts):
                rows = [list(part.parts) if isinstance(part, And) else [part] for part in parts]
                joined = self._joined(rows)
                for row in joined[1:]:
                    self._advise_on_alternative(row)
                return any_of(all_of(self._row(row)) for row in joined) or tree
        return tree

    # -- a field and its value -------------------------------------------------------

    def _put_together(self, word: Word, apart: Problem) -> Tree:
        """``type: agent``, if there is such a field; a title such as "Operation: Paperclip" has none."""
        span = Span(apart.start, word.span.end)
        key, colon, _ = self._typed.typed(span).partition(":")
        field = self._fields.get(key.strip()) if colon else None
        if field is None:
            return word
        key_span = Span(apart.start, apart.start + len(key.rstrip()))
        term = Term(field.word, ":", word.value, span, key_span, word.span, not self._typed.word(word))
        bounds = bounds_of(self._typed.word(word))
        if all(place.kind == "number" for place in field.places) and not (bounds or self._typed.number(word)):
            return word
        self.cured.append(apart)
        if bounds:
            return self._term(term)
        self._read_as("space-after-colon", term, span)
        return term

    def _term(self, term: Term) -> Tree:
        """``craft:4+`` and ``craft:3-5`` as the comparisons that they are."""
        field = self._fields.get(term.key)
        bounds = bounds_of(term.value) if term.op in (":", "=") and not term.in_quotes else ()
        if not bounds and not term.in_quotes and term.value[-1:] in (",", ";") and term.value[:-1].isdecimal():
            bounds = ((term.op, term.value[:-1]),)
        if not bounds or field is None or any(place.kind != "number" for place in field.places):
            return term
        meant = all_of(replace(term, key=field.word, op=op, value=number) for op, number in bounds) or term
        self._read_as("read-as-comparison", meant, term.span)
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
                self._read_as("read-as-comparison", all_of(read) or read[0], span)
            elif links and self._is_term(parts[place + links]):
                self._leave_out(parts[place : place + links])
                read, taken = [self.read(parts[place + links])], 1
            elif place and self._is_noun(parts, place):
                self._leave_out(parts[place : place + 1])
                read, links, taken = [], 0, 1
            else:
                self._advise_on(parts, place)
                read, links, taken = [self.read(parts[place])], 0, 1
            is_question = is_question or links + taken > 1
            found += read
            place += links + taken
        found = self._without_opening(found, is_question)
        for part, after in pairwise(found):
            if self._typed.word(part) in EXCLUDING and self._typed.beside(part, after):
                self._advise_to_exclude(part, after)
        return found

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
            op, start = ":", value
            while value + 1 < len(parts) and self._typed.word(parts[value]) in ("not", *ARTICLES):
                op = "!=" if self._typed.word(parts[value]) == "not" else op
                value += 1
            field = self._sizes.field(parts[place : place + length])
            words = self._typed.words(parts[place:start])
            if field and words and all(kind.kind in VALUED for kind in field.places) and isinstance(parts[value], Word):
                span = Span(parts[place].span.start, parts[value].span.end)
                term = Term(field.word, ":", parts[value].value, span, span, parts[value].span, not self._typed.word(parts[value]))
                return [none_of(term, span.start) if op == "!=" else term], value + 1 - place
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
            self._leave_out(parts[:count])
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
        self._read_as("read-as-comparison", either, span)
        return [*before[:-1], either, *row[1:]]

    def _holds(self, parts: list[Tree], place: int, at: int) -> bool:
        """Whether a size begins at the place that takes in the part behind it."""
        size = self._sizes.at(parts, place)
        return size is not None and place + size.length > at

    # -- advice ----------------------------------------------------------------------

    def _advise_on(self, parts: Sequence[Tree], place: int) -> None:
        """A number beside its field, and a field to sort by, are only advised about."""
        size = self._bare
        if size and (not self.advice or self.advice[-1].end != parts[place + size.length - 1].span.end):
            self._advise_to_compare(size)
        word = self._typed.word(parts[place])
        if word in JOINING:
            message = f"“{word}” is looked for as a word. Parts side by side must all hold; “or” stands between alternatives."
            self._advise("word-joins", message, parts[place].span, "or" if "|" in word else "")
        by = int(word in SORTING and place + 1 < len(parts) and self._typed.word(parts[place + 1]) == "by")
        descending = word in HIGHEST
        if not (by or descending or word in LOWEST):
            return
        for length in (2, 1):
            behind = parts[place + 1 + by : place + 1 + by + length]
            if len(behind) == length and self._typed.beside(parts[place + by], behind[0]) and (field := self._sizes.field(behind)):
                span = Span(parts[place].span.start, behind[-1].span.end)
                message = f"“{self._typed.typed(span)}” is looked for as words. What is found is sorted by “order”."
                self._advise("words-of-order", message, span, f"order:{'-' if descending else ''}{field.word}")
                return

    def _advise_on_alternative(self, row: list[Tree]) -> None:
        """A number, or "more", that an "or" leaves alone: it finds cards of which nobody thought."""
        word = self._typed.word(row[0]) if len(row) == 1 else ""
        if word in BEHIND or (word and self._typed.number(row[0])):
            message = (
                f"Behind “or”, “{word}” alone is looked for as a word, anywhere. A size stands directly behind its field, as in craft>=4."
            )
            self._advise("lone-alternative", message, row[0].span)

    def _advise_to_compare(self, size: Size) -> None:
        span, number = size.terms[0].span, size.terms[0].value
        message = f"“{self._typed.typed(span)}” is looked for as words. A number is compared with an operator between the two."
        self._advise("field-and-number", message, span, f"{size.field.word}>={number}", f"{size.field.word}={number}")

    def _advise_to_exclude(self, part: Tree, after: Tree) -> None:
        if isinstance(after, Not | And | Or | AtLeast):
            return
        word, typed = self._typed.word(part), self._typed.typed(after.span)
        field = self._fields.get(self._typed.word(after)) if self._fields.get("has") else None
        if field and field.kind in ("number", "word", "words", "flag"):
            typed = f"{'is' if field.kind == 'flag' else 'has'}:{field.word}"
        without = f"-{normal(after) if isinstance(after, Term) and after.op not in typed else typed}"
        message = f"“{word}” is looked for as a word. A minus directly before something excludes it."
        self._advise("word-not", message, Span(part.span.start, after.span.end), without)

    def _read_as(self, code: str, meant: Tree, span: Span) -> None:
        written = f"({normal(meant)})" if isinstance(meant, Or) else normal(meant)
        message = f"“{self._typed.typed(span)}” is read as {normal(meant)}. {IN_QUOTES}"
        self._advise(code, message, span, written)

    def _leave_out(self, parts: Sequence[Tree]) -> None:
        span = Span(parts[0].span.start, parts[-1].span.end)
        message = f"“{self._typed.typed(span)}” asks nothing here and is left out. {IN_QUOTES}"
        self._advise("left-out", message, span, " ".join(quoted(self._typed.typed(part.span)) for part in parts))

    def _advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self.advice.append(Problem(code, message, *span, suggestions, advice=True))
