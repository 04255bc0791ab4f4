"""The table of formats that people make, for a league, a house or an evening.

A deck names a league by its link in its house rules. ``leagues_of`` (for a pasted list) and ``found_among``
(for a deck: ``Deck.leagues_while``) make the look-ups with which ``decks/core/used_format.py`` finds it.
``cardsdb/games/kit/declared/formats.py`` reads the file of a format. The pages are in ``decks/leagues``.
Tests: ``tests/decks/leagues``, above all ``test_privacy.py``.
"""

from collections.abc import Mapping
from typing import Any, Self

from django.db import models
from django.db.models import Q

from cardsdb.games import game_named
from cardsdb.games.kit import FolderError, Format, Game
from cardsdb.games.kit.declared.formats import read_league
from cardsdb.games.kit.folder.table import MAX_TEXT
from cardsdb.identity.viewer import Viewer
from cardsdb.models.owned import (
    SHARED,
    Moderated,
    ModeratedQuerySet,
    OwnedQuerySet,
    Visibility,
    account_key,
    link_key,
    moment,
    private_while_kept,
    some_text,
    who_sees,
)
from decks.core.used_format import LeagueLookup

# (value, words) of each visibility, for forms.
WHO_SEES = who_sees("; it counts in your private decks alone", "formats")


class LeagueFormatQuerySet(OwnedQuerySet["LeagueFormat"], ModeratedQuerySet["LeagueFormat"]):
    """Formats by the viewer who may see or change them. Every look-up goes through these."""

    def visible_to(self, viewer: Viewer) -> Self:
        """The formats that a viewer may open who knows the address. Never list them: unlisted formats are
        secret by their address.
        """
        return self.of(viewer) | self.filter(visibility__in=SHARED)

    def listed_for(self, viewer: Viewer) -> Self:
        """The formats that lists may show to a viewer: public ones and their own."""
        return self.of(viewer) | self.public()

    def without_files(self) -> Self:
        """Without the column ``declared``, for lists, which need none of it."""
        return self.defer("declared")


class LeagueFormat(Moderated):
    """A format made by an account (``owner``), or by a browser without one (``browser``, the hash of its
    token). ``link``: its address, 128 random bits.

    ``declared``: the content of its file (``cardsdb.games.kit.declared.formats``). ``name``, ``by`` and
    ``based_on`` repeat parts of it, so that lists need not read the file.
    """

    link = link_key()
    owner = account_key(null=True, blank=True)
    # None, not "", for an owner with an account.
    browser = models.CharField(max_length=64, null=True, blank=True, db_index=True)  # noqa: DJ001
    game = models.SlugField(max_length=40)
    name = models.CharField(max_length=80)
    by = some_text(MAX_TEXT)
    based_on = models.SlugField(max_length=40, blank=True, default="", db_index=False)
    declared = models.JSONField(default=dict)
    visibility = models.CharField(max_length=10, choices=WHO_SEES, default=Visibility.PRIVATE)
    made = moment()
    changed = moment()

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
        """Set the content of the file, which the caller has checked, and return the row unsaved."""
        self.declared, self.name = dict(declared), declared["name"]
        self.by, self.based_on = declared.get("by", ""), declared["based_on"]
        return self

    def as_format(self) -> Format | None:
        """Return the format, with the slug of the game's format that it builds on. None if it can no longer
        be read because the game has changed.
        """
        game = game_named(self.game)
        try:
            return read_league(game, self.link, self.declared) if game else None
        except FolderError:
            return None


def leagues_of(viewer: Viewer) -> LeagueLookup:
    """Return the look-up of the leagues that lists of this viewer may name."""
    formats = LeagueFormat.objects
    return found_among(formats.none() if viewer.is_nobody else formats.visible_to(viewer))


def found_among(formats: LeagueFormatQuerySet) -> LeagueLookup:
    """Return a look-up in these formats. It makes a query only when a list names a league, which few do."""

    def find(game: Game, link: str) -> Format | None:
        row = formats.filter(game=game.slug, link=link).first()
        return row.as_format() if row else None

    return find
