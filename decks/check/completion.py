"""The cards that complete a judged list by role: as its page shows them, each with its reason before it is
added, as the API and the command line answer, and for one role as the editor shows them.
"""

from secrets import token_hex
from typing import Any, NamedTuple

from django.http import QueryDict

from cardsdb.catalogue.as_json import picked
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import VERDICTS, Card, Game
from cardsdb.games.kit.complete.needs import MAX_ENTRIES, needs
from cardsdb.games.kit.complete.search import Added, Removed, Wishes, fitting, proposals
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.play.roles import Role
from cardsdb.identity.viewer import Viewer
from decks.collection.holding import collection_of, copies
from decks.core.content import short_json
from decks.core.judging import Judged

# Cards that may be left out.
MAX_NEVER = 500


def owned_of(viewer: Viewer, game: Game) -> dict[str, int]:
    """Code of a card of the game -> copies that the visitor has."""
    owned, start = copies(collection_of(viewer)), f"{game.slug}/"
    return {key.removeprefix(start): count for key, count in owned.items() if key.startswith(start)}


def completion_context(judged: Judged, viewer: Viewer, asked: QueryDict) -> dict[str, Any]:
    """The context of the page. ``asked`` are fields of its form: the place of the ``way`` that is looked at;
    the codes that were ``offered``, of which those that no ``change`` names are left out, and those left out
    before (``never``); the secret by which X-Files are drawn (``lot``), which no address tells; those that
    were ``removing``, of which those that no ``change`` names stay.
    """
    game = judged.game
    changes = ",".join(asked.getlist("change"))
    kept = {change.rpartition(" ")[2] for change in changes.split(",")}
    left_out = {*asked.get("offered", "").split()} - kept | {*asked.get("never", "").split()}
    never = sorted(left_out)[:MAX_NEVER]
    wishes = Wishes(never=frozenset(never), owned=owned_of(viewer, game))
    lot = asked.get("lot", "")[:64] or token_hex()
    ways = proposals(game, judged.deck, judged.format, lot, wishes) if judged.needs else ()
    found = [one for one in ways if one.changes]
    return {
        "game": game,
        "judged": judged,
        "ways": found,
        "shown": next((one for one in found if one.character.slug == asked.get("way")), (*found, None)[0]),
        "never": " ".join(never),
        "lot": lot,
        "stays": {*asked.get("removing", "").split()} - kept,
        "verdicts": VERDICTS,
        "most": MAX_ENTRIES,
    }


def completed(judged: Judged, wishes: Wishes) -> dict[str, Any]:
    """All that the deck needs, and proposals, as JSON. Raises Refused for a format without roles, a list that
    is too long, lines that were not read, and a starter or cards that are not there.
    """
    game, format, deck = judged.game, judged.format, judged.deck
    if len(deck.entries) > MAX_ENTRIES:
        raise Refused(Fault("too_large", f"At most {MAX_ENTRIES} lines of cards are finished.", "text"))
    if (needed := needs(game, deck, format)) is None:
        raise Refused(Fault("no_roles", f"{game.name}, {format.name}, has no roles of cards.", "format"))
    if judged.unread:
        judged.refuse_unread()
    slugs = tuple(starter.slug for starter in game.starters)
    unknown = [one for one in wishes.never if not game.card(one)]
    faults = [Fault("no_such_card", f"{game.name} has no card {one!r}.", "never") for one in unknown]
    if wishes.like not in ("", *slugs):
        faults.append(Fault("no_such_starter", f"There is no starter {wishes.like!r}.", "like", slugs))
    if faults:
        raise Refused(*faults)
    return {
        "game": game.slug,
        "format": format.slug,
        "needs": [
            picked(need.role, "slug", "name", "low", "high", "counts", "standing", "cites", "counted")
            | picked(need, "have", "want", "add")
            for need in needed.roles
        ],
        "findings": list(needed.findings),
        "proposals": [
            picked(one.character, "help", "cites", "counted")
            | {
                "name": one.name,
                "starter": one.like.slug if one.like else "",
                "verdict": one.report.verdict,
                "findings": list(one.needs.findings),
                "added": [_told(each, "owned", "reason") | {"role": each.role.slug} for each in one.added],
                "removed": [_told(each, "to", "code") for each in one.removed],
                "text": write_deck(game, one.deck, format),
            }
            for one in proposals(game, deck, format, token_hex(), wishes)
        ],
    }


def _told(each: Added | Removed, *more: str) -> dict[str, Any]:
    return short_json(each.card) | picked(each, "count", "section", *more)


# -- one role, as the editor shows it ------------------------------------------------------

# Cards that are shown for a role.
MAX_FITTING = 24


class Fit(NamedTuple):
    """A card that fits a role: the section that it would be put into, the reason in words, and the copies
    that the author has besides those of the deck.
    """

    card: Card
    section: str
    reason: str
    owned: int


def role_of(judged: Judged, slug: str) -> Role | None:
    """The role of this slug; for an empty slug the first role that the deck lacks cards for. None if there is
    none.
    """
    needs = judged.needs.roles if judged.needs else ()
    return next((one.role for one in needs if (one.role.slug == slug if slug else one.add)), None)


def fits_of(judged: Judged, role: Role, viewer: Viewer, most: int) -> dict[str, Fit]:
    """Code -> a card that fits the role in the deck as it is, at most so many, the best first."""
    owned = owned_of(viewer, judged.game)
    for entry in judged.deck:
        owned[entry.card.code] = owned.get(entry.card.code, 0) - entry.count
    return {
        one.card.code: Fit(one.card, one.section, one.reason, owned.get(one.card.code, 0))
        for one in fitting(judged.game, judged.deck, judged.format, role.slug, most)
    }
