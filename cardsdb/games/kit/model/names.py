"""Find cards by the names that people use for them: exactly, and by how alike they are where one is misspelt.
One measure serves lists, searches, packages and pictures; nothing is ever guessed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cardsdb.games.kit.model.cards import Card, Print
from cardsdb.games.kit.model.marks import begin_of_marks, read_marks
from cardsdb.games.kit.model.text import NUMBER_WORDS, fold

# How alike a name must be to be offered in place of a misspelt one, and to be all but that name, in
# hundredths.
LIKENESS, ALL_BUT = 70, 83
# Of a name of three letters each is a third; of one with a word as typed less needs to be alike.
LIKENESS_OF_SHORT = 65
# Characters of a text that are compared.
MAX_COMPARED = 100
# How many letters may be wrong, too many, lacking or in another's place in a name that is surely meant, by
# its least length.
SLIPS = ((14, 3), (8, 2), (4, 1))


def alike(
    typed: str, known: Iterable[str], limit: int | None = None, likeness: float = LIKENESS
) -> list[str]:
    """Return those of the known folded texts that are like a folded one as a whole, best first; none for an
    empty text.
    """
    typed = typed[:MAX_COMPARED]
    if not typed:
        return []
    found = process.extract(typed, tuple(known), scorer=fuzz.ratio, limit=None, score_cutoff=likeness)
    found.sort(key=lambda one: (-one[1], OSA.distance(typed, one[0]), one[0]))
    return [text for text, _, _ in found[:limit]]


def letters_off(typed: str, known: Iterable[str], most: int) -> dict[str, int]:
    """Return the known words that are at most so many letters off a typed one, each with how many are."""
    found = process.extract(typed, tuple(known), scorer=OSA.distance, score_cutoff=most, limit=None)
    return {word: int(off) for word, off, _ in found}


def surely_meant(typed: str, names: Sequence[str]) -> str:
    """Return the one of these names that a misspelt one surely means: a few letters off, and no other as
    near; empty if none is sure.

    A name with another number in it is another name.
    """
    folded = fold(typed)
    off = sorted((OSA.distance(folded, fold(name)), name) for name in names)
    if not off or (len(off) > 1 and off[1][0] <= off[0][0] + 1):
        return ""
    letters, name = off[0]
    length = min(len(folded), len(fold(name)))
    most = next((slips for least, slips in SLIPS if length >= least), 0)
    return name if 0 < letters <= most and digits_of(folded) == digits_of(fold(name)) else ""


def digits_of(text: str) -> str:
    """Return the digits of a text: two that differ in these are no slip of each other."""
    return "".join(filter(str.isdigit, text))


# After a name: (SET) 123, [SET#123], [SET:123], |SET|123, #123, then finishes and tags other tools add. A
# number alone is neither, for it may be a count.
_EXTRAS = re.compile(
    r"""\s*(?:[(\[|]\s*(?P<set>[^)\]:\#|/$€£]*?)\s*(?:[:\#|]\s*(?P<inner>[^)\]|/]+?)\s*)?(?:[)\]]|$))?
        \s*(?P<hash>\#)?(?P<number>[\w.-]+)?\s*
        (?:(?![*\[^]\s*x?\s?[0-9]+\s?x?\s*[*\]^])(?:\*\w+\*|\[[^\]]*\]|\^[^^]*\^)\s*)*$""",
    re.VERBOSE,
)
_COUNT = re.compile(rf"\W?(?:x|no\.|(?:qty|quantity)\W?)?\s?[0-9]+x?(?:\W.*)?|{'|'.join(NUMBER_WORDS)}")
_NUMBER = re.compile(r"[\w.-]*")
# A number that is divided from a name, as counts are.
_DIVIDED = re.compile(r"(?:[:=;]\s?|,\s|\s-\s|[(\[])x?[0-9]+x?[)\]]?$")
# Characters of a set's name and a number.
MAX_PRINT = 60
# How many cards a set has, behind a number in it.
_OF_SET = re.compile(r"(?<=[0-9])/[0-9]+")

# Of shorter names any few letters are half a name.
MIN_MISSPELT = 6
# Words of a misspelt name that are looked at, and letters that may be wrong in one.
MAX_WORDS, MAX_EDITS = 8, 2
# From the first length on a word may differ by two letters; below the second, by none unless it stands alone.
LONG_WORD, SHORT_WORD = 5, 3
# From this length on one word of a name is enough to offer it.
WORD_ALONE = 4

# Marks within a word: the apostrophe, and the comma of thousands.
_IN_WORDS = re.compile(r"'|(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_LETTERS = re.compile(r"[^\W_]+")
# What may stand behind a word of a name in a list.
_END = re.compile(r"(?<=[^ ])(?=[ (\[|*#^]|$)")


@dataclass(frozen=True)
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
    """Cards by their names and aliases, folded: exactly, but for marks, by the longest prefix, by their
    beginnings, and by likeness.

    ``sets``: a set's code -> its name, by which a number may be called, too.
    """

    def __init__(self, cards: Iterable[Card] = (), sets: Mapping[str, str] | None = None) -> None:
        self.cards, self._sets = tuple(cards), sets or {}
        keys = [(plain_key(name), fold(code)) for code, name in self._sets.items()]
        keys += [(fold(code), fold(code)) for code in self._sets]
        # The first word of a set's name is enough, Premiere for Premiere Edition, if it has four letters.
        self._codes = {key.partition("-")[0]: code for key, code in keys if key[3:4].isalnum()} | dict(keys)
        folded = {name: fold(name) for card in self.cards for name in (card.name, *card.aliases)}
        named = _gathered((folded[name], card) for card in self.cards for name in (card.name, *card.aliases))
        # An alias counts where no card has the name itself.
        self._called = {
            name: tuple(c for c in bearers if folded[c.name] == name) or bearers
            for name, bearers in named.items()
        }

    def numbered(self, text: str) -> tuple[Card, ...]:
        """The cards with this collector number, alone or with its set, or this code of a print."""
        return self._numbered.get(number_key(text), ())

    @cached_property
    def _numbered(self) -> dict[str, tuple[Card, ...]]:
        printed = ((card, one) for card in self.cards for one in card.prints)
        sets = ((card, one, ("", one.set, self._sets.get(one.set, ""))) for card, one in printed)
        return _gathered(
            (number_key(text), card)
            for card, one, of in sets
            for text in (one.code, *(f"{name} {one.number}" for name in of if one.number))
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Every folded name, for spelling suggestions."""
        return tuple(self._called)

    def called(self, text: str) -> tuple[Card, ...]:
        """The cards of exactly this name or alias."""
        return self._called.get(fold(text), ()) if self._called else ()

    def plainly(self, text: str) -> tuple[Card, ...]:
        """The cards of this name but for the signs in and around it, which people leave out and other
        programs write otherwise.
        """
        return self._plainly.get(plain_key(text), ())

    @cached_property
    def _plainly(self) -> dict[str, tuple[Card, ...]]:
        return _gathered((plain_key(name), card) for name, cards in self._called.items() for card in cards)

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return frozenset(name.partition("-")[0] for name in self._plainly)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._plainly), default=0)

    # -- names that are begun, or misspelt ------------------------------------------

    def beginning(self, text: str) -> list[str]:
        """The names that begin so, in the order of the alphabet, then those with a word that begins so."""
        part = fold(text)
        with_word = [name for name in self._called if begins_a_word(part, name)] if part else []
        whole = sorted(name for name in with_word if name.startswith(part))
        return list(dict.fromkeys((*whole, *with_word)))

    def resembles(self, text: str) -> bool:
        """True if the text is near enough to a name to be one that is misspelt."""
        folded = fold(text)
        return len(folded) >= MIN_MISSPELT and bool(
            process.extractOne(folded, self.names, scorer=fuzz.ratio, score_cutoff=ALL_BUT)
        )

    def cards_like(self, text: str, limit: int, whole: float = 0) -> list[Card]:
        """The cards of the names that are most like this one, best first; ``limit`` and ``whole`` as for
        ``like``.
        """
        return list(
            dict.fromkeys(card for name in self.like(text, limit, whole) for card in self.called(name))
        )

    def like(self, text: str, limit: int, whole: float = 0) -> list[str]:
        """The names, ``limit`` at most, that are most like this one, best first; none if none is like it.

        The names that are like it as a whole come first, then those with words like its words; none of these
        where it must be so like ``whole``, in hundredths.
        """
        typed = fold(text)[:MAX_COMPARED]
        pieces = typed.split()[:MAX_WORDS]
        likeness = LIKENESS_OF_SHORT if len(typed) < WORD_ALONE else LIKENESS
        names = alike(typed, self._called, limit, whole or likeness)
        # A whole name with a slip in it is enough; of one word alone most that it may mean are longer.
        if not whole and (not names or (len(pieces) == 1 and len(names) < limit)):
            names += self._with_words_like(typed, pieces, limit)
        return list(dict.fromkeys(names))[:limit]

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """Word -> the names with it."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in self._called:
            for word in _words_of(name):
                names[word].append(name)
        return dict(names)

    def _words_like(self, piece: str, alone: bool) -> dict[str, int]:
        """The words at most an edit or two from the piece, each with its number of edits."""
        most = MAX_EDITS if len(piece) >= LONG_WORD else 1 if alone or len(piece) >= SHORT_WORD else 0
        # A long word of some name beside others is hardly the one with the slip.
        if not most or (not alone and len(piece) >= LONG_WORD and piece in self._by_word):
            return {piece: 0} if piece in self._by_word else {}
        return letters_off(piece, self._by_word, most)

    def _with_words_like(self, typed: str, pieces: list[str], limit: int) -> list[str]:
        """The names with a word like most of the pieces: the likeliest words first, then the names likest as
        a whole; without any, those with a word like one of them that are nearly likely as a whole.
        """
        near = [self._words_like(piece, len(pieces) == 1) for piece in pieces]
        chosen: dict[str, None] = {}
        met: Counter[str] = Counter()
        for most in range(MAX_EDITS + 1) if max(map(len, pieces), default=0) >= WORD_ALONE else ():
            words = [[word for word, edits in of.items() if edits <= most] for of in near]
            met = Counter(
                name for of in words for name in {name for word in of for name in self._by_word[word]}
            )
            fresh = [name for name in self._called if met[name] > len(pieces) // 2 and name not in chosen]
            # Of long names people write the end, above all of persons.
            near_names = sorted(
                alike(typed, fresh, likeness=0), key=lambda name: not name.endswith(f" {typed}")
            )
            chosen |= dict.fromkeys(near_names[:limit])
            if len(chosen) >= limit:
                break
        return list(chosen) or alike(typed, met, limit, LIKENESS_OF_SHORT)

    # -- lines of lists ------------------------------------------------------------------

    def find(self, text: str, print_hint: str = "", *, is_counted: bool = True) -> NameMatch:
        """The cards this text means: an exact name, else the longest known name with a set, a number and
        marks after it. ``print_hint``: a set, or set and number, that stood elsewhere.

        Unless the line is counted already, a mere number between brackets is no print's.
        """
        folded, hint = fold(text), f"({fold(print_hint)})" if print_hint else ""
        if not self._called:
            return NameMatch()
        first, last = _plain(folded.partition(" ")[0]).partition("-")[0], begin_of_marks(folded)
        is_name = not first or first in self._first_words
        ends = [end.start() for end in _END.finditer(folded)] if is_name else []
        plainly = {} if folded in self._called else self._plainly_before(folded, ends, last)
        for end in reversed(ends):
            if not (cards := self._called.get(folded[:end].rstrip()) or plainly.get(end)):
                continue
            begin = end + begin_of_marks(folded[end:])
            marks = _unfolded(text, folded, begin) if begin < len(folded) else ""
            if not marks or read_marks(marks) is None:
                begin, marks = len(folded), ""
            behind = folded[end:begin].strip()
            if not (behind or hint):
                return NameMatch(cards, marks=marks)
            match = self._with_print(cards, behind or hint, is_counted)
            if match or not behind:
                return replace(match or NameMatch(cards, fold(print_hint)), marks=marks)
        code = folded[:last].strip()
        is_code = len(code) <= MAX_PRINT and digits_of(code) and not code.isdigit()
        cards = self.numbered(code) if is_code else ()
        match = self._with_print(cards, f"({code})", is_counted) if cards else None
        return replace(match, marks=_unfolded(text, folded, len(code))) if match else NameMatch()

    def _plainly_before(self, folded: str, ends: list[int], last: int) -> dict[int, tuple[Card, ...]]:
        """Return the cards of the names that the text begins with but for signs in them, each by its end, up
        to ``last``, where marks begin: their signs are none of a name. ``ends``: of its words.

        Every word is looked at once, and none behind as many letters as the longest name has.
        """
        key, begin, found = "", 0, {}
        last = min(last, len(folded.partition("|")[0]))
        for end in ends:
            key = "-".join(filter(None, (key, _plain(folded[begin:end]))))
            if end > last or len(key) > self._longest:
                break
            if _DIVIDED.search(folded, max(begin - 2, 0), end):
                break
            if cards := self._plainly.get(key):
                found[end] = cards
            begin = end
        return found

    def _with_print(self, cards: tuple[Card, ...], behind: str, is_counted: bool) -> NameMatch | None:
        """These cards narrowed down by the set and number behind their name; None if anything else stands
        there.
        """
        if priced := tuple(card for card in cards if _costs(card, behind)):
            return NameMatch(priced)
        behind = _OF_SET.sub("", behind)
        extras = _EXTRAS.fullmatch(behind)
        if extras and (extras["set"] is not None or extras["hash"] or not extras["number"]):
            set_code, outside = extras["set"] or "", extras["number"] or ""
            alone = "" if plain_key(set_code) in self._codes else set_code
            alone += f" {extras['inner']}" if alone and extras["inner"] else ""
            if _COUNT.fullmatch(alone) and (outside or not is_counted or _may_count(alone, cards, False)):
                return None
            number = extras["inner"] or outside
            if not (is_counted or set_code) and _may_count(number, cards, False):
                return None
            if not extras["hash"] and _may_count(outside, cards, is_counted):
                return None
            named = self._set_and_number(f"{set_code} {number}".strip(), cards)
            if named or _NUMBER.fullmatch(number):
                return self._by_print(cards, *(named or (set_code, number)))
            return None
        # A set without brackets is one only if a card of this name is in it: "2 Kai ON 12".
        named = self._set_and_number(behind.lstrip("-,: "), cards)
        if named and any(_in_set(card, named[0]) for card in cards):
            return None if _may_count(named[1], cards, is_counted) else self._by_print(cards, *named)
        if " " in behind or number_key(behind) not in {number_key(p.code) for c in cards for p in c.prints}:
            return None
        return self._by_print(cards, "", behind)

    def _set_and_number(self, words: str, cards: Iterable[Card]) -> tuple[str, str] | None:
        """The set and the number that the words consist of; None without a known set, or one of the cards."""
        for name, number in ((words, ""), words.rpartition(" ")[::2]) if len(words) <= MAX_PRINT else ():
            if name[-1:] in (*":;,=-",) or not _NUMBER.fullmatch(number):
                continue
            code = self._codes.get(plain_key(name), name)
            if code != name or any(_in_set(card, code) or card.type == code for card in cards):
                return code, number
        return None

    def _by_print(self, cards: tuple[Card, ...], set_code: str, number: str) -> NameMatch:
        in_set = tuple(
            card for card in cards if set_code and (_in_set(card, set_code) or card.type == set_code)
        )
        if not (number or in_set) and any(_is_number(one, set_code) for card in cards for one in card.prints):
            set_code, number = "", set_code
        cards = in_set or cards
        meant = [
            (card, one)
            for card in cards
            for one in card.prints
            if _is_number(one, number) and (not in_set or set_code in (fold(one.set), card.type))
        ]
        ignored = " ".join((*[set_code] * (not in_set), *[number] * (not meant))).strip()
        cards = tuple(dict.fromkeys(card for card, _ in meant)) or cards
        prints = {(fold(one.set), fold(one.number or one.code)) for _, one in meant}
        set_code, number = prints.pop() if len(prints) == 1 else (set_code, number)
        return NameMatch(cards, ignored, "", set_code, number)

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


def _gathered(named: Iterable[tuple[str, Card]]) -> dict[str, tuple[Card, ...]]:
    """Key -> its cards, each once; nothing for an empty key."""
    found: dict[str, dict[str, Card]] = defaultdict(dict)
    for key, card in named:
        if key:
            found[key][card.key] = card
    return {key: tuple(cards.values()) for key, cards in found.items()}


def begins_a_word(part: str, name: str) -> bool:
    """True if the part begins somewhere in the name where a word does, or behind a mark in it."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at >= 0


def _words_of(name: str) -> set[str]:
    """The words of a name, and their parts behind a mark: ``"doc"`` is found by its d, ``x-ray`` by its r."""
    return {
        word[at:]
        for word in name.split()
        for at in range(len(word))
        if not at or (word[at].isalnum() and not word[at - 1].isalnum())
    }


def _unfolded(text: str, folded: str, begin: int) -> str:
    """The words of the text behind this place of its folded form; empty if they cannot be found."""
    words = text.split()
    before = len(folded[:begin].split())
    return " ".join(words[before:]) if fold(" ".join(words[:before])) == folded[:begin].rstrip() else ""


def _in_set(card: Card, set_code: str) -> bool:
    return any(fold(p.set) == set_code for p in card.prints)


def _may_count(number: str, cards: Iterable[Card], is_counted: bool) -> bool:
    """Say if a number of none of the prints may be how many copies there are: any in a line that has no
    count, ``x2`` in every line.
    """
    known = any(_is_number(one, number) for card in cards for one in card.prints)
    return not known and bool(_COUNT.fullmatch(number)) and not (is_counted and number.isdigit())


def _costs(card: Card, words: str) -> bool:
    """Say if the words are a number and a word that are facts of the card: ``(2 RP)``."""
    number, _, unit = words.strip("()[]-–—,: ").partition(" ")
    if not number.isdigit() or " " in unit:
        return False
    return {number, unit} <= {fold(str(fact)) for fact in card.facts.values() if isinstance(fact, int | str)}


def _is_number(one: Print, number: str) -> bool:
    keys = (number_key(one.number), number_key(one.code))
    return bool(number) and (number == one.number or number_key(number) in keys)


def plain_key(text: str) -> str:
    """The letters and digits of a name or number, by which it is looked up whatever marks stand between."""
    return _plain(fold(text))


def _plain(folded: str) -> str:
    # A look is quicker than the pattern, and most words have no such mark.
    folded = _IN_WORDS.sub("", folded) if "'" in folded or "," in folded else folded
    return "-".join(_LETTERS.findall(folded))


def number_key(text: str) -> str:
    """The letters and digits of a collector number, by which it is looked up; without zeros before it."""
    return re.sub(r"\b0+(?=[0-9])", "", plain_key(text))
