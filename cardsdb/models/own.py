"""All that people bring along: a box for each account, for each browser without one, and for everyone on
a private site.

Whatever stands in a box is looked up by who asks, and in no other way.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils import timezone

from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.owning import shown_on_pages
from cardsdb.identity.viewer import Viewer
from cardsdb.models.owned import EVERYONE, ONE_OF_THREE_OWNERS, Everyone, OwnedQuerySet, SomebodysQuerySet

# An order in which everyone's rows come before a viewer's own, so that in a mapping their own stand.
EVERYONES_FIRST = F("box__everyone").desc(nulls_last=True)
# (primary key, state) of each of some boxes, ascending.
Boxes = tuple[tuple[int, int], ...]


def has_box_for_everyone() -> bool:
    """Say whether what is brought for everyone is shown: on a private site. A public one shows nobody
    what it has no right to show.
    """
    return not settings.HTTPS


class OwnBoxQuerySet(OwnedQuerySet["OwnBox"]):
    """Boxes by who asks."""

    def for_everyone(self) -> Self:
        """The box of everyone on this machine's site; none on a public site."""
        return self.filter(everyone=True) if has_box_for_everyone() else self.none()

    def visible_to(self, viewer: Viewer) -> Self:
        """The boxes that this visitor sees into: their own and everyone's."""
        return self.none() if viewer.is_nobody else self.of(viewer) | self.for_everyone()

    def states_seen_by(self, viewer: Viewer) -> Boxes:
        """(primary key, state) of each box with something in it that ``visible_to`` finds."""
        seen = self.visible_to(viewer).filter(state__gt=0).order_by("pk")
        return tuple(seen.values_list("pk", "state"))


@shown_on_pages
class OwnBox(models.Model):
    """One owner's box. ``browser`` is the hash of the browser's token; exactly one of the three owners is
    set.

    ``state`` is another number after every change, so that what was made of the box is known to be old; 0
    before the first.
    """

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    browser = models.CharField(max_length=64, null=True, blank=True, unique=True)
    everyone = models.BooleanField(null=True, blank=True, unique=True)
    state = models.PositiveBigIntegerField(default=0)

    objects = OwnBoxQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=ONE_OF_THREE_OWNERS, name="box_has_one_owner"),
        ]

    def __str__(self) -> str:
        return f"box {self.pk}"

    @property
    def whose(self) -> Viewer | Everyone:
        return EVERYONE if self.everyone else Viewer(self.owner_id, browser=self.browser or "")

    def changed(self) -> None:
        """Note a change of what is in the box. No number comes twice: one that was taken back might have been
        seen.
        """
        OwnBox.objects.filter(pk=self.pk).update(state=secrets.randbits(62) + 1)


class InBoxQuerySet(SomebodysQuerySet["OwnText"]):
    """Tells what stands in boxes, by who asks."""

    def of(self, viewer: Viewer) -> Self:
        return self.filter(box__in=OwnBox.objects.of(viewer))

    def visible_to(self, viewer: Viewer) -> Self:
        """Return what this visitor sees: what everyone has comes first, so that in a mapping their own
        stands in its place.
        """
        return self.filter(box__in=OwnBox.objects.visible_to(viewer)).order_by(EVERYONES_FIRST, "pk")

    def in_boxes(self, boxes: Iterable[OwnBox | int]) -> Self:
        """Rows of these boxes, or of those of these primary keys, into which who asks was let see."""
        return self.filter(box__in=boxes)


class InBox(models.Model):
    """A row of a box about one card. The card goes by its code, because cards come and go when folders are
    loaded.
    """

    box = models.ForeignKey(OwnBox, on_delete=models.CASCADE, related_name="%(class)ss")
    game = models.SlugField(max_length=40)
    card_code = models.CharField(max_length=120)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = InBoxQuerySet.as_manager()

    class Meta:
        abstract = True


class OwnText(InBox):
    """The text of a card as its owner has it, and the facts of theirs that differ from the catalogue's: key
    -> value in words.

    ``source`` is what the owner called the file that it came from; empty for what was typed.
    """

    text = models.TextField(max_length=MAX_TEXT, blank=True)
    facts = models.JSONField(default=dict)
    source = models.CharField(max_length=120, blank=True, default="")

    class Meta(InBox.Meta):
        ordering = ("game", "card_code", "pk")
        constraints = [
            models.UniqueConstraint(fields=("box", "game", "card_code"), name="own_text_once_a_card")
        ]

    def __str__(self) -> str:
        return f"text for {self.game}/{self.card_code}"


class OwnChoice(InBox):
    """The card that an owner chose for an entry of a file which fits several or none; without a card, it is
    to be passed over.

    ``entry`` is the entry's id, else its set, number and name, folded.
    """

    entry = models.CharField(max_length=300)

    class Meta(InBox.Meta):
        constraints = [
            models.UniqueConstraint(fields=("box", "game", "entry"), name="own_choice_once_an_entry")
        ]

    def __str__(self) -> str:
        return f"{self.entry} is {self.game}/{self.card_code}"
