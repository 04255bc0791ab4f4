"""The deck's half of the editor: how its lines are grouped and sorted, its lines with their prints, what is
missing, what it needs by role, and the verdict.
"""

import re

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Entry, Section
from cardsdb.identity.viewer import Viewer
from decks.core.content import by_type
from decks.core.judging import judge_text
from decks.editor.deck_pane import parts_of
from decks.editor.rows import Arrangement
from decks.models import Deck
from tests.support.editing import open_editor, press
from tests.support.made_decks import starter
from tests.support.pages import Page, Part, page, page_of
from tests.support.print_lists import stored_deck

# SQLite is enough here: tests/house/test_permissions.py asks for each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
GAME = games()["spycraft"]
WITH_STARTERS = [game for game in games().values() if game.starters]


def titles(editor: Page) -> list[str]:
    """The titles of the groups, in all sections that have several groups."""
    parts = [part for part in editor.context["pane"]["parts"] if len(part.groups) > 1]
    return [group.title for part in parts for group in part.groups]


def names(editor: Page, section="deck") -> list[str]:
    """The names of a section's lines in their order, read from their buttons "One Kai more"."""
    buttons = editor.one(data_section=section).all("button", aria_label=True)
    labels = [re.fullmatch("One (.+) more", button["aria-label"]) for button in buttons]
    return [label[1] for label in labels if label]


# -- how the lines are laid out -----------------------------------------------------


def test_the_lines_are_grouped_as_the_author_chose_and_the_browser_remembers_it(client):
    editor = open_editor(client, starter("spycraft", "nine-tiger"))
    assert "Agents" in titles(page(client, editor))
    answer = client.get(editor, {"group": "cost"})
    assert answer.cookies["deck_grouping"]["path"] == "/decks/"
    by_cost = titles(page_of(answer))
    # The first four groups are the leaders' section.
    costs = [int(title.split()[1]) for title in by_cost[4:] if title.startswith("Expense")]
    assert len(costs) > 4 and costs == sorted(set(costs)) and by_cost[-1] == "No expense"
    assert titles(page(client, editor)) == titles(press(client, editor, "+1 deck kai")) == by_cost
    assert "Nine Tiger" in titles(page(client, editor, {"group": "faction"}))
    assert "Agents" in titles(page(client, editor, {"group": "nonsense"}))


@pytest.mark.parametrize("grouping", ["type", "cost", "faction"])
def test_every_line_of_a_deck_stands_in_exactly_one_group_and_one_fan(grouping):
    for game in WITH_STARTERS:
        judged = judge_text(game, game.starters[0].text)
        parts = parts_of(judged, arrangement=Arrangement(grouping))
        groups = [group for part in parts for group in part.groups]
        keys = sorted(f"{entry.section} {entry.card.code}" for entry in judged.deck)
        assert sorted(line.key for group in groups for line in group.lines) == keys
        assert sorted(line.key for group in groups for _, fan in group.fans for line in fan) == keys
        assert all(len(dict(group.fans)) == len(group.fans) for group in groups), "one fan of each direction"


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("", ["Shiatsu", "Kai", "Tailgate", "Clocked", "Bravado"]),
        ("name", ["Kai", "Shiatsu", "Tailgate", "Bravado", "Clocked"]),
        ("copies", ["Shiatsu", "Tailgate", "Kai"]),
        ("expense", ["Shiatsu", "Tailgate", "Kai"]),
        ("combat", ["Kai", "Shiatsu", "Tailgate"]),
        ("nonsense", ["Shiatsu", "Kai", "Tailgate"]),
    ],
)
def test_the_lines_are_sorted_within_their_groups_as_the_author_chose(sort, first):
    """Costs are sorted upwards and other numbers downwards; an unknown order counts as "as written"."""
    judged = judge_text(GAME, "3 Shiatsu\n1 Kai\n2 Tailgate\n1 Clocked\n1 Bravado")
    parts = parts_of(judged, arrangement=Arrangement(sort=sort))
    shown = [line.entry.card.name for part in parts for group in part.groups for line in group.lines]
    assert shown[: len(first)] == first


def test_only_numbers_that_cards_of_the_deck_have_are_offered_to_sort_by():
    def offered(text) -> list[str]:
        return [option.slug for option in Arrangement().sortings(GAME, judge_text(GAME, text).deck.entries)]

    assert offered("") == ["written", "name", "copies"]
    assert offered("1 Kai")[3:] == ["expense", "charisma", "combat", "transport", "craft", "bravado"]


def test_the_deck_is_shown_as_faces_as_the_author_chose_and_the_browser_remembers_it(client):
    editor = open_editor(client, starter("spycraft", "nine-tiger"))
    rows, faces = page(client, editor), page(client, editor, {"view": "stacks"})
    assert len(faces.all("a", class_="fan-card")) == Deck.objects.get().lines.count()
    assert not rows.has(class_="fan-card")
    for section in ("leaders", "deck"):
        assert sorted(names(faces, section)) == sorted(names(rows, section)), "each card has its buttons"
    assert press(client, editor, "+1 deck kai").has(class_="fan-card")
    assert page(client, editor, {"line": "deck kai"}).one(class_="line-form")
    assert not page(client, editor, {"view": "rows"}).has(class_="fan-card")


def test_cards_without_the_number_of_their_sections_order_keep_the_order_of_the_list():
    kai, bone = (GAME.card(code) for code in ("kai", "bone"))
    leaders = [card for card in GAME.cards if card.type == "leader"][:3]
    assert kai and bone
    section = Section("all", "All", (), order="level")
    lines = [Entry(card, 1, "all") for card in (kai, *leaders, bone)]
    shown = [[entry.card.name for entry in entries] for _, entries in by_type(GAME, section, lines)]
    assert [card.name for card in sorted(leaders, key=lambda card: card.facts["level"])] in shown
    assert ["Kai", "Bone"] in shown


# -- lines that are opened, and their prints -----------------------------------------


def test_an_opened_line_offers_its_count_and_the_sections_that_take_its_card(client):
    editor = open_editor(client, "2 Aura Of Invulnerability", game="xfiles", format="contingency")
    line = "bureau aura-of-invulnerability"
    form = page(client, editor, {"line": line}).one(class_="line-form")
    count = form.field("count")
    # An empty "required" is the attribute without a value.
    assert (count["min"], count["max"], count.get("required"), count.value) == ("0", "99", "", "2")
    moves = [button["value"] for button in form.one(class_="line-moves").all("button")]
    assert moves == [f"move {number} {line} to sideboard" for number in ("all", "1")], "not to the X-File"


def test_the_prints_chosen_for_a_lines_copies_are_shown_by_editor_page_history_print_and_api(client):
    editor = open_editor(client, "Bureau deck:\n2 First Aid (TRU) 2 #blue\n1 Agent Fox Mulder\n", "xfiles")
    deck, opened = editor.removesuffix("edit/"), {"line": "bureau first-aid"}
    prints = page(client, editor, opened).one(class_="line-prints").all("input")
    assert [(field["name"], field.value) for field in prints] == [
        ("copies-of PRE 2", "0"),
        ("copies-of TRU 2", "2"),
    ]
    press(client, editor, "-1 bureau first-aid")
    assert page(client, editor, opened).field("print").value == "TRU 2"
    line = {"section": "bureau", "code": "first-aid", "count": "3", "tags": "blue"}
    press(client, editor, "line", **line, **{"copies-of TRU 2": "1", "copies-of PRE 2": "1"})
    for address in (editor, f"{deck}?view=rows"):
        assert page(client, address).one(class_="line-print").text == "TRU 2 ×1, PRE 2 ×1"
    assert "1 First Aid (TRU) 2 #blue\n1 First Aid (PRE) 2\n1 First Aid\n" in client.get(deck).text
    assert "prints of First Aid TRU 2 ×1, PRE 2 ×1" in page(client, f"{deck}history/").text
    Deck.objects.update(visibility="public")
    copies = stored_deck(deck.split("/")[2], Viewer()).deck.entries[:2]
    assert [(entry.count, entry.card.prints[0].label) for entry in copies] == [(1, "TRU 2"), (1, "PRE 2")]
    lines = client.get(f"/api/v1{deck}").json()["lines"]
    assert {line["name"]: line["prints"] for line in lines} == {
        "First Aid": [{"print": "TRU 2", "count": 1}, {"print": "PRE 2", "count": 1}],
        "Agent Fox Mulder": [],
    }


# -- what is missing and what it needs by role ---------------------------------------


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("spycraft", "Level 4 is missing"),
        ("spynet", "34 more agents"),
        ("agentdecker", "8 more starting cards"),
    ],
)
def test_what_is_missing_has_a_row_that_links_to_the_cards_that_fit(client, game, words):
    format = games()[game].formats[0].slug
    editor = client.post("/decks/new/", {"game": game, "start": "empty", "format": format})["Location"]
    (missing,) = [
        row for row in page(client, editor).all(class_="missing-row") if row.has("span", text=words)
    ]
    href = missing.one("a")["href"]
    assert href.startswith("?q=") and href.endswith("#find")
    found = page(client, editor + href.removesuffix("#find"))
    assert found.has(class_="result-row") and not found.has(class_="query-problem")


TEAM = "Starting Agents:\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Alex Krycek\n"


def bureau(client, text=TEAM) -> str:
    """The editor of an X-Files deck that has only its team."""
    return open_editor(client, text, "xfiles", format="advanced")


def needs(editor: Page) -> dict[str, Part]:
    """Role -> its row."""
    return {row.one("a").text: row for row in editor.all("li", class_="need")}


def filled(editor: Page, role) -> str:
    """The number in the row of a role, such as "2 of 5", as text."""
    return needs(editor)[role].one(class_="num").text


def test_each_role_shows_its_number_and_links_to_cards_that_fit_without_a_second_gauge(client):
    shown = page(client, bureau(client))
    assert (filled(shown, "Team"), filled(shown, "Sites")) == ("20 of 20 RP", "0 of 15")
    assert needs(shown)["Sites"].one("a")["href"] == "?role=site#find"
    gauges = [gauge.one(class_="gauge-label").text for gauge in shown.all(class_="gauge")]
    assert gauges == ["Cards in the Bureau deck"]
    assert not shown.has(class_="missing-row"), "the roles say already how many cards are missing"


def test_the_cards_that_fit_a_role_say_why_and_whether_they_are_owned(client):
    editor = bureau(client)
    found = page(client, editor, {"role": "site"})
    rows = found.all(class_="result-row")
    assert rows and all(" your team has " in row.one(class_="fit-why").text for row in rows)
    assert found.one(class_="find-count").text == "Sites: what fits the best first"
    card = f"xfiles/{rows[0]['data-code']}"
    client.post("/collection/", {f"count:{card}": "1", f"seen:{card}": "0"})
    again = page(client, editor, {"role": "site"}).all(class_="result-row")
    assert [row["data-code"] for row in again if row.has(class_="row-owned")] == [rows[0]["data-code"]]


def test_a_card_that_fits_is_added_to_the_section_of_its_role(client):
    address = f"{bureau(client)}?role=reserve"
    button = page(client, address).all("button", class_="stepper-more")[0]
    assert button["value"].startswith("+1 bureau ")
    answer = client.post(address, {"edit": button["value"]})
    assert "role=reserve" in answer["Location"], "the same cards are shown again"
    assert filled(page(client, answer["Location"]), "Agents in reserve") == "1 of 1"


def test_a_few_cards_for_the_first_unfilled_role_are_suggested_before_all_others(client):
    editor = bureau(client)
    found = page(client, editor)
    fits = found.one(class_="fits")
    assert (fits["data-role"], len(fits.all(class_="result-row"))) == ("x-file", 2)
    assert found.link("All that fit") == "?role=x-file"
    rows = [row["id"] for row in found.all(class_="result-row")]
    assert len(set(rows)) == len(rows)
    for query in ({"q": "type:site"}, {"page": "2"}, {"fit": "off"}):
        assert not page(client, editor, query).has(class_="fits")


# -- the verdict ------------------------------------------------------------------------


def test_strangers_and_earlier_versions_are_shown_repairs_that_they_cannot_apply(client):
    deck = open_editor(client, "9 Kai", visibility="public").removesuffix("edit/")
    stranger = page(Client(), deck)
    assert "Take out 6 Kai" in stranger.text and not stranger.has(name="change")
    assert not page(client, f"{deck}history/0/").has(name="change")
