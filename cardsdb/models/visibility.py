"""Who sees what people make: its owner, whoever has the link, everybody; and what staff keep private, for a
reason that its owner reads.
"""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models
from django.db.models import Q

from cardsdb.models.owned import SomebodysQuerySet

M = TypeVar("M", bound="Moderated")
MAX_REASON = 300


class Visibility(models.TextChoices):
    PRIVATE = "private", "Private"
    UNLISTED = "unlisted", "Unlisted"
    PUBLIC = "public", "Public"


SHARED = (Visibility.UNLISTED, Visibility.PUBLIC)


def who_sees(owner: str, listed_among: str) -> list[tuple[str, str]]:
    """The choices of a field, with who sees it then."""
    return [
        (Visibility.PRIVATE.value, f"Private: only you{owner}"),
        (Visibility.UNLISTED.value, "Unlisted: whoever has the link"),
        (Visibility.PUBLIC.value, f"Public: everyone, and in the list of {listed_among}"),
    ]


class ModeratedQuerySet(SomebodysQuerySet[M]):
    """What its owners may share. Those below say for which viewer."""

    def public(self) -> Self:
        """What everybody may see, whoever asks."""
        return self.filter(visibility=Visibility.PUBLIC)

    def moderated(self) -> Self:
        """What staff decide about: what is public, and what they keep private."""
        return self.filter(Q(visibility=Visibility.PUBLIC) | ~Q(private_because=""))


class Moderated(models.Model):
    """``private_because``: why staff keep it private, in their words; blank where its owner says who sees
    it.
    """

    private_because = models.CharField("kept private because", max_length=MAX_REASON, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_shared(self) -> bool:
        return self.visibility in SHARED  # type: ignore[attr-defined, no-any-return]

    def kept_from(self, visibility: str) -> str:
        """Why it cannot be shared so, in a sentence for its owner; empty where it can."""
        if not self.private_because or visibility == Visibility.PRIVATE:
            return ""
        because = self.private_because.rstrip(".")
        return (
            f"It stays private: whoever runs this site keeps it so. Their reason: “{because}”. Ask them"
            " first."
        )


def private_while_kept(name: str) -> models.CheckConstraint:
    """What staff keep private is private, whoever writes the row."""
    return models.CheckConstraint(
        condition=Q(private_because="") | Q(visibility=Visibility.PRIVATE), name=name
    )
