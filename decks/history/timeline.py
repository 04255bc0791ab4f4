"""The states of a deck, each with what it changed, and gathered into sittings; what undoing would do; where a deck comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import plural
from decks.core.content import DeckContent, content_of_json
from decks.core.diff import Difference, difference
from decks.core.judging import format_with, judge
from decks.identity.viewer import Viewer
from decks.models import Deck, DeckRevision
from decks.saving.states import content_at, contents

MAX_FORKS_SHOWN = 20
# Who has not touched the deck for so long has got up in between.
SITTING = timedelta(minutes=30)
OF_A_SITTING = ("edited", "undone", "redone", "repaired")
# A button has room for so many changes.
MAX_NAMED = 2


@dataclass(frozen=True, slots=True)
class State:
    """A kept state, its content and what changed from the one shown before it; None for the oldest. ``before``: that one's content."""

    row: DeckRevision
    content: DeckContent
    change: Difference | None
    before: DeckContent | None = None

    @property
    def words(self) -> str:
        """What changed, or how many cards there were to begin with."""
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
            {"card": None if line.card.written else line.card.key, "name": line.card.name, "section": line.section}
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
    """These states, of one deck and newest first, of those shown without gaps, with their changes. Costs three queries for any number."""
    if not rows:
        return []
    before = DeckRevision.objects.of(rows[0].deck_id).shown().filter(number__lt=rows[-1].number).order_by("-number").first()
    read = contents(game, [*rows, *([before] if before else [])])
    changes = [difference(then, now) for now, then in pairwise(read)]
    return [
        State(row, read[place], *((changes[place], read[place + 1]) if place < len(changes) else (None, None)))
        for place, row in enumerate(rows)
    ]


@dataclass(frozen=True, slots=True)
class Sitting:
    """States that one author made without getting up, newest first; often it is one alone."""

    states: tuple[JudgedState, ...]

    @property
    def newest(self) -> JudgedState:
        return self.states[0]

    @property
    def oldest(self) -> JudgedState:
        return self.states[-1]

    @property
    def legal_before(self) -> int | None:
        """The number of its last legal state, if it did not end with that."""
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
    """A state with its verdict by today's rules. ``came_in``: so many copies the deck has now that it had not."""

    state: State
    verdict: str
    verdict_words: str
    came_in: int = 0


def sittings(game: Game, shown: Sequence[State], now: DeckContent | None = None) -> list[Sitting]:
    """States, newest first, gathered: edits by one author, less than half an hour apart. What has a name stands by itself.

    ``now``: the deck as it is, to be compared with each.
    """
    found: list[list[JudgedState]] = []
    for state in shown:
        content = state.content
        judged = judge(game, content.deck, format_with(game, content.format, content.house))
        came_in = difference(content, now).came_in().total() if now else 0
        one = JudgedState(state, judged.verdict, judged.verdict_words, came_in)
        if found and _goes_on(state.row, found[-1][-1].state.row):
            found[-1].append(one)
        else:
            found.append([one])
    return [Sitting(tuple(states)) for states in found]


def _goes_on(row: DeckRevision, later: DeckRevision) -> bool:
    """Whether the later of two neighbours was made in the same sitting."""
    alike = row.by_id == later.by_id and not row.name and not later.name
    return alike and row.kind in OF_A_SITTING and later.kind in OF_A_SITTING and later.made - row.made < SITTING


@dataclass(frozen=True, slots=True)
class Steps:
    """The change that undoing takes back and the one that redoing makes again, each as it was made; empty if there is none."""

    undo: str = ""
    redo: str = ""


def steps_of(deck: Deck, now: DeckContent, game: Game) -> Steps:
    """In two queries. A card that has left the game is known by the deck, or by its code alone."""
    kept = DeckRevision.objects.of(deck.pk)
    ends = kept.filter(number=deck.revision).values_list("undo_to", "redo_to").first()
    if ends is None or ends == (None, None):
        return Steps()
    stored = dict(kept.filter(number__in=[number for number in ends if number is not None]).values_list("number", "content"))
    own = {entry.card.code: entry.card for entry in now.deck}

    def named(code: str) -> Card | None:
        return own.get(code) or game.card(code)

    before, after = (content_of_json(game.slug, stored[number], named) if number in stored else None for number in ends)
    undone = (difference(before, now).words(MAX_NAMED) or "the last change") if before else ""
    redone = (difference(now, after).words(MAX_NAMED) or "the next change") if after else ""
    return Steps(undone, redone)


def seen_by(viewer: Viewer, deck: Deck, game: Game, number: int | None = None) -> DeckContent | None:
    """The deck, or a kept state of it, as far as this visitor may see it; None if they may not.

    Kept states are for those who may edit: what a deck once was its author need not have shown to anybody.
    """
    if number is None:
        return replace(deck.content(), deck=deck.decklist_for(viewer, game))
    if not deck.is_editable_by(viewer):
        return None
    return content_at(deck, game, number)


def lineage(deck: Deck, viewer: Viewer) -> dict[str, Any]:
    """Where a deck comes from and what became of it, for ``decks/deck.html``.

    ``parent`` only if the visitor may see it; ``fork_count`` counts all, ``forks`` are those that lists may show them.
    """
    parent = Deck.objects.visible_to(viewer).filter(pk=deck.forked_from_id).first() if deck.forked_from_id else None
    count = deck.forks.count()
    shown = list(Deck.objects.listed_for(viewer).filter(forked_from=deck)[:MAX_FORKS_SHOWN]) if count else []
    return {"parent": parent, "forked_revision": deck.forked_revision, "fork_count": count, "forks": shown}
