"""The form of the print page: every option once, options without effect left out, the visitor's versions, and
decks to add and take out.
"""

from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY
from decks.models import Favourite
from printing.models import PastPrint
from printing.options.values import NAMED, OPTIONS, Option
from printing.request.lists import MAX_DECKS
from printing.request.print_request import PrintFields, PrintRequest
from printing.web.form import Field, form_for
from tests.support.made_decks import named_deck
from tests.support.pages import Page, page, page_of
from tests.support.print_decks import edit
from tests.support.print_pages import chosen, laid, shown_list


def another_value(option: Option) -> str:
    """A value that is not the default."""
    if option.choices and option.kind in ("choice", "several", "size"):
        return next(value for value in option.choices if value not in ("", option.default))
    if option.kind == "flag":
        return "no" if option.default == "yes" else "yes"
    named = {"only": "type:agent", "counts": "kai=3"}
    return named.get(option.name, {"length": "0.5", "percent": "101", "grid": "2x5"}.get(option.kind, "3"))


def fields_of(words: dict[str, str]) -> list[Field]:
    """The fields of a form for these options and no cards."""
    form = form_for(PrintRequest(PrintFields(QueryDict(), pasted=False, viewer=NOBODY), words=words))
    return [*form.common, *(field for group in form.groups for field in group.fields)]


def request_for(**fields: str) -> PrintRequest:
    sent = QueryDict(mutable=True)
    sent.update(fields)
    return PrintRequest.parse(PrintFields(sent, pasted="text" in fields, viewer=NOBODY))


def extras_of(**fields: str) -> set[str]:
    """The extras that the form of this request offers."""
    form = form_for(request_for(**fields))
    (extras,) = [field for group in form.groups for field in group.fields if field.name == "extras"]
    return {*extras.choices}


# -- options -------------------------------------------------------------------------------


def test_every_option_is_in_the_form_once():
    assert Counter(field.name for field in fields_of({"since": "1"})) == dict.fromkeys(NAMED, 1)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_field_shows_the_value_of_the_request(option):
    value = another_value(option)
    (field,) = [field for field in fields_of({option.name: value}) if field.name == option.name]
    if option.kind == "flag":
        assert field.checked == (value == "yes")
    elif option.kind == "several":
        assert field.ticked == {value}
    else:
        assert field.selected == value
    assert field.changed


@pytest.mark.django_db
def test_the_page_has_each_kind_of_field_with_its_value(client):
    sent = {"backs": "long", "gap": "0.5", "copies": "3", "skip": "2,5", "header": "no", "only": "type:agent"}
    page = shown_list(client, **sent, paper="150x220", extras="reference")
    assert {name: chosen(page, name) for name in sent} == sent
    assert (chosen(page, "paper"), chosen(page, "paper_other")) == ("other", "150x220")
    assert page.one("input", name="extras", value="reference").get("checked") is not None


def test_no_option_has_the_name_of_another_field_of_the_form():
    taken = {"deck", "card", "starter", "game", "format", "text", "sheet", "preset", "name", "forget"}
    assert not taken & set(NAMED)


def test_a_box_that_is_not_ticked_sends_no(client, deck):
    page = laid(client, deck)
    for option in OPTIONS:
        if option.kind == "flag":
            boxes = [(field["type"], field["value"]) for field in page.all("input", name=option.name)]
            assert boxes == [("hidden", "no"), ("checkbox", "yes")]


def test_enter_in_a_field_shows_the_sheets(client, deck):
    """Enter presses the first button of a form, which therefore has no action or value of its own."""
    first = laid(client, deck).all("button", form="print-form")[0]
    assert (first.get("formaction"), first.get("name"), first.get("value")) == (None, None, None)


# -- options with an effect here -----------------------------------------------------------


@pytest.mark.django_db
def test_only_extras_that_the_game_has_are_offered():
    for slug, game in games().items():
        has = game.print_extras
        tokens, scores = bool(has.markers), bool(has.scores or has.card_tables)
        wanted = {"tokens"} if tokens else set()
        wanted |= {"scores"} if scores else set()
        wanted |= {"reference", "labels", "box", "register"}
        assert extras_of(game=slug, text=game.starters[0].text) == wanted, slug


@pytest.mark.django_db
def test_an_extra_without_effect_that_was_requested_can_be_unticked(client):
    slug = next(slug for slug, game in games().items() if not game.print_extras.scores)
    fields = {"game": slug, "text": games()[slug].starters[0].text, "extras": "scores"}
    assert "scores" in extras_of(**fields)
    assert "has no score sheet" in Page(client.post("/print/", fields)).text


@pytest.mark.django_db
def test_labels_boxes_and_registers_are_not_offered_for_single_cards_and_evenings():
    assert not {"labels", "box", "register"} & extras_of(card="spycraft/kai")
    assert extras_of(evening="steamspy/2") == {"reference", "sheets"}


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_the_option_of_qr_codes_warns_of_a_private_deck(client_of, visibility):
    deck = named_deck(client_of, "Tiger", "2 Kai", visibility=visibility)
    read, is_private = laid(client_of, deck, "&qr=page"), visibility == "private"
    field = read.one("select", id="f-qr")
    alone = ", which opens for you alone" if is_private else ""
    assert field.all("option")[1].text == f"To the deck's page{alone}"
    assert ("“Tiger” is private" in read.one(id=field["aria-describedby"]).text) == is_private


def test_versions_are_offered_to_the_author_alone(client_of, owner):
    deck = named_deck(client_of, "Tiger", "2 Kai")
    edit(deck, owner, kai=3)
    versions = page(client_of, f"/print/?deck={deck.link}", follow=True).one("select", name="since")
    assert any("As first stored" in version.text for version in versions.all("option"))
    no_print = page(client_of, f"/print/?deck={deck.link}&since=print+7", status=400)
    assert no_print.one("select", name="since").one("option", selected=True).text != "One of your prints"
    past = PastPrint.objects.create(owner_id=owner.user_id, cards={str(deck.pk): {}})
    printed = page(client_of, f"/print/?deck={deck.link}&since=print+{past.pk}", follow=True)
    assert printed.one("select", name="since").one("option", selected=True).text == "One of your prints"
    # They are chosen, so nothing says how to type one.
    assert not versions.get("aria-describedby")
    assert not page(Client(), f"/print/?deck={deck.link}", follow=True).has("select", name="since")


# -- several decks on the same sheets --------------------------------------------------------


def buttons(page: Page, name: str) -> dict[str, str]:
    """The values of the buttons with this name, by the name of their deck."""
    pressed = page.one("form", id="print-form").all("button", name=name, formaction="/print/#print-page")
    return {button.one("span", class_="visually-hidden").text: button["value"] for button in pressed}


def printed(client: Client, **fields: object) -> Page:
    return page(client, "/print/", fields, follow=True)


def test_the_page_offers_the_visitors_own_decks_and_favourites_of_any_game(client_of):
    one = named_deck(client_of, "One", "5 Kai")
    named_deck(client_of, "Two", "1 Fox Mulder", game="xfiles", visibility="private")
    liked, strange = named_deck(Client(), "Liked", "2 Kai"), named_deck(Client(), "Strange", "2 Kai")
    gone = named_deck(Client(), "Gone private", "2 Kai", visibility="private")
    for deck in (liked, gone):
        Favourite.objects.create(deck=deck, user=User.objects.get())
    offered = buttons(printed(client_of, deck=one.link), "deck")
    assert set(offered) == {"Two", "Liked"} and strange.link not in offered.values()
    assert not buttons(printed(Client(), deck=one.link), "deck")


def test_a_deck_is_added_and_another_taken_out_and_the_settings_stay(client_of):
    one, two = (named_deck(client_of, name, text).link for name, text in (("One", "5 Kai"), ("Two", "4 Li")))
    assert buttons(printed(client_of, deck=one), "deck") == {"Two": two}
    # A browser sends the deck of the form, and that of the button.
    both = printed(client_of, deck=[one, two], paper="letter")
    assert both.has("h1", text="Print One and 1 more") and "9 cards, 1 sheet" in both.text
    assert not buttons(both, "deck") and buttons(both, "without") == {"One": one, "Two": two}
    taken_out = client_of.get("/print/", {"deck": [one, two], "without": one, "paper": "letter"})
    assert taken_out["Location"] == f"/print/?deck={two}&paper=letter"
    assert not buttons(printed(client_of, deck=two), "without"), "the last deck cannot be taken out"


def test_a_deck_can_be_added_to_a_pasted_list(client_of):
    two = named_deck(client_of, "Two", "4 Termite")
    both = page_of(client_of.post("/print/", {"game": "spycraft", "text": "5 Kai", "deck": two.link}))
    assert "9 cards, 1 sheet" in both.text and buttons(both, "without") == {"Two": two.link}


def test_no_more_decks_are_offered_than_one_print_takes(client_of):
    links = [named_deck(client_of, f"Deck {number}", "1 Kai").link for number in range(MAX_DECKS + 1)]
    full = printed(client_of, deck=links[:MAX_DECKS])
    assert not buttons(full, "deck") and f"{MAX_DECKS} decks at most" in full.text
