"""Which cards a deck is likeliest to want next: what it lacks, the rarest places first, and what goes with its cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import AllShare, OneOfEach
from cardsdb.games.kit.model.report import Lack
from cardsdb.search.query.tree import SortKey, Term, Tree, all_of, any_of
from decks.core.judging import Judged

# Things lacking that are looked at, and words that the deck's cards share.
MAX_LACKS, MAX_WORDS = 6, 3


@dataclass(frozen=True, slots=True)
class Likely:
    """``first``: cards that meet the first of these come first, then those of the second; ``order``: how they stand among each other."""

    first: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()


def likely_for(judged: Judged) -> Likely:
    """What comes first for this deck. An empty one is shown whole types, ordered by what its cards will have to share."""
    alike = _alike(judged)
    lacks = [_tree(lack if judged.deck.entries else Lack(types=lack.types)) for lack in _lacks(judged)]
    together = [all_of((tree, alike)) for tree in lacks] if alike else []
    first = tuple(tree for tree in (*together, *lacks, alike) if tree is not None)
    return Likely(tuple(dict.fromkeys(first)), () if judged.deck.entries else tuple(_order(judged)))


def _lacks(judged: Judged) -> list[Lack]:
    """What is lacking, that first which fewest cards can be: a deck is built round its leaders."""
    found = [lack for violation in judged.report.violations for lack in violation.lacks if lack.types and not lack.less]
    return sorted(found, key=lambda lack: (len(lack.types), -len(lack.facts), lack.count))[:MAX_LACKS]


def _tree(lack: Lack) -> Tree | None:
    plain = {key: value for key, value in lack.facts.items() if isinstance(value, str | int) and not isinstance(value, bool)}
    facts = [Term(key, "=", str(value)) for key, value in plain.items()]
    return all_of((any_of(Term("type", "=", slug) for slug in lack.types), *facts))


def _alike(judged: Judged) -> Tree | None:
    """Words that most of the deck's cards share, of those that have such a word at all: agents have a faction, gear has none.

    Where the format says what cards must share, that alone is looked at.
    """
    lines = [entry.card for entry in judged.deck if not entry.card.written]
    usual: list[tuple[int, Term]] = []
    must = {rule.fact for rule in judged.format.rules if isinstance(rule, AllShare)}
    for fact in judged.game.facts:
        if fact.key not in must if must else fact.kind != "word":
            continue
        having = [words for card in lines if (words := card.words(fact.key))]
        if not having or 4 * len(having) < len(lines):
            continue
        (word, count), *_ = Counter(word for words in having for word in words).most_common(1)
        if 2 * count >= len(having):
            usual.append((count, Term(fact.key, "=", word, in_quotes=True)))
    usual.sort(key=lambda pair: -pair[0])
    return any_of(term for _, term in usual[:MAX_WORDS])


def _order(judged: Judged) -> Iterator[SortKey]:
    """By what all must share, then by what each must have another of."""
    for kind in (AllShare, OneOfEach):
        yield from dict.fromkeys(SortKey(rule.fact) for rule in judged.format.rules if isinstance(rule, kind))
