"""The contract of ``roles.toml``: numbers that add up, names that are there, and starters that are completed legal."""

from collections.abc import Iterator
from random import SystemRandom

from cardsdb.games.kit.complete.search import proposals
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.roles import Roles


def role_problems(game: Game) -> Iterator[str]:
    """Every way in which the roles of a game's cards break their promises."""
    if game.roles:
        lacking = list(_lacking(game, game.roles))
        yield from (f"roles: {problem}" for problem in lacking or _starters(game, game.roles))


def _lacking(game: Game, roles: Roles) -> Iterator[str]:
    terms = {term.slug: term for term in roles.terms}
    slugs = {role.slug for role in roles.roles}
    methods = {name for name in dir(roles.view) if name[0] != "_"} - {"checked", "suits", "watched"}
    for role in roles.roles:
        named = {role.may, *(slug for slug in role.terms if slug not in terms or not terms[slug].fact)}
        yield from (
            f"{role.slug!r} names {name!r}, which nothing here is called" for name in sorted(named - methods)
        )
    for character in roles.characters:
        if (total := sum(role.want for role in roles.of(character).roles if not role.base)) != roles.size:
            yield f"the wants of {character.slug!r} add up to {total}, not to {roles.size}"
    named = {check.role for check in roles.checks if check.role}.union(
        *(one.wants for one in roles.characters)
    )
    yield from (f"{slug!r} is no role" for slug in sorted(named - slugs))
    yield from (f"{slug!r} is no format" for slug in roles.formats if slug not in game.formats_by_slug)
    cited = {code for one in roles.roles for code in one.cites}
    cited.update(code for one in roles.characters for code in one.cites)
    cited.update(code for one in roles.checks for code in one.cites)
    yield from (f"{code} is not cited" for code in sorted(cited - game.citations.keys()))


def _starters(game: Game, roles: Roles) -> Iterator[str]:
    """Each starter of the formats, cut to its first half, is completed legal, with a sentence for each reason."""
    for starter in game.starters:
        if starter.format in roles.formats:
            format = game.formats_by_slug[starter.format]
            deck = read_deck(game, starter.text, format).deck
            half = deck.without((entry, entry.count) for entry in deck.entries[len(deck.entries) // 2 :])
            for one in proposals(game, half, format, SystemRandom(), most=1):
                if one.report.verdict != "legal":
                    yield f"half of {starter.slug}, {one.name}: {one.report.verdict} {one.report.codes()}"
                for added in one.added:
                    roles.in_words(added.reason)
