"""Odds as an address asks for them: one or two kinds of card, each by a query or by ticks, and how many are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms

from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.text import plural
from cardsdb.games.kit.play.opening import Pile
from cardsdb.search.card_query import parse_strictly
from cardsdb.search.query.words import in_words
from cardsdb.search.results import results_of
from cardsdb.site.faults import Fault, Refused
from decks.core.odds import HOW, Parts, Wish, between, chance, chance_of_both, drawn_by_turn, exactly, expected
from decks.statistics.seen import SeenDeck

MAX_DRAWN = 60
MAX_WANTED = 20
MAX_TEXT = 200
TURNS = 8
GROUPS = ("a", "b")


class OddsForm(forms.Form):
    """What is drawn and what is hoped for. Everything is in the address, so an answer can be sent to a friend."""

    pile = forms.ChoiceField(required=False)
    draw = forms.IntegerField(min_value=1, max_value=MAX_DRAWN, required=False)
    a = forms.CharField(max_length=MAX_TEXT, required=False)
    b = forms.CharField(max_length=MAX_TEXT, required=False)
    a_is = forms.ChoiceField(choices=list(HOW.items()), required=False)
    b_is = forms.ChoiceField(choices=list(HOW.items()), required=False)
    a_count = forms.IntegerField(min_value=0, max_value=MAX_WANTED, required=False)
    b_count = forms.IntegerField(min_value=0, max_value=MAX_WANTED, required=False)
    a_card = forms.MultipleChoiceField(required=False)
    b_card = forms.MultipleChoiceField(required=False)

    def __init__(self, data: Any, piles: Sequence[Pile], seen: SeenDeck) -> None:
        super().__init__(data)
        self.piles = {pile.slug: pile for pile in piles}
        codes = {entry.card.code: entry.card.name for entry in seen.cards}
        for name, choices in (("pile", [(pile.slug, pile.name) for pile in piles]), *((f"{g}_card", list(codes.items())) for g in GROUPS)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = choices
                field.error_messages["invalid_choice"] = "“%(value)s” is not in this deck."
        for field in self.fields.values():
            if isinstance(field, forms.IntegerField):
                bounds = f"Ask for {field.min_value} to {field.max_value} cards."
                field.error_messages |= {"invalid": "Write a whole number.", "min_value": bounds, "max_value": bounds}

    def chosen_pile(self) -> Pile | None:
        """The pile asked for, else the first."""
        return self.piles.get(str(self.data.get("pile", ""))) or next(iter(self.piles.values()), None)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of card in a pile: what was asked, the cards it means, and how likely they come up."""

    letter: str
    words: str
    wish: Wish
    cards: tuple[tuple[str, int], ...]
    size: int
    chance: Fraction
    expected: Fraction
    spread: tuple[tuple[int, Fraction], ...]
    codes: frozenset[str]

    @property
    def wish_words(self) -> str:
        return f"{HOW[self.wish.how]} {self.wish.count}"

    @property
    def mean(self) -> str:
        return f"{float(self.expected):.2f}"


@dataclass(frozen=True, slots=True)
class Turn:
    """The chances once so many cards have been seen; ``together`` None with one kind alone."""

    label: str
    seen: int
    chances: tuple[Fraction, ...]
    together: Fraction | None

    @property
    def all_chances(self) -> tuple[Fraction, ...]:
        """Of each kind, and of all at once."""
        return self.chances if self.together is None else (*self.chances, self.together)


@dataclass(frozen=True, slots=True)
class Odds:
    """The answer: ``drawn`` of ``total`` cards of a pile."""

    pile: Pile
    total: int
    drawn: int
    kinds: tuple[Kind, ...]
    together: Fraction | None
    turns: tuple[Turn, ...]
    by_copies: tuple[tuple[int, Fraction], ...]


def odds_of(form: OddsForm, seen: SeenDeck) -> Odds | None:
    """The odds that the form asks for; what is wrong with it is put into its errors, None where nothing can be drawn."""
    pile = form.chosen_pile()
    values = form.cleaned_data if form.is_valid() else {}
    if pile is None or form.errors:
        return None
    entries = pile.cards(seen.cards)
    total = count_of(entries)
    drawn = values["draw"] or pile.first(seen.cards) or 1
    if drawn > total:
        form.add_error("draw", f"There are {total} cards to draw from; ask for so many or fewer.")
        return None
    kinds = []
    for group in GROUPS:
        if not (values[group].strip() or values[f"{group}_card"]):
            continue
        try:
            words, codes = _meant(values[group], set(values[f"{group}_card"]), seen)
        except Refused as refused:
            for fault in refused.faults:
                form.add_error(group, f"{fault.message} ({fault.where})" if fault.where else fault.message)
            return None
        count = values[f"{group}_count"]
        wish = Wish(values[f"{group}_is"] or "at-least", 1 if count is None else count)
        picked = [entry for entry in entries if entry.card.code in codes]
        size = count_of(picked)
        kinds.append(
            Kind(
                group.upper(),
                words,
                wish,
                tuple((entry.card.name, entry.count) for entry in picked),
                size,
                chance(wish, size, total, drawn),
                expected(size, total, drawn),
                tuple((k, exactly(k, size, total, drawn)) for k in range(min(size, drawn) + 1)),
                frozenset(codes),
            )
        )
    parts = _parts(kinds, total, [(entry.card.code, entry.count) for entry in entries]) if len(kinds) == 2 else None
    together = chance_of_both(kinds[0].wish, kinds[1].wish, parts, drawn) if parts else None
    copies = range(1, min(4, max((entry.count for entry in entries), default=1)) + 1)
    by_copies = tuple((n, between(1, None, n, total, drawn)) for n in copies if n <= total)
    return Odds(pile, total, drawn, tuple(kinds), together, _turns(kinds, parts, pile, total, drawn), by_copies)


def _turns(kinds: Sequence[Kind], parts: Parts | None, pile: Pile, total: int, drawn: int) -> tuple[Turn, ...]:
    found = []
    step = pile.per_turn or 1
    for turn, number in enumerate(drawn_by_turn(drawn, step, total, TURNS)):
        if turn and number == found[-1].seen:
            break
        label = "At first" if not turn else f"Turn {turn}" if pile.per_turn else f"{turn} more"
        chances = tuple(chance(kind.wish, kind.size, total, number) for kind in kinds)
        together = chance_of_both(kinds[0].wish, kinds[1].wish, parts, number) if parts else None
        found.append(Turn(label, number, chances, together))
    return tuple(found)


def _parts(kinds: Sequence[Kind], total: int, cards: Sequence[tuple[str, int]]) -> Parts:
    first, second = (kind.codes for kind in kinds)
    both = sum(count for code, count in cards if code in first & second)
    alone = sum(count for code, count in cards if code in first - second)
    other = sum(count for code, count in cards if code in second - first)
    return Parts(alone, other, both, total - both - alone - other)


def _meant(text: str, ticked: set[str], seen: SeenDeck) -> tuple[str, set[str]]:
    """What a kind is, in words, and the codes of its cards in the deck: those that the query finds and those ticked."""
    words, codes = [], set(ticked)
    if text.strip():
        query = parse_strictly(text, seen.game)
        if query.query.tree is None:
            raise Refused(Fault("not_understood", "This asks for no cards: only for an order, say."))
        words.append(in_words(query.query.tree, query.fields))
        ids = seen.catalogue_ids
        codes |= {ids[pk] for pk in results_of(query).restricted_to(ids).pks}
    if ticked:
        words.append(f"{len(ticked)} ticked {plural(len(ticked), 'card')}")
    return " or ".join(words), codes
