"""The first step of reading a query: cut its text into tokens (brackets, "and"/"or", and terms).

    craft≥4 or -(kai)   ->   leaf craft>=4 | or | ( negated | leaf kai | )

``grammar.parse`` makes a tree of the tokens; ``plain/items.py`` uses them too. Bad input adds a problem; it
never raises. A position in the scanned text is not a column of the typed text, because "≥" was replaced by
">=": spans that leave this module go through ``Scanner.span``. The nodes, ``Problems`` and the patterns of a
key and an operator are defined in ``tree.py``. Tests: ``tests/cardsdb/search/query/test_grammar.py``, for
expressions and their slashes ``test_standard.py``, and for square brackets
``tests/decks/public/test_query.py``.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from cardsdb.search.query.tree import (
    BARE,
    CONNECTIVES,
    KEY,
    OPERATOR,
    Exact,
    Problems,
    Regex,
    Span,
    Term,
    Tree,
    Word,
    none_of,
    quoted,
    slashed,
)

# Terms that are read; the rest of the query is dropped.
MAX_TERMS = 40

# Keys that are no fields: they say how to sort the results.
DISPLAY = ("order", "sort", "direction")

# -- characters -----------------------------------------------------------------

# Typographic character -> what it is read as.
_TYPED = {"≥": ">=", "≤": "<=", "≠": "!=", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-"}
MINUSES = "-" + "".join(character for character, plain in _TYPED.items() if plain == "-")
_TYPED |= dict.fromkeys("“”„‟«»″＂", '"') | dict.fromkeys("‘’‚‛′", "'")


@lru_cache(maxsize=2048)
def _plain(character: str) -> str | None:
    """Return the character as the scanner reads it: "" if invisible, None if it is not text."""
    if character in _TYPED:
        return _TYPED[character]
    category = unicodedata.category(character)
    # Cf: invisible, such as a zero-width space. Cs: halves of surrogate pairs. Cc: control characters.
    if category == "Cf":
        return ""
    return None if category == "Cs" or (category == "Cc" and not character.isspace()) else character


def _plain_text(text: str, problems: Problems) -> tuple[str, Sequence[int]]:
    """Return the text as the scanner reads it, and for each position in it the column of the typed text:
    ``x≥4`` -> ("x>=4", [0, 1, 1, 2, 3]). The last column is that of the end.
    """
    if text.isascii() and text.isprintable():
        return text, range(len(text) + 1)
    pieces: list[str] = []
    columns: list[int] = []
    for column, character in enumerate(text):
        piece = _plain(character)
        if piece is None:
            message = f"The character U+{ord(character):04X} cannot stand in a query."
            problems.add("bad-character", message, Span(column, column + 1), " ")
            piece = " "
        pieces.append(piece)
        columns += [column] * len(piece)
    return "".join(pieces), [*columns, len(text)]


# -- tokens ---------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """A token of the query. A "leaf" is a term, word or expression with its minus in the tree; it has no tree
    if it was faulty and dropped. A "show" has a term with a key of ``DISPLAY``. ``negated``: a minus stands
    before a bracket or a "show".
    """

    kind: Literal["(", ")", "or", "and", "leaf", "show"]
    span: Span
    negated: bool = False
    tree: Tree | None = None


_SPACE = re.compile(r"\s*")
_DASHES = re.compile(r"-*")
# A bracket, "or" or "and" as a whole word, another field with its operator, or the end: no value even if the
# space before it is removed.
_NEXT_PART = rf'[()]|(?:or|and)(?![^\s()"])|{KEY.pattern}|\Z'
# The spaces between a colon and the plain word or phrase that is its value, as in ``type: agent``. A sign
# begins another part, as in ``type: -kai``.
_BEFORE_VALUE = re.compile(rf"\s++(?!{_NEXT_PART}|[-!/:=<>])", re.IGNORECASE)
# The spaces that a suggestion may remove: ``type: -kai`` -> ``type:-kai``.
_REMOVABLE = re.compile(rf"\s++(?!{_NEXT_PART})", re.IGNORECASE)
_OPERATOR = re.compile(rf":|{OPERATOR}")
# A quoted value: group 1 is what is inside, group 2 the closing quote, empty if there is none.
_QUOTED = re.compile(r'"((?:[^"\\]|\\.?)*)("?)', re.DOTALL)
# An escaped backslash or quote.
_GUARDED = re.compile(r'\\([\\"])')
# A regular expression, inside in group 1. A slash closes it only where a term could end, so "/a/b/" is one.
_SLASHED = re.compile(r'/((?:\\.|[^\\])*?)/(?=[\s()"]|\Z)', re.DOTALL)
# An escaped character of an expression, the character in group 1. Only of a slash the backslash is dropped.
_GUARDED_SLASH = re.compile(r"\\(.)", re.DOTALL)
# The parts of a nested query that matter for finding its end: quoted text and escaped characters, which are
# skipped, and square brackets, which nest.
_INNER = re.compile(r'"(?:[^"\\]|\\.?)*"?|\\.?|[\[\]]', re.DOTALL)
# A comparison may follow a nested query, as in ``deck:[t:gear]>=5``.
_BEHIND_INNER = re.compile(rf"(?:\s*(?:{OPERATOR})\s*)?[^\s()\"\]]*")
# A backslash at the end that escapes nothing: the last of an odd number of them; group 1 are the others.
_LONE_BACKSLASH = re.compile(r"(?<!\\)((?:\\\\)*)\\\Z")
# Other spelling of an operator -> the operator.
SPELLINGS = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}


class Scanner:
    """Cuts a text into tokens. Methods take and return positions in the plain text; ``span`` turns these into
    columns of the typed text. ``leaf``, ``term``, ``regex``, ``pattern``, ``nested`` and ``value`` each read
    one part, and return it with the position after it: ``value`` of ``craft>=4 kai`` at 7 is ("4", 8).

    Values of fields in ``nesting`` may be queries in square brackets: ``deck:[t:gear craft>2]>=5``. A space
    may follow the colon of a ``known`` field, but not of other words, as in the title "Operation: Paperclip".
    """

    def __init__(self, typed: str, nesting: Collection[str] = (), known: Collection[str] = ()) -> None:
        self.problems = Problems()
        self._nesting, self._known = nesting, known
        self.text, self.columns = _plain_text(typed, self.problems)

    def span(self, start: int, end: int) -> Span:
        """Return the columns of the typed text for two positions."""
        return Span(self.columns[start], self.columns[end])

    def problem(self, code: str, message: str, start: int, end: int, *suggestions: str) -> None:
        self.problems.add(code, message, self.span(start, end), *suggestions)

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens of the whole text, up to ``MAX_TERMS`` terms."""
        text, place, leaves = self.text, 0, 0
        while (start := _after(_SPACE, text, place)) < len(text):
            place = _after(_DASHES, text, start)
            minuses = place - start
            # Two minuses cancel each other.
            negated = minuses % 2 == 1
            if minuses and (place == len(text) or text[place].isspace() or text[place] == ")"):
                self.problem(
                    "stray-minus", "Type a minus directly before what it excludes.", start, place, ""
                )
                continue
            if text[place] in "()":
                bracket: Literal["(", ")"] = "(" if text[place] == "(" else ")"
                place += 1
                yield Token(bracket, self.span(start, place), negated)
                continue
            word = BARE.match(text, place)
            if word and not minuses and (lower := word[0].casefold()) in CONNECTIVES:
                place = word.end()
                yield Token("or" if lower == "or" else "and", self.span(start, place))
                continue
            leaves += 1
            if leaves > MAX_TERMS:
                message = f"A query has at most {MAX_TERMS} terms; the rest is left out."
                self.problem("too-many-terms", message, start, len(text), "")
                return
            tree, place = self.leaf(place)
            span = self.span(start, place)
            if isinstance(tree, Term) and tree.key in DISPLAY:
                yield Token("show", span, negated, tree)
            else:
                yield Token("leaf", span, tree=none_of(tree, span.start) if tree and negated else tree)

    def leaf(self, start: int) -> tuple[Tree | None, int]:
        """Return the node that starts here, None if it is faulty, and the position after it."""
        text = self.text
        if operator := _OPERATOR.match(text, start):
            _, end = self.value(operator.end())
            message = f"“{operator[0]}” needs a field before it. To look for it as text, put it in quotes."
            self.problem("missing-field", message, start, end, quoted(text[start:end]))
            return None, end
        if key := KEY.match(text, start):
            return self.term(start, key)
        if text[start] == "/" and text[start + 1 : start + 2].strip():
            return self.regex("name", start, start)
        exact = text[start] == "!"
        value, end = self.value(start + exact)
        if not value:
            message = "Type a name after the “!”." if exact else "These quotes are empty."
            self.problem("empty-value", message, start, end, "")
            return None, end
        return (Exact if exact else Word)(value, span=self.span(start, end)), end

    def term(self, start: int, key: re.Match[str]) -> tuple[Tree | None, int]:
        """Return the term whose field was matched as ``key`` (see ``KEY``), None if it is faulty, and the
        position after it.
        """
        text, word, op = self.text, key[1].lower(), key[2] or SPELLINGS.get(key[3], key[3])
        # ``begin``: the position of the value.
        key_span, begin = self.span(start, key.end(1)), key.end()
        if text[begin : begin + 1] == "/":
            if op in (":", "="):
                return self.regex(word, start, begin, key_span)
            _, end = self.pattern(begin)
            message = (
                "Type a colon before a regular expression. A minus before the field excludes its matches."
            )
            self.problem("wrong-operator", message, key.end(1), begin, ":")
            return None, end
        is_known = word.replace("-", "_") in self._known
        if op == ":" and is_known:
            begin = _after(_BEFORE_VALUE, text, begin)
        if word == "similar" and text[begin : begin + 1] == "!":
            # ``similar:!name`` is the same as ``similar:name``.
            begin += 1
        is_nested = word in self._nesting and text[begin : begin + 1] == "["
        value, end = self.nested(begin) if is_nested else self.value(begin)
        if not value:
            return None, self.without_value(start, begin, end, is_known)
        spans = {"span": self.span(start, end), "key_span": key_span, "value_span": self.span(begin, end)}
        return Term(word, op, value, in_quotes=text[begin] == '"', **spans), end

    def regex(
        self, key: str, start: int, begin: int, key_span: Span | None = None
    ) -> tuple[Tree | None, int]:
        """Return the regular expression whose slash is at ``begin``, None if it is empty, and the position
        after it. ``start`` is where its field begins; without a field both are the same.
        """
        pattern, end = self.pattern(begin)
        if not pattern:
            self.problem("empty-value", "This regular expression is empty.", start, end, "")
            return None, end
        if not _SLASHED.match(self.text, begin):
            message = (
                "This regular expression is never closed by a slash; it is read up to the end. To look for it"
                " as text, put it in quotes."
            )
            self.problem(
                "unclosed-regex", message, begin, end, slashed(pattern), quoted(self.text[begin:end])
            )
        span, value_span = self.span(start, end), self.span(begin, end)
        return Regex(key, pattern, span=span, key_span=key_span or span, value_span=value_span), end

    def pattern(self, begin: int) -> tuple[str, int]:
        r"""Return the pattern between slashes, or from a slash to the end, and the position after it. A slash
        in it loses its backslash: ``/a\/b\d/`` has the pattern ``a/b\d``.
        """
        if closed := _SLASHED.match(self.text, begin):
            inside, end = closed[1], closed.end()
        else:
            rest = self.text[begin:].rstrip()
            inside, end = _LONE_BACKSLASH.sub(r"\1", rest[1:]), begin + len(rest)
        return _GUARDED_SLASH.sub(lambda guarded: "/" if guarded[1] == "/" else guarded[0], inside), end

    def without_value(self, start: int, after_key: int, end: int, is_known: bool) -> int:
        """Report a field without a value. Return the position after it.

        ``after_key``: the position after its operator; ``end``: the position after empty quotes, if they
        stand there, else the same. For ``type: -kai`` it suggests ``type:-kai`` and ``"type:" -kai``; for
        "Operation: Paperclip", which begins with no field, the text in quotes first.
        """
        has_nothing = end == after_key
        if has_nothing:
            end = start + len(self.text[start:after_key].rstrip())
        written = self.text[start:end]
        message = f"“{written}” needs a value directly after it. To look for it as text, put it in quotes."
        following = _after(_REMOVABLE, self.text, end)
        if has_nothing and following > end:
            ways = written, f"{quoted(written)} "
            self.problem("empty-value", message, start, following, *(ways if is_known else ways[::-1]))
        else:
            self.problem("empty-value", message, start, end, quoted(written))
        return end

    def nested(self, start: int) -> tuple[str, int]:
        """Return the query in square brackets that starts here, with any comparison behind it, and the
        position after both: ``[t:gear craft>2]>=5``.
        """
        depth = 0
        for mark in _INNER.finditer(self.text, start):
            depth += {"[": 1, "]": -1}.get(mark[0], 0)
            if depth == 0 and mark[0] == "]":
                end = _after(_BEHIND_INNER, self.text, mark.end())
                return self.text[start:end], end
        end = len(self.text.rstrip())
        closed = f"{self.text[start:end]}]"
        message = "This square bracket is never closed; it is read up to the end."
        self.problem("unclosed-bracket", message, start, end, closed)
        return closed, end

    def value(self, start: int) -> tuple[str, int]:
        """Return the bare or quoted value that starts here ("" without one), and the position after it."""
        match = _QUOTED.match(self.text, start)
        if not match:
            bare = BARE.match(self.text, start)
            return (bare[0], bare.end()) if bare else ("", start)
        value = " ".join(_GUARDED.sub(r"\1", match[1]).split())
        if value and not match[2]:
            message = "This quote is never closed; it is read up to the end."
            self.problem("unclosed-quote", message, start, match.end(), quoted(value))
        return value, match.end()


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Return the position after an optional match of the pattern."""
    match = pattern.match(text, place)
    return match.end() if match else place
