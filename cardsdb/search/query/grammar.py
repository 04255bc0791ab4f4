"""The parser of the search language: text in, tree and problems out; it never raises an exception.

    kai "stolen van"          words and phrases: all of them must occur
    !Kai   !"the whole name"  the exact name
    craft>=4   type:agent     a field, one of : = != < <= > >=, a value; quotes around a value with spaces
    name:/^the .+n$/   /ss/   a regular expression, of the name if no field is named
    -type:agent   -(a or b)   not
    a b or c                  (a and b) or c: "or" is weaker than standing side by side; "and" may be written
    "say \\"when\\""            a backslash before a quote inside quotes, before a slash between slashes
    order:-craft,name         how to sort what is found; ``sort`` is the same; ``direction:desc`` turns it

A faulty part is dropped and reported with its columns in the typed text; the rest of the query works. Strict
callers refuse a query that has ``faults``. This module knows no fields of games: ``check`` does, which calls
``parse``. Nodes are defined in ``tree.py``. Tests: ``tests/cardsdb/search/query/test_grammar.py``; faults and
their columns are rows of ``faults.csv``, run by ``test_check.py`` beside it.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from cardsdb.search.query.scanner import Scanner, Token
from cardsdb.search.query.tree import (
    CONNECTIVES,
    Problems,
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

# What is beyond these limits of a query is dropped and reported.
MAX_CHARACTERS = 1024
# Brackets inside brackets.
MAX_DEPTH = 20
# Fields to sort by.
MAX_ORDERS = 5
# Value of ``direction:`` -> whether it is descending.
_DIRECTIONS = {"asc": False, "ascending": False, "up": False, "desc": True, "descending": True, "down": True}


def parse(text: str, nesting: Collection[str] = (), known: Collection[str] = ()) -> Query:
    """Read any text as a query, in time proportional to its length.

    ``nesting``: the fields whose values may be queries in square brackets; searches of cards have none.
    ``known``: the fields whose colon may be followed by a space.
    """
    cut = len(text)
    if cut > MAX_CHARACTERS:
        cut = max(text.rfind(" ", 0, MAX_CHARACTERS + 1), 0) or MAX_CHARACTERS
    scanner = Scanner(text[:cut], nesting, known)
    if cut < len(text):
        message = f"A query has at most {MAX_CHARACTERS:,} characters; the rest is left out."
        scanner.problems.add("too-long", message, Span(cut, len(text)), "")
    assembler = _Assembler(list(scanner.tokens()), scanner.problems)
    # ``order`` reads what ``group`` has put aside.
    tree = assembler.group()
    order = assembler.order()
    return Query(tree, limited(scanner.problems), order, text)


# -- the tree -------------------------------------------------------------------


class _Assembler:
    """Builds the tree from the tokens. Call ``group`` first: it collects in ``shows`` the terms that say how
    to sort, which ``order`` then reads. All methods take tokens from one iterator, ``_tokens``: a token that
    one has read is gone for the others.
    """

    def __init__(self, tokens: Iterable[Token], problems: Problems) -> None:
        self._tokens, self._problem = iter(tokens), problems.add
        self.shows: list[Term] = []

    def group(self, opening: Token | None = None, depth: int = 0) -> Tree | None:
        """Return the tree of the tokens up to the bracket that closes ``opening``, or up to the end."""
        # The parts between each "or": [[a, b], [c]] for ``a b or c``. A part is None if it was faulty.
        alternatives: list[list[Tree | None]] = [[]]
        # An "and" or "or" that has no part behind it yet.
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
                    self._problem("empty-group", "These brackets are empty.", span, "")
                break
            else:
                self._problem("stray-bracket", "No bracket is open that this one closes.", token.span, "")
        else:
            if opening:
                message = "This bracket is never closed; it is read up to the end."
                self._problem("unclosed-bracket", message, opening.span, "")
        if waiting:
            self._dangling(waiting)
        tree = any_of(all_of(parts) for parts in alternatives)
        return none_of(tree, opening.span.start) if tree and opening and opening.negated else tree

    def _part(self, token: Token, opening: Token | None, depth: int) -> Tree | None:
        """Return the tree of a term or of a group in brackets; None if it is dropped."""
        if token.kind == "(" and depth < MAX_DEPTH:
            return self.group(token, depth + 1)
        if token.kind == "(":
            message = f"Brackets nest at most {MAX_DEPTH} deep; what is inside is left out."
            self._problem("too-deep", message, token.span)
            # Skip the tokens up to the bracket that closes this one.
            within = 1
            while within and (inside := next(self._tokens, None)):
                within += {"(": 1, ")": -1}.get(inside.kind, 0)
        elif token.kind == "show":
            message = "Sorting applies to all results: put it outside of brackets and without a minus."
            self._problem("misplaced-order", message, token.span, "")
        return token.tree if token.kind == "leaf" else None

    def _dangling(self, token: Token) -> None:
        """Report an "and" or "or" without a part on one side."""
        message = f"“{token.kind}” needs a part on both sides. To look for the word, put it in quotes."
        self._problem("dangling-operator", message, token.span, "")

    # -- the order ---------------------------------------------------------------

    def order(self) -> tuple[SortKey, ...]:
        """Return the sort keys. Only the last ``order`` and the last ``direction`` count. A direction applies
        to the first sort key, or to the name if there is none: ``order:craft,name direction:desc`` means
        ``order:-craft,name``.
        """
        # "order" or "direction" -> the term of that kind that counts so far.
        last: dict[str, Term] = {}
        descending: bool | None = None
        orders: tuple[SortKey, ...] = ()
        for term in self.shows:
            word = "direction" if term.key == "direction" else "order"
            if term.op not in (":", "="):
                between = Span(term.key_span.end, term.value_span.start)
                self._problem("wrong-operator", f"“{term.key}” takes : or =, not {term.op}.", between, ":")
                continue
            if word == "direction" and term.value.casefold() not in _DIRECTIONS:
                message = f"A direction is asc or desc, not “{term.value}”."
                self._problem("bad-value", message, term.value_span, "asc", "desc")
                continue
            if word in last:
                self._problem(
                    "overruled", f"Only the last “{word}” counts.", last[word].span, "", advice=True
                )
            last[word] = term
            if word == "direction":
                descending = _DIRECTIONS[term.value.casefold()]
            else:
                orders = self._orders(term)
        if descending is None:
            return orders
        first = orders[0] if orders else SortKey("name", span=last["direction"].span)
        return (replace(first, descending=descending), *orders[1:])

    def _orders(self, term: Term) -> tuple[SortKey, ...]:
        """Read ``-craft,name``: fields between commas, each once; a minus means descending."""
        keys: dict[str, SortKey] = {}
        start, end_of_value = term.value_span
        # If quotes or invisible characters were dropped from the value, columns of its parts are unknown:
        # then each part has the span of the whole value.
        has_columns = len(term.value) == end_of_value - start
        for part in re.finditer("[^,]+", term.value):
            words = part[0].strip()
            if not words:
                continue
            name = words.removeprefix("-").lstrip() or words
            end = start + part.start() + len(part[0].rstrip())
            span = Span(end - len(name), end) if has_columns else term.value_span
            key = name.casefold().replace("-", "_").replace(" ", "_")
            keys.setdefault(key, SortKey(key, descending=name != words, span=span))
        orders = tuple(keys.values())
        if not orders:
            self._problem("bad-value", f"No field stands behind “{term.key}”.", term.span, "")
        if len(orders) > MAX_ORDERS:
            message = f"Cards are sorted by at most {MAX_ORDERS} fields; the rest is left out."
            beyond = Span(orders[MAX_ORDERS].span.start, orders[-1].span.end)
            self._problem("too-many-orders", message, beyond, "")
        return orders[:MAX_ORDERS]
