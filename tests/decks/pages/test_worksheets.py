"""What stands beside a deck: worksheets that are opened on it, and the deck it is played with."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.games.kit.play.worksheet import Calculation, Field, Outcome, Worksheet
from cardsdb.identity.viewer import Viewer
from decks.core.judging import judge_text
from decks.models import Deck, Visibility, new_deck
from decks.pages.deck import Partner, partner_of, partner_problem
from tests.support.pages import page, page_of
from tests.support.saved_decks import save_list

# Sheets are filled in and judged in memory; what goes into a deck is saved as every change is, on PostgreSQL
# too in tests/decks/saving.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

SHEET = "/games/steamspy/aids/character-sheet/"
NORA = {"name": "Nora Field", "corporation": "Das Wort", "body": "4", "xp": "10"}


def starter(game: str, slug: str) -> str:
    return next(one.text for one in games()[game].starters if one.slug == slug)


def kept(
    game: str, text: str, format: str = "", visibility: str = Visibility.UNLISTED, **values: Any
) -> tuple[Deck, Viewer]:
    """A deck and the visitor who may edit it."""
    deck, _ = new_deck(**values)
    chosen = games()[game].formats_by_slug.get(format)
    save_list(
        deck, judge_text(games()[game], text, chosen), name=f"A {format or game} deck", visibility=visibility
    )
    return deck, Viewer(key_hash=deck.edit_hash)


def made(client: Client, game: str, text: str, format: str) -> Deck:
    """A deck that this browser made."""
    client.post(
        "/decks/new/",
        {"game": game, "name": "Mine", "format": format, "text": text, "visibility": "unlisted"},
    )
    return Deck.objects.get()


@pytest.fixture
def cell(client: Client) -> Deck:
    return made(
        client,
        "steamspy",
        "1 Nora Field | character | corporation: Das Wort | body: 4\n1 Ivy Brass",
        "character",
    )


def into(deck: Deck) -> str:
    return f"{SHEET}into/{deck.link}/"


def cards_of(deck: Deck) -> dict[str, Any]:
    return {
        entry.card.name: dict(entry.card.facts)
        for entry in Deck.objects.with_cards().get(pk=deck.pk).decklist()
    }


# -- pages ----------------------------------------------------------------------


@pytest.mark.parametrize("game", ["steamspy", "agentdecker", "spynet"])
def test_a_game_lists_its_worksheets_and_links_to_them(client: Client, game: str) -> None:
    assert f'href="/games/{game}/aids/"' in client.get(f"/games/{game}/").content.decode()
    page = client.get(f"/games/{game}/aids/").content.decode()
    for sheet in games()[game].worksheets:
        assert f'href="/games/{game}/aids/{sheet.slug}/"' in page
        assert client.get(f"/games/{game}/aids/{sheet.slug}/").status_code == 200


def test_a_game_without_worksheets_has_no_page_and_no_link(client: Client, sixth_game: Any) -> None:
    from cardsdb.catalogue.loader import load

    load(sixth_game)
    assert client.get("/games/deaddrop/aids/").status_code == 404
    assert "/aids/" not in client.get("/games/deaddrop/").content.decode()


def test_a_worksheet_declared_in_a_folder_is_all_that_is_needed(client: Client, sixth_game: Any) -> None:
    def reckon(game: Any, values: Any) -> Calculation:
        return Calculation((Outcome("Load", str(2 * values["parcels"]), "total", cites=("DD-1",)),))

    sheet = Worksheet("load", "Load", "How much is carried.", (Field("parcels", "Parcels", start=1),), reckon)
    object.__setattr__(sixth_game, "worksheets", (sheet,))
    assert "How much is carried." in client.get("/games/deaddrop/aids/").content.decode()
    page = client.get("/games/deaddrop/aids/load/?parcels=21").content.decode()
    assert '<strong class="num">42</strong>' in page
    assert '/games/deaddrop/rules/#DD-1"' in page
    assert client.get("/games/deaddrop/aids/load/sheet.pdf?parcels=21").content[:5] == b"%PDF-"


def test_a_sheet_is_filled_in_by_its_address_and_judged(client: Client) -> None:
    page = client.get(f"{SHEET}?{urlencode(NORA)}").content.decode()
    assert 'value="Nora Field"' in page
    assert "4 = 1 + 2 bonus + 1 bought" in page
    assert '<h2 class="verdict-stamp" id="verdict-title">Legal</h2>' in page
    assert "1 Nora Field | character" in page


def test_spending_too_much_is_said_by_the_sheet_and_by_the_verdict_and_no_third_time(client: Client) -> None:
    page = client.get(
        f"{SHEET}?{urlencode({'name': 'Nora', 'body': '99', 'intelligence': '99'})}"
    ).content.decode()
    (sentence,) = re.findall(r"Nora: \d+ XP spent of 10\.", page)
    assert page.count(sentence) == 1
    assert "XP of Nora" not in page


def test_a_script_gets_the_outcome_alone_and_the_address_of_it(client: Client) -> None:
    answer = client.get(f"{SHEET}?{urlencode(NORA | {'organisation': ''})}", headers={"HX-Request": "true"})
    assert "<html" not in answer.content.decode()
    note = page_of(answer).one(id="note-body", hx_swap_oob="true")
    assert note.text.startswith("4 = 1 + 2 bonus + 1 bought")
    assert answer["HX-Replace-Url"] == f"{SHEET}?{urlencode(NORA)}"


def test_a_mistake_is_told_at_its_field_and_nothing_is_lost(client: Client) -> None:
    answer = client.get(f"{SHEET}?{urlencode(NORA | {'body': 'strong'})}")
    page = answer.content.decode()
    assert answer.status_code == 400
    assert '<a href="#f-body">Body must be a whole number from 1 to 99, not “strong”.</a>' in page
    assert 'value="strong"' in page
    assert 'value="Nora Field"' in page


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "O'Brien & Co"])
def test_a_name_is_never_markup(client: Client, name: str) -> None:
    page = client.get(f"{SHEET}?{urlencode({'name': name})}").content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page


@pytest.mark.parametrize(
    "query",
    ["name=%00", "name=a%0Ab", "body=" + "9" * 500, "corporation=%F0", "deck=%00", "deck=nobody", "seed=x"],
)
def test_no_parameter_breaks_a_sheet(client: Client, query: str) -> None:
    assert client.get(f"{SHEET}?{query}").status_code in (200, 400, 404)


def test_every_sheet_that_can_be_filled_in_needs_no_query_of_the_database(client: Client) -> None:
    client.get(SHEET)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(f"{SHEET}?{urlencode(NORA)}")
    assert [query["sql"] for query in queries if "decks_" in query["sql"]] == []


# -- with a deck -----------------------------------------------------------------


def test_a_character_of_a_deck_opens_filled_in(client: Client, cell: Deck) -> None:
    code = next(
        entry.card.code
        for entry in Deck.objects.with_cards().get().decklist()
        if entry.card.name == "Nora Field"
    )
    answer = client.get(f"{SHEET}?deck={cell.link}&card={code}", follow=True)
    assert answer.redirect_chain
    assert "body=4" in answer.redirect_chain[-1][0]
    assert "Change it in the deck" in answer.content.decode()


def test_the_sheet_changes_the_character_it_was_opened_from(client: Client, cell: Deck) -> None:
    code = next(
        entry.card.code
        for entry in Deck.objects.with_cards().get().decklist()
        if entry.card.name == "Nora Field"
    )
    answer = client.post(into(cell), NORA | {"name": "Nora Vale", "body": "5", "card": code})
    assert answer["Location"] == f"/decks/{cell.link}/"
    assert set(cards_of(cell)) == {"Nora Vale", "Ivy Brass"}
    assert cards_of(cell)["Nora Vale"]["body"] == 5


def test_a_new_character_is_put_beside_the_others(client: Client, cell: Deck) -> None:
    client.post(into(cell), NORA | {"name": "Tom Reed"})
    assert set(cards_of(cell)) == {"Nora Field", "Ivy Brass", "Tom Reed"}


def test_a_catalogue_character_becomes_one_written_in(client: Client, cell: Deck) -> None:
    client.post(into(cell), {"name": "Ivy Brass", "charisma": "3", "card": "ivy-brass"})
    line = cell.lines.get(written__name="Ivy Brass")
    assert line.written["facts"]["charisma"] == 3


@pytest.mark.parametrize(
    ("typed", "status", "told"),
    [
        (NORA, 400, "is in the deck already"),
        (NORA | {"card": "ivy-brass"}, 400, "is in the deck already"),
        (NORA | {"name": "X1", "card": "written-gone"}, 409, "no longer in the deck"),
        (NORA | {"name": "X1", "body": "0"}, 400, "Body must be a whole number"),
        (NORA | {"name": "…"}, 400, "needs a name"),
        ({}, 400, "Fill something in first"),
    ],
)
def test_what_cannot_go_into_the_deck_changes_nothing(
    client: Client, cell: Deck, typed: dict[str, str], status: int, told: str
) -> None:
    before = cards_of(cell)
    answer = client.post(into(cell), typed)
    assert answer.status_code == status
    assert told in answer.content.decode()
    assert cards_of(cell) == before


def test_a_stranger_cannot_put_anything_into_a_deck(cell: Deck) -> None:
    stranger = Client()
    assert stranger.post(into(cell), NORA | {"name": "X1"}).status_code == 404
    assert "Put it into the deck" not in stranger.get(f"{SHEET}?deck={cell.link}").content.decode()
    Deck.objects.update(visibility=Visibility.PRIVATE)
    assert stranger.get(f"{SHEET}?deck={cell.link}").status_code == 404


def test_nothing_goes_into_a_deck_of_another_game(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text, "agency")
    assert client.post(into(deck), NORA).status_code == 404
    assert client.get(f"{SHEET}?deck={deck.link}").status_code == 404


def test_putting_needs_a_post(client: Client, cell: Deck) -> None:
    assert client.get(into(cell)).status_code == 405


def test_a_score_sheet_that_is_a_deck_is_filled_in_and_stored_again(client: Client) -> None:
    deck = made(client, "agentdecker", "Mission 1: 12", "score")
    book = "/games/agentdecker/aids/score-book/"
    assert "mission_1=12" in client.get(f"{book}?deck={deck.link}")["Location"]
    client.post(f"{book}into/{deck.link}/", {"mission_1": "12", "mission_2": "30"})
    assert Deck.objects.get().details == {"mission_1": 12, "mission_2": 30}


@pytest.mark.parametrize(
    ("game", "format", "text", "told"),
    [
        ("spynet", "end", "Player 1: Ana\nStars 1: 7\nStars 2: 5", "The end Ana wins"),
        ("agentdecker", "score", "Mission 1: 12\nMission 2: 30", "So far 42"),
    ],
)
def test_a_kept_count_says_on_its_page_what_it_came_to(
    client: Client, game: str, format: str, text: str, told: str
) -> None:
    deck = made(client, game, text, format)
    assert told in page(client, f"/decks/{deck.link}/").one("section", class_="worksheet-result").text


def counted(*rows: tuple[int, int]) -> str:
    """The first outcome of SpyNet's end for players with these stars and this funding."""
    game = games()["spynet"]
    sheet = next(sheet for sheet in game.worksheets if sheet.slug == "count-the-end")
    typed = {f"stars_{seat}": str(stars) for seat, (stars, _) in enumerate(rows, 1)}
    typed |= {f"funding_{seat}": str(funding) for seat, (_, funding) in enumerate(rows, 1)}
    first, *_ = sheet.fill_in(game, typed).calculation.outcomes
    return f"{first.value}. {first.note}"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (((7, 0), (5, 9)), "Player 1 wins. "),
        (((7, 1), (7, 2)), "Player 2 wins. The stars are equal; more funding decides: 2."),
        (
            ((4, 1), (7, 2), (7, 2)),
            "Player 2 and Player 3 share the win. As many stars, and as much funding.",
        ),
        (((4, 0), (5, 0), (4, 0), (1, 0)), "Player 1 and Player 3 win. "),
    ],
)
def test_stars_decide_then_funding_and_four_are_two_teams(rows: Any, told: str) -> None:
    assert counted(*rows) == told


def test_a_sheet_becomes_a_deck_of_its_own(client: Client) -> None:
    filled = {f"mission_{n}": "9" for n in range(1, 6)}
    sheet = page(client, "/games/agentdecker/aids/score-book/", filled)
    client.post("/decks/new/", sheet.one("form", action="/decks/new/").sent)
    assert Deck.objects.get().details["total"] == 45


# -- a pair of decks ----------------------------------------------------------------


@pytest.fixture
def pair() -> tuple[Deck, Deck, Viewer]:
    agency, author = kept("spycraft", starter("spycraft", "banshee-net"), "agency")
    mission, _ = kept("spycraft", starter("spycraft", "mission-deck-base"), "mission")
    agency.partner = mission
    agency.save()
    return agency, mission, author


def partner_seen_by(viewer: Viewer, deck: Deck) -> Partner | None:
    return partner_of(deck, viewer, deck.is_editable_by(viewer))


def test_a_deck_page_shows_its_partner_with_both_verdicts(
    client: Client, pair: tuple[Deck, Deck, Viewer]
) -> None:
    page = client.get(f"/decks/{pair[0].link}/").content.decode()
    assert f'<a class="name" href="/decks/{pair[1].link}/">A mission deck</a>' in page
    partner = partner_seen_by(Viewer(), pair[0])
    assert partner and partner.judged.verdict in ("legal", "undecided", "incomplete", "illegal")


def test_a_partner_that_is_private_is_not_shown_to_strangers(pair: tuple[Deck, Deck, Viewer]) -> None:
    Deck.objects.filter(pk=pair[1].pk).update(visibility=Visibility.PRIVATE)
    assert partner_seen_by(pair[2], pair[0]) is None
    assert partner_seen_by(Viewer(key_hash=pair[1].edit_hash), pair[0]) is not None


def test_the_partner_names_the_deck_back_only_for_its_own_author(
    django_user_model: Any, pair: tuple[Deck, Deck, Viewer]
) -> None:
    agency, mission, _ = pair
    Deck.objects.filter(pk=agency.pk).update(visibility=Visibility.PUBLIC)
    assert partner_seen_by(Viewer(), mission) is None
    owner = django_user_model.objects.create_user("author")
    Deck.objects.update(owner=owner)
    assert (partner := partner_seen_by(Viewer(), Deck.objects.get(pk=mission.pk))) and partner.deck == agency


def test_an_unlisted_deck_is_not_betrayed_by_the_one_it_names(
    django_user_model: Any, pair: tuple[Deck, Deck, Viewer]
) -> None:
    Deck.objects.update(owner=django_user_model.objects.create_user("author"))
    assert partner_seen_by(Viewer(), Deck.objects.get(pk=pair[1].pk)) is None


def test_partners_are_of_one_game_and_of_formats_that_share_no_section(
    pair: tuple[Deck, Deck, Viewer],
) -> None:
    agency, mission, _ = pair
    other, _ = kept("xfiles", starter("xfiles", "deck-mulder"))
    assert partner_problem(agency, mission) == ""
    assert "its own partner" in partner_problem(agency, agency)
    assert "another game" in partner_problem(agency, other)
    second, _ = kept("spycraft", starter("spycraft", "nine-tiger"), "agency")
    assert "its format must be" in partner_problem(agency, second)
