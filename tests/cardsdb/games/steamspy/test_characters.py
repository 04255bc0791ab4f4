"""Steam Spy's character sheets: prices, bonuses by both readings, levels, handicaps and awards."""

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
    """Return (reading of skills, reading of actions) -> XP spent, for each way to account for the sheet."""
    return {(account.skills, account.actions): account.spent for account in sheet_of(card).accounts}


@pytest.mark.parametrize(("spent", "level"), [(0, 1), (9, 1), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3)])
def test_every_ten_xp_spent_make_a_level_and_none_is_below_one(spent, level):
    assert level_for(spent) == level


def test_the_lower_character_adds_the_difference_of_levels():
    assert handicap(2, 5) == 3
    assert handicap(5, 2) == 0
    assert handicap(4, 4) == 0


def test_a_lost_fight_is_paid_only_from_later_awards():
    assert award(3, won_game=True) == (4, 0)
    assert award(1, owed=2) == (0, 1)
    assert award(3, owed=2) == (1, 0)


def test_a_trait_and_two_actions_cost_a_new_character_all_its_xp():
    card = make_character(corporation="Das Wort", organisation="Diamond Club", body=4, sneaking=2, bluffing=2)
    assert set(spent_by(card).values()) == {10}


def test_ranks_that_are_not_stated_are_at_their_start():
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


def test_a_chosen_bonus_may_be_on_a_rank_that_is_not_stated():
    card = make_character(organisation="M5", heisting=2, security=1)
    assert spent_by(card) == {("each", "one"): 3, ("one", "one"): 3}


def test_a_missing_bonus_leaves_no_way_to_account_for_the_sheet():
    assert spent_by(make_character(organisation="M5", heisting=2, security=1, sleight_of_hand=2)) == {}
    assert spent_by(make_character(corporation="Das Wort", body=2)) == {}


def test_the_xp_of_a_character_with_an_unknown_bonus_cannot_be_computed():
    assert spent_by(make_character(corporation="Acme", air=4)) == {}


def test_a_character_above_level_one_need_not_state_its_xp():
    sheet = sheet_of(make_character(level=2, air=20, download=True))
    assert sheet.budget is None
    assert [account.spent for account in sheet.affordable][:1] == [29]


def card_named(name: str) -> Card:
    return next(card for card in GAME.cards if card.name == name)


def test_every_spelling_finds_its_corporation():
    for corporation in CORPORATIONS:
        for name in (corporation.name, *corporation.spellings):
            assert corporation_called(name) is corporation, name


def test_every_spelling_finds_its_organisation():
    for organisation in ORGANISATIONS:
        for name in (organisation.name.upper(), *organisation.spellings):
            assert organisation_called(name) is organisation, name


def test_a_name_that_no_source_has_finds_no_corporation():
    assert corporation_called("Feds") is None


def test_several_corporations_in_a_text_are_told_from_one_with_and_in_its_name():
    several = several_in("Navidad; Renningson and Sons")
    assert several == ("Navidad Pharmaceuticals", "Renningson & Sons Firearms")
    assert several_in("Renningson and Sons") == ()


# -- sheet.toml and the catalogue agree ------------------------------------------------


def test_the_catalogue_states_the_bonuses_of_every_corporation():
    for corporation in CORPORATIONS:
        card = card_named(corporation.name)
        bonus = {trait.lower(): card.number("trait_bonus") for trait in card.words("trait")}
        assert bonus == corporation.traits
        assert (card.fact("encounter_type"), card.number("skill_bonus")) == (corporation.skills, 2)
        assert card.aliases == corporation.spellings


def test_the_catalogue_states_the_bonus_of_every_organisation():
    for organisation in ORGANISATIONS:
        card = card_named(organisation.name)
        assert card.fact("sponsor") == organisation.sponsor
        assert (card.fact("encounter_type"), card.number("action_bonus")) == (organisation.actions, 2)
        assert card.aliases == organisation.spellings


def test_the_catalogue_states_the_price_and_type_of_every_rank():
    for rank in RANKS.values():
        card = next(card for card in GAME.cards if card.name == rank.name and card.type == rank.kind)
        assert (card.number("price"), card.fact("encounter_type") or "") == (rank.price, rank.encounter_type)


ACTIONS = [card for card in GAME.cards if card.type == "action"]


def test_our_deductions_about_actions_are_cited_as_such():
    deduced = [(card, fact) for card in ACTIONS for fact in ("trait", "encounter_type")]
    assert len(deduced) == 36
    assert all(
        {"inferred", "conflicting"} & {claim.certainty for claim in card.claims(fact)}
        for card, fact in deduced
    )


def test_documents_disagree_about_the_traits_of_four_actions():
    disputed = {card.name for card in ACTIONS if "trait" in card.disagreements()}
    assert disputed == {"Sneaking", "Observation", "Heisting", "Security"}


def test_a_character_of_the_catalogue_costs_the_xp_it_claims():
    for card in GAME.cards:
        if card.type == "character":
            account = sheet_of(card).affordable[0]
            assert account.spent == card.number("xp")
            assert level_for(account.spent) == card.number("level")


def test_a_card_of_an_organisation_without_a_character_may_come_out():
    text = "Anna | character | org: M-5\n1 Lens | equipment | org: M-5\n1 Fan | equipment | org: Dragon Sect"
    format = GAME.formats_by_slug["cell"]
    report = GAME.judge(read_deck(GAME, text, format).deck, format)
    (violation,) = [violation for violation in report.violations if violation.code == "SS-25"]
    assert [(entry.card.name, count) for entry, count in violation.excess] == [("Fan", 1)]
