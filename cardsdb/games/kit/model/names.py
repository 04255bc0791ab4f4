"""Find a card by the name that a person uses for it. Nothing is ever guessed."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.marks import begin_of_marks, read_marks
from cardsdb.games.kit.model.text import fold

# After a name: (SET) 123, [SET#123], [SET:123], |SET|123, then finishes and tags other tools add.
_EXTRAS = re.compile(
    r"""\s*(?:[(\[|]\s*(?P<set>[^)\]:\#|]*?)\s*(?:[:\#|]\s*(?P<inner>[^)\]|]+?)\s*)?(?:[)\]]|$))?
        \s*(?P<number>[\w.-]+)?\s*(?:\*\w+\*\s*|\[[^\]]*\]\s*|\^[^^]*\^\s*)*$""",
    re.VERBOSE,
)

# What people leave out of a name: quotation marks, and the comma of thousands.
_LEFT_OUT = re.compile(r'"|(?<=[0-9]),(?=[0-9]{3}(?![0-9]))')

# Of shorter names any few letters are half a name.
MIN_MISSPELT = 6
# How alike a misspelt name is to the real one, and with how many names of one half it is compared.
LIKENESS, MAX_ALIKE = 0.8, 20

_BARE_SET = re.compile(r"\s+(?P<set>\w{1,6})(?:\s+(?P<number>[\w.-]+))?")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The cards that a text may mean (several, one or none), what was set aside of it, and the author's marks
    as written.

    ``set`` and ``number`` of the print that it names, folded.
    """

    cards: tuple[Card, ...] = ()
    ignored: str = ""
    marks: str = ""
    set: str = ""
    number: str = ""


class NameIndex:
    """Names and aliases of a game's cards, folded, for exact and longest-prefix look-up.

    ``written``: a name that one card alone has, just as it is written, without a character that no list may
    hold -> the card. ``counted``: the names that begin as a count does.
    """

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = cards
        folded = {name: fold(name) for card in cards for name in (card.name, *card.aliases)}
        named: dict[str, list[Card]] = defaultdict(list)
        for card in cards:
            for name in dict.fromkeys(folded[name] for name in (card.name, *card.aliases)):
                named[name].append(card)
        # Cards whose own name it is come before those that have it as an alias.
        self._named = {
            name: tuple(sorted(bearers, key=lambda c: folded[c.name] != name))
            for name, bearers in named.items()
        }
        self._called = {
            name: tuple(c for c in bearers if folded[c.name] == name) or bearers
            for name, bearers in self._named.items()
        }
        self._loosely: dict[str, tuple[Card, ...]] = {}
        for name, bearers in self._called.items():
            if (loose := _loose(name)) != name:
                self._loosely[loose] = (*self._loosely.get(loose, ()), *bearers)
        # So most lines of most lists need no folding.
        written = {name: self._called[plain] for name, plain in folded.items() if name.isprintable()}
        self.written = {name: bearers[0] for name, bearers in written.items() if len(bearers) == 1}
        self.counted = frozenset(name for name in self._called if re.match("[0-9]{1,2}x? ", name))

    def numbered(self, text: str) -> tuple[Card, ...]:
        """The cards with this collector number, alone or with its set, or this code of a print."""
        return self._numbered.get(number_key(text), ())

    @cached_property
    def _numbered(self) -> dict[str, tuple[Card, ...]]:
        numbered: dict[str, dict[str, Card]] = defaultdict(dict)
        for card in self._cards:
            for one in card.prints:
                for text in (one.number, f"{one.set} {one.number}" if one.number else "", one.code):
                    if key := number_key(text):
                        numbered[key][card.code] = card
        return {key: tuple(cards.values()) for key, cards in numbered.items()}

    @cached_property
    def _halves(self) -> dict[tuple[int, str, str], list[str]]:
        """The names by their halves. Only lines that name no card are looked up here, so most lists do
        without.
        """
        halves: dict[tuple[int, str, str], list[str]] = defaultdict(list)
        for name in self._called:
            for half in _halves_of(name, len(name)):
                halves[half].append(name)
        return halves

    @property
    def names(self) -> tuple[str, ...]:
        """Every folded name, for spelling suggestions."""
        return tuple(self._called)

    def called(self, text: str) -> tuple[Card, ...]:
        """The cards of exactly this name or alias."""
        return self._called.get(fold(text), ()) if self._called else ()

    def resembles(self, text: str) -> bool:
        """Whether the text is near enough to a name to be one that is misspelt: half of it as in that name,
        and nearly as long.

        A few look-ups, however many names there are; which name it may be is for others to find.
        """
        folded = fold(text)
        lengths = range(max(len(folded) - 1, MIN_MISSPELT), len(folded) + 2)
        halves = (half for length in lengths for half in _halves_of(folded, length))
        names = (name for half in halves for name in self._halves.get(half, ())[:MAX_ALIKE])
        return any(SequenceMatcher(None, folded, name, autojunk=False).ratio() >= LIKENESS for name in names)

    def find(self, text: str, set_hint: str = "") -> NameMatch:
        """The cards this text means: an exact name, else the longest known name with a set, a number and
        marks after it.
        """
        folded = fold(text)
        if cards := self._bearers(folded):
            return NameMatch(self._narrow(cards, fold(set_hint), ""), set=fold(set_hint))
        for end in range(len(folded) - 1, 0, -1):
            if folded[end] not in " ([|*#^" or not (cards := self._bearers(folded[:end].rstrip())):
                continue
            begin = end + begin_of_marks(folded[end:])
            marks = _unfolded(text, folded, begin)
            if marks and read_marks(marks) is not None:
                if match := self._with_print(cards, folded[:begin], end):
                    return replace(match, marks=marks)
            elif match := self._with_print(cards, folded, end):
                return match
        return NameMatch()

    def _bearers(self, folded: str) -> tuple[Card, ...]:
        """The cards of exactly this name, else those of it but for quotation marks and the comma of
        thousands.
        """
        return self._called.get(folded) or self._loosely.get(
            _loose(folded) if '"' in folded or "," in folded else folded, ()
        )

    def _with_print(self, cards: tuple[Card, ...], folded: str, end: int) -> NameMatch | None:
        """These cards narrowed down by the set and number behind their name; None if anything else stands
        there.
        """
        extras = _EXTRAS.fullmatch(folded, end)
        if extras and (extras["set"] is not None or not extras["number"]):
            return self._by_print(cards, extras["set"] or "", extras["inner"] or extras["number"] or "")
        # A set without brackets is one only if a card of this name is in it: "2 Kai ON 12".
        bare = _BARE_SET.fullmatch(folded, end)
        if bare and any(_in_set(card, bare["set"]) for card in cards):
            return self._by_print(cards, bare["set"], bare["number"] or "")
        return None

    def _by_print(self, cards: tuple[Card, ...], set_code: str, number: str) -> NameMatch:
        narrowed = self._narrow(cards, set_code, number)
        fits = not set_code or any(_in_set(card, set_code) or card.type == set_code for card in narrowed)
        fits_number = not number or any(_has_number(card, number) for card in narrowed)
        ignored = " ".join(word for word, used in ((set_code, fits), (number, fits_number)) if not used)
        return NameMatch(narrowed, ignored, "", set_code, number)

    @staticmethod
    def _narrow(cards: tuple[Card, ...], set_code: str, number: str) -> tuple[Card, ...]:
        """The cards of that set and number; a hint that fits none of them is ignored."""
        if set_code:
            cards = tuple(c for c in cards if _in_set(c, set_code) or c.type == set_code) or cards
        if number:
            cards = tuple(c for c in cards if _has_number(c, number)) or cards
        return cards

    def label(self, card: Card, print_label: str = "") -> str:
        """The shortest text that names this card and no other in a list, with the print that is meant if one
        is.
        """
        if print_label and not card.written:
            set_code, _, number = print_label.partition(" ")
            return f"{card.name} ({set_code}) {number}".rstrip()
        alike = self._called.get(fold(card.name), ())
        if len(alike) <= 1 or not card.prints:
            return card.name
        own = card.prints[0]
        if sum(any(p.set == own.set for p in other.prints) for other in alike) == 1:
            return f"{card.name} ({own.set})"
        return f"{card.name} ({own.set}) {own.number or own.code}"


def _loose(folded: str) -> str:
    return " ".join(_LEFT_OUT.sub("", folded).split())


def _halves_of(name: str, length: int) -> tuple[tuple[int, str, str], ...]:
    """Both halves of a name of this length, as keys: a slip of the pen is in one of them."""
    half = length // 2
    return ((length, "begin", name[:half]), (length, "end", name[-half:])) if length >= MIN_MISSPELT else ()


def _unfolded(text: str, folded: str, begin: int) -> str:
    """The words of the text behind this place of its folded form; empty if they cannot be found."""
    words = text.split()
    before = len(folded[:begin].split())
    return " ".join(words[before:]) if fold(" ".join(words[:before])) == folded[:begin].rstrip() else ""


def _in_set(card: Card, set_code: str) -> bool:
    return any(fold(p.set) == set_code for p in card.prints)


def _has_number(card: Card, number: str) -> bool:
    return any(number in (fold(p.number), fold(p.code)) for p in card.prints)


def number_key(text: str) -> str:
    """What a collector number is looked up by: its letters and digits."""
    return re.sub(r"[^0-9a-z]+", " ", fold(text)).strip()
