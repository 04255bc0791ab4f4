"""Read the words behind a card's name in a line of a list: the set and the number of a print, in the ways
that many programs write them, such as ``(TRU) 154``, ``[TRU:154]``, ``#154``, ``TRU 154``.

``NameIndex`` calls ``narrowed_by_print`` with the words of ``set_codes``. A number of copies must never be
read as the number of a print: where a number may be either, the answer is None and the caller reads the line
in another way. ``narrowed_by_print`` and all below it get sets and words folded; only ``_EXTRAS`` knows
brackets.
Tests: ``tests/cardsdb/games/kit/model/test_print_words.py``; whole lines in ``test_forms.py`` and
``test_line.py`` of ``tests/cardsdb/games/kit/listtext``.
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
# copies, as in *2*, is none of these. The groups: "(tru) 1" -> set "tru", number "1"; "[tru:1]" -> set "tru",
# inner "1"; "#12" -> hash "#", number "12"; "(2)" -> set "2", which may be a number of copies.
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


def set_codes(sets: Mapping[str, str]) -> dict[str, str]:
    """Return what lists write for a set -> its folded code: its name, its code, or the first word of its
    name if that has at least four letters. A whole name or code is preferred to a first word. ``sets``: code
    -> name.

    {"PRE": "Premiere Edition"} -> {"premiere": "pre", "premiere-edition": "pre", "pre": "pre"}
    """
    whole = {plain_key(name): fold(code) for code, name in sets.items()}
    whole |= {fold(code): fold(code) for code in sets}
    first_words = {key.partition("-")[0]: code for key, code in whole.items()}
    return {word: code for word, code in first_words.items() if len(word) >= 4} | whole


def narrowed_by_print(
    cards: tuple[Card, ...], words: str, is_counted: bool, codes: Mapping[str, str]
) -> NameMatch | None:
    """Return the cards of one name, narrowed down by the folded words behind it; None if these are no print.

    ``is_counted``: the line has a number of copies elsewhere. ``codes``: plain key of a set's name or code ->
    its folded code. For a card with the prints PRE 1 and TRU 1::

        words                 if counted          if not counted
        (tru) 1, tru 001/354  TRU 1               the same
        premiere edition      set PRE             the same
        [zzz]                 "zzz" is ignored    the same
        tru 99                "99" is ignored     None: 99 may be a number of copies
        (1)                   number 1            None
        x2, (2), foo          None                None
    """
    # The cost behind a name, as in "(2 CP)", says only which of the cards is meant.
    if priced := tuple(card for card in cards if _costs(card, words)):
        return NameMatch(priced)
    words = _OF_SET.sub("", words)
    extras = _EXTRAS.fullmatch(words)
    if extras and (extras["set"] is not None or extras["hash"] or not extras["number"]):
        return _in_brackets(cards, extras, is_counted, codes)
    # A set without brackets is read as one only if a card of this name is in it: "2 Kai ON 12".
    named = _set_and_number(words.lstrip("-,: "), cards, codes)
    if named:
        set_code, number = named
        if any(_in_set(card, set_code) for card in cards):
            return None if _may_count(number, cards, is_counted) else _by_print(cards, set_code, number)
    # The code of a print may stand alone, a mere number may not.
    if " " in words or number_key(words) not in {number_key(p.code) for c in cards for p in c.prints}:
        return None
    return _by_print(cards, "", words)


def _in_brackets(
    cards: tuple[Card, ...], extras: re.Match[str], is_counted: bool, codes: Mapping[str, str]
) -> NameMatch | None:
    """Return the cards narrowed down by a match of ``_EXTRAS``; None if its number may be one of copies."""
    set_code, inner, outside = extras["set"] or "", extras["inner"] or "", extras["number"] or ""
    # In place of a set stands a number of copies: "Kai (2)", or with a word "Kai (qty: 2)".
    unknown = f"{set_code} {inner}".rstrip() if set_code and plain_key(set_code) not in codes else ""
    if _COUNT.fullmatch(unknown) and (outside or not is_counted or _may_count(unknown, cards, False)):
        return None
    number = inner or outside
    # There is no set at all: "Kai #4".
    if not (is_counted or set_code) and _may_count(number, cards, False):
        return None
    # A number of copies stands behind the set: "Kai (ON) x2".
    if not extras["hash"] and _may_count(outside, cards, is_counted):
        return None
    named = _set_and_number(f"{set_code} {number}".strip(), cards, codes)
    if named or _NUMBER.fullmatch(number):
        return _by_print(cards, *(named or (set_code, number)))
    return None


def _set_and_number(words: str, cards: Iterable[Card], codes: Mapping[str, str]) -> tuple[str, str] | None:
    """Return (code of the set, number or "") if that is all the words say; None without a known set. The type
    of one of the cards may stand in place of a set. "premiere edition 1" -> ("pre", "1"), "zzz" -> None
    """
    if len(words) > MAX_PRINT:
        return None
    first, _, last = words.rpartition(" ")
    for name, number in ((words, ""), (first, last)):
        # A sign at the end of the name divides it from a number of copies: "tru: 2".
        if name.endswith((":", ";", ",", "=", "-")) or not _NUMBER.fullmatch(number):
            continue
        code = codes.get(plain_key(name), name)
        if code != name or any(_in_set(card, code) or card.type == code for card in cards):
            return code, number
    return None


def _by_print(cards: tuple[Card, ...], set_code: str, number: str) -> NameMatch:
    """Return the cards with this set (or type) and number; either may be empty. If no card has one of them,
    it is reported as ``ignored`` and narrows nothing.
    """
    in_set = tuple(card for card in cards if set_code and (_in_set(card, set_code) or card.type == set_code))
    if not (number or in_set) and any(_is_number(print_, set_code) for c in cards for print_ in c.prints):
        # What stands in the place of a set is a number: "Kai (154)".
        set_code, number = "", set_code
    candidates = in_set or cards
    # (card, its print) with this number, in this set if any card is in it.
    meant = [
        (card, print_)
        for card in candidates
        for print_ in card.prints
        if _is_number(print_, number) and (not in_set or set_code in (fold(print_.set), card.type))
    ]
    ignored = f"{'' if in_set else set_code} {'' if meant else number}".strip()
    named = tuple(dict.fromkeys(card for card, _ in meant)) or candidates
    # If the number leaves one print, the match names it in full: its set and its number, not its code.
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
    """True if the print has this collector number or code; False for an empty number."""
    keys = (number_key(print_.number), number_key(print_.code))
    return bool(number) and (number == print_.number or number_key(number) in keys)


def _may_count(number: str, cards: Iterable[Card], is_counted: bool) -> bool:
    """True if the number may be one of copies: it is no print's, and either has a sign or word of copies
    (``x2``) or is any number in a line that has no number of copies yet.
    """
    known = any(_is_number(print_, number) for card in cards for print_ in card.prints)
    return not known and bool(_COUNT.fullmatch(number)) and not (is_counted and number.isdigit())


def _costs(card: Card, words: str) -> bool:
    """True if the words are a number and a word that are facts of the card, such as its cost: ``(2 RP)`` for
    a card whose ``cost`` is 2 and whose ``pool`` is RP.
    """
    number, _, unit = words.strip("()[]-–—,: ").partition(" ")
    if not number.isdigit() or " " in unit:
        return False
    return {number, unit} <= {fold(str(fact)) for fact in card.facts.values() if isinstance(fact, int | str)}
