"""The nouns of cards: ``Card``, its ``Fact`` declarations, the ``Claim`` of a document about a fact, prints,
sets, and the places of a checklist.

Every value here is immutable. ``folder/cards.py`` makes them from a game's CSV files; searching, judging,
printing and the pages read them. A fact that no source states is absent from ``Card.facts``: never store a
guess or a placeholder. Tests: ``tests/cardsdb/games/test_games.py`` (every card of every game), prints in
``tests/cardsdb/games/kit/model/test_print_words.py``, abilities in ``tests/printing/faces/test_wording.py``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from cardsdb.games.kit.model.text import fold, some

FactValue = int | str | bool | tuple[str, ...]
FactKind = Literal["number", "word", "words", "flag", "text"]
# Stated by the document, inferred from it, one of several that differ, or from outside the rulebook.
Certainty = Literal["stated", "inferred", "conflicting", "outside"]
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)
# Kinds of catalogue entries: a card of the game, a stand-in for cards that no source names, another component
# of the box, a term of its rules.
EntryKind = Literal["card", "stand-in", "component", "term"]
ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
# Key of the flag fact by which a game marks its stand-ins.
STAND_IN = "stand_in"

# Prefix of the codes of visitors' own cards. Catalogue codes have no underscore, so they never begin so.
OWN_CODE = "own_"
# Prefix of a line of an effect that continues the ability of the line before it.
THEN = "then "
# Most characters of a text that a visitor writes for a card; no printed card has half as many.
MAX_TEXT = 5_000


@dataclass(frozen=True)
class Fact:
    """One kind of fact that cards of a game may carry.

    This one declaration defines the CSV column, the type check, the search word, the table heading, the
    filter and the API schema.

    - ``kind``: ``number`` (a whole number), ``word`` (one value of a small vocabulary), ``words`` (several,
      separated by ``;`` in the CSV), ``flag`` (yes or no), ``text`` (free text, not offered as a filter).
    - ``help``: a sentence for people. ``label``: its title, if that is not the key with spaces.
    - ``aliases``: further words for it in searches.
    - ``types``: slugs of the card types that may have it; empty for all types.
    - A card without the fact is shown as "unknown", except where the fact is ``optional`` (many cards rightly
      lack it), ``optional_for`` the card's type, or replaced by one of the facts in ``unless`` (a cost of X).
    - ``opposites``: what players call cards that lack the flag.
    - ``is_aside``: not needed for play, such as the card's number in another program; pages fold it away.
    - ``is_id``: identifies the card in packages of another program; no two cards share a value.
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
        """Return the value of a CSV cell, or of a fact typed in a list; None (unknown) for empty text.

        Raises ValueError with a sentence to show to people.
        """
        text = text.strip()
        if not text:
            return None
        match self.kind:
            case "number":
                # Nine digits always fit into an integer column of the database, which ends at 2**31 - 1.
                if not re.fullmatch(r"-?[0-9]{1,9}", text):
                    raise ValueError(f"{self.title} must be a whole number, not “{text}”")
                return int(text)
            case "flag":
                if text.casefold() not in ("yes", "no"):
                    raise ValueError(f"{self.title} must be yes or no, not “{text}”")
                return text.casefold() == "yes"
            case "words":
                # People who type no semicolon separate words by commas.
                words = text.split(";" if ";" in text else ",")
                return tuple(filter(None, map(str.strip, words)))
            case _:
                return text


@dataclass(frozen=True)
class CardType:
    """A type of card. ``in_decks`` is false for entries that are looked up but never played.

    ``kind`` tells types of cards from types of components of the box and of terms of the rules. ``symbol`` is
    our drawing for the type, as SVG path data on a grid of 24; empty if the face of the type has its own.
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

    ``value`` is None if the document states the same value as the card shows. Otherwise it is the different
    value, or a bound such as ``<= 2``, which agrees with a shown number within it.
    """

    document: str
    section: str = ""
    lines: str = ""
    certainty: Certainty = "stated"
    value: str | None = None
    note: str = ""

    def agrees_with(self, shown: FactValue | None) -> bool:
        """True if the claim is compatible with the value that the card shows, None for none."""
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
        """The name of the print in lists: ``TRU 154``, or the set alone if no number is known. Empty for a
        print that no list can name, because its set's code has other characters than letters and digits.
        """
        if not re.fullmatch(r"[\w-]+", self.set):
            return ""
        number = self.number or self.code
        return f"{self.set} {number}" if re.fullmatch(r"[\w.-]+", number) else self.set


@dataclass(frozen=True)
class CardSet:
    """A set as published. ``size`` is the number of its cards by a source; None if no source states it."""

    code: str
    name: str
    year: str = ""
    size: int | None = None
    official: bool = True
    source: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class Card:
    """A card, or another entry of the catalogue.

    - ``sources``: fact key -> the claims about that fact. The key ``""`` holds the claims behind every fact
      that has no entry of its own.
    - ``text``: lines of ``effects.csv`` in controlled English, or plain text. ``sentences``: each line of it
      as people read it, its header between ``**``; empty if ``text`` is plain text already.
    - ``written``: True for a card that the author of a list wrote in and the catalogue does not have. Without
      a ``type`` it is a mere name (see ``unknown``), which the list keeps until the card is known.

    Two cards are equal only if they are the same object.
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
        """True for a card of which only the name in a list is known."""
        return self.written and not self.type

    @property
    def own(self) -> bool:
        """True for a card of a visitor's own set; it has more facts than a card written into a list."""
        return self.code.startswith(OWN_CODE)

    @property
    def has_page(self) -> bool:
        """True for a card with a page of its own: a card of the catalogue, or of an own set."""
        return self.own or not self.written

    @property
    def covered(self) -> bool:
        """True for a placeholder of a card that the deck's owner hides: only its type is known."""
        return self.written and self.code == f"secret-{self.type}"

    @property
    def paragraphs(self) -> list[tuple[str, str, int]]:
        """One tuple for each ability as people read it: (header with its colon, or ""; the rest of the text;
        number of lines of ``text`` that it consists of).

        A line that begins with "then" belongs to the ability before it. On a card without ``sentences`` each
        line is a paragraph of its own. Spycraft's "Flush Them Out!" has two lines and one paragraph::

            Mission Combat 7: activate enemy agent; ...    [("Mission Combat 7:", "Activate an enemy agent.
            then if Public mission, expose this agent        ... In a Public mission, expose this agent.", 2)]
        """
        lines = self.text.split("\n")
        if not self.sentences:
            return [("", line, 1) for line in lines]
        found: list[tuple[str, str, int]] = []
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
        """The text as people read it, one line for each ability."""
        return "\n".join(f"{header} {rest}".lstrip() for header, rest, _ in self.paragraphs)

    def fact(self, key: str) -> FactValue | None:
        return self.facts.get(key)

    def number(self, key: str) -> int | None:
        value = self.facts.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def words(self, key: str) -> tuple[str, ...]:
        """Return the fact as a tuple of words; empty if it is unknown."""
        value = self.facts.get(key)
        if isinstance(value, tuple | list):
            return tuple(value)
        return (str(value),) if value is not None else ()

    def word(self, key: str) -> str:
        """Return the first word of the fact; empty if it is unknown."""
        return next(iter(self.words(key)), "")

    @property
    def print_labels(self) -> tuple[str, ...]:
        """The labels of the prints that a line may ask for; empty if the card has one print only."""
        labels = dict.fromkeys(print_.label for print_ in self.prints if print_.label)
        return tuple(labels) if len(self.prints) > 1 else ()

    def print_called(self, label: str) -> Print | None:
        """Return the print with the label ``TRU 154``, or the first print in the set ``TRU``; None if the
        card has no such print.
        """
        wanted = fold(label)
        for print_ in self.prints:
            if wanted and wanted in (fold(print_.label), fold(print_.set)):
                return print_
        return None

    def printed_in(self, set_code: str, number: str) -> tuple[list[Print], list[Print]]:
        """Return (prints in this set, those of them with this number or code)."""
        in_set = [print_ for print_ in self.prints if fold(print_.set) == fold(set_code)]
        return in_set, [
            print_ for print_ in in_set if fold(number) in (fold(print_.number), fold(print_.code))
        ]

    def print_meant(self, set_code: str, number: str) -> str:
        """Return the label of the print that a list means by this set and number. If several prints fit, it
        is the set's code alone.

        Empty for a card with a single print, which needs no label, and for a set that the card is not in. For
        a card with the prints PRE 1 and TRU 1: ("TRU", "1"), ("TRU", "") and ("TRU", "99") -> "TRU 1",
        ("ZZZ", "1") -> "".
        """
        if len(self.prints) < 2 or not set_code:
            return ""
        in_set, with_number = self.printed_in(set_code, number)
        # Prints with the number are preferred. Without a number, and with one that no print has, every print
        # of the set fits.
        for prints in (with_number if number else [], in_set):
            if fitting := [print_ for print_ in prints if print_.label]:
                return fitting[0].label if len(fitting) == 1 else fitting[0].set
        return ""

    def claims(self, key: str) -> tuple[Claim, ...]:
        """Return the claims about this fact; never empty for a fact that the card has."""
        return self.sources.get(key) or self.sources.get("", ())

    def disagreements(self) -> dict[str, tuple[Claim, ...]]:
        """Return fact key -> the claims that differ from what the card shows, for disputed facts only. The
        X-Files' card "Watch Out!" shows a cost of 1: {"cost": (claim with the value "2",), ...}
        """
        shown = {**self.facts, "name": self.name, "type": self.type, "text": self.text}
        contrary = {
            key: tuple(claim for claim in claims if not claim.agrees_with(shown.get(key)))
            for key, claims in self.sources.items()
        }
        return {key: claims for key, claims in contrary.items() if claims}


def entries_in_words(kinds: Mapping[str, int]) -> str:
    """Return the number of entries of each kind in words: ``9 cards, 7 unnamed cards``, or ``no cards``."""
    named = [some(kinds[kind], kind) for kind in ENTRY_KINDS if kinds.get(kind)]
    return ", ".join(named).replace("stand-in", "unnamed card") or "no cards"


def as_words(value: FactValue) -> str:
    """Return a fact's value as text: ``yes`` or ``no`` for a flag, words joined by commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(value)
    return str(value)


@dataclass(frozen=True)
class ChecklistPlace:
    """A place of a checklist for one card. ``code`` (``obstacle-01``) names it in URLs and in the card that
    fills it; ``number`` counts from 1 within its group.
    """

    code: str
    number: int
    group: "PlaceGroup"

    @property
    def label(self) -> str:
        return f"{self.group.label} {self.number}" if self.group.count > 1 else self.group.label


@dataclass(frozen=True)
class PlaceGroup:
    """``count`` places of a checklist for cards of one type.

    ``cites`` is the code of the citation that counts the cards; ``note`` says how many of that number remain.
    ``facts`` (key -> value as typed) are known of every card of the group. ``stand_in`` is the code of the
    catalogue's entry to print as a blank card; without it a card is written in to print the blank.
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
