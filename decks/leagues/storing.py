"""Formats of leagues, stored: read from a file, kept as their owner's, changed, taken along from the browser into the account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.declared.format_file import read_league
from cardsdb.games.kit.declared.league_file import parse_league_file
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.identity.viewer import Viewer
from decks.leagues.league_rules import Declared
from decks.models import LeagueFormat

# Of one account or browser.
MAX_LEAGUES = 60


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
    return LeagueFormat(game=game.slug, name=declared["name"], declared=declared), []


@transaction.atomic
def keep_league(owner: Viewer, row: LeagueFormat) -> bool:
    """Store a new format as this owner's, if they have room for one more."""
    if not _room(owner):
        return False
    row.owner_id, row.browser = owner.user_id, None if owner.user_id else owner.browser
    row.save()
    return True


@transaction.atomic
def claim_leagues(viewer: Viewer) -> tuple[int, int]:
    """Make the formats of this browser the account's; (how many, how many stay because the account has no room for them)."""
    room, theirs = _room(viewer), list(LeagueFormat.objects.of_browser(viewer).select_for_update())
    for row in theirs[:room]:
        row.owner_id, row.browser = viewer.user_id, None
        # Saved one by one, so that the decks of each are judged again.
        row.save()
    return len(theirs[:room]), len(theirs[room:])


def _room(owner: Viewer) -> int:
    """How many formats this owner may still have. Whoever else stores one for the account waits until this transaction ends."""
    if owner.user_id:
        User.objects.select_for_update(no_key=True).get(pk=owner.user_id)
    return max(0, MAX_LEAGUES - LeagueFormat.objects.of(owner).count())


@transaction.atomic
def change_league(row: LeagueFormat, game: Game, declared: Declared, visibility: str) -> list[str]:
    """What is wrong with the format as it would be; empty if it is stored."""
    try:
        read_league(game, row.link, declared)
    except FolderError as error:
        return list(error.problems)
    row.declared, row.visibility, row.name, row.changed = dict(declared), visibility, declared["name"], timezone.now()
    row.save()
    return []
