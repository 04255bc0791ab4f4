"""Formats that people make of a game: for a league, a house, an evening. A deck names one in its house
rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from cardsdb.games import game_named
from cardsdb.games.kit import Format, Game
from cardsdb.games.kit.declared.format_file import read_league
from cardsdb.games.kit.declared.table import MAX_TEXT
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.identity.viewer import Viewer, new_key
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.models.visibility import (
    SHARED,
    Moderated,
    ModeratedQuerySet,
    Visibility,
    private_while_kept,
    who_sees,
)
from decks.core.used_format import LeagueLookup

if TYPE_CHECKING:
    from decks.models.deck import Deck

WHO_SEES = who_sees("; it counts in your private decks alone", "formats")


class LeagueFormatQuerySet(OwnedQuerySet["LeagueFormat"], ModeratedQuerySet["LeagueFormat"]):
    """Who may see and change which format. Every look-up goes through these."""

    def visible_to(self, viewer: Viewer) -> Self:
        """What a visitor may open who knows the address, which keeps an unlisted format secret."""
        return self.of(viewer) | self.filter(visibility__in=SHARED)

    def listed_for(self, viewer: Viewer) -> Self:
        """The public ones and one's own."""
        return self.of(viewer) | self.public()

    def without_files(self) -> Self:
        """For lists, which show none of what the files say but what stands in columns."""
        return self.defer("declared")

    def counting_in(self, deck: Deck, visibility: str) -> Self:
        """Those by which a deck may be judged that is seen so: what is shared, and in a private deck what its
        owner has besides.

        So everybody who sees a deck sees the same verdict, and nobody learns from a deck what a private
        format says.
        """
        counting = Q(visibility__in=SHARED)
        if visibility == Visibility.PRIVATE:
            counting |= Q(owner=deck.owner_id) if deck.owner_id else Q(pk__in=())
            counting |= Q(browser__in=deck.browsers.values("browser")) if deck.pk else Q(pk__in=())
        return self.filter(counting)


class LeagueFormat(Moderated):
    """A format that an account, or a browser without one, made of a game. ``link`` is its address: 128 random
    bits.

    ``declared`` is what its file says (``cardsdb.games.kit.declared.format_file``); ``name``, ``by`` and
    ``based_on`` stand in it too, and in columns so that a list reads no file.
    """

    link = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    browser = models.CharField(max_length=64, null=True, blank=True, db_index=True)  # noqa: DJ001  none, not ""
    game = models.SlugField(max_length=40)
    name = models.CharField(max_length=80)
    by = models.CharField(max_length=MAX_TEXT, blank=True, default="")
    based_on = models.SlugField(max_length=40, blank=True, default="", db_index=False)
    declared = models.JSONField(default=dict)
    visibility = models.CharField(max_length=10, choices=WHO_SEES, default=Visibility.PRIVATE)
    made = models.DateTimeField(default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    objects = LeagueFormatQuerySet.as_manager()

    class Meta:
        ordering = ("-changed", "-pk")
        indexes = [models.Index(fields=("visibility", "-changed", "-id"), name="league_listed")]
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False) ^ Q(browser__isnull=False),
                name="league_of_account_or_browser",
            ),
            private_while_kept("league_private_while_kept"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    def declare(self, declared: Mapping[str, Any]) -> Self:
        """The row, not stored, with this as what its file says; it must be sound."""
        self.declared, self.name = dict(declared), declared["name"]
        self.by, self.based_on = declared.get("by", ""), declared["based_on"]
        return self

    def as_format(self) -> Format | None:
        """The format, under the slug of the one that it builds on; None where the game changed so that it can
        no longer be read.
        """
        game = game_named(self.game)
        return _read(game, self.link, json.dumps(self.declared)) if game else None


@lru_cache(maxsize=256)
def _read(game: Game, link: str, declared: str) -> Format | None:
    try:
        return read_league(game, link, json.loads(declared))
    except FolderError:
        return None


@receiver((post_save, post_delete), sender=LeagueFormat)
def judge_its_decks_again(instance: LeagueFormat, **kwargs: Any) -> None:
    """The stored verdicts of decks that name the format hold no longer."""
    deck_model = apps.get_model("decks", "Deck")
    deck_model.objects.filter(game=instance.game, house__contains=instance.link).judge_again()


def leagues_of(viewer: Viewer) -> LeagueLookup:
    """The formats by which lists of this visitor may be judged."""
    return _among(
        lambda: LeagueFormat.objects.none() if viewer.is_nobody else LeagueFormat.objects.visible_to(viewer)
    )


def leagues_in(deck: Deck, visibility: str = "") -> LeagueLookup:
    """The formats by which this deck may be judged; ``visibility``: of the deck, where that is about to
    change.
    """
    seen = visibility or deck.visibility
    return _among(lambda: LeagueFormat.objects.counting_in(deck, seen))


def _among(formats: Callable[[], LeagueFormatQuerySet]) -> LeagueLookup:
    """The formats are asked for where a list names one, which hardly any does."""

    def found(game: Game, link: str) -> Format | None:
        row = formats().filter(game=game.slug, link=link).first()
        return row.as_format() if row else None

    return found
