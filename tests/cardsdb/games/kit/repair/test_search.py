"""The smallest repair: what is offered is legal, small, the same every time, and leaves alone what is to be
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Format, Game, Marks
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.model.format import last_of
from cardsdb.games.kit.repair.search import Repair, smallest_repairs
from cardsdb.games.kit.repair.steps import Limits, badness

# The count of judgements alone: the same on every machine.
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
    """So many cards less in a section, from its end."""
    return deck.without(last_of(deck.in_section(section), count))


def words(offered: tuple[Repair, ...]) -> list[str]:
    return [repair.words for repair in offered]


BANSHEE, MULDER = starter(SPYCRAFT, "banshee-net"), starter(XFILES, "deck-mulder")
LEADERS = BANSHEE.of_type("leader")


def card(game: Game, test: Callable[[Card], bool]) -> Card:
    return next(card for card in game.cards if test(card))


def test_which_of_several_cards_of_one_name_comes_out_is_said() -> None:
    tracer = card(SPYCRAFT, lambda card: card.name == "Tracer" and card.type == "agent")
    deck = replace(BANSHEE, entries=(*BANSHEE.entries, Entry(tracer, 4, "deck")))
    assert "3 Tracer (ML)" in words(repairs(SPYCRAFT, deck, AGENCY))[0]


def test_a_legal_deck_has_nothing_to_repair() -> None:
    assert repairs(SPYCRAFT, BANSHEE, AGENCY) == ()


def test_a_leader_of_another_faction_is_swapped_for_one_of_the_same_level() -> None:
    old = LEADERS[1].card
    other = card(
        SPYCRAFT,
        lambda c: (
            c.type == "leader"
            and c.fact("level") == old.fact("level")
            and c.fact("faction") != old.fact("faction")
        ),
    )
    offered = repairs(
        SPYCRAFT, changed(BANSHEE, lambda e: replace(e, card=other) if e is LEADERS[1] else e), AGENCY
    )
    assert offered[0].size == 1
    (out, into) = offered[0].changes
    assert (out.card, out.by, into.by) == (other, -1, 1)
    assert (into.card.fact("level"), into.card.fact("faction")) == (old.fact("level"), old.fact("faction"))
    assert offered[0].words.startswith(f"Swap 1 {other.name} for ")


def test_a_fourth_copy_comes_out() -> None:
    entry = next(entry for entry in BANSHEE if entry.count == 3)
    offered = repairs(SPYCRAFT, changed(BANSHEE, lambda e: replace(e, count=4) if e is entry else e), AGENCY)
    assert words(offered)[0] == f"Take out 1 {entry.card.name}."


def test_forty_five_cards_get_five_for_example() -> None:
    offered = repairs(SPYCRAFT, fewer(BANSHEE, BANSHEE.size - 45, "deck"), AGENCY)
    assert all(repair.size == 5 and repair.alternatives and repair.verdict == "legal" for repair in offered)
    assert offered[0].words.endswith(", for example.")


def test_missing_cards_may_be_more_copies_of_those_in_the_deck() -> None:
    deck = fewer(BANSHEE, BANSHEE.size - 45, "deck")
    names = {entry.card.name for entry in deck}
    assert any(
        {change.card.name for change in repair.changes} <= names for repair in repairs(SPYCRAFT, deck, AGENCY)
    )


def test_the_second_copy_of_a_unique_card_comes_out() -> None:
    unique = card(SPYCRAFT, lambda c: c.type == "agent" and c.fact("unique") is True)
    offered = repairs(SPYCRAFT, replace(BANSHEE, entries=(*BANSHEE, Entry(unique, 2, "deck"))), AGENCY)
    assert words(offered)[0] == f"Take out 1 {unique.name}."


def test_a_mission_deck_of_25_loses_the_mission_that_does_not_belong() -> None:
    deck = starter(SPYCRAFT, "mission-deck-base")
    stranger = card(SPYCRAFT, lambda c: c.type == "mission" and all(p.set != "ON" for p in c.prints))
    offered = repairs(
        SPYCRAFT,
        replace(deck, entries=(*deck, Entry(stranger, 1, "missions"))),
        SPYCRAFT.formats_by_slug["mission-base"],
    )
    assert words(offered) == [f"Take out 1 {stranger.name}."]


def test_the_one_card_that_fits_is_no_example() -> None:
    deck = starter(SPYCRAFT, "mission-deck-base")
    offered = repairs(
        SPYCRAFT, replace(deck, entries=deck.entries[1:]), SPYCRAFT.formats_by_slug["mission-base"]
    )
    assert words(offered) == [f"Add 1 {deck.entries[0].card.name}."]


def test_a_team_that_costs_too_much_gets_a_cheaper_agent() -> None:
    cheapest = min(MULDER.in_section("agents"), key=lambda entry: entry.card.number("cost") or 0)
    names = {entry.card.name for entry in MULDER}
    dear = card(
        XFILES,
        lambda c: (
            c.type == "agent"
            and c.number("cost") == (cheapest.card.number("cost") or 0) + 3
            and c.name not in names
        ),
    )
    offered = repairs(
        XFILES, changed(MULDER, lambda e: replace(e, card=dear) if e is cheapest else e), ADVANCED
    )
    assert all(repair.size == 1 and repair.verdict == "legal" for repair in offered)
    assert any(text.startswith("Swap 1 ") for text in words(offered))
    assert any(text.startswith("Take out 1 ") for text in words(offered))


def test_58_cards_get_two() -> None:
    offered = repairs(XFILES, fewer(MULDER, 2, "bureau"), ADVANCED)
    assert [repair.size for repair in offered] == [2] * len(offered)
    assert all(change.section == "bureau" and change.by > 0 for change in offered[0].changes)


def test_a_missing_x_file_is_put_in_its_section() -> None:
    (change,) = repairs(XFILES, changed(MULDER, lambda e: e if e.section != "xfile" else None), ADVANCED)[
        0
    ].changes
    assert (change.card.type, change.section, change.by) == ("x-file", "xfile", 1)


def test_a_card_in_the_wrong_section_is_moved() -> None:
    deck = changed(MULDER, lambda e: replace(e, section="bureau") if e.section == "xfile" else e)
    x_file = MULDER.in_section("xfile")[0].card.name
    assert words(repairs(XFILES, deck, ADVANCED))[0] == f"Move 1 {x_file} to X-File."


def test_a_card_too_many_of_a_box_comes_out() -> None:
    game = games()["spynet"]
    deck = starter(game, "draw-4")
    more = replace(
        deck, entries=(replace(deck.entries[0], count=deck.entries[0].count + 1), *deck.entries[1:])
    )
    assert f"Take out 1 {deck.entries[0].card.name}." in words(
        repairs(game, more, game.formats_by_slug["draw-4"])
    )


def test_an_obstacle_goes_back_to_the_line() -> None:
    game = games()["agentdecker"]
    example = next(example for example in game.examples() if example.name == "five in the line")
    format = game.formats_by_slug[example.format]
    assert words(repairs(game, read_deck(game, example.text, format).deck, format))[0].endswith(
        " to The line."
    )


def test_a_card_among_the_sheets_comes_out() -> None:
    game = games()["steamspy"]
    example = next(example for example in game.examples() if example.name == "a card among the sheets")
    format = game.formats_by_slug[example.format]
    assert words(repairs(game, read_deck(game, example.text, format).deck, format)) == ["Take out 1 Horn."]


def test_what_no_change_of_cards_cures_gets_no_repair() -> None:
    game = games()["agentdecker"]
    example = next(example for example in game.examples() if example.name == "the alarm at 50")
    format = game.formats_by_slug[example.format]
    assert repairs(game, read_deck(game, example.text, format).deck, format) == ()


def test_what_only_the_sources_leave_open_is_no_fault() -> None:
    game = games()["spynet"]
    deck, format = starter(game, "box"), game.formats_by_slug["set"]
    assert game.judge(deck, format).verdict == "undecided"
    assert repairs(game, deck, format) == ()


def test_a_repair_that_ends_undecided_says_that_no_source_decides_the_rest() -> None:
    basic = XFILES.formats_by_slug["basic"]
    pack = starter(XFILES, "pack-second-edition-1")
    fights = [entry for entry in pack if entry.section != "bureau"]
    fights += [Entry(c, 2, "bureau") for c in XFILES.cards if c.type == "combat"][:30]
    deck = replace(pack, entries=tuple(fights))
    assert sum(entry.count for entry in deck.in_section("bureau")) == 60
    (repair,) = repairs(XFILES, deck, basic)
    assert (repair.verdict, repair.size, repair.is_whole) == ("undecided", 60, True)
    assert repair.outcome == "undecided, for no source decides what is left open"


def test_where_no_repair_is_whole_the_best_is_offered_and_says_so() -> None:
    # The catalogue has no cards of a corporation that could stand in for the one that is there twice.
    game = games()["steamspy"]
    example = next(example for example in game.examples() if example.name == "a name twice")
    format = game.formats_by_slug[example.format]
    (repair,) = repairs(game, read_deck(game, example.text, format).deck, format)
    assert (repair.verdict, repair.is_whole, repair.outcome) == ("incomplete", False, "incomplete")


def test_a_sixth_game_is_repaired_without_a_word_of_it_elsewhere(sixth_game: Any) -> None:
    (format,) = sixth_game.formats
    offered = repairs(sixth_game, read_deck(sixth_game, "4 Zorka", format).deck, format)
    assert [repair.verdict for repair in offered] == ["legal"] * len(offered)
    assert offered[0].size == 2


# -- decks broken at random ---------------------------------------------------------

LEGAL = [
    (
        game,
        game.formats_by_slug[starter.format],
        read_deck(game, starter.text, game.formats_by_slug[starter.format]).deck,
    )
    for game in (SPYCRAFT, XFILES, games()["spynet"])
    for starter in game.starters
    if game.judge(
        read_deck(game, starter.text, game.formats_by_slug[starter.format]).deck,
        game.formats_by_slug[starter.format],
    ).verdict
    == "legal"
]


def broken(game: Game, format: Format, deck: Decklist, times: int, random: Random) -> Decklist:
    """The deck after so many changes of one card each: one out, one in, one for another, one elsewhere."""
    cards = [card for card in game.cards if game.types_by_slug[card.type].in_decks]
    for _ in range(times):
        entry = random.choice(deck.entries)
        match random.randrange(4):
            case 0:
                deck = deck.without([(entry, 1)])
            case 1:
                deck = _with(deck, entry.card, entry.section)
            case 2:
                deck = _with(
                    deck.without([(entry, 1)]),
                    random.choice([c for c in cards if c.type == entry.card.type]),
                    entry.section,
                )
            case _:
                deck = _with(deck.without([(entry, 1)]), entry.card, random.choice(format.sections))
    return deck


def _with(deck: Decklist, card: Card, section: str) -> Decklist:
    for place, entry in enumerate(deck.entries):
        if entry.card is card and entry.section == section:
            return replace(
                deck,
                entries=(
                    *deck.entries[:place],
                    replace(entry, count=entry.count + 1),
                    *deck.entries[place + 1 :],
                ),
            )
    return replace(deck, entries=(*deck.entries, Entry(card, 1, section)))


def broken_decks(seed: int, number: int) -> Iterator[tuple[Game, Format, Decklist, int]]:
    random = Random(seed)
    while number:
        game, format, deck = random.choice(LEGAL)
        times = random.randint(1, 3)
        wrong = broken(game, format, deck, times, random)
        if game.judge(wrong, format).verdict in ("illegal", "incomplete"):
            number -= 1
            yield game, format, wrong, times


@pytest.mark.seeds(1)
def test_a_deck_broken_by_some_changes_is_mended_by_as_many(seed: int) -> None:
    decks = list(broken_decks(seed=12 + seed, number=120))
    mended = sum(
        any(repair.is_whole and repair.size <= times for repair in repairs(game, deck, format))
        for game, format, deck, times in decks
    )
    assert mended >= 0.9 * len(decks)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_every_repair_keeps_what_it_says(seed: int) -> None:
    ((game, format, deck, _),) = broken_decks(seed, 1)
    marked = Random(seed).choice(deck.entries)
    deck = changed(deck, lambda e: replace(e, marks=Marks(keep=True)) if e is marked else e)
    marked_count = marked.count
    before, offered = game.judge(deck, format), repairs(game, deck, format)
    assert words(repairs(game, deck, format)) == words(offered)
    assert len(offered) <= 5
    for repair in offered:
        after = game.judge(with_changes(deck, repair.changes), format)
        assert after.verdict == repair.verdict
        assert repair.is_whole or badness(after) < badness(before)
        out = -sum(
            change.by
            for change in repair.changes
            if (change.card.key, change.section) == (marked.card.key, marked.section)
        )
        of_it = [v for v in before.violations if set(v.cards) == {marked.card.name}]
        assert out <= sum(count for violation in of_it for _, count in violation.excess)
        assert out < marked_count


def test_the_last_copy_of_a_kept_card_cannot_be_taken_out_by_changes_either() -> None:
    entry = replace(BANSHEE.entries[5], marks=Marks(keep=True))
    deck = replace(BANSHEE, entries=(entry,))
    with pytest.raises(ValueError, match="marked to be kept"):
        with_changes(deck, [CardChange(entry.card, entry.section, -entry.count)])


def test_the_search_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.games.kit.repair.steps.thread_time", iter(range(10_000)).__next__)
    offered = smallest_repairs(
        SPYCRAFT,
        starter(SPYCRAFT, "mission-deck-base"),
        AGENCY,
        Limits(seconds=5),
    )
    assert len(offered) <= 1
