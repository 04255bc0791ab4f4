"""A deck keeps the print that a line asks for: in its history, in the editor, on its page, on paper."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck, DeckRevision
from printing.request.lists import pasted_list
from tests.decks.editor.test_editor import make_deck
from tests.support.print_lists import stored_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LIST = "Bureau deck:\n2 First Aid (TRU) 2 #blue\n1 Agent Fox Mulder\n"


@pytest.fixture
def editor(client: Client) -> str:
    return make_deck(client, LIST, "xfiles")


def marks() -> dict[str, tuple[str, tuple[str, ...]]]:
    deck = Deck.objects.with_cards().get().decklist()
    return {entry.card.code: (str(entry.marks.prints), entry.marks.tags) for entry in deck}


def test_a_print_is_stored_and_shown_in_the_editor_and_on_the_page(client: Client, editor: str) -> None:
    assert marks()["first-aid"] == ("TRU 2", ("blue",))
    page = editor.removesuffix("edit/")
    for address in (editor, f"{page}?view=rows"):
        assert '<span class="line-print">TRU 2</span>' in client.get(address).content.decode()
    assert 'aria-label="First Aid, TRU 2"' in client.get(page).content.decode()
    assert "2 First Aid (TRU) 2 #blue" in client.get(page).content.decode()


def test_a_line_is_given_another_print_and_any_and_an_undo_brings_it_back(
    client: Client, editor: str
) -> None:
    line = {"edit": "line", "section": "bureau", "code": "first-aid", "count": "2", "tags": "blue"}
    client.post(editor, {**line, "print": "PRE 2"})
    assert marks()["first-aid"] == ("PRE 2", ("blue",))
    client.post(editor, line)
    assert marks()["first-aid"] == ("PRE 2", ("blue",)), "a form without the field leaves it"
    client.post(editor, {**line, "print": ""})
    assert marks()["first-aid"] == ("", ("blue",))
    client.post(editor, {"edit": "undo"})
    assert marks()["first-aid"] == ("PRE 2", ("blue",))
    assert DeckRevision.objects.count() == 4


def test_a_single_copy_has_one_print_to_choose(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "-1 bureau first-aid"})
    opened = client.get(f"{editor}?line=bureau%20first-aid").content.decode()
    assert '<option value="TRU 2" selected>' in opened and '<option value="PRE 2">' in opened


def test_a_print_that_there_is_not_is_refused_in_words(client: Client, editor: str) -> None:
    answer = client.post(
        editor, {"edit": "line", "section": "bureau", "code": "first-aid", "count": "2", "print": "ABC 9"}
    )
    assert "First Aid has no print “ABC 9”: PRE 2, TRU 2." in answer.content.decode()
    assert marks()["first-aid"][0] == "TRU 2"


def test_copies_that_are_typed_have_the_print_that_is_typed(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "add", "line": "1 First Aid"})
    assert marks()["first-aid"] == ("TRU 2", ("blue",)), "copies without a print are as all others"
    client.post(editor, {"edit": "add", "line": "1 First Aid (PRE) 2"})
    assert marks()["first-aid"] == ("TRU 2 ×3, PRE 2 ×1", ("blue",))
    client.post(editor, {"edit": "add", "line": "-2 First Aid (TRU) 2"})
    assert marks()["first-aid"] == ("TRU 2 ×1, PRE 2 ×1", ("blue",))
    client.post(editor, {"edit": "add", "line": "1 First Aid"})
    assert marks()["first-aid"] == ("TRU 2 ×1, PRE 2 ×1", ("blue",)), (
        "and of no print where the others differ"
    )
    for left in ("TRU 2 ×1, PRE 2 ×1", "TRU 2"):
        client.post(editor, {"edit": "-1 bureau first-aid"})
        assert marks()["first-aid"] == (left, ("blue",))


def test_the_copies_of_a_line_are_split_among_its_prints(client: Client, editor: str) -> None:
    line = {"edit": "line", "section": "bureau", "code": "first-aid", "tags": "blue"}
    opened = client.get(f"{editor}?line=bureau%20first-aid").content.decode()
    assert (
        'name="copies-of TRU 2" min="0" max="99" value="2"' in opened
        and 'name="copies-of PRE 2" min="0" max="99" value="0"' in opened
    )
    client.post(editor, {**line, "count": "3", "copies-of TRU 2": "2", "copies-of PRE 2": "0"})
    assert marks()["first-aid"] == ("TRU 2", ("blue",)), "numbers that nobody changed say nothing"
    client.post(editor, {**line, "count": "3", "copies-of TRU 2": "1", "copies-of PRE 2": "1"})
    assert marks()["first-aid"] == ("TRU 2 ×1, PRE 2 ×1", ("blue",))
    assert '<span class="line-print">TRU 2 ×1, PRE 2 ×1</span>' in client.get(editor).content.decode()
    page = client.get(editor.removesuffix("edit/")).content.decode()
    assert "1 First Aid (TRU) 2 #blue\n1 First Aid (PRE) 2\n1 First Aid\n" in page
    answer = client.post(editor, {**line, "count": "1", "copies-of TRU 2": "2", "copies-of PRE 2": "0"})
    assert "First Aid: 2 copies have a print, and the line has 1." in answer.content.decode()
    answer = client.post(editor, {**line, "count": "2", "copies-of TRU 2": "many"})
    assert "The copies of a print must be a whole number" in answer.content.decode()


def test_the_history_and_programs_say_which_copies_have_which_print(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "add", "line": "1 First Aid (PRE) 2"})
    assert (
        "+1 First Aid, prints of First Aid TRU 2 ×2, PRE 2 ×1"
        in client.get(f"{editor.removesuffix('edit/')}history/").content.decode()
    )
    row = Deck.objects.get()
    Deck.objects.update(visibility="public")
    lines = client.get(f"/api/v1/decks/{row.link}/").json()["lines"]
    assert {line["name"]: line["prints"] for line in lines} == {
        "First Aid": [{"print": "TRU 2", "count": 2}, {"print": "PRE 2", "count": 1}],
        "Agent Fox Mulder": [],
    }


@pytest.mark.both_databases
def test_two_copies_of_different_prints_are_printed_as_they_are(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "add", "line": "1 First Aid (PRE) 2"})
    row = Deck.objects.get()
    Deck.objects.update(visibility="public")
    printed = [
        (entry.count, entry.card.prints[0].label)
        for entry in stored_deck(row.link, Viewer()).deck
        if entry.card.code == "first-aid"
    ]
    assert printed == [(2, "TRU 2"), (1, "PRE 2")]


def test_a_copy_that_is_moved_takes_its_print_along(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "move 1 bureau first-aid to sideboard"})
    deck = Deck.objects.with_cards().get().decklist()
    assert {entry.section: str(entry.marks.prints) for entry in deck if entry.card.code == "first-aid"} == {
        "bureau": "TRU 2",
        "sideboard": "TRU 2",
    }


def test_copies_that_are_moved_to_others_keep_their_prints(client: Client, editor: str) -> None:
    client.post(
        editor,
        {"edit": "lines", "lines": "Bureau deck:\n1 First Aid (PRE) 2\nSideboard:\n1 First Aid (TRU) 2"},
    )
    client.post(editor, {"edit": "move 1 bureau first-aid to sideboard"})
    deck = Deck.objects.with_cards().get().decklist()
    assert {entry.section: str(entry.marks.prints) for entry in deck if entry.card.code == "first-aid"} == {
        "bureau": "TRU 2",
        "sideboard": "TRU 2 ×1, PRE 2 ×1",
    }


def test_the_print_asked_for_is_what_is_printed(client: Client, editor: str) -> None:
    row = Deck.objects.get()
    Deck.objects.update(visibility="public")
    for lists in (stored_deck(row.link, Viewer()), pasted_list("xfiles", LIST)):
        first = {entry.card.code: entry.card.prints[0].label for entry in lists.deck}
        assert first == {
            "first-aid": "TRU 2",
            "agent-fox-mulder": games()["xfiles"].card("agent-fox-mulder").prints[0].label,
        }  # type: ignore[union-attr]


@pytest.mark.both_databases
def test_a_program_that_sends_no_marks_leaves_the_tags_and_may_name_a_print(client: Client) -> None:
    client.force_login(User.objects.create_user("anna"))
    make_deck(client, LIST, "xfiles")
    row = Deck.objects.get()
    sent = {
        "game": "xfiles",
        "name": "Dragons",
        "format": row.format,
        "text": "Bureau deck:\n2 First Aid (PRE) 2\n1 Agent Fox Mulder\n",
    }
    answer = client.put(f"/api/v1/decks/{row.link}/", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert marks()["first-aid"] == ("PRE 2", ("blue",))
