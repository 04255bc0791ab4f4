"""The states of a deck, each with its change, gathered into sittings; what undoing would change; a deck's
parent and forks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import plural
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent, content_of_json
from decks.core.diff import Difference, difference
from decks.core.judging import judge_content
from decks.core.used_format import LeagueLookup, no_leagues
from decks.models import Deck, DeckRevision
from decks.models.revision import contents_of, neighbours

MAX_FORKS_SHOWN = 20
# After a pause of this length another sitting begins.
SITTING = timedelta(minutes=30)
OF_A_SITTING = ("edited", "undone", "redone", "repaired")
# Changes that a button names.
MAX_NAMED = 2


@dataclass(frozen=True, slots=True)
class State:
    """A stored state and its content. ``change``: from the previous state shown, None for the oldest;
    ``before``: the content of that.
    """

    row: DeckRevision
    content: DeckContent
    change: Difference | None
    before: DeckContent | None = None

    @property
    def words(self) -> str:
        """What changed; of the oldest state, how many cards it has."""
        if self.change is None:
            count = self.content.deck.size
            return f"{count} {plural(count, 'card')}"
        return self.change.words() or "no change"

    @property
    def count(self) -> int:
        return self.content.deck.size

    def as_json(self) -> dict[str, Any]:
        row, lines = self.row, self.change.lines if self.change else ()
        changes = [
            {
                "card": None if line.card.written else line.card.key,
                "name": line.card.name,
                "section": line.section,
            }
            | {"before": line.before, "after": line.after}
            for line in lines
        ]
        return {
            "number": row.number,
            "made": row.made.isoformat(),
            "kind": row.kind,
            "by": row.by.get_username() if row.by else None,
            "name": row.name,
            "words": self.words,
            "changes": changes,
            "undo_to": row.undo_to,
            "redo_to": row.redo_to,
        }


def states(game: Game, rows: Sequence[DeckRevision]) -> list[State]:
    """States of one deck with their changes, from rows that are shown, newest first and without gaps. Costs
    three queries in all.
    """
    if not rows:
        return []
    before = (
        DeckRevision.objects.of(rows[0].deck_id)
        .shown()
        .filter(number__lt=rows[-1].number)
        .order_by("-number")
        .first()
    )
    contents = contents_of([*rows, *([before] if before else [])], game)
    changes = [difference(then, now) for now, then in pairwise(contents)]
    return [
        State(
            row,
            contents[place],
            *((changes[place], contents[place + 1]) if place < len(changes) else (None, None)),
        )
        for place, row in enumerate(rows)
    ]


@dataclass(frozen=True, slots=True)
class Sitting:
    """States that one author made without a pause, newest first; often a single one."""

    states: tuple[JudgedState, ...]

    @property
    def newest(self) -> JudgedState:
        return self.states[0]

    @property
    def oldest(self) -> JudgedState:
        return self.states[-1]

    @property
    def legal_before(self) -> int | None:
        """The number of its last legal state, None if it has none or ended with it."""
        legal = next((one for one in self.states if one.verdict == "legal"), None)
        return legal.state.row.number if legal and legal is not self.newest else None

    @property
    def words(self) -> str:
        """What the sitting changed in all."""
        first = self.oldest.state
        if len(self.states) == 1 or first.before is None:
            return self.newest.state.words
        return difference(first.before, self.newest.state.content).words() or "no change in the end"


@dataclass(frozen=True, slots=True)
class JudgedState:
    """A state with its verdict by today's rules. ``came_in``: how many copies the deck has now that it had
    not then.
    """

    state: State
    verdict: str
    verdict_words: str
    came_in: int = 0


def sittings(
    game: Game, shown: Sequence[State], now: DeckContent | None = None, leagues: LeagueLookup = no_leagues
) -> list[Sitting]:
    """Gather states, newest first: edits by one author that are less than half an hour apart. A state with a
    name stands alone.

    ``now``: the deck as it is, with which each is compared.
    """
    groups: list[list[JudgedState]] = []
    for state in shown:
        judged = judge_content(game, state.content, leagues)
        came_in = difference(state.content, now).came_in().total() if now else 0
        judged_state = JudgedState(state, judged.verdict, judged.verdict_words, came_in)
        if groups and _goes_on(state.row, groups[-1][-1].state.row):
            groups[-1].append(judged_state)
        else:
            groups.append([judged_state])
    return [Sitting(tuple(group)) for group in groups]


def _goes_on(row: DeckRevision, later: DeckRevision) -> bool:
    """Whether the later of two neighbours was made in the same sitting."""
    alike = row.by_id == later.by_id and not row.name and not later.name
    return (
        alike and row.kind in OF_A_SITTING and later.kind in OF_A_SITTING and later.made - row.made < SITTING
    )


@dataclass(frozen=True, slots=True)
class Steps:
    """The change that undoing takes back and the one that redoing makes again, in words; empty if there is
    none.
    """

    undo: str = ""
    redo: str = ""


def steps_of(deck: Deck, now: DeckContent, game: Game) -> Steps:
    """What undoing and redoing would do, in two queries. A card that has left the game has its name from the
    deck, or only its code.
    """
    stored = neighbours(deck.pk, deck.revision)
    if stored is None:
        return Steps()
    own = {entry.card.code: entry.card for entry in now.deck}

    def named(code: str) -> Card | None:
        return own.get(code) or game.card(code)

    before, after = (content_of_json(game.slug, content, named) if content else None for content in stored)
    undone = (difference(before, now).words(MAX_NAMED) or "the last change") if before else ""
    redone = (difference(now, after).words(MAX_NAMED) or "the next change") if after else ""
    return Steps(undone, redone)


def seen_by(viewer: Viewer, deck: Deck, game: Game, number: int | None = None) -> DeckContent | None:
    """The deck, or a stored state of it, as this visitor may see it; None if they may not.

    Only those who may edit a deck see its states, since an earlier state may never have been public.
    """
    if number is None:
        return replace(deck.content(), deck=deck.decklist_for(viewer, game))
    if not deck.is_editable_by(viewer):
        return None
    return deck.content_at(number, game)


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a deck comes from and what became of it. ``parent``: None if the visitor may not see it.

    ``fork_count`` counts all forks, ``forks`` are those that lists may show to the visitor.
    """

    parent: Deck | None
    fork_count: int
    forks: list[Deck]


def lineage(deck: Deck, viewer: Viewer) -> Lineage:
    """The deck's parent and forks, as far as this visitor may see them."""
    parent = (
        Deck.objects.visible_to(viewer).filter(pk=deck.forked_from_id).first()
        if deck.forked_from_id
        else None
    )
    count = Deck.objects.all_owners("counted, and not shown").filter(forked_from=deck).count()
    forks = list(Deck.objects.listed_for(viewer).filter(forked_from=deck)[:MAX_FORKS_SHOWN]) if count else []
    return Lineage(parent, count, forks)
