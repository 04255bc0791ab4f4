"""``NameIndex``: find the cards of a game by the names that people type, exactly or misspelt.

Each game has one index (``Game.name_index``); lists, searches, packages and pictures all use it, so they
agree on what is alike. ``find`` serves lists (``listtext/line.py``), ``like`` the suggestions. An exact name
always wins over a likeness, and likenesses are only offered: no function here picks a card by guessing.
Tests: ``tests/cardsdb/games/kit/model/test_names.py``; whole lines of lists in ``test_print_words.py`` beside
it and in ``tests/cardsdb/games/kit/listtext``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from rapidfuzz import fuzz, process

from cardsdb.games.kit.model.cards import Card, Print
from cardsdb.games.kit.model.likeness import LIKENESS, MAX_COMPARED, alike, digits_of, letters_off
from cardsdb.games.kit.model.marks import begin_of_marks, marks_behind, unfolded
from cardsdb.games.kit.model.print_words import MAX_PRINT, NameMatch, narrowed_by_print, number_key, set_codes
from cardsdb.games.kit.model.text import fold, plain_folded, plain_key

# -- names to offer for a text (``NameIndex.like``)

# The least likeness where LIKENESS would find too little: for a text of fewer than WORD_ALONE letters, where
# each letter is a third; and for names of which only one word is like a typed word.
LIKENESS_OF_SHORT = 65
# Names are also found by their words if one typed word has at least so many letters.
WORD_ALONE = 4
# Only so many words of a text are compared.
MAX_WORDS = 8
# Most edits of a word of at least LONG_WORD letters. ``NameIndex._most_edits`` has those of shorter words.
MAX_EDITS = 2
LONG_WORD = 5
SHORT_WORD = 3

# -- texts that are taken for a misspelt name (``NameIndex.resembles``)

# The least likeness, and the least number of letters: shorter texts are too like many names.
ALL_BUT = 83
MIN_MISSPELT = 6

# -- patterns of lines

# A number set off from a name as a number of copies is: "Kai: 2", "Kai - x2", "Kai (2)".
_DIVIDED = re.compile(r"(?:[:=;]\s?|,\s|\s-\s|[(\[])x?[0-9]+x?[)\]]?$")
# The end of a word, where a name may end: before a space, a bracket, a bar or the beginning of a mark. In
# "kai (on)" it matches at 3, behind "kai", and at 8, the end.
_END = re.compile(r"(?<=[^ ])(?=[ (\[|*#^]|$)")


class NameIndex:
    """The cards of a game by names and aliases: exact, without punctuation, by the beginning, by likeness,
    and by collector number.

    All look-ups fold what they are given. ``sets``: code of a set -> its name, which may stand in place of
    the code.
    """

    def __init__(self, cards: Iterable[Card] = (), sets: Mapping[str, str] | None = None) -> None:
        self.cards, self._sets = tuple(cards), sets or {}
        # What lists write for a set -> its folded code.
        self._codes = set_codes(self._sets)
        # Folded name or alias -> its cards.
        self._called = _cards_by_name(self.cards)

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

    def containing(self, words: str) -> list[str]:
        """Return the names in which these folded words stand: "the well" -> ``the well of lies``."""
        return [name for name in self._called if f" {words} " in f" {name.replace(',', '')} "]

    def like(self, text: str, limit: int, whole: float = 0) -> list[str]:
        """Return at most ``limit`` names that are like this one, best first; empty if none is.

        Several words that stand in longer names mean these alone: "Walter Skinner" is "Assistant Director
        Walter Skinner", not "Sharon Skinner". Else names that are like it as a whole come first, then names
        with words like its words: "silvio" -> ``"small time" silvio``. ``whole``: a least likeness in
        percent; if given, only names that are so like it as a whole are returned.
        """
        typed = fold(text)[:MAX_COMPARED]
        if whole:
            return alike(typed, self._called, limit, whole)
        typed_words = typed.split()[:MAX_WORDS]
        if len(typed_words) > 1:
            longer = self.containing(typed)
            if longer and typed not in longer:
                return sorted(longer, key=len)[:limit]
        likeness = LIKENESS_OF_SHORT if len(typed) < WORD_ALONE else LIKENESS
        names = alike(typed, self._called, limit, likeness)
        # Names like the whole text are enough, except for a single word: it may be part of a longer name.
        enough = limit if len(typed_words) == 1 else 1
        if len(names) < enough:
            names += self._with_words_like(typed, typed_words, limit)
        return list(dict.fromkeys(names))[:limit]

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """Word -> the names that contain it."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in self._called:
            for word in _words_of(name):
                names[word].append(name)
        return dict(names)

    def _with_words_like(self, typed: str, typed_words: list[str], limit: int) -> list[str]:
        """Return the names with words like more than half of the typed words: names with fewer edits first,
        then by likeness as a whole. If there are none, names with a word like one typed word that are nearly
        like the text: "alrik foring" -> alrik forsythe.

        "bulet cho" needs names in which both words occur. In Spycraft, by most edits of each word::

            0   jimmy cho and bruce "bullet" cho have one of them, "cho"     none chosen
            1   "the final bullet" has one as well, "bullet"                 none chosen
            2   bruce "bullet" cho has both, "cho" and ``bullet"``           this one is chosen
        """
        if not any(len(word) >= WORD_ALONE for word in typed_words):
            return []
        edits_by_word = [self._words_like(word, len(typed_words) == 1) for word in typed_words]
        more_than_half = len(typed_words) // 2 + 1
        chosen: list[str] = []
        # More edits are allowed from round to round, until enough names are found.
        for most_edits in range(MAX_EDITS + 1):
            words_found = self._words_found(edits_by_word, most_edits)
            having = {name for name, words in words_found.items() if words >= more_than_half}
            fresh = alike(typed, having.difference(chosen), likeness=0)
            # Of long names, above all of persons, people type the end; such names come first.
            chosen += sorted(fresh, key=lambda name: not name.endswith(f" {typed}"))
            if len(chosen) >= limit:
                break
        if chosen:
            return chosen[:limit]
        with_one_word = self._words_found(edits_by_word, MAX_EDITS)
        return alike(typed, with_one_word, limit, LIKENESS_OF_SHORT)

    def _words_found(self, edits_by_word: Iterable[Mapping[str, int]], most_edits: int) -> Counter[str]:
        """Return name -> number of typed words that one of its words is like, with at most ``most_edits``
        edits. ``edits_by_word``: for each typed word what ``_words_like`` returns.
        """
        found: Counter[str] = Counter()
        for edits_of in edits_by_word:
            alike_words = [word for word, edits in edits_of.items() if edits <= most_edits]
            found.update({name for word in alike_words for name in self._by_word[word]})
        return found

    def _words_like(self, typed_word: str, is_alone: bool) -> dict[str, int]:
        """Return word of a name -> edits between it and the typed word: "cho" -> {"cho": 0, "who": 1}."""
        most_edits = self._most_edits(typed_word, is_alone)
        if most_edits:
            return letters_off(typed_word, self._by_word, most_edits)
        return {typed_word: 0} if typed_word in self._by_word else {}

    def _most_edits(self, typed_word: str, is_alone: bool) -> int:
        """Return the most edits of a typed word. ``is_alone``: the text has no other word.

        letters      alone    beside other words
        1, 2         1        0
        3, 4         1        1
        5 and more   2        2, but 0 if a name has the word: spelt right, it is hardly misspelt too
        """
        if len(typed_word) >= LONG_WORD:
            is_right = typed_word in self._by_word and not is_alone
            return 0 if is_right else MAX_EDITS
        return 1 if is_alone or len(typed_word) >= SHORT_WORD else 0

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
            begin, marks = marks_behind(text, folded, end)
            behind = folded[end:begin].strip()  # the words between the name and the marks
            if behind:
                match = narrowed_by_print(cards, behind, is_counted, self._codes)
                if match is None:
                    continue  # The words behind the name are no print, so a shorter name is tried.
            elif hint:
                # A hint that is no print is ignored.
                match = narrowed_by_print(cards, hint, is_counted, self._codes)
                match = match or NameMatch(cards, ignored=fold(print_hint))
            else:
                match = NameMatch(cards)
            return replace(match, marks=marks)
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
        may_be_print = len(code) <= MAX_PRINT and digits_of(code) and not code.isdigit()
        cards = self.numbered(code) if may_be_print else ()
        match = narrowed_by_print(cards, f"({code})", is_counted, self._codes) if cards else None
        return replace(match, marks=unfolded(text, folded, len(code))) if match else NameMatch()

    def _plain_names_in(self, folded: str, ends: list[int]) -> dict[int, tuple[Card, ...]]:
        """Return index behind a name -> its cards, for the names that the text begins with if punctuation is
        ignored: "mai tai (on)" -> {7: (Mai-Tai,)}.

        ``ends``: the ends of words. Stops at marks and at a bar, where no name continues, and after as many
        letters as the longest name has, so that a long line takes no longer than a short one.
        """
        found: dict[int, tuple[Card, ...]] = {}
        last_end = min(begin_of_marks(folded), len(folded.partition("|")[0]))
        key, word_begin = "", 0  # the plain key of the words so far, and where the next word begins
        for end in ends:
            key = "-".join(filter(None, (key, plain_folded(folded[word_begin:end]))))
            if end > last_end or len(key) > self._longest:
                break
            # A number of copies ends the name. The sign that divides it off may stand two characters before.
            if _DIVIDED.search(folded, max(word_begin - 2, 0), end):
                break
            if cards := self._plainly.get(key):
                found[end] = cards
            word_begin = end
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


def _cards_by_name(cards: Iterable[Card]) -> dict[str, tuple[Card, ...]]:
    """Return folded name or alias -> its cards. An alias counts only if no card has it as its name."""
    by_name = _gathered((fold(card.name), card) for card in cards)
    by_alias_too = _gathered((fold(name), card) for card in cards for name in (card.name, *card.aliases))
    return by_alias_too | by_name


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
