"""The contract of ``roles.toml``: numbers that add up, and names that are there."""

from collections.abc import Iterator

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.play.roles import Character, Check, Role


def role_problems(game: Game) -> Iterator[str]:
    """Every way in which the roles of a game's cards break their promises."""
    if (roles := game.roles) is None:
        return
    terms = {term.slug for term in roles.terms if term.fact or hasattr(roles.view, term.slug)}
    named: list[Role | Character | Check] = [*roles.roles, *roles.characters, *roles.checks]
    for what, used, known in (
        ("term", {slug for role in roles.roles for slug in role.terms}, terms),
        ("role", {check.role for check in roles.checks}, {"", *(role.slug for role in roles.roles)}),
        ("format", {*roles.formats}, game.formats_by_slug.keys()),
        ("citation", {code for one in named for code in one.cites}, game.citations.keys()),
    ):
        yield from (f"roles: {name!r} is no {what}" for name in sorted(used - known))
    for character in roles.characters:
        if (total := sum(role.want for role in roles.of(character).roles if not role.base)) != roles.size:
            yield f"roles: the wants of {character.slug!r} add up to {total}, not to {roles.size}"
