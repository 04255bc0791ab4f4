"""Own pictures of cards, for pages that show faces, and for cards of one's own, which have theirs with them.

Printing stores and draws pictures, and registers here what does so. A picture is its owner's alone, whoever
may see the card.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox

# A picture, which only the tag that draws faces looks into; and one that was looked at and is not stored.
OwnPicture = Any
CleanFile = Any


class Pictures(Protocol):
    """What stores and finds own pictures."""

    def on_pages(self, viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, OwnPicture]:
        """Card code -> the picture of its front that this visitor sees. One query."""

    def states(self, viewer: Viewer, codes: Collection[str]) -> Mapping[tuple[str, str], int]:
        """(game, card code) -> a number that is another when the picture of its front is. One query."""

    def has_any(self, viewer: Viewer) -> bool:
        """Whether this visitor sees any picture of a card's front. One query."""

    def clean(self, file: Any) -> CleanFile:
        """A file that was sent, looked at. Raises Refused, at the field ``picture``."""

    def add(self, viewer: Viewer, game: Game, code: str, clean: CleanFile, label: str) -> None:
        """Store it as the front of a card, in place of the one before. Raises Refused where there is no
        room.
        """

    def forget(self, box: OwnBox, game: str, codes: Iterable[str]) -> None:
        """Delete those that the owner of the box has of these cards."""

    def claim(self, viewer: Viewer, codes: Collection[str]) -> int:
        """Make those that the viewer's browser has of these cards the account's; how many. Raises Refused
        where it has no room for them.
        """


def _pictures() -> Pictures:
    store: Pictures = import_string(settings.CUTOUT_PICTURE_STORE)
    return store


def pictures_of_cards(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, OwnPicture]:
    """Card code -> the picture of its front that this visitor sees: their own, else everyone's on a private
    site. One query.
    """
    return _pictures().on_pages(viewer, game, codes) if codes else {}


def picture_states(viewer: Viewer, codes: Collection[str]) -> Mapping[tuple[str, str], int]:
    """(game, card code) -> a number that is another when the picture of its front is, for cards of these
    codes. One query.
    """
    return _pictures().states(viewer, codes) if codes else {}


def has_pictures(viewer: Viewer) -> bool:
    """Whether this visitor sees any own picture of a card's front. One query."""
    return _pictures().has_any(viewer)


def clean_picture(file: Any) -> CleanFile:
    """A picture that was sent with a card, looked at and not stored. Raises Refused, at the field
    ``picture``.
    """
    return _pictures().clean(file)


def add_picture(viewer: Viewer, game: Game, code: str, clean: CleanFile, label: str) -> None:
    """Store the picture of a card's front. Raises Refused where its owner, or the site, has no room left."""
    _pictures().add(viewer, game, code, clean, label)


def forget_pictures(box: OwnBox, game: str, codes: Iterable[str]) -> None:
    """Delete the pictures of cards that are deleted, within the transaction that deletes those."""
    _pictures().forget(box, game, codes)


def claim_pictures(viewer: Viewer, codes: Collection[str]) -> int:
    """Make the pictures that the viewer's browser has of these cards the account's; how many. Raises Refused
    without room for them.
    """
    return _pictures().claim(viewer, codes) if codes else 0
