"""A finished deck is legal, can be played, keeps what its player chose, and follows what its player
wishes.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games.kit import Decklist, Entry, Format, Game, Marks
from cardsdb.games.kit.complete.search import Proposal, Removed, Wishes, allowed, fitting, proposals
from cardsdb.games.kit.rules.house_rules import with_house_rules
from cardsdb.games.spycraft.roles import Agency
from cardsdb.games.spycraft.rules import is_promo
from cardsdb.games.xfiles.rules import QUESTIONS, reach, skills_of
from tests.cardsdb.games.kit.complete.decks import (
    ADVANCED,
    AGENCY,
    BOTH,
    NOTHING,
    SPYCRAFT,
    XFILES,
    added,
    finished,
    listed,
    part_of,
    remarks,
    sizes,
    starters,
)

HALVES = [
    (game, format, part_of(deck, 0.5, seed))
    for game, format in BOTH
    for seed, deck in enumerate(starters(game, format)[:3])
]
AGENTS = [card for card in XFILES.cards if card.type == "agent"]
LEADERS = [card for card in SPYCRAFT.cards if card.type == "leader"]
MULDER, SCULLY, SKINNER = starters(XFILES, ADVANCED)[:3]
BANSHEE = starters(SPYCRAFT, AGENCY)[0]


def asked_in_reach(deck: Decklist) -> dict[str, int]:
    """Question -> Sites that the team reaches and that ask it."""
    skills = skills_of(deck.in_section("agents"))
    sites = [one for one in deck.of_type("site") if reach(one.card, skills) == "whole"]
    return {
        kind: sum(one.count for one in sites if kind in one.card.words("site_questions"))
        for kind in QUESTIONS
    }


def is_playable(game: Game, format: Format, before: Decklist, one: Proposal) -> None:
    """Legal, with no remark that was not there before, and clean by every check of playability."""
    assert one.report.verdict == "legal"
    assert remarks(game, format, one.deck) <= remarks(game, format, before)
    assert one.needs is not None
    # What the player's own cards are too dear or too hard for stays in the deck, and is told.
    own = {entry.card.name for entry in before}
    found = [
        words for words in one.needs.findings if not own.issuperset(words.partition(": ")[0].split(", "))
    ]
    assert found == []


@cache
def from_nothing(slug: str) -> tuple[Proposal, ...]:
    """What is proposed to whoever has chosen nothing yet."""
    return finished(*next(both for both in BOTH if both[0].slug == slug), NOTHING)


def barred(game: Game) -> set[str]:
    """What is not for every table: killer cards, cards for three players, promos, the Franchise and the name
    that two cards have.
    """
    return {
        card.code
        for card in game.cards
        if card.facts.get("killer")
        or "Multiplayer" in card.words("activators")
        or card.fact("faction") == "Franchise"
        or card.name == "Tracer"
        or (game is SPYCRAFT and is_promo(card))
    }


@pytest.mark.parametrize(("game", "format"), BOTH, ids=lambda one: one.slug)
def test_decks_from_nothing_can_be_played_and_none_has_a_card_that_was_left_out(game, format):
    first = from_nothing(game.slug)
    # Leaders stay, since a faction has few of each level.
    never = {new.card.code for one in first for new in one.added[4::5]}
    for one in first:
        is_playable(game, format, NOTHING, one)
        assert not barred(game) & added(one).keys()
    for one in finished(game, format, NOTHING, Wishes(never=never)):
        is_playable(game, format, NOTHING, one)
        assert not never & added(one).keys()


@pytest.mark.parametrize(("game", "format", "half"), HALVES)
def test_half_a_deck_becomes_one_that_can_be_played_and_loses_nothing(game, format, half):
    assert game.roles is not None
    roles = {role.slug for role in game.roles.roles}
    for one in finished(game, format, half):
        is_playable(game, format, half, one)
        assert one.removed == () and not sizes(half) - sizes(one.deck)
        assert not barred(game) & added(one).keys()
        assert all(new.reason and new.role.slug in roles for new in one.added)


@pytest.mark.parametrize(
    ("game", "format", "card"),
    [
        *((XFILES, ADVANCED, card) for card in AGENTS[::30]),
        *((SPYCRAFT, AGENCY, card) for card in LEADERS[::39]),
    ],
    ids=lambda one: getattr(one, "code", one.slug if hasattr(one, "slug") else None),
)
def test_one_agent_or_leader_becomes_a_deck_that_can_be_played(game, format, card):
    alone = listed(game, format, *["Agents:"] * (game is XFILES), f"1 {card.name}")
    for one in finished(game, format, alone):
        is_playable(game, format, alone, one)
        assert game is SPYCRAFT or min(asked_in_reach(one.deck).values()) >= 2


@pytest.mark.parametrize(("game", "format", "half"), HALVES[::3])
def test_the_order_of_the_list_changes_nothing(game, format, half):
    shuffled = list(half.entries)
    Random(3).shuffle(shuffled)
    other = replace(half, entries=tuple(shuffled))
    assert list(map(added, finished(game, format, half))) == list(map(added, finished(game, format, other)))


def test_of_a_card_that_a_rule_moves_or_takes_out_no_copy_comes_in_at_once():
    combat = [card for card in XFILES.cards if card.type == "combat"]
    deck = listed(XFILES, ADVANCED, "Starting Agents:", *(f"1 {card.name}" for card in combat))
    for one in finished(XFILES, ADVANCED, deck):
        assert one.removed and not {out.card.code for out in one.removed} & added(one).keys()


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from([one for deck in (MULDER, SCULLY, SKINNER) for one in deck]), max_size=30))
def test_whatever_entries_of_starters_are_thrown_together_a_legal_deck_comes_of_them(entries):
    deck = Decklist(tuple(entries))
    one = proposals(XFILES, deck, ADVANCED, "lot", most=1)[0]
    assert one.report.verdict == "legal"
    forbidden = {(out.card.code, out.section) for out in one.removed}
    assert set(sizes(deck) - sizes(one.deck)) <= forbidden


@pytest.mark.parametrize("name", ["Dr. Kholera", "Derek Blake"])
def test_a_leader_of_the_franchise_gets_those_of_its_own_who_belong_together(name):
    alone = listed(SPYCRAFT, AGENCY, f"1 {name}")
    for one in finished(SPYCRAFT, AGENCY, alone):
        leaders = one.deck.of_type("leader")
        assert (one.report.verdict, len(leaders)) == ("legal", 4)
        assert not [violation for violation in one.report.violations if violation.code == "AG-13"]


# -- characters and wishes


def test_three_proposals_for_one_team_share_less_than_half_of_their_cards():
    team = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "1 Agent Dana Scully")
    first, second, third = (set(added(one)) for one in finished(XFILES, ADVANCED, team))
    assert max(len(first & second), len(second & third), len(first & third)) < len(first) / 2


def test_from_nothing_three_factions_are_proposed():
    factions = [
        {entry.card.fact("faction") for entry in one.deck.of_type("leader")}
        for one in from_nothing("spycraft")
    ]
    assert [len(one) for one in factions] == [1, 1, 1]
    assert len(set().union(*factions)) == 3


def test_the_characters_that_are_proposed_are_those_of_the_skills_of_the_deck_s_people():
    drivers = [
        card for card in SPYCRAFT.cards if card.type == "agent" and (card.number("transport") or 0) >= 6
    ][:5]
    deck = listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in drivers))
    assert finished(SPYCRAFT, AGENCY, deck)[0].character.slug == "chases"


def test_the_nearest_starter_is_followed():
    scully = part_of(SCULLY, 0.4, 1)
    one = finished(XFILES, ADVANCED, scully)[0]
    assert one.like is not None
    assert (one.like.slug, one.name) == ("deck-scully", f"Like {one.like.name}")


@pytest.mark.parametrize(
    ("game", "format", "slug"), [(XFILES, ADVANCED, "deck-skinner"), (SPYCRAFT, AGENCY, "nine-tiger")]
)
def test_a_starter_that_is_asked_for_gives_one_proposal_with_its_cards(game, format, slug):
    (one,) = finished(game, format, NOTHING, Wishes(like=slug))
    starter = next(each for each in game.starters if each.slug == slug)
    assert one.like is starter
    cards = {entry.card.name for entry in listed(game, format, *starter.text.splitlines())}
    assert len({new.card.name for new in one.added} & cards) > len(one.added) / 3


def test_the_shares_of_played_decks_are_kept():
    one = next(one for one in from_nothing("xfiles") if one.character.slug == "more-events")
    assert one.needs is not None
    have = {need.role.slug: need.have for need in one.needs.roles}
    assert (have["site"], have["event-own"], have["event-against"], have["bluff"]) == (15, 13, 8, 8)


def test_copies_that_the_player_has_are_told_and_preferred_on_request():
    owned = {card.code: 2 for card in XFILES.cards if card.type == "event"[:5]}
    some = dict(list(owned.items())[::3])
    plain, preferring = (
        finished(XFILES, ADVANCED, MULDER.without([(e, e.count) for e in MULDER.of_type("event")]), wishes)[2]
        for wishes in (Wishes(owned=some), Wishes(owned=some, prefer_owned=True))
    )
    told = [sum(new.owned for new in one.added) for one in (plain, preferring)]
    assert told[0] == sum(min(new.count, some.get(new.card.code, 0)) for new in plain.added)
    assert told[1] > told[0]


def test_the_x_file_is_drawn_by_the_caller_s_lot_alone():
    open_deck = MULDER.without([(entry, 1) for entry in MULDER.of_type("x-file")])
    made = (proposals(XFILES, open_deck, ADVANCED, str(seed), most=1)[0] for seed in range(12))
    assert len({one.deck.of_type("x-file")[0].card.code for one in made}) > 3


# -- what a rule forbids comes out, named with its rule, and nothing else


def told(gone: tuple[Removed, ...]) -> list[tuple[int, str, str, str, str]]:
    return [(one.count, one.card.name, one.section, one.to, one.code) for one in gone]


def test_an_event_among_the_agents_moves_to_the_bureau_deck():
    deck = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "2 Medical Treatment")
    _, gone = allowed(XFILES, deck, ADVANCED)
    assert told(gone) == [(2, "Medical Treatment", "agents", "bureau", "S3")]


def test_agents_who_are_too_dear_together_move_to_the_bureau_deck():
    dear = [card for card in XFILES.cards if card.type == "agent" and (card.number("cost") or 0) >= 6][:6]
    deck = listed(XFILES, ADVANCED, "Agents:", *(f"1 {card.name}" for card in dear))
    kept, gone = allowed(XFILES, deck, ADVANCED)
    assert {(one.to, one.code) for one in gone} == {("bureau", "S4")}
    assert kept.size == 6
    assert sum(entry.card.number("cost") or 0 for entry in kept.in_section("agents")) <= 20


def test_of_nine_unique_cards_twice_each_one_stays():
    unique = [card for card in SPYCRAFT.cards if card.facts.get("unique") is True][:9]
    kept, gone = allowed(SPYCRAFT, listed(SPYCRAFT, AGENCY, *(f"2 {card.name}" for card in unique)), AGENCY)
    assert {one.code for one in gone} == {"AG-5"}
    assert {entry.card.code: entry.count for entry in kept} == dict.fromkeys(
        (card.code for card in unique), 1
    )


def test_of_leaders_of_two_factions_and_one_level_twice_the_fewest_come_out():
    leaders = ["Li Cong", "Groundfire", "Grandmaster Go", "The Ninth Immortal", "Father of Blades"]
    kept, gone = allowed(SPYCRAFT, listed(SPYCRAFT, AGENCY, *(f"1 {name}" for name in leaders)), AGENCY)
    assert sum(one.count for one in gone) == 1
    assert {entry.card.number("level") for entry in kept} == {1, 2, 3, 4}


def test_a_line_that_is_marked_to_be_kept_stays_though_a_rule_forbids_it():
    card = next(card for card in XFILES.cards if card.facts.get("killer"))
    deck = Decklist((Entry(card, 1, "bureau", Marks(keep=True)),))
    assert allowed(XFILES, deck, ADVANCED) == (deck, ())


def test_a_proposal_names_what_comes_out_with_its_rule():
    deck = listed(XFILES, ADVANCED, "4 Autopsy", "1 Terminal Damage")
    for one in finished(XFILES, ADVANCED, deck):
        assert sorted((out.count, out.code) for out in one.removed) == [(1, "D12"), (2, "D4")]
        assert one.report.verdict == "legal"


def test_what_is_allowed_holds_nothing_new_and_nothing_comes_in_that_is_not_proposed_by_role():
    deck = listed(SPYCRAFT, AGENCY, "2 Adam Razir", "2 Alex Kole", "2 Anton Gallegos")
    kept, _ = allowed(SPYCRAFT, deck, AGENCY)
    assert {entry.card for entry in kept} <= {entry.card for entry in deck}
    for one in finished(SPYCRAFT, AGENCY, deck):
        came = sum(change.by for change in one.changes if change.by > 0)
        assert (one.report.verdict, came) == ("legal", sum(new.count for new in one.added))


def test_a_long_list_of_too_many_copies_is_judged_fewer_times_than_it_has_lines():
    cards = [card for card in XFILES.cards if card.type in ("event", "witness", "bluff")][:200]
    deck = Decklist(tuple(Entry(card, 9, "bureau") for card in cards))
    judged = []

    class Counting(type(XFILES)):
        def judge(self, *asked: object) -> object:
            judged.append(asked)
            return super().judge(*asked)

    counting = Counting(**{one.name: getattr(XFILES, one.name) for one in fields(XFILES)})
    kept, _ = allowed(counting, deck, ADVANCED)
    assert max(entry.count for entry in kept) <= 2
    assert len(judged) < 200


def test_a_deck_that_lacks_nothing_gets_nothing():
    for one in finished(XFILES, ADVANCED, SKINNER):
        assert (one.added, one.removed, one.deck) == ((), (), SKINNER)


# -- sizes


def test_a_deck_full_of_events_grows_by_the_sites_that_it_needs():
    events = [card for card in XFILES.cards if card.type == "event" and not card.facts["killer"]]
    events = [card for card in events if "Multiplayer" not in card.words("activators")]
    deck = listed(XFILES, ADVANCED, *(f"1 {card.name}" for card in events[:55]))
    for one in finished(XFILES, ADVANCED, deck):
        sites = sum(entry.count for entry in one.deck.of_type("site"))
        assert (one.report.verdict, sites) == ("legal", 19)
        assert sum(entry.count for entry in one.deck.in_section("bureau")) == 74


def test_house_rules_for_larger_decks_and_cheaper_teams_are_kept():
    larger = with_house_rules(AGENCY, "AG-3.at_least=60")
    made = finished(SPYCRAFT, larger, NOTHING)
    assert {(one.report.verdict, one.deck.size) for one in made} == {("legal", 60)}
    cheaper = with_house_rules(ADVANCED, "S4.limit=15")
    assert {one.report.verdict for one in finished(XFILES, cheaper, NOTHING)} == {"legal"}


# -- cards for one role


@pytest.mark.parametrize(
    ("leader", "agent", "role"),
    [
        # His card lets only leaders of level 3 and 4 activate him.
        ("felicia-monet", "president-george-winter", "later"),
        # His bars the Franchise alone.
        ("felicia-monet", "gideon-barbary", "later"),
        ("derek-blake", "gideon-barbary", ""),
    ],
)
def test_an_agent_takes_the_role_of_those_leaders_whom_its_card_lets_activate_it(leader, agent, role):
    first, card = SPYCRAFT.card(leader), SPYCRAFT.card(agent)
    assert first and card
    view = Agency(SPYCRAFT.cards, Decklist((Entry(first, 1, "leaders"),)), "")
    roles = ("at-once", "with-discard", "later")
    assert [one for one in roles if view.takes(one, card)] == [role] * bool(role)


def test_an_agent_whom_the_first_leader_must_not_activate_does_not_count_as_paid_at_once():
    deck = listed(SPYCRAFT, AGENCY, "1 Felicia Monet", "1 President George Winter", "3 Garcia", "1 Kai")
    assert SPYCRAFT.roles
    said = SPYCRAFT.roles.view(SPYCRAFT.cards, deck, "").checked()
    assert next(one.values[0] for one in said if one.code == "few-at-once") == 3


def test_cards_are_told_that_fit_one_role_of_the_deck_as_it_is():
    asked = asked_in_reach(MULDER)
    without = MULDER.without(
        [
            (entry, entry.count)
            for entry in MULDER.of_type("site")
            if "Method" in entry.card.words("site_questions")
        ]
    )
    found = fitting(XFILES, without, ADVANCED, "site", 3)
    assert asked["Method"]
    assert [len(found), *("Method" in new.card.words("site_questions") for new in found)] == [
        3,
        True,
        True,
        True,
    ]


def test_an_agent_is_told_whom_the_points_that_are_left_pay():
    team = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "1 Agent Dana Scully")
    assert all((new.card.number("cost") or 0) <= 6 for new in fitting(XFILES, team, ADVANCED, "team", 5))


def test_a_deck_of_gear_and_actions_alone_grows_by_no_more_than_the_people_that_it_needs():
    used = [card for card in SPYCRAFT.cards if card.type in ("gear", "action")][:150]
    for one in finished(SPYCRAFT, AGENCY, listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in used))):
        assert (one.report.verdict, one.deck.size < 300) == ("legal", True)
