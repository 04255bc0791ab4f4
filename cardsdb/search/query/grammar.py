"""Read a search query. Whatever is typed gives a tree and a list of problems, never an exception.

    kai "stolen van"          words and phrases: all of them must occur
    !Kai   !"the whole name"  the exact name
    craft>=4   type:agent     a field, one of : = != < <= > >=, a value; quotes around a value with spaces
    name:/^the .+n$/   /ss/   a regular expression, of the name if no field is named
    -type:agent   -(a or b)   not
    a b or c                  "or" is weaker than standing side by side; "and" may be written
    "say \\"when\\""            a backslash before a quote inside quotes, before a slash between slashes
    order:-craft,name         how to sort what is found; ``sort`` is the same, ``direction:desc`` turns the first

A part that makes no sense is dropped and reported with its columns in the typed text; the rest
works. Strict callers refuse a query that has ``faults``. Nothing here knows the fields of a
game: ``check`` does, and reads what people ask in plain English (``plain_english``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from cardsdb.search.query.scanner import Scanner, Token
from cardsdb.search.query.tree import (
    Problem,
    Query,
    SortKey,
    Span,
    Term,
    Tree,
    all_of,
    any_of,
    limited,
    none_of,
)

# A longer, deeper or wider query is cut and says so.
MAX_CHARACTERS = 1024
MAX_DEPTH = 20
# Fields to sort by.
MAX_ORDERS = 5
# The typed text, its tokens and its problems -> the tokens as they are meant; what is read is added to the problems.
Reader = Callable[[str, list[Token], list[Problem]], list[Token]]


def parse(text: str, nesting: Collection[str] = (), reader: Reader | None = None) -> Query:
    """Read a query of any text. Takes time in proportion to its length, up to ``MAX_CHARACTERS``.

    ``nesting``: the fields whose values may be queries of their own in square brackets; none among cards. ``reader``
    reads the tokens before a tree is made of them.
    """
    problems: list[Problem] = []
    typed = text
    if len(text) > MAX_CHARACTERS:
        message = f"A query has at most {MAX_CHARACTERS:,} characters; the rest is left out."
        cut = max(text.rfind(" ", 0, MAX_CHARACTERS + 1), 0) or MAX_CHARACTERS
        problems.append(Problem("too-long", message, cut, len(text), ("",)))
        text = text[:cut]
    scanner = Scanner(text, nesting)
    tokens = list(scanner.tokens())
    if reader:
        tokens = reader(text, tokens, scanner.problems)
    tree, shows = _assemble(tokens, scanner.problems)
    order = _order(shows, scanner.problems)
    return Query(tree, limited((*problems, *scanner.problems)), order, typed)


# -- the tree -------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """A pair of brackets being read, or the whole query: its alternatives, each a list of parts."""

    opening: Token | None = None
    alternatives: list[list[Tree | None]] = field(default_factory=lambda: [[]])
    waiting: Token | None = None

    def add(self, part: Tree | None) -> None:
        self.alternatives[-1].append(part)
        self.waiting = None

    def tree(self) -> Tree | None:
        tree = any_of(all_of(parts) for parts in self.alternatives)
        if tree and self.opening and self.opening.negated:
            return none_of(tree, self.opening.span.start)
        return tree


def _assemble(tokens: Iterable[Token], problems: list[Problem]) -> tuple[Tree | None, list[Term]]:
    """The tree of some tokens, and the terms that say how to show what is found. Open brackets stand on a list, not on Python's
    stack: a thousand of them are only a problem to report.
    """
    groups = [_Group()]
    shows: list[Term] = []
    skipped = 0

    def problem(code: str, message: str, span: Span, *suggestions: str) -> None:
        problems.append(Problem(code, message, *span, suggestions))

    def dangling(token: Token) -> None:
        problem(
            "dangling-operator",
            f"“{token.kind}” stands between two parts. To look for the word, put it in quotes.",
            token.span,
            "",
        )

    for token in tokens:
        if skipped:
            skipped += {"(": 1, ")": -1}.get(token.kind, 0)
            continue
        group = groups[-1]
        match token.kind:
            case "leaf":
                group.add(token.tree)
            case "show" if token.negated or group.opening:
                message = (
                    "How to sort is said outside of brackets, without a minus: it holds for all that is"
                    " found."
                )
                problem("misplaced-order", message, token.span, "")
                group.add(None)
            case "show" if isinstance(token.tree, Term):
                shows.append(token.tree)
            case "(" if len(groups) > MAX_DEPTH:
                problem(
                    "too-deep",
                    f"Brackets nest at most {MAX_DEPTH} deep; what is inside is left out.",
                    token.span,
                )
                group.add(None)
                skipped = 1
            case "(":
                groups.append(_Group(token))
            case ")":
                if group.opening is None:
                    problem("stray-bracket", "This bracket closes nothing.", token.span, "")
                    continue
                if group.waiting:
                    dangling(group.waiting)
                elif group.alternatives == [[]]:
                    problem(
                        "empty-group",
                        "Nothing stands between the brackets.",
                        Span(group.opening.span.start, token.span.end),
                        "",
                    )
                groups.pop()
                groups[-1].add(group.tree())
            case _ if group.waiting or not group.alternatives[-1]:
                dangling(token)
            case _:
                group.waiting = token
                if token.kind == "or":
                    group.alternatives.append([])
    while True:
        group = groups.pop()
        if group.waiting:
            dangling(group.waiting)
        if group.opening:
            problem(
                "unclosed-bracket",
                "This bracket is never closed; it is read up to the end.",
                group.opening.span,
                "",
            )
        if not groups:
            return group.tree(), shows
        groups[-1].add(group.tree())


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
        keys.setdefault(key, SortKey(key, bare != words, span))
    orders = tuple(keys.values())
    if not orders:
        problems.append(Problem("bad-value", f"No field stands behind “{term.key}”.", *term.span, ("",)))
    if len(orders) > MAX_ORDERS:
        message = f"Cards are sorted by at most {MAX_ORDERS} fields; the rest is left out."
        problems.append(
            Problem("too-many-orders", message, orders[MAX_ORDERS].span.start, orders[-1].span.end, ("",))
        )
    return orders[:MAX_ORDERS]
