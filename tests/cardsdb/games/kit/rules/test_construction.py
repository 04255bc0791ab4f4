"""What each kind of rule says of a deck that breaks it, whole: how gravely, of which cards, found and wanted,
and what cures it. And meters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Group, Meter, Severity, meter_words
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.format import Format, Lack, Rule, Violation
from cardsdb.games.kit.rules.construction import (
    AllShare,
    CopyLimit,
    Every,
    OneOfEach,
    OnlyTypes,
    Size,
    TotalAtMost,
    Without,
    judge,
)
from decks.core.judging import judge_text


def card(name: str, type: str = "agent", **facts: Any) -> Card:
    return Card("game", name.lower(), name, type, facts)


KAI, LIEN, NEMO = (
    card("Kai", rank=1, crew="Red", cost=2),
    card("Lien", rank=2, crew="Red", cost=3),
    card("Nemo", rank=2, crew="Blue", words=("Old",)),
)
GUN, CAR = card("Gun", "gear", cost=1), card("Car", "gear")
SPARE = Entry(KAI, 9, "spare")
DECK = Group("cards of the deck", sections=("deck",))


def judged(rule: Rule, *entries: tuple[int, Card]) -> tuple[Violation, ...]:
    """By the rule, for a deck of these entries; of its section ``spare``, which holds nine more of one card,
    nothing may be said.
    """
    return tuple(rule.judge(Decklist((*(Entry(one, count, "deck") for count, one in entries), SPARE))))


def entries(*pairs: tuple[int, int, Card]) -> tuple[tuple[Entry, int], ...]:
    """So many copies of an entry that has so many."""
    return tuple((Entry(one, held, "deck"), taken) for taken, held, one in pairs)


INCOMPLETE, ILLEGAL, UNKNOWN = Severity.INCOMPLETE, Severity.ILLEGAL, Severity.UNKNOWN


@pytest.mark.parametrize(
    ("bounds", "problem"), [({"at_least": 5}, "too-few"), ({"exactly": 5}, "not-exactly")]
)
def test_too_few_cards_lack_the_rest(bounds, problem):
    lacks = (Lack(2, (), ("deck",)),)
    assert judged(Size("S", of=DECK, **bounds), (3, KAI)) == (
        Violation("S", problem, INCOMPLETE, "cards of the deck", found=3, wanted=5, lacks=lacks),
    )


@pytest.mark.parametrize(
    ("bounds", "problem"), [({"at_most": 2}, "too-many"), ({"exactly": 2}, "not-exactly")]
)
def test_of_too_many_cards_those_added_last_come_out(bounds, problem):
    (said,) = judged(Size("S", of=DECK, **bounds), (2, KAI), (3, LIEN))
    assert said == Violation(
        "S", problem, ILLEGAL, "cards of the deck", ("Kai", "Lien"), 5, 2, entries((3, 3, LIEN))
    )


@pytest.mark.parametrize("count", [2, 4])
def test_a_size_at_its_bounds_is_right(count):
    assert judged(Size("S", at_least=2, at_most=4, of=DECK), (count, KAI)) == ()


def test_cards_of_an_unknown_type_may_be_those_that_lack():
    perhaps = Group("cards", types=("gear",))
    rule = Size("S", at_least=5, of=Group("agents", ("deck",), ("agent",)), perhaps=perhaps)
    assert judged(rule, (3, KAI), (2, GUN)) == (
        Violation("S", "perhaps-enough", UNKNOWN, "agents", ("Gun",), 3, 5),
    )
    assert [said.problem for said in judged(rule, (3, KAI), (1, GUN))] == ["too-few"]


def test_cards_of_other_types_come_out():
    (said,) = judged(OnlyTypes("T", types=("agent",), of=DECK), (1, KAI), (2, GUN), (1, CAR))
    excess = entries((2, 2, GUN), (1, 1, CAR))
    assert said == Violation(
        "T", "wrong-type", ILLEGAL, "cards of the deck", ("Gun", "Car"), ("gear",), ("agent",), excess
    )
    assert judged(OnlyTypes("T", types=("agent", "gear"), of=DECK), (1, KAI), (2, GUN)) == ()


def test_copies_beyond_the_limit_come_out_card_by_card():
    said = judged(CopyLimit("C", limit=2, of=DECK), (3, KAI), (2, LIEN), (4, NEMO))
    assert said == (
        Violation("C", "too-many-copies", ILLEGAL, "cards of the deck", ("Kai",), 3, 2, entries((1, 3, KAI))),
        Violation(
            "C", "too-many-copies", ILLEGAL, "cards of the deck", ("Nemo",), 4, 2, entries((2, 4, NEMO))
        ),
    )


def test_copies_count_together_by_what_the_rule_says():
    (said,) = judged(
        CopyLimit("C", limit=3, of=DECK, by=lambda one: one.type),
        (2, KAI),
        (2, LIEN),
        (3, GUN),
    )
    assert (said.severity, said.cards, said.found, said.excess) == (
        ILLEGAL,
        ("Kai", "Lien"),
        4,
        entries((1, 2, LIEN)),
    )


def test_a_card_may_lift_the_limit_for_itself():
    swarm = card("Swarm", copies=5)
    rule = CopyLimit("C", limit=1, of=DECK, override="copies")
    assert judged(rule, (5, swarm)) == ()
    assert [(said.found, said.wanted) for said in judged(rule, (6, swarm))] == [(6, 5)]


def test_of_each_value_there_is_one():
    (said,) = judged(OneOfEach("O", fact="rank", of=DECK), (1, KAI), (1, LIEN), (1, NEMO))
    assert said == Violation(
        "O",
        "same-value",
        ILLEGAL,
        "cards of the deck of rank 2",
        ("Lien", "Nemo"),
        2,
        1,
        entries((1, 1, NEMO)),
    )


def test_values_that_must_occur_and_do_not_are_lacking():
    rule = OneOfEach("O", fact="rank", values=(1, 2, 3), of=DECK)
    lacks = (Lack(1, (), ("deck",), {"rank": 2}), Lack(1, (), ("deck",), {"rank": 3}))
    assert judged(rule, (1, KAI)) == (
        Violation(
            "O",
            "missing-values",
            INCOMPLETE,
            "cards of the deck of rank",
            wanted=("2", "3"),
            lacks=lacks,
        ),
    )
    assert [(one.found, one.least, one.most) for one in rule.meters(Decklist((Entry(KAI, 1, "deck"),)))] == [
        (1, 3, 3)
    ]


def test_a_card_whose_value_nobody_states_may_be_the_one_that_lacks():
    said = judged(OneOfEach("O", fact="rank", values=(1, 2), of=DECK), (1, KAI), (1, GUN))
    assert said == (Violation("O", "fact-unknown", UNKNOWN, "rank", ("Gun",)),)


def test_of_several_values_the_rarer_come_out_and_the_commonest_is_wanted():
    (said,) = judged(AllShare("A", fact="crew", of=DECK), (2, KAI), (1, LIEN), (1, NEMO))
    lacks = (Lack(1, (), ("deck",), {"crew": "Red"}),)
    cards = ("Kai", "Lien", "Nemo")
    assert said == Violation(
        "A",
        "mixed",
        ILLEGAL,
        "cards of the deck: crew",
        cards,
        ("Red", "Blue"),
        1,
        entries((1, 1, NEMO)),
        lacks,
    )


def test_a_value_that_nobody_states_leaves_it_open_whether_all_share_it():
    said = judged(AllShare("A", fact="crew", of=DECK), (2, KAI), (1, GUN))
    assert said == (Violation("A", "fact-unknown", UNKNOWN, "crew", ("Gun",)),)


def test_a_total_counts_each_copy():
    rule = TotalAtMost("M", fact="cost", limit=6, of=DECK)
    assert judged(rule, (3, KAI)) == ()
    (said,) = judged(rule, (2, KAI), (1, LIEN))
    lacks = (Lack(1, (), ("deck",), less="cost"),)
    assert said == Violation(
        "M", "total-too-high", ILLEGAL, "cost of cards of the deck", ("Kai", "Lien"), 7, 6, (), lacks
    )
    assert [(one.found, one.least, one.most) for one in rule.meters(Decklist((Entry(LIEN, 2, "deck"),)))] == [
        (6, None, 6)
    ]


def test_a_total_is_unknown_where_a_number_is_and_the_rest_is_within_the_limit():
    rule = TotalAtMost("M", fact="cost", limit=6, of=DECK)
    assert judged(rule, (3, KAI), (1, CAR)) == (Violation("M", "fact-unknown", UNKNOWN, "cost", ("Car",)),)
    assert [said.problem for said in judged(rule, (4, KAI), (1, CAR))] == ["total-too-high"]


@pytest.mark.parametrize(("fact", "value", "what"), [("rank", 2, "rank 2"), ("words", "Old", "words Old")])
def test_cards_with_a_value_that_is_not_allowed_come_out(fact, value, what):
    (said,) = judged(Without("W", fact=fact, value=value, of=DECK), (1, KAI), (3, NEMO))
    assert said == Violation("W", "not-allowed", ILLEGAL, what, ("Nemo",), 3, 0, entries((3, 3, NEMO)))


def test_a_fact_that_is_not_allowed_at_all_is_called_by_its_name():
    (said,) = judged(Without("W", fact="unique", of=DECK), (1, card("Solo", unique=True)))
    assert said.what == "unique"


def test_cards_that_fail_a_test_come_out_and_those_it_cannot_tell_leave_it_open():
    def cheap(one: Card, deck: Decklist) -> bool | None:
        return None if one.fact("cost") is None else (one.number("cost") or 0) < 3

    said = judged(Every("E", test=cheap, problem="mixed", of=DECK), (1, KAI), (2, LIEN), (1, CAR))
    assert said == (
        Violation("E", "mixed", ILLEGAL, "cards of the deck", ("Lien",), 2, None, entries((2, 2, LIEN))),
        Violation("E", "fact-unknown", UNKNOWN, "cards of the deck", ("Car",)),
    )


# -- judging by all rules of a format

NOBODY_KNOWS = Card("game", "", "Nobody knows", "", written=True)
ANY = Format(
    "any", "Any", (Size("S", at_least=5, of=DECK), OnlyTypes("T", types=("agent",), of=DECK)), ("deck",)
)


def report(*entries: tuple[int, Card]) -> list[tuple[str, tuple[str, ...]]]:
    made = judge(Decklist(tuple(Entry(one, count, "deck") for count, one in entries)), ANY)
    return [(said.problem, said.cards) for said in made.violations]


def test_the_rules_see_the_deck_without_cards_that_nobody_knows():
    assert report((5, KAI), (1, NOBODY_KNOWS)) == [("no-such-card", ("Nobody knows",))]


@pytest.mark.parametrize(("unknown", "left"), [(1, ["no-such-card", "too-few"]), (2, ["no-such-card"])])
def test_as_many_unknown_cards_as_lack_may_be_those(unknown, left):
    assert [problem for problem, _ in report((3, KAI), (unknown, NOBODY_KNOWS))] == left


@dataclass(frozen=True)
class LacksSomething(Rule):
    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield self.broken("missing", Severity.INCOMPLETE)


def test_of_what_lacks_without_a_number_one_unknown_card_may_be_all():
    lacking = Format("any", "Any", (LacksSomething("L"),), ("deck",))
    deck, unknown = Decklist((Entry(KAI, 1, "deck"),)), Entry(NOBODY_KNOWS, 1, "deck")
    assert [said.problem for said in judge(deck, lacking).violations] == ["missing"]
    assert [said.problem for said in judge(Decklist((unknown,)), lacking).violations] == ["no-such-card"]


def test_what_is_wrong_whatever_the_unknown_cards_are_is_said():
    assert report((5, KAI), (1, GUN), (9, NOBODY_KNOWS)) == [
        ("no-such-card", ("Nobody knows",)),
        ("wrong-type", ("Gun",)),
    ]


def test_a_rule_without_a_number_to_reach_has_no_meter():
    assert list(OneOfEach("O", fact="rank", of=DECK).meters(Decklist((Entry(KAI, 1, "deck"),)))) == []


# -- meters: the numbers of a format, counted while a deck is built

STARTERS = [(slug, starter) for slug, game in games().items() for starter in game.starters]


def meters(game: str, format: str, text: str) -> dict[str, tuple[int, int | None, int | None]]:
    judged = judge_text(games()[game], text, games()[game].formats_by_slug[format])
    return {meter.label: (meter.found, meter.least, meter.most) for meter in judged.meters()}


CELL = next(starter for starter in games()["steamspy"].starters if starter.format == "cell")


@pytest.mark.parametrize(
    ("game", "format", "text", "wanted"),
    [
        (
            "spycraft",
            "agency",
            "Leaders:\n1 Minx\n1 Harlequin\nDeck:\n3 Kai",
            {
                "cards with the leaders": (5, 50, None),
                "leaders": (2, 4, 4),
                "levels among the leaders": (2, 4, 4),
            },
        ),
        (
            "xfiles",
            "advanced",
            "Agents:\n1 Agent Fox Mulder",
            {"RP of the starting Agents": (7, None, 20), "cards in the Bureau deck": (0, 60, None)},
        ),
        ("spynet", "set", "Tokens:\n3 Tech token", {"tech tokens": (3, 4, 4), "agents": (0, 34, 34)}),
        ("steamspy", "cell", CELL.text, {"cards in the corporation deck": (32, 32, 32)}),
    ],
)
def test_the_numbers_of_a_format_are_counted_while_a_deck_is_built(game, format, text, wanted):
    assert meters(game, format, text).items() >= wanted.items()


@pytest.mark.parametrize(("slug", "starter"), STARTERS, ids=lambda value: getattr(value, "slug", value))
def test_meters_and_verdict_agree(slug, starter):
    game = games()[slug]
    format = game.formats_by_slug[starter.format]
    deck = read_deck(game, starter.text, format).deck
    open_codes = {
        violation.code
        for violation in game.judge(deck, format).violations
        if violation.severity > Severity.NOTE
    }
    assert {
        meter.code for rule in format.rules for meter in rule.meters(deck) if not meter.within_bounds
    } <= open_codes


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (50, None, "46 of at least 50"),
        (None, 20, "46 of at most 20"),
        (4, 4, "46 of 4"),
        (1, 9, "46 of at least 1 and at most 9"),
    ],
)
def test_a_meter_reads_as_a_person_would_say_it(least, most, words):
    assert meter_words(Meter("cards", 46, least, most, "X-1")) == words


def test_a_list_with_unread_lines_is_never_legal_and_without_any_it_is():
    format = Format("free", "Free", (Size("S", of=DECK, at_most=3),), ("deck",))
    deck = Decklist((Entry(KAI, 3, "deck"),))
    assert (judge(deck, format).verdict, judge(deck, format, 2).verdict) == ("legal", "undecided")
    assert [judge(deck, format, lines).unread for lines in (0, 2)] == [0, 2]
