"""The editor: the search beside the deck, changes of one request each, undo, settings; without script."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.models import Card, Edition
from decks.editor import card_pane
from decks.models import Deck, DeckRevision
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
HTMX = {"HX-Request": "true", "HX-Target": "deck"}
GAME = games()["spycraft"]


def make_deck(client: Client, text: str = "2 Kai\n1 Termite", game: str = "spycraft", **values: str) -> str:
    """The address of a new deck's editor."""
    answer = client.post("/decks/new/", {"game": game, "name": "Dragons", "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return f"{answer['Location']}edit/"


@pytest.fixture
def editor(client: Client) -> str:
    return make_deck(client)


def cards() -> dict[str, int]:
    deck = Deck.objects.with_cards().get()
    return {f"{entry.section} {entry.card.code}": entry.count for entry in deck.decklist()}


def shown(page: str) -> list[str]:
    """The codes of the cards found."""
    return re.findall(r'class="result-row[^"]*" id="card-([^"]+)"', page)


# -- changing --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "kai"),
    [("+1", 3), ("-1", 1), ("=4", 4), ("=0", None), ("-9", None), ("+97", 99)],
    ids=lambda value: str(value),
)
def test_a_button_changes_one_number(client: Client, editor: str, edit: str, kai: int | None) -> None:
    client.post(editor, {"edit": f"{edit} deck kai"})
    assert cards().get("deck kai") == kai


def test_a_change_leads_back_to_the_place_it_was_made_at(client: Client, editor: str) -> None:
    in_deck = client.post(f"{editor}?q=krypt&page=2", {"edit": "+1 deck kai"})
    among_found = client.post(f"{editor}?q=krypt&page=2", {"edit": "+1 deck kai found"})
    assert in_deck["Location"] == f"{editor}?q=krypt&page=2#line-deck-kai"
    assert among_found["Location"] == f"{editor}?q=krypt&page=2#card-kai"


def test_copies_are_moved_to_another_section_and_undone(client: Client) -> None:
    editor = make_deck(client, "3 Aura Of Invulnerability", game="xfiles", format="contingency")
    code = "aura-of-invulnerability"
    answer = client.post(editor, {"edit": f"move 1 bureau {code} to sideboard"})
    assert answer["Location"].endswith(f"#line-sideboard-{code}"), "it leads to where the card stands now"
    assert cards() == {f"bureau {code}": 2, f"sideboard {code}": 1}
    client.post(editor, {"edit": f"move all bureau {code} to sideboard"})
    assert cards() == {f"sideboard {code}": 3}
    client.post(editor, {"edit": "undo"})
    assert cards() == {f"bureau {code}": 2, f"sideboard {code}": 1}
    page = client.get(editor, {"line": f"bureau {code}"}).content.decode()
    assert (
        f'value="move all bureau {code} to sideboard"' in page
        and f'value="move 1 bureau {code} to sideboard"' in page
    )
    assert "to xfile" not in page, "a section that does not take the card is not offered"


def test_a_line_is_changed_as_a_whole(client: Client) -> None:
    editor = make_deck(client, "1 Aura Of Invulnerability", game="xfiles", format="contingency")
    count = page(client, editor, {"line": "bureau aura-of-invulnerability"}).field("count")
    assert (count["min"], count["max"], count.get("required"), count.value) == ("0", "99", "", "1")
    sent = {
        "section": "bureau",
        "code": "aura-of-invulnerability",
        "count": "3",
        "to": "sideboard",
        "note": "for  duels",
        "tags": "flex, side",
    }
    client.post(editor, {"edit": "line", "keep": "1", **sent})
    line = Deck.objects.get().lines.get()
    assert (line.section, line.count, line.note, line.tags, line.keep) == (
        "sideboard",
        3,
        "for duels",
        ["flex", "side"],
        True,
    )


def test_a_line_typed_as_in_a_list_adds_to_the_deck(client: Client, editor: str) -> None:
    page = client.post(editor, {"edit": "add", "line": "2 kai"}, follow=True).content.decode()
    assert cards()["deck kai"] == 4
    assert "+2 Kai." in page


def test_a_card_the_catalogue_lacks_is_written_in(client: Client) -> None:
    editor = make_deck(client, "1 Mercenary | agent | power: 2", game="spynet")
    client.post(editor, {"edit": "add", "line": "2 Nightingale | agent | power: 3 | branches: tech"})
    assert {line.written["name"]: line.count for line in Deck.objects.get().lines.all()} == {
        "Mercenary": 1,
        "Nightingale": 2,
    }
    again = client.post(editor, {"edit": "add", "line": "1 Nightingale | agent | power: 5"})
    assert again.status_code == 400
    assert "give this one another name" in again.content.decode()


def test_a_misspelt_line_with_a_count_adds_the_likeliest_card_and_says_so(
    client: Client, editor: str
) -> None:
    page = client.post(editor, {"edit": "add", "line": "3 termitte"}, follow=True).content.decode()
    assert cards()["deck termite"] == 4
    assert "+3 Termite. No card is called “termitte”; Termite is the likeliest." in page
    client.post(editor, {"edit": "undo"})
    assert cards()["deck termite"] == 1


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"edit": "+1 deck nobody"}, "has no card “nobody”"),
        ({"edit": "+1 vault kai"}, "no such section"),
        ({"edit": "move 1 deck kai to vault"}, "no such section"),
        ({"edit": "move all deck nobody to leaders"}, "no such line any more"),
        ({"edit": "+98 deck kai"}, "That makes 100 copies of Kai"),
        ({"edit": "=100 deck kai"}, "Kai: a count is 0 to 99"),
        ({"edit": "conquer"}, "does not know"),
        ({}, "does not know"),
        ({"edit": "add", "line": ""}, "Write a card’s name"),
        ({"edit": "add", "line": "x" * 400}, "at most 300 characters"),
        ({"edit": "format", "format": "blitz"}, "no such format"),
        (
            {"edit": "line", "section": "deck", "code": "kai", "count": "many"},
            "a whole number from 0 to 99, not “many”",
        ),
        ({"edit": "line", "section": "deck", "code": "glock-17", "count": "1"}, "no such line any more"),
        (
            {"edit": "line", "section": "deck", "code": "kai", "count": "1", "note": "x" * 301},
            "at most 300 characters",
        ),
        ({"edit": "undo"}, "nothing to undo"),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(
    client: Client, editor: str, sent: dict[str, str], message: str
) -> None:
    for headers in ({}, HTMX):
        answer = client.post(editor, sent, headers=headers)
        assert answer.status_code == (200 if headers else 409 if sent.get("edit") == "undo" else 400)
        assert message in answer.content.decode()
    assert cards() == {"deck kai": 2, "deck termite": 1}


def test_a_script_gets_the_decks_side_alone_and_what_to_say_aloud(client: Client, editor: str) -> None:
    page = client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).content.decode()
    assert "<html" not in page and "result-row" not in page
    assert 'data-key="deck kai" data-count="3"' in page
    assert "+1 Kai. Incomplete." in page


def test_what_others_changed_meanwhile_is_kept_and_told(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+1 deck kai", "revision": "0"})
    page = client.post(editor, {"edit": "+1 deck termite", "revision": "0"}, headers=HTMX).content.decode()
    assert "Meanwhile changed elsewhere: +1 Kai" in page
    assert cards() == {"deck kai": 3, "deck termite": 2}


def test_undo_and_redo_say_what_they_will_do(client: Client, editor: str) -> None:
    page = client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).content.decode()
    assert '<span class="step-words">+1 Kai</span>' in page
    undone = client.post(editor, {"edit": "undo"}, headers=HTMX).content.decode()
    assert cards()["deck kai"] == 2
    assert "Undone: +1 Kai." in undone
    client.post(editor, {"edit": "redo"})
    assert cards()["deck kai"] == 3


def test_every_change_is_a_state_of_the_history(client: Client, editor: str) -> None:
    for edit in ("+1 deck kai", "+1 deck kai", "=0 deck termite"):
        client.post(editor, {"edit": edit})
    assert DeckRevision.objects.count() == 4


def test_another_format_judges_at_once_and_shows_its_sections(client: Client, editor: str) -> None:
    page = client.post(editor, {"edit": "format", "format": "mission-base"}, follow=True).content.decode()
    assert 'id="section-missions"' in page
    assert "has no such section" in page, "the cards that stand elsewhere are shown"
    assert Deck.objects.get().format == "mission-base"


def test_a_format_asks_for_its_details(client: Client) -> None:
    editor = make_deck(
        client,
        next(s.text for s in games()["spynet"].starters if s.slug == "draw-4"),
        game="spynet",
        format="draw-4",
    )
    assert 'name="detail-players"' in client.get(editor).content.decode()
    client.post(editor, {"edit": "details", "detail-players": "3"})
    assert Deck.objects.get().details["players"] == 3


# -- finding ---------------------------------------------------------------------


def find(client: Client, editor: str, query: str) -> list[str]:
    return shown(client.get(editor, {"q": query}).content.decode())


def test_the_search_stays_within_the_game_and_what_the_format_takes(client: Client, editor: str) -> None:
    assert find(client, editor, "game:xfiles") == []
    assert (
        "missions"
        not in client.get(editor).content.decode().partition('aria-label="Type"')[2][:600].casefold()
    )
    assert find(client, editor, "type:mission") != [], "whoever asks for a type gets it"


def test_in_deck_stands_anywhere_in_a_query(client: Client, editor: str) -> None:
    assert sorted(find(client, editor, "in:deck")) == ["kai", "termite"]
    assert find(client, editor, "in:deck kai") == find(client, editor, "IN=Deck kai") == ["kai"]
    assert find(client, editor, "-in:deck !kai") == []
    assert sorted(find(client, editor, 'in:deck or !"Glock 17"')) == ["glock-17", "kai", "termite"]
    assert sorted(find(client, editor, "-(-in:deck or !kai)")) == ["termite"]
    assert sorted(find(client, editor, "(in:deck or type:gear) -type:gear")) == ["kai", "termite"]
    assert find(client, editor, "in:deck in!=deck") == []


def test_what_is_not_in_the_deck_comes_in_the_order_of_any_search(client: Client, editor: str) -> None:
    everywhere = find(client, editor, "agent")
    others = [code for code in everywhere if code not in ("kai", "termite")]
    assert find(client, editor, "agent -in:deck")[: len(others)] == others


def test_a_retired_card_of_the_deck_stays_in_the_deck_and_is_not_found(client: Client, editor: str) -> None:
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    Edition.objects.create()
    assert find(client, editor, "in:deck") == ["termite"]
    assert "kai" not in find(client, editor, "-in:deck kai")
    assert cards()["deck kai"] == 2


def test_in_deck_is_no_surprise_to_the_search(client: Client, editor: str) -> None:
    assert "query-problem" not in client.get(editor, {"q": "in:deck"}).content.decode()
    assert "query-problem" in client.get(editor, {"q": "in:duck"}).content.decode()


def test_a_misspelt_word_of_a_query_is_shown_within_its_whole_part_as_in_the_card_list(
    client: Client, editor: str
) -> None:
    advice = page(client, editor, {"q": "type:agnet"}).one(class_="query-problem")
    assert "Instead: type:Agent." in advice.text and advice.link("type:Agent") == "?q=type%3AAgent"


def test_a_found_card_shows_how_many_the_deck_has(client: Client, editor: str) -> None:
    page = client.get(editor, {"q": "!kai"}).content.decode()
    assert '<span class="stepper-count num">2</span>' in page


def test_found_cards_can_be_put_into_the_sideboard(client: Client) -> None:
    editor = make_deck(client, "1 Aura Of Invulnerability", game="xfiles", format="contingency")
    page = client.get(editor, {"q": '!"Aura Of Invulnerability"', "into": "sideboard"}).content.decode()
    assert 'value="+1 sideboard aura-of-invulnerability found"' in page
    assert "1 elsewhere in the deck" in page


def test_every_value_that_narrows_what_was_found_has_words_and_an_address_that_finds_as_many(
    client: Client, editor: str
) -> None:
    narrows = re.compile(
        r'<li><a href="([^"]*)"( class="picked" aria-current="true")?>([^<]*)<.*?class="num">([\d,]+)<',
        re.DOTALL,
    )
    page = client.get(editor, {"q": "type:agent", "fit": "all"}).content.decode()
    values = narrows.findall(page.partition('class="find-facets"')[2].partition("</div>")[0])
    assert len(values) > 10
    assert all(unescape(href).startswith("?q=") and words.strip() for href, _, words, _ in values)
    ((dropped, _, words, _),) = [value for value in values if value[1]]
    assert (words, "type" in dropped) == ("Agents", False)
    href, _, _, count = next(value for value in values if "faction" in value[0])
    assert f"{int(count):,} cards" in client.get(f"{editor}{unescape(href)}").content.decode()


def test_the_pages_of_what_was_found_hold_each_card_once(client: Client, editor: str) -> None:
    first, second = (
        shown(client.get(editor, {"q": "type:gear", "page": page}).content.decode()) for page in ("1", "2")
    )
    assert len(first) == card_pane.PER_PAGE
    assert second and not set(first) & set(second)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    "query", ["craft>=", '"', "(((", "in:deck(", "-", "x" * 3_000, "name:/[/", "in:", "order:nothing"]
)
@pytest.mark.parametrize("page", ["0", "99999999999", "x", "-1", "999"])
def test_no_query_is_a_server_error(client: Client, editor: str, query: str, page: str) -> None:
    assert client.get(f"{editor}?q={quote(query)}&page={page}").status_code == 200


# -- new decks and settings -------------------------------------------------------


def test_a_deck_starts_empty_in_the_editor_and_shows_its_edit_link_once(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "xfiles", "start": "empty"})
    assert made["Location"].endswith("/edit/")
    page = client.get(made["Location"]).content.decode()
    assert "keep its edit link" in page and "New X-Files CCG deck" in page
    for section in ("Starting Agents", "Bureau deck", "X-File"):
        assert section in page
    assert "keep its edit link" not in client.get(made["Location"]).content.decode()


def test_a_card_begins_a_list(client: Client) -> None:
    page = client.get("/decks/new/", {"game": "spycraft", "add": "kai"}).content.decode()
    assert "1 Kai\n" in page.partition("<textarea")[2]


SETTINGS = {
    "name": "Tigers",
    "notes": "Mulligan hard.",
    "tags": "duel, league",
    "visibility": "public",
    "comments_open": "on",
}


@pytest.mark.both_databases
def test_the_settings_are_saved_together(client: Client, editor: str) -> None:
    other = make_deck(client, "1 Sky Drop").removesuffix("edit/")
    answer = client.post(
        editor.replace("/edit/", "/settings/"), SETTINGS | {"partner": f"https://example.org{other}"}
    )
    assert answer["Location"] == editor
    deck = Deck.objects.get(name="Tigers")
    assert (deck.notes, deck.tags, deck.visibility, deck.comments_open) == (
        "Mulligan hard.",
        ["duel", "league"],
        "public",
        True,
    )
    assert deck.partner is not None and deck.partner.link in other


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("visibility", "all"),
        ("tags", "x" * 60),
        ("partner", "next door"),
        ("notes", "x" * 5_001),
    ],
)
def test_a_bad_setting_changes_nothing_and_stays_in_its_field(
    client: Client, editor: str, field: str, value: str
) -> None:
    answer = client.post(editor.replace("/edit/", "/settings/"), SETTINGS | {field: value})
    assert answer.status_code == 400
    assert answer.context["form"][field].errors
    assert Deck.objects.get().name == "Dragons"


def test_a_deck_that_the_author_may_not_see_is_no_partner(client: Client, editor: str) -> None:
    private = make_deck(Client(), "1 Kai").removesuffix("edit/")
    answer = client.post(editor.replace("/edit/", "/settings/"), SETTINGS | {"partner": private})
    assert "There is no other deck at this address" in answer.content.decode()


# -- bounds ----------------------------------------------------------------------


def test_the_editor_needs_the_same_few_queries_for_any_deck(
    client: Client, agency_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow the machine is, the second edit goes into the version of the first.
    monkeypatch.setattr("decks.saving.save.BURST", timedelta(hours=1))
    counts: dict[str, set[int]] = {"page": set(), "edit": set()}
    for text in ("1 Kai", agency_text):
        editor = make_deck(client, text)
        client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX)
        client.get(editor)
        for what, ask in (
            ("page", lambda e=editor: client.get(e)),
            ("edit", lambda e=editor: client.post(e, {"edit": "+1 deck kai"}, headers=HTMX)),
        ):
            with CaptureQueriesContext(connection) as asked:
                ask()
            counts[what].add(len(asked))
    assert len(counts["page"]) == len(counts["edit"]) == 1
    assert counts["page"].pop() <= 13
    assert counts["edit"].pop() <= 26


def test_keystrokes_count_as_reads_not_as_works(client: Client, editor: str, settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    assert [client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).status_code for _ in range(3)] == [
        200
    ] * 3
    settings.CUTOUT_READS_PER_MINUTE = 1
    assert client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX).status_code == 429


def test_a_list_that_cutout_wrote_brings_its_notes_tags_and_house_rules_along(client: Client) -> None:
    text = (
        "// format: agency\n// notes: For Friday.\n// tags: mirror\n// house: AG-3.at_least=40\n\n2 Kai"
        " ^keep\n"
    )
    assert (
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": text}).status_code == 302
    )
    deck = Deck.objects.get()
    assert (deck.notes, deck.tags, deck.house) == ("For Friday.", ["mirror"], "AG-3.at_least=40")
    assert deck.lines.get().keep


@pytest.mark.parametrize("headers", [{}, HTMX | {"HX-Target": "found"}], ids=["page", "found"])
def test_a_card_found_leads_back_to_the_editor_as_it_stood(
    client: Client, editor: str, headers: dict[str, str]
) -> None:
    page = client.get(f"{editor}?q=krypt", headers=headers).content.decode()
    back, *others = set(re.findall(r'href="/cards/spycraft/[^"?]+\?back=(.*?)peek%3D[^"]*%23card-', page))
    assert (back, others) == (quote(f"{editor}?q=krypt&", safe=""), [])
