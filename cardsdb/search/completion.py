"""Completions for the search box at the caret: card names, values of fields, and field names.

``completions`` is called again and again while a visitor types, so it must be quick. For a sentence of plain
words it offers the search itself, with the number of results and how it is understood, instead of cards that
merely have one of the words in their names. Each completion replaces the text from its ``start`` to the
caret. ``cardsdb/web/lists/views.py`` serves them as JSON. Tests: ``tests/cardsdb/search/test_completion.py``.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Card, Game, fold, some
from cardsdb.search.ask import answer_of
from cardsdb.search.query.english import FILLERS
from cardsdb.search.query.standard import Field, folded
from cardsdb.search.query.tree import OPERATOR, quoted, written
from cardsdb.search.query.words import in_words
from cardsdb.search.results import parse_query

# Completions in all.
MAX_COMPLETIONS = 10
# Values, and fields, that are offered beside cards.
MAX_VALUES = 2
MAX_FIELDS = 3
# Letters from which values are offered; a shorter word begins too many.
MIN_WORD = 2
# Letters from which names like a misspelt one are offered.
MIN_SLIP = 4
# The most such names.
MAX_ALIKE = 5
# Plain words that make a sentence; a card is offered only for more than half of them.
MIN_SENTENCE = 3
# Characters; longer queries get no completions.
MAX_TYPED = 300
# A field, an operator, perhaps an opening quote, and the value typed so far, as four groups: ``-type:"age``.
_FIELD = re.compile(rf"-?([A-Za-z][A-Za-z0-9_-]*)(:|{OPERATOR})(\"?)([^\"]*)\Z")
# A quote that is not escaped.
_QUOTE = re.compile(r'(?<!\\)"')
# A word at the end that joins nothing yet.
_JOINT = re.compile(r"\s(or|and)\s*\Z", re.IGNORECASE)
# The plain words at the end of a text.
_PLAIN = re.compile(r"[^\s()\":=<>!/-][^()\":=<>!]*\Z")


@dataclass(frozen=True)
class Completion:
    """``text`` replaces what is typed from the column ``start`` to the caret. ``label`` explains it. ``kind``
    is "field", "value", "card" or "search"; a search is the whole text as typed.
    """

    text: str
    label: str
    kind: str
    start: int


def completions(typed: str, caret: int, within: Game | None = None) -> list[Completion]:
    """Return the completions at a caret, for cards of the games that the rest of the query asks for; else of
    the game ``within``; else of all games. With the caret at the end:

        stolen id            !"Stolen Identity" (a card, from 0), motive:Ideology (a value, from 7)
        -type:"age           Agent (a value, from 6)
        agents with craft 4  the search itself: "45 cards: game is Spycraft, type is Agent, and craft is 4"
    """
    # ``asked``: the games of the rest of the query, folded slugs or names.
    start, asked = _start_of_part(typed[:caret]), {""}
    if len(typed) <= MAX_TYPED and (typed[:start] + typed[caret:]).strip():
        # An "x" stands for the part at the caret, so that an "or" beside it still has two sides.
        asked = {*parse_query(f"{typed[:start]}x{typed[caret:]}").controls.chosen.get("game", ())}
    among = [game for game in games().values() if not asked.isdisjoint((game.slug, fold(game.name)))]
    return Completer(typed, caret, catalogue(), among or ([within] if within else [])).completions()


class Completer:
    """Completes what is typed at a caret. ``among``: the games whose cards are offered; empty means all."""

    def __init__(self, typed: str, caret: int, whole: Catalogue, among: Sequence[Game] = ()) -> None:
        place = max(0, min(caret, len(typed)))
        self._typed, self._before, self._behind = typed, typed[:place], typed[place:]
        self._whole, self._among = whole, among
        self.fields = whole.fields(among[0] if len(among) == 1 else None)
        # The word at the caret, without a minus before it, and the column where it starts: "id" and 7 in
        # ``stolen id``.
        part = self._before[_start_of_part(self._before) :]
        self._word = part.lstrip("-(")
        self._start = place - len(self._word)
        # A field with an operator before the caret; None without one.
        self._field = _FIELD.match(part)
        # The column where the plain words before the caret begin, 0 in ``stolen id``; and the words of a
        # sentence, none in a shorter text.
        self._run, words = _plain_run(self._before)
        is_sentence = len(words) >= MIN_SENTENCE and not self._behind.strip()
        self._sentence = words if is_sentence else []

    def completions(self) -> list[Completion]:
        """Return up to MAX_COMPLETIONS. Behind an operator these are values. Elsewhere, at the end of a word,
        they are cards whose names begin as typed, the search itself for a sentence, values, and fields. If
        there are none, cards with names like a misspelt one.
        """
        if len(self._before) > MAX_TYPED:
            return []
        if match := self._field:
            word, _, quote, value = match.groups()
            field = self.fields.get(word)
            start = len(self._before) - len(quote + value)
            return list(islice(self._values(field, value, start), MAX_COMPLETIONS)) if field else []
        if self._behind[:1].strip(" )"):
            return []
        # Names, values and fields that begin as typed. The latter two are iterators, of which only the first
        # few are made.
        cards = self._fitting(self._cards())
        values, fields = self.continuing(), self.beginning_fields()
        whole: list[Completion] = []
        # A sentence: offer it as a search, and beside it only what fits the whole of it.
        if self._sentence:
            whole = [Completion(self._typed, self._described(), "search", 0)]
            is_plain = FILLERS.isdisjoint(map(fold, self._sentence))
            if not cards and is_plain:
                cards = self._fitting(self._likely_cards())
            if cards or not is_plain:
                word = folded(self._word)
                # Beside a sentence only values that begin with the word, not those with any word that does.
                values = (v for v in values if folded(v.text.partition(":")[2].strip('"')).startswith(word))
                fields = iter(())
        # Beside cards or a search only a few values and fields.
        is_alone = not (cards or whole)
        most_values, most_fields = (
            (MAX_COMPLETIONS, MAX_COMPLETIONS) if is_alone else (MAX_VALUES, MAX_FIELDS)
        )
        others = [*whole, *islice(values, most_values), *islice(fields, most_fields)]
        beginning = [*cards[: max(MAX_COMPLETIONS - len(others), 0)], *others][:MAX_COMPLETIONS]
        return beginning or self._likely_cards()

    def _fitting(self, cards: Iterable[Completion]) -> list[Completion]:
        """Return the cards that would replace more than half of a sentence; all if there is no sentence."""
        return [card for card in cards if 2 * len(self._before[card.start :].split()) > len(self._sentence)]

    def _described(self) -> str:
        """Return how many cards the query finds, and how it is understood: "3 cards: type is Leader"."""
        # "Craft 4 or" is on the way to "craft 4 or more".
        query = parse_query(_JOINT.sub("", self._typed))
        results = answer_of(query, self._among[0] if len(self._among) == 1 else None).results
        query = results.query
        found = some(results.total, "card") if results.total else "No card"
        return f"{found}: {in_words(query.query, query.fields)}"

    # -- fields and values -----------------------------------------------------------

    def beginning_fields(self) -> Iterator[Completion]:
        """Yield the fields with a spelling that begins as typed."""
        word = self._word.casefold().replace("-", "_")
        for field in self.fields if word else ():
            if any(spelling.startswith(word) for spelling in field.spellings):
                text = f"{field.word}{'>=' if field.kind == 'number' else ':'}"
                yield Completion(text, field.help, "field", self._start)

    def continuing(self) -> Iterator[Completion]:
        """Yield values with a word that begins as typed, as ``field:value``: types first, then values of the
        fields with the fewest values.
        """
        word, seen = folded(self._word), set()
        if len(self._word) < MIN_WORD or not word:
            return
        fields = [
            (field, field.values)
            for field in self.fields
            if (field.kind in ("word", "words") or field.word == "set") and not field.is_aside
        ]
        for field, values in sorted(fields, key=lambda pair: (pair[0].word != "type", len(pair[1]))):
            for value, shown in values.items():
                if f" {word}" in f" {value}" and shown not in seen:
                    seen.add(shown)
                    yield Completion(f"{field.word}:{written(shown)}", field.title, "value", self._start)

    def _values(self, field: Field, part: str, start: int) -> Iterator[Completion]:
        """Yield values of a field that contain what is typed so far, which begins at ``start``."""
        typed = folded(part)
        if field.kind == "name":
            for name, game in self._named(self._whole.named_beginning(typed, MAX_COMPLETIONS, self._among)):
                yield Completion(quoted(name), game, "value", start)
            return
        known = field.values
        if field.kind in ("is", "has"):
            known = {word: word for word in self.fields.askable(field.kind)}
        # Values that begin as typed come first, then numbers in numeric and words in alphabetic order.
        is_number = field.kind == "number"
        matching = sorted(
            (
                not value.startswith(typed),
                int(value) if is_number and value.lstrip("-").isdigit() else 0,
                value,
                shown,
            )
            for value, shown in known.items()
            if typed in value
        )
        for shown in dict.fromkeys(shown for *_, shown in matching):
            yield Completion(written(shown), field.title, "value", start)

    # -- cards -----------------------------------------------------------------------

    def _named(self, cards: Iterable[Card]) -> Collection[tuple[str, str]]:
        """Return (name of a card, name of its game), each pair once."""
        known = games()
        return dict.fromkeys((card.name, known[card.game].name) for card in cards if card.game in known)

    def _offered(self, cards: Iterable[Card], start: int) -> list[Completion]:
        """Return completions that replace the text from ``start`` by a card's exact name."""
        return [Completion(f"!{quoted(name)}", game, "card", start) for name, game in self._named(cards)]

    def _cards(self) -> list[Completion]:
        """Return cards whose names begin as typed. Words before the last one may belong to the name: the
        longest run of words that begins a name counts. In ``krypt stolen id`` these are tried in turn: "krypt
        stolen id", "stolen id" (which begins a name), "id".
        """
        starts = {
            self._start,
            *(at.end() for at in re.finditer(r"\s+", self._before) if at.end() > self._run),
        }
        # Behind "!" only a name can stand, of which all is typed.
        is_marked = self._before[self._start - 1 : self._start] == "!" or self._word.startswith("!")
        for start in [self._start] if is_marked else sorted({self._run, *starts}):
            typed = self._before[start:].removeprefix("!")
            text = fold(typed.lstrip('"') or typed * (not is_marked))
            if text or is_marked:
                cards = self._whole.named_beginning(text, MAX_COMPLETIONS, self._among)
                if offered := self._offered(cards, start):
                    return offered
        return []

    def _likely_cards(self) -> list[Completion]:
        """Return cards with names like a misspelt one: like all the words before the caret, else the last."""
        # A word behind an operator is no part of a name. An exclamation mark before the name is replaced with
        # it, because the completion has its own.
        is_run = self._before[self._run - 1 : self._run] in ("", " ", "(", "-", "!")
        begin = self._run if is_run and self._run < len(self._before) else self._start
        if self._before[begin - 1 : begin] == "!":
            begin -= 1
        for start in sorted({begin, self._start}):
            text = fold(self._before[start:].lstrip('!"'))
            cards = self._whole.named_like(text, MAX_ALIKE, self._among) if len(text) >= MIN_SLIP else []
            if offered := self._offered(cards, start):
                return offered
        return []


def _plain_run(before: str) -> tuple[int, list[str]]:
    """Return the column where the plain words before the caret begin, and those that may be a sentence: none
    in quotes, and not the value directly behind an operator.
    """
    run = _PLAIN.search(before)
    if run is None:
        return len(before), []
    start, words = run.start(), run[0].split()
    match before[start - 1 : start]:
        case '"':
            return start, []
        case "" | " " | "(":
            return start, words
    return start, words[1:]


def _start_of_part(before: str) -> int:
    """Return the column where the part at the caret begins: after a space or bracket outside of quotes. In
    ``kai faction:"the kr`` that is 4.
    """
    quotes = [match.start() for match in _QUOTE.finditer(before)]
    # After an odd number of quotes the last one is open, and the part has it.
    limit = quotes[-1] if len(quotes) % 2 else len(before)
    return max(before.rfind(" ", 0, limit), before.rfind("(", 0, limit)) + 1
