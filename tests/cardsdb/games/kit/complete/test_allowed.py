"""What a rule forbids comes out, named with its rule, and nothing else."""

from __future__ import annotations

from dataclasses import fields

from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.games.kit.complete.search import Removed, allowed
from tests.cardsdb.games.kit.complete.decks import ADVANCED, AGENCY, SPYCRAFT, XFILES, finished, listed


def told(gone: tuple[Removed, ...]) -> list[tuple[int, str, str, str, str]]:
    return [(one.count, one.card.name, one.section, one.to, one.code) for one in gone]


def test_an_event_among_the_agents_moves_to_the_bureau_deck() -> None:
    deck = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "2 Medical Treatment")
    _, gone = allowed(XFILES, deck, ADVANCED)
    assert told(gone) == [(2, "Medical Treatment", "agents", "bureau", "S3")]


def test_a_sideboard_moves_into_a_deck_that_may_have_none() -> None:
    deck = listed(XFILES, ADVANCED, "Sideboard:", "1 Autopsy")
    kept, gone = allowed(XFILES, deck, ADVANCED)
    assert told(gone) == [(1, "Autopsy", "sideboard", "bureau", "C1")]
    assert [entry.section for entry in kept] == ["bureau"]


def test_agents_who_are_too_dear_together_move_to_the_bureau_deck() -> None:
    dear = [card for card in XFILES.cards if card.type == "agent" and (card.number("cost") or 0) >= 6][:6]
    deck = listed(XFILES, ADVANCED, "Agents:", *(f"1 {card.name}" for card in dear))
    kept, gone = allowed(XFILES, deck, ADVANCED)
    assert {(one.to, one.code) for one in gone} == {("bureau", "S4")}
    assert kept.size == 6
    assert sum(entry.card.number("cost") or 0 for entry in kept.in_section("agents")) <= 20


def test_killer_cards_come_out() -> None:
    _, gone = allowed(XFILES, listed(XFILES, ADVANCED, "1 Terminal Damage", "1 Autopsy"), ADVANCED)
    assert told(gone) == [(1, "Terminal Damage", "bureau", "", "D12")]


def test_of_nine_unique_cards_twice_each_one_stays() -> None:
    unique = [card for card in SPYCRAFT.cards if card.facts.get("unique") is True][:9]
    kept, gone = allowed(SPYCRAFT, listed(SPYCRAFT, AGENCY, *(f"2 {card.name}" for card in unique)), AGENCY)
    assert {one.code for one in gone} == {"AG-5"}
    assert {entry.card.code: entry.count for entry in kept} == dict.fromkeys(
        (card.code for card in unique), 1
    )


def test_of_leaders_of_two_factions_and_one_level_twice_the_fewest_come_out() -> None:
    leaders = ["Li Cong", "Groundfire", "Grandmaster Go", "The Ninth Immortal", "Father of Blades"]
    kept, gone = allowed(SPYCRAFT, listed(SPYCRAFT, AGENCY, *(f"1 {name}" for name in leaders)), AGENCY)
    assert sum(one.count for one in gone) == 1
    assert {entry.card.number("level") for entry in kept} == {1, 2, 3, 4}


def test_a_line_that_is_marked_to_be_kept_stays_though_a_rule_forbids_it() -> None:
    card = next(card for card in XFILES.cards if card.facts.get("killer"))
    deck = Decklist((Entry(card, 1, "bureau", Marks(keep=True)),))
    assert allowed(XFILES, deck, ADVANCED) == (deck, ())


def test_a_proposal_names_what_comes_out_with_its_rule() -> None:
    deck = listed(XFILES, ADVANCED, "4 Autopsy", "1 Terminal Damage")
    for one in finished(XFILES, ADVANCED, deck):
        assert sorted((out.count, out.code) for out in one.removed) == [(1, "D12"), (2, "D4")]
        assert one.report.verdict == "legal"


def test_a_long_list_of_too_many_copies_is_judged_fewer_times_than_it_has_lines() -> None:
    cards = [card for card in XFILES.cards if card.type in ("event", "witness", "bluff")][:200]
    deck = Decklist(tuple(Entry(card, 9, "bureau") for card in cards))
    judged = []

    class Counting(type(XFILES)):  # type: ignore[misc]
        def judge(self, *asked: object) -> object:
            judged.append(asked)
            return super().judge(*asked)

    counting = Counting(**{one.name: getattr(XFILES, one.name) for one in fields(XFILES)})
    kept, _ = allowed(counting, deck, ADVANCED)
    assert max(entry.count for entry in kept) <= 2
    assert len(judged) < 200


def test_nothing_comes_in_that_is_not_proposed_by_role() -> None:
    deck = listed(SPYCRAFT, AGENCY, "2 Adam Razir", "2 Alex Kole", "2 Anton Gallegos")
    kept, _ = allowed(SPYCRAFT, deck, AGENCY)
    assert {entry.card for entry in kept} <= {entry.card for entry in deck}
    for one in finished(SPYCRAFT, AGENCY, deck):
        came = sum(change.by for change in one.changes if change.by > 0)
        assert (one.report.verdict, came) == ("legal", sum(new.count for new in one.added))
