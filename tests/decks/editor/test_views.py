"""The editor's page: one request for each change, the words about it, the search box; without script, and the
parts that the script asks for.
"""

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks.models import Deck
from tests.support.editing import HTMX, cards, open_editor, press
from tests.support.made_decks import starter
from tests.support.pages import Page, page, page_of
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
TWO = {"deck kai": 2, "deck termite": 1}


def sent(client, editor, edit, status=200, **more) -> Page:
    """The page that a form of the editor leads to."""
    return page_of(client.post(editor, {"edit": edit, **more}, follow=True), status=status)


def part(client, editor, name, query: dict[str, str]) -> Page:
    """One part of the editor, as the script asks for it."""
    return page(client, editor, query, headers=HTMX | {"HX-Target": name})


# -- changing --------------------------------------------------------------------


def test_a_change_redirects_to_the_place_where_it_was_made(client):
    place = f"{open_editor(client, game='xfiles', text='2 First Aid')}?q=krypt&page=2"
    for edit, anchor in (
        ("+1 bureau first-aid", "line-bureau-first-aid"),
        ("+1 bureau first-aid found", "card-first-aid"),
        ("move 1 bureau first-aid to sideboard", "line-sideboard-first-aid"),
        ("=0 sideboard first-aid", "deck"),
    ):
        assert client.post(place, {"edit": edit})["Location"] == f"{place}#{anchor}"


def test_a_script_gets_only_the_decks_half_with_words_for_screen_readers(client, editor):
    answer = client.post(editor, {"edit": "+1 deck kai"}, headers=HTMX)
    changed = page_of(answer)
    assert "<html" not in answer.text and not changed.has(class_="result-row")
    assert changed.has(data_key="deck kai", data_count="3")
    assert changed.one(id="editor-status").text == "+1 Kai. Incomplete."


def test_undo_and_redo_name_the_change_before_and_after(client, editor):
    assert press(client, editor, "+1 deck kai").one(id="undo").text == "Undo +1 Kai"
    undone = press(client, editor, "undo")
    assert undone.one(id="editor-status").text == "Undone: +1 Kai. Incomplete."
    assert (undone.one(id="redo").text, cards()) == ("Redo +1 Kai", TWO)
    press(client, editor, "redo")
    assert cards()["deck kai"] == 3


@pytest.mark.parametrize(
    ("sent", "message", "status"),
    [
        ({"edit": "+98 deck kai"}, "That makes 100 copies of Kai", 400),
        ({"edit": "undo"}, "nothing to undo", 409),
        ({"edit": "lines", "lines": "1 Kai\n" * 6_000}, "at most 32,768", 413),
        ({"edit": "lines", "lines": "2 Bone\n1 Nobody At All"}, "Line 2, “1 Nobody At All”", 400),
    ],
    ids=["count", "undo", "too many lines", "unread line"],
)
def test_a_refused_change_says_why_and_changes_nothing(client, editor, sent, message, status):
    refused = page_of(client.post(editor, sent), status=status)
    assert message in refused.one(role="alert").text
    assert refused.one(id="quick-lines").value.strip() == sent.get("lines", "").strip()
    assert message in page_of(client.post(editor, sent, headers=HTMX)).one(role="alert").text
    assert cards() == TWO


def test_another_format_is_judged_at_once_and_shows_its_sections(client, editor):
    changed = sent(client, editor, "format", format="mission-base")
    assert changed.has(id="section-missions")
    assert "has no such section" in changed.text, "the cards that stand elsewhere are shown"
    assert Deck.objects.get().format == "mission-base"


def test_a_format_asks_for_its_details(client):
    editor = open_editor(client, starter("spynet", "draw-4"), game="spynet", format="draw-4")
    assert page(client, editor).has("input", name="detail-players")
    sent(client, editor, "details", **{"detail-players": "3"})
    assert Deck.objects.get().details["players"] == 3


# -- the box ---------------------------------------------------------------------


def test_enter_adds_a_text_with_a_count_or_a_whole_name_and_searches_for_any_other(client, editor):
    added = sent(client, editor, "enter", q="kai 2")
    assert cards()["deck kai"] == 4 and "+2 Kai." in added.text
    for edit, typed, place in (
        ("enter", "combat>=5 kai", "?q=combat%3E%3D5+kai"),
        ("enter", "", "?"),
        ("enter", "bone", ""),
    ):
        assert client.post(editor, {"edit": edit, "q": typed})["Location"] == f"{editor}{place}#find-q"
    assert cards() == {"deck kai": 4, "deck termite": 1, "deck bone": 1}


def test_a_script_is_told_that_a_text_is_a_search_and_how_a_misspelt_name_was_read(client, editor):
    answer = client.post(editor, {"edit": "enter", "q": "agent 5"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Trigger"], answer.content) == (204, "search-instead", b"")
    note = "No card is called “termitte”; Termite is the likeliest."
    assert press(client, editor, "enter", q="3 termitte").has("p", class_="hint", text=note)
    assert cards() == TWO | {"deck termite": 4}
    assert f"+1 Termite. {note}" in sent(client, editor, "add", line="1 termitte").text


def test_an_input_that_changes_nothing_begins_no_transaction(client, editor):
    with CaptureQueriesContext(connection) as queries:
        assert client.post(editor, {"edit": "enter", "q": "ka"})["Location"] == f"{editor}?q=ka#find-q"
        assert client.post(editor, {"edit": "add", "q": "2 Tunguska"}).status_code == 400
    assert not any("SAVEPOINT" in query["sql"] for query in queries)


def test_a_line_that_is_not_read_stays_in_the_box_with_a_search_and_a_way_to_keep_it(client, editor):
    # Not of the form of a written-in card, so the whole text is the name.
    line = "Tunguska | Forest"
    refused = sent(client, editor, "add", 400, q=line)
    assert refused.one(id="find-q").value == line
    assert refused.one("a", data_search=line)["href"] == f"?q={quote(line, safe='')}#find"
    keep = refused.one("button", text="Keep it as an unknown card")
    sent(client, editor, "add", line=keep["value"])
    assert len(cards()) == 3


# -- bounds ----------------------------------------------------------------------


def test_the_editor_needs_the_same_few_queries_for_any_deck(client, agency_text):
    counts: dict[str, set[int]] = {"page": set(), "edit": set()}
    for text in ("1 Kai", agency_text):
        editor = open_editor(client, text)
        press(client, editor, "+1 deck kai")
        page(client, editor)
        counts["page"].add(len(queries_of(lambda e=editor: page(client, e))))
        counts["edit"].add(len(queries_of(lambda e=editor: press(client, e, "+1 deck kai"))))
    assert len(counts["page"]) == len(counts["edit"]) == 1
    assert counts["page"].pop() <= 13 and counts["edit"].pop() <= 26


def test_changes_in_the_editor_count_as_reads_in_the_rate_limits(client, editor, settings):
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    for _ in range(3):
        press(client, editor, "+1 deck kai")
    settings.CUTOUT_READS_PER_MINUTE = 1
    press(client, editor, "+1 deck kai", status=429)


@pytest.mark.engine("sqlite")
def test_no_query_and_no_page_number_is_a_server_error(client, editor):
    for query in ("craft>=", '"', "(((", "in:deck(", "-", "x" * 3_000, "name:/[/", "in:", "order:nothing"):
        part(client, editor, "found", {"q": query})
    for number in ("0", "99999999999", "x", "-1"):
        part(client, editor, "found", {"q": "kai", "page": number})


# -- the enlarged card, and ways back ------------------------------------------------


def test_the_enlarged_card_is_fetched_alone_and_says_where_sources_differ(client):
    editor = open_editor(client, "1 Li\n1 Nobody At All | unknown")
    peek = part(client, editor, "peek", {"peek": "li"})
    assert peek.one(class_="peek-face")["src"] == "/cards/spycraft/li/face.svg"
    assert "Sources differ" in peek.text and not peek.has(class_="deck-bar")
    assert "A card shows here" in page(client, editor, {"peek": "no-such"}).text
    assert page(client, editor).has(class_="peek-face"), "the first card of the deck"


def test_the_page_of_a_found_card_links_back_to_the_editor_as_it_stood(client, editor):
    for found in (page(client, editor, {"q": "krypt"}), part(client, editor, "found", {"q": "krypt"})):
        row = found.all(class_="result-row")[0]
        back = row.one("a", class_="name")["href"].partition("?back=")[2]
        assert back.startswith(quote(f"{editor}?q=krypt&", safe="") + "peek%3D") and "%23card-" in back
