"""How the editor lists the deck: in groups that the browser remembers, with a row for what is missing, beside
the card at hand.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.editor.deck_pane import Arrangement, parts_of
from decks.editor.row_facts import columns_of
from decks.models import Deck
from tests.decks.editor.test_editor import HTMX, make_deck
from tests.support.pages import page, page_of
from tests.support.public_decks import starter

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
GAME = games()["spycraft"]


def titles(page: str) -> list[str]:
    return re.findall(r"<h3>([^<]+?) <span", page)


def test_the_lines_are_grouped_as_the_author_chose_and_the_browser_remembers_it(client: Client) -> None:
    editor = make_deck(client, starter("spycraft", "nine-tiger"))
    assert "Agents" in titles(client.get(editor).content.decode())
    by_cost = client.get(editor, {"group": "cost"}).content.decode()
    costs = [
        int(title.split()[1])
        for title in titles(by_cost.partition('id="section-deck"')[2])
        if title.startswith("Expense")
    ]
    assert costs == sorted(set(costs)) and titles(by_cost)[-1] == "No expense"
    assert titles(client.get(editor).content.decode()) == titles(by_cost), "the choice stays"
    changed = client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).content.decode()
    assert titles(changed) == titles(by_cost)
    assert "Nine Tiger" in titles(client.get(editor, {"group": "faction"}).content.decode())
    assert "Agents" in titles(client.get(editor, {"group": "nonsense"}).content.decode())


def test_every_game_groups_by_type_and_by_what_its_cards_have() -> None:
    offered = {
        slug: [grouping.title for grouping in Arrangement().groupings(game)] for slug, game in games().items()
    }
    assert offered["spycraft"] == ["Type", "Expense", "Faction"]
    assert all(titles[0] == "Type" and len(set(titles)) == len(titles) for titles in offered.values())


def test_every_line_of_a_deck_stands_in_one_group_however_it_is_grouped() -> None:
    for game in games().values():
        text = game.starters[0].text if game.starters else ""
        judged = judge_text(game, text)
        for grouping in ("type", "cost", "faction"):
            lines = [
                line.key
                for part in parts_of(judged, arrangement=Arrangement(grouping))
                for group in part.groups
                for line in group.lines
            ]
            assert sorted(lines) == sorted(f"{entry.section} {entry.card.code}" for entry in judged.deck)


def names(page: str, section: str) -> list[str]:
    """The names of a section's lines, in their order."""
    return re.findall(
        r'aria-label="One ([^"]+) more"',
        page.partition(f'id="section-{section}"')[2].partition("</section>")[0],
    )


def test_the_lines_are_sorted_as_the_author_chose_and_the_browser_remembers_it(client: Client) -> None:
    editor = make_deck(client, "3 Shiatsu\n1 Kai\n2 Tailgate\n1 Clocked\n1 Bravado")
    assert names(client.get(editor).content.decode(), "deck") == [
        "Shiatsu",
        "Kai",
        "Tailgate",
        "Clocked",
        "Bravado",
    ], "as written, by type"
    by_name = client.get(editor, {"sort": "name"}).content.decode()
    assert names(by_name, "deck") == ["Kai", "Shiatsu", "Tailgate", "Bravado", "Clocked"]
    changed = client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).content.decode()
    assert names(changed, "deck") == names(by_name, "deck"), "the choice stays"
    assert names(client.get(editor, {"sort": "copies"}).content.decode(), "deck")[:3] == [
        "Shiatsu",
        "Kai",
        "Tailgate",
    ]
    assert names(client.get(editor, {"sort": "expense"}).content.decode(), "deck")[:3] == [
        "Shiatsu",
        "Tailgate",
        "Kai",
    ], "the least cost first"
    assert names(client.get(editor, {"sort": "combat"}).content.decode(), "deck")[:3] == [
        "Kai",
        "Shiatsu",
        "Tailgate",
    ], "most first"
    assert names(client.get(editor, {"sort": "nonsense"}).content.decode(), "deck")[:3] == [
        "Shiatsu",
        "Kai",
        "Tailgate",
    ]


def test_only_numbers_that_cards_of_the_deck_have_are_offered_to_sort_by() -> None:
    def offered(slug: str, text: str) -> list[str]:
        return [
            option.slug
            for option in Arrangement().sortings(games()[slug], judge_text(games()[slug], text).deck.entries)
        ]

    assert offered("spycraft", "") == ["written", "name", "copies"]
    assert offered("spycraft", "1 Kai")[3:] == [
        "expense",
        "charisma",
        "combat",
        "transport",
        "craft",
        "bravado",
    ]
    assert "cost" in offered("xfiles", games()["xfiles"].starters[0].text)


def test_the_deck_is_shown_as_faces_where_the_author_chose_so_and_the_browser_remembers_it(
    client: Client,
) -> None:
    editor = make_deck(client, starter("spycraft", "nine-tiger"))
    rows = client.get(editor).content.decode()
    faces = client.get(editor, {"view": "stacks"}).content.decode()
    deck = Deck.objects.with_cards().get().decklist()
    cards = page(client, editor, {"view": "stacks"}).all("a", class_="fan-card")
    assert [card.one("img")["loading"] for card in cards] == ["lazy"] * len(deck.entries)
    assert 'class="fan-card"' not in rows
    for section in ("leaders", "deck"):
        assert sorted(names(faces, section)) == sorted(names(rows, section)), "each card has its buttons"
    assert 'class="fan-card"' in client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).content.decode()
    opened = client.get(editor, {"line": "deck kai"}).content.decode()
    assert opened.count('class="line-form"') == 1
    assert 'class="fan-card"' not in client.get(editor, {"view": "rows"}).content.decode()


def test_faces_of_several_kinds_in_one_group_stand_in_fans_of_their_own() -> None:
    for game in games().values():
        text = game.starters[0].text if game.starters else ""
        for group in (
            group
            for part in parts_of(judge_text(game, text), arrangement=Arrangement("cost"))
            for group in part.groups
        ):
            assert sorted(line.key for _, lines in group.fans for line in lines) == sorted(
                line.key for line in group.lines
            )
            assert len({kind for kind, _ in group.fans}) == len(group.fans)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("spycraft", "Level 4 is missing"),
        ("spynet", "34 more agents"),
        ("agentdecker", "8 more starting cards"),
    ],
)
def test_what_is_missing_has_a_row_with_what_fits(client: Client, game: str, words: str) -> None:
    format = games()[game].formats[0].slug
    made = client.post("/decks/new/", {"game": game, "start": "empty", "format": format})
    missing = page(client, made["Location"]).all(class_="missing-row")
    (href,) = [row.one("a")["href"] for row in missing if row.has("span", text=words)]
    assert href.startswith("?q=") and href.endswith("#find")
    found = page(client, made["Location"] + href.removesuffix("#find"))
    assert found.has(class_="result-row") and not found.has(class_="query-problem")


def test_the_columns_of_all_types_of_a_game_have_the_same_places() -> None:
    for game in games().values():
        widths = {len(columns) for card_type in game.types if (columns := columns_of(game, card_type.slug))}
        assert len(widths) <= 1, game.slug
    agent, leader = (columns_of(GAME, slug) for slug in ("agent", "leader"))
    assert [column.heading for column in agent] == ["Cost", "Cha", "Com", "Tra", "Cra", "Brav"]
    assert agent[:5] == leader[:5] and leader[5].heading == "Lvl"


def test_a_fact_has_one_place_in_the_rows_of_every_type() -> None:
    for game in games().values():
        places: dict[str, set[int]] = {}
        for card_type in game.types:
            for place, column in enumerate(columns_of(game, card_type.slug)):
                if column.fact:
                    places.setdefault(column.fact.key, set()).add(place)
        assert {key: found for key, found in places.items() if len(found) > 1} == {}, game.slug


def test_the_cards_found_have_headings_and_a_number_under_another_has_its_own(client: Client) -> None:
    found = client.get(make_deck(client), {"q": "type:agent", "fit": "off"}).content.decode()
    heads = found.partition('class="find-head"')[2].partition("</div>")[0]
    assert re.findall(r'title="(\w+)"', heads) == [
        "Expense",
        "Charisma",
        "Combat",
        "Transport",
        "Craft",
        "Bravado",
    ]
    legend = page_of(client.get(make_deck(client), {"q": "type:agent", "fit": "off"})).one(id="found-columns")
    assert legend.text == (
        "Of each card: its copies in the deck, its name and type Expense Charisma Combat Transport Craft"
        " Bravado"
    )
    mission = next(card.name for card in GAME.cards if card.type == "mission" and card.fact("victory_points"))
    mixed = client.get(
        make_deck(client), {"q": f'!kai or !li or !"{mission}"', "fit": "off"}
    ).content.decode()
    assert "Victory points </span><svg" in mixed
    assert "Charisma </span><svg" not in mixed


def test_the_card_at_hand_is_fetched_alone_and_says_where_sources_differ(client: Client) -> None:
    editor = make_deck(client, "1 Li\n1 Nobody At All | unknown")
    part = client.get(
        editor, {"peek": "li"}, headers={"HX-Request": "true", "HX-Target": "peek"}
    ).content.decode()
    assert "<html" not in part and 'src="/cards/spycraft/li/face.svg"' in part and "Sources differ" in part
    assert "The face of a card stands here" in client.get(editor, {"peek": "no-such"}).content.decode()
    assert 'class="peek-face"' in client.get(editor).content.decode(), "the first card of the deck"
    assert client.get(editor, {"peek": "kai"}).content.decode().count("kai/face.svg") == 1
