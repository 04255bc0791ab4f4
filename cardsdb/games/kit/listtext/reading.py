"""Reading a list gives its deck, the lines that were not understood, and what was set aside. The sections and
details of a deck as lists name them, and the section of a card that a list has under none.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.line import LineRefused
from cardsdb.games.kit.model.decklist import Decklist, Entry
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.text import fold, listed


@dataclass(frozen=True)
class Unread:
    """A line that was not understood: its number as an editor counts, its text, and why.

    ``readings``: of a line that names several cards what it says for each; ``outcomes``: the verdict by each,
    in words, once judged. ``likely``: the one suggestion that is surely meant. ``may_be_title``: it stands
    above the cards, and may be what the deck is called. ``where``: its place in the file that the list was
    in, where another program's file is not counted in our lines.
    """

    line: int
    text: str
    code: str
    message: str
    suggestions: tuple[str, ...] = ()
    section: str = ""
    likely: str = ""
    may_be_title: bool = False
    readings: tuple[Entry, ...] = ()
    outcomes: tuple[str, ...] = ()
    where: str = ""

    @property
    def place(self) -> str:
        """Its place in what was sent, in words."""
        return self.where or f"line {self.line}"

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """The suggestions, each with the verdict by it if that is known."""
        return tuple(zip_longest(self.suggestions, self.outcomes[: len(self.suggestions)], fillvalue=""))

    @property
    def may_stay_unknown(self) -> bool:
        """True if the line may stay as a card that is not in the catalogue (``KEEP_UNKNOWN``)."""
        return self.code == "unknown_card"

    @property
    def correctable(self) -> bool:
        """True if a suggestion can stand in the line as it is, so that ``with_corrections`` may put it
        there.
        """
        return self.code in ("unknown_card", "ambiguous", "unknown_section")


@dataclass(frozen=True)
class Notice:
    """A note on what was set aside of a line that was otherwise understood. ``where``: as in ``Unread``."""

    line: int
    message: str
    where: str = ""

    @property
    def place(self) -> str:
        """The place of the line in what was sent, in words."""
        return self.where or f"line {self.line}"


@dataclass(frozen=True)
class Reading:
    """A list as read: the deck, the lines that could not be read, what was set aside, and what else the
    text says of the deck.

    ``places``: the section and code of a card -> the lines that name it, each with its number and its copies.
    """

    deck: Decklist
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()
    format: str = ""
    comments: tuple[str, ...] = ()
    notes: str = ""
    tags: tuple[str, ...] = ()
    house: str = ""
    game: str = ""
    places: Mapping[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)


# Other tools' words for all of a deck, or for parts that are no section of their own here.
_WHOLE_DECK = {"deck", "main", "main deck", "maindeck", "mainboard", "commander", "companion"}
SIDEBOARD = "sideboard"
SIDEBOARD_WORDS = (SIDEBOARD, "sb")
# And for cards that stand beside a deck, where the game has no section of that name.
BESIDE = {*SIDEBOARD_WORDS, "side", "maybe", "maybeboard", "considering", "acquire", "wishlist"}
BESIDE |= {"wish list", "tokens"}
_COUNTED = re.compile(
    r"(?:\s*:?\s*[(\[]x?[0-9]+(?: cards?)?[)\]]|\s*[-–—:]\s*x?[0-9]+(?: cards?)?|\sx[0-9]+)?\s*[-–—:]?$"
)

_RULED = re.compile(
    r"\[(?P<bracketed>[^\]\d][^\]]*)\]|(?P<rule>[=~–—-]{2,}|=)\s*(?P<word>[^\W\d].*?)\s*(?P=rule):?"
)
_BOLD = re.compile(r"(?P<stars>\*{1,3}|_{1,3})(?P<word>[^*_]+)(?P=stars)(?P<colon>:?)")


def heading_of(game: Game, words: str) -> tuple[str, str] | None:
    """(section, type) that a heading such as ``Leaders (4)`` stands for, both empty for the whole deck; None
    if it is none.
    """
    known = game.headings
    # So are most headings of most lists.
    if heading := known.get(fold(words.removesuffix(":"))):
        return heading
    word = _uncounted(words)
    if word != fold(words.rstrip(": ")) and game.name_index.called(word):
        return None  # so many copies of a card that is called as the heading is
    return known.get(SIDEBOARD if word in SIDEBOARD_WORDS else word) or (
        ("", "") if word in _WHOLE_DECK else None
    )


def _uncounted(words: str) -> str:
    """The words of a heading, folded, without the number of cards behind them."""
    # Spaces are made single first: the pattern would try three adjacent runs of them in every possible way.
    return fold(_COUNTED.sub("", " ".join(words.split())))


def beside_words(game: Game, words: str) -> str:
    """Why the cards under these words do not count: ``“Sideboard” is no part of a Spycraft deck``; empty
    where the words mean a part of a deck, or nothing.
    """
    if _uncounted(words) not in BESIDE or heading_of(game, words) is not None:
        return ""
    return f"“{words.rstrip(': ')}” is no part of a {game.name} deck"


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
    """The words of ``// Leaders``, ``## Leaders ##``, ``**Leaders**``, ``[Leaders]`` or ``== Leaders ==``,
    and whether they stand in brackets or rules, as only headings do.
    """
    bare = re.sub(r"^(?://|#+)\s*|\s*#+$", "", line) if line.startswith(("/", "#")) else line
    if ruled := _RULED.fullmatch(bare):
        return ruled["bracketed"] or ruled["word"], True
    return (bold["word"] if (bold := _BOLD.fullmatch(bare)) else bare), False


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
    """True if the line states a detail that a format of the game asks for."""
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
