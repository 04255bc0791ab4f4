"""Read the words behind a card's name in a line of a list: the set and the number of a print, in the ways
that many programs write them, such as ``(TRU) 154``, ``[TRU:154]``, ``#154``, ``TRU 154``.

``NameIndex.find`` calls ``narrowed_by_print``. A number of copies must never be read as the number of a
print: where a number may be either, the answer is None and the caller reads the line in another way. Sets and
words are folded in all functions here; only ``_EXTRAS`` knows brackets. Tests in whole lines stand also in
``tests/cardsdb/games/kit/listtext/test_forms.py`` and ``test_line.py``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.model.cards import Card, Print
from cardsdb.games.kit.model.text import NUMBER_WORDS, fold, plain_key

# Most characters of the name of a set with a number.
MAX_PRINT = 60
# A set in brackets or bars, a number inside or after it, then finishes and tags that other programs add:
# (SET) 123, [SET#123], [SET:123], |SET|123, #123, *F*, [Foil], ^Have^. A number between signs that mark
# copies, as in *2*, is none of these.
_EXTRAS = re.compile(
    r"""\s*(?:[(\[|]\s*(?P<set>[^)\]:\#|/$€£]*?)\s*(?:[:\#|]\s*(?P<inner>[^)\]|/]+?)\s*)?(?:[)\]]|$))?
        \s*(?P<hash>\#)?(?P<number>[\w.-]+)?\s*
        (?:(?![*\[^]\s*x?\s?[0-9]+\s?x?\s*[*\]^])(?:\*\w+\*|\[[^\]]*\]|\^[^^]*\^)\s*)*$""",
    re.VERBOSE,
)
# A number of copies: 2, x2, 2x, no. 2, qty: 2, two.
_COUNT = re.compile(rf"\W?(?:x|no\.|(?:qty|quantity)\W?)?\s?[0-9]+x?(?:\W.*)?|{'|'.join(NUMBER_WORDS)}")
# A collector number, or nothing.
_NUMBER = re.compile(r"[\w.-]*")
# The size of the set behind a number: /60 in 12/60.
_OF_SET = re.compile(r"(?<=[0-9])/[0-9]+")


@dataclass(frozen=True)
class NameMatch:
    """The cards that a text may mean: several, one or none.

    ``ignored``: a set or number in the text that none of the cards has. ``marks``: the author's marks as
    written. ``set``, ``number``: the print that the text names, folded.
    """

    cards: tuple[Card, ...] = ()
    ignored: str = ""
    marks: str = ""
    set: str = ""
    number: str = ""


def narrowed_by_print(
    cards: tuple[Card, ...], words: str, is_counted: bool, codes: Mapping[str, str]
) -> NameMatch | None:
    """Return the cards of one name, narrowed down by the folded words behind it; None if these are no print.

    ``is_counted``: the line has a number of copies elsewhere. ``codes``: plain key of a set's name or code ->
    its folded code.
    """
    if priced := tuple(card for card in cards if _costs(card, words)):
        return NameMatch(priced)
    words = _OF_SET.sub("", words)
    extras = _EXTRAS.fullmatch(words)
    if extras and (extras["set"] is not None or extras["hash"] or not extras["number"]):
        return _in_brackets(cards, extras, is_counted, codes)
    # A set without brackets is read as one only if a card of this name is in it: "2 Kai ON 12".
    named = _set_and_number(words.lstrip("-,: "), cards, codes)
    if named and any(_in_set(card, named[0]) for card in cards):
        return None if _may_count(named[1], cards, is_counted) else _by_print(cards, *named)
    if " " in words or number_key(words) not in {number_key(p.code) for c in cards for p in c.prints}:
        return None
    return _by_print(cards, "", words)


def _in_brackets(
    cards: tuple[Card, ...], extras: re.Match[str], is_counted: bool, codes: Mapping[str, str]
) -> NameMatch | None:
    """Return the cards narrowed down by a match of ``_EXTRAS``; None if its number may be one of copies."""
    set_code, outside = extras["set"] or "", extras["number"] or ""
    unknown = "" if plain_key(set_code) in codes else set_code
    unknown += f" {extras['inner']}" if unknown and extras["inner"] else ""
    # In a line without a number of copies, one in brackets may be it: "Kai (2)".
    if _COUNT.fullmatch(unknown) and (outside or not is_counted or _may_count(unknown, cards, False)):
        return None
    number = extras["inner"] or outside
    if not (is_counted or set_code) and _may_count(number, cards, False):
        return None
    if not extras["hash"] and _may_count(outside, cards, is_counted):
        return None
    named = _set_and_number(f"{set_code} {number}".strip(), cards, codes)
    if named or _NUMBER.fullmatch(number):
        return _by_print(cards, *(named or (set_code, number)))
    return None


def _set_and_number(words: str, cards: Iterable[Card], codes: Mapping[str, str]) -> tuple[str, str] | None:
    """Return (code of the set, number or "") if that is all the words say; None without a known set. The type
    of one of the cards may stand in place of a set.
    """
    if len(words) > MAX_PRINT:
        return None
    first, _, last = words.rpartition(" ")
    for name, number in ((words, ""), (first, last)):
        # Such a sign at its end stands before a number of copies.
        if name.endswith((":", ";", ",", "=", "-")) or not _NUMBER.fullmatch(number):
            continue
        code = codes.get(plain_key(name), name)
        if code != name or any(_in_set(card, code) or card.type == code for card in cards):
            return code, number
    return None


def _by_print(cards: tuple[Card, ...], set_code: str, number: str) -> NameMatch:
    """Return the cards with this set (or type) and number. If no card has one of them, it is ignored."""
    in_set = tuple(card for card in cards if set_code and (_in_set(card, set_code) or card.type == set_code))
    if not (number or in_set) and any(_is_number(print_, set_code) for c in cards for print_ in c.prints):
        # What stands in the place of a set is a number: "Kai (154)".
        set_code, number = "", set_code
    candidates = in_set or cards
    meant = [
        (card, print_)
        for card in candidates
        for print_ in card.prints
        if _is_number(print_, number) and (not in_set or set_code in (fold(print_.set), card.type))
    ]
    ignored = f"{'' if in_set else set_code} {'' if meant else number}".strip()
    # Without a print of this number the number is ignored.
    named = tuple(dict.fromkeys(card for card, _ in meant)) or candidates
    prints = {(fold(print_.set), fold(print_.number or print_.code)) for _, print_ in meant}
    if len(prints) == 1:
        ((set_code, number),) = prints
    return NameMatch(named, ignored, set=set_code, number=number)


def number_key(text: str) -> str:
    """Return the key by which a collector number is looked up: letters and digits, without leading zeros.
    ``TRU 007`` -> ``tru-7``
    """
    return re.sub(r"\b0+(?=[0-9])", "", plain_key(text))


def _in_set(card: Card, set_code: str) -> bool:
    return any(fold(print_.set) == set_code for print_ in card.prints)


def _is_number(print_: Print, number: str) -> bool:
    keys = (number_key(print_.number), number_key(print_.code))
    return bool(number) and (number == print_.number or number_key(number) in keys)


def _may_count(number: str, cards: Iterable[Card], is_counted: bool) -> bool:
    """True if the number may be one of copies: it is no print's, and is ``x2``, or any number in a line that
    has no number of copies yet.
    """
    known = any(_is_number(print_, number) for card in cards for print_ in card.prints)
    return not known and bool(_COUNT.fullmatch(number)) and not (is_counted and number.isdigit())


def _costs(card: Card, words: str) -> bool:
    """True if the words are a number and a word that are facts of the card, such as its cost: ``(2 RP)``."""
    number, _, unit = words.strip("()[]-–—,: ").partition(" ")
    if not number.isdigit() or " " in unit:
        return False
    return {number, unit} <= {fold(str(fact)) for fact in card.facts.values() if isinstance(fact, int | str)}
