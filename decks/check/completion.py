"""A deck completed by role, as its pages show it: every card with its reason before it is added, what comes out, and
what then is; and the cards that were chosen as an edit.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Any

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import VERDICTS, Decklist, Game
from cardsdb.games.kit.complete.search import Added, Proposal, Wishes, proposals
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.play.roles import Role, Roles
from cardsdb.identity.viewer import Viewer
from decks.check.pasted import parse_changes
from decks.collection.holding import Copies, collection_of, copies
from decks.core.content import DeckContent
from decks.core.judging import Judged

# Cards that may be left out.
MAX_NEVER = 500


def owned_of(viewer: Viewer, game: Game) -> dict[str, int]:
    """Code of a card of the game -> copies that the visitor has."""
    whole = copies(collection_of(viewer))
    start = f"{game.slug}/"
    return {key.removeprefix(start): count for key, count in whole.items() if key.startswith(start)}


@dataclass(frozen=True)
class Offer:
    """A proposal as a form of its page shows it."""

    proposal: Proposal
    roles: Roles

    @property
    def parts(self) -> list[tuple[Role, int, dict[str, list[Added]]]]:
        """The cards by role: the role, its copies, and its cards by their reason in words."""
        by_role: dict[str, list[Added]] = {}
        for one in self.proposal.added:
            by_role.setdefault(one.role.slug, []).append(one)
        parts = []
        for cards in by_role.values():
            reasons: dict[str, list[Added]] = {}
            for one in cards:
                reasons.setdefault(self.roles.in_words(one.reason), []).append(one)
            parts.append((cards[0].role, sum(one.count for one in cards), reasons))
        return parts

    @property
    def offered(self) -> str:
        """The codes of all cards, as the form sends them back."""
        return ",".join(one.card.code for one in self.proposal.added)

    @property
    def count(self) -> int:
        return sum(one.count for one in self.proposal.added)

    @property
    def owned(self) -> int:
        return sum(one.owned for one in self.proposal.added)

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.proposal.report.verdict]

    @property
    def advice(self) -> str:
        """What a check of playability still finds; empty for nothing."""
        needed = self.proposal.needs
        return self.roles.in_words(needed.findings[0]) if needed and needed.findings else ""


def completion_context(
    judged: Judged, viewer: Viewer, asked: Mapping[str, str], chosen: Iterable[str]
) -> dict[str, Any]:
    """The page of a completion. ``asked`` are the fields of its form: cards that were left out before (``never``)
    and, where others are wanted ``instead``, those that were ``offered`` and are not ``chosen``; whether cards of
    the collection are to be preferred (``prefer``); the place of the proposal that was looked at (``way``).
    """
    game, owned = judged.game, owned_of(viewer, judged.game)
    never = {*asked.get("never", "").split(",")}
    if "instead" in asked:
        kept = {part.split()[-1] for change in chosen for part in change.split(",") if part.split()}
        never |= {*asked.get("offered", "").split(",")} - kept
    never = {*sorted(filter(None, never))[:MAX_NEVER]}
    wishes = Wishes(never=never, owned=owned, prefer_owned=asked.get("prefer") == "owned")
    found = proposals(game, judged.deck, judged.format, SystemRandom(), wishes) if judged.needs else ()
    return {
        "game": game,
        "judged": judged,
        "offers": [Offer(one, game.roles) for one in found if one.changes and game.roles],
        "never": ",".join(sorted(never)),
        "way": asked.get("way", "1"),
        "prefers": wishes.prefer_owned,
        "has_owned": bool(owned),
    }


def chosen_changes(
    game: Game, deck: Decklist, chosen: Iterable[str], owned: Copies | None = None
) -> tuple[CardChange, ...]:
    """The changes that a form sent; with ``owned`` no more copies of a card than that. Raises Refused for invalid
    ones, for none, and where they do not fit the deck any more.
    """
    if not (chosen := list(chosen)):
        raise Refused(Fault("empty", "No card is ticked, so nothing was added.", "change"))
    changes = parse_changes(game, deck, chosen)
    if owned is not None:
        placed = {entry.card.code: entry.count for entry in deck}
        limits = [max(0, owned.get(one.card.code, 0) - placed.get(one.card.code, 0)) for one in changes]
        changes = tuple(
            replace(one, by=min(one.by, most))
            for one, most in zip(changes, limits, strict=True)
            if most or one.by < 0
        )
    try:
        with_changes(deck, changes)
    except ValueError as error:
        sentence = f"{error} The deck was changed since; look once more at what completes it."
        raise Refused(Fault("changed_elsewhere", sentence, "change"), status=409) from None
    return changes


def completing(
    game: Game, chosen: Iterable[str], owned: Copies | None = None
) -> Callable[[DeckContent], DeckContent]:
    """The chosen cards as one edit of a deck."""

    def edit(content: DeckContent) -> DeckContent:
        changes = chosen_changes(game, content.deck, chosen, owned)
        return replace(content, deck=with_changes(content.deck, changes))

    return edit
