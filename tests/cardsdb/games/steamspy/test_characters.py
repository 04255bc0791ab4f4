"""Steam Spy's character sheets: prices, bonuses by both readings, levels, handicaps and awards."""

from __future__ import annotations

import pytest

from cardsdb.games.kit import Card, FactValue
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.steamspy import GAME
from cardsdb.games.steamspy.characters import (
    CORPORATIONS,
    ORGANISATIONS,
    RANKS,
    award,
    corporation_called,
    handicap,
    level_for,
    organisation_called,
    several_in,
    sheet_of,
)


def make_character(**facts: FactValue) -> Card:
    return Card("steamspy", "written-anna", "Anna", "character", facts)


def spent_by(card: Card) -> dict[tuple[str, str], int]:
    """(how skills are read, how actions are read) -> XP spent, for each way to account for the sheet."""
    return {(account.skills, account.actions): account.spent for account in sheet_of(card).accounts}


@pytest.mark.parametrize(("spent", "level"), [(0, 1), (9, 1), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3)])
def test_every_ten_xp_spent_make_a_level_and_none_is_below_one(spent, level):
    assert level_for(spent) == level


def test_the_lower_character_adds_the_difference_of_levels():
    assert handicap(2, 5) == 3
    assert handicap(5, 2) == 0
    assert handicap(4, 4) == 0


def test_a_lost_fight_is_paid_from_later_awards_alone():
    assert award(3, won_game=True) == (4, 0)
    assert award(1, owed=2) == (0, 1)
    assert award(3, owed=2) == (1, 0)


def test_a_trait_and_two_actions_cost_a_new_character_all_its_xp():
    card = make_character(corporation="Das Wort", organisation="Diamond Club", body=4, sneaking=2, bluffing=2)
    assert set(spent_by(card).values()) == {10}


def test_ranks_that_are_not_written_stand_at_their_start():
    for corporation in CORPORATIONS:
        for organisation in ORGANISATIONS:
            card = make_character(corporation=corporation.name, organisation=organisation.name)
            assert set(spent_by(card).values()) == {0}


def test_the_bonus_of_a_corporation_is_free():
    card = make_character(
        corporation="Orisaku", intelligence=2, charisma=2, body=1, firearms=3, melee=3, hand_to_hand=3
    )
    assert spent_by(card)["each", "each"] == 0


def test_a_bonus_read_as_one_rank_costs_the_ranks_that_do_not_get_it():
    card = make_character(corporation="Das Wort", safe_cracking=3, forgery=3)
    assert spent_by(card) == {("each", "each"): 0, ("each", "one"): 0, ("one", "each"): 2, ("one", "one"): 2}


def test_a_rank_below_the_bonus_leaves_only_the_reading_that_chooses_one():
    card = make_character(corporation="Das Wort", safe_cracking=5, forgery=2, pick_pocket=1)
    assert spent_by(card) == {("one", "each"): 3, ("one", "one"): 3}


def test_a_chosen_bonus_may_stand_on_a_rank_that_is_not_written():
    card = make_character(organisation="M5", heisting=2, security=1)
    assert spent_by(card) == {("each", "one"): 3, ("one", "one"): 3}


def test_a_bonus_that_stands_nowhere_leaves_no_way_to_account_for_the_sheet():
    assert spent_by(make_character(organisation="M5", heisting=2, security=1, sleight_of_hand=2)) == {}
    assert spent_by(make_character(corporation="Das Wort", body=2)) == {}


def test_the_xp_of_a_character_with_a_bonus_no_source_knows_is_not_reckoned():
    assert spent_by(make_character(corporation="Acme", air=4)) == {}


def test_a_character_above_level_one_need_not_say_what_xp_it_has_had():
    sheet = sheet_of(make_character(level=2, air=20, download=True))
    assert sheet.budget is None
    assert [account.spent for account in sheet.affordable][:1] == [29]


def test_every_spelling_finds_its_corporation_or_organisation():
    for corporation in CORPORATIONS:
        assert all(
            corporation_called(word) is corporation for word in (corporation.name, *corporation.spellings)
        )
    for organisation in ORGANISATIONS:
        assert all(
            organisation_called(word) is organisation
            for word in (organisation.name.upper(), *organisation.spellings)
        )
    assert corporation_called("Feds") is None
    assert several_in("Navidad; Renningson and Sons") == (
        "Navidad Pharmaceuticals",
        "Renningson & Sons Firearms",
    )
    assert several_in("Renningson and Sons") == ()


def test_the_catalogue_states_what_the_arithmetic_reckons_with():
    for corporation in CORPORATIONS:
        card = next(card for card in GAME.cards if card.name == corporation.name)
        bonus = {trait.lower(): card.number("trait_bonus") for trait in card.words("trait")}
        assert (bonus, card.fact("encounter_type"), card.number("skill_bonus")) == (
            corporation.traits,
            corporation.skills,
            2,
        )
        assert card.aliases == corporation.spellings
    for organisation in ORGANISATIONS:
        card = next(card for card in GAME.cards if card.name == organisation.name)
        facts = (card.fact("sponsor"), card.fact("encounter_type"), card.number("action_bonus"))
        assert facts == (organisation.sponsor, organisation.actions, 2)
        assert card.aliases == organisation.spellings
    for rank in RANKS.values():
        card = next(card for card in GAME.cards if card.name == rank.name and card.type == rank.kind)
        assert (card.number("price"), card.fact("encounter_type") or "") == (rank.price, rank.encounter_type)


def test_what_is_deduced_is_never_cited_as_the_only_certainty():
    deduced = [
        (card, fact) for card in GAME.cards if card.type == "action" for fact in ("trait", "encounter_type")
    ]
    assert len(deduced) == 36
    assert all(
        {"inferred", "conflicting"} & {claim.certainty for claim in card.claims(fact)}
        for card, fact in deduced
    )
    contested = {
        card.name for card in GAME.cards if card.type == "action" and "trait" in card.disagreements()
    }
    assert contested == {"Sneaking", "Observation", "Heisting", "Security"}


def test_a_worked_character_costs_the_xp_it_claims():
    for card in GAME.cards:
        if card.type == "character":
            account = sheet_of(card).affordable[0]
            assert account.spent == card.number("xp")
            assert level_for(account.spent) == card.number("level")


def test_removing_the_card_of_a_strange_organisation_is_offered_as_a_repair():
    text = "Anna | character | org: M-5\n1 Lens | equipment | org: M-5\n1 Fan | equipment | org: Dragon Sect"
    format = GAME.formats_by_slug["cell"]
    report = GAME.judge(read_deck(GAME, text, format).deck, format)
    (violation,) = [violation for violation in report.violations if violation.code == "SS-25"]
    assert [(entry.card.name, count) for entry, count in violation.excess] == [("Fan", 1)]
