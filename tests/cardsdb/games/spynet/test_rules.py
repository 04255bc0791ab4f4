"""Surplus cards that rules of SpyNet name; the decks of ``examples.toml`` test the verdicts."""

from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.spynet.rules import OneSituation, Tokens


def entries(card_type: str, section: str, **facts: tuple[str, ...]) -> tuple[Entry, ...]:
    """Return three cards of a type, each once."""
    return tuple(Entry(Card("spynet", code, code, card_type, facts), 1, section) for code in "abc")


def test_all_situations_but_one_come_out():
    situations = entries("situation", "situations")
    (violation,) = OneSituation("SN-1").judge(Decklist(situations))
    assert violation.excess == ((situations[2], 1), (situations[1], 1))


def test_all_tokens_beyond_the_number_of_a_branch_come_out():
    tokens = entries("token", "tokens", branches=("tech",))
    rule = Tokens("SN-2", each=1)
    too_many = next(violation for violation in rule.judge(Decklist(tokens)) if violation.excess)
    assert too_many.excess == ((tokens[2], 1), (tokens[1], 1))
