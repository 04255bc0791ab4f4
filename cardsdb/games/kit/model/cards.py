"""A card as facts, with the claims of documents about each fact; and the places of a box for cards that no
source names.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from cardsdb.games.kit.model.text import fold, some

FactValue = int | str | bool | tuple[str, ...]
FactKind = Literal["number", "word", "words", "flag", "text"]
Certainty = Literal["stated", "inferred", "conflicting", "outside"]
# What an entry of a catalogue is: a card of the game, a stand-in for cards that no source names, another
# component, a word of its rules.
EntryKind = Literal["card", "stand-in", "component", "term"]
ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
# The flag of an entry that stands for cards that no source names, where a game declares it.
STAND_IN = "stand_in"
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)

# What the codes of people's own cards begin with, and no code of a catalogue can.
OWN_CODE = "own_"
# What a line begins with that goes on with the ability of the line before it.
THEN = "then "
# Characters of the text that a visitor writes for a card; no printed card has half as many.
MAX_TEXT = 5_000


@dataclass(frozen=True)
class Fact:
    """One kind of fact that cards of a game may carry.

    The declaration is the CSV column, the type check, the search word, the table heading,
    the filter and the API schema at once. Kinds: ``number`` (a whole number), ``word`` (one
    value of a small vocabulary), ``words`` (several, ``;`` between them in the CSV),
    ``flag`` (yes or no), ``text`` (free text, not offered as a filter). A card of which
    no source states the fact simply lacks it; that reads as "unknown" unless the fact is
    ``optional``, one that many cards rightly do not have, or ``optional_for`` the card's type,
    or the card has one of the facts in ``unless``, which stand in its place (a cost of X).
    ``opposites`` are what players call cards that lack a flag.
    ``is_aside``: no fact of play, such as the card's number in another program; pages fold it. ``is_id``: it
    names the card in packages of that program, where no other card has it.
    """

    key: str
    kind: FactKind
    help: str
    types: tuple[str, ...] = ()
    label: str = ""
    aliases: tuple[str, ...] = ()
    optional: bool = False
    optional_for: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    is_aside: bool = False
    is_id: bool = False
    opposites: tuple[str, ...] = ()

    def expected_of(self, card_type: str) -> bool:
        """True if a card of this type must have the fact, so that its absence means "unknown"."""
        return self.applies_to(card_type) and not self.optional and card_type not in self.optional_for

    @property
    def title(self) -> str:
        return self.label or self.key.replace("_", " ").capitalize()

    def applies_to(self, card_type: str) -> bool:
        return not self.types or card_type in self.types

    def read(self, text: str) -> FactValue | None:
        """The value of a CSV cell or of a fact in a written-in line.

        Empty text gives None (unknown). Raises ValueError with a sentence for a reader.
        """
        text = text.strip()
        if not text:
            return None
        match self.kind:
            case "number":
                if not re.fullmatch(r"-?[0-9]{1,9}", text):
                    raise ValueError(f"{self.title} must be a whole number, not “{text}”")
                return int(text)
            case "flag":
                if text.casefold() not in ("yes", "no"):
                    raise ValueError(f"{self.title} must be yes or no, not “{text}”")
                return text.casefold() == "yes"
            case "words":
                words = (word.strip() for word in re.split("[;,]" if ";" not in text else ";", text))
                return tuple(filter(None, words))
            case _:
                return text


@dataclass(frozen=True)
class CardType:
    """A type of card. ``in_decks`` is false for entries that are looked up, never played.

    ``kind`` says what entries of the type are if they are no cards: components of the box, or terms of the
    rules. ``symbol`` is our drawing of it (SVG path data on a grid of 24) where its face has none of the
    type's own.
    """

    slug: str
    name: str
    plural: str
    help: str = ""
    in_decks: bool = True
    symbol: str = ""
    kind: Literal["card", "component", "term"] = "card"


@dataclass(frozen=True)
class Claim:
    """The statement of one document about one fact of one card.

    ``value`` is None where the document says what the card shows; otherwise it is the other
    value, or a bound such as "<= 2", which agrees when the shown value lies within it.
    """

    document: str
    section: str = ""
    lines: str = ""
    certainty: Certainty = "stated"
    value: str | None = None
    note: str = ""

    def agrees_with(self, shown: FactValue | None) -> bool:
        if self.value is None:
            return True
        bound = re.fullmatch(r"(<=|>=)\s*(-?[0-9]+)", self.value)
        if bound and isinstance(shown, int):
            limit = int(bound[2])
            return shown <= limit if bound[1] == "<=" else shown >= limit
        return shown is not None and fold(self.value) == fold(as_words(shown))


@dataclass(frozen=True)
class Print:
    """One printing of a card. Everything unknown is an empty string."""

    set: str
    number: str = ""
    rarity: str = ""
    code: str = ""
    note: str = ""

    @property
    def label(self) -> str:
        """Its name in lists: ``TRU 154``, or the set alone where no number is known; empty for a print
        that no list can name.
        """
        number = self.number or self.code
        plain = number if re.fullmatch(r"[\w.-]+", number) else ""
        return f"{self.set} {plain}".rstrip() if re.fullmatch(r"[\w-]+", self.set) else ""


@dataclass(frozen=True)
class CardSet:
    """A set as published. ``size`` is how many cards a source says it has, None if no source says."""

    code: str
    name: str
    year: str = ""
    size: int | None = None
    official: bool = True
    source: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class Card:
    """A card, or an entry that is looked up like one.

    ``sources`` maps a fact's key to the claims made about it; the key ``""`` holds the
    documents behind every fact that has no entry of its own. ``sentences``: how each line of the
    text reads, its header between ``**``; none where the text is for people itself. ``written``
    marks a card that the list's author wrote in, which no catalogue knows; without a ``type`` it
    is a mere name (``unknown``) that a list keeps until the card is known.
    """

    game: str
    code: str
    name: str
    type: str
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    text: str = ""
    sources: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    prints: tuple[Print, ...] = ()
    aliases: tuple[str, ...] = ()
    note: str = ""
    written: bool = False
    sentences: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.game}/{self.code}"

    @property
    def unknown(self) -> bool:
        """True for a card of which nothing is known but what the list calls it."""
        return self.written and not self.type

    @property
    def own(self) -> bool:
        """True for a card of a visitor's own set, which tells more of it than a list can."""
        return self.code.startswith(OWN_CODE)

    @property
    def has_page(self) -> bool:
        """True for a card with an address: one of the catalogue, or a visitor's own."""
        return self.own or not self.written

    @property
    def covered(self) -> bool:
        """True for a card that stands for one that its owner does not show: its type and no more is known."""
        return self.written and self.code == f"secret-{self.type}"

    @property
    def paragraphs(self) -> list[tuple[str, str, int]]:
        """(header with its colon, or empty; the rest; the number of its lines) of each ability as people read
        it. A line that begins with "then" goes on with the ability before it. Without sentences a line is a
        paragraph.
        """
        lines, found = self.text.split("\n"), list[tuple[str, str, int]]()
        if not self.sentences:
            return [("", line, 1) for line in lines]
        for line, sentence in zip(lines, self.sentences, strict=True):
            if found and line.startswith(THEN):
                header, rest, number = found[-1]
                found[-1] = (header, f"{rest} {sentence}", number + 1)
            elif headed := re.match(r"\*\*(.+?:)\*\* ", sentence):
                found.append((headed[1], sentence[headed.end() :], 1))
            else:
                found.append(("", sentence, 1))
        return found

    @property
    def told(self) -> str:
        """The text as people read it."""
        return "\n".join(f"{header} {rest}".lstrip() for header, rest, _ in self.paragraphs)

    def fact(self, key: str) -> FactValue | None:
        return self.facts.get(key)

    def number(self, key: str) -> int | None:
        value = self.facts.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def words(self, key: str) -> tuple[str, ...]:
        """The fact as a tuple of words; empty when unknown."""
        value = self.facts.get(key)
        if isinstance(value, tuple | list):
            return tuple(value)
        return (str(value),) if value is not None else ()

    def word(self, key: str) -> str:
        """The first word of the fact; empty when unknown."""
        return next(iter(self.words(key)), "")

    @property
    def print_labels(self) -> tuple[str, ...]:
        """The labels of the prints that a line may ask for; none if there is only one."""
        labels = dict.fromkeys(one.label for one in self.prints if one.label)
        return tuple(labels) if len(self.prints) > 1 else ()

    def print_called(self, label: str) -> Print | None:
        """The print that a list calls ``TRU 154``, or the first of a set; None if the card has no such
        print.
        """
        wanted = fold(label)
        called = (one for one in self.prints if wanted and wanted in (fold(one.label), fold(one.set)))
        return next(called, None)

    def printed_in(self, set_code: str, number: str) -> tuple[list[Print], list[Print]]:
        """The prints of this set, and those of them with this number."""
        in_set = [one for one in self.prints if fold(one.set) == fold(set_code)]
        return in_set, [one for one in in_set if fold(number) in (fold(one.number), fold(one.code))]

    def print_meant(self, set_code: str, number: str) -> str:
        """The label of the print that a list means by this set and number, the set's alone if it has several
        prints of the card.

        Empty for a card with a single print, of which there is nothing to say, and for a set that the card is
        not in.
        """
        in_set, numbered = (
            [one for one in prints if one.label] for prints in self.printed_in(set_code, number)
        )
        if len(self.prints) < 2 or not set_code or not in_set:
            return ""
        exactly = (numbered if number else ()) or in_set
        return exactly[0].label if len(exactly) == 1 else exactly[0].set

    def claims(self, key: str) -> tuple[Claim, ...]:
        """The claims about this fact; never empty for a fact that the card has."""
        return self.sources.get(key) or self.sources.get("", ())

    def disagreements(self) -> dict[str, tuple[Claim, ...]]:
        """Fact key -> the claims that say something other than what the card shows."""
        shown = {**self.facts, "name": self.name, "type": self.type, "text": self.text}
        contrary = {
            key: tuple(claim for claim in claims if not claim.agrees_with(shown.get(key)))
            for key, claims in self.sources.items()
        }
        return {key: claims for key, claims in contrary.items() if claims}


def entries_in_words(kinds: Mapping[str, int]) -> str:
    """The number of entries of each kind: ``9 cards, 7 unnamed cards``, or ``no cards``."""
    named = [some(kinds[kind], kind) for kind in ENTRY_KINDS if kinds.get(kind)]
    return ", ".join(named).replace("stand-in", "unnamed card") or "no cards"


def as_words(value: FactValue) -> str:
    """A fact's value as a person would write it: yes/no, words joined by commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(value)
    return str(value)


@dataclass(frozen=True)
class ChecklistPlace:
    """One place. ``code`` is its name in addresses and in what fills it; ``number`` counts from 1 within its
    group.
    """

    code: str
    number: int
    group: "PlaceGroup"

    @property
    def label(self) -> str:
        return f"{self.group.label} {self.number}" if self.group.count > 1 else self.group.label


@dataclass(frozen=True)
class PlaceGroup:
    """So many places for cards of a type. ``cites`` is the code of what counts them, ``note`` how many are
    left of that number.

    ``facts`` are known of every card of the group, as they would be typed. ``stand_in`` is the code of the
    catalogue's entry that is printed as a blank for one; without it a blank is written in.
    """

    slug: str
    label: str
    card_type: str
    count: int
    cites: str
    note: str
    facts: Mapping[str, str] = field(default_factory=dict)
    stand_in: str = ""

    @property
    def places(self) -> Iterator[ChecklistPlace]:
        return (
            ChecklistPlace(f"{self.slug}-{number:02}", number, self) for number in range(1, self.count + 1)
        )
