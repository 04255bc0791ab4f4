"""The box that searches and adds: which texts are lines, what Enter does with them, and what is shown for it
beforehand.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from decks.editor.typed_line import is_line, offer_in
from decks.models import Deck
from decks.saving import save
from tests.decks.editor.test_editor import HTMX, cards, make_deck, shown

# A line is read and offered in memory; what it adds is saved as every change is, on PostgreSQL too in
# tests/decks/saving.
pytestmark = pytest.mark.engine("sqlite")
GAME = games()["spycraft"]


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("2 kai", ("Add 2", "kai")),
        ("kai 2", ("Add 2", "kai")),
        ("kai x3", ("Add 3", "kai")),
        ("3x  termi", ("Add 3", "termite")),
        ("-1 kai", ("Take out 1", "kai")),
        ("2 termitte", ("Add 2", "termite")),
        ("2 barrel", ("Add 2", "double-barrel")),
        ("glock 17", None),
        ("glock 1", None),
        ("kai", None),
        ("combat>= 5", None),
        ("2 type:agent", None),
        ("2 qqqqqqqq", None),
        ("", None),
        ("2 Kai #blue", ("Add 2", "kai")),
        ("2 termi ^keep // late", ("Add 2", "termite")),
        ("2 Kai [ON]", ("Add 2", "kai")),
        ("2 project: omen st", ("Add 2", "project-omen-star")),
        ("0 kai", None),
        ("-0 kai", None),
        ("kai 0", None),
        ("100 kai", None),
        ("termi 2", None),
        ("agent 5", None),
        ("2 Tracer", None),
        ("2 trac", None),
        ("2 [ON] Kai", ("Add 2", "kai")),
        ("2 Kai | agent", None),
        ("2 Tracer (ON)", ("Add 2", "tracer")),
        ("2 " + "kai " * 100_000, None),
    ],
)
def test_a_text_with_a_count_offers_the_card_that_it_names(text: str, offer: tuple[str, str] | None) -> None:
    actual = offer_in(GAME, text)
    assert (actual and (actual.words, actual.card.code)) == offer


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.slug)
def test_no_name_of_a_card_is_taken_for_a_count(game: object) -> None:
    names = [card.name for card in game.cards if game.type_named(card.type).in_decks]  # type: ignore[attr-defined]
    assert [name for name in names if offer_in(game, name)] == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Leaders: 1 Groundfire", True),
        ("-Leaders: 1 Groundfire", True),
        ("type: 2", False),
        ("X | agent | power: 3", True),
        ("kai", False),
        ("2 Kai #blue", True),
        ('2 Kai #"late game"', True),
        ("0 Kai", True),
        ("100 Kai", True),
        ("2 Tunguska", True),
        ("2 Tracer (XX)", True),
        ("2 type:agent", False),
        ("combat: 5 kai", False),
        ("agent 5", False),
        ("glock 17", False),
        ("2 " + "x:y " * 100_000, False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_count_a_section_or_a_written_card_makes_a_line(text: str, line: bool) -> None:
    assert is_line(GAME, text) is line


@pytest.mark.django_db
def test_enter_adds_where_there_is_a_count_and_searches_where_there_is_none(client: Client) -> None:
    editor = make_deck(client)
    page = client.post(editor, {"edit": "enter", "q": "kai 2"}, follow=True).content.decode()
    assert cards()["deck kai"] == 4 and "+2 Kai." in page
    assert (
        client.post(editor, {"edit": "enter", "q": "combat>=5 kai"})["Location"]
        == f"{editor}?q=combat%3E%3D5+kai#find-q"
    )
    assert client.post(editor, {"edit": "enter", "q": ""})["Location"] == f"{editor}?#find-q"
    assert client.post(editor, {"edit": "add", "q": "Bone"})["Location"] == f"{editor}#find-q"
    assert cards() == {"deck kai": 4, "deck termite": 1, "deck bone": 1}


@pytest.mark.django_db
def test_what_is_read_before_a_change_keeps_no_one_from_saving(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = make_deck(client)

    def no_save(*_: object) -> None:
        raise AssertionError("nothing is saved")

    monkeypatch.setattr(save, "locked", no_save)
    with CaptureQueriesContext(connection) as queries:
        assert client.post(editor, {"edit": "enter", "q": "kai"})["Location"] == f"{editor}?q=kai#find-q"
        assert client.post(editor, {"edit": "add", "q": "2 Tunguska"}).status_code == 400
    assert not any("SAVEPOINT" in query["sql"] for query in queries)


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "first"), [("2 kai", "kai"), ("3 termitte", "termite"), ("kai 1", "kai")])
def test_the_best_match_of_a_line_stands_first_and_the_button_says_what_it_does(
    client: Client, query: str, first: str
) -> None:
    page = client.get(make_deck(client), {"q": query}).content.decode()
    assert shown(page)[0] == first and shown(page).count(first) == 1
    assert f'id="add">Add {query.split()[0] if query[0].isdigit() else 1}</button>' in page
    assert f'name="q" value="{query}"' in page


@pytest.mark.django_db
def test_what_cannot_be_read_stays_in_the_box_and_leads_to_the_search(client: Client) -> None:
    answer = client.post(make_deck(client), {"edit": "add", "q": "2 Tunguska"})
    page = answer.content.decode()
    assert answer.status_code == 400 and 'value="2 Tunguska"' in page
    assert "Nothing was changed" not in page and 'data-search="Tunguska"' in page


@pytest.mark.django_db
def test_a_script_shows_how_a_misspelt_name_was_read(client: Client) -> None:
    part = client.post(make_deck(client), {"edit": "add", "q": "3 termitte"}, headers=HTMX).content.decode()
    assert '<p class="hint">No card is called “termitte”; Termite is the likeliest.</p>' in part


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Bone", "bon"])
@pytest.mark.parametrize(
    ("marks", "stored"),
    [
        ("#blue", ("", ("blue",), False)),
        ("^keep", ("", (), True)),
        ("// for late game 5", ("for late game 5", (), False)),
    ],
)
def test_what_enter_adds_keeps_its_marks(
    client: Client, name: str, marks: str, stored: tuple[str, tuple[str, ...], bool]
) -> None:
    client.post(make_deck(client), {"edit": "enter", "q": f"2 {name} {marks}"})
    entry = next(entry for entry in Deck.objects.with_cards().get().decklist() if entry.card.code == "bone")
    assert (entry.count, (entry.marks.note, entry.marks.tags, entry.marks.keep)) == (2, stored)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Leaders: 0 Groundfir", "a count is 1 to 99"),
        (f'2 Termitte #"{"x" * 60}"', "A tag has at most 40"),
        ("0 Kai", "a count is 1 to 99"),
    ],
)
@pytest.mark.parametrize("field", ["line", "q"])
def test_what_is_wrong_behind_a_misspelt_name_is_said(
    client: Client, line: str, words: str, field: str
) -> None:
    answer = client.post(make_deck(client), {"edit": "add", field: line})
    assert answer.status_code == 400 and words in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "line", "lines"),
    [("spycraft", "2 Tracer", 2), ("spycraft", "2 trac", 2), ("xfiles", "2 Smoke & Mirrors", 2)],
)
def test_of_cards_that_share_a_name_enter_asks_which(
    client: Client, game: str, line: str, lines: int
) -> None:
    editor = client.post("/decks/new/", {"game": game, "start": "empty"})["Location"]
    answer = client.post(editor, {"edit": "enter", "q": line})
    assert (
        answer.status_code == 400 and len(answer.context["pane"]["feedback"].lines) >= lines and cards() == {}
    )
    client.post(editor, {"edit": "enter", "q": answer.context["pane"]["feedback"].lines[1]})
    assert list(cards().values()) == [2]


@pytest.mark.django_db
def test_a_script_is_told_that_words_are_a_search(client: Client) -> None:
    editor = make_deck(client)
    answer = client.post(editor, {"edit": "enter", "q": "agent 5"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Trigger"], answer.content) == (204, "search-instead", b"")
    page = client.post(editor, {"edit": "enter", "q": "2 bone"}, headers=HTMX)
    assert page.status_code == 200 and cards() == {"deck kai": 2, "deck termite": 1, "deck bone": 2}


@pytest.mark.django_db
def test_the_offer_says_which_text_it_is_for(client: Client) -> None:
    page = client.get(make_deck(client), {"q": '2 Kai #"late game"'}).content.decode()
    assert 'data-offer="Add 2" data-offered-for="2 Kai #&#34;late game&#34;"' in page


@pytest.mark.django_db
def test_the_offered_card_stands_on_the_first_page_alone(client: Client) -> None:
    editor, codes = make_deck(client), []
    for page in (1, 2, 3):
        codes += shown(client.get(editor, {"q": "2 s", "page": page}).content.decode())
    assert len(codes) > 72 and len(codes) == len(set(codes))


@pytest.mark.django_db
def test_the_cookie_of_the_grouping_is_sent_to_decks_alone(client: Client) -> None:
    assert client.get(make_deck(client), {"group": "type"}).cookies["deck_grouping"]["path"] == "/decks/"
