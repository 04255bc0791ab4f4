"""The check page: a list is judged, its names are corrected, its statistics are shown, and it is saved,
shared or printed, by guests and members, and never for another site.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from decks.core.content import MAX_LENGTHS
from decks.models import Deck, Visibility
from tests.support.made_decks import make_deck
from tests.support.pages import Page, page, page_of

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
# For tests that store nothing. Every address is requested on PostgreSQL too: tests/house/test_permissions.py.
in_memory = pytest.mark.engine("sqlite")
VERDICT = "/check/verdict/"
BOTH = pytest.mark.parametrize("address", ["/check/", VERDICT])
MIXED = "2 Kai\n2 Shiatsu\n1 Termite\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis\n"
ILLEGAL = {"game": "spycraft", "text": "Night Watch\n4 Kai\n1 Termite\n"}
TOO_MANY = "4 copies of Kai; 3 at most."


def checked(client: Client, address: str = "/check/", status: int = 200, **sent: Any) -> Page:
    return page_of(client.post(address, sent), status=status)


def guessed(shown: Page, field: str) -> str:
    """The option of this choice that names the guess."""
    return shown.one("select", id=f"id_{field}").all("option", value="")[0].text


def offered(shown: Page, field: str) -> list[str]:
    """The options of a choice, without the guess."""
    return [
        option["value"] for option in shown.one("select", id=f"id_{field}").all("option") if option["value"]
    ]


def box(shown: Page) -> str:
    """The list in the text field."""
    return (shown.field("text").value or "").replace("\r\n", "\n")


# -- judged


@BOTH
def test_a_list_is_judged_without_csrf_token_and_says_in_which_format(agency_text, address):
    client = Client(enforce_csrf_checks=True)
    assert TOO_MANY in checked(client, address, **ILLEGAL).text
    shown = checked(client, address, text=agency_text)
    assert "It keeps every rule of Agency Deck." in shown.text
    assert "Guessed: the list says “Format: agency”." in shown.text
    assert guessed(shown, "game") == "Guessed: Spycraft"


@in_memory
def test_the_address_for_typing_returns_only_the_verdict(client):
    part = checked(client, VERDICT, game="spycraft", text="4 Kai\n1 Nobody Knows")
    assert not part.has("main")
    assert not part.has(class_="deck-section")
    assert "Not legal" in part.text
    assert "Nobody Knows" in part.text
    assert part.one(id="live-status")["hx-swap-oob"] == "true"


@in_memory
@pytest.mark.parametrize("asked", [{}, {"game": "nope", "text": "2 Kai"}, {"game": "spycraft", "text": ""}])
def test_a_list_that_cannot_be_judged_yet_is_no_error(client, asked):
    assert not checked(client, VERDICT, **asked).has(id="verdict-title")


def test_a_list_in_the_query_string_is_ignored(client):
    shown = page(client, "/check/", ILLEGAL | {"format": "agency", "house": "AG-3.at_least=40"})
    assert box(shown) == ""
    assert not shown.has(id="verdict-title")
    assert shown.field("game").value == "spycraft", "an address says by which rules"
    assert shown.field("house").value == "AG-3.at_least=40"
    assert client.get(VERDICT, ILLEGAL).status_code == 405


def test_judging_counts_as_work_and_short_lists_while_typing_as_reads(client, settings):
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    # Longer than LARGE of ``decks/check/views.py``.
    large = ILLEGAL | {"text": "4 Kai\n// " + "x" * 21_000}
    for address, sent, status in (
        ("/check/", ILLEGAL, 429),
        ("/check/numbers/", ILLEGAL, 429),
        (VERDICT, large, 429),
        (VERDICT, ILLEGAL, 200),
    ):
        assert client.post(address, sent).status_code == status, (address, status)
    settings.CUTOUT_READS_PER_MINUTE = 0
    assert client.post(VERDICT, ILLEGAL).status_code == 429


def test_judging_while_typing_takes_two_queries(client, agency_text, django_assert_max_num_queries):
    with django_assert_max_num_queries(2):
        client.post(VERDICT, {"game": "spycraft", "text": agency_text})


@pytest.mark.parametrize("address", ["/check/", VERDICT, "/check/save/", "/print/"])
def test_a_list_with_a_character_that_is_no_text_is_refused(client, address):
    refused = checked(client, address, 400, game="spycraft", text="4 Kai\0")
    assert "has a character that is no text" in refused.text


@in_memory
def test_names_in_the_verdict_are_links_and_typed_html_is_escaped(client):
    text = "4 Kai\n1 <b>Shiatzu\n1 <script>alert(1)</script>\n"
    shown = checked(client, text=text, game="spycraft")
    fault = next(violation for violation in shown.all(class_="violation") if "copies" in violation.text)
    assert fault.one(class_="violation-message").link("Kai") == "/cards/spycraft/kai/"
    assert fault.one("img")["src"].startswith("/cards/spycraft/kai/face.svg")
    assert not shown.main.has("script")
    assert not shown.main.has("b")


# -- guessed


@in_memory
def test_a_list_for_several_games_asks_which(client):
    shown = checked(client, text=MIXED)
    asked = shown.one(class_="check-open")
    assert asked.one("h2").text == "Which game is it for?"
    assert not shown.has(id="verdict-title")
    ways = [button["value"] for button in asked.all("button", name="read_as")]
    assert ways[:2] == ["spycraft", "xfiles"], "the likeliest first"
    assert {*ways} == {*games()}
    pressed = checked(client, game="", text=MIXED, read_as="xfiles/basic")
    assert [pressed.field(name).value for name in ("game", "format")] == ["xfiles", "basic"]


@in_memory
def test_a_chosen_format_of_another_game_is_ignored(client, agency_text):
    shown = checked(client, game="", format="draw-2", text=agency_text)
    assert "It keeps every rule of Agency Deck." in shown.text


@in_memory
def test_a_list_that_looks_like_another_game_than_the_chosen_one_says_so(client, agency_text):
    shown = checked(client, game="xfiles", text=agency_text)
    assert "Its lines look like Spycraft." in shown.text
    assert shown.one("button", name="read_as", text="Read it as Spycraft")["value"] == "spycraft"
    assert "look like" not in checked(client, game="spycraft", text=f"{agency_text}\n1 Nobody").text


def ask(client: Client, **body: str) -> Any:
    return client.post("/api/v1/decks/validate/", body, content_type="application/json")


@in_memory
def test_the_api_says_what_was_guessed_and_refuses_a_list_that_leaves_its_game_open(client, agency_text):
    answer = ask(client, text=agency_text).json()
    assert (answer["game"], answer["format"]) == ("spycraft", "agency")
    assert answer["guessed"] == {"game": "the list says “Format: agency”", "format": "the list says so"}
    chosen = ask(client, text=agency_text, game="spycraft", format="agency").json()
    assert chosen["guessed"] == {"game": "", "format": ""}
    for text in (MIXED, "4 Lightning Bolt"):
        (fault,) = ask(client, text=text).json()
        assert (fault["code"], fault["where"]) == ("unknown_game", "game")
        assert "Spycraft (spycraft)" in fault["message"]


# -- corrected in its field

MISSPELT = "Mine, all of it\n2 Shiatzu\n1 Main Batle Tank\n1 Kia\n1 Termite\n"


@in_memory
def test_the_accept_button_corrects_exactly_the_likely_names(client):
    likely = checked(client, text=MISSPELT).one(class_="check-likely")
    assert [name.text for name in likely.all("ins")] == ["Shiatsu", "Main Battle Tank"]
    assert likely.one("button", name="accept", text="Accept both")["value"] == "2,3"
    shown = checked(client, text=MISSPELT, accept="2,3")
    assert box(shown) == MISSPELT.replace("Shiatzu", "Shiatsu").replace("Batle", "Battle")
    assert "2 names put right: Shiatsu and Main Battle Tank." in shown.text


@in_memory
@pytest.mark.parametrize("accept", ["4", "99", "", "x", ",".join(["2"] * 9_000), "²"])
def test_a_line_without_a_likely_name_stays(client, accept):
    assert box(checked(client, text=MISSPELT, accept=accept)).split("\n")[2:] == MISSPELT.split("\n")[2:]


# -- the file of another program

COD = (
    '<cockatrice_deck version="1"><deckname>Traps</deckname><zone name="main"><card number="2" name="Kai"/>'
    '<card number="1" name="Termiite"/></zone></cockatrice_deck>'
)


@in_memory
def test_a_pasted_file_becomes_our_list_and_can_be_corrected(client):
    read_as = "Read as a file of Cockatrice."
    shown = checked(client, text=COD)
    lines = box(shown).split("\n")
    assert read_as in shown.text
    assert "// name: Traps" in lines
    assert "<zone" not in box(shown)
    fix = f"{lines.index('1 Termiite') + 1}:Termite"
    assert shown.has("button", value=fix)
    corrected = checked(client, text=COD, game="spycraft", correct=fix)
    assert "1 Termite" in box(corrected)
    assert "Lines that were not read" not in corrected.text
    assert read_as in checked(client, VERDICT, text=COD).text


# -- statistics


def table_rows(answer: Any) -> dict[str, list[list[str]]]:
    """Title of each table of statistics -> its rows, each with its label and the words of its cells."""
    return {
        shown.table.title: [[row.label, *(cell.words for cell in row.cells)] for row in shown.rows]
        for shown, *_ in answer.context["tables"]
    }


def test_a_list_has_the_same_statistics_as_its_deck(client, agency_text):
    form = {"game": "spycraft", "format": "agency", "text": agency_text}
    assert checked(client, **form).has("button", formaction="/check/numbers/")
    answer = client.post("/check/numbers/", form)
    assert "The Banshee Net" in page_of(answer).one("form", action="/check/").sent["text"], (
        "the list goes along"
    )
    assert not Deck.objects.exists(), "nothing is saved"
    stored = client.get(f"/decks/{make_deck(client, agency_text).link}/numbers/")
    assert table_rows(answer), "there are tables to compare"
    assert table_rows(answer) == table_rows(stored)


# -- saved, shared or printed, by guests and members


@pytest.mark.parametrize(
    ("then", "part"), [("deck", ""), ("share", "share/"), ("edit", "edit/"), ("nonsense", "")]
)
def test_an_illegal_list_can_be_saved_and_only_shared_lists_are_unlisted(client, then, part):
    answer = client.post("/check/save/", ILLEGAL | {"then": then})
    deck = Deck.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/{part}")
    assert (deck.name, deck.game, deck.verdict) == ("Night Watch", "spycraft", "illegal")
    assert deck.visibility == (Visibility.UNLISTED if then == "share" else Visibility.PRIVATE)
    assert client.get(f"/decks/{deck.link}/edit/").status_code == 200, "this browser may edit it"
    assert Client().get(f"/decks/{deck.link}/").status_code == (200 if then == "share" else 404)


def test_a_saved_list_belongs_to_the_account_with_its_house_rules(client):
    user = User.objects.create_user("ada")
    client.force_login(user)
    rules = {"game": "spycraft", "format": "agency", "house": "AG-3.at_least=40"}
    client.post("/check/save/", rules | {"text": "2 Kai"})
    deck = Deck.objects.get()
    assert (deck.owner_id, deck.format, deck.house) == (user.pk, "agency", "AG-3.at_least=40")


def test_unread_lines_stop_saving_unless_kept_in_the_notes(client):
    unread = {"text": "Night Watch\n2 Kai\n1 Nobody Knows\n"}
    refused = checked(client, "/check/save/", 400, **unread)
    assert "1 line could not be read, so nothing was saved" in refused.text
    assert refused.one("button", name="unread")["value"] == "notes"
    count = MAX_LENGTHS["notes"] // 130 + 1
    lines = "\n".join(f"1 nobody of that name {number} {'x' * 130}" for number in range(count))
    long = checked(client, "/check/save/", 400, text=f"2 Kai\n{lines}", game="spycraft", unread="notes")
    assert "the notes would have more than" in long.text
    assert not Deck.objects.exists()
    client.post("/check/save/", unread | {"unread": "notes"})
    assert Deck.objects.get().notes == "Not read: 1 Nobody Knows"


BESIDE = {"game": "spycraft", "text": "// name: Night\n2 Kai\nSideboard:\n1 Termite"}


def test_cards_beside_the_deck_are_kept_in_its_notes(client):
    client.post("/check/save/", BESIDE)
    deck, kept = Deck.objects.with_cards().get(), "Sideboard: 1 Termite"
    assert (deck.decklist().size, deck.notes) == (2, kept)
    lines = "1 Time Bomb\nCONSIDERING:\n1 Garotte"
    client.post(f"/decks/{deck.link}/edit/", {"edit": "lines", "lines": lines})
    deck = Deck.objects.with_cards().get()
    assert (deck.decklist().size, deck.notes) == (3, f"{kept}\nCONSIDERING: 1 Garotte")
    deck.delete()
    client.post("/decks/new/", BESIDE | {"notes": "Mine", "visibility": "private"})
    client.post("/api/v1/decks/", BESIDE | {"name": "Night"}, content_type="application/json")
    assert {deck.notes for deck in Deck.objects.all()} == {f"Mine\n{kept}", kept}


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"text": "4 Lightning Bolt"},  # of no known game
        {"game": "nope", "text": "2 Kai"},
        {"text": "x" * 300_000},  # too large
    ],
)
def test_a_list_that_cannot_be_judged_is_not_saved(client, sent):
    answer = client.post("/check/save/", sent)
    assert answer.status_code in (200, 400)
    assert not Deck.objects.exists()
    assert page_of(answer, status=answer.status_code).main.one("h1").text == "Check a list"


@pytest.mark.parametrize("address", ["/check/save/", "/print/"])
@pytest.mark.parametrize(
    ("origin", "refused"),
    [
        ({"Origin": "http://testserver"}, False),
        ({}, True),
        ({"Origin": "null"}, True),
        ({"Origin": "http://evil.example"}, True),
        ({"Origin": "http://testserver.evil.example"}, True),
    ],
)
def test_only_forms_from_this_site_are_accepted_without_csrf_token(address, origin, refused):
    answer = Client(enforce_csrf_checks=True).post(address, ILLEGAL, headers=origin)
    if refused:
        assert answer.status_code == 403
        assert not Deck.objects.exists()
    else:
        assert answer.status_code in (200, 302)
