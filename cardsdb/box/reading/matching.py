"""Find the card that a row of a package is about (by id, by set and number, or by name), and the card that a
picture file is named after.

Nothing is guessed: a name that fits two cards fits none, and both are returned as candidates. Cards are
looked up in a ``NameIndex``:

* ``called``: by exact name. ``plainly``: by name without punctuation ("first-aid!" for First Aid).
* ``numbered``: by collector number, alone or with its set, or by the code of a print ("154", "TRU 154").
* ``find``: by what a line of a decklist says; words that it did not use are in ``ignored`` of the result.
* ``cards_like``: by a similar name ("Double Bck" for Double Back), best first.

Called by ``comparing.py`` for rows, by ``package_pictures.py`` and ``jobs.py`` for names of files, and by
``printing/web`` for names typed in its forms. Tests: ``tests/cardsdb/box/reading/test_matching.py``.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from cardsdb.box.reading.rows import MAX_KEY, Stated
from cardsdb.games.kit import OWN_CODE, Card, Game, NameIndex, fold, slugify

How = Literal["id", "number", "name", "choice", ""]
HOWS: tuple[How, ...] = ("id", "number", "name", "choice")
# Similar names that are offered.
MAX_CANDIDATES = 5
# Their least likeness, of 100. It is stricter than elsewhere, because a row with an unknown name may well be
# an own card.
LIKENESS = 75
# Names of one package for which similar ones are searched; the search is slow.
MAX_SUGGESTED = 10_000


class Match(NamedTuple):
    """The result for a row: the card and how it was found, or the candidates that may be meant.

    ``print``: index of the card's print that is meant, -1 for any. ``is_similar``: the candidates' names
    merely resemble the stated one. ``is_unsure``: similar names were not searched, as there were too many.
    A row that its owner chose to skip has the ``how`` "choice" and no card.

    For rows of Spycraft: the name ``Kai (alt)`` -> Kai by "name"; the id ``KAI`` -> Kai by "id"; the name
    ``Double Bck`` -> no card, but the candidate Double Back, which is similar.
    """

    card: Card | None = None
    how: How = ""
    print: int = -1
    candidates: tuple[Card, ...] = ()
    is_similar: bool = False
    is_unsure: bool = False


class Matcher:
    """Finds cards of one game for the rows of one package.

    ``choices``: entry key -> the code that the owner chose; "" skips the row, a bare ``OWN_CODE`` makes it an
    own card. Without ``with_similar`` similar names are not searched; else for the first MAX_SUGGESTED
    unknown names.
    """

    def __init__(
        self, game: Game, choices: Mapping[str, str] | None = None, with_similar: bool = True
    ) -> None:
        self._game, self._choices, self._with_similar = game, choices or {}, with_similar
        # Folded id -> the cards that have it: as their code, the code of a print, or a fact that is an id,
        # such as OCTGN's.
        self._ids: dict[str, list[Card]] = defaultdict(list)
        id_facts = [fact.key for fact in game.facts if fact.is_id]
        for card in game.cards:
            facts = (str(card.facts[key]) for key in id_facts if key in card.facts)
            codes = (print_.code for print_ in card.prints)
            for folded_id in {fold(id) for id in (card.code, *codes, *facts)}:
                self._ids[folded_id].append(card)
        # Unknown name -> cards with similar names.
        self._suggested: dict[str, tuple[Card, ...]] = {}

    def match(self, stated: Stated) -> Match:
        """Return the one card that a row is about, or the candidates."""
        choice = self._choices.get(stated.key)
        if choice == OWN_CODE:
            return Match()
        if choice == "":
            return Match(how="choice")
        if choice and (card := self._game.card(choice)):
            return Match(card, "choice", self._print_index(card, stated))
        # The first way that finds anything decides: an unknown id leaves the number and the name to try.
        for how, cards in self._ways(stated):
            if card := _only(cards):
                return Match(card, how, self._print_index(card, stated))
            if cards:
                return Match(candidates=tuple(cards))
        return self._similar(stated.name) if self._with_similar else Match()

    def _ways(self, stated: Stated) -> Iterable[tuple[How, Sequence[Card]]]:
        """Yield (way, cards found) from the surest way to the least sure."""
        index = self._game.name_index
        if stated.id:
            yield "id", self._ids.get(fold(stated.id), [])
        if stated.set and stated.number:
            yield "number", index.numbered(f"{stated.set} {stated.number}")
        named = index.plainly(_plain(stated.name))
        # Of several cards with the name, those of the stated set and type, if there are any.
        in_set = tuple(card for card in named if self._in_set(card, stated.set)) or named
        yield "name", tuple(card for card in in_set if self._of_type(card, stated.type)) or in_set

    def _in_set(self, card: Card, stated: str) -> bool:
        """True if the card has a print in the stated set."""
        return any(self._is_set(print_.set, stated) for print_ in card.prints)

    def _of_type(self, card: Card, stated: str) -> bool:
        """True if the card is of the stated type, by its slug, name or plural."""
        kind = self._game.type_named(card.type)
        return slugify(stated) in map(slugify, (card.type, kind.name, kind.plural))

    def _print_index(self, card: Card, stated: Stated) -> int:
        """Return the index of the last print with the stated code, else of the stated set, else -1."""
        code = fold(stated.id)
        prints = list(enumerate(card.prints))
        by_code = [index for index, print_ in prints if print_.code and fold(print_.code) == code]
        by_set = [index for index, print_ in prints if self._is_set(print_.set, stated.set)]
        return max(by_code or by_set, default=-1)

    def _is_set(self, code: str, stated: str) -> bool:
        """True if what is stated is the code or the name of the set with this code."""
        card_set = self._game.sets_by_code.get(code)
        return bool(stated) and fold(stated) in (fold(code), fold(card_set.name) if card_set else "")

    def _similar(self, name: str) -> Match:
        """Return the cards with similar names as candidates; ``is_unsure`` if none were searched."""
        plain = _plain(name)
        if not plain:
            return Match()
        if plain not in self._suggested:
            if len(self._suggested) >= MAX_SUGGESTED:
                return Match(is_unsure=True)
            similar = self._game.name_index.cards_like(plain, MAX_CANDIDATES, LIKENESS)
            self._suggested[plain] = tuple(similar)[:MAX_CANDIDATES]
        candidates = self._suggested[plain]
        return Match(candidates=candidates, is_similar=bool(candidates))


def _only(cards: Collection[Card]) -> Card | None:
    """Return the one card among these; None if there are none or several."""
    return next(iter(cards)) if len(cards) == 1 else None


def _plain(name: str) -> str:
    """Return a name without what other programs add, as in "Ace (alt)" or "Ace (v2)"."""
    # Cut and without runs of blanks, on which the pattern would be slow.
    short = " ".join(name[:MAX_KEY].split())
    return re.sub(r" ?\((?:alt|alternate|promo|v?\d)\.?\)$", "", short, flags=re.IGNORECASE)


# -- names of pictures -----------------------------------------------------------------

# The ending of a file's name, of any kind of picture.
ENDING = re.compile(r"\.[A-Za-z]{3,4}$")
# The side in a file's name: "ace_back", "ace (front)".
SIDE = re.compile(r"[ _\-.(\[]*\b(front|back|recto|verso|face)\b[)\]]*\s*$", re.IGNORECASE)
# Suffixes of copies: "kai (1)", "kai copy", "kai-1200x1680", "kai 300dpi".
EXTRAS = re.compile(
    r"(?:[ _\-]*(?:\(\d{1,3}\)|\bcopy\b|\d{2,5}x\d{2,5}(?!\d)|\d{2,4} ?dpi|@\dx))+\s*$", re.IGNORECASE
)
# The longest file name in a folder; an archive may have longer ones, which regexes should not see.
MAX_FILE_NAME = 255
# A count before the name: "3x ace", "012 - ace".
COUNTED = re.compile(r"^\d{1,4}(?:x\b|[ _.\-]+)(?=\D)")
# The words of SIDE -> the side.
SIDES = {"front": "front", "recto": "front", "face": "front", "back": "back", "verso": "back"}
# Names of the picture of the back that all cards share, besides "<game>-back".
ALL_BACKS = ("back", "cardback", "card-back")
# The index for an owner without own cards.
NOBODYS = NameIndex()


class NamedAfter(NamedTuple):
    """What the name of a picture file says. ``side``: "front", "back", or "" if it names none. ``for_all``:
    it is the back of all cards, so there is no ``card``.
    """

    card: Card | None
    side: str
    for_all: bool = False


def card_and_side(name: str, game: Game, own: NameIndex = NOBODYS) -> NamedAfter:
    """Return what a picture file is named after; no card if the name fits none or several. In Spycraft:

    * ``kai (1).png``, ``3x kai.webp``: Kai, no side
    * ``scans/kai_back.jpg``: Kai, "back"
    * ``double back.png``: Double Back, no side, as this is a card's name
    * ``spycraft-back.png``, ``back.png``: no card, "back", for all
    """
    file_name = name.replace("\\", "/").rpartition("/")[2]
    words = words_in(ENDING.sub("", file_name[-MAX_FILE_NAME:]))
    # A card's own name may end in such a word, as in "Double Back", so the whole name is tried first.
    if card := card_called(words, game, own):
        return NamedAfter(card, "")
    if slugify(words) in (*ALL_BACKS, f"{game.slug}-back", f"{slugify(game.name)}-back"):
        return NamedAfter(None, "back", for_all=True)
    side = SIDE.search(words)
    if not side:
        return NamedAfter(None, "")
    before_side = EXTRAS.sub("", words[: side.start()])
    return NamedAfter(card_called(before_side, game, own), SIDES[side[1].casefold()])


def words_in(stem: str) -> str:
    """Return a file's name without its ending as words: "agent_01 copy" -> "agent 01"."""
    return EXTRAS.sub("", re.sub(r"[_+]|%20", " ", stem)).strip()


def card_called(words: str, game: Game, own: NameIndex = NOBODYS) -> Card | None:
    """Return the one card with this name, code or collector number; None for none or several. The game's
    cards come before own cards.
    """
    return _only(cards_called(words, game, own))


def cards_called(words: str, game: Game, own: NameIndex = NOBODYS) -> tuple[Card, ...]:
    """Return the cards with this name, code or collector number: one if that is certain, else all of them.

    Each spelling is tried as a code, as a name and as a number; the first try that finds one card decides. In
    Spycraft for ``3x-double-back``::

        3x-double-back    code, name, number: none     as it is
        3x double back    code, name, number: none     with blanks for -
        -double-back      code: Double Back            without the count: decided
        double back                                    without both: not tried any more

    In The X-Files ``smoke & mirrors`` is the name of five cards, and no spelling finds one alone: all five.
    Only names that no card of the game has are looked up among own cards.
    """
    words = " ".join(words.split())
    if not words:
        return ()
    # The cards of the first try that found several; used if none finds just one.
    several: tuple[Card, ...] = ()
    spaced = words.replace("-", " ")
    # File names have - for spaces and may begin with a count.
    for spelling in dict.fromkeys((words, spaced, COUNTED.sub("", words), COUNTED.sub("", spaced))):
        for cards in _by_each_way(spelling, game):
            if len(cards) == 1:
                return cards
            several = several or cards
    own_cards = own.called(words) or own.numbered(words) or own.called(spaced) or own.numbered(spaced)
    return several or own_cards


def _by_each_way(spelling: str, game: Game) -> Iterator[tuple[Card, ...]]:
    """Yield the game's cards with this code, then those with this name, then those with this number."""
    card = game.card(slugify(spelling))
    yield (card,) if card else ()
    match = game.name_index.find(spelling)
    # A file's name is a card's only if no part of it was ignored to find that card.
    yield () if match.ignored else match.cards
    yield game.name_index.numbered(spelling)


def own_card_stated(own: NameIndex, stated: Stated) -> Card | None:
    """Return the one own card that a row is about: by its code, else by its name, and among several of this
    name by its type; or None.
    """
    # An own card has its code as the code of its print (``sets.in_its_set``), so ``numbered`` finds it.
    cards = own.numbered(stated.id) if stated.id.startswith(OWN_CODE) else ()
    cards = cards or own.called(stated.name)
    if len(cards) > 1:
        cards = tuple(card for card in cards if slugify(stated.type) == card.type)
    return _only(cards)


def own_card_in_set(own: NameIndex, called: str, words: str) -> Card | None:
    """Return the one card of the own set named ``called`` with this name or number; None otherwise."""
    numbered, named = own.numbered(f"{called} {words}"), own.plainly(words)
    in_set = [card for card in (*numbered, *named) if fold(card.prints[0].set) == fold(called)]
    # A card may be found both ways.
    return _only(set(in_set))
