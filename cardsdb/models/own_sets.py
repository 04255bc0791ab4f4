"""Sets of one's own: cards that no catalogue lists, made by whoever has the box that they stand in.

Whoever may see a set may see its cards, and every look-up says who asks.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cardsdb.games import game_named, kit
from cardsdb.games.kit.model.cards import MAX_TEXT, OWN_CODE
from cardsdb.identity.viewer import Viewer, new_key
from cardsdb.models.own import OwnBox
from cardsdb.models.owned import (
    SHARED,
    Moderated,
    ModeratedQuerySet,
    SomebodysQuerySet,
    Visibility,
    private_while_kept,
    who_sees,
)

# Behind every fact of a card of one's own stands whoever made it.
STATED_BY_OWNER = kit.Claim("", certainty="outside", note="stated by whoever made the card")


def new_code() -> str:
    """A code that no card of a catalogue can have, and that nobody guesses."""
    return f"{OWN_CODE}{secrets.token_hex(8)}"


class OwnSetQuerySet(ModeratedQuerySet["OwnSet"]):
    """Sets by who asks."""

    def of(self, viewer: Viewer) -> Self:
        return self.filter(box__in=OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what a visitor may open who knows the address, which keeps an unlisted set secret."""
        return self.filter(Q(box__in=OwnBox.objects.visible_to(viewer)) | Q(visibility__in=SHARED))


class OwnSet(Moderated):
    """Cards of one game that somebody made. ``link`` is its address: 128 random bits. ``licence`` and
    ``credit`` are as its owner says.
    """

    box = models.ForeignKey(OwnBox, on_delete=models.CASCADE, related_name="sets")
    game = models.SlugField(max_length=40)
    link = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=80)
    visibility = models.CharField(max_length=8, choices=who_sees("", "sets"), default=Visibility.PRIVATE)
    licence = models.CharField(max_length=120, blank=True, default="")
    credit = models.CharField(max_length=300, blank=True, default="")
    note = models.CharField(max_length=1_000, blank=True, default="")
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnSetQuerySet.as_manager()

    class Meta:
        ordering = ("game", "name", "pk")
        indexes = [models.Index(fields=("visibility", "game", "name"), name="own_set_by_visibility")]
        constraints = [private_while_kept("own_set_private_while_kept")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"


class OwnCardQuerySet(SomebodysQuerySet["OwnCard"]):
    """Cards of one's own, by who asks."""

    def of(self, viewer: Viewer) -> Self:
        return self.filter(in_set__box__in=OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """The cards of the sets that this visitor may open."""
        return self.filter(in_set__in=OwnSet.objects.visible_to(viewer))

    def in_boxes(self, boxes: Iterable[OwnBox | int]) -> Self:
        """The cards in these boxes, or those of these primary keys, into which who asks was let see."""
        return self.filter(in_set__box__in=boxes)

    def codes_told_to(self, viewer: Viewer, codes: Collection[str]) -> set[str]:
        """Those of the codes whose cards this visitor may read. One query, none for no codes."""
        return (
            set(self.visible_to(viewer).filter(code__in=codes).values_list("code", flat=True))
            if codes
            else set()
        )


class OwnCard(models.Model):
    """A card that its owner describes. ``code`` is unlike any code of a catalogue. ``place``: the place of a
    checklist that it fills.

    ``number`` is that of its set, in words, as its owner counts them.
    """

    in_set = models.ForeignKey(OwnSet, on_delete=models.CASCADE, related_name="cards")
    code = models.CharField(max_length=40, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=200)
    number = models.CharField(max_length=20, blank=True, default="")
    type = models.SlugField(max_length=40)
    facts = models.JSONField(default=dict)
    text = models.TextField(max_length=MAX_TEXT, blank=True)
    note = models.CharField(max_length=300, blank=True, default="")
    place = models.CharField(max_length=60, blank=True, default="")
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnCardQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=("in_set", "place"), condition=~Q(place=""), name="own_card_once_a_place"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def as_card(self) -> kit.Card:
        """The card as rules and faces know it: written in, as nothing but its owner states it. Wants
        ``in_set``.
        """
        game = game_named(self.in_set.game)
        lists = {fact.key for fact in game.facts if fact.kind == "words"} if game else set()
        facts = {key: tuple(value) if key in lists else value for key, value in self.facts.items()}
        return kit.Card(
            self.in_set.game,
            self.code,
            self.name,
            self.type,
            facts,
            self.text,
            sources={"": (STATED_BY_OWNER,)},
            note=self.note,
            written=True,
        )
