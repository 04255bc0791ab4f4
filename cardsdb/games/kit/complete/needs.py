"""The needs of a deck: for each role that its game declares, how many cards the deck has, wants and lacks.

``decks/core/judging.py`` shows the ``Needs`` of a deck beside its verdict, and ``search.py`` fills them. A
deck's needs are advice from ``roles.toml``; they never change its verdict. ``play/roles.py`` explains roles
and the ``View`` of a deck. Tests: ``tests/cardsdb/games/kit/complete/test_needs.py``.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Report, Severity
from cardsdb.games.kit.play.roles import Role, Roles, View
from cardsdb.games.kit.repair.steps import FEW

# Entries of a deck, twice as many as the largest decks have. A longer deck is not completed.
MAX_ENTRIES = 200


@dataclass(frozen=True)
class Need:
    """One role in a deck, counted in cards, or in the sum of the number fact ``role.counts``.

    For an Agency Deck with 2 leaders and 5 Kai, for whom only a leader of level 4 can pay, these are::

        role          have  want  add
        leader        2     4     2    base: not part of the size, 46 cards
        at-once       0     6     6    vital: filled to its share in any case
        with-discard  0     7     7    vital
        later         5     3     0
        gear          0     12    12   the other roles share the room that is left
        intel         0     5     5
        mission       0     6     5
        react         0     7     6
    """

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
    view = roles.view(game.cards, deck, "")
    have, found = _counted(roles, view, deck)
    report = game.judge(deck, format)
    wants, adds = _shares(roles, have, found, _lacking(roles, report), closed)
    needed = tuple(Need(role, have[role.slug], wants[role.slug], adds[role.slug]) for role in roles.roles)
    bare = {need.role.slug for need in needed if not need.have and report.verdict != "legal"}
    role_of = {check.slug: check.role for check in roles.checks}
    findings = [(role_of[finding.code], roles.in_words(finding)) for finding in view.checked()]
    advice = next((words for role, words in findings if role not in bare), "")
    return Needs(needed, tuple(words for _, words in findings), advice)


def _counted(roles: Roles, view: View, deck: Decklist) -> tuple[Counter[str], int]:
    """(slug of a role -> what the deck has of it, the number of cards that fit a role other than a base role,
    though they may not take it): ({"leader": 2, "later": 5}, 5).
    """
    have: Counter[str] = Counter()
    found = 0
    for entry in deck:
        fits = [
            role for role in roles.roles if role.of.holds(entry.card) and entry.section in role.of.sections
        ]
        if any(not role.base for role in fits):
            found += entry.count
        for role in fits:
            if role.base or view.takes(role.slug, entry.card):
                have[role.slug] += role.measure(entry.card) * entry.count
                break
    return have, found


def _lacking(roles: Roles, report: Report) -> int:
    """The most cards for roles, base roles apart, that a single rule lacks: 42 if 4 of 46 are there."""
    types = {name for role in roles.roles if not role.base for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & {*lack.types})
        for violation in report.violations
        if violation.severity is Severity.INCOMPLETE
    ]
    return max(lacking, default=0)


def _shares(
    roles: Roles, have: Mapping[str, int], found: int, lacking: int, closed: Collection[str]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Share the room of a deck among the roles. Return (slug of a role -> what it wants, slug -> what comes
    in).

    ``have`` and ``found``: as ``_counted`` returns them; ``lacking``: the cards that a rule lacks. Vital
    roles are filled to their share of the whole deck, which grows for that beyond the declared size if it
    must. The other roles share the room that is left by what they lack.
    """
    growing = [role for role in roles.roles if not role.base and role.slug not in closed]
    vital = [role for role in growing if role.vital]
    others = [role for role in growing if not role.vital]
    size = max(found + lacking, _least_size(roles, vital, have, found))
    wants = {role.slug: role.want for role in roles.roles}
    wants |= {role.slug: ceil(role.want * size / roles.size) for role in vital}
    adds = Counter(
        {
            role.slug: max(0, wants[role.slug] - have[role.slug])
            for role in roles.roles
            if role.slug not in closed and role not in others
        }
    )
    room = size - found - sum(adds[role.slug] for role in vital)
    # A role that has all that it wants still counts a little, so that the room is filled in any case.
    lacks = {role.slug: max(role.want - have[role.slug], role.want / roles.size) for role in others}
    return wants, adds + _shared(room, lacks)


def _least_size(roles: Roles, vital: list[Role], have: Mapping[str, int], found: int) -> int:
    """Return the declared size, or a larger one, so that vital roles can have their share of the whole deck:
    of 46 cards 13 are vital, so a deck with 40 other cards grows to 40 * 46 / 33, rounded up: 56.
    """
    share_of_others = roles.size - sum(role.want for role in vital)
    if not share_of_others:
        return roles.size
    not_vital = found - sum(have[role.slug] for role in vital)
    return max(roles.size, ceil(not_vital * roles.size / share_of_others))


def _shared(room: int, lacks: Mapping[str, float]) -> Counter[str]:
    """Return slug of a role -> its places of the room: one after the other goes to the role that lacks most
    for each place that it has got. 3 places for {"gear": 8, "intel": 3} -> {"gear": 2, "intel": 1}
    """
    places: Counter[str] = Counter()
    for _ in range(room if lacks else 0):
        places[max(lacks, key=lambda slug: lacks[slug] / (places[slug] + 1))] += 1
    return places
