"""Why a card was found: the sentence of its text with the searched words, and groups of cards by what they
do.

A search for one word shows its cards in groups; for "wound" these are: Named “wound”, They wound, They
prevent, They forbid, They give, They make others act, Others that say “wound”. ``Results.groups`` calls
``groups_of``; lists of cards (``cardsdb/web/lists/rows.py``) show ``told_of`` beside each card. The verb is
taken only from the notation of effects: it is that of the clause with the word. A card whose notation does
not tell is in the last group. Tests: ``tests/cardsdb/search/test_groups.py``.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import chain
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, fold
from cardsdb.games.kit.print.deeds import deed_of
from cardsdb.search.query.matching import Entry
from cardsdb.search.query.tree import Term, Tree, Word, leaves

# Fields whose values are searched words of a text.
TOLD = ("does", "target", "when", "text")
# Searched words that are marked in a text.
MAX_TOLD = 24
# Fewer cards are not grouped.
MIN_CARDS = 8
# A smaller group is merged into the last one,
MIN_ALIKE = 3
# and so are groups beyond this number.
MAX_GROUPS = 8
# Kinds of groups, in the order of the page. The word is ...
NAMED = 0  # in the name of the cards
OF_FACTS = 1  # a value of a fact
OF_WORD = 2  # the verb of a clause
OF_VERBS = 3  # in a clause of another verb
OTHERS = 4  # anywhere else
# Verb of the notation -> its words in "They ...", if it does not read well by itself.
SAID = {"allow": "allow more", "clear": "take it away", "make": "make others act", "set": "set what it is"}


def asked_of(tree: Tree | None) -> re.Pattern[str] | None:
    r"""Return a pattern for the words that a query looks for in texts, in any form ("wounds", "wounded"),
    with one capture group for each word; None if it looks for none. ``text:"stolen van"`` gives
    ``\b(stolen\w*)|\b(van\w*)``.
    """
    asked = (
        leaf.value
        for leaf in leaves(tree, excluded=False)
        if isinstance(leaf, Word) or (isinstance(leaf, Term) and leaf.key in TOLD)
    )
    # Without a last e, s or y a word also finds its other forms: "wounds" -> wound, "agency" -> agenc.
    stems = dict.fromkeys(word.rstrip("esy") or word for value in asked for word in value.casefold().split())
    # The longest stem first, so that a word is matched by the stem that fits it best.
    words = sorted((re.escape(stem) for stem in stems), key=len, reverse=True)[:MAX_TOLD]
    return re.compile("|".join(rf"\b({word}\w*)" for word in words), re.IGNORECASE) if words else None


class FoundSentence(NamedTuple):
    """A sentence of a card with searched words, the verb that the card does with them or "", and the kind of
    group that follows from the verb. Both texts are empty if the card has none of the words.
    """

    sentence: str = ""
    verb: str = ""
    kind: int = OTHERS


def told_of(card: Card, asked: re.Pattern[str]) -> FoundSentence:
    """Return the sentence with most of the searched words. Of sentences with equally many words, one with a
    verb is preferred.
    """
    lines, most, best = card.text.split("\n"), 0, FoundSentence()
    # A paragraph is a sentence for people. It says what the next ``count`` lines of the notation say.
    for header, rest, count in card.paragraphs:
        sentence = f"{header} {rest}".lstrip()
        its_lines, lines = lines[:count], lines[count:]
        verb = next(filter(None, (_verb_of(card, line, asked) for line in its_lines)), "")
        kind = (OF_WORD if asked.fullmatch(verb) else OF_VERBS) if verb else OTHERS
        # The capture group that matched says which word it is.
        matched = len({match.lastindex for match in asked.finditer(sentence)})
        if matched > most or (matched == most and kind < best.kind):
            most, best = matched, FoundSentence(sentence, verb, kind)
    return best


def _verb_of(card: Card, line: str, asked: re.Pattern[str]) -> str:
    """Return the verb of the first clause of a line that is, or is followed by, a searched word; empty if
    there is none. For "wound" and the line "React Transport 5 after enemy agent moves to HQ: wound that
    agent; expose it" that is "wound"; for "expose" it is "expose".
    """
    # A deed is a clause in parts: "wound that agent" has the verb "wound" and after it " that agent".
    # The text before a colon is the trigger of the effect; clauses are between semicolons.
    clauses = filter(asked.search, line.rpartition(": ")[2].split("; "))
    deeds = (deed_of(clause, card.words("does")) for clause in clauses)
    return next((deed.verb for deed in deeds if deed and asked.search(f"{deed.verb}{deed.after}")), "")


def groups_of(
    found: Collection[Entry], tree: Tree | None, games: Mapping[str, Game]
) -> dict[str, frozenset[str]]:
    """Return title of a group -> keys of its cards, for the cards that a query with one word finds. Groups
    come in the order of the kinds, larger ones first. Empty if grouping would not help: for several words,
    few cards, or a single group.
    """
    words = {fold(leaf.value) for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)}
    asked = asked_of(tree)
    if not asked or len(words) != 1 or len(found) < MIN_CARDS:
        return {}
    (word,) = words
    # (kind, title) of a group, such as (OF_WORD, "They wound") -> keys of its cards.
    keys = defaultdict[tuple[int, str], list[str]](list)
    for entry in found:
        keys[_group_of(entry, word, asked, games[entry.card.game])].append(entry.key)
    ordered = sorted(keys, key=lambda group: (group[0], -len(keys[group]), group[1]))
    # Even one card that is named so is a group.
    kept = [
        (kind, title)
        for kind, title in ordered
        if kind < OTHERS and (kind == NAMED or len(keys[kind, title]) >= MIN_ALIKE)
    ][:MAX_GROUPS]
    groups = {title: frozenset(keys[kind, title]) for kind, title in kept}
    others = frozenset(chain(*(keys[group] for group in ordered if group not in kept)))
    if others:
        have_it = all(word in entry.search_text for entry in found if entry.key in others)
        groups[f"Others that say “{word}”" if have_it else "Others"] = others
    return groups if len(groups) > 1 else {}


def _group_of(entry: Entry, word: str, asked: re.Pattern[str], game: Game) -> tuple[int, str]:
    """Return (kind, title) of the group of a card. Titles of the kind OTHERS are not used."""
    if f" {word}" in f" {entry.name}":
        return NAMED, f"Named “{word}”"
    for fact in game.facts:
        if word in entry.terms.get(fact.key, ()) and not fact.is_aside:
            return OF_FACTS, f"{fact.title}: {word.capitalize()}"
    told = told_of(entry.card, asked)
    return told.kind, f"They {SAID.get(told.verb, told.verb)}"
