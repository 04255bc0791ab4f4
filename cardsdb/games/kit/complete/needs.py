"""The needs of a deck, by the roles that its game declares: how many cards a role has, wants and would get,
and what a check of playability finds.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.play.roles import Role, Roles
from cardsdb.games.kit.repair.steps import FEW

# Lines of a deck; twice as many as the largest decks have. A longer one is not completed.
MAX_ENTRIES = 200


@dataclass(frozen=True)
class Need:
    """One role in a deck. ``have`` and ``want`` are cards, or sums of ``role.counts``; ``add`` is how many
    cards a completion would put in (of a base role how much is left to ``want``).
    """

    role: Role
    have: int
    want: int
    add: int


@dataclass(frozen=True)
class Needs:
    """All that a deck still needs. ``findings`` of the checks stand in the order in which they decide games;
    ``advice``: the sentence about the first, but of a role that has no card yet nothing is said until the
    deck is legal.
    """

    roles: tuple[Need, ...]
    findings: tuple[str, ...]
    advice: str

    @property
    def add(self) -> int:
        """The cards that a completion would put in, those of the base not counted."""
        return sum(need.add for need in self.roles if not need.role.base)

    @property
    def is_far(self) -> bool:
        """True where completing the deck helps more than a repair."""
        return self.add > FEW


def needs(game: Game, deck: Decklist, format: Format) -> Needs | None:
    """All that the deck needs to be finished. None where ``roles_for`` it has none."""
    roles = roles_for(game, deck, format)
    return needs_by(roles, game, deck, format) if roles else None


def roles_for(game: Game, deck: Decklist, format: Format) -> Roles | None:
    """The roles of the cards of a deck of this format; None where the game declares none, and for a deck that
    is too long.
    """
    is_known = game.roles and format.slug in game.roles.formats and len(deck.entries) <= MAX_ENTRIES
    return game.roles if is_known else None


def needs_by(roles: Roles, game: Game, deck: Decklist, format: Format, closed: Collection[str] = ()) -> Needs:
    """All that the deck needs by these roles, which may be those of a character; nothing comes into those of
    the slugs that are ``closed``. It judges the deck once. A card counts for the first role that it takes.
    """
    view, have, found = roles.view(game.cards, deck, ""), Counter[str](), 0
    for entry in deck:
        fits = [one for one in roles.roles if one.of.holds(entry.card) and entry.section in one.of.sections]
        found += entry.count * any(not one.base for one in fits)
        for role in [one for one in fits if one.base or view.takes(one.slug, entry.card)][:1]:
            have[role.slug] += role.measure(entry.card) * entry.count
    report = game.judge(deck, format)
    types = {name for role in roles.roles if not role.base for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & {*lack.types})
        for violation in report.violations
        if violation.severity is Severity.INCOMPLETE
    ]
    wants, adds = _shared(roles, have, found, max(lacking, default=0), closed)
    needed = [Need(one, have[one.slug], wants[one.slug], adds[one.slug]) for one in roles.roles]
    bare = {one.role.slug for one in needed if not one.have and report.verdict != "legal"}
    role_of = {check.slug: check.role for check in roles.checks}
    found_by = [(role_of[said.code], roles.in_words(said)) for said in view.checked()]
    advice = next((words for role, words in found_by if role not in bare), "")
    return Needs(tuple(needed), tuple(words for _, words in found_by), advice)


def _shared(
    roles: Roles, have: Mapping[str, int], found: int, lacking: int, closed: Collection[str]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Slug of a role -> what it wants, and what comes in, of a deck that has ``found`` cards beside its base.

    A deck has the declared size, more where a rule lacks more, or where it is full of others: the vital roles
    are filled to their share of the whole. The rest of the room is shared by what the roles lack.
    """
    others = {one.slug: one for one in roles.roles if not one.base and one.slug not in closed}
    vital = {slug: one.want for slug, one in others.items() if one.vital}
    beside = roles.size - sum(vital.values())
    full = -(-(found - sum(have[slug] for slug in vital)) * roles.size // beside)
    whole = max(roles.size, found + lacking, full)
    wants = {role.slug: role.want for role in roles.roles}
    wants |= {slug: -(-want * whole // roles.size) for slug, want in vital.items()}
    adds = Counter({slug: max(0, want - have[slug]) for slug, want in wants.items() if slug not in closed})
    lacks = {
        slug: max(adds.pop(slug), one.want / roles.size) for slug, one in others.items() if not one.vital
    }
    for _ in range(whole - found - sum(adds[slug] for slug in vital) if lacks else 0):
        adds[max(lacks, key=lambda slug: lacks[slug] / (adds[slug] + 1))] += 1
    return wants, adds
