"""The result of reading a deck list (``Reading``, ``Unread``, ``Notice``), and the readers of the headings,
the details and the title in it.

``deck.py`` reads lists with this module and ``line.py``. Functions that recognise a line return None, or an
empty value, for any other line, so that the reader can try the next kind. Tests: ``test_reading.py`` and
``test_deck.py`` in ``tests/cardsdb/games/kit/listtext``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import is_counted, visible
from cardsdb.games.kit.listtext.line import MAX_LINE, LineRefused
from cardsdb.games.kit.model.decklist import Decklist, Entry
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.names import MIN_MISSPELT
from cardsdb.games.kit.model.text import fold, listed, plain_key


@dataclass(frozen=True)
class Unread:
    """A line that was not understood."""

    line: int  # its number, from 1, as an editor counts lines
    text: str
    code: str  # of the reason, as in ``LineRefused``
    message: str
    suggestions: tuple[str, ...] = ()
    section: str = ""  # slug of the section whose heading stands above
    likely: str = ""  # the suggestion that is surely meant
    may_be_title: bool = False  # it stands above all cards and may be the name of the deck
    readings: tuple[Entry, ...] = ()  # if the name fits several cards: what the line would be for each
    outcomes: tuple[str, ...] = ()  # the verdict on the deck with each suggestion, in words, once judged
    where: str = ""  # its place in words in the file of another program, which has no such line numbers

    @property
    def place(self) -> str:
        """The place of the line in what was sent, in words."""
        return self.where or f"line {self.line}"

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """(suggestion, verdict with it) for each suggestion; the verdict is empty if it is not known."""
        return tuple(zip_longest(self.suggestions, self.outcomes[: len(self.suggestions)], fillvalue=""))

    @property
    def may_stay_unknown(self) -> bool:
        """True if the author may keep the line as a card that is not in the catalogue (``KEEP_UNKNOWN``)."""
        return self.code == "unknown_card"

    @property
    def correctable(self) -> bool:
        """True if ``with_corrections`` can put a suggestion into the line."""
        return self.code in ("unknown_card", "ambiguous", "unknown_section")


@dataclass(frozen=True)
class Notice:
    """A note on a line that was understood: what was assumed or left out. ``where``: as in ``Unread``."""

    line: int
    message: str
    where: str = ""

    @property
    def place(self) -> str:
        """The place of the line in what was sent, in words."""
        return self.where or f"line {self.line}"


@dataclass(frozen=True)
class Reading:
    """A list that was read: its deck, its unread lines, notices, and what else it says of the deck."""

    deck: Decklist
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()
    format: str = ""  # slug of the format that the list states, or its words if the game has no such format
    comments: tuple[str, ...] = ()
    notes: str = ""
    tags: tuple[str, ...] = ()
    house: str = ""  # house rules, as text
    game: str = ""  # the game that the list states, as text
    # (section, code of a card) -> (number of a line, its copies) for each line that names the card.
    places: Mapping[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)


# Words of other programs for the whole deck, or for parts of it that are no section here.
_WHOLE_DECK = {"deck", "main", "main deck", "maindeck", "mainboard", "commander", "companion"}
SIDEBOARD = "sideboard"
SIDEBOARD_WORDS = (SIDEBOARD, "sb")
# Words of other programs for cards beside a deck, which do not count unless the game has such a section.
BESIDE = {*SIDEBOARD_WORDS, "side", "maybe", "maybeboard", "considering", "acquire", "wishlist"}
BESIDE |= {"wish list", "tokens"}
# The end of a heading that is no part of its words: a number, " (4)", ": [4 cards]", " - 4" or " x4", and a
# colon or dash behind it.
_COUNTED = re.compile(
    r"(?:\s*:?\s*[(\[]x?[0-9]+(?: cards?)?[)\]]|\s*[-–—:]\s*x?[0-9]+(?: cards?)?|\sx[0-9]+)?\s*[-–—:]?$"
)
# A heading in brackets or between rules: "[Leaders]", "== Leaders ==", "--- Leaders ---:".
_RULED = re.compile(
    r"\[(?P<bracketed>[^\]\d][^\]]*)\]|(?P<rule>[=~–—-]{2,}|=)\s*(?P<word>[^\W\d].*?)\s*(?P=rule):?"
)
# A heading in bold or italic letters: "**Leaders**:", "_Leaders_".
_BOLD = re.compile(r"(?P<stars>\*{1,3}|_{1,3})(?P<word>[^*_]+)(?P=stars)(?P<colon>:?)")


def heading_of(game: Game, words: str) -> tuple[str, str] | None:
    """(slug of a section, slug of a card type) that a heading stands for, one of them empty, or both for the
    whole deck; None if the words are no heading.

    "Leaders (4)" -> ("leaders", ""), "Agents:" -> ("", "agent"), "Main deck" -> ("", "") in Spycraft
    """
    known = game.headings
    # Most headings are a plain word, so that is tried first.
    if heading := known.get(fold(words.removesuffix(":"))):
        return heading
    word = _uncounted(words)
    # A number was taken off. If a card is called like the heading, "Alarm (8)" means 8 copies of it.
    if word != fold(words.rstrip(": ")) and game.name_index.called(word):
        return None
    heading = known.get(SIDEBOARD if word in SIDEBOARD_WORDS else word)
    return ("", "") if heading is None and word in _WHOLE_DECK else heading


def bare_heading(line: str) -> tuple[str, bool]:
    """(the words of a line without the signs of a heading, True if these signs show that it is one).

    "[Leaders]" and "== Leaders ==" -> ("Leaders", True)
    "// Leaders", "## Leaders ##", "**Leaders**" and "Leaders" -> ("Leaders", False)
    """
    bare = re.sub(r"^(?://|#+)\s*|\s*#+$", "", line) if line.startswith(("/", "#")) else line
    if ruled := _RULED.fullmatch(bare):
        return ruled["bracketed"] or ruled["word"], True
    bold = _BOLD.fullmatch(bare)
    return bold["word"] if bold else bare, False


def named_sections(game: Game, lines: Iterable[str]) -> frozenset[str]:
    """The slugs of the sections that a list has headings for."""
    bare = (bare_heading(" ".join(line.split()))[0] for line in lines)
    headings = (heading_of(game, words) or ("", "") for words in bare)
    return frozenset(section for section, _ in headings if section)


def split_heading(game: Game, line: str) -> tuple[str, str]:
    """Split a line with a heading before its card: ``SB: 2 Kai`` -> ("sideboard", "2 Kai"). The heading is
    folded. Return ("", the line) for any other line. A line ``SB,1,Kai`` is returned whole behind its
    heading, because ``forms.py`` reads it.
    """
    if line.startswith("SB,") and re.match("[0-9]", line[3:]):
        return SIDEBOARD, line
    label, _, rest = line.partition(":")
    if not (rest := rest.strip()):
        return "", line
    heading = fold(label)
    if heading in SIDEBOARD_WORDS:
        return SIDEBOARD, rest
    return (heading, rest) if heading in game.headings else ("", line)


def _uncounted(words: str) -> str:
    """The folded words of a heading without the number behind them: "Leaders (4):" -> "leaders"."""
    # Spaces are made single first, because the pattern is slow on long runs of them.
    return fold(_COUNTED.sub("", " ".join(words.split())))


def beside_words(game: Game, words: str) -> str:
    """The reason why cards under this heading do not count: ``“Sideboard” is no part of a Spycraft deck``.
    Empty if the words are a heading of the game, or no heading at all.
    """
    if _uncounted(words) not in BESIDE or heading_of(game, words) is not None:
        return ""
    return f"“{words.rstrip(': ')}” is no part of a {game.name} deck"


def main_section(game: Game, card_type: str, sections: Iterable[str]) -> str:
    """The slug of the largest section for cards of this type: of those among these sections (slugs) that take
    the type and are not secret, the one that takes the most types. Empty if there is none.
    """
    declared = (game.sections_by_slug[slug] for slug in sections)
    taking = [section for section in declared if card_type in section.types and not section.secret]
    return max(taking, key=lambda section: len(section.types)).slug if taking else ""


def placed_words(game: Game, section: str, cards: Sequence[str], where: str) -> str:
    """The sentence ``1 Kai was put into the Deck: the file does not say where it belongs.`` ``cards``: names
    with their counts, "1 Kai"; ``where``: "file" or "list".
    """
    name = game.sections_by_slug[section].name
    the = "" if name.casefold().startswith(("the ", "your ")) else "the "
    is_single = len(cards) == 1 and cards[0].startswith("1 ")
    were, they_belong = ("was", "it belongs") if is_single else ("were", "they belong")
    return (
        f"{listed(tuple(cards))} {were} put into {the}{name}: the {where} does not say where {they_belong}."
    )


# How many cards ``example_line`` tries in a section until it finds one that breaks no rule.
MAX_TRIED = 30


def example_line(game: Game, format: Format) -> str:
    """An example of a line for a deck of this format, with a short name, for the editor: ``2 Kai``. It
    writes a card in if the catalogue has none that fits, and is empty for a format without cards.
    """
    sections = [
        game.sections_by_slug[slug] for slug in format.sections if not game.sections_by_slug[slug].secret
    ]
    for section in sorted(sections, key=lambda section: -len(section.types)):
        cards = [card for card in game.cards if card.type in section.types]
        # Names of one word come first, of these the short ones.
        cards.sort(key=lambda card: (not card.name.isalpha(), len(card.name) > 12))
        for card in cards[:MAX_TRIED]:
            for count in (2, 1):
                report = game.judge(Decklist((Entry(card, count, section.slug),)), format)
                if not any(violation.excess for violation in report.violations):
                    return f"{count} {game.name_index.label(card)}"
    kind = next((slug for section in sections for slug in section.types if slug in game.write_in), "")
    return f"1 Name | {kind}" if kind else ""


def says_detail(game: Game, line: str) -> bool:
    """True if the line states a detail that a format of the game asks for."""
    label, _, value = line.partition(":")
    return bool(value.strip()) and fold(label) in game.details_by_word


def read_detail(game: Game, line: str) -> tuple[str, int | str] | None:
    """(key, value) of a line that states a detail, ``Players: 2``; None for any other line. Raises
    LineRefused if the detail is a number and the value is none.
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


# -- the title ---------------------------------------------------------------------

# A first line that was not understood may be the title. If its words are surely no misspelt card they become
# the deck's name; else the line is reported, and its author may choose.
TITLED_LINES = 3  # lines with cards below the first that must have a count before the first may be the title
# A title, perhaps with "Deck:" before it or ### behind it.
_TITLE = re.compile(r"(?i)(?:(?:deck|list)\s*:\s*)?(?P<words>.*?\S)(?:\s+#+)?")
# Data, and no title: a bar, a comma or semicolon without space behind it, or a number at either end.
_DATA = re.compile(r"\||[,;]\S|^[0-9]|\s[0-9]{1,2}$")


def title_in(game: Game, lines: list[str], number: int) -> str:
    """The words of line ``number`` if it may be the title of the list; else empty. A title has no count. A
    heading stands next below it, or the first lines with cards below it have a count. The line must be the
    first of the list besides comments.

    ["Deck: Night Watch ##", "", "2 Kai"], 1 -> "Night Watch"; ["Kai", "Sab"], 1 -> ""
    """
    own = visible(lines[number - 1].strip())
    if is_counted(own) or _DATA.search(own):
        return ""
    all_below = (visible(line.strip()) for line in lines[number:] if len(line) <= MAX_LINE)
    below = list(filter(None, all_below))
    is_headed = bool(below) and heading_of(game, below[0]) is not None
    cards = (
        line
        for line in below
        if ":" not in line and not line.startswith(("//", "#")) and heading_of(game, line) is None
    )
    first = list(islice(cards, TITLED_LINES))
    match = _TITLE.fullmatch(bare_heading(own)[0])
    if match and (is_headed or (first and all(map(is_counted, first)))):
        return " ".join(match["words"].split())
    return ""


def is_surely_title(game: Game, words: str) -> bool:
    """True for words that cannot be meant as a card. They may be a card if they are very short, resemble a
    name, are part of one, or hold one: at their beginning or end, or anywhere if they have a number or
    brackets.

    "Night Watch" and "My Kai deck" are titles; "Kai deck" and "Deck 3 of Kai 2" may be the card Kai.
    """
    index, pieces = game.name_index, plain_key(words).split("-")
    if len(words) < MIN_MISSPELT or index.resembles(words) or index.containing(fold(words)):
        return False
    anywhere, size = re.search(r"[0-9<\[{]", words), len(pieces)
    # "my", "my kai", "my kai deck", "kai deck", "deck"; and "kai" if names may stand anywhere.
    parts = (
        "-".join(pieces[begin:end])
        for begin in range(size)
        for end in range(begin + 1, size + 1)
        if anywhere or begin == 0 or end == size
    )
    return not any(map(index.plainly, parts))
