"""The needs of a deck, by the roles that its game declares: how many cards a role has, wants and would get, and
what a check of playability finds.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.play.roles import Role, Roles, Said


@dataclass(frozen=True)
class Need:
    """One role in a deck. ``have`` and ``want`` are cards, or sums of ``role.counts``; ``add`` is how many cards a
    completion would put in (of a base role how much is left to ``want``).
    """

    role: Role
    have: int
    want: int
    add: int
    findings: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Needs:
    """All that a deck still needs. ``findings`` of the checks stand in the order in which they decide games: a deck is
    shown the first.
    """

    roles: tuple[Need, ...]
    findings: tuple[Said, ...]

    @property
    def add(self) -> int:
        """The cards that a completion would put in, those of the base not counted."""
        return sum(need.add for need in self.roles if not need.role.base)


def needs(game: Game, deck: Decklist, format: Format) -> Needs | None:
    """All that the deck needs to be finished. None for a game or a format that declares no roles."""
    roles = roles_for(game, format)
    return needs_by(roles, game, deck, format) if roles else None


def roles_for(game: Game, format: Format) -> Roles | None:
    """The roles of the cards of a deck of this format; None where the game declares none."""
    return game.roles if game.roles and format.slug in game.roles.formats else None


def needs_by(roles: Roles, game: Game, deck: Decklist, format: Format, closed: Collection[str] = ()) -> Needs:
    """All that the deck needs by these roles, which may be those of a character; nothing comes into those of the slugs
    that are ``closed``. It judges the deck once.

    A card counts for the first role that it takes. A deck has the declared size, more where a rule lacks more, or
    where it is full of others: the vital roles are filled to their share of the whole. The rest of the room is
    shared by what the roles lack.
    """
    view, have, found = roles.view(game.cards, deck, ""), Counter[str](), 0
    for entry in deck:
        fits = [one for one in roles.roles if one.of.holds(entry.card) and entry.section in one.of.sections]
        found += entry.count * any(not one.base for one in fits)
        for role in [one for one in fits if one.base or view.takes(one.slug, entry.card)][:1]:
            have[role.slug] += role.measure(entry.card) * entry.count
    others = [role for role in roles.roles if not role.base]
    types = {name for role in others for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & {*lack.types})
        for violation in game.judge(deck, format).violations
        if violation.severity is Severity.INCOMPLETE
    ]
    vital = {role.slug: role.want for role in others if role.vital and role.slug not in closed}
    beside = roles.size - sum(vital.values())
    full = -(-(found - sum(have[slug] for slug in vital)) * roles.size // beside)
    whole = max(roles.size, found + max(lacking, default=0), full)
    wants = {role.slug: role.want for role in roles.roles}
    wants |= {slug: -(-want * whole // roles.size) for slug, want in vital.items()}
    adds = Counter({slug: max(0, want - have[slug]) for slug, want in wants.items() if slug not in closed})
    lacks = {
        role.slug: max(adds.pop(role.slug), role.want / roles.size)
        for role in others
        if not role.vital and role.slug not in closed
    }
    room = whole - found - sum(adds[slug] for slug in vital)
    for _ in range(room if lacks else 0):
        adds[max(lacks, key=lambda slug: lacks[slug] / (adds[slug] + 1))] += 1
    checks = {check.slug: check for check in roles.checks}
    findings = tuple(view.checked())
    told = [
        Need(
            role,
            have[role.slug],
            wants[role.slug],
            adds[role.slug],
            tuple(said for said in findings if checks[said.code].role == role.slug),
        )
        for role in roles.roles
    ]
    return Needs(tuple(told), findings)
