"""Formats of leagues, stored: read from a file, kept as their owner's, changed, taken along from the browser
into the account.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone

from cardsdb.box.texts import box_of, locked
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.declared.formats import parse_league_file, read_league
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, note_moderated, note_visibility
from decks.leagues.forms import Declared
from decks.models import LeagueFormat, Visibility

# Of one account or browser, and of all together.
MAX_LEAGUES, MAX_LEAGUES_OF_SITE = 60, 20_000
_SITE_FULL = (
    "This site has no room left for formats. Whoever runs it can make some; nothing is wrong with yours."
)


def league_from(data: bytes, name: str) -> tuple[LeagueFormat | None, list[str]]:
    """A format as its file says, not stored, or what is wrong with the file."""
    place = "".join(char for char in name if char.isprintable())[:80]
    try:
        declared = parse_league_file(data, place)
        game = games().get(str(declared.get("game", "")))
        if game is None:
            return None, [f"{place}, game: must be one of {', '.join(games())}."]
        read_league(game, "", declared, place)
    except FolderError as error:
        return None, list(error.problems)
    return LeagueFormat(game=game.slug).declare(declared), []


@transaction.atomic
def keep_league(owner: Viewer, row: LeagueFormat) -> None:
    """Store a new format as this owner's. Raises Refused where they, or the site, have no room for one
    more.
    """
    if not _room(owner):
        sentence = f"You have {MAX_LEAGUES} formats, which is as many as there is room for. Delete one first."
        raise Refused(Fault("too_many", sentence, "name"))
    if LeagueFormat.objects.all_owners("counted for the site's bound").count() >= MAX_LEAGUES_OF_SITE:
        raise Refused(Fault("site_full", _SITE_FULL, "name"), status=507)
    row.owner_id, row.browser = owner.user_id, None if owner.user_id else owner.browser
    row.save(force_insert=True)


@transaction.atomic
def claim_leagues(viewer: Viewer, links: Collection[str] | None = None) -> tuple[int, int]:
    """Make the formats of this browser the account's; (how many, how many stay because the account has no
    room for them).

    ``links``: of those that are meant, by default all.
    """
    meant = LeagueFormat.objects.of_browser(viewer)
    if links is not None:
        meant = meant.filter(link__in=links)
    room, theirs = _room(viewer), list(meant.select_for_update())
    for row in theirs[:room]:
        row.owner_id, row.browser = viewer.user_id, None
        # Saved one by one, so that the decks of each are judged again.
        row.save(update_fields=["owner", "browser"])
    return len(theirs[:room]), len(theirs[room:])


def _room(owner: Viewer) -> int:
    """The number of formats that this owner may still have. Others who store one for them wait until this
    transaction ends.
    """
    locked(box_of(owner))
    return max(0, MAX_LEAGUES - LeagueFormat.objects.of(owner).count())


@transaction.atomic
def keep_league_private(pk: int, because: str) -> None:
    """Keep a public format private for this reason; without one its owner may share it again. Raises Http404
    for one of theirs alone.
    """
    row = get_object_or_404(LeagueFormat.objects.moderated().select_for_update(), pk=pk)
    row.private_because, row.visibility = because, Visibility.PRIVATE if because else row.visibility
    row.save(update_fields=["private_because", "visibility"])
    note_moderated(row, "format", bool(because), row.owner_id)


@transaction.atomic
def delete_league(row: LeagueFormat) -> None:
    """Delete a format. Decks that name it stay, judged by the format beneath."""
    note(Event.DELETED, row.owner_id, thing="format", number=row.pk, name=row.name)
    row.delete()


@transaction.atomic
def change_league(row: LeagueFormat, game: Game, declared: Declared, visibility: str) -> list[str]:
    """Return what is wrong with the format as it would be; empty if it is stored. Its row must be locked."""
    if kept := row.kept_from(visibility):
        return [kept]
    try:
        read_league(game, row.link, declared)
    except FolderError as error:
        return list(error.problems)
    row.declare(declared)
    note_visibility(row, "format", row.visibility, visibility, row.owner_id)
    row.visibility, row.changed = visibility, timezone.now()
    row.save(update_fields=["declared", "name", "by", "based_on", "visibility", "changed"])
    return []
