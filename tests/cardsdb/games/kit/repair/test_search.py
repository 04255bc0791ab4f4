"""Repairs of single faults: each is legal, small and worded as instructions; and ``removal_for``, the removal
offered beside a violation. Decks with several faults are in ``test_steps.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Format, Game, Marks
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.model.format import last_of
from cardsdb.games.kit.repair.search import Repair, removal_for, smallest_repairs
from cardsdb.games.kit.repair.steps import Limits

# Limited by the number of judgements only, so that results are the same on every machine.
PATIENT = Limits(seconds=600)
SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
AGENCY = SPYCRAFT.formats_by_slug["agency"]
ADVANCED = XFILES.formats_by_slug["advanced"]


def starter(game: Game, slug: str) -> Decklist:
    ready = next(starter for starter in game.starters if starter.slug == slug)
    return read_deck(game, ready.text, game.formats_by_slug[ready.format]).deck


def repairs(game: Game, deck: Decklist, format: Format) -> tuple[Repair, ...]:
    return smallest_repairs(game, deck, format, PATIENT)


def changed(deck: Decklist, edit: Callable[[Entry], Entry | None]) -> Decklist:
    return replace(deck, entries=tuple(entry for entry in map(edit, deck) if entry))


def fewer(deck: Decklist, count: int, section: str) -> Decklist:
    """Return the deck without the last ``count`` cards of a section."""
    return deck.without(last_of(deck.in_section(section), count))


def words(offered: tuple[Repair, ...]) -> list[str]:
    return [repair.words for repair in offered]


BANSHEE, MULDER = starter(SPYCRAFT, "banshee-net"), starter(XFILES, "deck-mulder")
LEADERS = BANSHEE.of_type("leader")
# The leader that the tests take out or replace; any of the four would do.
LEADER = LEADERS[1]


def card(game: Game, test: Callable[[Card], bool]) -> Card:
    return next(card for card in game.cards if test(card))


def test_a_card_is_named_with_its_set_if_others_have_its_name():
    tracer = card(SPYCRAFT, lambda card: card.name == "Tracer" and card.type == "agent")
    # The agent is unique, so three of four copies come out.
    deck = replace(BANSHEE, entries=(*BANSHEE.entries, Entry(tracer, 4, "deck")))
    assert "3 Tracer (ML)" in words(repairs(SPYCRAFT, deck, AGENCY))[0]


def test_a_deck_that_is_legal_or_that_only_the_sources_leave_undecided_has_nothing_to_repair():
    assert repairs(SPYCRAFT, BANSHEE, AGENCY) == ()
    game = games()["spynet"]
    box, format = starter(game, "box"), game.formats_by_slug["set"]
    assert (game.judge(box, format).verdict, repairs(game, box, format)) == ("undecided", ())


def may_not_replace_leader(card: Card) -> bool:
    """True for a leader of LEADER's level and of another faction: all four must be of one faction."""
    is_of_level = card.type == "leader" and card.fact("level") == LEADER.card.fact("level")
    return is_of_level and card.fact("faction") != LEADER.card.fact("faction")


OTHER_FACTION = card(SPYCRAFT, may_not_replace_leader)
# What a deck lacks -> (game, deck, format, number of cards that must change).
LACKING = {
    "a leader": (SPYCRAFT, changed(BANSHEE, lambda e: e if e is not LEADER else None), AGENCY, 1),
    # An Agency Deck has 50 cards at least.
    "five cards": (SPYCRAFT, fewer(BANSHEE, BANSHEE.size - 45, "deck"), AGENCY, 5),
    "an X-File": (XFILES, changed(MULDER, lambda e: e if e.section != "xfile" else None), ADVANCED, 1),
    "two cards": (XFILES, fewer(MULDER, 2, "bureau"), ADVANCED, 2),
    "a swap": (
        SPYCRAFT,
        changed(BANSHEE, lambda e: replace(e, card=OTHER_FACTION) if e is LEADER else e),
        AGENCY,
        1,
    ),
}


def put_in(repair: Repair) -> Counter[str]:
    """Return key of a card -> copies that the repair puts in."""
    return Counter({change.card.key: change.by for change in repair.changes if change.by > 0})


@pytest.mark.parametrize("name", LACKING)
def test_lacking_cards_come_in_and_each_alternative_differs_in_one_copy(name):
    game, deck, format, size = LACKING[name]
    offered = repairs(game, deck, format)
    assert offered and {(repair.size, repair.verdict) for repair in offered} == {(size, "legal")}
    for repair in offered:
        for other in repair.alternatives:
            after = game.judge(with_changes(deck, other.repair.changes), format)
            assert (other.repair.verdict, after.verdict, other.repair.size) == ("legal", "legal", size)
            expected = put_in(repair) - Counter([other.instead_of.key]) + Counter([other.card.key])
            assert put_in(other.repair) == expected
            assert other.card.name in other.repair.words


@pytest.mark.parametrize("name", ["an X-File", "two cards", "five cards"])
def test_if_any_of_many_cards_would_do_five_alternatives_are_named(name):
    game, deck, format, _ = LACKING[name]
    repair = repairs(game, deck, format)[0]
    assert repair.words.endswith(", for example.")
    assert len({other.card.key for other in repair.alternatives}) == 5


def test_a_leader_of_another_faction_is_swapped_for_one_of_the_same_level():
    repair, old = repairs(*LACKING["a swap"][:3])[0], LEADER.card
    (out, into) = repair.changes
    assert (out.card, out.by, into.by) == (OTHER_FACTION, -1, 1)
    assert repair.words.startswith(f"Swap 1 {OTHER_FACTION.name} for ")
    for new in (into.card, *(other.card for other in repair.alternatives)):
        assert (new.fact("level"), new.fact("faction")) == (old.fact("level"), old.fact("faction"))


def test_the_only_card_that_fits_is_no_example_and_has_no_alternatives():
    deck = starter(SPYCRAFT, "mission-deck-base")
    (repair,) = repairs(
        SPYCRAFT, replace(deck, entries=deck.entries[1:]), SPYCRAFT.formats_by_slug["mission-base"]
    )
    assert (repair.words, repair.alternatives) == (f"Add 1 {deck.entries[0].card.name}.", ())


def test_a_fourth_copy_comes_out_without_alternatives():
    entry = next(entry for entry in BANSHEE if entry.count == 3)
    offered = repairs(SPYCRAFT, changed(BANSHEE, lambda e: replace(e, count=4) if e is entry else e), AGENCY)
    assert words(offered)[0] == f"Take out 1 {entry.card.name}."
    only_removals = [repair for repair in offered if all(change.by < 0 for change in repair.changes)]
    assert not any(repair.alternatives for repair in only_removals)


def test_missing_cards_may_be_more_copies_of_those_in_the_deck():
    _, deck, _, _ = LACKING["five cards"]
    names = {entry.card.name for entry in deck}
    offered = repairs(SPYCRAFT, deck, AGENCY)
    assert any({change.card.name for change in repair.changes} <= names for repair in offered)


def test_a_card_in_the_wrong_section_is_moved():
    deck = changed(MULDER, lambda e: replace(e, section="bureau") if e.section == "xfile" else e)
    x_file = MULDER.in_section("xfile")[0].card.name
    assert words(repairs(XFILES, deck, ADVANCED))[0] == f"Move 1 {x_file} to X-File."


@pytest.mark.parametrize(
    ("slug", "name", "wanted"),
    [
        ("agentdecker", "five in the line", "legal: Move 1 "),
        ("steamspy", "a card among the sheets", "legal: Take out 1 Horn."),
        # The catalogue has no cards of a corporation that could stand in for the one that is there twice.
        ("steamspy", "a name twice", "incomplete: "),
        # No change of cards cures it.
        ("agentdecker", "the alarm at 50", ""),
    ],
)
def test_an_example_that_breaks_a_rule_gets_the_best_repair_there_is(slug, name, wanted):
    game = games()[slug]
    example = next(example for example in game.examples() if example.name == name)
    format = game.formats_by_slug[example.format]
    offered = repairs(game, read_deck(game, example.text, format).deck, format)
    first = "".join(f"{repair.outcome}: {repair.words}" for repair in offered[:1])
    assert first.startswith(wanted) and bool(first) == bool(wanted)
    assert all(repair.is_whole == (repair.verdict == "legal") for repair in offered)


def test_a_repair_that_ends_undecided_says_that_no_source_decides_the_rest():
    basic = XFILES.formats_by_slug["basic"]
    pack = starter(XFILES, "pack-second-edition-1")
    fights = [entry for entry in pack if entry.section != "bureau"]
    fights += [Entry(c, 2, "bureau") for c in XFILES.cards if c.type == "combat"][:30]
    deck = replace(pack, entries=tuple(fights))
    assert sum(entry.count for entry in deck.in_section("bureau")) == 60
    (repair,) = repairs(XFILES, deck, basic)
    assert (repair.verdict, repair.size, repair.is_whole) == ("undecided", 60, True)
    assert repair.outcome == "undecided, because no source decides what is left open"


def test_changes_that_would_take_out_the_last_copy_of_a_kept_card_are_refused():
    entry = replace(BANSHEE.entries[5], marks=Marks(keep=True))
    deck = replace(BANSHEE, entries=(entry,))
    with pytest.raises(ValueError, match="marked to be kept"):
        with_changes(deck, [CardChange(entry.card, entry.section, -entry.count)])


def test_the_search_ends_when_its_time_is_up(monkeypatch):
    monkeypatch.setattr("cardsdb.games.kit.repair.steps.thread_time", iter(range(10_000)).__next__)
    deck = starter(SPYCRAFT, "mission-deck-base")
    assert len(smallest_repairs(SPYCRAFT, deck, AGENCY, Limits(seconds=5))) <= 1


# -- the removal beside a violation: it cures that violation, and nothing new is illegal or lacking

# The leaders of one faction, of levels 1 to 4.
KRYPT = ("Clean Sweep", "Double-Barrel", "Adam Razir", "Iron Flower")


def removals(
    deck: Decklist, game: Game = SPYCRAFT, format: Format = AGENCY
) -> dict[str, list[tuple[str, int]]]:
    """Return code of a broken rule -> (name, copies) of the cards that may come out because of it."""
    before = game.judge(deck, format)
    found = {v.code: removal_for(game, deck, format, v, before) for v in before.violations if v.excess}
    return {code: [(entry.card.name, copies) for entry, copies in out] for code, out in found.items()}


def leader(name: str) -> Card:
    return card(SPYCRAFT, lambda one: one.name == name and one.type == "leader")


def led_by(leaders: Iterable[tuple[int, str]]) -> Decklist:
    """Return a deck with these leaders, given as (copies, name) in their order."""
    led = (Entry(leader(name), count, "leaders") for count, name in leaders)
    return Decklist((*led, *(entry for entry in BANSHEE if entry.card.type != "leader")))


@pytest.mark.parametrize(("doubled", "last"), [(0, 0), (1, 3), (2, 1), (3, 2), (0, 3)])
def test_of_a_leader_with_two_copies_one_comes_out_wherever_the_leader_stands(doubled, last):
    # Indexes in KRYPT: ``doubled`` of the leader with two copies, ``last`` of the one that is listed last.
    names = [*KRYPT[last + 1 :], *KRYPT[: last + 1]]
    out = [(KRYPT[doubled], 1)]
    deck = led_by([(2 if name == KRYPT[doubled] else 1, name) for name in names])
    assert removals(deck) == {"AG-6": out, "AG-7": out}


def test_a_leader_of_another_faction_is_not_taken_out_if_its_level_would_be_missing():
    deck = led_by([(1, name) for name in KRYPT[:3]] + [(1, BANSHEE.of_type("leader")[0].card.name)])
    assert {v.code for v in SPYCRAFT.judge(deck, AGENCY).violations if v.excess} >= {"AG-8"}
    assert removals(deck)["AG-8"] == []


def test_a_surplus_copy_stays_if_the_deck_would_have_too_few_cards_without_it():
    entry = next(entry for entry in BANSHEE if entry.count == 3)
    larger = changed(BANSHEE, lambda e: replace(e, count=4) if e is entry else e)
    assert removals(larger)["AG-4"] == [(entry.card.name, 1)]
    others = [e for e in larger.in_section("deck") if e.card is not entry.card]
    of_fifty = larger.without(last_of(others, larger.size - 50))
    assert (of_fifty.size, removals(of_fifty)["AG-4"]) == (50, [])


def test_surplus_copies_come_out_of_a_deck_that_lacks_many_cards_anyway():
    kai = card(SPYCRAFT, lambda one: one.name == "Kai")
    assert removals(Decklist((Entry(kai, 9, "deck"),))) == {"AG-4": [("Kai", 6)]}


def test_a_card_marked_to_be_kept_is_not_taken_out():
    deck = led_by([(1, name) for name in (*KRYPT, "Tasha")])
    assert removals(deck)["AG-6"] == [("Tasha", 1)]
    kept = changed(deck, lambda e: replace(e, marks=Marks(keep=True)) if e.card.name == "Tasha" else e)
    assert removals(kept) == {"AG-6": [], "AG-7": []}


def test_of_two_violations_of_one_rule_each_gets_its_own_removal():
    first, second = [entry for entry in MULDER.in_section("bureau") if entry.card.type == "event"][:2]
    deck = changed(MULDER, lambda e: replace(e, count=e.count + 3) if e in (first, second) else e)
    before = XFILES.judge(deck, ADVANCED)
    violations = [violation for violation in before.violations if violation.code == "D4"]
    removals = [removal_for(XFILES, deck, ADVANCED, violation, before) for violation in violations]
    assert len(violations) == 2
    assert [(entry.card.name,) for ((entry, _),) in removals] == [v.cards for v in violations]
