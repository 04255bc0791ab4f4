"""The history of a deck: every state it was ever saved in, oldest first. Nothing is rewritten; undoing is a new state too."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from cardsdb.games.kit import Card, Game
from cardsdb.models import Card as StoredCard
from decks.core.content import DeckContent, content_of_json

# How many states without a name a deck keeps, and how far back undoing (and redoing) always goes.
MAX_UNNAMED = 300
STEPS_KEPT = 100
# A state within one burst of presses: the next state goes on from it, and undoing skips it.
PASSED = "passed"
KINDS = {
    "before": "State before its history began",
    "made": "Made",
    "edited": "Edited",
    "undone": "Undone",
    "redone": "Redone",
    "restored": "Gone back to an earlier version",
    "forked": "Forked",
    "imported": "Imported",
    "repaired": "Repaired",
    "merged": "Merged with what was saved meanwhile",
    "moderated": "Changed by a moderator",
    PASSED: "On the way to the next",
}


class RevisionQuerySet(models.QuerySet["DeckRevision"]):
    """The states of decks. Only those who may edit a deck may see its states."""

    def of(self, deck_id: int) -> Self:
        return self.filter(deck_id=deck_id)

    def shown(self) -> Self:
        """The states that a history lists: those within a burst of presses only if they have a name."""
        return self.exclude(kind=PASSED, name="")

    def add(
        self,
        deck_id: int,
        number: int,
        content: DeckContent,
        kind: str,
        *,
        by: int | None = None,
        steps: tuple[int | None, int | None] = (None, None),
        made: datetime | None = None,
        request_id: str = "",
    ) -> None:
        """Store this state until it is the oldest of too many. ``steps``: the numbers of the states that undoing and redoing lead to."""
        values = {"by_id": by, "undo_to": steps[0], "redo_to": steps[1], "made": made or timezone.now()}
        values["request_id"] = request_id
        self.create(deck_id=deck_id, number=number, content=content.as_json(), kind=kind, **values)
        self._prune(deck_id)

    def _prune(self, deck_id: int) -> None:
        """Delete the oldest states without a name beyond the bound, except those that undoing or redoing needs."""
        states = self.of(deck_id)
        too_many = states.filter(name="").count() - MAX_UNNAMED
        if too_many <= 0:
            return
        rows = {row[0]: row for row in states.order_by("number").values_list("number", "undo_to", "redo_to", "name", "kind")}
        newest = max(rows)
        needed = {newest, *_chain(rows, newest, 1), *_chain(rows, newest, 2)}
        spare = [number for number, row in rows.items() if not row[3] and number not in needed]
        # States on the way go first, except the latest: a page that is still open may have been drawn from one, and is merged from there.
        spare.sort(key=lambda number: (rows[number][4] != PASSED or number > newest - STEPS_KEPT, number))
        states.filter(number__in=spare[:too_many]).delete()


def _chain(rows: dict[int, tuple[int, int | None, int | None, str, str]], number: int, step: int) -> Iterable[int]:
    """The stored states that one undo (``step`` 1) or redo (2) after the other leads to."""
    for _ in range(STEPS_KEPT):
        following = rows[number][step]
        if not isinstance(following, int) or following not in rows:
            return
        number = following
        yield number


class DeckRevision(models.Model):
    """A deck as it was saved once.

    ``content`` is the JSON of ``decks.core.content.DeckContent``. ``undo_to`` is the number of the state
    that undoing this one leads to, ``redo_to`` the one that was undone to come here. ``request_id`` is what the
    editor called the request that made it, so that one that is sent twice is applied once.
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    made = models.DateTimeField(default=timezone.now)
    kind = models.SlugField(max_length=20)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=80, blank=True, default="")
    content = models.JSONField()
    undo_to = models.PositiveIntegerField(null=True, blank=True)
    redo_to = models.PositiveIntegerField(null=True, blank=True)
    request_id = models.CharField(max_length=36, blank=True, default="")

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=("deck", "number"), name="revision_once_a_deck")]

    def __str__(self) -> str:
        return f"revision {self.number} of deck {self.deck_id}"

    @property
    def kind_words(self) -> str:
        return KINDS.get(self.kind, self.kind)


def contents_of(rows: Iterable[DeckRevision], game: Game) -> list[DeckContent]:
    """The contents of these states, with their cards from the catalogue, in two queries for any number of states."""
    stored = [row.content for row in rows]
    codes = {line["code"] for content in stored for line in content["lines"] if "code" in line}
    cards: dict[str, Card] = {}
    if codes:
        cards = {card.code: card for card in StoredCard.objects.in_game(game.slug).filter(code__in=codes).cards().values()}
    return [content_of_json(game.slug, content, cards.get) for content in stored]
