"""``roles.toml``: what the cards of a deck are for. It is read beside ``game.toml`` and may name the game's code.

formats           the formats whose decks are completed; size: how many cards the wants add up to
view              the class of the game's code that counts a deck; addable: the cards that may be put in, never: codes
                  of others that may not
[[roles]]         slug, name, help and the rules that say so (ruled), want, low, high, of (with its section), terms,
                  vital, base, counts, unit, lot, apart; cites or counted
[[characters]]    slug, name, help, wants = { ROLE = number }, leaning, like_starter; cites or counted
[[checks]]        slug, says, role; cites or counted; in the order in which they decide games
[[terms]]         slug, weight, says: the sentence of the reason that a card is proposed for; fact, words, crowd, above
"""

from typing import Any

from cardsdb.games.kit.declared.rules import read_group
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.table import MAX_LISTED, DeclaredFile, Table, read_declared
from cardsdb.games.kit.model.format import Group
from cardsdb.games.kit.play.roles import Roles, View

ROLES = "roles.toml"


def read_roles(base: GameFolder, code: dict[str, Any]) -> Roles | None:
    """All that the ``roles.toml`` of a game's folder says; None without one. Raises FolderError with every fault."""
    values = read_declared(base.folder / ROLES)
    if not values:
        return None
    file = DeclaredFile(f"{base.folder.name}/{ROLES}", code, most=MAX_LISTED)
    file.readers |= {
        float: lambda table, key: next(iter(table.lengths(key)), 0.0),
        Group: lambda table, key: read_group(table.table(key), base),
        type[View]: lambda table, key: table.named(key),
    }
    roles = Table(values, file).made(Roles)
    file.end()
    return roles
