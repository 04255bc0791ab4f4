"""Why a card is among those found: the line of it that has what was asked for, its words marked; and groups
of the cards that one word finds, by what they do with it.

A group is read from the notation of effects alone: the verb of the clause that has the word. Where that does
not say, a card is among the others.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import chain

from cardsdb.games.kit import Card, Game, fold
from cardsdb.games.kit.print.deeds import deed_of
from cardsdb.search.query.matching import Entry
from cardsdb.search.query.tree import Term, Tree, Word, leaves

# Fields whose words are marked in the sentence that has most of them, and words that are.
TOLD, MAX_TOLD = ("does", "target", "when", "text"), 24
# Fewer cards are seen at once; fewer of one kind, and those of further groups, are among the others.
MIN_CARDS, MIN_ALIKE, MAX_GROUPS = 8, 3, 8
# The places of groups.
NAMED, OF_FACTS, OF_WORD, OF_VERBS, OTHERS = range(5)
# Verbs of the notation that people say otherwise.
SAID = {"allow": "allow more", "clear": "take it away", "make": "make others act", "set": "set what it is"}


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


def told_of(card: Card, asked: re.Pattern[str]) -> tuple[str, str, int]:
    """The sentence of a card that has most of what was asked for, of such the one that does something with
    it; the verb by which it does, empty without one; and the place that it has among groups.
    """
    lines, best = iter(card.text.split("\n")), (0, -OTHERS, "", "")
    for header, rest, number in card.paragraphs:
        sentence = f"{header} {rest}".lstrip()
        has = len({match.lastindex for match in asked.finditer(sentence)})
        verb = next(filter(None, [_verb_of(card, next(lines), asked) for _ in range(number)]), "")
        place = (OF_WORD if asked.fullmatch(verb) else OF_VERBS) if verb else OTHERS
        best = max(best, (has, -place, sentence, verb), key=lambda one: one[:2])
    return best[2], best[3], -best[1]


def _verb_of(card: Card, line: str, asked: re.Pattern[str]) -> str:
    """The verb of the clause of a line that has what was asked for, in itself or behind it; empty without
    one.
    """
    clauses = filter(asked.search, line.rpartition(": ")[2].split("; "))
    deeds = (deed_of(clause, card.words("does")) for clause in clauses)
    return next((deed.verb for deed in deeds if deed and asked.search(f"{deed.verb}{deed.after}")), "")


def groups_of(
    found: Collection[Entry], tree: Tree | None, games: Mapping[str, Game]
) -> dict[str, frozenset[str]]:
    """The title of each group of the cards that one word finds, with the keys of its cards: those that do the
    word itself first, then the largest; none where groups would not help.
    """
    words = {fold(leaf.value) for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)}
    asked = asked_of(tree)
    if not asked or len(words) != 1 or len(found) < MIN_CARDS:
        return {}
    keys, word = defaultdict[tuple[int, str], list[str]](list), words.pop()
    for entry in found:
        keys[_place_of(entry, word, asked, games[entry.card.game])].append(entry.key)
    ordered = sorted(keys, key=lambda place: (place[0], -len(keys[place]), place[1]))
    own = [one for one in ordered if one[0] < OTHERS and len(keys[one]) >= (MIN_ALIKE if one[0] else 1)]
    groups = {place[1]: frozenset(keys.pop(place)) for place in own[:MAX_GROUPS]}
    if keys:
        others = frozenset(chain(*keys.values()))
        have_it = all(word in entry.search_text for entry in found if entry.key in others)
        groups[f"Others that say “{word}”" if have_it else "Others"] = others
    return groups if len(groups) > 1 else {}


def _place_of(entry: Entry, word: str, asked: re.Pattern[str], game: Game) -> tuple[int, str]:
    """The place and the title of the group of a card; those of the others have none."""
    if f" {word}" in f" {entry.name}":
        return NAMED, f"Named “{word}”"
    for fact in game.facts:
        if word in entry.terms.get(fact.key, ()) and not fact.is_aside:
            return OF_FACTS, f"{fact.title}: {word.capitalize()}"
    _, verb, place = told_of(entry.card, asked)
    return place, f"They {SAID.get(verb, verb)}"
