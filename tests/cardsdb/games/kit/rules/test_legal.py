"""Whether a deck is legal, asked without the whole of its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Format, Rule, Severity, Violation
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.rules.construction import judge, judge_if_legal


def test_a_deck_is_legal_just_where_its_whole_verdict_says_so() -> None:
    found: Counter[bool] = Counter()
    for game in games().values():
        for text in {one.text for one in (*game.starters, *game.examples())}:
            deck = read_deck(game, text).deck
            for format in game.formats:
                whole, legal = judge(deck, format), judge_if_legal(deck, format)
                assert legal == (whole if whole.verdict == "legal" else None), (game.slug, format.slug, text)
                found[legal is not None] += 1
    assert min(found[True], found[False]) > 20


def test_a_card_that_nobody_knows_keeps_a_deck_from_being_legal() -> None:
    game = games()["spynet"]
    deck = read_deck(game, "1 Nobody At All | unknown").deck
    house = game.formats_by_slug["house"]
    assert judge_if_legal(deck, house) is None and judge(deck, house).verdict == "undecided"


def test_no_rule_is_asked_behind_the_first_fault() -> None:
    asked: list[str] = []

    @dataclass(frozen=True)
    class Says(Rule):
        severity: Severity = Severity.NOTE

        def judge(self, deck: Decklist) -> Iterator[Violation]:
            asked.append(self.code)
            yield self.broken("not-allowed", self.severity)

    rules = (Says("A"), Says("B", Severity.UNKNOWN), Says("C", Severity.ILLEGAL))
    assert judge_if_legal(Decklist(), Format("any", "Any", rules, ())) is None
    assert asked == ["A", "B"]
