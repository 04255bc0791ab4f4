"""The print page: what holds for the next print, measured printers, versions, errors in words, decks without
cards.
"""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import Deck, new_deck
from decks.models.deck import Visibility
from printing.models import PrinterCalibration
from printing.options.values import read_options
from printing.request.settings import PRESETS, applied, options_of
from tests.support.pages import Page, page, page_of
from tests.support.saved_decks import save_list

LIVE = {"HX-Request": "true"}


def stored(name: str, text: str) -> Deck:
    made, _ = new_deck()
    save_list(made, judge_text(games()["spycraft"], text), name=name)
    Deck.objects.filter(pk=made.pk).update(visibility=Visibility.PUBLIC)
    return made


@pytest.fixture
def deck(db: None) -> Deck:
    """A public deck of 59 cards: a starter."""
    return stored(
        "Nine Tiger", next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger").text
    )


@pytest.fixture
def author(client: Client, deck: Deck) -> Client:
    """A browser with an account, which owns the deck and one printer."""
    user = get_user_model().objects.create_user("mara", "mara@example.org", "correct horse battery")
    client.force_login(user)
    Deck.objects.filter(pk=deck.pk).update(owner=user)
    PrinterCalibration.objects.create(owner=user, name="Office", paper="letter", x=400, y=-200, turn=15)
    return client


def test_slots_copies_and_sides_of_one_print_are_not_those_of_the_next(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}&paper=letter&copies=2&side=fronts&start=4&skip=2")
    form = page(client, f"/print/?deck={deck.link}", follow=True).one("form", id="print-form").sent
    assert [form[name] for name in ("start", "skip", "copies", "side", "paper")] == [
        "1",
        "",
        "1",
        "both",
        "letter",
    ]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_changes_only_what_it_names(preset: object) -> None:
    now = read_options(
        {"ink": "grey", "backs": "short", "margin": "8", "gap": "3", "qr": "page", "copies": "2"}
    )
    options = applied(preset, now, {}, games()["spycraft"].trim)  # type: ignore[arg-type]
    changed = {name for name in vars(now) if getattr(now, name) != getattr(options, name)}
    assert changed <= {*preset.settings, *(("paper",) if preset.one_card else ())}  # type: ignore[attr-defined]


def test_a_printer_fills_in_its_paper_and_its_numbers(author: Client, deck: Deck) -> None:
    printer = PrinterCalibration.objects.get()
    fields = {"deck": deck.link, "paper": "a4", "back_x": "0", "printer": str(printer.pk), "printer_was": ""}
    address = author.get("/print/", fields)["Location"]
    assert address == f"/print/?deck={deck.link}&{urlencode(options_of(printer))}"
    assert page(author, address).field("printer").value == str(printer.pk)
    swapped = author.get("/print/", fields, headers=LIVE)
    assert swapped["HX-Retarget"] == "#print-page" and page_of(swapped).field("paper").value == "letter"


def test_a_printer_chosen_before_does_not_undo_what_is_changed_after_it(author: Client, deck: Deck) -> None:
    number = str(PrinterCalibration.objects.get().pk)
    fields = {"deck": deck.link, "paper": "a3", "back_x": "1", "printer": number, "printer_was": number}
    assert author.get("/print/", fields)["Location"] == f"/print/?deck={deck.link}&paper=a3&back_x=1"


def test_a_printer_of_somebody_else_is_not_there(author: Client, deck: Deck) -> None:
    answer = Client().get("/print/", {"deck": deck.link, "printer": str(PrinterCalibration.objects.get().pk)})
    assert answer.status_code == 400 and "no longer kept" in answer.content.decode()


def test_from_calibration_back_to_the_deck_printed_last(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}")
    assert (
        client.get("/print/?paper=a4&back_x=0.4")["Location"]
        == f"/print/?deck={deck.link}&paper=a4&back_x=0.4"
    )
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PRIVATE)
    assert client.get("/print/?paper=a4&back_x=0.4").status_code == 200


def test_the_author_picks_a_version_and_others_type_none(author: Client, deck: Deck) -> None:
    save_list(Deck.objects.get(pk=deck.pk), judge_text(games()["spycraft"], "2 Kai"), name="Nine Tiger")
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PUBLIC)
    versions = page(author, f"/print/?deck={deck.link}", follow=True).one("select", name="since")
    assert any("As first stored" in version.text for version in versions.all("option"))
    assert not page(Client(), f"/print/?deck={deck.link}", follow=True).has("select", name="since")


def test_no_sheet_says_version_0(client: Client, deck: Deck) -> None:
    Deck.objects.filter(pk=deck.pk).update(revision=0)
    assert "version 0" not in page(client, f"/print/?deck={deck.link}&paper=a4").text


def test_another_size_is_waited_for(client: Client, deck: Deck) -> None:
    fields = {"deck": deck.link, "trim": "other", "trim_other": ""}
    assert client.get("/print/", fields, headers=LIVE).status_code == 204
    refused = Page(client.get("/print/", fields))
    assert refused.text.count("Card size: write width x height in mm, 15 to 200 each.") == 2
    assert refused.field("trim_other")["aria-invalid"] == "true"


def test_an_error_calls_the_field_as_the_form_does(client: Client, deck: Deck) -> None:
    told = page(client, "/print/", {"deck": deck.link, "gap_y": "99"}, headers=LIVE)
    message = told.one("li", data_field="gap_y").text
    assert message.count("Gap between rows") == 1 and "ap_y must" not in message


def test_a_deck_without_cards_keeps_its_name_and_the_way_back(client: Client, db: None) -> None:
    empty, _ = new_deck()
    save_list(empty, judge_text(games()["spycraft"], ""), name="Plans", visibility=Visibility.PUBLIC)
    read = page(client, f"/print/?deck={empty.link}", status=400, follow=True)
    assert read.has("h1", text="Print Plans")
    assert read.one("a", class_="button", text="Open Plans")["href"] == f"/decks/{empty.link}/"


def test_several_decks_have_a_short_heading(client: Client, deck: Deck) -> None:
    links = ",".join((deck.link, stored("Second", "1 Li").link, stored("Third", "1 Kai").link))
    assert page(client, f"/print/?deck={links}&paper=a4").has("h1", text="Print Nine Tiger and 2 more")


def test_enter_never_chooses_a_preset_or_a_download(client: Client, deck: Deck) -> None:
    first = page(client, f"/print/?deck={deck.link}", follow=True).all("button", form="print-form")[0]
    assert (first.get("formaction"), first.get("name"), first.get("value")) == (None, None, None)


# -- what can be printed besides the cards ---------------------------------------------------


def extras_of(page: Page) -> set[str]:
    return {box["value"] for box in page.all("input", type="checkbox", name="extras")}


@pytest.mark.django_db
@pytest.mark.parametrize("slug", sorted(games()))
def test_only_what_the_game_has_is_offered_besides_its_cards(client: Client, slug: str) -> None:
    game, has = games()[slug], games()[slug].print_extras
    read = page_of(client.post("/print/", {"game": slug, "text": game.starters[0].text}))
    tokens, scores = bool(has.markers), bool(has.scores or has.card_tables)
    assert extras_of(read) == {"reference", "labels", "box", "register"} | (
        {"tokens"} if tokens else set()
    ) | ({"scores"} if scores else set())


@pytest.mark.django_db
def test_what_was_asked_for_and_is_not_there_can_be_unticked(client: Client) -> None:
    slug = next(slug for slug, game in games().items() if not game.print_extras.scores)
    fields = {"game": slug, "text": games()[slug].starters[0].text, "extras": "scores"}
    read = Page(client.post("/print/", fields))
    assert "scores" in extras_of(read) and "has no score sheet" in read.text


@pytest.mark.django_db
def test_single_cards_have_neither_label_nor_register(client: Client) -> None:
    assert not {"labels", "box", "register"} & extras_of(
        page(client, "/print/?card=spycraft/kai", follow=True)
    )


# -- codes that lead back -------------------------------------------------------------------


@pytest.mark.parametrize("visibility", list(Visibility))
def test_the_setting_of_the_code_says_that_others_cannot_open_a_private_decks_page(
    author: Client, deck: Deck, visibility: Visibility
) -> None:
    Deck.objects.filter(pk=deck.pk).update(visibility=visibility)
    read = page(author, f"/print/?deck={deck.link}&paper=a4")
    field = read.one("select", id="f-qr")
    is_private = visibility == Visibility.PRIVATE
    choices = [choice.text for choice in field.all("option")]
    assert choices[1] == (
        "To the deck's page, which opens for you alone" if is_private else "To the deck's page"
    )
    assert ("“Nine Tiger” is private" in read.one(id=field["aria-describedby"]).text) == is_private


def test_a_code_on_a_label_alone_is_warned_of_as_well(author: Client, deck: Deck) -> None:
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PRIVATE)
    read = page(author, f"/print/?deck={deck.link}&paper=a4&extras=labels")
    assert any(
        "is private: its page opens for you alone" in remark.text
        for remark in read.one(id="remarks").all("li")
    )
