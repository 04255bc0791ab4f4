"""Proposals to finish a deck: they are legal, can be played, keep the player's cards and follow the player's
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
    for seed, deck in enumerate(starters(game, format)[:2])
]
AGENTS = [card for card in XFILES.cards if card.type == "agent"]
MULDER, SCULLY, SKINNER = starters(XFILES, ADVANCED)[:3]
BANSHEE = starters(SPYCRAFT, AGENCY)[0]


def assert_playable(game: Game, format: Format, before: Decklist, proposal: Proposal) -> None:
    """The proposed deck is legal, the judge has no remark that it did not have before, and no check of
    playability finds anything about the cards that were added.
    """
    assert proposal.report.verdict == "legal"
    assert remarks(game, format, proposal.deck) <= remarks(game, format, before)
    assert proposal.needs is not None
    # A finding such as "Tank, Jeep: ..." about the player's own cards may stay.
    own = {entry.card.name for entry in before}
    findings = [
        finding
        for finding in proposal.needs.findings
        if not own.issuperset(finding.partition(": ")[0].split(", "))
    ]
    assert findings == []


@cache
def from_nothing(slug: str) -> tuple[Proposal, ...]:
    """The proposals for a deck without cards."""
    return finished(*next(both for both in BOTH if both[0].slug == slug), NOTHING)


def barred(game: Game) -> set[str]:
    """Codes of cards that are never proposed, because they do not suit every table: killer cards, cards for
    three players, promos, the Franchise and the name that two cards have.
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


@pytest.mark.parametrize(("game", "format"), BOTH, ids=lambda each: each.slug)
def test_decks_from_nothing_can_be_played(game, format):
    for proposal in from_nothing(game.slug):
        assert_playable(game, format, NOTHING, proposal)
        assert not barred(game) & added(proposal).keys()


@pytest.mark.parametrize(("game", "format"), BOTH, ids=lambda each: each.slug)
def test_cards_that_the_player_never_wants_are_not_proposed_and_the_decks_can_still_be_played(game, format):
    # Every fifth card. The first four stay: they are leaders, of which a faction has few of each level.
    never = {new.card.code for proposal in from_nothing(game.slug) for new in proposal.added[4::5]}
    for proposal in finished(game, format, NOTHING, Wishes(never=never)):
        assert_playable(game, format, NOTHING, proposal)
        assert not never & added(proposal).keys()


@pytest.mark.parametrize(("game", "format", "half"), HALVES)
def test_half_a_deck_becomes_one_that_can_be_played_and_loses_nothing(game, format, half):
    assert game.roles is not None
    roles = {role.slug for role in game.roles.roles}
    for proposal in finished(game, format, half):
        assert_playable(game, format, half, proposal)
        assert proposal.removed == () and not sizes(half) - sizes(proposal.deck)
        assert not barred(game) & added(proposal).keys()
        assert all(new.reason and new.role.slug in roles for new in proposal.added)


@pytest.mark.parametrize(("game", "format", "half"), HALVES[::2])
def test_the_order_of_the_entries_changes_nothing(game, format, half):
    shuffled = list(half.entries)
    Random(3).shuffle(shuffled)
    other = replace(half, entries=tuple(shuffled))
    assert list(map(added, finished(game, format, half))) == list(map(added, finished(game, format, other)))


def test_a_card_that_a_rule_moves_or_takes_out_is_not_proposed_at_once():
    combat = [card for card in XFILES.cards if card.type == "combat"]
    deck = listed(XFILES, ADVANCED, "Starting Agents:", *(f"1 {card.name}" for card in combat))
    for proposal in finished(XFILES, ADVANCED, deck):
        assert proposal.removed and not {out.card.code for out in proposal.removed} & added(proposal).keys()


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from([one for deck in (MULDER, SCULLY, SKINNER) for one in deck]), max_size=30))
def test_any_mixture_of_entries_of_starters_becomes_a_legal_deck(entries):
    deck = Decklist(tuple(entries))
    proposal = proposals(XFILES, deck, ADVANCED, "lot", most=1)[0]
    assert proposal.report.verdict == "legal"
    forbidden = {(out.card.code, out.section) for out in proposal.removed}
    assert set(sizes(deck) - sizes(proposal.deck)) <= forbidden


@pytest.mark.parametrize("name", ["Dr. Kholera", "Derek Blake"])
def test_a_leader_of_the_franchise_gets_the_other_leaders_of_its_group(name):
    alone = listed(SPYCRAFT, AGENCY, f"1 {name}")
    for proposal in finished(SPYCRAFT, AGENCY, alone):
        leaders = proposal.deck.of_type("leader")
        assert (proposal.report.verdict, len(leaders)) == ("legal", 4)
        assert not [violation for violation in proposal.report.violations if violation.code == "AG-13"]


# -- characters and wishes


def test_three_proposals_for_one_team_share_less_than_half_of_their_cards():
    team = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "1 Agent Dana Scully")
    first, second, third = (set(added(proposal)) for proposal in finished(XFILES, ADVANCED, team))
    assert max(len(first & second), len(second & third), len(first & third)) < len(first) / 2


def test_from_nothing_three_factions_are_proposed():
    factions = [
        {entry.card.fact("faction") for entry in proposal.deck.of_type("leader")}
        for proposal in from_nothing("spycraft")
    ]
    assert [len(names) for names in factions] == [1, 1, 1]
    assert len(set().union(*factions)) == 3


def test_the_first_character_suits_the_skills_of_the_deck_s_agents():
    agents = [card for card in SPYCRAFT.cards if card.type == "agent"]
    drivers = [card for card in agents if (card.number("transport") or 0) >= 6][:5]
    deck = listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in drivers))
    assert finished(SPYCRAFT, AGENCY, deck)[0].character.slug == "chases"


def test_the_nearest_starter_is_followed():
    scully = part_of(SCULLY, 0.4, 1)
    proposal = finished(XFILES, ADVANCED, scully)[0]
    assert proposal.like is not None
    assert (proposal.like.slug, proposal.name) == ("deck-scully", f"Like {proposal.like.name}")


@pytest.mark.parametrize(
    ("game", "format", "slug"), [(XFILES, ADVANCED, "deck-skinner"), (SPYCRAFT, AGENCY, "nine-tiger")]
)
def test_a_starter_that_is_asked_for_gives_one_proposal_with_its_cards(game, format, slug):
    (proposal,) = finished(game, format, NOTHING, Wishes(like=slug))
    starter = next(each for each in game.starters if each.slug == slug)
    assert proposal.like is starter
    cards = {entry.card.name for entry in listed(game, format, *starter.text.splitlines())}
    assert len({new.card.name for new in proposal.added} & cards) > len(proposal.added) / 3


def test_a_deck_from_nothing_has_the_shares_of_its_character():
    proposal = next(each for each in from_nothing("xfiles") if each.character.slug == "more-events")
    assert proposal.needs is not None
    have = {need.role.slug: need.have for need in proposal.needs.roles}
    # The ``wants`` of the character in roles.toml, else of the roles.
    assert (have["site"], have["event-own"], have["event-against"], have["bluff"]) == (15, 13, 8, 8)


def test_copies_that_the_player_owns_are_told_and_preferred_on_request():
    events = [card.code for card in XFILES.cards if card.type == "event"]
    owned = dict.fromkeys(events[::3], 2)
    without_events = MULDER.without([(entry, entry.count) for entry in MULDER.of_type("event")])

    def third(wishes: Wishes) -> Proposal:
        return finished(XFILES, ADVANCED, without_events, wishes)[2]

    plain, preferring = third(Wishes(owned=owned)), third(Wishes(owned=owned, prefer_owned=True))
    told = sum(new.owned for new in plain.added)
    assert told == sum(min(new.count, owned.get(new.card.code, 0)) for new in plain.added)
    assert sum(new.owned for new in preferring.added) > told


def test_the_x_file_depends_on_the_lot():
    open_deck = MULDER.without([(entry, 1) for entry in MULDER.of_type("x-file")])
    made = (proposals(XFILES, open_deck, ADVANCED, str(seed), most=1)[0] for seed in range(12))
    assert len({proposal.deck.of_type("x-file")[0].card.code for proposal in made}) > 3


# -- allowed: what a rule forbids comes out, or moves, and nothing else


def facts_of(removed: tuple[Removed, ...]) -> list[tuple[int, str, str, str, str]]:
    return [(out.count, out.card.name, out.section, out.to, out.code) for out in removed]


def test_an_event_among_the_agents_moves_to_the_bureau_deck():
    deck = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "2 Medical Treatment")
    _, removed = allowed(XFILES, deck, ADVANCED)
    assert facts_of(removed) == [(2, "Medical Treatment", "agents", "bureau", "S3")]


def test_agents_who_are_too_dear_together_move_to_the_bureau_deck():
    dear = [card for card in AGENTS if (card.number("cost") or 0) >= 6][:6]
    deck = listed(XFILES, ADVANCED, "Agents:", *(f"1 {card.name}" for card in dear))
    kept, removed = allowed(XFILES, deck, ADVANCED)
    assert {(out.to, out.code) for out in removed} == {("bureau", "S4")}
    assert kept.size == 6
    assert sum(entry.card.number("cost") or 0 for entry in kept.in_section("agents")) <= 20


def test_of_unique_cards_that_stand_twice_one_copy_stays():
    unique = [card for card in SPYCRAFT.cards if card.facts.get("unique") is True][:9]
    deck = listed(SPYCRAFT, AGENCY, *(f"2 {card.name}" for card in unique))
    kept, removed = allowed(SPYCRAFT, deck, AGENCY)
    assert {out.code for out in removed} == {"AG-5"}
    assert [(entry.card, entry.count) for entry in kept] == [(card, 1) for card in unique]


def test_as_few_leaders_as_possible_come_out_if_two_are_of_one_level():
    leaders = ["Li Cong", "Groundfire", "Grandmaster Go", "The Ninth Immortal", "Father of Blades"]
    deck = listed(SPYCRAFT, AGENCY, *(f"1 {name}" for name in leaders))
    kept, removed = allowed(SPYCRAFT, deck, AGENCY)
    assert sum(out.count for out in removed) == 1
    assert {entry.card.number("level") for entry in kept} == {1, 2, 3, 4}


def test_a_line_that_is_marked_to_be_kept_stays_though_a_rule_forbids_it():
    card = next(card for card in XFILES.cards if card.facts.get("killer"))
    deck = Decklist((Entry(card, 1, "bureau", Marks(keep=True)),))
    assert allowed(XFILES, deck, ADVANCED) == (deck, ())


def test_a_proposal_names_what_comes_out_with_its_rule():
    deck = listed(XFILES, ADVANCED, "4 Autopsy", "1 Terminal Damage")
    for proposal in finished(XFILES, ADVANCED, deck):
        assert sorted((out.count, out.code) for out in proposal.removed) == [(1, "D12"), (2, "D4")]
        assert proposal.report.verdict == "legal"


def test_every_new_card_is_proposed_by_role_and_none_comes_from_the_repair():
    deck = listed(SPYCRAFT, AGENCY, "2 Adam Razir", "2 Alex Kole", "2 Anton Gallegos")
    kept, _ = allowed(SPYCRAFT, deck, AGENCY)
    assert {entry.card for entry in kept} <= {entry.card for entry in deck}
    for proposal in finished(SPYCRAFT, AGENCY, deck):
        came = sum(change.by for change in proposal.changes if change.by > 0)
        assert (proposal.report.verdict, came) == ("legal", sum(new.count for new in proposal.added))


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
    for proposal in finished(XFILES, ADVANCED, SKINNER):
        assert (proposal.added, proposal.removed, proposal.deck) == ((), (), SKINNER)


# -- sizes


def test_a_deck_full_of_events_grows_by_the_sites_that_it_needs():
    events = [card for card in XFILES.cards if card.type == "event" and not card.facts["killer"]]
    events = [card for card in events if "Multiplayer" not in card.words("activators")]
    deck = listed(XFILES, ADVANCED, *(f"1 {card.name}" for card in events[:55]))
    for proposal in finished(XFILES, ADVANCED, deck):
        sites = sum(entry.count for entry in proposal.deck.of_type("site"))
        # A quarter of the deck, rounded up, are Sites; 60 cards would have been enough without them.
        assert (proposal.report.verdict, sites) == ("legal", 19)
        assert sum(entry.count for entry in proposal.deck.in_section("bureau")) == 74


def test_house_rules_for_larger_decks_and_cheaper_teams_are_followed():
    larger = with_house_rules(AGENCY, "AG-3.at_least=60")
    made = finished(SPYCRAFT, larger, NOTHING)
    assert {(proposal.report.verdict, proposal.deck.size) for proposal in made} == {("legal", 60)}
    cheaper = with_house_rules(ADVANCED, "S4.limit=15")
    assert {proposal.report.verdict for proposal in finished(XFILES, cheaper, NOTHING)} == {"legal"}


# -- cards for one role


@pytest.mark.parametrize(
    ("leader", "agent", "role"),
    [
        # Only leaders of level 3 and 4 may activate him.
        ("felicia-monet", "president-george-winter", "later"),
        # All leaders but those of the Franchise may activate him.
        ("felicia-monet", "gideon-barbary", "later"),
        ("derek-blake", "gideon-barbary", ""),
    ],
)
def test_an_agent_takes_the_role_of_the_leaders_who_may_activate_it(leader, agent, role):
    first, card = SPYCRAFT.card(leader), SPYCRAFT.card(agent)
    assert first and card
    view = Agency(SPYCRAFT.cards, Decklist((Entry(first, 1, "leaders"),)), "")
    taken = [slug for slug in ("at-once", "with-discard", "later") if view.takes(slug, card)]
    assert taken == ([role] if role else [])


def test_sites_that_fit_the_deck_ask_the_question_that_it_lacks():
    sites = MULDER.of_type("site")
    asking = [entry for entry in sites if "Method" in entry.card.words("site_questions")]
    without = MULDER.without([(entry, entry.count) for entry in asking])
    found = fitting(XFILES, without, ADVANCED, "site", 3)
    assert ["Method" in new.card.words("site_questions") for new in found] == [True, True, True]


def test_agents_that_fit_the_deck_cost_no_more_than_the_points_that_are_left():
    team = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "1 Agent Dana Scully")
    # A team costs at most 20, and these two cost 7 each.
    assert all((new.card.number("cost") or 0) <= 6 for new in fitting(XFILES, team, ADVANCED, "team", 5))


def test_a_term_that_does_not_speak_for_a_card_is_not_its_reason():
    """Here only "again", for second copies, has a sentence; the cards that fit are first copies."""
    assert SPYCRAFT.roles is not None
    terms = tuple(
        replace(term, says="a second copy" if term.slug == "again" else "") for term in SPYCRAFT.roles.terms
    )
    game = replace(SPYCRAFT, roles=replace(SPYCRAFT.roles, terms=terms))
    assert {new.reason for new in fitting(game, NOTHING, AGENCY, "at-once", 3)} == {""}
