"""The needs of a deck by role, and the findings about whether it can be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games.kit.complete.needs import MAX_ENTRIES, Need, Needs, needs
from cardsdb.games.kit.listtext.deck import read_deck
from tests.cardsdb.games.kit.complete.decks import (
    ADVANCED,
    AGENCY,
    BOTH,
    NOTHING,
    SPYCRAFT,
    XFILES,
    listed,
)

TEXTS = {starter.slug: starter.text for starter in XFILES.starters}
MULDER, SKINNER = (read_deck(XFILES, TEXTS[slug], ADVANCED).deck for slug in ("deck-mulder", "deck-skinner"))


def need_of(needed: Needs | None, role: str) -> Need:
    assert needed is not None
    return next(need for need in needed.roles if need.role.slug == role)


def findings(needed: Needs | None) -> list[str]:
    assert needed is not None
    return list(needed.findings)


@pytest.mark.parametrize(("game", "format"), BOTH, ids=lambda each: each.slug)
def test_a_deck_without_cards_needs_all_that_the_roles_want(game, format):
    needed = needs(game, NOTHING, format)
    assert needed is not None
    assert game.roles is not None
    assert (needed.add, needed.findings) == (game.roles.size, ())


def test_a_starter_that_follows_the_manual_has_no_findings():
    assert findings(needs(XFILES, SKINNER, ADVANCED)) == []


def test_the_team_of_the_x_files_is_counted_in_points():
    # The starter says that its team costs 19; the manual allows 20.
    team = need_of(needs(XFILES, MULDER, ADVANCED), "team")
    assert (team.have, team.want, team.add) == (19, 20, 1)


def test_a_question_that_no_site_asks_is_the_first_finding_and_the_advice():
    sites = MULDER.of_type("site")
    asking = [entry for entry in sites if "Method" in entry.card.words("site_questions")]
    silent = MULDER.without([(entry, entry.count) for entry in asking])
    needed = needs(XFILES, silent, ADVANCED)
    assert findings(needed)[0].startswith("Your team can reach no Site that asks about Method")
    assert needed and needed.advice == findings(needed)[0]


def test_a_site_that_the_team_does_not_reach_does_not_count_as_a_site():
    weak = listed(XFILES, ADVANCED, "Agents:", "1 Agent Fox Mulder", "", "Bureau deck:", "2 Cape Cod, MA")
    assert need_of(needs(XFILES, weak, ADVANCED), "site").have == 0


def test_a_deck_whose_first_leader_pays_few_agents_is_told_so():
    # The leader pays 3 without a discard, and every agent here costs at least 10.
    dear = [card for card in SPYCRAFT.cards if card.type == "agent" and (card.number("expense") or 0) > 9][:6]
    deck = listed(SPYCRAFT, AGENCY, "1 Father of Blades", *(f"1 {card.name}" for card in dear))
    first, *_ = findings(needs(SPYCRAFT, deck, AGENCY))
    assert (
        first == "The level 1 leader can pay for 0 agents without a discard; "
        "decks that were played usually have 4 or more."
    )


def test_gear_that_fewer_than_two_people_can_pay_is_named():
    gear = (card for card in SPYCRAFT.cards if card.type == "gear")
    # The cheapest costs nothing, so the leader and Kai can pay it; the dearest costs 17, too much for both.
    cheapest, *_, dearest = sorted(gear, key=lambda card: card.number("expense") or 0)
    deck = listed(SPYCRAFT, AGENCY, "1 Father of Blades", "1 Kai", f"1 {cheapest.name}", f"1 {dearest.name}")
    *_, last = findings(needs(SPYCRAFT, deck, AGENCY))
    assert last.startswith(f"{dearest.name}: too expensive")


def test_a_deck_that_is_full_of_other_cards_still_lacks_its_vital_roles():
    assert SPYCRAFT.roles is not None
    gear = [card for card in SPYCRAFT.cards if card.type == "gear"][: SPYCRAFT.roles.size]
    deck = listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in gear))
    needed = needs(SPYCRAFT, deck, AGENCY)
    vital, other = need_of(needed, "at-once"), need_of(needed, "later")
    assert vital.role.vital and not other.role.vital
    # Gear alone fills the deck. It grows until gear is no more than the share of roles that are not vital,
    # and in the larger deck a vital role wants more than ``roles.toml`` says.
    assert vital.add > vital.role.want
    assert other.add == 0


def test_a_deck_whose_roles_are_all_vital_takes_as_many_cards_as_they_want():
    assert SPYCRAFT.roles is not None
    vital = tuple(replace(role, vital=True) for role in SPYCRAFT.roles.roles)
    game = replace(SPYCRAFT, roles=replace(SPYCRAFT.roles, roles=vital))
    needed = needs(game, NOTHING, AGENCY)
    assert needed is not None
    assert needed.add == SPYCRAFT.roles.size


@pytest.mark.parametrize(("game", "format"), [(XFILES, "basic"), (SPYCRAFT, "mission-free")])
def test_a_format_without_roles_has_no_completion(game, format):
    assert needs(game, NOTHING, game.formats_by_slug[format]) is None


def test_a_deck_of_more_lines_than_any_deck_has_is_not_completed():
    cards = [card for card in SPYCRAFT.cards if card.type in ("agent", "action", "gear")]
    most, more = (
        listed(SPYCRAFT, AGENCY, *(f"1 {card.name}" for card in cards[:n]))
        for n in (MAX_ENTRIES, MAX_ENTRIES + 1)
    )
    assert needs(SPYCRAFT, most, AGENCY) is not None
    assert needs(SPYCRAFT, more, AGENCY) is None
