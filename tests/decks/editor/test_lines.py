"""What the editor adds by name: several lines at once, fewer copies; and how the lines of a deck are
shown.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Entry, Section
from decks.core.content import by_type
from decks.models import Deck, DeckRevision
from tests.decks.editor.test_editor import HTMX, cards, make_deck
from tests.decks.saving.test_pages import secret_deck
from tests.support.pages import page
from tests.support.public_decks import starter

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
GAME = games()["spycraft"]


@pytest.fixture
def editor(client: Client) -> str:
    return make_deck(client)


# -- several lines ----------------------------------------------------------------------


def test_several_lines_are_added_as_one_change(client: Client, editor: str) -> None:
    client.post(
        editor, {"edit": "lines", "lines": "Leaders:\n1 Groundfire\n\nDeck:\n2 Kai # for duels\n3x Bone"}
    )
    assert cards() == {"deck kai": 4, "deck termite": 1, "leaders groundfire": 1, "deck bone": 3}
    assert DeckRevision.objects.count() == 2


def test_one_line_that_is_not_read_stops_all_and_the_text_stays(client: Client, editor: str) -> None:
    answer = client.post(editor, {"edit": "lines", "lines": "2 Bone\n1 Nobody At All"})
    page = answer.content.decode()
    assert answer.status_code == 400 and "Line 2, “1 Nobody At All”" in page
    assert "2 Bone\n1 Nobody At All</textarea>" in page
    assert cards() == {"deck kai": 2, "deck termite": 1}


def test_a_card_that_the_deck_has_is_offered_once_in_place_of_a_misspelt_one(
    client: Client, editor: str
) -> None:
    page = client.post(editor, {"edit": "lines", "lines": "1 Termitte"}).content.decode()
    assert "Did you mean Termite?" in page


@pytest.mark.parametrize("lines", ["", "  \n ", "Leaders:\n", "2 Kai\n" * 60_000])
def test_lines_that_add_nothing_are_refused_in_words(client: Client, editor: str, lines: str) -> None:
    answer = client.post(editor, {"edit": "lines", "lines": lines}, headers=HTMX)
    assert 'role="alert"' in answer.content.decode() and cards() == {"deck kai": 2, "deck termite": 1}


def test_more_lines_than_are_read_while_others_wait_are_refused(client: Client, editor: str) -> None:
    answer = client.post(editor, {"edit": "lines", "lines": "1 Kai\n" * 6_000})
    assert answer.status_code == 413 and "36,000 characters; at most 32,768" in answer.content.decode()
    assert cards() == {"deck kai": 2, "deck termite": 1}


# -- fewer ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kai"),
    [("-1 Kai", 1), ("−1 kai", 1), ("- 2x Kai", None), ("-Kai", 1), ("-9 Kai", None), ("-Deck: 1 Kai", 1)],
)
def test_a_line_with_a_minus_takes_copies_out(
    client: Client, editor: str, line: str, kai: int | None
) -> None:
    client.post(editor, {"edit": "add", "line": line})
    assert cards().get("deck kai") == kai


def test_taking_out_what_is_not_there_says_so(client: Client, editor: str) -> None:
    answer = client.post(editor, {"edit": "add", "line": "-1 Bone"})
    assert answer.status_code == 400 and "The deck has no Bone to take out." in answer.content.decode()


def test_a_misspelt_line_with_a_minus_takes_out_the_likeliest_card(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "add", "line": "-1 Termit"})
    assert cards() == {"deck kai": 2}


# -- how lines are shown ------------------------------------------------------------------


def test_leaders_stand_by_level_and_other_cards_as_their_author_put_them(client: Client) -> None:
    editor = make_deck(client, starter("spycraft", "nine-tiger"))
    page = client.get(editor).content.decode().split("Deck <span")[0]
    assert [int(level) for level in re.findall(r"data-count[\s\S]*?Level </span>(\d)", page)] == [1, 2, 3, 4]
    faces = re.findall(
        r'class="face-in-strip" role="img" aria-label="([^"]+)"',
        client.get(editor.removesuffix("edit/")).content.decode(),
    )
    assert faces[:4] == ["Li Cong", "Groundfire", "Mother of Clouds", "Mai-Tai"]


def test_cards_of_which_nobody_states_the_number_come_last_and_ties_stay() -> None:
    kai, bone = (GAME.card(code) for code in ("kai", "bone"))
    leaders = [card for card in GAME.cards if card.type == "leader"][:3]
    assert kai and bone
    section = Section("all", "All", (), order="level")
    lines = [Entry(card, 1, "all") for card in (kai, *leaders, bone)]
    shown = [[entry.card.name for entry in entries] for _, entries in by_type(GAME, section, lines)]
    assert [card.name for card in sorted(leaders, key=lambda card: card.facts["level"])] in shown
    assert ["Kai", "Bone"] in shown


def test_every_section_is_ordered_by_a_number_of_its_game() -> None:
    for game in games().values():
        numbers = {fact.key for fact in game.facts if fact.kind == "number"}
        assert {section.order for section in game.sections if section.order} <= numbers


def test_a_row_shows_the_mark_of_the_faction_and_its_numbers_in_columns(client: Client, editor: str) -> None:
    for query in ("", "!kai"):
        row = (
            client.get(editor, {"q": query})
            .content.decode()
            .split('data-code="kai"')[-1]
            .partition("</li>")[0]
        )
        assert 'class="mark value-spycraft-nine-tiger"' in row
        numbers = re.findall(r'hidden">(\w+) </span>(\d+)', row)
        assert numbers[:2] == [("Expense", "7"), ("Charisma", "2")] and numbers[-1] == ("Bravado", "3")


# -- the pages round it ---------------------------------------------------------------------


def test_a_removal_that_cures_has_a_button_on_both_pages(client: Client) -> None:
    editor = make_deck(client, "9 Kai")
    for address, back in (
        (editor, f"{editor}#verdict"),
        (editor.removesuffix("edit/"), editor.removesuffix("edit/")),
    ):
        client.post(editor, {"edit": "=9 deck kai"})
        shown = page(client, address)
        (change,) = {button["value"] for button in shown.all("button", name="change")}
        assert re.fullmatch(r"-\d deck kai", change)
        sent = {"change": change, "back": shown.all(name="back")[0]["value"]}
        assert client.post(editor.replace("edit/", "repair/"), sent)["Location"] == back
        assert cards() == {"deck kai": 3}


def test_strangers_and_earlier_versions_have_no_repair_to_apply(client: Client) -> None:
    editor = make_deck(client, "9 Kai", visibility="public")
    page = editor.removesuffix("edit/")
    assert "Take out 6 Kai" in Client().get(page).content.decode()
    for answer in (Client().get(page), client.get(f"{page}history/0/")):
        assert 'name="change"' not in answer.content.decode()


def test_what_is_wrong_is_said_once_beside_the_verdict(client: Client) -> None:
    editor = make_deck(client, "9 Kai")
    for address in (editor, editor.removesuffix("edit/")):
        answer = client.get(address)
        # In the editor the gravest stands under the stamp too, as long as the list of them is folded.
        text = re.sub(r"<[^>]+>", "", re.sub(r'<p class="pane-reason">.*?</p>', "", answer.content.decode()))
        messages = [violation.message for violation in answer.context["judged"].violation_views()]
        assert all(text.count(message) == 1 for message in messages if message.count(" ") > 3)


def test_the_editor_folds_why_under_the_verdict_and_counts_it(client: Client, editor: str) -> None:
    verdict = client.get(editor).content.decode().partition('id="verdict"')[2]
    assert re.search(r"<summary>\d things to do", verdict)
    assert (
        verdict.index("<summary>") < verdict.index('class="violation-message"') < verdict.index('id="peek"')
    )


def test_the_maker_of_a_deck_is_not_asked_to_log_in_to_like_it(client: Client) -> None:
    page = make_deck(client, visibility="public").removesuffix("edit/")
    assert "Log in to like" not in client.get(page).content.decode()
    assert "Log in to like" in Client().get(page).content.decode()


@pytest.mark.both_databases
def test_forks_have_names_of_their_own(client: Client) -> None:
    page = make_deck(client, visibility="public").removesuffix("edit/")
    stranger = Client()
    stranger.force_login(User.objects.create_user("fox"))
    for _ in range(3):
        stranger.post(f"{page}fork/")
    first = Deck.objects.get(name="Dragons (fork)")
    Deck.objects.filter(pk=first.pk).update(visibility="public")
    stranger.post(f"/decks/{first.link}/fork/")
    names = set(Deck.objects.values_list("name", flat=True))
    assert names == {"Dragons", "Dragons (fork)", "Dragons (fork 2)", "Dragons (fork 3)", "Dragons (fork 4)"}
    assert "Forked from" in stranger.get(f"/decks/{first.link}/").content.decode()


@pytest.mark.both_databases
def test_the_fork_of_a_very_long_name_still_fits(client: Client) -> None:
    page = make_deck(client, visibility="public").removesuffix("edit/")
    Deck.objects.update(name="x" * 120)
    assert Client().post(f"{page}fork/").status_code == 302
    assert sorted(len(name) for name in Deck.objects.values_list("name", flat=True)) == [115, 120]


@pytest.mark.parametrize("revealed", [False, True])
def test_a_fork_says_what_was_left_out_of_it(revealed: bool) -> None:
    deck = secret_deck()
    Deck.objects.update(revealed=revealed)
    page = Client().post(f"/decks/{deck.link}/fork/", follow=True).content.decode()
    assert ("its author keeps it secret, so what stands there was left out" in page) is not revealed


@pytest.mark.both_databases
def test_own_decks_are_offered_as_partners_and_to_compare(client: Client, editor: str) -> None:
    missions = make_deck(
        client, starter("spycraft", "mission-deck-base"), format="mission-base", name="Missions"
    )
    Client().post("/decks/new/", {"game": "spycraft", "name": "Another's", "text": "2 Kai"})
    settings = client.get(editor.replace("edit/", "settings/")).content.decode()
    assert f'<option value="http://testserver{missions.removesuffix("edit/")}">Missions</option>' in settings
    compare = client.get("/decks/compare/").content.decode()
    assert "Missions (Spycraft)" in compare and "Dragons (Spycraft)" in compare and "Another" not in compare


def test_the_share_page_leads_to_where_a_deck_is_made_public(client: Client, editor: str) -> None:
    settings = editor.replace("edit/", "settings/")
    assert f'href="{settings}"' in client.get(editor.replace("edit/", "share/")).content.decode()


def test_an_empty_editor_begins_in_the_field_that_adds_a_card(client: Client) -> None:
    answer = client.post("/decks/new/", {"game": "spycraft", "start": "empty"}, follow=True)
    assert "autofocus" in answer.content.decode()
    client.post(answer.redirect_chain[-1][0], {"edit": "+1 deck kai"})
    assert "autofocus" not in client.get(answer.redirect_chain[-1][0]).content.decode()
