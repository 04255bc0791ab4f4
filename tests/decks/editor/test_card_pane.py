"""The cards beside the deck: in which order they stand that nobody searched for, what filters them at
first, and what a query finds among them.
"""

from __future__ import annotations

from itertools import takewhile

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.models import Card, Edition
from cardsdb.search.query.tree import normal
from decks.core.judging import judge
from decks.editor.card_pane import PER_PAGE, CardResults, Likely, find, likely_for, preset_of
from tests.support.editing import open_editor, press, shown
from tests.support.made_decks import starter
from tests.support.pages import Page, page

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
pytestmark = pytest.mark.django_db

# -- what the deck wants next -----------------------------------------------------


def likely(game: Game, text: str) -> Likely:
    return likely_for(judge(game, read_deck(game, text, game.formats[0]).deck, game.formats[0]))


def found(game: Game, query: str = "", text: str = "", page: int = 1) -> CardResults:
    preset = preset_of(game, game.formats[0], Decklist())
    return find(query, game, preset, (), page, lambda: likely(game, text))


def facts(results: CardResults, game: Game, key: str) -> list[object]:
    cards = [game.card(card.code) for card in results.cards]
    return [card.fact(key) if card else None for card in cards]


def test_an_empty_deck_is_shown_leaders_by_faction_and_level_each_once():
    results = found(SPYCRAFT)
    assert {card.type for card in results.cards} == {"leader"}
    factions = facts(results, SPYCRAFT, "faction")
    assert factions == sorted(factions, key=str)
    first = list(takewhile(lambda faction: faction == factions[0], factions))
    levels = facts(results, SPYCRAFT, "level")[: len(first)]
    assert len(first) > 1 and levels == sorted(levels, key=str)
    codes = [card.code for page in range(1, results.pages + 1) for card in found(SPYCRAFT, page=page).cards]
    assert len(codes) == len(set(codes)) == results.total


def test_after_the_first_leader_come_those_of_its_faction_then_its_agents():
    leader = next(card for card in SPYCRAFT.cards if card.type == "leader" and card.fact("level") == 2)
    text, faction = f"Leaders:\n1 {leader.name}\n", leader.fact("faction")
    cards = [SPYCRAFT.card(card.code) for page in (1, 2) for card in found(SPYCRAFT, "", text, page).cards]
    assert cards[0] and (cards[0].type, cards[0].fact("level"), cards[0].fact("faction")) == (
        "leader",
        1,
        faction,
    )
    of_faction = [card.type for card in cards if card and card.fact("faction") == faction]
    assert set(of_faction[:3]) == {"leader"} and "agent" in of_faction


def test_a_whole_deck_is_shown_what_is_of_its_faction_and_is_not_said_to_lack_it():
    for query in ("", "type:agent"):
        results = found(SPYCRAFT, query, starter("spycraft", "nine-tiger"))
        factions = facts(results, SPYCRAFT, "faction")
        assert set(factions[:15]) == {"Nine Tiger"} and not results.is_by_deck
        assert factions == sorted(factions, key=lambda faction: faction != "Nine Tiger")


def test_the_x_file_and_the_agents_come_before_the_rest():
    assert found(XFILES).cards[0].type == "x-file"


LEADERS = [*(f"type=leader level={level}" for level in (1, 2, 3, 4)), "type=leader"]


def first(*names: str) -> list[str]:
    """What comes first for a deck of these cards, as queries."""
    trees = likely(SPYCRAFT, "Deck:\n" + "".join(f"1 {name}\n" for name in names)).first
    return [normal(tree) for tree in trees]


def test_of_much_that_is_lacking_only_what_fewest_cards_can_be_comes_first():
    """The deck lacks agents, actions or gear too, but nearly every card is one of these."""
    assert first("Glock 17") == LEADERS


def test_what_a_quarter_of_the_cards_has_at_all_may_be_what_they_share():
    gear_and_actions = ("Glock 17", "Bravado", "Bait", "Bluff")
    assert 'faction="Nine Tiger"' in first("Kai", *gear_and_actions[:3])
    assert first("Kai", *gear_and_actions) == LEADERS


def test_half_of_those_that_have_a_faction_share_it_and_fewer_do_not():
    two_of_four = ("Beowulf", "Boris Zuchev", "Chaos", "Kai")
    assert 'faction="The Krypt"' in first(*two_of_four)
    assert first(*two_of_four, "Chen") == LEADERS


def test_a_type_alone_is_ordered_so_too_and_words_and_orders_are_not():
    assert found(SPYCRAFT, "type:agent", "Leaders:\n1 King Maul\n").is_by_deck
    assert not found(SPYCRAFT, "maul").is_by_deck
    asked = found(SPYCRAFT, "order:name")
    assert not asked.is_by_deck and {card.type for card in asked.cards} > {"leader"}


# -- what the deck may hold ---------------------------------------------------------


def chip(of: Page) -> tuple[str, bool, str]:
    """The words of the chip, whether it filters, and where it leads."""
    link, cards = of.one("a", class_="find-preset", id="preset"), of.context["cards"]
    return cards["preset"].words, link.get("aria-current") == "true", link["href"]


@pytest.fixture
def tigers(client):
    return open_editor(client, "1 Li Cong\n1 Kai\n1 Garotte")


def factions(of: Page) -> set[str]:
    return {str(card.fact("faction")) for code in shown(of) if (card := SPYCRAFT.card(code))}


def test_the_cards_found_are_those_of_the_decks_faction_and_those_that_go_with_every_one(client, tigers):
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


def test_what_is_asked_for_by_name_or_faction_or_stands_in_the_deck_is_found_all_the_same(client, tigers):
    asked = page(client, tigers, {"q": 'type:agent faction:"Banshee Net"'})
    assert factions(asked) == {"Banshee Net"}
    assert shown(page(client, tigers, {"q": "!kai"})) == ["kai"]
    press(client, tigers, "add", line="1 Termite")
    assert "termite" in shown(page(client, tigers, {"q": "in:deck"}))


def test_where_nothing_fits_the_rest_is_shown_and_said_to_be_so(client, tigers):
    beyond = page(client, tigers, {"q": "termite"})
    assert shown(beyond) == ["termite"] and "not allowed in this deck; there are no others" in beyond.text
    assert "not allowed in this deck;" not in page(client, tigers, {"q": "kai"}).text
    assert shown(page(client, tigers, {"q": "2 termite"}))[0] == "termite", "what has a count is offered"


def test_a_deck_that_shares_nothing_yet_is_filtered_by_its_format(client):
    editor = open_editor(client, "1 Kai")
    first, said = page(client, editor), "what the deck lacks first"
    assert chip(first)[:2] == ("Agency Deck", True) and said in first.text
    assert said not in page(client, editor, {"q": "kai"}).text
    kinds = [
        {card.type for code in shown(page(client, editor + rest)) if (card := SPYCRAFT.card(code))}
        for rest in ("?q=order:-victory_points", "?q=order:-victory_points&fit=off")
    ]
    assert "mission" not in kinds[0] and "mission" in kinds[1]
    assert chip(page(client, open_editor(client, "1 Li Cong\n1 Arsenal")))[0] == "Agency Deck", "it is open"


def test_leaving_the_filter_out_stays_where_one_goes(client, tigers):
    assert "fit=off" in client.post(f"{tigers}?q=agent&fit=off", {"edit": "+1 deck kai"})["Location"]
    assert "fit=off" in client.post(tigers, {"edit": "enter", "q": "agent", "fit": "off"})["Location"]
    assert "fit=off" in page(client, tigers, {"q": "agent", "fit": "off"}).one("a", rel="next")["href"]


# -- searching ----------------------------------------------------------------------


def codes(client: Client, editor: str, query: str) -> list[str]:
    return shown(page(client, editor, {"q": query}))


def test_the_search_stays_within_the_game_and_what_the_format_takes(client, editor):
    assert codes(client, editor, "game:xfiles") == []
    assert "Missions" not in page(client, editor).one(aria_label="Type").text
    assert codes(client, editor, "type:mission") != [], "whoever asks for a type gets it"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in:deck", ["kai", "termite"]),
        ("in:deck kai", ["kai"]),
        ("IN=Deck kai", ["kai"]),
        ("-in:deck !kai", []),
        ('in:deck or !"Glock 17"', ["glock-17", "kai", "termite"]),
        ("-(-in:deck or !kai)", ["termite"]),
        ("(in:deck or type:gear) -type:gear", ["kai", "termite"]),
        ("in:deck in!=deck", []),
    ],
)
def test_in_deck_stands_anywhere_in_a_query(client, editor, query, found):
    answer = page(client, editor, {"q": query})
    assert sorted(shown(answer)) == found and not answer.has(class_="query-problem")


def test_what_is_not_in_the_deck_comes_in_the_order_of_any_search(client, editor):
    others = [code for code in codes(client, editor, "agent") if code not in ("kai", "termite")]
    assert codes(client, editor, "agent -in:deck")[: len(others)] == others


def test_a_retired_card_of_the_deck_stays_in_the_deck_and_is_not_found(client, editor):
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    Edition.objects.create()
    found = page(client, editor, {"q": "in:deck"})
    assert shown(found) == ["termite"] and found.has(data_key="deck kai", data_count="2")


def test_what_was_not_understood_is_shown_with_what_may_be_meant(client, editor):
    assert page(client, editor, {"q": "in:duck"}).has(class_="query-problem")
    advice = page(client, editor, {"q": "type:agnet"}).one(class_="query-problem")
    assert "Instead: type:Agent." in advice.text and advice.link("type:Agent") == "?q=type%3AAgent"


def test_a_found_card_shows_how_many_the_deck_has_and_can_be_put_elsewhere(client):
    editor = open_editor(client, "2 Aura Of Invulnerability", game="xfiles", format="contingency")
    query = {"q": '!"Aura Of Invulnerability"'}
    assert page(client, editor, query).one(class_="result-row").one(class_="stepper-count").text == "2"
    row = page(client, editor, query | {"into": "sideboard"}).one(class_="result-row")
    assert row.has("button", value="+1 sideboard aura-of-invulnerability found")
    assert row.one(class_="stepper-count").text == "0" and "2 elsewhere in the deck" in row.text


def test_every_value_that_narrows_what_was_found_has_words_and_an_address_that_finds_as_many(client, editor):
    facets = page(client, editor, {"q": "type:agent", "fit": "all"}).one("div", class_="find-facets")
    values = [(one.one("a"), one.one(class_="num").text) for one in facets.all("li")]
    assert len(values) > 10
    assert all(link["href"].startswith("?q=") and link.text for link, _ in values)
    (picked,) = [link for link, _ in values if link.get("aria-current")]
    assert picked.text.startswith("Agents") and "type" not in picked["href"]
    link, count = next((link, count) for link, count in values if "faction" in link["href"])
    assert page(client, editor + link["href"]).one("p", class_="find-count").text.startswith(f"{count} cards")


def test_the_pages_of_what_was_found_hold_each_card_once(client, editor):
    first, second, offered, *more = (
        shown(page(client, editor, {"q": query, "page": number}))
        for query, number in (("type:gear", 1), ("type:gear", 2), ("2 s", 1), ("2 s", 2), ("2 s", 3))
    )
    assert len(first) == PER_PAGE and second and not set(first) & set(second)
    together = [*offered, *more[0], *more[1]]
    assert len(together) > 2 * PER_PAGE and len(together) == len(set(together))


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("2 kai", "kai", 2),
        ("3 termitte", "termite", 3),
        ("kai 1", "kai", 1),
        ('2 Kai #"late game"', "kai", 2),
    ],
)
def test_the_best_match_of_a_line_stands_first_and_the_button_says_what_it_does(
    client, editor, query, first, count
):
    found = page(client, editor, {"q": query})
    assert shown(found)[0] == first and shown(found).count(first) == 1
    assert (found.one(id="add").text, found.one(id="find-q").value) == (f"Add {count}", query)
    row = found.all(class_="result-row")[0]
    assert (row["data-offer"], row["data-offered-for"]) == (f"Add {count}", query)
