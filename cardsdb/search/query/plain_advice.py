"""What a reader of plain English is told: how something was read, and what may have been meant by what was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from cardsdb.search.query.as_typed import AsTyped
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.normal_form import normal, quoted
from cardsdb.search.query.sizes import BEHIND, Size, Sizes
from cardsdb.search.query.tree import And, AtLeast, Not, Or, Problem, Span, Term, Tree, Word, any_of, none_of

EXCLUDING = ("not", "without", "except", "excluding")
HIGHEST, LOWEST = ("highest", "most", "best", "top", "strongest"), ("lowest", "least", "fewest", "cheapest", "smallest")
SORTING = ("sort", "sorted", "order", "ordered")
# What joins conditions elsewhere.
JOINING = ("|", "||", "&", "&&", "+")
# Kinds of fields that "is" may stand behind: "faction is krypt".
VALUED = ("word", "words", "exact", "name")
IN_QUOTES = "To look for it as words, put it in quotes."


class Advisor:
    """Collects the advice about one query, in ``given``. Changes nothing of what is asked."""

    def __init__(self, typed: AsTyped, fields: Fields, sizes: Sizes) -> None:
        self._typed = typed
        self._fields = fields
        self._sizes = sizes
        self.given: list[Problem] = []
        # The column behind what was read -> where it stands, and as what it was read.
        self._read: dict[int, tuple[Span, Tree]] = {}

    def on_words(self, parts: Sequence[Tree], place: int, size: Size | None) -> None:
        """A number beside its field (``size``, if one begins here), a sign that joins nothing, a field to sort by."""
        if size and (not self.given or self.given[-1].end != parts[place + size.length - 1].span.end):
            self._to_compare(size)
        word = self._typed.word(parts[place])
        if word in JOINING:
            message = f"“{word}” is looked for as a word. Parts side by side must all hold; “or” stands between alternatives."
            self.give("word-joins", message, parts[place].span, "or" if "|" in word else "")
        by = int(word in SORTING and place + 1 < len(parts) and self._typed.word(parts[place + 1]) == "by")
        descending = word in HIGHEST
        if not (by or descending or word in LOWEST):
            return
        for length in (2, 1):
            behind = parts[place + 1 + by : place + 1 + by + length]
            if len(behind) == length and self._typed.beside(parts[place + by], behind[0]) and (field := self._sizes.field(behind)):
                span = Span(parts[place].span.start, behind[-1].span.end)
                message = f"“{self._typed.typed(span)}” is looked for as words. What is found is sorted by “order”."
                self.give("words-of-order", message, span, f"order:{'-' if descending else ''}{field.word}")
                return

    def on_alternative(self, row: list[Tree]) -> None:
        """A number, or "more", that an "or" leaves alone: it finds cards of which nobody thought."""
        word = self._typed.word(row[0]) if len(row) == 1 else ""
        if word in BEHIND or (word and self._typed.number(row[0])):
            message = (
                f"Behind “or”, “{word}” alone is looked for as a word, anywhere. A size stands directly behind its field, as in craft>=4."
            )
            self.give("lone-alternative", message, row[0].span)

    def on_values(self, rows: list[list[Tree]]) -> None:
        """A second value, as in "faction is krypt or dragons", that an "or" leaves alone as a word."""
        for place, row in enumerate(rows[:-1]):
            if row[-1].span.end not in self._read:
                continue
            span, meant = self._read[row[-1].span.end]
            term = meant.part if isinstance(meant, Not) else meant
            field = self._fields.get(term.key) if isinstance(term, Term) and term.op == ":" else None
            words = [part for (part,) in takewhile(self._is_lone_word, rows[place + 1 :]) if isinstance(part, Word)]
            if not (words and field and isinstance(term, Term)) or any(kind.kind not in VALUED for kind in field.places):
                continue
            either = any_of([term, *(replace(term, value=word.value) for word in words)]) or term
            written = normal(none_of(either)) if isinstance(meant, Not) else f"({normal(either)})"
            typed = self._typed.typed(Span(words[0].span.start, words[-1].span.end))
            message = f"Behind “or”, “{typed}” without its field is looked for as a word, anywhere. Each value stands behind its field."
            self.give("lone-alternative", message, Span(span.start, words[-1].span.end), written)

    def _is_lone_word(self, row: list[Tree]) -> bool:
        word = self._typed.word(row[0])
        return len(row) == 1 and isinstance(row[0], Word) and word not in BEHIND and not self._typed.number(row[0])

    def _to_compare(self, size: Size) -> None:
        span, number = size.terms[0].span, size.terms[0].value
        message = f"“{self._typed.typed(span)}” is looked for as words. A number is compared with an operator between the two."
        self.give("field-and-number", message, span, f"{size.field.word}>={number}", f"{size.field.word}={number}")

    def to_exclude(self, part: Tree, after: Tree) -> None:
        """A "not" before something, which a minus would exclude."""
        if self._typed.word(part) not in EXCLUDING or not self._typed.beside(part, after) or isinstance(after, Not | And | Or | AtLeast):
            return
        word, typed = self._typed.word(part), self._typed.typed(after.span)
        field = self._fields.get(self._typed.word(after)) if self._fields.get("has") else None
        if field and field.kind in ("number", "word", "words", "flag"):
            typed = f"{'is' if field.kind == 'flag' else 'has'}:{field.word}"
        without = f"-{normal(after) if isinstance(after, Term) and after.op not in typed else typed}"
        message = f"“{word}” is looked for as a word. A minus directly before something excludes it."
        self.give("word-not", message, Span(part.span.start, after.span.end), without)

    def read_as(self, code: str, meant: Tree, span: Span) -> None:
        """What stands there was read, and as what."""
        # A minus before it would exclude the first condition alone.
        is_one = isinstance(meant, Or) or (isinstance(meant, And) and self._typed.minuses(span.start) > 0)
        written = f"({normal(meant)})" if is_one else normal(meant)
        self._read[span.end] = (span, meant)
        message = f"“{self._typed.typed(span)}” is read as {normal(meant)}. {IN_QUOTES}"
        self.give(code, message, span, written)

    def left_out(self, parts: Sequence[Tree]) -> None:
        """The words asked nothing and are not looked for."""
        span = Span(parts[0].span.start, parts[-1].span.end)
        message = f"“{self._typed.typed(span)}” asks nothing here and is left out. {IN_QUOTES}"
        self.give("left-out", message, span, " ".join(quoted(self._typed.typed(part.span)) for part in parts))

    def give(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self.given.append(Problem(code, message, *span, suggestions, advice=True))
