"""``roles.toml``: what the cards of a deck are for. It is read beside ``game.toml`` and may name the game's code.

formats           the formats whose decks are completed; size: how many cards the wants add up to
view, addable, checked, suits     functions of the game's code: see ``Roles`` in ``play/roles.py``
[[roles]]         slug, name, want, low, high, of, may, score, vital, base, counts, lot, apart; cites or counted
[[characters]]    slug, name, help, wants = { ROLE = number }, leaning, like_starter; cites or counted
[[checks]]        slug, says, role; cites or counted; in the order in which they decide games
[terms.CODE]      weight and the sentence of the reason that a card is proposed for
"""

from collections import Counter

from cardsdb.games.kit.declared.rules import read_group
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.table import MAX_LISTED, DeclaredFile, Table, read_declared
from cardsdb.games.kit.model.format import Group
from cardsdb.games.kit.play.roles import Character, Check, Role, Roles, Term

ROLES = "roles.toml"


def read_roles(base: GameFolder, formats: tuple[str, ...], code: dict[str, object]) -> Roles | None:
    """What the ``roles.toml`` of a game's folder says; None without one. Raises FolderError with every fault."""
    values = read_declared(base.folder / ROLES)
    if not values:
        return None
    file = DeclaredFile(f"{base.folder.name}/{ROLES}", code, most=MAX_LISTED)
    table = Table(values, file)
    file.readers |= {
        float: lambda each, key: next(iter(each.lengths(key)), 0.0),
        Group: lambda each, key: read_group(each.table(key), base),
    }
    terms = {key: each.made(Term) for key, each in table.tables("terms", "term")}
    known = dict.fromkeys(formats)
    roles = tuple(each.made(Role) for each in table.listed_tables("roles"))
    made = table.made(
        Roles,
        formats=table.known("formats", known, "format", needed=True),
        size=table.number("size", 0, needed=True),
        roles=roles,
        characters=tuple(each.made(Character) for each in table.listed_tables("characters")),
        checks=tuple(each.made(Check) for each in table.listed_tables("checks")),
        terms=terms,
    )
    _compare(table, made)
    file.end()
    return made


def _compare(table: Table, roles: Roles) -> None:
    """Note where what the file says does not go together."""
    for kind, named in (("roles", roles.roles), ("characters", roles.characters), ("checks", roles.checks)):
        for slug, times in Counter(one.slug for one in named).items():
            if times > 1:
                table.fault(kind, f"{slug!r} is there {times} times")
    slugs = {role.slug for role in roles.roles}
    for check in roles.checks:
        if check.role and check.role not in slugs:
            table.fault("checks", f"{check.slug!r} is of {check.role!r}, which is no role")
    for character in roles.characters:
        if strange := character.wants.keys() - slugs:
            table.fault("characters", f"{character.slug!r} wants {min(strange)!r}, which is no role")
    if not roles.characters:
        table.fault("characters", "has none; at least one is needed")
    for name, wanted in (("roles", {}), *((one.name, one.wants) for one in roles.characters)):
        total = sum(role.want for role in roles.with_wants(wanted).fillable)
        if total != roles.size:
            table.fault("size", f"is {roles.size}, but the wants of {name!r} add up to {total}")
