"""A judged list finished: what it still needs by role, and proposals, for the API and the command line."""

from random import SystemRandom
from typing import Any

from cardsdb.catalogue.as_json import picked
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card
from cardsdb.games.kit.complete.needs import needs_by, roles_for
from cardsdb.games.kit.complete.search import Proposal, Wishes, proposals
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.play.roles import Roles
from decks.core.judging import Judged

# Lines of a list; twice as many as the largest decks have.
MAX_ENTRIES = 200


def completed(judged: Judged, wishes: Wishes) -> dict[str, Any]:
    """All that the deck needs, and proposals, as JSON. Raises Refused for a format without roles, lines that were not read,
    and a starter or cards that are not there.
    """
    game, format = judged.game, judged.format
    if (roles := roles_for(game, format)) is None:
        raise Refused(Fault("no_roles", f"{game.name}, {format.name}, has no roles of cards.", "format"))
    if len(judged.deck.entries) > MAX_ENTRIES:
        raise Refused(Fault("too_large", f"At most {MAX_ENTRIES} lines of cards are finished.", "text"))
    if judged.unread:
        judged.refuse_unread()
    slugs = tuple(starter.slug for starter in game.starters)
    faults = [
        Fault("no_such_card", f"{game.name} has no card {one!r}.", "never")
        for one in wishes.never
        if not game.card(one)
    ]
    if wishes.like not in ("", *slugs):
        faults.append(Fault("no_such_starter", f"There is no starter {wishes.like!r}.", "like", slugs))
    if faults:
        raise Refused(*faults)
    needed = needs_by(roles, game, judged.deck, format)
    return {
        "game": game.slug,
        "format": format.slug,
        "needs": [
            picked(need.role, "slug", "name", "low", "high", "counts", "standing", "cites", "counted")
            | picked(need, "have", "want", "add")
            | {"findings": [roles.in_words(said) for said in need.findings]}
            for need in needed.roles
        ],
        "findings": [roles.in_words(said) for said in needed.findings],
        "proposals": [
            _proposal_json(judged, roles, one)
            for one in proposals(game, judged.deck, format, SystemRandom(), wishes)
        ],
    }


def _proposal_json(judged: Judged, roles: Roles, one: Proposal) -> dict[str, Any]:
    return {
        "name": one.name,
        **picked(one.character, "help", "cites", "counted"),
        "starter": one.like.slug if one.like else "",
        "verdict": one.report.verdict,
        "findings": [roles.in_words(said) for said in one.needs.findings],
        "added": [
            _card_json(each.card)
            | picked(each, "count", "section", "owned")
            | {"role": each.role.slug, "reason": roles.in_words(each.reason)}
            for each in one.added
        ],
        "removed": [
            _card_json(each.card) | picked(each, "count", "section", "to", "code") for each in one.removed
        ],
        "text": write_deck(judged.game, one.deck, judged.format),
    }


def _card_json(card: Card) -> dict[str, Any]:
    return {"card": None if card.written else card.key, "name": card.name}
