"""The contract of ``roles.toml``: numbers that add up, names that are there, and starters that are completed legal."""

from collections.abc import Iterator
from random import SystemRandom

from cardsdb.games.kit.complete.search import proposals
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.roles import Character, Check, Role, Roles


def role_problems(game: Game) -> Iterator[str]:
    """Every way in which the roles of a game's cards break their promises."""
    if game.roles:
        lacking = list(_lacking(game, game.roles))
        yield from (f"roles: {problem}" for problem in lacking or _starters(game, game.roles))


def _lacking(game: Game, roles: Roles) -> Iterator[str]:
    terms = {term.slug for term in roles.terms if term.fact or hasattr(roles.view, term.slug)}
    named: list[Role | Character | Check] = [*roles.roles, *roles.characters, *roles.checks]
    for what, used, known in (
        ("term", {slug for role in roles.roles for slug in role.terms}, terms),
        ("role", {check.role for check in roles.checks}, {"", *(role.slug for role in roles.roles)}),
        ("format", {*roles.formats}, game.formats_by_slug.keys()),
        ("citation", {code for one in named for code in one.cites}, game.citations.keys()),
    ):
        yield from (f"{name!r} is no {what}" for name in sorted(used - known))
    for character in roles.characters:
        if (total := sum(role.want for role in roles.of(character).roles if not role.base)) != roles.size:
            yield f"the wants of {character.slug!r} add up to {total}, not to {roles.size}"


def _starters(game: Game, roles: Roles) -> Iterator[str]:
    """Each starter of the formats, cut to its first half, is completed legal, with a sentence for each reason."""
    for starter in (one for one in game.starters if one.format in roles.formats):
        format = game.formats_by_slug[starter.format]
        deck = read_deck(game, starter.text, format).deck
        half = deck.without((entry, entry.count) for entry in deck.entries[len(deck.entries) // 2 :])
        for one in proposals(game, half, format, SystemRandom(), most=1):
            if one.report.verdict != "legal" or not all(roles.in_words(new.reason) for new in one.added):
                yield f"half of {starter.slug}, {one.name}: {one.report.verdict} {one.report.codes()}"
