"""The complete violation that each rule yields for a deck that breaks it; judging by all rules of a format;
and meters.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Group, Meter, Severity, meter_words
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.format import Format, Lack, Rule, Violation, message
from cardsdb.games.kit.rules.construction import (
    AllShare,
    CopyLimit,
    Every,
    OneOfEach,
    OnlyTypes,
    Size,
    TotalAtMost,
    Without,
    clashes,
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
PLURAL = "cards of the deck"
DECK = Group(PLURAL, sections=("deck",))


def judged(rule: Rule, *entries: tuple[int, Card]) -> tuple[Violation, ...]:
    """Return the violations of a deck with these (count, card) in its section ``deck``. It also has nine
    cards in the section ``spare``, which the rules must ignore.
    """
    return tuple(rule.judge(Decklist((*(Entry(card, count, "deck") for count, card in entries), SPARE))))


def excess_of(*parts: tuple[int, int, Card]) -> tuple[tuple[Entry, int], ...]:
    """Return the excess for (copies to take out, copies in the deck, card)."""
    return tuple((Entry(card, held, "deck"), taken) for taken, held, card in parts)


INCOMPLETE, ILLEGAL, UNKNOWN = Severity.INCOMPLETE, Severity.ILLEGAL, Severity.UNKNOWN


@pytest.mark.parametrize(
    ("bounds", "problem"), [({"at_least": 5}, "too-few"), ({"exactly": 5}, "not-exactly")]
)
def test_too_few_cards_lack_the_rest(bounds, problem):
    lacks = (Lack(2, (), ("deck",)),)
    assert judged(Size("S", of=DECK, **bounds), (3, KAI)) == (
        Violation("S", problem, INCOMPLETE, PLURAL, found=3, wanted=5, lacks=lacks),
    )


@pytest.mark.parametrize(
    ("bounds", "problem"), [({"at_most": 2}, "too-many"), ({"exactly": 2}, "not-exactly")]
)
def test_of_too_many_cards_those_added_last_come_out(bounds, problem):
    (violation,) = judged(Size("S", of=DECK, **bounds), (2, KAI), (3, LIEN))
    assert violation == Violation(
        "S", problem, ILLEGAL, PLURAL, ("Kai", "Lien"), 5, 2, excess_of((3, 3, LIEN))
    )


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "1 card of the deck, 3 too few; it must be exactly 4."),
        (3, "3 cards of the deck, 1 too few; it must be exactly 4."),
        (6, "6 cards of the deck, 2 too many; it must be exactly 4."),
    ],
)
def test_a_number_that_must_be_exact_says_how_many_are_too_few_or_too_many(count, sentence):
    (violation,) = judged(Size("S", exactly=4, of=DECK), (count, KAI))
    assert message(violation) == sentence


@pytest.mark.parametrize("count", [2, 4])
def test_a_size_at_its_bounds_is_legal(count):
    assert judged(Size("S", at_least=2, at_most=4, of=DECK), (count, KAI)) == ()


def test_cards_of_an_unknown_type_may_be_the_lacking_ones():
    perhaps = Group("cards", types=("gear",))
    rule = Size("S", at_least=5, of=Group("agents", ("deck",), ("agent",)), perhaps=perhaps)
    assert judged(rule, (3, KAI), (2, GUN)) == (
        Violation("S", "perhaps-enough", UNKNOWN, "agents", ("Gun",), 3, 5),
    )
    assert [violation.problem for violation in judged(rule, (3, KAI), (1, GUN))] == ["too-few"]


def test_cards_of_other_types_come_out():
    (violation,) = judged(OnlyTypes("T", types=("agent",), of=DECK), (1, KAI), (2, GUN), (1, CAR))
    excess = excess_of((2, 2, GUN), (1, 1, CAR))
    assert violation == Violation(
        "T", "wrong-type", ILLEGAL, PLURAL, ("Gun", "Car"), ("gear",), ("agent",), excess
    )


def test_cards_of_any_allowed_type_may_stay():
    assert judged(OnlyTypes("T", types=("agent", "gear"), of=DECK), (1, KAI), (2, GUN)) == ()


def test_copies_beyond_the_limit_come_out_card_by_card():
    def too_many(name: str, found: int, excess: tuple[tuple[Entry, int], ...]) -> Violation:
        return Violation("C", "too-many-copies", ILLEGAL, PLURAL, (name,), found, 2, excess)

    assert judged(CopyLimit("C", limit=2, of=DECK), (3, KAI), (2, LIEN), (4, NEMO)) == (
        too_many("Kai", 3, excess_of((1, 3, KAI))),
        too_many("Nemo", 4, excess_of((2, 4, NEMO))),
    )


def test_copies_count_together_by_the_key_of_the_rule():
    rule = CopyLimit("C", limit=3, of=DECK, by=lambda card: card.type)
    (violation,) = judged(rule, (2, KAI), (2, LIEN), (3, GUN))
    assert (violation.severity, violation.cards, violation.found) == (ILLEGAL, ("Kai", "Lien"), 4)
    assert violation.excess == excess_of((1, 2, LIEN))


@pytest.mark.parametrize(
    ("limit", "own", "count", "problems"), [(1, 5, 5, []), (1, 5, 6, [(6, 5)]), (3, 1, 2, [(2, 1)])]
)
def test_a_card_may_lift_or_lower_the_limit_for_itself(limit, own, count, problems):
    rule = CopyLimit("C", limit=limit, of=DECK, override="copies")
    violations = judged(rule, (count, card("Swarm", copies=own)))
    assert [(violation.found, violation.wanted) for violation in violations] == problems


def test_a_second_card_with_the_same_value_comes_out():
    (violation,) = judged(OneOfEach("O", fact="rank", of=DECK), (1, KAI), (1, LIEN), (1, NEMO))
    what, cards = "cards of the deck of rank 2", ("Lien", "Nemo")
    assert violation == Violation("O", "same-value", ILLEGAL, what, cards, 2, 1, excess_of((1, 1, NEMO)))


def test_values_that_must_occur_and_do_not_are_lacking():
    rule = OneOfEach("O", fact="rank", values=(1, 2, 3), of=DECK)
    lacks = (Lack(1, (), ("deck",), {"rank": 2}), Lack(1, (), ("deck",), {"rank": 3}))
    what = "cards of the deck of rank"
    assert judged(rule, (1, KAI)) == (
        Violation("O", "missing-values", INCOMPLETE, what, wanted=("2", "3"), lacks=lacks),
    )


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        (OneOfEach("U", fact="rank", values=(1, 2), of=DECK), "rank"),
        (AllShare("U", fact="crew", of=DECK), "crew"),
        (TotalAtMost("U", fact="cost", limit=6, of=DECK), "cost as a number"),
    ],
    ids=["may be the lacking one", "may be the shared one", "may exceed the total"],
)
def test_an_unknown_value_leaves_the_rule_open(rule, fact):
    unknown = Violation("U", "fact-unknown", UNKNOWN, fact, ("Car",))
    assert judged(rule, (1, KAI), (1, CAR)) == (unknown,)


def test_of_several_values_the_rarer_come_out_and_the_commonest_is_wanted():
    (violation,) = judged(AllShare("A", fact="crew", of=DECK), (2, KAI), (1, LIEN), (1, NEMO))
    what, cards, found = "cards of the deck: crew", ("Kai", "Lien", "Nemo"), ("Red", "Blue")
    excess, lacks = excess_of((1, 1, NEMO)), (Lack(1, (), ("deck",), {"crew": "Red"}),)
    assert violation == Violation("A", "mixed", ILLEGAL, what, cards, found, 1, excess, lacks)


def test_of_equally_common_values_the_one_that_is_wanted_stays():
    (violation,) = judged(AllShare("A", fact="crew", of=DECK), (2, KAI), (2, NEMO))
    assert [lack.facts for lack in violation.lacks] == [{"crew": "Red"}]
    assert violation.excess == excess_of((2, 2, NEMO))


def test_a_total_counts_each_copy():
    rule = TotalAtMost("M", fact="cost", limit=6, of=DECK)
    assert judged(rule, (3, KAI)) == ()
    (violation,) = judged(rule, (2, KAI), (1, LIEN))
    lacks = (Lack(1, (), ("deck",), less="cost"),)
    assert violation == Violation(
        "M", "total-too-high", ILLEGAL, "cost of cards of the deck", ("Kai", "Lien"), 7, 6, (), lacks
    )


def test_a_total_is_a_meter():
    rule = TotalAtMost("M", fact="cost", limit=6, of=DECK)
    (meter,) = rule.meters(Decklist((Entry(LIEN, 2, "deck"),)))
    assert (meter.found, meter.least, meter.most) == (6, None, 6)


def test_a_total_that_is_too_high_without_an_unknown_number_is_not_left_open():
    rule = TotalAtMost("M", fact="cost", limit=6, of=DECK)
    assert [violation.problem for violation in judged(rule, (4, KAI), (1, CAR))] == ["total-too-high"]


@pytest.mark.parametrize(("fact", "value", "what"), [("rank", 2, "rank 2"), ("words", "Old", "words Old")])
def test_cards_with_a_value_that_is_not_allowed_come_out(fact, value, what):
    (violation,) = judged(Without("W", fact=fact, value=value, of=DECK), (1, KAI), (3, NEMO))
    excess = excess_of((3, 3, NEMO))
    assert violation == Violation("W", "not-allowed", ILLEGAL, what, ("Nemo",), 3, 0, excess)


def test_a_flag_that_is_not_allowed_is_called_by_its_name_alone():
    (violation,) = judged(Without("W", fact="unique", of=DECK), (1, card("Solo", unique=True)))
    assert violation.what == "unique"


def test_cards_that_fail_a_test_come_out_and_undecided_ones_leave_it_open():
    def cheap(card: Card, deck: Decklist) -> bool | None:
        return None if card.fact("cost") is None else (card.number("cost") or 0) < 3

    rule = Every("E", test=cheap, problem="mixed", of=DECK)
    assert judged(rule, (1, KAI), (2, LIEN), (1, CAR)) == (
        Violation("E", "mixed", ILLEGAL, PLURAL, ("Lien",), 2, None, excess_of((2, 2, LIEN))),
        Violation("E", "fact-unknown", UNKNOWN, PLURAL, ("Car",)),
    )


# -- judging by all rules of a format

UNKNOWN_CARD = Card("game", "", "Nobody knows", "", written=True)
ANY = Format(
    "any", "Any", (Size("S", at_least=5, of=DECK), OnlyTypes("T", types=("agent",), of=DECK)), ("deck",)
)


def problems(*entries: tuple[int, Card]) -> list[tuple[str, tuple[str, ...]]]:
    """Return (problem, cards) of each violation of a deck with these (count, card)."""
    report = judge(Decklist(tuple(Entry(card, count, "deck") for count, card in entries)), ANY)
    return [(violation.problem, violation.cards) for violation in report.violations]


def test_the_rules_judge_the_deck_without_unknown_cards():
    assert problems((5, KAI), (1, UNKNOWN_CARD)) == [("no-such-card", ("Nobody knows",))]


@pytest.mark.parametrize(
    ("rule", "known"),
    [(Size("S", at_least=5, of=DECK), 3), (OneOfEach("O", fact="rank", values=(1, 2, 3), of=DECK), 1)],
    ids=["cards", "values"],
)
@pytest.mark.parametrize(("unknown", "is_told"), [(1, True), (2, False)])
def test_enough_unknown_cards_may_be_the_lacking_ones(rule, known, unknown, is_told):
    entries = (Entry(KAI, known, "deck"), Entry(UNKNOWN_CARD, unknown, "deck"))
    report = judge(Decklist(entries), Format("any", "Any", (rule,), ("deck",)))
    assert [violation.code for violation in report.violations] == ["unknown-card"] + [rule.code] * is_told


@dataclass(frozen=True)
class LacksSomething(Rule):
    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield self.incomplete("missing")


def test_one_unknown_card_may_cure_a_lack_without_a_number():
    lacking = Format("any", "Any", (LacksSomething("L"),), ("deck",))
    known, unknown = (Decklist((Entry(card, 1, "deck"),)) for card in (KAI, UNKNOWN_CARD))
    assert [violation.problem for violation in judge(known, lacking).violations] == ["missing"]
    assert [violation.problem for violation in judge(unknown, lacking).violations] == ["no-such-card"]


def test_violations_that_no_unknown_card_can_cure_are_reported():
    assert problems((5, KAI), (1, GUN), (9, UNKNOWN_CARD)) == [
        ("no-such-card", ("Nobody knows",)),
        ("wrong-type", ("Gun",)),
    ]


def test_a_rule_without_a_number_to_reach_has_no_meter():
    assert list(OneOfEach("O", fact="rank", of=DECK).meters(Decklist((Entry(KAI, 1, "deck"),)))) == []


# -- meters: the numbers of a format, counted while a deck is built

STARTERS = [(slug, starter) for slug, game in games().items() for starter in game.starters]


def meters(game: str, format: str, text: str) -> dict[str, tuple[int, int | None, int | None]]:
    """Return label -> (found, least, most) of each meter of a list."""
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
    meters = [meter for rule in format.rules for meter in rule.meters(deck)]
    assert {meter.code for meter in meters if not meter.within_bounds} <= open_codes


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


def test_a_list_with_unread_lines_is_undecided_instead_of_legal():
    format = Format("free", "Free", (Size("S", of=DECK, at_most=3),), ("deck",))
    deck = Decklist((Entry(KAI, 3, "deck"),))
    assert (judge(deck, format).verdict, judge(deck, format, 2).verdict) == ("legal", "undecided")
    assert [judge(deck, format, lines).unread for lines in (0, 2)] == [0, 2]


LEADERS = Group("leaders", types=("leader",))
LEVELS = OneOfEach("L-1", fact="level", values=(1, 2, 3), of=LEADERS)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            (LEVELS, Size("S-1", exactly=2, of=LEADERS)),
            "S-1 asks for 2 leaders and L-1 for 3 levels among the leaders",
        ),
        ((LEVELS, Size("S-1", at_most=2)), "S-1 asks for at most 2 cards and L-1 for 3 levels"),
        (
            (Size("S-1", at_most=2, of=LEADERS), Size("S-2", exactly=3, of=LEADERS)),
            "at most 2 leaders and S-2 for 3",
        ),
    ],
)
def test_a_number_of_cards_that_another_rule_makes_impossible_is_told(rules, said):
    (sentence,) = clashes(Format("f", "F", rules, ()))
    assert said in sentence


@pytest.mark.parametrize(
    "rules",
    [
        (LEVELS, Size("S-1", exactly=3, of=LEADERS)),
        # The fourth leader may have a fourth level.
        (LEVELS, Size("S-1", exactly=4, of=LEADERS)),
        (OneOfEach("L-1", fact="level", values=(1, 1, 2), of=LEADERS), Size("S-1", at_most=2, of=LEADERS)),
        (LEVELS, Size("S-1", at_most=2, of=DECK)),
        (Size("S-1", at_least=60), TotalAtMost("T-1", fact="cost", limit=20)),
    ],
)
def test_numbers_of_different_cards_or_that_agree_are_no_clash(rules):
    assert list(clashes(Format("f", "F", rules, ()))) == []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_no_format_of_a_game_has_a_clash(game):
    assert [sentence for format in game.formats for sentence in clashes(format)] == []
