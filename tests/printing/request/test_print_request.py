"""A print request is read once: all of it is a value, or what is wrong with it is."""

from __future__ import annotations

import pytest
from django.http import Http404, QueryDict

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from printing.options.values import read_options
from printing.request.assembly import build_job
from printing.request.print_request import OWN, PrintFields, PrintRequest
from printing.request.settings import SavedSettings
from tests.support.made_decks import named_deck

LIST = "game=spycraft&text=5+Kai%0A4+Termite"
NOBODY = "game=spycraft&text=1+Nobody"


def fields(query: str, *, last: dict[str, str] | None = None) -> PrintFields:
    return PrintFields(QueryDict(query), "text=" in query, Viewer(), saved=SavedSettings(last or {}))


def codes(refused: object) -> list[str]:
    assert isinstance(refused, Refused)
    return [fault.code for fault in refused.faults]


@pytest.mark.django_db
def test_all_of_a_request_is_one_value():
    request = PrintRequest.parse(fields(f"{LIST}&paper=a3&copies=2&counts=kai%3D1"))
    assert (request.game.slug, request.options.paper.slug, request.options.copies) == (
        "spycraft",
        "a3",
        2,
    )
    assert [entry.count for one in request.selections for entry in one.entries] == [1, 4]
    assert build_job(request).cards == 10
    assert PrintRequest.parse(fields(f"{LIST}&preset=duplex")).options.backs == "long"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "code"),
    [
        (NOBODY, "unknown_card"),
        (f"{LIST}&paper=zz", "bad_option"),
        (f"{LIST}&only=t%3A", ""),
        (f"{LIST}&printer=7", "unknown_printer"),
        ("", "nothing_asked"),
        # The first of two faults is told: of options before that of lists.
        (f"{NOBODY}&paper=zz", "bad_option"),
        (f"{NOBODY}&printer=7", "unknown_printer"),
    ],
)
def test_what_is_wrong_is_held_and_raised_once(query, code):
    parsed = PrintRequest.parse(fields(query))
    assert not code or codes(parsed.refusal) == [code]
    with pytest.raises(Refused) as caught:
        build_job(parsed)
    assert caught.value is parsed.refusal


@pytest.mark.django_db
def test_what_can_be_read_is_there_beside_what_cannot():
    parsed = PrintRequest.parse(fields(f"{LIST}&paper=a3&trim=zz"))
    assert parsed.lists and parsed.words == {"paper": "a3", "trim": "zz"}
    without_lists = PrintRequest.parse(fields(f"{NOBODY}&paper=a3"))
    assert not without_lists.lists and without_lists.settings.paper.slug == "a3"
    assert without_lists.list_fields == {"game": "spycraft", "format": ""}


@pytest.mark.django_db
def test_a_form_shows_the_last_print_where_the_words_of_a_request_cannot_be_read():
    # A preset goes by the size of cards that nobody knows.
    parsed = PrintRequest.parse(fields(f"{NOBODY}&preset=duplex", last={"paper": "letter"}))
    assert codes(parsed.refusal) == ["unknown_card"] and parsed.words == {"paper": "letter"}
    with pytest.raises(Refused):
        _ = parsed.settings


@pytest.mark.django_db
def test_a_deck_that_the_visitor_may_not_see_is_not_there(client):
    deck = named_deck(client, "Mine", "5 Kai", visibility="private")
    for query in (f"deck={deck.link}", f"deck={deck.link}&paper=zz", "deck=no-such-deck"):
        with pytest.raises(Http404):
            PrintRequest.parse(fields(query))


def test_fields_that_nobody_looks_into_have_the_reason_and_the_settings_that_are_remembered():
    reason = Refused()
    asked = fields("deck=x", last={"paper": "a3"})
    parsed = PrintRequest.unread(asked, reason)
    assert parsed.refusal is reason and not parsed.lists and parsed.words == {"paper": "a3"}
    assert (asked.as_remembered, fields("deck=x").as_remembered) == ("deck=x&paper=a3", "")


@pytest.mark.django_db
def test_decks_that_are_taken_out_of_a_request_are_not_printed_and_counts_of_their_cards_go(client):
    one, other = (
        named_deck(client, "One", "5 Kai", visibility="public"),
        named_deck(client, "Other", "4 Termite", visibility="public"),
    )
    asked = fields(f"deck={one.link},{other.link}&without={other.link}&counts=kai%3D2,termite%3D1")
    assert asked.subject == [("deck", one.link)]
    request = PrintRequest.parse(asked)
    assert (request.lists[0].title, build_job(request).cards) == ("One", 2)


@pytest.mark.django_db
@pytest.mark.parametrize("more", ["paper=a4", "paper=zz", "paper=a4&only=zz%3Ayy&only=zz%3Ayy"])
def test_the_button_of_a_card_counts_whatever_else_cannot_be_read(more):
    parsed = PrintRequest.parse(fields(f"{LIST}&copies_of=spycraft%2Fkai%3A3&{more}"))
    assert parsed.words["counts"] == "spycraft/kai=3"


@pytest.mark.django_db
def test_a_size_of_ones_own_stands_in_the_field_beside():
    parsed = PrintRequest.parse(fields(f"{LIST}&trim=other&trim_other=60x85"))
    assert parsed.words["trim"] == "60x85"
    assert PrintRequest.parse(fields(f"{LIST}&trim=other&trim_other=")).words["trim"] == "other"


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "paper"), [("Hall", "a3"), ("gone", "letter")])
def test_settings_of_ones_own_are_used_for_all_but_what_is_of_one_print(name, paper):
    asked = PrintFields(
        QueryDict(f"{LIST}&preset={OWN}{name}&paper=letter&copies=2&counts=kai%3D1"),
        True,
        Viewer(),
        saved=SavedSettings({}, (("Hall", {"paper": "a3", "copies": "3"}),)),
    )
    options = PrintRequest.parse(asked).options
    assert options.paper.slug == paper and [one.number for one in options.counts] == [1]


@pytest.mark.django_db
def test_with_other_options_a_refused_request_is_refused_too_and_what_cannot_be_printed_by_its_field():
    request = PrintRequest.parse(fields(NOBODY))
    with pytest.raises(Refused) as refused:
        build_job(request, read_options({}))
    assert refused.value is request.refusal
    with pytest.raises(Refused) as refused:
        build_job(PrintRequest.parse(fields(LIST)), read_options({"trim": "200x200", "paper": "150x150"}))
    assert [(fault.code, fault.where) for fault in refused.value.faults] == [("bad_option", "trim")]
