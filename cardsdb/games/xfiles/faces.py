"""Words, numbers and shapes on the faces of The X-Files that are read out of a card: who pays for it, what it needs,
what it gives.
"""

import re

from cardsdb.games.kit import Card

# The shape that a cost stands in says whose points pay it: a folder the Bureau's, an eye the Conspiracy's.
POOLS = {"RP": "folder", "CP": "eye"}
# What the lines of the effects call short.
LONG = {"LRC": "Long range combat", "CRC": "Close range combat"}
_NUMBER = r"([+−][0-9]+|X)"
# (the line, the words below the number): the number and its words are the groups of the line.
_GIVES = (
    (rf"give (?:1 )?team's (?P<what>.+?) check (?P<number>{_NUMBER})", "to one team’s check"),
    (rf"give bearer (?P<what>[A-Z][\w ]+?) (?P<number>{_NUMBER})", "to its bearer"),
    (
        rf"give (?:it|its|1 combatant(?:'s)?) (?P<what>LRC|CRC|damage) (?P<number>{_NUMBER})",
        "to the combatant",
    ),
    (r"test [\w ]+ on (?P<what>[A-Z][\w ]+?) (?P<number>[0-9]+)", "to be reached"),
)


def pool_shape(card: Card) -> str:
    return POOLS.get(next(iter(card.words("pool")), ""), "plate")


def kind(card: Card) -> tuple[str, ...]:
    """The Keywords, but for those that say what the face says in another place; and in which games alone the card may
    be played.
    """
    said = {card.type, *card.words("site_skills"), *card.words("site_questions")}
    words = (word for word in card.words("keywords") if word not in said and word.casefold() != card.type)
    return *words, "Advanced" if card.fact("advanced_only") and not card.fact("killer") else ""


def needs(card: Card) -> tuple[str, str, str, str] | None:
    """The number that a Site needs, and in which skills."""
    level = card.number("site_level")
    return (str(level), "needs, in one team", " or ".join(card.words("site_skills")), "") if level else None


def gives(card: Card) -> tuple[str, str, str, str] | None:
    """The number that a card gives or tests, the skill, and to whom; None for a card that does neither first."""
    first = card.text.split("\n")[0]
    for pattern, whose in _GIVES:
        if found := re.search(pattern, first):
            what = LONG.get(found["what"], found["what"])
            return found["number"], "", what[:1].upper() + what[1:], whose
    return None
