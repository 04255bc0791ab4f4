"""What a deck still needs: by role, with the sentence first that decides games."""

from __future__ import annotations

from time import thread_time

import pytest

from cardsdb.games.kit.complete.needs import Need, Needs, needs
from tests.cardsdb.games.kit.complete.decks import (
    ADVANCED,
    AGENCY,
    BOTH,
    NOTHING,
    SPYCRAFT,
    XFILES,
    listed,
    starters,
)

MULDER, _, SKINNER = starters(XFILES, ADVANCED)[:3]


def of(needed: Needs | None, slug: str) -> Need:
    assert needed is not None
    return next(need for need in needed.roles if need.role.slug == slug)


def sentences(needed: Needs | None) -> list[str]:
    assert needed is not None
    return list(needed.findings)


@pytest.mark.parametrize(("game", "format"), BOTH, ids=lambda one: one.slug)
def test_a_deck_without_cards_needs_all_that_the_roles_want(game, format):
    needed = needs(game, NOTHING, format)
    assert needed is not None
    assert game.roles is not None
    assert (needed.add, needed.findings) == (game.roles.size, ())


def test_a_starter_that_follows_the_manual_is_clean_by_every_check():
    assert sentences(needs(XFILES, SKINNER, ADVANCED)) == []


def test_a_team_is_told_in_points():
    team = of(needs(XFILES, MULDER, ADVANCED), "team")
    assert (team.have, team.want, team.add) == (19, 20, 1)


def test_a_question_that_no_site_asks_is_said_first_and_under_the_sites():
    silent = MULDER.without(
        [
            (entry, entry.count)
            for entry in MULDER.of_type("site")
            if "Method" in entry.card.words("site_questions")
        ]
    )
    needed = needs(XFILES, silent, ADVANCED)
    assert sentences(needed)[0].startswith("No Site in your team's reach asks about Method")
    assert needed and needed.advice == sentences(needed)[0]


def test_a_site_out_of_reach_does_not_count_as_one():
    weak = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "", "Bureau deck:", "2 Cape Cod, MA")
    needed = needs(XFILES, weak, ADVANCED)
    assert of(needed, "site").have == 0


def test_a_deck_whose_first_leader_pays_few_agents_is_told_so():
    dear = [card for card in SPYCRAFT.cards if card.type == "agent" and (card.number("expense") or 0) > 9][:6]
    deck = listed(SPYCRAFT, AGENCY, "1 Father of Blades", *(f"1 {card.name}" for card in dear))
    said = sentences(needs(SPYCRAFT, deck, AGENCY))
    assert (
        said[0]
        == "The level 1 leader can pay 0 agents without a discard; played decks mostly have 4 or more such."
    )


def test_what_cannot_be_done_or_carried_is_named():
    tank = max(
        (card for card in SPYCRAFT.cards if card.type == "gear"), key=lambda card: card.number("expense") or 0
    )
    deck = listed(SPYCRAFT, AGENCY, "1 Father of Blades", f"1 {tank.name}")
    assert any(tank.name in said for said in sentences(needs(SPYCRAFT, deck, AGENCY)))


def test_a_deck_that_is_full_of_others_still_lacks_its_vital_roles():
    gear = [card for card in SPYCRAFT.cards if card.type == "gear"][:46]
    deck = listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in gear))
    needed = needs(SPYCRAFT, deck, AGENCY)
    assert of(needed, "at-once").add >= 6
    assert of(needed, "later").add == 0


@pytest.mark.parametrize(("game", "format"), [(XFILES, "basic"), (SPYCRAFT, "mission-free")])
def test_a_format_without_roles_has_no_completion(game, format):
    assert needs(game, NOTHING, game.formats_by_slug[format]) is None


def test_a_list_of_very_many_copies_is_counted_by_its_lines():
    people = [card for card in SPYCRAFT.cards if card.type == "agent"][:100]
    used = [card for card in SPYCRAFT.cards if card.type in ("action", "gear")][:100]
    many = listed(SPYCRAFT, AGENCY, *(f"99 {card.name}" for card in (*people, *used)))
    began = thread_time()
    assert needs(SPYCRAFT, many, AGENCY) is not None
    assert thread_time() - began < 3


def test_a_role_says_where_its_number_comes_from():
    needed = needs(SPYCRAFT, NOTHING, AGENCY)
    assert (of(needed, "leader").role.standing, of(needed, "gear").role.standing) == ("source", "count")
