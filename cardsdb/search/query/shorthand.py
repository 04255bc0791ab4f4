"""Read what people type in a query who do not quite know the language: ``craft 4 or more``, ``craft:4+``, ``type: x``,
a star behind a word, "not".

Only what can hardly mean anything else is read, with advice that says how. Words in quotes are words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardsdb.search.query.english import WORDS, Bounds, amount_at, parts_of_size
from cardsdb.search.query.fields import Table
from cardsdb.search.query.grammar import MINUSES, Token
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import (
    CONNECTIVES,
    And,
    Not,
    Or,
    Problem,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    none_of,
    normal,
)

# A field's name may be of several words, as in "victory points"; a size is of no more tokens.
MAX_NAME, MAX_SIZE = 3, 6
IN_QUOTES = "To look for it as words, put it in quotes."
_NUMBER = re.compile(r"[0-9]{1,18}")


def is_number(field: Field) -> bool:
    """Say if the field is a number wherever it is anything."""
    return all(place.kind == "number" for place in field.places)


class Shorthand:
    """Reads the tokens of one query. What is read is added to its ``problems`` as advice; what this cures is
    taken out of them.
    """

    def __init__(self, text: str, tokens: Sequence[Token], fields: Table, problems: list[Problem]) -> None:
        self._text, self._tokens, self._fields, self._problems = text, tokens, fields, problems
        self._words = [self._plain(token) for token in tokens]

    def read(self) -> list[Token]:
        """The tokens, with sizes in words and what is put together as terms."""
        read: list[Token] = []
        place = 0
        while place < len(self._tokens):
            token = self._tokens[place]
            meant, taken = self._size(place) if token.kind == "leaf" else (None, 0)
            if not meant and token.kind == "leaf":
                meant, taken = self._put_together(place)
            if meant:
                read.append(Token("leaf", self._span(place, taken), tree=meant))
            else:
                taken = 1
                read.append(replace(token, tree=self._part(token.tree)) if token.tree else token)
                if token.kind == "leaf":
                    self._advise_on(place)
            place += taken
        return read

    def _typed(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _span(self, place: int, length: int) -> Span:
        return Span(self._tokens[place].span.start, self._tokens[place + length - 1].span.end)

    def _plain(self, token: Token) -> str:
        """The token in small letters if it is a word without quotes or a connective, else nothing."""
        if token.kind in CONNECTIVES:
            return token.kind
        is_plain = isinstance(token.tree, Word) and self._typed(token.span) == token.tree.value
        return token.tree.value.casefold() if is_plain and isinstance(token.tree, Word) else ""

    def _are_beside(self, place: int, length: int) -> bool:
        """Say if only spaces stand between so many tokens from a place on."""
        return place + length <= len(self._tokens) and all(
            self._text[self._tokens[at].span.end : self._tokens[at + 1].span.start].isspace()
            for at in range(place, place + length - 1)
        )

    # -- sizes in words ----------------------------------------------------------------

    def _fields_at(self, place: int) -> Iterator[tuple[Field, int]]:
        """The number fields whose names stand here, the longest first, and of how many words."""
        for length in range(MAX_NAME, 0, -1):
            words = self._words[place : place + length]
            field = self._fields.get(" ".join(words)) if len(words) == length and all(words) else None
            if field and is_number(field):
                yield field, length

    def _amount(self, place: int) -> tuple[Bounds, int]:
        """The bounds of a size in words that begins here, and of how many tokens it is; none of a bare number."""
        for length in range(min(MAX_SIZE, len(self._words) - place), 0, -1):
            words = self._words[place : place + length]
            parts = [part for word in words for part in parts_of_size(word)]
            if all(words) and len(parts) > 1:
                bounds, taken = amount_at(parts, 0)
                if taken == len(parts):
                    return bounds, length
        return (), 0

    def _size(self, place: int) -> tuple[Tree | None, int]:
        """``craft 4 or more``, ``over 4 craft``, as a condition, and of how many tokens it is."""
        for field, length in self._fields_at(place):
            bounds, taken = self._amount(place + length)
            if taken and self._are_beside(place, length + taken):
                return self._sized(field, bounds, place, length + taken)
        bounds, taken = self._amount(place)
        for field, length in self._fields_at(place + taken) if taken else ():
            if self._are_beside(place, taken + length):
                return self._sized(field, bounds, place, taken + length)
        return None, 0

    def _sized(self, field: Field, bounds: Bounds, place: int, length: int) -> tuple[Tree | None, int]:
        span = self._span(place, length)
        terms = (
            Term(field.word, op, number, span=span, key_span=span, value_span=span) for op, number in bounds
        )
        if meant := all_of(terms):
            self._tell_reading("read-as-comparison", meant, span)
        return meant, length

    # -- parts of the language, written a little otherwise ---------------------------------

    def _put_together(self, place: int) -> tuple[Tree | None, int]:
        """``type: agent``, if there is such a field; a title such as "Operation: Paperclip" has none."""
        token, value = self._tokens[place], self._tokens[place + 1 : place + 2]
        key, colon, rest = self._typed(token.span).lstrip(MINUSES).partition(":")
        field = self._fields.get(key) if colon and not rest and self._are_beside(place, 2) else None
        word = value[0].tree if value else None
        if token.tree or field is None or not isinstance(word, Word):
            return None, 0
        is_sized = bool(_bounds_of(word.value) or _NUMBER.fullmatch(word.value))
        if is_number(field) and not is_sized:
            return None, 0
        begin = token.span.end - len(key) - 1
        span, key_span = Span(begin, word.span.end), Span(begin, begin + len(key))
        term = Term(field.word, ":", word.value, span=span, in_quotes=not self._words[place + 1])
        term = replace(term, key_span=key_span, value_span=word.span)
        self._problems[:] = [
            one
            for one in self._problems
            if one.code != "empty-value" or not begin <= one.start < word.span.start
        ]
        is_excluded = (begin - token.span.start) % 2 == 1
        if _bounds_of(word.value):
            read = self._term(term)
            return (none_of(read, token.span.start) if is_excluded else read), 2
        meant = none_of(term, token.span.start) if is_excluded else term
        self._tell_reading("space-after-colon", meant, self._span(place, 2))
        return meant, 2

    def _part(self, part: Tree) -> Tree:
        """A part by itself: a word without its star, a term as a comparison."""
        match part:
            case Word(value) if value.endswith("*") and (plain := value.rstrip("*")) and self._is_plain(part):
                message = f"The star is left out: “{plain}” finds parts of words anyway."
                self._advise("star", message, part.span, plain)
                return Word(plain, span=part.span)
            case Term():
                return self._term(part)
            case Not(inner):
                if (
                    self._is_plain(inner)
                    and isinstance(inner, Word)
                    and inner.value.casefold() in CONNECTIVES
                ):
                    word = inner.value.casefold()
                    message = f"The minus excludes the word “{word}” itself, which joins nothing then."
                    self._advise("minus-joins", message, part.span, word)
                return none_of(self._part(inner), part.span.start)
        return part

    def _is_plain(self, part: Tree) -> bool:
        return isinstance(part, Word) and self._typed(part.span) == part.value

    def _term(self, term: Term) -> Tree:
        """``craft:4+`` and ``craft:3-5`` as the comparisons that they are; a number without the comma behind
        it.
        """
        field, value = self._fields.get(term.key), term.value
        if term.in_quotes or field is None or not is_number(field):
            return term
        bounds = _bounds_of(value) if term.op in (":", "=") else ()
        if value[-1:] in (",", ";") and value.isascii() and value[:-1].isdecimal():
            bounds = ((term.op, value[:-1]),)
        meant = all_of(replace(term, key=field.word, op=op, value=number) for op, number in bounds)
        if meant:
            self._tell_reading("read-as-comparison", meant, term.span)
        return meant or term

    # -- advice -------------------------------------------------------------------------

    def _advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self._problems.append(Problem(code, message, *span, suggestions, advice=True))

    def _tell_reading(self, code: str, meant: Tree, span: Span) -> None:
        """Tell that a part was read, and as what."""
        # A minus before it would exclude the first condition alone.
        behind_minus = self._text[: span.start] != self._text[: span.start].rstrip(MINUSES)
        is_one = isinstance(meant, Or) or (isinstance(meant, And) and behind_minus)
        message = f"“{self._typed(span)}” is read as {normal(meant)}. {IN_QUOTES}"
        self._advise(code, message, span, f"({normal(meant)})" if is_one else normal(meant))

    def _advise_on(self, place: int) -> None:
        """Tell that a sign joins nothing, and that a minus, not a "not", excludes what follows."""
        word, behind = self._words[place], self._tokens[place + 1 : place + 2]
        if word in WORDS["sign"] and len(self._tokens) > 1:
            message = (
                f"“{word}” is looked for as a word. Parts side by side must all hold; “or” stands"
                " between alternatives."
            )
            self._advise("word-joins", message, self._tokens[place].span, "or" if "|" in word else "")
        elif word in WORDS["excluding"] and self._are_beside(place, 2) and behind[0].kind == "leaf":
            if (after := behind[0].tree) and not isinstance(after, Not):
                message = f"“{word}” is looked for as a word. A minus directly before something excludes it."
                without = f"-{self._typed(after.span)}"
                self._advise("word-not", message, self._span(place, 2), without)


def _bounds_of(value: str) -> Bounds:
    """Return what ``4+`` and ``3-5`` say; nothing if it is neither."""
    parts = list(parts_of_size(value))
    bounds, taken = amount_at(parts, 0) if len(parts) > 1 else ((), 0)
    return bounds if taken == len(parts) else ()
