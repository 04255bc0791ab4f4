"""The needs of a deck: for each role that its game declares, how many cards the deck has, wants and lacks.

``decks/core/judging.py`` shows the ``Needs`` of a deck beside its verdict, and ``search.py`` fills them. A
deck's needs are advice from ``roles.toml``; they never change its verdict.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.play.roles import Role, Roles
from cardsdb.games.kit.repair.steps import FEW

# Entries of a deck, twice as many as the largest decks have. A longer deck is not completed.
MAX_ENTRIES = 200


@dataclass(frozen=True)
class Need:
    """One role in a deck, counted in cards, or in the sum of the number fact ``role.counts``."""

    role: Role
    have: int
    want: int
    add: int  # how much a completion would put in


@dataclass(frozen=True)
class Needs:
    """All that a deck still needs.

    ``findings``: a sentence for each failed check of playability, the most important first. ``advice``: the
    first finding that is useful now. Until the deck is legal, that excludes findings about roles that have no
    card yet.
    """

    roles: tuple[Need, ...]
    findings: tuple[str, ...]
    advice: str

    @property
    def add(self) -> int:
        """The number of cards that a completion would put in, without base roles."""
        return sum(need.add for need in self.roles if not need.role.base)

    @property
    def is_far(self) -> bool:
        """True if the deck lacks so many cards that a completion helps more than a repair."""
        return self.add > FEW


def needs(game: Game, deck: Decklist, format: Format) -> Needs | None:
    """The needs of a deck; None if it has no roles (``roles_for``)."""
    roles = roles_for(game, deck, format)
    return needs_by(roles, game, deck, format) if roles else None


def roles_for(game: Game, deck: Decklist, format: Format) -> Roles | None:
    """The game's roles; None if they do not cover this format, or if the deck is too long."""
    is_covered = game.roles and format.slug in game.roles.formats and len(deck.entries) <= MAX_ENTRIES
    return game.roles if is_covered else None


def needs_by(roles: Roles, game: Game, deck: Decklist, format: Format, closed: Collection[str] = ()) -> Needs:
    """The needs of a deck by these roles, which may be those of one character. ``closed``: slugs of roles
    that get no more cards. A card counts for the first role that it takes. Judges the deck once.
    """
    view, have = roles.view(game.cards, deck, ""), Counter[str]()
    found = 0  # cards of the deck that may take a role other than a base role
    for entry in deck:
        fits = [
            role for role in roles.roles if role.of.holds(entry.card) and entry.section in role.of.sections
        ]
        found += entry.count * any(not role.base for role in fits)
        for role in fits:
            if role.base or view.takes(role.slug, entry.card):
                have[role.slug] += role.measure(entry.card) * entry.count
                break
    report = game.judge(deck, format)
    types = {name for role in roles.roles if not role.base for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & {*lack.types})
        for violation in report.violations
        if violation.severity is Severity.INCOMPLETE
    ]
    wants, adds = _shares(roles, have, found, max(lacking, default=0), closed)
    needed = tuple(Need(role, have[role.slug], wants[role.slug], adds[role.slug]) for role in roles.roles)
    bare = {need.role.slug for need in needed if not need.have and report.verdict != "legal"}
    role_of = {check.slug: check.role for check in roles.checks}
    findings = [(role_of[finding.code], roles.in_words(finding)) for finding in view.checked()]
    advice = next((words for role, words in findings if role not in bare), "")
    return Needs(needed, tuple(words for _, words in findings), advice)


def _shares(
    roles: Roles, have: Mapping[str, int], found: int, lacking: int, closed: Collection[str]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Share the room of a deck among the roles. Return (slug of a role -> what it wants, slug -> what comes
    in).

    ``have``: slug -> what the deck has; ``found``: its cards without those of base roles; ``lacking``: the
    cards that a rule lacks. Vital roles are filled to their share of the whole deck, which grows for that
    beyond the declared size if it must. The other roles share the room that is left by what they lack.
    """
    others = {role.slug: role for role in roles.roles if not role.base and role.slug not in closed}
    vital = {slug: role.want for slug, role in others.items() if role.vital}
    # The size at which the cards that are not vital take no more than their share. -(-n // d) rounds up.
    room = roles.size - sum(vital.values())
    full = -(-(found - sum(have[slug] for slug in vital)) * roles.size // room)
    whole = max(roles.size, found + lacking, full)
    wants = {role.slug: role.want for role in roles.roles}
    wants |= {slug: -(-want * whole // roles.size) for slug, want in vital.items()}
    adds = Counter({slug: max(0, want - have[slug]) for slug, want in wants.items() if slug not in closed})
    lacks = {
        slug: max(adds.pop(slug), role.want / roles.size) for slug, role in others.items() if not role.vital
    }
    # One place after the other goes to the role that lacks most for each place that it has got.
    for _ in range(whole - found - sum(adds[slug] for slug in vital) if lacks else 0):
        adds[max(lacks, key=lambda slug: lacks[slug] / (adds[slug] + 1))] += 1
    return wants, adds
