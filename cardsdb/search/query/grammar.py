"""Read a search query. Whatever is typed gives a tree and a list of problems, never an exception.

    kai "stolen van"          words and phrases: all of them must occur
    !Kai   !"the whole name"  the exact name
    craft>=4   type:agent     a field, one of : = != < <= > >=, a value; quotes around a value with spaces
    name:/^the .+n$/   /ss/   a regular expression, of the name if no field is named
    -type:agent   -(a or b)   not
    a b or c                  "or" is weaker than standing side by side; "and" may be written
    "say \\"when\\""            a backslash before a quote inside quotes, before a slash between slashes
    order:-craft,name         how to sort what is found; ``sort`` is the same; ``direction:desc`` turns it

A part that makes no sense is dropped and reported with its columns in the typed text; the rest
works. Strict callers refuse a query that has ``faults``. Nothing here knows the fields of a
game: ``check`` does.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from cardsdb.search.query.tree import (
    BARE,
    CONNECTIVES,
    KEY,
    OPERATOR,
    Exact,
    Problem,
    Query,
    Regex,
    SortKey,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    limited,
    none_of,
    quoted,
    slashed,
)

# The rest of a query with more terms is left out.
MAX_TERMS = 40

# What stands before an operator and yet asks nothing: it says how to show what is found.
DISPLAY = ("order", "sort", "direction")

# -- characters -----------------------------------------------------------------

_TYPED = {"≥": ">=", "≤": "<=", "≠": "!=", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-"}
MINUSES = "-" + "".join(character for character, plain in _TYPED.items() if plain == "-")
_TYPED |= dict.fromkeys("“”„‟«»″＂", '"') | dict.fromkeys("‘’‚‛′", "'")


@lru_cache(maxsize=2048)
def _plain(character: str) -> str | None:
    """The character as the scanner reads it: "" if invisible, None if no text has it."""
    if character in _TYPED:
        return _TYPED[character]
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return None if category == "Cs" or (category == "Cc" and not character.isspace()) else character


def _plain_text(text: str, problems: list[Problem]) -> tuple[str, Sequence[int]]:
    """The text as the scanner reads it, and for each place in it the column of the typed text."""
    if text.isascii() and text.isprintable():
        return text, range(len(text) + 1)
    pieces: list[str] = []
    columns: list[int] = []
    for column, character in enumerate(text):
        piece = _plain(character)
        if piece is None:
            problems.append(
                Problem(
                    "bad-character",
                    f"The character U+{ord(character):04X} is no text.",
                    column,
                    column + 1,
                    (" ",),
                )
            )
            piece = " "
        pieces.append(piece)
        columns += [column] * len(piece)
    return "".join(pieces), [*columns, len(text)]


# -- tokens ---------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """A piece of the query. A "leaf" without a tree is a part that was dropped; "show" has a term that asks
    nothing.
    """

    kind: Literal["(", ")", "or", "and", "leaf", "show"]
    span: Span
    negated: bool = False
    tree: Tree | None = None


_SPACE = re.compile(r"\s*")
_DASHES = re.compile(r"-*")
# The spaces before a word or a phrase; none before any other part.
_BEFORE_VALUE = re.compile(
    rf"(?:\s+(?![-!/:=<>()]|(?:or|and)(?![^\s()\"])|{KEY.pattern}|\Z))?", re.IGNORECASE
)
_OPERATOR = re.compile(rf":|{OPERATOR}")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.?)*)("?)', re.DOTALL)
_GUARDED = re.compile(r'\\([\\"])')
# A slash inside closes nothing unless the expression could end there.
_SLASHED = re.compile(r'/((?:\\.|[^\\])*?)/(?=[\s()"]|\Z)', re.DOTALL)
_GUARDED_SLASH = re.compile(r"\\(.)", re.DOTALL)
# A query inside another: brackets in it nest, quotes hide them, a backslash guards one. Behind it may stand a
# comparison.
_INNER = re.compile(r'"(?:[^"\\]|\\.?)*"?|\\.?|[\[\]]', re.DOTALL)
_BEHIND_INNER = re.compile(rf"(?:\s*(?:{OPERATOR})\s*)?[^\s()\"\]]*")
_LONE_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*(\\)\Z")
SPELLINGS = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}


class Scanner:
    """Cuts the text into tokens. Places are those of the plain text until ``span`` makes columns of them.

    The values of the fields in ``nesting`` may be queries of their own in square brackets: ``deck:[t:gear
    craft>2]>=5``. Behind the colon of a ``known`` field a space may stand; a title such as "Operation:
    Paperclip" begins with none.
    """

    def __init__(self, typed: str, nesting: Collection[str] = (), known: Collection[str] = ()) -> None:
        self.problems: list[Problem] = []
        self._nesting, self._known = nesting, known
        self.text, self.columns = _plain_text(typed, self.problems)

    def span(self, start: int, end: int) -> Span:
        return Span(self.columns[start], self.columns[end])

    def problem(self, code: str, message: str, start: int, end: int, *suggestions: str) -> None:
        self.problems.append(Problem(code, message, *self.span(start, end), suggestions))

    def tokens(self) -> Iterator[Token]:
        text, place, leaves = self.text, 0, 0
        while (start := _after(_SPACE, text, place)) < len(text):
            place = _after(_DASHES, text, start)
            negated = (place - start) % 2 == 1
            if place > start and (place == len(text) or text[place].isspace() or text[place] == ")"):
                self.problem(
                    "stray-minus", "A minus stands directly before what it excludes.", start, place, ""
                )
                continue
            if text[place] in "()":
                place += 1
                yield Token("(" if text[place - 1] == "(" else ")", self.span(start, place), negated)
                continue
            word = BARE.match(text, place)
            if word and place == start and (lower := word[0].casefold()) in CONNECTIVES:
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
        """The term that starts here, None if it makes no sense; and the place after it."""
        text = self.text
        if operator := _OPERATOR.match(text, start):
            _, end = self.value(operator.end())
            message = f"No field stands before “{operator[0]}”. To look for it as text, put it in quotes."
            self.problem("missing-field", message, start, end, quoted(text[start:end]))
            return None, end
        if key := KEY.match(text, start):
            return self.term(start, key)
        if text[start] == "/" and text[start + 1 : start + 2].strip():
            return self.regex("name", start, start)
        exact = text[start] == "!"
        value, end = self.value(start + exact)
        if not value:
            self.problem(
                "empty-value",
                "No name follows the “!”." if exact else "Nothing stands between the quotes.",
                start,
                end,
                "",
            )
            return None, end
        return (Exact if exact else Word)(value, span=self.span(start, end)), end

    def term(self, start: int, key: re.Match[str]) -> tuple[Tree | None, int]:
        """The field and its value, None if they make no sense; and the place after them."""
        text, word, op = self.text, key[1].lower(), key[2] or SPELLINGS.get(key[3], key[3])
        key_span, begin = self.span(start, key.end(1)), key.end()
        if text[begin : begin + 1] == "/":
            if op in (":", "="):
                return self.regex(word, start, begin, key_span)
            _, end = self.pattern(begin)
            message = (
                "A regular expression stands behind a colon; a minus before the field excludes what it finds."
            )
            self.problem("wrong-operator", message, key.end(1), begin, ":")
            return None, end
        if op == ":" and word.replace("-", "_") in self._known:
            begin = _after(_BEFORE_VALUE, text, begin)
        # A card's name may be marked as one.
        begin += word == "similar" and text[begin : begin + 1] == "!"
        value, end = (
            self.nested(begin)
            if word in self._nesting and text[begin : begin + 1] == "["
            else self.value(begin)
        )
        if not value:
            return None, self.without_value(start, begin, end)
        spans = {"span": self.span(start, end), "key_span": key_span, "value_span": self.span(begin, end)}
        return Term(word, op, value, in_quotes=text[begin] == '"', **spans), end

    def regex(
        self, key: str, start: int, begin: int, key_span: Span | None = None
    ) -> tuple[Tree | None, int]:
        """The regular expression that begins here, None if nothing is in it; and the place after it."""
        closed = _SLASHED.match(self.text, begin)
        pattern, end = self.pattern(begin)
        if not pattern:
            self.problem("empty-value", "Nothing stands between the slashes.", start, end, "")
            return None, end
        if not closed:
            message = (
                "This regular expression is never closed by a slash; it is read up to the end. To look for it"
                " as text, put it in quotes."
            )
            self.problem(
                "unclosed-regex", message, begin, end, slashed(pattern), quoted(self.text[begin:end])
            )
        span = self.span(start, end)
        return Regex(
            key, pattern, span=span, key_span=key_span or span, value_span=self.span(begin, end)
        ), end

    def pattern(self, begin: int) -> tuple[str, int]:
        """Return what stands between slashes, or from a slash to the end; and the place after it."""
        closed = _SLASHED.match(self.text, begin)
        inside = closed[1] if closed else _LONE_BACKSLASH.sub("", self.text[begin + 1 :].rstrip())
        pattern = _GUARDED_SLASH.sub(lambda guarded: "/" if guarded[1] == "/" else guarded[0], inside)
        return pattern, closed.end() if closed else begin + len(self.text[begin:].rstrip())

    def without_value(self, start: int, after_key: int, end: int) -> int:
        """Report a field with nothing, or only a space, after its operator; the place after it."""
        bare = end == after_key
        if bare:
            end = start + len(self.text[start:after_key].rstrip())
        written = self.text[start:end]
        message = (
            f"Nothing follows “{written}”. The value stands directly after it; to look for it as text, put it"
            " in quotes."
        )
        following = _after(_SPACE, self.text, end)
        if bare and following > end and self.text[following : following + 1] not in ("", "(", ")"):
            self.problem("empty-value", message, start, following, written, f"{quoted(written)} ")
        else:
            self.problem("empty-value", message, start, end, quoted(written))
        return end

    def nested(self, start: int) -> tuple[str, int]:
        """The query in square brackets that starts here, with the comparison behind it; and the place after
        them.
        """
        depth = 0
        for mark in _INNER.finditer(self.text, start):
            depth += {"[": 1, "]": -1}.get(mark[0], 0)
            if depth == 0 and mark[0] == "]":
                end = _after(_BEHIND_INNER, self.text, mark.end())
                return self.text[start:end], end
        end = len(self.text.rstrip())
        closed = f"{self.text[start:end]}]"
        self.problem(
            "unclosed-bracket",
            "This square bracket is never closed; it is read up to the end.",
            start,
            end,
            closed,
        )
        return closed, end

    def value(self, start: int) -> tuple[str, int]:
        """The bare or quoted value that starts here, "" if there is none; and the place after it."""
        match = _QUOTED.match(self.text, start)
        if not match:
            bare = BARE.match(self.text, start)
            return (bare[0], bare.end()) if bare else ("", start)
        value = " ".join(_GUARDED.sub(r"\1", match[1]).split())
        if value and not match[2]:
            self.problem(
                "unclosed-quote",
                "This quote is never closed; it is read up to the end.",
                start,
                match.end(),
                quoted(value),
            )
        return value, match.end()


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    """The place after a pattern that may be empty."""
    match = pattern.match(text, place)
    return match.end() if match else place


# A longer, deeper or wider query is cut and says so.
MAX_CHARACTERS = 1024
MAX_DEPTH = 20
# Fields to sort by.
MAX_ORDERS = 5


def parse(text: str, nesting: Collection[str] = (), known: Collection[str] = ()) -> Query:
    """Read a query of any text. Takes time in proportion to its length, up to ``MAX_CHARACTERS``.

    ``nesting``: the fields whose values may be queries of their own in square brackets; none among cards.
    ``known``: the fields behind whose colon a space may stand.
    """
    problems: list[Problem] = []
    typed = text
    if len(text) > MAX_CHARACTERS:
        message = f"A query has at most {MAX_CHARACTERS:,} characters; the rest is left out."
        cut = max(text.rfind(" ", 0, MAX_CHARACTERS + 1), 0) or MAX_CHARACTERS
        problems.append(Problem("too-long", message, cut, len(text), ("",)))
        text = text[:cut]
    scanner = Scanner(text, nesting, known)
    assembler = _Assembler(list(scanner.tokens()), scanner.problems)
    tree = assembler.group()
    order = _order(assembler.shows, scanner.problems)
    return Query(tree, limited((*problems, *scanner.problems)), order, typed)


# -- the tree -------------------------------------------------------------------


class _Assembler:
    """Makes a tree of tokens. ``shows`` are the terms that say how to show what is found."""

    def __init__(self, tokens: Iterable[Token], problems: list[Problem]) -> None:
        self._tokens, self._problems = iter(tokens), problems
        self.shows: list[Term] = []

    def _problem(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self._problems.append(Problem(code, message, *span, suggestions))

    def group(self, opening: Token | None = None, depth: int = 0) -> Tree | None:
        """The tree of what stands up to the bracket that closes this one, or up to the end."""
        alternatives: list[list[Tree | None]] = [[]]
        waiting: Token | None = None
        for token in self._tokens:
            if token.kind in CONNECTIVES:
                if waiting or not alternatives[-1]:
                    self._dangling(token)
                    continue
                waiting = token
                if token.kind == "or":
                    alternatives.append([])
            elif isinstance(token.tree, Term) and token.kind == "show" and not (token.negated or opening):
                self.shows.append(token.tree)
            elif token.kind != ")":
                alternatives[-1].append(self._part(token, opening, depth))
                waiting = None
            elif opening:
                if alternatives == [[]]:
                    span = Span(opening.span.start, token.span.end)
                    self._problem("empty-group", "Nothing stands between the brackets.", span, "")
                break
            else:
                self._problem("stray-bracket", "This bracket closes nothing.", token.span, "")
        else:
            if opening:
                message = "This bracket is never closed; it is read up to the end."
                self._problem("unclosed-bracket", message, opening.span, "")
        if waiting:
            self._dangling(waiting)
        tree = any_of(all_of(parts) for parts in alternatives)
        return none_of(tree, opening.span.start) if tree and opening and opening.negated else tree

    def _part(self, token: Token, opening: Token | None, depth: int) -> Tree | None:
        if token.kind == "(" and depth < MAX_DEPTH:
            return self.group(token, depth + 1)
        if token.kind == "(":
            message = f"Brackets nest at most {MAX_DEPTH} deep; what is inside is left out."
            self._problem("too-deep", message, token.span)
            within = 1
            while within and (inside := next(self._tokens, None)):
                within += {"(": 1, ")": -1}.get(inside.kind, 0)
        elif token.kind == "show":
            message = (
                "How to sort is said outside of brackets, without a minus: it holds for all that is found."
            )
            self._problem("misplaced-order", message, token.span, "")
        return token.tree if token.kind == "leaf" else None

    def _dangling(self, token: Token) -> None:
        message = f"“{token.kind}” stands between two parts. To look for the word, put it in quotes."
        self._problem("dangling-operator", message, token.span, "")


# -- the order ------------------------------------------------------------------


_DIRECTIONS = {"asc": False, "ascending": False, "up": False, "desc": True, "descending": True, "down": True}


def _order(shows: Iterable[Term], problems: list[Problem]) -> tuple[SortKey, ...]:
    """Return what to sort by. The last order and the last direction count; a direction is that of the first
    field, or of the name alone.
    """
    last: dict[str, Term] = {}
    directions: list[bool] = []
    orders: tuple[SortKey, ...] = ()
    for term in shows:
        word = "direction" if term.key == "direction" else "order"
        if term.op not in (":", "="):
            between = Span(term.key_span.end, term.value_span.start)
            problems.append(
                Problem("wrong-operator", f"“{term.key}” takes : or =, not {term.op}.", *between, (":",))
            )
            continue
        if word == "direction" and term.value.casefold() not in _DIRECTIONS:
            message = f"A direction is asc or desc, not “{term.value}”."
            problems.append(Problem("bad-value", message, *term.value_span, ("asc", "desc")))
            continue
        if word in last:
            problems.append(
                Problem("overruled", f"Only the last “{word}” counts.", *last[word].span, ("",), advice=True)
            )
        last[word] = term
        if word == "direction":
            directions = [_DIRECTIONS[term.value.casefold()]]
        else:
            orders = _orders(term, problems)
    for descending in directions:
        first = orders[0] if orders else SortKey("name", span=last["direction"].span)
        orders = (replace(first, descending=descending), *orders[1:])
    return orders


def _orders(term: Term, problems: list[Problem]) -> tuple[SortKey, ...]:
    """The fields between commas, each once; a minus before one puts its highest value first."""
    keys: dict[str, SortKey] = {}
    # Behind quotes and invisible characters the columns of a part are not known.
    start = term.value_span.start if len(term.value) == term.value_span.end - term.value_span.start else None
    for part in re.finditer("[^,]+", term.value):
        words = part[0].strip()
        if not words:
            continue
        bare = words.removeprefix("-").lstrip() or words
        end = part.start() + len(part[0].rstrip())
        span = Span(start + end - len(bare), start + end) if start is not None else term.value_span
        key = bare.casefold().replace("-", "_").replace(" ", "_")
        keys.setdefault(key, SortKey(key, bare != words, span=span))
    orders = tuple(keys.values())
    if not orders:
        problems.append(Problem("bad-value", f"No field stands behind “{term.key}”.", *term.span, ("",)))
    if len(orders) > MAX_ORDERS:
        message = f"Cards are sorted by at most {MAX_ORDERS} fields; the rest is left out."
        problems.append(
            Problem("too-many-orders", message, orders[MAX_ORDERS].span.start, orders[-1].span.end, ("",))
        )
    return orders[:MAX_ORDERS]
