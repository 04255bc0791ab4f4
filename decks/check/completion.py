"""What completes a deck by role, as its page shows it: every card with its reason before it is added."""

from secrets import SystemRandom
from typing import Any

from django.http import QueryDict

from cardsdb.games.kit import VERDICTS, Game
from cardsdb.games.kit.complete.search import Wishes, proposals
from cardsdb.identity.viewer import Viewer
from decks.collection.holding import collection_of, copies
from decks.core.judging import Judged

# Cards that may be left out.
MAX_NEVER = 500


def owned_of(viewer: Viewer, game: Game) -> dict[str, int]:
    """Code of a card of the game -> copies that the visitor has."""
    owned, start = copies(collection_of(viewer)), f"{game.slug}/"
    return {key.removeprefix(start): count for key, count in owned.items() if key.startswith(start)}


def completion_context(judged: Judged, viewer: Viewer, asked: QueryDict) -> dict[str, Any]:
    """The context of the page. ``asked`` are fields of its form: the place of the ``way`` that is looked at; the codes
    that were ``offered``, of which those that no ``change`` names are left out, and those left out before (``never``);
    those that were ``removing``, of which those that no ``change`` names stay.
    """
    game, found = judged.game, list[Any]()
    changes = ",".join(asked.getlist("change"))
    kept = {change.rpartition(" ")[2] for change in changes.split(",")}
    left_out = {*asked.get("offered", "").split()} - kept | {*asked.get("never", "").split()}
    never = sorted(left_out)[:MAX_NEVER]
    if judged.needs:
        wishes = Wishes(never=frozenset(never), owned=owned_of(viewer, game))
        found = [
            one for one in proposals(game, judged.deck, judged.format, SystemRandom(), wishes) if one.changes
        ]
    return {
        "game": game,
        "judged": judged,
        "ways": found,
        "shown": next((one for one in found if one.character.slug == asked.get("way")), (*found, None)[0]),
        "never": " ".join(never),
        "stays": {*asked.get("removing", "").split()} - kept,
        "verdicts": VERDICTS,
    }
