"""The cards beside the deck: their order before anything is searched for and the preset that filters them
(``fitting.py``), and what a query finds (``card_pane.py``). The fixture ``editor`` is in ``conftest.py``.
"""

from itertools import takewhile

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.models import Card
from cardsdb.search.query.tree import normal
from decks.core.judging import judge
from decks.editor.card_pane import PER_PAGE, CardResults, find
from decks.editor.fitting import Likely, every_type, likely_for, preset_of
from tests.support.editing import open_editor, press, shown
from tests.support.made_decks import starter
from tests.support.pages import Page, page

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
pytestmark = pytest.mark.django_db

# -- what the deck wants next -----------------------------------------------------


def likely(game: Game, text) -> Likely:
    """The order of results for a deck with this list."""
    return likely_for(judge(game, read_deck(game, text, game.formats[0]).deck, game.formats[0]))


def found(game: Game, query="", text="", page=1) -> CardResults:
    """A page of what a query finds, filtered for an empty deck and ordered for a deck with this list."""
    preset = preset_of(game, game.formats[0], Decklist())
    return find(query, game, preset, (), page, lambda: likely(game, text))


def facts(results: CardResults, game: Game, key) -> list[object]:
    """The values of one fact of the cards found."""
    cards = [game.card(card.code) for card in results.cards]
    return [card.fact(key) if card else None for card in cards]


def test_for_an_empty_deck_leaders_come_by_faction_and_level_each_once():
    results = found(SPYCRAFT)
    assert {card.type for card in results.cards} == {"leader"}
    factions = facts(results, SPYCRAFT, "faction")
    assert factions == sorted(factions, key=str)
    first = list(takewhile(lambda faction: faction == factions[0], factions))
    levels = facts(results, SPYCRAFT, "level")[: len(first)]
    assert len(first) > 1 and levels == sorted(levels, key=str)
    codes = [card.code for page in range(1, results.pages + 1) for card in found(SPYCRAFT, page=page).cards]
    assert len(codes) == len(set(codes)) == results.total


def test_beside_one_leader_come_leaders_of_its_faction_then_its_agents():
    leader = next(card for card in SPYCRAFT.cards if card.type == "leader" and card.fact("level") == 2)
    text, faction = f"Leaders:\n1 {leader.name}\n", leader.fact("faction")
    cards = [SPYCRAFT.card(card.code) for page in (1, 2) for card in found(SPYCRAFT, "", text, page).cards]
    first = cards[0]
    assert first and (first.type, first.fact("level"), first.fact("faction")) == ("leader", 1, faction)
    of_faction = [card.type for card in cards if card and card.fact("faction") == faction]
    assert set(of_faction[:3]) == {"leader"} and "agent" in of_faction


def test_for_a_complete_deck_cards_of_its_faction_come_first_though_it_lacks_none():
    for query in ("", "type:agent"):
        results = found(SPYCRAFT, query, starter("spycraft", "nine-tiger"))
        factions = facts(results, SPYCRAFT, "faction")
        assert set(factions[:15]) == {"Nine Tiger"} and not results.is_by_deck
        assert factions == sorted(factions, key=lambda faction: faction != "Nine Tiger")


LEADERS = [*(f"type=leader level={level}" for level in (1, 2, 3, 4)), "type=leader"]


def first(*names) -> list[str]:
    """The conditions of the cards that come first for a deck of these cards, as queries."""
    trees = likely(SPYCRAFT, "Deck:\n" + "".join(f"1 {name}\n" for name in names)).first
    return [normal(tree) for tree in trees]


def test_of_many_lacks_the_first_are_those_that_the_fewest_cards_can_fill():
    """The deck also lacks agents, actions and gear, but nearly every card is one of these."""
    assert first("Glock 17") == LEADERS


def test_a_fact_counts_as_shared_only_if_a_quarter_of_the_cards_has_it():
    gear_and_actions = ("Glock 17", "Bravado", "Bait", "Bluff")
    assert 'faction="Nine Tiger"' in first("Kai", *gear_and_actions[:3])
    assert first("Kai", *gear_and_actions) == LEADERS


def test_a_value_is_shared_if_half_of_the_cards_with_the_fact_have_it():
    two_of_four = ("Beowulf", "Boris Zuchev", "Chaos", "Kai")
    assert 'faction="The Krypt"' in first(*two_of_four)
    assert first(*two_of_four, "Chen") == LEADERS


def test_a_query_for_a_type_is_ordered_by_the_deck_but_one_with_words_or_an_order_is_not():
    assert found(SPYCRAFT, "type:agent", "Leaders:\n1 King Maul\n").is_by_deck
    assert not found(SPYCRAFT, "maul").is_by_deck
    asked = found(SPYCRAFT, "order:name")
    assert not asked.is_by_deck and {card.type for card in asked.cards} > {"leader"}


# -- what the deck may hold ---------------------------------------------------------


def chip(editor: Page) -> tuple[str, bool, str]:
    """The button of the preset: (its words, True if it filters, its link)."""
    link, cards = editor.one("a", class_="find-preset", id="preset"), editor.context["cards"]
    return cards["preset"].words, link.get("aria-current") == "true", link["href"]


@pytest.fixture
def tigers(client):
    """The editor of a deck of the faction Nine Tiger."""
    return open_editor(client, "1 Li Cong\n1 Kai\n1 Garotte")


def factions(editor: Page) -> set[str]:
    """The factions of the cards found; "None" for cards without one."""
    return {str(card.fact("faction")) for code in shown(editor) if (card := SPYCRAFT.card(code))}


def types(editor: Page) -> set[str]:
    return {card.type for code in shown(editor) if (card := SPYCRAFT.card(code))}


def test_only_cards_of_the_decks_faction_and_those_that_go_with_every_faction_are_found(client, tigers):
    first = page(client, tigers, {"q": "type:agent order:name"})
    words, filters, href = chip(first)
    assert (words, filters) == ("Nine Tiger, Freelancer", True)
    assert "Nine Tiger" in factions(first) and factions(first) <= {"Nine Tiger", "Freelancer", "None"}
    assert shown(page(client, tigers, {"q": "type:gear"})), "what has no faction goes with every deck"
    everything = page(client, tigers + href)
    assert not chip(everything)[1] and everything.one(id="preset").text.startswith("Only")
    assert len(factions(everything)) > 3
    kept = everything.one("input", type="hidden", form="box", name="fit")
    assert (kept.value, kept.get("disabled")) == ("off", None), "the next search keeps it away"
    assert chip(page(client, tigers + chip(everything)[2]))[1]


def test_cards_asked_for_by_name_or_faction_or_as_in_the_deck_are_found_despite_the_preset(client, tigers):
    asked = page(client, tigers, {"q": 'type:agent faction:"Banshee Net"'})
    assert factions(asked) == {"Banshee Net"}
    assert shown(page(client, tigers, {"q": "!kai"})) == ["kai"]
    press(client, tigers, "add", line="1 Termite")
    assert "termite" in shown(page(client, tigers, {"q": "in:deck"}))


def test_if_no_card_fits_others_are_shown_with_a_notice(client, tigers):
    beyond = page(client, tigers, {"q": "termite"})
    assert shown(beyond) == ["termite"] and "not allowed in this deck; there are no others" in beyond.text
    assert "not allowed in this deck;" not in page(client, tigers, {"q": "kai"}).text
    assert shown(page(client, tigers, {"q": "2 termite"}))[0] == "termite", "what has a count is offered"


def test_a_deck_that_shares_nothing_yet_is_filtered_by_its_format(client):
    editor = open_editor(client, "1 Kai")
    first, notice = page(client, editor), "what the deck lacks first"
    assert chip(first)[:2] == ("Agency Deck", True) and notice in first.text
    assert notice not in page(client, editor, {"q": "kai"}).text
    # Only missions have victory points, so without the filter they come first.
    by_points = "?q=order:-victory_points"
    assert "mission" not in types(page(client, editor + by_points))
    assert "mission" in types(page(client, f"{editor}{by_points}&fit=off"))
    two_factions = page(client, open_editor(client, "1 Li Cong\n1 Arsenal"))
    assert chip(two_factions)[0] == "Agency Deck"


def test_a_preset_that_is_turned_off_stays_off_after_changes_searches_and_on_further_pages(client, tigers):
    assert "fit=off" in client.post(f"{tigers}?q=agent&fit=off", {"edit": "+1 deck kai"})["Location"]
    assert "fit=off" in client.post(tigers, {"edit": "enter", "q": "agent", "fit": "off"})["Location"]
    assert "fit=off" in page(client, tigers, {"q": "agent", "fit": "off"}).one("a", rel="next")["href"]


# -- searching ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("in:deck", ["kai", "termite"]),
        ("IN=Deck kai", ["kai"]),
        ("-in:deck !kai", []),
        ('in:deck or !"Glock 17"', ["glock-17", "kai", "termite"]),
        ("-(-in:deck or !kai)", ["termite"]),
        ("(in:deck or type:gear) -type:gear", ["kai", "termite"]),
        ("in:deck in!=deck", []),
    ],
)
def test_in_deck_can_stand_anywhere_in_a_query(query, codes):
    deck = Card.objects.in_game("spycraft").filter(code__in=("kai", "termite")).values_list("pk", flat=True)
    found = find(query, SPYCRAFT, every_type(SPYCRAFT), list(deck))
    assert (sorted(card.code for card in found.cards), found.advice) == (codes, ())


def test_a_found_card_shows_its_copies_and_can_be_put_into_another_section(client):
    editor = open_editor(client, "2 Aura Of Invulnerability", game="xfiles", format="contingency")
    query = {"q": '!"Aura Of Invulnerability"'}
    assert page(client, editor, query).one(class_="result-row").one(class_="stepper-count").text == "2"
    row = page(client, editor, query | {"into": "sideboard"}).one(class_="result-row")
    assert row.has("button", value="+1 sideboard aura-of-invulnerability found")
    assert row.one(class_="stepper-count").text == "0" and "2 elsewhere in the deck" in row.text


def test_each_value_of_a_facet_has_words_and_a_link_that_finds_its_number_of_cards(client, editor):
    facets = page(client, editor, {"q": "type:agent", "fit": "all"}).one("div", class_="find-facets")
    values = [(item.one("a"), item.one(class_="num").text) for item in facets.all("li")]
    assert len(values) > 10
    assert all(link["href"].startswith("?q=") and link.text for link, _ in values)
    (picked,) = [link for link, _ in values if link.get("aria-current")]
    assert picked.text.startswith("Agents") and "type" not in picked["href"]
    link, count = next((link, count) for link, count in values if "faction" in link["href"])
    assert page(client, editor + link["href"]).one("p", class_="find-count").text.startswith(f"{count} cards")


def test_the_pages_of_a_search_hold_each_card_once(client, editor):
    def on_page(query, number) -> list[str]:
        return shown(page(client, editor, {"q": query, "page": number}))

    first, second = on_page("type:gear", 1), on_page("type:gear", 2)
    assert len(first) == PER_PAGE and second and not set(first) & set(second)
    with_offer = [code for number in (1, 2, 3) for code in on_page("2 s", number)]
    assert len(with_offer) > 2 * PER_PAGE and len(with_offer) == len(set(with_offer))


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("3 termitte", "termite", 3),
        ('2 Kai #"late game"', "kai", 2),
    ],
)
def test_the_card_offered_for_a_typed_line_stands_first_and_the_button_says_what_it_adds(
    client, editor, query, first, count
):
    found = page(client, editor, {"q": query})
    assert shown(found)[0] == first and shown(found).count(first) == 1
    assert (found.one(id="add").text, found.one(id="find-q").value) == (f"Add {count}", query)
    row = found.all(class_="result-row")[0]
    assert (row["data-offer"], row["data-offered-for"]) == (f"Add {count}", query)
