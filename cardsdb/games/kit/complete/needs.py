"""The needs of a deck, by the roles that its game declares: how many cards a role has, wants and would get, and
what a check of playability finds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.play.roles import Role, Roles, Said, View


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


def needs_by(roles: Roles, game: Game, deck: Decklist, format: Format) -> Needs:
    """All that the deck needs by these roles, which may be those of a character. It judges the deck once."""
    view = roles.view(by_type(game.cards), deck, "")
    places = {check.slug: place for place, check in enumerate(roles.checks)}
    findings = tuple(sorted(view.checked(), key=lambda said: places[said.code]))
    have, found = counted(roles, view)
    adds = shares(roles.roles, have, found, least_size(game, roles, deck, format, found), roles.size)
    told = []
    for role in roles.roles:
        had, own = (
            have[role.slug],
            [said for said in findings if roles.checks[places[said.code]].role == role.slug],
        )
        lack = max(0, role.want - had) if role.base else adds[role.slug]
        told.append(
            Need(role, had, max(role.want, had + lack) if role.vital else role.want, lack, tuple(own))
        )
    return Needs(tuple(told), findings)


def roles_for(game: Game, format: Format) -> Roles | None:
    """The roles of the cards of a deck of this format; None where the game declares none."""
    return game.roles if game.roles and format.slug in game.roles.formats else None


def by_type(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """The cards of each type, in their order."""
    typed = defaultdict(list)
    for card in cards:
        typed[card.type].append(card)
    return typed


def counted(roles: Roles, view: View) -> tuple[Counter[str], int]:
    """Role slug -> what the deck has of it, where a card counts for the first role that it takes; and the cards that
    come into question for a role that is not of the base, whether they take it or not.
    """
    have: Counter[str] = Counter()
    found = 0
    for entry in view.deck:
        fits = [
            role
            for role in roles.roles
            if role.of.holds(entry.card) and (not role.of.sections or entry.section in role.of.sections)
        ]
        found += entry.count * any(not role.base for role in fits)
        for role in [role for role in fits if role.base or role.takes(entry.card, view)][:1]:
            have[role.slug] += role.measure(entry.card) * entry.count
    return have, found


def least_size(game: Game, roles: Roles, deck: Decklist, format: Format, found: int) -> int:
    """The cards that the roles are to have that are not of the base: the declared size, more where a rule lacks
    more than those found.
    """
    types = {name for role in roles.roles if not role.base for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & {*lack.types})
        for violation in game.judge(deck, format).violations
        if violation.severity is Severity.INCOMPLETE
    ]
    return max(roles.size, found + max(lacking, default=0))


def shares(roles: Sequence[Role], have: Counter[str], found: int, least: int, size: int) -> Counter[str]:
    """Role slug -> cards that come in, so that the deck has ``least`` cards or more: the vital roles are filled to
    their share of the whole, which grows where it is full of others; those share what room is left by what they lack,
    the largest remainders first.
    """
    vital = {role.slug: role.want for role in roles if role.vital}
    others = found - sum(have[slug] for slug in vital)
    whole = max(least, found, -(-others * size // (size - sum(vital.values()))))
    adds = Counter({slug: max(0, -(-want * whole // size) - have[slug]) for slug, want in vital.items()})
    wants = {role.slug: role.want for role in roles if not role.vital and not role.base}
    lacks = {slug: max(0, want - have[slug]) for slug, want in wants.items()}
    lacks = lacks if any(lacks.values()) else wants
    room, total = max(0, whole - found - adds.total()), max(1, sum(lacks.values()))
    adds.update({slug: room * lack // total for slug, lack in lacks.items()})
    rest = sorted(lacks, key=lambda slug: -(room * lacks[slug] % total))
    adds.update(rest[: max(0, whole - found - adds.total())])
    return adds
