"""Completing a judged list by role: proposals of cards to add, each with its reason.

The page "complete" uses ``completion_context``, the API and the command ``complete_deck`` use ``completed``,
and the editor shows the cards that fit one role (``fits_of``). A role is a purpose of cards, which the game
declares in ``roles.toml``; ``cardsdb/games/kit/complete`` searches for the cards. Nothing is stored here.
Tests: ``tests/decks/check/test_completion.py``; of ``completed`` ``tests/decks/api/test_lists.py``.
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

# Cards that a visitor may exclude from the proposals.
MAX_NEVER = 500
# Characters of the secret for drawing lots; ``token_hex`` makes as many.
MAX_LOT = 64


def owned_of(viewer: Viewer, game: Game) -> dict[str, int]:
    """Return the code of a card of the game -> copies in the viewer's collection."""
    owned, start = copies(collection_of(viewer)), f"{game.slug}/"
    return {key.removeprefix(start): count for key, count in owned.items() if key.startswith(start)}


def completion_context(judged: Judged, viewer: Viewer, asked: QueryDict) -> dict[str, Any]:
    """Return the context of the page that completes a list. ``asked`` are the fields of its form:

    - way: the slug of the proposal to show, by default the first;
    - change: ticked changes, such as ``+1 deck kai``, several of them between commas;
    - offered, never: codes of the cards that were offered and of those excluded before. An offered card that
      is not ticked is excluded from now on;
    - removing: codes of the cards that would come out. One that is not ticked stays;
    - lot: the secret from which X-Files are drawn by lot. It is posted, so that no address tells it.
    """
    game = judged.game
    changes = ",".join(asked.getlist("change"))
    # Codes of the ticked cards: the last word of each change.
    ticked = {change.rpartition(" ")[2] for change in changes.split(",")}
    not_ticked = {*asked.get("offered", "").split()} - ticked
    never = sorted(not_ticked | {*asked.get("never", "").split()})[:MAX_NEVER]
    wishes = Wishes(never=frozenset(never), owned=owned_of(viewer, game))
    lot = asked.get("lot", "")[:MAX_LOT] or token_hex()
    found = proposals(game, judged.deck, judged.format, lot, wishes) if judged.needs else ()
    ways = [way for way in found if way.changes]
    by_slug = {way.character.slug: way for way in ways}
    return {
        "game": game,
        "judged": judged,
        "ways": ways,
        "shown": by_slug.get(asked.get("way", ""), ways[0] if ways else None),
        "never": " ".join(never),
        "lot": lot,
        "stays": {*asked.get("removing", "").split()} - ticked,
        "verdicts": VERDICTS,
        "most": MAX_ENTRIES,
    }


def completed(judged: Judged, wishes: Wishes) -> dict[str, Any]:
    """Return the needs of the deck by role and the proposals, as JSON.

    Raise Refused if the format has no roles, the list is too long or has unread lines, or ``wishes`` name an
    unknown starter or card.
    """
    game, format, deck = judged.game, judged.format, judged.deck
    if len(deck.entries) > MAX_ENTRIES:
        raise Refused(Fault("too_large", f"At most {MAX_ENTRIES} lines of cards are finished.", "text"))
    if (needed := needs(game, deck, format)) is None:
        raise Refused(Fault("no_roles", f"{game.name}, {format.name}, has no roles of cards.", "format"))
    # An empty list is not refused: it is completed too.
    if judged.unread:
        judged.refuse_unread()
    _refuse_unknown(wishes, game)
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
            {
                **picked(way.character, "help", "cites", "counted"),
                "name": way.name,
                "starter": way.like.slug if way.like else "",
                "verdict": way.report.verdict,
                "findings": list(way.needs.findings),
                "added": [
                    _change_json(card, "owned", "reason") | {"role": card.role.slug} for card in way.added
                ],
                "removed": [_change_json(card, "to", "code") for card in way.removed],
                "text": write_deck(game, way.deck, format),
            }
            for way in proposals(game, deck, format, token_hex(), wishes)
        ],
    }


def _refuse_unknown(wishes: Wishes, game: Game) -> None:
    """Raise Refused if the wishes name cards or a starter that the game does not have."""
    faults = [
        Fault("no_such_card", f"{game.name} has no card {code!r}.", "never")
        for code in wishes.never
        if not game.card(code)
    ]
    starters = tuple(starter.slug for starter in game.starters)
    if wishes.like and wishes.like not in starters:
        faults.append(Fault("no_such_starter", f"There is no starter {wishes.like!r}.", "like", starters))
    if faults:
        raise Refused(*faults)


def _change_json(change: Added | Removed, *more: str) -> dict[str, Any]:
    """Return a proposed change as JSON. ``more``: its further attributes to be told."""
    return short_json(change.card) | picked(change, "count", "section", *more)


# -- one role, as the editor shows it ------------------------------------------------------

# Cards that the editor shows for a role.
MAX_FITTING = 24


class Fit(NamedTuple):
    """A card that fits a role: the section that it would be added to, the reason in words, and the copies
    that its owner has beyond those in the deck (negative if the deck has more).
    """

    card: Card
    section: str
    reason: str
    owned: int


def role_of(judged: Judged, slug: str) -> Role | None:
    """Return the role with this slug; for an empty slug, the first role that the deck lacks cards for. None
    if there is none.
    """
    for need in judged.needs.roles if judged.needs else ():
        is_wanted = need.role.slug == slug if slug else bool(need.add)
        if is_wanted:
            return need.role
    return None


def fits_of(judged: Judged, role: Role, viewer: Viewer, most: int) -> dict[str, Fit]:
    """Return code -> Fit for at most ``most`` cards that fit the role in the deck, the best first."""
    owned = owned_of(viewer, judged.game)
    for entry in judged.deck:
        owned[entry.card.code] = owned.get(entry.card.code, 0) - entry.count
    return {
        fit.card.code: Fit(fit.card, fit.section, fit.reason, owned.get(fit.card.code, 0))
        for fit in fitting(judged.game, judged.deck, judged.format, role.slug, most)
    }
