"""Steam Spy's character sheets: prices, bonuses by both readings, levels, handicaps and awards."""

import pytest

from cardsdb.games.kit import Card, FactValue
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.steamspy import GAME
from cardsdb.games.steamspy.characters import (
    CORPORATIONS,
    ORGANISATIONS,
    RANKS,
    corporation_called,
    level_for,
    organisation_called,
    several_in,
    sheet_of,
)


def make_character(**facts: FactValue) -> Card:
    return Card("steamspy", "written-anna", "Anna", "character", facts)


def spent_by(card: Card) -> dict[str, int]:
    """Return "reading of skills, reading of actions" -> XP spent, for each way to account for the sheet."""
    return {f"{account.skills} {account.actions}": account.spent for account in sheet_of(card).accounts}


@pytest.mark.parametrize(("spent", "level"), [(0, 1), (9, 1), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3)])
def test_every_ten_xp_spent_make_a_level_and_none_is_below_one(spent, level):
    assert level_for(spent) == level


def test_ranks_that_are_not_stated_are_at_their_start():
    for corporation in CORPORATIONS:
        for organisation in ORGANISATIONS:
            card = make_character(corporation=corporation.name, organisation=organisation.name)
            assert set(spent_by(card).values()) == {0}


WORT, M5 = {"corporation": "Das Wort"}, {"organisation": "M5"}
ORISAKU = {"corporation": "Orisaku", "intelligence": 2, "charisma": 2, "body": 1}


@pytest.mark.parametrize(
    ("facts", "spent"),
    [
        # Each account is named by its readings: of skills, of actions.
        (
            WORT | {"organisation": "Diamond Club", "body": 4, "sneaking": 2, "bluffing": 2},
            {"each each": 10, "each one": 10, "one each": 10, "one one": 10},
        ),
        (
            ORISAKU | dict.fromkeys(("firearms", "melee", "hand_to_hand"), 3),
            {"each each": 0, "each one": 0, "one each": 4, "one one": 4},
        ),
        (
            WORT | {"safe_cracking": 3, "forgery": 3},
            {"each each": 0, "each one": 0, "one each": 2, "one one": 2},
        ),
        (WORT | {"safe_cracking": 5, "forgery": 2, "pick_pocket": 1}, {"one each": 3, "one one": 3}),
        (M5 | {"heisting": 2, "security": 1}, {"each one": 3, "one one": 3}),
        (M5 | {"heisting": 2, "security": 1, "sleight_of_hand": 2}, {}),
        (WORT | {"body": 2}, {}),
        ({"corporation": "Acme", "air": 4}, {}),
    ],
    ids=[
        "ranks besides the bonus cost by either reading",
        "the bonus of a corporation is free",
        "a bonus on one rank leaves the others to be paid",
        "a rank below the bonus leaves only the reading that chooses one",
        "a chosen bonus may be on a rank that is not stated",
        "a missing bonus of actions",
        "a missing bonus of a trait",
        "an unknown bonus",
    ],
)
def test_the_xp_spent_are_worked_out_by_each_reading_of_the_bonuses(facts, spent):
    assert spent_by(make_character(**facts)) == spent


def test_a_character_above_level_one_need_not_state_its_xp():
    sheet = sheet_of(make_character(level=2, air=20, download=True))
    assert sheet.budget is None
    assert [account.spent for account in sheet.affordable][:1] == [29]


def card_named(name: str) -> Card:
    return next(card for card in GAME.cards if card.name == name)


@pytest.mark.parametrize(
    ("known", "called"),
    [(CORPORATIONS, corporation_called), (ORGANISATIONS, organisation_called)],
    ids=["corporations", "organisations"],
)
def test_every_spelling_finds_its_allegiance_and_no_other_word_does(known, called):
    for each in known:
        for name in (each.name, each.name.upper(), *each.spellings):
            assert called(name) is each, name
    assert called("Acme") is None


def test_several_corporations_in_a_text_are_told_from_one_with_and_in_its_name():
    several = several_in("Navidad; Renningson and Sons")
    assert several == ("Navidad Pharmaceuticals", "Renningson & Sons Firearms")
    assert several_in("Renningson and Sons") == ()


# -- sheet.toml and the catalogue agree ------------------------------------------------


def test_the_catalogue_states_the_bonuses_and_spellings_of_every_allegiance():
    for corporation in CORPORATIONS:
        card = card_named(corporation.name)
        bonus = {trait.lower(): card.number("trait_bonus") for trait in card.words("trait")}
        assert (bonus, card.fact("encounter_type")) == (corporation.traits, corporation.skills)
        assert (card.number("skill_bonus"), card.aliases) == (2, corporation.spellings)
    for organisation in ORGANISATIONS:
        card = card_named(organisation.name)
        assert (card.fact("sponsor"), card.fact("encounter_type")) == (
            organisation.sponsor,
            organisation.actions,
        )
        assert (card.number("action_bonus"), card.aliases) == (2, organisation.spellings)


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
