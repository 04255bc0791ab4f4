"""Random decks with several faults: each is repaired with as few changes as an independent count
(``least_of_xfiles``, ``least_of_spycraft``) says are needed, and nothing new is illegal or lacking.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from cardsdb.games.kit import Card, Decklist, Entry, Format, Game, Marks, Severity
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.model.format import Violation
from cardsdb.games.kit.repair.search import removal_for, smallest_repairs
from cardsdb.games.kit.repair.steps import Limits, badness, may_come_out
from tests.cardsdb.games.kit.repair.test_search import (
    ADVANCED,
    AGENCY,
    MULDER,
    PATIENT,
    SPYCRAFT,
    XFILES,
    changed,
    repairs,
    words,
)


def legal_starters() -> Iterator[tuple[Game, Format, Decklist]]:
    for game in (SPYCRAFT, XFILES):
        for starter in game.starters:
            format = game.formats_by_slug[starter.format]
            deck = read_deck(game, starter.text, format).deck
            if game.judge(deck, format).verdict == "legal":
                yield game, format, deck


LEGAL = list(legal_starters())

# Returns the deck with one fault, or unchanged if it cannot have that fault.
Fault = Callable[[Decklist, Random], Decklist]


def cards(game: Game, *types: str) -> list[Card]:
    return [card for card in game.cards if card.type in types]


AGENTS, LEADERS = cards(XFILES, "agent"), cards(SPYCRAFT, "leader")
UNIQUE = [card for card in cards(SPYCRAFT, "agent", "gear", "action") if card.fact("unique") is True]
KILLERS = [card for card in XFILES.cards if card.fact("killer") is True and card.type != "x-file"]


def out(deck: Decklist, random: Random, *sections: str) -> tuple[Decklist, Entry]:
    """Return the deck without one random copy from these sections, and the copy's entry."""
    entry = random.choice(deck.in_section(*sections))
    return deck.without([(entry, 1)]), entry


def added(deck: Decklist, card: Card, section: str, count: int = 1) -> Decklist:
    return with_changes(deck, [CardChange(card, section, count)])


def another(section: str, among: list[Card], fits: Callable[[Card, Card], bool]) -> Fault:
    """A fault: a card of the section is replaced by another for which ``fits(old, new)`` is true."""

    def swap(deck: Decklist, random: Random) -> Decklist:
        if not deck.in_section(section):
            return deck
        rest, entry = out(deck, random, section)
        chosen = [card for card in among if fits(entry.card, card)]
        return added(rest, random.choice(chosen), section) if chosen else deck

    return swap


def more(section: str, among: list[Card], count: int = 1) -> Fault:
    """A fault: copies of a random card are added."""
    return lambda deck, random: added(deck, random.choice(among), section, count)


def copies(section: str, most: int) -> Fault:
    """A fault: a card of the section has more than ``most`` copies."""

    def double(deck: Decklist, random: Random) -> Decklist:
        if not (entries := deck.in_section(section)):
            return deck
        entry = random.choice(entries)
        return added(deck, entry.card, section, max(1, most + 1 - entry.count))

    return double


def fewer(section: str) -> Fault:
    """A fault: one to three cards of the section are missing."""

    def take(deck: Decklist, random: Random) -> Decklist:
        for _ in range(random.randint(1, 3)):
            deck, _entry = out(deck, random, section)
        return deck

    return take


def misplaced(deck: Decklist, random: Random) -> Decklist:
    """A fault: a card of the Bureau deck is among the Agents."""
    rest, entry = out(deck, random, "bureau")
    return added(rest, entry.card, "agents")


def without(section: str) -> Fault:
    """A fault: the section is empty."""
    return lambda deck, _: replace(deck, entries=tuple(e for e in deck if e.section != section))


def _dearer(card: Card, other: Card) -> bool:
    return card.type == "agent" and (other.number("cost") or 0) >= (card.number("cost") or 0) + 3


def _same(key: str, other: str) -> Callable[[Card, Card], bool]:
    return lambda one, two: one.fact(key) == two.fact(key) and one.fact(other) != two.fact(other)


FAULTS: dict[str, tuple[Fault, ...]] = {
    # Faults of the team are twice as frequent: a total that is too high is the hardest to repair.
    "xfiles": (
        *(another("agents", AGENTS, _dearer), copies("agents", 1), more("agents", AGENTS)) * 2,
        without("xfile"),
        copies("bureau", 2),
        more("bureau", KILLERS),
        more("bureau", cards(XFILES, "x-file")),
        fewer("bureau"),
        misplaced,
    ),
    "spycraft": (
        copies("leaders", 1),
        another("leaders", LEADERS, _same("level", "faction")),
        another("leaders", LEADERS, _same("faction", "level")),
        more("leaders", LEADERS),
        lambda deck, random: out(deck, random, "leaders")[0],
        copies("deck", 3),
        more("deck", UNIQUE, 2),
        more("missions", cards(SPYCRAFT, "mission")),
        fewer("deck"),
    ),
}


def least_of_xfiles(deck: Decklist) -> int:
    """Return the larger of two numbers: cards that must come out, and cards that must come in.

    An Advanced deck has one X-File; Agents with different names, who cost at most 20 RP together; and at
    least 60 other cards, at most two copies of each and no killer.
    """
    team: Counter[str] = Counter()
    costs: dict[str, int] = {}
    bureau: Counter[str] = Counter()
    x_files = strangers = 0
    for entry in deck:
        card = entry.card
        if entry.section == "agents" and card.type == "agent":
            team[card.name] += entry.count
            costs[card.name] = card.number("cost") or 0
        elif entry.section == "xfile" and card.type == "x-file":
            x_files += entry.count
        elif entry.section == "bureau" and card.type != "x-file" and card.fact("killer") is not True:
            bureau[card.code] += entry.count
        else:
            strangers += entry.count
    affordable = sorted(costs.values())
    while sum(affordable) > 20:
        affordable.pop()
    allowed = sum(min(2, count) for count in bureau.values())
    coming_out = strangers + (team.total() - len(affordable)) + max(0, x_files - 1)
    coming_out += bureau.total() - allowed
    # A team needs one Agent.
    coming_in = max(0, 60 - allowed) + max(0, 1 - len(affordable)) + max(0, 1 - x_files)
    return max(coming_out, coming_in)


def least_of_spycraft(deck: Decklist) -> int:
    """The same for an Agency Deck, for the faction of leaders with which the fewest cards change.

    It has four leaders, of four levels and one faction, and at least 46 other cards: one copy of a unique
    card, else three or the number that is printed on the card; no mission.
    """
    named: Counter[str] = Counter()
    most: dict[str, int] = {}
    for entry in deck:
        if entry.card.type not in ("leader", "mission"):
            named[entry.card.name] += entry.count
            unique = entry.card.fact("unique") is True
            most[entry.card.name] = 1 if unique else entry.card.number("max_copies") or 3
    allowed = sum(min(most[name], count) for name, count in named.items())
    coming_out = named.total() - allowed + sum(entry.count for entry in deck.of_type("mission"))
    leaders = deck.of_type("leader")
    # Faction -> the levels of its leaders, one leader of each stays.
    levels: dict[object, set[object]] = {}
    for entry in leaders:
        levels.setdefault(entry.card.fact("faction"), set()).add(entry.card.fact("level"))
    number = sum(entry.count for entry in leaders)
    lacking = max(0, 46 - allowed)
    stay = [len(of_faction) for of_faction in levels.values()] or [0]
    return min(max(coming_out + number - kept, lacking + 4 - kept) for kept in stay)


LEAST = {"xfiles": least_of_xfiles, "spycraft": least_of_spycraft}


def decks(game: Game, format: Format, faults: int, number: int, seed: int) -> Iterator[Decklist]:
    """Yield ``number`` decks of the game that are not legal, each made with this number of ``faults``."""
    random = Random(seed)
    whole = [deck for its_game, its_format, deck in LEGAL if (its_game, its_format) == (game, format)]
    while number:
        deck = random.choice(whole)
        for fault in random.sample(FAULTS[game.slug], faults):
            deck = fault(deck, random)
        if game.judge(deck, format).verdict in ("illegal", "incomplete"):
            number -= 1
            yield deck


def wrong_with(game: Game, format: Format, deck: Decklist) -> Counter[object]:
    """Count each (code, problem) that is illegal, and once each kind of card that is lacking."""
    found: Counter[object] = Counter()
    for violation in game.judge(deck, format).violations:
        if violation.severity is Severity.ILLEGAL:
            found[violation.code, violation.problem] += 1
        elif violation.severity is Severity.INCOMPLETE:
            for lack in violation.lacks:
                found[lack.types, str(lack.facts), lack.sections] = 1
    return found


CCGS = [(XFILES, ADVANCED), (SPYCRAFT, AGENCY)]


@pytest.mark.seeds(1)
@pytest.mark.parametrize(("game", "format"), CCGS, ids=["xfiles", "spycraft"])
def test_three_faults_are_repaired_with_the_fewest_changes_possible(game, format, seed):
    for deck in decks(game, format, faults=3, number=20, seed=100 + seed):
        offered = smallest_repairs(game, deck, format, PATIENT)
        assert offered and offered[0].is_smallest
        for repair in offered:
            after = with_changes(deck, repair.changes)
            assert (repair.verdict, game.judge(after, format).verdict) == ("legal", "legal")
            assert repair.size == LEAST[game.slug](deck)


@pytest.mark.parametrize(("game", "format"), CCGS, ids=["xfiles", "spycraft"])
def test_a_repair_has_its_stated_verdict_and_takes_out_only_surplus_of_a_marked_card(game, format):
    random = Random(5)
    for deck in decks(game, format, faults=2, number=8, seed=5):
        marked = random.choice(deck.entries)
        kept = changed(deck, lambda e, m=marked: replace(e, marks=Marks(keep=True)) if e is m else e)
        before, offered = game.judge(kept, format), repairs(game, kept, format)
        assert words(repairs(game, kept, format)) == words(offered) and len(offered) <= 5
        violations = [v for v in before.violations if set(v.cards) == {marked.card.name}]
        surplus = sum(count for violation in violations for _, count in violation.excess)
        for repair in offered:
            after = game.judge(with_changes(kept, repair.changes), format)
            assert after.verdict == repair.verdict
            assert repair.is_whole or badness(after) < badness(before)
            out = -sum(
                change.by
                for change in repair.changes
                if (change.card.key, change.section) == (marked.card.key, marked.section)
            )
            assert out <= surplus and out < marked.count


@pytest.mark.parametrize(("game", "format"), CCGS, ids=["xfiles", "spycraft"])
def test_a_repair_not_proved_the_smallest_is_legal_and_says_so(game, format):
    hasty, unproved = Limits(seconds=600, judgements=40), 0
    for deck in decks(game, format, faults=8, number=20, seed=7):
        (repair, *_) = smallest_repairs(game, deck, format, hasty)
        assert game.judge(with_changes(deck, repair.changes), format).verdict == "legal"
        assert LEAST[game.slug](deck) <= repair.size <= LEAST[game.slug](deck) + 1
        assert repair.outcome == ("legal" if repair.is_smallest else "legal; not proved the smallest")
        unproved += not repair.is_smallest
    assert unproved


@pytest.mark.parametrize(("game", "format"), CCGS, ids=["xfiles", "spycraft"])
def test_no_removal_makes_anything_new_illegal_or_lacking(game, format):
    offered = 0
    for deck in decks(game, format, faults=3, number=40, seed=3):
        before, report = wrong_with(game, format, deck), game.judge(deck, format)
        for violation in report.violations:
            if removal := removal_for(game, deck, format, violation, report):
                offered += 1
                after = wrong_with(game, format, deck.without(removal))
                assert not after - before
                key = (violation.code, violation.problem)
                assert after[key] < before[key]
    assert offered > 20


@pytest.mark.parametrize(
    ("names", "excess", "may"),
    [
        (("Kai",), 1, True),
        # The last copy of a marked line stays.
        (("Kai",), 4, False),
        # Several cards are too many together: the other one may come out instead.
        (("Kai", "Minx"), 1, False),
        # Nothing is too many.
        (("Kai",), 0, False),
    ],
)
def test_only_surplus_copies_of_a_marked_card_may_come_out(names, excess, may):
    (kai,) = SPYCRAFT.name_index.called("Kai")
    entry = Entry(kai, 4, "deck", Marks(keep=True))
    out = ((entry, excess),) if excess else ()
    broken = Violation("AG-4", "too-many-copies", Severity.ILLEGAL, "cards", names, 4, 3, out)
    assert may_come_out(broken) is may


# -- a team that costs too much -------------------------------------------------------


def team(*names: str) -> Decklist:
    """Return the starter with these starting Agents."""
    agents = (Entry(next(card for card in AGENTS if card.name == name), 1, "agents") for name in names)
    return replace(MULDER, entries=(*agents, *(e for e in MULDER if e.section != "agents")))


DEAR = (
    "Agent Fox Mulder",
    "Agent Dana Scully",
    "Agent Alex Krycek",
    "Inspector Phoebe Green",
    "Agent Rich",
    "Agent Henderson",
)


def offered_words(deck: Decklist) -> list[str]:
    return [repair.words for repair in smallest_repairs(XFILES, deck, ADVANCED, PATIENT)]


def test_the_fewest_agents_leave_a_team_that_costs_too_much_and_of_these_the_cheapest():
    # 7 + 7 + 6 + 5 + 4 + 3 = 32 RP, 12 too many: two Agents are enough, and 7 + 5 is the least they cost.
    offered = offered_words(team(*DEAR))
    assert [words for words in offered if words.startswith("Take out")] == [
        "Take out 1 Agent Dana Scully and 1 Inspector Phoebe Green.",
        "Take out 1 Agent Fox Mulder and 1 Inspector Phoebe Green.",
        "Take out 1 Agent Dana Scully and 1 Agent Alex Krycek.",
    ]
    assert "Move 1 Agent Fox Mulder to Bureau deck. Move 1 Inspector Phoebe Green to Bureau deck." in offered


def test_agents_marked_to_be_kept_stay_in_a_team_that_costs_too_much():
    deck = changed(
        team(*DEAR), lambda e: replace(e, marks=Marks(keep=True)) if e.card.number("cost") == 7 else e
    )
    first = offered_words(deck)[0]
    assert first == "Take out 1 Inspector Phoebe Green, 1 Agent Rich and 1 Agent Henderson."


def test_a_team_of_every_agent_in_the_game_is_repaired():
    names = [card.name for card in AGENTS]
    repairs = smallest_repairs(XFILES, team(*names), ADVANCED, PATIENT)
    least = least_of_xfiles(team(*names))
    assert least > 8 and [repair.verdict for repair in repairs[:1]] == ["legal"]
    assert repairs[0].size <= least + 1
