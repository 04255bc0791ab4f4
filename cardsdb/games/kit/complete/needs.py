"""What a deck still needs, by the roles that its game declares: how many cards a role has, wants and would get, and
what a check of playability finds.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.format import Format, Severity
from cardsdb.games.kit.play.roles import Character, Role, Roles, Said, View


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
    """What a deck still needs. ``findings`` of the checks stand in the order in which they decide games: a deck is
    shown the first.
    """

    roles: tuple[Need, ...]
    findings: tuple[Said, ...]

    @property
    def add(self) -> int:
        """How many cards a completion would put in, those of the base not counted."""
        return sum(need.add for need in self.roles if not need.role.base)


def needs(game: Game, deck: Decklist, format: Format, character: Character | None = None) -> Needs | None:
    """What the deck needs to be finished in this character, or by the roles' own numbers. None for a game or a format
    that declares no roles. It judges the deck once.
    """
    roles = roles_for(game, format)
    if roles is None:
        return None
    roles = roles.with_wants(character.wants) if character else roles
    view = roles.view(game.cards)(deck, character.leaning if character else "")
    return needs_of(roles, deck, view, target_size(game, roles, deck, format))


def roles_for(game: Game, format: Format) -> Roles | None:
    """The roles of the cards of a deck of this format; None where the game declares none."""
    return game.roles if game.roles and format.slug in game.roles.formats else None


def needs_of(roles: Roles, deck: Decklist, view: View, target: int) -> Needs:
    """What a deck needs that was counted already, to have at least ``target`` cards in the roles that are counted."""
    found = roles.checked(view)
    places = {check.slug: place for place, check in enumerate(roles.checks)}
    findings = tuple(sorted(found, key=lambda said: places[said.code]))
    taken = by_role(roles, deck, view)
    have = {
        role.slug: sum(role.measure(entry.card) * entry.count for entry in taken[role.slug])
        for role in roles.roles
    }
    whole = whole_size(roles, have, roles.fillable, cards_in(roles, deck), target)
    adds = shares(roles, have, roles.fillable, cards_in(roles, deck), whole)
    told = []
    for role in roles.roles:
        want = grown(roles, role, whole) if role.vital else role.want
        add = max(0, want - have[role.slug]) if role.base else adds[role.slug]
        own = tuple(said for said in findings if _role_of(roles, said) == role.slug)
        told.append(Need(role, have[role.slug], want, add, own))
    return Needs(tuple(told), findings)


def _role_of(roles: Roles, said: Said) -> str:
    check = roles.check_named(said.code)
    return check.role if check else ""


def by_role(roles: Roles, deck: Decklist, view: View) -> dict[str, list[Entry]]:
    """Role slug -> the entries that take it. An entry takes the first that it can; one that takes none stands
    nowhere.
    """
    taken: dict[str, list[Entry]] = {}
    gone: set[int] = set()
    for role in roles.roles:
        entries = [
            entry
            for entry in role.of.pick(deck)
            if id(entry) not in gone and (role.base or role.may(entry.card, view))
        ]
        gone.update(map(id, entries))
        taken[role.slug] = entries
    return taken


def cards_in(roles: Roles, deck: Decklist) -> int:
    """Cards that come into question for a role that is counted, whether they take it or not."""
    entries = {id(entry): entry for role in roles.fillable for entry in role.of.pick(deck)}
    return count_of(entries.values())


def target_size(game: Game, roles: Roles, deck: Decklist, format: Format) -> int:
    """How many cards the counted roles are to have: the declared size, more where the format's rules lack more."""
    types = {name for role in roles.fillable for name in role.of.types}
    lacking = [
        sum(lack.count for lack in violation.lacks if types & set(lack.types))
        for violation in game.judge(deck, format).violations
        if violation.severity is Severity.INCOMPLETE
    ]
    return max(roles.size, cards_in(roles, deck) + max(lacking, default=0))


def grown(roles: Roles, role: Role, whole: int) -> int:
    """How many a vital role wants in a deck of so many cards, which may be more than the usual."""
    return -(-role.want * max(whole, roles.size) // roles.size)


def whole_size(
    roles: Roles, have: Mapping[str, int], open_roles: Iterable[Role], found: int, target: int
) -> int:
    """How many cards the deck will have: at least ``target``, more where it is full of others than the vital."""
    vital, whole = [role for role in open_roles if role.vital], max(target, found)
    while True:
        lacking = sum(max(0, grown(roles, role, whole) - have[role.slug]) for role in vital)
        if max(whole, found + lacking) == whole:
            return whole
        whole = found + lacking


def shares(
    roles: Roles, have: Mapping[str, int], open_roles: Iterable[Role], found: int, whole: int
) -> Counter[str]:
    """Role slug -> cards that come in, so that the deck has ``whole``: the vital get all that they lack, the others
    share what room is left by what they lack, the largest remainders first.
    """
    adds: Counter[str] = Counter()
    others: dict[str, int] = {}
    for role in open_roles:
        if role.vital:
            adds[role.slug] = max(0, grown(roles, role, whole) - have[role.slug])
        else:
            others[role.slug] = max(0, role.want - have[role.slug])
    room = whole - found - adds.total()
    if room <= 0 or not others:
        return adds
    if not any(others.values()):
        others = {role.slug: role.want for role in open_roles if role.slug in others}
    all_lacks = sum(others.values())
    if all_lacks:
        for slug, lack in others.items():
            adds[slug] = floor(room * lack / all_lacks)
        rest = sorted(others, key=lambda slug: -(room * others[slug] % all_lacks))
        for slug in rest[: whole - found - adds.total()]:
            adds[slug] += 1
    return adds
