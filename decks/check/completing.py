"""A judged list finished: what it still needs by role, and proposals, for the API and the command line."""

from secrets import SystemRandom
from typing import Any

from cardsdb.catalogue.as_json import picked
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.complete.allowed import Removed
from cardsdb.games.kit.complete.needs import needs_by, roles_for
from cardsdb.games.kit.complete.search import Added, Wishes, proposals
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.play.roles import Said
from decks.core.judging import Judged

# Lines of a list; twice as many as the largest decks have.
MAX_ENTRIES = 200


def completed(judged: Judged, wishes: Wishes) -> dict[str, Any]:
    """All that the deck needs, and proposals, as JSON. Raises Refused for a format without roles, lines that were not read,
    and a starter or cards that are not there.
    """
    game, format, deck = judged.game, judged.format, judged.deck
    if (roles := roles_for(game, format)) is None:
        raise Refused(Fault("no_roles", f"{game.name}, {format.name}, has no roles of cards.", "format"))
    if len(deck.entries) > MAX_ENTRIES:
        raise Refused(Fault("too_large", f"At most {MAX_ENTRIES} lines of cards are finished.", "text"))
    if judged.unread:
        judged.refuse_unread()
    slugs = tuple(starter.slug for starter in game.starters)
    unknown = [one for one in wishes.never if not game.card(one)]
    faults = [Fault("no_such_card", f"{game.name} has no card {one!r}.", "never") for one in unknown]
    if wishes.like not in ("", *slugs):
        faults.append(Fault("no_such_starter", f"There is no starter {wishes.like!r}.", "like", slugs))
    if faults:
        raise Refused(*faults)

    def told(findings: tuple[Said, ...]) -> list[str]:
        return [roles.in_words(said) for said in findings]

    needed = needs_by(roles, game, deck, format)
    return {
        "game": game.slug,
        "format": format.slug,
        "needs": [
            picked(need.role, "slug", "name", "low", "high", "counts", "standing", "cites", "counted")
            | picked(need, "have", "want", "add")
            for need in needed.roles
        ],
        "findings": told(needed.findings),
        "proposals": [
            picked(one.character, "help", "cites", "counted")
            | {
                "name": one.name,
                "starter": one.like.slug if one.like else "",
                "verdict": one.report.verdict,
                "findings": told(one.needs.findings),
                "added": [
                    _told(each, "owned") | {"role": each.role.slug, "reason": roles.in_words(each.reason)}
                    for each in one.added
                ],
                "removed": [_told(each, "to", "code") for each in one.removed],
                "text": write_deck(game, one.deck, format),
            }
            for one in proposals(game, deck, format, SystemRandom(), wishes)
        ],
    }


def _told(each: Added | Removed, *more: str) -> dict[str, Any]:
    card = {"card": None if each.card.written else each.card.key, "name": each.card.name}
    return card | picked(each, "count", "section", *more)
