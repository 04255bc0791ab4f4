"""The first step of reading plain words: split a query into items.

An item is a plain word (a folded ``str``) or a condition of the search language (a checked ``Tree``), so that
people can mix both: ``agents craft>=4 that heal`` has the items "agents", Term("craft", ">=", "4"), "that",
"heal". ``ask.answer_of`` passes the items to ``candidates``, which cuts them into pieces (``patterns``).
Tests: ``tests/cardsdb/search/plain/test_items.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from cardsdb.games.kit import fold
from cardsdb.search.plain.forms import phrase_of
from cardsdb.search.query.check import check
from cardsdb.search.query.english import SHORT, amount_at, number_of, parts_of_size
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.scanner import Scanner, Token
from cardsdb.search.query.tree import Not, Regex, Tree, Word, none_of

# Words of the longest phrase in ``SHORT``.
MAX_SHORT = 4
# The fewest words of an amount with an "or" in it, such as "4 or more".
OF_AMOUNT = 3
# Commas and bars between words.
_WORD_OR = re.compile(r"[,|]+")
Item = str | Tree


def items_of(text: str, fields: Fields) -> list[Item]:
    """Return the items of a query: words folded and without punctuation, conditions checked, "or", "and" and
    "," as words. Phrases of ``SHORT`` are replaced: "w/o gear" -> "without", "gear".
    """
    tokens, items, place = list(Scanner(text).tokens()), list[Item](), 0
    while place < len(tokens):
        token, end = tokens[place], place + 1
        typed = text[token.span.start : token.span.end]
        if token.kind in ("or", "and"):
            items.append(token.kind)
        elif token.kind == "leaf" and _is_plain(token, typed):
            items += _words_in(typed)
        elif token.kind == "leaf" or not _is_needless(tokens, place):
            end = _end_of(tokens, place)
            tree = check(text[token.span.start : tokens[end - 1].span.end], fields).tree
            if tree and items and items[-1] == "not":
                # The word "not" before a typed condition means a minus.
                items[-1] = tree.part if isinstance(tree, Not) else none_of(tree)
            elif tree:
                items.append(tree)
        place = end
    return _lengthened(items, range(MAX_SHORT, 1, -1))


def _end_of(tokens: Sequence[Token], place: int) -> int:
    """Return the place behind a condition; for a bracket behind the one that closes it."""
    token, depth = tokens[place], 0
    if token.kind == "leaf" and token.tree is None and place + 1 < len(tokens):
        # A faulty term, such as a field with a space behind its operator, takes the next term with it.
        return place + 2 if tokens[place + 1].kind == "leaf" else place + 1
    for at in range(place, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at].kind, 0)
        if depth <= 0:
            return at + 1
    return len(tokens)


def sides_of(items: Sequence[Item]) -> list[Sequence[Item]]:
    """Return the alternatives between the words "or". The "or" of an amount, such as "4 or more", is none."""
    words = [item if isinstance(item, str) else "" for item in items]
    sides, begin = list[Sequence[Item]](), 0
    for at in (at for at, word in enumerate(words) if word == "or"):
        # How many words has the amount that begins before the "or"? "4 or more" has 3.
        _, taken = amount_at(words, at - 1) if at else ((), 0)
        if taken < OF_AMOUNT:
            sides.append(items[begin:at])
            begin = at + 1
    return [*sides, items[begin:]]


def _lengthened(items: Sequence[Item], lengths: Iterable[int]) -> list[Item]:
    """Return the items with each phrase of ``SHORT`` of one of these lengths replaced by its plain words:
    "w", "o" -> "without".
    """
    whole: list[Item] = []
    place = 0
    while place < len(items):
        for length in lengths:
            phrase = " ".join(map(str, items[place : place + length]))
            if phrase in SHORT:
                whole += SHORT[phrase].split()
                place += length
                break
        else:
            whole.append(items[place])
            place += 1
    return whole


def _is_plain(token: Token, typed: str) -> bool:
    """True if a token is a word without quotes, or an amount such as ``>=4`` without a field."""
    return (isinstance(token.tree, Word) and typed == token.tree.value) or len(parts_of_size(typed)) > 1


def _is_needless(tokens: Sequence[Token], place: int) -> bool:
    """True if a bracket can be ignored: it surrounds plain words only, or closes such a one."""
    if tokens[place].kind == ")":
        return True
    end = next((at for at in range(place, len(tokens)) if tokens[at].kind == ")"), len(tokens))
    inside = tokens[place + 1 : end]
    return not tokens[place].negated and all(
        token.kind == "leaf" and isinstance(token.tree, Word) for token in inside
    )


def _words_in(typed: str) -> Iterator[Item]:
    """Yield the items of one text without spaces: ``3-5`` -> "3", "to", "5"; ``x-files`` -> "x", "files";
    ``kai|chen`` -> "kai", ",", "chen"; ``k*i`` -> a regular expression for the name.
    """
    typed = typed.strip("?!;:.")
    if len(size := parts_of_size(typed)) > 1 or number_of(typed):
        yield from size
    elif "*" in typed.strip("*") and len(letters := typed.split("*")) == 2:
        yield Regex("name", r"\b" + r"\w*".join(map(re.escape, map(fold, letters))) + r"\b")
    else:
        for place, part in enumerate(_WORD_OR.split(typed)):
            if place:
                yield "or" if part else ","
            yield from phrase_of(part.strip("*")).split()
