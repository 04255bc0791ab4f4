"""The print page: settings that go together, and settings that are remembered."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import signing
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from decks.models import Deck
from printing.job.job import Job
from printing.layout.imposition import layout_for
from printing.options.sizes import STOCKS
from printing.options.values import read_options
from printing.request import print_request
from printing.request.settings import COOKIE, PRESETS, applied
from tests.support.pages import Page, page_of
from tests.support.print_lists import parse_lists
from tests.support.print_pages import LIST, chosen, deck, shown, shown_list

__all__ = ["deck"]

# Settings are kept in a cookie, in no database.
pytestmark = pytest.mark.engine("sqlite")


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_prints_and_knows_itself(preset: Any) -> None:
    now, game = read_options({"paper": "letter", "copies": "2", "back_x": "0.4"}), games()["spycraft"]
    options = applied(preset, now, "letter", game.trim)
    assert applied(preset, options, "letter", game.trim) == options
    assert (options.copies, options.back_x) == (2, 400)
    assert Job(game, ((game.cards[0], 3),), options=options).sheets


def test_from_one_card_a_page_back_to_sheets_of_the_usual_paper() -> None:
    page = applied(PRESETS["service"], read_options({"paper": "letter"}), "letter", (63_500, 88_900))
    assert page.paper.lengths == (69_850, 95_250)
    assert applied(PRESETS["scissors"], page, "letter", (63_500, 88_900)).paper.slug == "letter"


@pytest.mark.parametrize("paper", ["letter", "330x483"])
@pytest.mark.parametrize(
    "preset",
    [
        slug
        for slug, one in PRESETS.items()
        if not one.one_card and set(one.settings) != {"style"} and "paper" not in one.settings
    ],
)
def test_a_preset_of_sheets_means_the_same_after_one_card_a_page(
    client: Client, deck: Deck, preset: str, paper: str
) -> None:
    def after(address: str, preset: str) -> str:
        """The address that the preset leads to from the page at this one."""
        client.get(address)
        return str(client.get(f"{address}&preset={preset}")["Location"])

    here = f"/print/?deck={deck.link}&paper={paper}"
    at_once = after(here, preset)
    # A setting is changed by hand in between: the page is one of one card all the same.
    later = after(f"{after(here, 'service')}&corner=2", preset).replace("&corner=2", "")
    assert later == at_once and f"&paper={paper}" in later
    assert (
        f"&paper={paper}"
        in client.get(f"/print/?deck={deck.link}&paper=69.85x95.25&preset={preset}")["Location"]
    )


@pytest.mark.parametrize("slug", STOCKS)
def test_perforated_paper_is_taken_from_a_page_of_one_card_too_and_left_by_the_usual_settings(
    slug: str,
) -> None:
    page = applied(PRESETS["service"], read_options({}), "letter", (63_500, 88_900))
    stock = applied(PRESETS[slug], page, "letter", (63_500, 88_900))
    layout = layout_for(stock, stock.trim.lengths)  # type: ignore[union-attr]
    assert (layout.columns, layout.rows, layout.turned) == (2, 5, True)
    block, paper = layout.block, layout.paper
    assert (block.x, block.y) == (paper.width - block.right, paper.height - block.bottom)
    usual = applied(PRESETS["usual"], stock, "letter", (63_500, 88_900))
    assert (usual.block, usual.left, usual.top, usual.trim) == (None, None, None, None)


def test_a_paper_of_the_visitors_own_that_holds_two_cards_is_no_page_of_one() -> None:
    now = read_options({"paper": "140x100", "margin": "0", "header": "no"})
    assert applied(PRESETS["usual"], now, "letter", (63_500, 88_900)).paper.slug == "140x100"


def test_the_last_settings_are_the_next_ones(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}&paper=letter&backs=short")
    answer = client.get(f"/print/?deck={deck.link}")
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=letter&backs=short"
    page = shown(client, answer["Location"])
    assert (chosen(page, "paper"), chosen(page, "backs")) == ("letter", "short")
    assert chosen(shown(client, f"/print/?deck={deck.link}&paper=a4"), "backs") == "none"


@pytest.mark.django_db
def test_a_printers_calibration_is_kept_for_the_next_print(client: Client) -> None:
    client.get("/print/?paper=letter&backs=long")
    assert "kept for your next print" in shown(client, "/print/?back_x=0.4&back_y=-0.2").text
    page = shown_list(client)
    assert [chosen(page, name) for name in ("paper", "backs", "back_x", "back_y")] == [
        "letter",
        "long",
        "0.4",
        "-0.2",
    ]


@pytest.mark.parametrize(
    ("language", "paper"),
    [("en-US,en;q=0.9", "letter"), ("en-GB", "a4"), ("de", "a4"), ("us", "a4"), ("", "a4")],
)
def test_who_was_never_here_gets_the_paper_of_their_country(
    client: Client, deck: Deck, language: str, paper: str
) -> None:
    answer = client.get(f"/print/?deck={deck.link}", headers={"Accept-Language": language}, follow=True)
    assert chosen(Page(answer), "paper") == paper


@pytest.mark.django_db
@settings(deadline=None, max_examples=30)
@given(
    cookie=st.text(
        alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='",;\\'), max_size=60
    )
)
def test_a_cookie_of_somebody_elses_making_is_none(cookie: str) -> None:
    client = Client()
    client.cookies["printing"] = cookie
    assert client.get("/print/?paper=a4").status_code == 200


def test_what_the_site_signed_for_another_purpose_counts_as_none(client: Client, deck: Deck) -> None:
    page = f"/print/?deck={deck.link}"
    usual = chosen(shown(client, f"{page}&paper=a4"), "paper")
    client.get(f"{page}&paper=letter")
    kept = signing.loads(client.cookies["printing"].value, salt=COOKIE.salt)
    assert chosen(Page(client.get(page, follow=True)), "paper") != usual
    client.cookies["printing"] = signing.dumps(kept, salt=f"{COOKIE.salt}x", compress=True)
    assert chosen(Page(client.get(page, follow=True)), "paper") == usual


def test_settings_are_kept_under_a_name_and_forgotten(client: Client, deck: Deck) -> None:
    answer = client.post(
        "/print/presets/", {"deck": deck.link, "paper": "a3", "gap": "2", "name": "Office <b>"}
    )
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&gap=2#presets"
    raw = client.get(f"/print/?deck={deck.link}&paper=a4").content.decode()
    assert 'value="own:Office &lt;b&gt;"' in raw
    answer = client.get(
        "/print/", {"deck": deck.link, "paper": "a4", "copies": "2", "preset": "own:Office <b>"}
    )
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&copies=2&gap=2"
    client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "forget": "Office <b>"})
    assert "Office <b>" not in shown(client, f"/print/?deck={deck.link}&paper=a4").text


@pytest.mark.django_db
def test_settings_of_a_pasted_list_are_kept_and_chosen_without_losing_the_list(client: Client) -> None:
    page = page_of(client.post("/print/presets/", LIST | {"paper": "a3", "gap": "2", "name": "Office"}))
    assert page.field("text").value == LIST["text"]
    assert page.one("button", value="own:Office")["aria-pressed"] == "true"
    again = shown_list(client, preset="own:Office", paper="a4")
    assert (chosen(again, "paper"), chosen(again, "gap")) == ("a3", "2")
    assert chosen(shown_list(client, preset="fold", paper="letter"), "backs") == "gutterfold"


@pytest.mark.django_db
def test_a_list_that_is_refused_is_read_once_for_the_whole_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []
    monkeypatch.setattr(
        print_request,
        "parse_lists",
        lambda *given, **named: read.append(given) or parse_lists(*given, **named),
    )
    assert client.post("/print/", {"game": "spycraft", "text": "1 Nobody", "paper": "a4"}).status_code == 400
    assert len(read) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"text": "1 Nobody"},
        {"only": "none"},
        {"counts": "zz=1"},
        {"trim": "200x200", "paper": "60x60"},
        {"game": "chess"},
        {"format": "chess"},
    ],
)
def test_settings_are_kept_beside_a_list_that_cannot_be_printed(
    client: Client, fields: dict[str, str]
) -> None:
    sent = LIST | {"paper": "a3"} | fields
    answer = client.post("/print/presets/", {**sent, "name": "Office"})
    page = answer.content.decode()
    assert answer.status_code == 400 and "This cannot be printed yet" in page
    assert f"{sent['text']}</textarea>" in page and 'value="own:Office"' in page
    assert 'value="own:Office"' in client.post("/print/", LIST).content.decode()
    answer = client.post("/print/presets/", {**sent, "forget": "Office"})
    assert answer.status_code == 400 and 'value="own:Office"' not in answer.content.decode()
    assert 'value="own:Office"' not in client.post("/print/", LIST).content.decode()


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "\u202e"])
def test_settings_need_a_name_that_can_be_read(client: Client, deck: Deck, name: str) -> None:
    answer = client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "name": name})
    assert answer.status_code == 400 and b"This cannot be printed yet" not in answer.content


def test_one_keeps_ten_settings_and_no_more(client: Client, deck: Deck) -> None:
    sent = [
        client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "name": f"No {number}"}).status_code
        for number in range(11)
    ]
    assert sent == [302] * 10 + [400]


@pytest.mark.parametrize("slug", STOCKS)
@pytest.mark.parametrize("after", PRESETS)
def test_every_preset_prints_after_perforated_paper(slug: str, after: str) -> None:
    game, now = games()["spycraft"], read_options({})
    for preset in (PRESETS[slug], PRESETS[after]):
        now = applied(preset, now, "letter", game.trim)
    assert Job(game, ((game.cards[0], 3),), options=now).sheets


def test_a_page_of_one_card_has_no_back_beside_it() -> None:
    fold = applied(PRESETS["fold"], read_options({}), "a4", (63_500, 88_900))
    assert applied(PRESETS["service"], fold, "a4", (63_500, 88_900)).backs == "none"


@pytest.mark.parametrize("slug", STOCKS)
def test_cards_on_perforated_paper_are_as_large_as_its_perforations(slug: str) -> None:
    stock = applied(PRESETS[slug], read_options({"sleeves": "yes"}), "a4", (63_500, 88_900))
    assert not stock.sleeves
