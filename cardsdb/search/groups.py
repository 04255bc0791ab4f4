"""Why a card is among those found: the line of it that has what was asked for, its words marked; and groups of the
cards that one word finds, by what they do with it.

A group is read from the notation of effects alone: the verb of the clause that has the word. Where that does not
say, a card is among the others.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, fold
from cardsdb.games.kit.print.deeds import deed_of
from cardsdb.search.query.matching import Entry
from cardsdb.search.query.tree import Term, Tree, Word, leaves

# Fields whose words are marked in the sentence that has most of them, and words that are.
TOLD, MAX_TOLD = ("does", "target", "when", "text"), 24
# Fewer cards are seen at once; fewer of one kind, and those of further verbs, are among the others.
MIN_CARDS, MIN_ALIKE, MAX_VERBS = 8, 3, 6
# Where no more than so many in a hundred say by what verb, verbs tell nothing apart.
TELLING = 50
# The places of groups; verbs stand between the word itself and the others.
NAMED, OF_FACTS, OF_WORD, OF_VERBS, OTHERS = range(5)
# Verbs of the notation that people say otherwise.
SAID = {
    "allow": "allow more",
    "clear": "take it away",
    "count": "count as something else",
    "examine": "look at cards",
    "find": "search for cards",
    "give": "give or change something",
    "make": "make others act",
    "set": "set what it is",
}


class Group(NamedTuple):
    """Cards that do the same with a word, by their keys."""

    title: str
    keys: frozenset[str]


def asked_of(tree: Tree | None) -> re.Pattern[str] | None:
    """The words that a query asks texts for, in any form, each as a group; None if it asks for none."""
    asked = (
        leaf.value
        for leaf in leaves(tree, excluded=False)
        if isinstance(leaf, Word) or (isinstance(leaf, Term) and leaf.key in TOLD)
    )
    stems = dict.fromkeys(word.rstrip("esy") or word for value in asked for word in value.casefold().split())
    # The longest first, so that a longer word is not marked as a shorter one.
    words = sorted((re.escape(stem) for stem in stems), key=len, reverse=True)[:MAX_TOLD]
    return re.compile("|".join(rf"\b({word}\w*)" for word in words), re.IGNORECASE) if words else None


def told_of(card: Card, asked: re.Pattern[str]) -> tuple[str, str]:
    """The sentence of a card that has most of what was asked for, of such the one that does something with it, and
    the verb by which it does; both empty where nothing has any of it.
    """
    lines, best = iter(card.text.split("\n")), (0, 0, "", "")
    for header, rest, number in card.paragraphs:
        sentence = f"{header} {rest}".lstrip()
        has = len({match.lastindex for match in asked.finditer(sentence)})
        verb = next(filter(None, (_verb_of(card, next(lines), asked) for _ in range(number))), "")
        worth = 2 * bool(verb and asked.fullmatch(verb)) + bool(verb)
        best = max(best, (has, worth, sentence, verb), key=lambda one: one[:2])
    return best[2:]


def _verb_of(card: Card, line: str, asked: re.Pattern[str]) -> str:
    """The verb of the clause of a line that has what was asked for, in itself or behind it; empty without one."""
    for clause in line.rpartition(": ")[2].split("; "):
        if asked.search(clause) and (deed := deed_of(clause, card.words("does"))):
            if asked.search(f"{deed.verb}{deed.after}"):
                return deed.verb
    return ""


def word_of(tree: Tree | None) -> str:
    """The one word that a query asks texts for, folded; empty if it asks for none or for more."""
    words = {
        fold(leaf.value)
        for leaf in leaves(tree, excluded=False)
        if isinstance(leaf, Word) or (isinstance(leaf, Term) and leaf.key == "text")
    }
    return words.pop() if len(words) == 1 else ""


def groups_of(found: Iterable[Entry], tree: Tree | None, games: Mapping[str, Game]) -> tuple[Group, ...]:
    """The groups of the cards that one word finds, those that do the word itself first, then the largest; none
    where they would not help.
    """
    asked, word = asked_of(tree), word_of(tree)
    if not asked or not word:
        return ()
    others = OTHERS, f"Others that say “{word}”"
    placed = {entry.key: _place_of(entry, word, asked, games) or others for entry in found}
    counts = Counter(placed.values())
    ordered = sorted(counts, key=lambda place: (place[0], -counts[place], place[1]))
    verbs = [place for place in ordered if OF_WORD <= place[0] < OTHERS]
    told = verbs[:MAX_VERBS] if 100 * counts[others] <= TELLING * len(placed) else []
    own = [
        place
        for place in ordered
        if place[0] == NAMED
        or (counts[place] >= MIN_ALIKE and (place in told or place[0] == OF_FACTS))
    ]
    if len(placed) < MIN_CARDS or not own or counts[own[0]] == len(placed):
        return ()
    keys: dict[tuple[int, str], set[str]] = {place: set() for place in (*own, others)}
    for key, place in placed.items():
        keys[place if place in own else others].add(key)
    return tuple(Group(place[1], frozenset(of)) for place, of in keys.items() if of)


def _place_of(
    entry: Entry, word: str, asked: re.Pattern[str], games: Mapping[str, Game]
) -> tuple[int, str] | None:
    """The place and the title of the group of a card; None if it is among the others."""
    card = entry.card
    if re.search(rf"\b{re.escape(word)}", entry.name):
        return NAMED, f"Named “{word}”"
    for fact in games[card.game].facts:
        values = () if fact.is_aside or fact.kind not in ("word", "words") else card.words(fact.key)
        if value := next((value for value in values if fold(value) == word), ""):
            return OF_FACTS, f"{fact.title}: {value}"
    verb = told_of(card, asked)[1]
    is_word = bool(verb and asked.fullmatch(verb))
    return (OF_WORD if is_word else OF_VERBS, f"They {SAID.get(verb, verb)}") if verb else None
