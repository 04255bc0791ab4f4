"""A game's checklist with what somebody has filled in, and what of it can be printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cardsdb.games.kit import Card, Entry, Game
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.model.cards import ChecklistPlace, PlaceGroup
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard


@dataclass(frozen=True, slots=True)
class FilledGroup:
    """A group with each of its places and the card that fills it, if any; ``known`` are the catalogue's cards
    of its type.
    """

    group: PlaceGroup
    places: tuple[tuple[ChecklistPlace, Card | None], ...]
    known: tuple[Card, ...]

    @property
    def filled(self) -> tuple[Card, ...]:
        return tuple(card for _, card in self.places if card)

    @property
    def open(self) -> int:
        return len(self.places) - len(self.filled)


def filled_by(viewer: Viewer, game: Game) -> Mapping[str, OwnCard]:
    """Code of the place -> the visitor's card that fills it. One query."""
    rows = (
        OwnCard.objects.of(viewer)
        .filter(in_set__game=game.slug)
        .exclude(place="")
        .select_related("in_set__box")
        .order_by("-pk")
    )
    return {row.place: row for row in rows}


def checklist_of(game: Game, filled: Mapping[str, OwnCard]) -> list[FilledGroup]:
    """Every group. The catalogue's cards of a type stand with the first group of that type."""
    groups, seen = [], set[str]()
    for group in game.checklist:
        known: tuple[Card, ...] = ()
        if group.card_type not in seen:
            seen.add(group.card_type)
            blanks = {one.stand_in for one in game.checklist}
            known = tuple(
                card for card in game.cards if card.type == group.card_type and card.code not in blanks
            )
        places = tuple(
            (place, filled[place.code].as_card() if place.code in filled else None) for place in group.places
        )
        groups.append(FilledGroup(group, places, known))
    return groups


def next_open(game: Game, filled: Iterable[str], after: str) -> ChecklistPlace | None:
    """The first place behind this one that nothing fills, else the first of all; None if there is none."""
    done, codes = set(filled), list(game.places)
    begin = codes.index(after) + 1 if after in game.places else 0
    return next(
        (
            game.places[code]
            for code in (*codes[begin:], *codes[:begin])
            if code not in done and code != after
        ),
        None,
    )


def known_list(game: Game, groups: Iterable[FilledGroup]) -> str:
    """Return what is known and what was filled in, each card once, as a list to print."""
    return "\n".join(
        line_for(game, Entry(card, 1, "")) for one in groups for card in (*one.known, *one.filled)
    )


def blank_list(game: Game, groups: Iterable[FilledGroup]) -> str:
    """The places that are open, as a list that prints blanks to write on."""
    return "\n".join(line for one in groups for line in _blanks(game, one))


def _blanks(game: Game, filled: FilledGroup) -> Iterator[str]:
    group = filled.group
    if card := game.card(group.stand_in):
        if filled.open:
            yield line_for(game, Entry(card, filled.open, ""))
        return
    for place, card in filled.places:
        if card is None:
            facts = {key: game.facts_by_key[key].read(value) for key, value in group.facts.items()}
            known = {key: value for key, value in facts.items() if value is not None}
            yield line_for(
                game,
                Entry(Card(game.slug, place.code, place.label, group.card_type, known, written=True), 1, ""),
            )
