"""The sections and details of a deck as lists name them, and the section of a card that a list has under
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.line import LineRefused
from cardsdb.games.kit.model.decklist import Decklist, Entry
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.text import fold, listed

# Other tools' words for all of a deck, or for parts that are no section of their own here.
_WHOLE_DECK = {"deck", "main", "main deck", "maindeck", "mainboard", "commander", "companion"}
SIDEBOARD = "sideboard"
SIDEBOARD_WORDS = (SIDEBOARD, "sb")
_COUNTED = re.compile(r"\s*(?:\(\d+(?: cards?)?\)|[-–]\s*\d+)?\s*:?\s*(?:\(\d+\))?$")


def heading_of(game: Game, words: str) -> tuple[str, str] | None:
    """(section, type) that a heading such as ``Leaders (4)`` stands for, both empty for the whole deck; None
    if it is none.
    """
    known = game.headings
    # So are most headings of most lists.
    if heading := known.get(fold(words.removesuffix(":"))):
        return heading
    # Spaces are made single first: the pattern would try three adjacent runs of them in every possible way.
    word = " ".join(words.split())
    word = fold(_COUNTED.sub("", word) if word.endswith((":", ")")) or word[-1:].isdecimal() else word)
    return known.get(SIDEBOARD if word in SIDEBOARD_WORDS else word) or (
        ("", "") if word in _WHOLE_DECK else None
    )


def split_heading(game: Game, line: str) -> tuple[str, str]:
    """(folded heading, rest) of a line such as ``X-File: Død Kalm`` or ``SB: 2 Kai``; no heading, and the
    line, otherwise.
    """
    if line.startswith("SB,") and re.match("[0-9]", line[3:]):
        return SIDEBOARD, line
    label, _, rest = line.partition(":")
    if not (rest := rest.strip()):
        return "", line
    heading = fold(label)
    heading = SIDEBOARD if heading in SIDEBOARD_WORDS else heading
    return (heading, rest) if heading in game.headings or heading == SIDEBOARD else ("", line)


# -- places -----------------------------------------------------------------------

# How many cards are tried for an example; cards that no deck may have are skipped.
MAX_TRIED = 30


def main_section(game: Game, card_type: str, sections: Iterable[str]) -> str:
    """The section that takes this type and the most types in all; empty if none of these sections takes
    it.
    """
    taking = [
        s for s in map(game.sections_by_slug.__getitem__, sections) if card_type in s.types and not s.secret
    ]
    return max(taking, key=lambda section: len(section.types)).slug if taking else ""


def bare_heading(line: str) -> tuple[str, bool]:
    """The words of ``// Leaders``, ``## Leaders`` or ``[Leaders]``, and whether they stand in brackets."""
    bare = re.sub(r"^(?://|#+)\s*", "", line) if line.startswith(("/", "#")) else line
    bracketed = re.fullmatch(r"\[(?P<word>[^\]\d][^\]]*)\]", bare) if bare.startswith("[") else None
    return (bracketed["word"], True) if bracketed else (bare, False)


def named_sections(game: Game, lines: Iterable[str]) -> frozenset[str]:
    """The sections that a list has headings for."""
    named = (heading_of(game, bare_heading(" ".join(line.split()))[0]) for line in lines)
    return frozenset(heading[0] for heading in named if heading and heading[0])


def placed_words(game: Game, section: str, cards: Sequence[str], where: str) -> str:
    """``1 Kai was put into the Deck: the file does not say where it belongs.`` Every card has its count
    before it.
    """
    name = game.sections_by_slug[section].name
    the = "" if name.casefold().startswith(("the ", "your ")) else "the "
    verb, they = (
        ("was", "it belongs") if len(cards) == 1 and cards[0].startswith("1 ") else ("were", "they belong")
    )
    return f"{listed(tuple(cards))} {verb} put into {the}{name}: the {where} does not say where {they}."


def example_line(game: Game, format: Format) -> str:
    """An example of a line for a deck of this format: ``2 Kai``.

    It writes a card in if the catalogue has none that fits; empty for a format without cards.
    """
    sections = [
        game.sections_by_slug[slug] for slug in format.sections if not game.sections_by_slug[slug].secret
    ]
    for section in sorted(sections, key=lambda section: -len(section.types)):
        cards = [card for card in game.cards if card.type in section.types]
        cards.sort(key=lambda card: (not card.name.isalpha(), len(card.name) > 12))
        for count, card in ((count, card) for card in cards[:MAX_TRIED] for count in (2, 1)):
            report = game.judge(Decklist((Entry(card, count, section.slug),)), format)
            if not any(violation.excess for violation in report.violations):
                return f"{count} {game.name_index.label(card)}"
    kind = next((slug for section in sections for slug in section.types if slug in game.write_in), "")
    return f"1 Name | {kind}" if kind else ""


def says_detail(game: Game, line: str) -> bool:
    """Whether the line states a detail that a format of the game asks for."""
    label, _, value = line.partition(":")
    return bool(value.strip() and (details := game.details_by_word) and fold(label) in details)


def read_detail(game: Game, line: str) -> tuple[str, int | str] | None:
    """(key, value) of a line that states a detail; None for any other line. Raises LineRefused for a number
    that is none.
    """
    if not says_detail(game, line):
        return None
    label, _, value = line.partition(":")
    detail, text = game.details_by_word[fold(label)], value.strip()
    if detail.kind != "number":
        return detail.key, text
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise LineRefused("bad_detail", f"{detail.label} must be a whole number, not “{text}”.")
    return detail.key, int(text)
