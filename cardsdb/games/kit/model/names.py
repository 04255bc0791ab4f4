"""``NameIndex``: find the cards of a game by the names that people type, exactly or misspelt.

Each game has one index (``Game.name_index``); lists, searches, packages and pictures all use it, so they
agree on what is alike. ``find`` serves lists (``listtext/line.py``), ``like`` the suggestions. An exact name
always wins over a likeness, and likenesses are only offered: no function here picks a card by guessing.
Tests: ``tests/cardsdb/games/kit/model/test_names.py``; whole lines of lists in ``test_print_words.py`` beside
it and in ``tests/cardsdb/games/kit/listtext``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cardsdb.games.kit.model.cards import Card, Print
from cardsdb.games.kit.model.marks import begin_of_marks, read_marks
from cardsdb.games.kit.model.print_words import MAX_PRINT, NameMatch, narrowed_by_print, number_key
from cardsdb.games.kit.model.text import fold, plain_folded, plain_key

# Whole texts are compared by likeness, in percent (``fuzz.ratio``); words by edits: letters that are wrong,
# added, lacking or swapped with the next (``OSA.distance``).

# The least likeness at which a name is offered for a misspelt one.
LIKENESS = 70
# The least likeness at which a text is taken for a misspelt name.
ALL_BUT = 83
# The least likeness for a text of up to three letters, where each letter is a third; and for whole names of
# which one word is like a typed word.
LIKENESS_OF_SHORT = 65
# Characters of a text that are compared.
MAX_COMPARED = 100
# (least length of a name, most edits): names with more edits are not surely meant.
SLIPS = ((14, 3), (8, 2), (4, 1))
# Shorter texts are too like many names to be taken for a misspelt one.
MIN_MISSPELT = 6
# Words of a misspelt name that are compared.
MAX_WORDS = 8
# Most edits of a word of LONG_WORD letters or more. A shorter word may have one; one below SHORT_WORD letters
# none, unless it stands alone.
MAX_EDITS = 2
LONG_WORD = 5
SHORT_WORD = 3
# A word of this length or more is enough to offer the names that contain it.
WORD_ALONE = 4

# A number set off from a name as a number of copies is: "Kai: 2", "Kai - x2", "Kai (2)".
_DIVIDED = re.compile(r"(?:[:=;]\s?|,\s|\s-\s|[(\[])x?[0-9]+x?[)\]]?$")
# The end of a word, where a name may end: before a space, a bracket, a bar or the beginning of a mark. In
# "kai (on)" it matches at 3, behind "kai", and at 8, the end.
_END = re.compile(r"(?<=[^ ])(?=[ (\[|*#^]|$)")


def alike(
    typed: str, known: Iterable[str], limit: int | None = None, likeness: float = LIKENESS
) -> list[str]:
    """Return at most ``limit`` of the folded texts in ``known`` that are like a folded text as a whole, best
    first. Empty for an empty text.
    """
    typed = typed[:MAX_COMPARED]
    if not typed:
        return []
    found = process.extract(typed, tuple(known), scorer=fuzz.ratio, limit=None, score_cutoff=likeness)
    # Each match is (text, likeness, index); of equally like texts the one with fewer edits comes first.
    found.sort(key=lambda match: (-match[1], OSA.distance(typed, match[0]), match[0]))
    return [text for text, _, _ in found[:limit]]


def letters_off(typed: str, known: Iterable[str], most: int) -> dict[str, int]:
    """Return known word -> number of edits from the typed one, for the words with at most ``most`` edits."""
    found = process.extract(typed, tuple(known), scorer=OSA.distance, score_cutoff=most, limit=None)
    return {word: int(edits) for word, edits, _ in found}


def surely_meant(typed: str, names: Sequence[str]) -> str:
    """Return the name that a misspelt one surely means: at most the ``SLIPS`` of its length away, with the
    next name at least two edits further. Empty if no name is sure, or if the name is not misspelt.

    "Bruce Bulet Cho" means ``Bruce "Bullet" Cho`` (3 edits). A wrong digit is no misspelling: "Glock 18" does
    not mean "Glock 17".
    """
    folded = fold(typed)
    nearest = sorted((OSA.distance(folded, fold(name)), name) for name in names)
    if not nearest or (len(nearest) > 1 and nearest[1][0] <= nearest[0][0] + 1):
        return ""
    edits, name = nearest[0]
    length = min(len(folded), len(fold(name)))
    most = next((most for least, most in SLIPS if length >= least), 0)
    return name if 0 < edits <= most and digits_of(folded) == digits_of(fold(name)) else ""


def digits_of(text: str) -> str:
    """Return the digits of a text. Texts that differ in them are not misspellings of each other."""
    return "".join(filter(str.isdigit, text))


class NameIndex:
    """The cards of a game by names and aliases: exact, without punctuation, by the beginning, by likeness,
    and by collector number.

    All look-ups fold what they are given. ``sets``: code of a set -> its name, which may stand in place of
    the code.
    """

    def __init__(self, cards: Iterable[Card] = (), sets: Mapping[str, str] | None = None) -> None:
        self.cards, self._sets = tuple(cards), sets or {}
        # (plain key of a set's name or code, folded code): ("premiere-edition", "pre"), ("pre", "pre").
        keys = [(plain_key(name), fold(code)) for code, name in self._sets.items()]
        keys += [(fold(code), fold(code)) for code in self._sets]
        # Of a name whose first word has at least four letters that word is enough: "premiere" -> "pre". Then
        # the fourth character of the key is no hyphen.
        first_words = {key.partition("-")[0]: code for key, code in keys if key[3:4].isalnum()}
        # What lists write for a set -> its folded code. A whole name or code is preferred to a first word.
        self._codes = first_words | dict(keys)
        folded = {name: fold(name) for card in self.cards for name in (card.name, *card.aliases)}
        named = _gathered((folded[name], card) for card in self.cards for name in (card.name, *card.aliases))
        # Folded name -> its cards. An alias counts only if no card has it as its name.
        self._called = {
            name: tuple(card for card in bearers if folded[card.name] == name) or bearers
            for name, bearers in named.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Every folded name, for spelling suggestions."""
        return tuple(self._called)

    def called(self, text: str) -> tuple[Card, ...]:
        """Return the cards of exactly this name or alias."""
        return self._called.get(fold(text), ())

    def plainly(self, text: str) -> tuple[Card, ...]:
        """Return the cards of this name, ignoring punctuation: "First-Aid!" finds "First Aid"."""
        return self._plainly.get(plain_key(text), ())

    @cached_property
    def _plainly(self) -> dict[str, tuple[Card, ...]]:
        return _gathered((plain_key(name), card) for name, cards in self._called.items() for card in cards)

    def numbered(self, text: str) -> tuple[Card, ...]:
        """Return the cards with this collector number, alone or with its set, or with this code of a print:
        "154", "TRU 154", "The Truth is Out There 154" and "XF97-0154v2" find Eve.
        """
        return self._numbered.get(number_key(text), ())

    @cached_property
    def _numbered(self) -> dict[str, tuple[Card, ...]]:
        return _gathered(
            (number_key(text), card)
            for card in self.cards
            for print_ in card.prints
            for text in self._numbers_of(print_)
        )

    def _numbers_of(self, print_: Print) -> Iterator[str]:
        """Yield the code of a print, and its number alone, with the set's code and with the set's name."""
        yield print_.code
        if print_.number:
            for set_name in ("", print_.set, self._sets.get(print_.set, "")):
                yield f"{set_name} {print_.number}"

    # -- unfinished and misspelt names -----------------------------------------------

    def beginning(self, text: str) -> list[str]:
        """Return the names that begin with this text, in alphabetical order, then the names with a word that
        does. "khan" -> khan tao, khan xin, escape the khan's lair
        """
        part = fold(text)
        with_word = [name for name in self._called if begins_a_word(part, name)] if part else []
        whole = sorted(name for name in with_word if name.startswith(part))
        return list(dict.fromkeys((*whole, *with_word)))

    def resembles(self, text: str) -> bool:
        """True if the text is near enough to a name to be a misspelling of it."""
        folded = fold(text)
        return len(folded) >= MIN_MISSPELT and bool(
            process.extractOne(folded, self.names, scorer=fuzz.ratio, score_cutoff=ALL_BUT)
        )

    def cards_like(self, text: str, limit: int, whole: float = 0) -> list[Card]:
        """Return the cards of the names most like this one, best first. Parameters as for ``like``."""
        return list(
            dict.fromkeys(card for name in self.like(text, limit, whole) for card in self.called(name))
        )

    def like(self, text: str, limit: int, whole: float = 0) -> list[str]:
        """Return at most ``limit`` names that are like this one, best first; empty if none is.

        Several words that stand in longer names mean these alone: "Walter Skinner" is "Assistant Director
        Walter Skinner", not "Sharon Skinner". Else names that are like it as a whole come first, then names
        with words like its words: "silvio" -> ``"small time" silvio``. ``whole``: a least likeness in
        percent; if given, only names that are so like it as a whole are returned.
        """
        typed = fold(text)[:MAX_COMPARED]
        pieces = typed.split()[:MAX_WORDS]
        if len(pieces) > 1 and not whole:
            longer = [name for name in self._called if f" {typed} " in f" {name.replace(',', '')} "]
            if longer and typed not in longer:
                return sorted(longer, key=len)[:limit]
        likeness = LIKENESS_OF_SHORT if len(typed) < WORD_ALONE else LIKENESS
        names = alike(typed, self._called, limit, whole or likeness)
        # Names like the whole text are enough, except for a single word: it may be part of a longer name.
        is_enough = len(names) >= limit if len(pieces) == 1 else bool(names)
        if not whole and not is_enough:
            names += self._with_words_like(typed, pieces, limit)
        return list(dict.fromkeys(names))[:limit]

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """Word -> the names that contain it."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in self._called:
            for word in _words_of(name):
                names[word].append(name)
        return dict(names)

    def _words_like(self, piece: str, alone: bool) -> dict[str, int]:
        """Return word of a name -> edits between it and the piece. ``alone``: the text has no other word.
        "cho" -> {"cho": 0, "who": 1}
        """
        is_long, is_known = len(piece) >= LONG_WORD, piece in self._by_word
        is_short = len(piece) < SHORT_WORD and not alone
        # A long word that is spelt right is hardly the misspelt one of several.
        if is_short or (is_long and is_known and not alone):
            return {piece: 0} if is_known else {}
        return letters_off(piece, self._by_word, MAX_EDITS if is_long else 1)

    def _with_words_like(self, typed: str, pieces: list[str], limit: int) -> list[str]:
        """Return the names with words like more than half of the pieces: names with fewer edits first, then
        by likeness as a whole. If there are none, names with a word like one piece that are nearly like the
        text.

        "bulet cho" -> ``bruce "bullet" cho``, which is found at 1 edit: bulet is like bullet, cho is cho.
        """
        if max(map(len, pieces), default=0) < WORD_ALONE:
            return []
        near = [self._words_like(piece, len(pieces) == 1) for piece in pieces]
        chosen: dict[str, None] = {}  # an ordered set
        for allowed in range(MAX_EDITS + 1):
            # Name -> number of pieces that one of its words is like, with at most ``allowed`` edits each.
            met: Counter[str] = Counter()
            for words in near:
                alike_words = (word for word, edits in words.items() if edits <= allowed)
                met.update({name for word in alike_words for name in self._by_word[word]})
            fresh = [name for name in self._called if met[name] > len(pieces) // 2 and name not in chosen]
            # Of long names, above all of persons, people type the end; such names come first.
            ranked = sorted(alike(typed, fresh, likeness=0), key=lambda name: not name.endswith(f" {typed}"))
            chosen |= dict.fromkeys(ranked[:limit])
            if len(chosen) >= limit:
                break
        # ``met`` has now every name with a word like one piece.
        return list(chosen) or alike(typed, met, limit, LIKENESS_OF_SHORT)

    # -- lines of lists ------------------------------------------------------------------

    def find(self, text: str, print_hint: str = "", *, is_counted: bool = True) -> NameMatch:
        """Return the cards that a line of a list means: those of the longest known name that it begins with,
        narrowed down by the set and number after it; else those of a print's number alone.

        ``print_hint``: a set, or set and number, that stood elsewhere in the line; it counts if there are no
        words behind the name. ``is_counted``: the line has a number of copies elsewhere; without one, a mere
        number in brackets may be it and is not a print's. Two cards of Spycraft are called Tracer, an action
        in ON and an agent in ML::

            Tracer            -> both cards
            Tracer (ML)       -> the agent, set "ml"
            Tracer (XYZ)      -> both cards, ignored "xyz"
            Kai ^keep // boss -> Kai, marks "^keep // boss"
            mai tai           -> Mai-Tai (punctuation is ignored)
            Kai foo, Kai x2   -> no card: the words behind the name are no print
            TRU 154           -> in The X-Files Eve, the card with this number
        """
        if not self._called:
            return NameMatch()
        folded = fold(text)
        hint = f"({fold(print_hint)})" if print_hint else ""
        for end, cards in self._names_in(folded):
            begin, marks = _marks_behind(text, folded, end)
            behind = folded[end:begin].strip()  # the words between the name and the marks
            if not (behind or hint):
                return NameMatch(cards, marks=marks)
            match = narrowed_by_print(cards, behind or hint, is_counted, self._codes)
            # If words behind the name are no print, a shorter name is tried. A hint that is none is ignored.
            if match or not behind:
                return replace(match or NameMatch(cards, ignored=fold(print_hint)), marks=marks)
        return self._by_number_alone(text, folded, is_counted)

    def _names_in(self, folded: str) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """Yield (index behind the name, its cards) for each name that the text begins with, the longest
        first.
        """
        # A line whose first word begins no name names no card; this is the quickest way to see it.
        first_word = plain_folded(folded.partition(" ")[0]).partition("-")[0]
        if first_word and first_word not in self._first_words:
            return
        ends = [end.start() for end in _END.finditer(folded)]
        plainly = {} if folded in self._called else self._plain_names_in(folded, ends)
        for end in reversed(ends):
            if cards := self._called.get(folded[:end]) or plainly.get(end):
                yield end, cards

    def _by_number_alone(self, text: str, folded: str, is_counted: bool) -> NameMatch:
        """Return the cards of the print that the text names by its number or code, if it does. Digits alone
        are a number of copies.
        """
        code = folded[: begin_of_marks(folded)].strip()
        if len(code) <= MAX_PRINT and digits_of(code) and not code.isdigit():
            cards = self.numbered(code)
            match = narrowed_by_print(cards, f"({code})", is_counted, self._codes) if cards else None
            if match:
                return replace(match, marks=_unfolded(text, folded, len(code)))
        return NameMatch()

    def _plain_names_in(self, folded: str, ends: list[int]) -> dict[int, tuple[Card, ...]]:
        """Return index behind a name -> its cards, for the names that the text begins with if punctuation is
        ignored: "mai tai (on)" -> {7: (Mai-Tai,)}.

        ``ends``: the ends of words. Stops at marks and at a bar, where no name continues, and after as many
        letters as the longest name has, so that a long line takes no longer than a short one.
        """
        key, begin, found = "", 0, {}
        last = min(begin_of_marks(folded), len(folded.partition("|")[0]))
        for end in ends:
            key = "-".join(filter(None, (key, plain_folded(folded[begin:end]))))
            if end > last or len(key) > self._longest:
                break
            # A number of copies ends the name. The sign that divides it off may stand two characters before.
            if _DIVIDED.search(folded, max(begin - 2, 0), end):
                break
            if cards := self._plainly.get(key):
                found[end] = cards
            begin = end
        return found

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return frozenset(name.partition("-")[0] for name in self._plainly)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._plainly), default=0)

    def label(self, card: Card, print_label: str = "") -> str:
        """Return the shortest text that names this card and no other in a list, with the print if one is
        given: ``Kai``, ``Kai (TRU)``, ``Kai (TRU) 154``.
        """
        if print_label and not card.written:
            set_code, _, number = print_label.partition(" ")
            return f"{card.name} ({set_code}) {number}".rstrip()
        namesakes = self._called.get(fold(card.name), ())
        if len(namesakes) <= 1 or not card.prints:
            return card.name
        first = card.prints[0]
        in_set = [other for other in namesakes if any(print_.set == first.set for print_ in other.prints)]
        if len(in_set) == 1:
            return f"{card.name} ({first.set})"
        return f"{card.name} ({first.set}) {first.number or first.code}"


def begins_a_word(part: str, name: str) -> bool:
    """True if the part occurs in the name at the beginning of a word, or after a sign within one."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at >= 0


def _gathered(named: Iterable[tuple[str, Card]]) -> dict[str, tuple[Card, ...]]:
    """Return key -> its cards, each once; an empty key is left out."""
    found: dict[str, dict[str, Card]] = defaultdict(dict)
    for key, card in named:
        if key:
            found[key][card.key] = card
    return {key: tuple(cards.values()) for key, cards in found.items()}


def _words_of(name: str) -> set[str]:
    """Return the words of a name, and the rest of each word behind a sign: ``"doc"`` is also found as
    ``doc"``, ``x-ray`` as ``ray``.
    """
    found = set(name.split())
    for word in name.split():
        for at in range(1, len(word)):
            if word[at].isalnum() and not word[at - 1].isalnum():
                found.add(word[at:])
    return found


def _marks_behind(text: str, folded: str, end: int) -> tuple[int, str]:
    """Return (index in the folded text at which marks begin behind ``end``, the marks as typed); (length of
    the folded text, "") if there are none that can be read.
    """
    begin = end + begin_of_marks(folded[end:])
    marks = _unfolded(text, folded, begin) if begin < len(folded) else ""
    if marks and read_marks(marks) is not None:
        return begin, marks
    return len(folded), ""


def _unfolded(text: str, folded: str, begin: int) -> str:
    """Return the words of the text, as typed, that stand after index ``begin`` of its folded form; empty if
    the words before it do not fold to the same.
    """
    words = text.split()
    before = len(folded[:begin].split())
    if fold(" ".join(words[:before])) != folded[:begin].rstrip():
        return ""
    return " ".join(words[before:])
