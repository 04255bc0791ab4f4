"""Print requests: reading all fields into one value, with the first fault as its refusal."""

from dataclasses import replace

import pytest
from django.http import Http404, QueryDict

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from printing.options.values import read_options
from printing.request.assembly import build_job
from printing.request.print_request import OWN, Brought, PrintFields, PrintRequest
from printing.request.settings import SavedSettings
from tests.support.made_decks import named_deck

LIST = "game=spycraft&text=5+Kai%0A4+Termite"
UNKNOWN_CARD = "game=spycraft&text=1+Nobody"


def fields(query: str, *, last: dict[str, str] | None = None) -> PrintFields:
    """The fields of this query. ``last``: the saved settings of the last print."""
    return PrintFields(
        QueryDict(query), pasted="text=" in query, viewer=Viewer(), saved=SavedSettings(last or {})
    )


def codes(refused: object) -> list[str]:
    assert isinstance(refused, Refused)
    return [fault.code for fault in refused.faults]


@pytest.mark.django_db
def test_a_request_has_its_lists_options_and_selections():
    request = PrintRequest.parse(fields(f"{LIST}&paper=a3&copies=2&counts=kai%3D1&preset=duplex"))
    assert request.game.slug == "spycraft" and request.list_fields == {"game": "spycraft", "format": ""}
    assert (request.options.paper.slug, request.options.copies, request.options.backs) == ("a3", 2, "long")
    assert [entry.count for chosen in request.selections for entry in chosen.entries] == [1, 4]
    assert build_job(request).cards == 10


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "code"),
    [
        (UNKNOWN_CARD, "unknown_card"),
        (f"{LIST}&paper=zz", "bad_option"),
        (f"{LIST}&only=t%3A", ""),
        (f"{LIST}&printer=7", "unknown_printer"),
        ("", "nothing_asked"),
        # Of two faults, that of the options comes before that of the lists.
        (f"{UNKNOWN_CARD}&paper=zz", "bad_option"),
        (f"{UNKNOWN_CARD}&printer=7", "unknown_printer"),
    ],
)
def test_a_fault_is_the_refusal_that_building_the_job_raises(query, code):
    parsed = PrintRequest.parse(fields(query))
    assert not code or codes(parsed.refusal) == [code]
    with pytest.raises(Refused) as caught:
        build_job(parsed)
    assert caught.value is parsed.refusal


@pytest.mark.django_db
def test_lists_are_read_beside_wrong_options_and_options_beside_wrong_lists():
    parsed = PrintRequest.parse(fields(f"{LIST}&paper=a3&trim=zz"))
    assert parsed.lists and parsed.words == {"paper": "a3", "trim": "zz"}
    without_lists = PrintRequest.parse(fields(f"{UNKNOWN_CARD}&paper=a3"))
    assert not without_lists.lists and without_lists.settings.paper.slug == "a3"
    assert without_lists.list_fields == {"game": "spycraft", "format": ""}


@pytest.mark.django_db
def test_options_that_cannot_be_read_are_those_of_the_last_print():
    # A preset depends on the size of the cards, which is unknown here.
    parsed = PrintRequest.parse(fields(f"{UNKNOWN_CARD}&preset=duplex", last={"paper": "letter"}))
    assert codes(parsed.refusal) == ["unknown_card"] and parsed.words == {"paper": "letter"}
    with pytest.raises(Refused):
        _ = parsed.settings


@pytest.mark.django_db
def test_a_hidden_or_missing_deck_is_not_found_whatever_else_is_wrong(client):
    deck = named_deck(client, "Mine", "5 Kai", visibility="private")
    for query in (f"deck={deck.link}", f"deck={deck.link}&paper=zz", "deck=no-such-deck"):
        with pytest.raises(Http404):
            PrintRequest.parse(fields(query))


def test_the_remembered_address_has_the_saved_settings():
    assert fields("deck=x", last={"paper": "a3"}).as_remembered == "deck=x&paper=a3"
    assert fields("deck=x").as_remembered == ""


@pytest.mark.django_db
def test_a_deck_is_taken_out_with_the_counts_of_its_cards(client):
    one, other = (
        named_deck(client, "One", "5 Kai", visibility="public"),
        named_deck(client, "Other", "4 Termite", visibility="public"),
    )
    sent = fields(f"deck={one.link},{other.link}&without={other.link}&counts=kai%3D2,termite%3D1")
    assert sent.subject == [("deck", one.link)]
    with_card = fields(f"deck={other.link}&card=spycraft%2Fkai&without={other.link}")
    assert with_card.subject == [("card", "spycraft/kai")]
    request = PrintRequest.parse(sent)
    assert (request.lists[0].title, build_job(request).cards) == ("One", 2)


@pytest.mark.django_db
@pytest.mark.parametrize("more", ["paper=a4", "paper=zz", "paper=a4&only=zz%3Ayy&only=zz%3Ayy"])
def test_the_button_of_a_card_sets_its_copies_even_if_other_fields_are_wrong(more):
    parsed = PrintRequest.parse(fields(f"{LIST}&copies_of=spycraft%2Fkai%3A3&{more}"))
    assert parsed.words["counts"] == "spycraft/kai=3"


@pytest.mark.django_db
def test_ticked_boxes_of_one_option_are_read_together():
    parsed = PrintRequest.parse(fields(f"{LIST}&extras=tokens&extras=labels"))
    assert parsed.words["extras"] == "tokens,labels" and parsed.options.extras == ("tokens", "labels")


@pytest.mark.django_db
def test_another_size_is_read_from_the_field_beside():
    parsed = PrintRequest.parse(fields(f"{LIST}&trim=other&trim_other=60x85"))
    assert parsed.words["trim"] == "60x85"
    assert PrintRequest.parse(fields(f"{LIST}&trim=other&trim_other=")).words["trim"] == "other"


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "paper"), [("Hall", "a3"), ("gone", "letter")])
def test_saved_settings_replace_all_options_except_those_of_one_print(name, paper):
    sent = PrintFields(
        QueryDict(f"{LIST}&preset={OWN}{name}&paper=letter&copies=2&counts=kai%3D1"),
        pasted=True,
        viewer=Viewer(),
        saved=SavedSettings({}, (("Hall", {"paper": "a3", "copies": "3"}),)),
    )
    options = PrintRequest.parse(sent).options
    assert options.paper.slug == paper and [count.number for count in options.counts] == [1]


@pytest.mark.django_db
def test_a_refused_request_stays_refused_if_its_options_are_replaced():
    request = PrintRequest.parse(fields(UNKNOWN_CARD))
    with pytest.raises(Refused) as refused:
        build_job(request, read_options({}))
    assert refused.value is request.refusal


@pytest.mark.django_db
def test_options_that_cannot_be_printed_are_refused_with_the_field_at_fault():
    with pytest.raises(Refused) as refused:
        build_job(PrintRequest.parse(fields(LIST)), read_options({"trim": "200x200", "paper": "150x150"}))
    assert [(fault.code, fault.where) for fault in refused.value.faults] == [("bad_option", "trim")]


@pytest.mark.django_db
def test_texts_that_come_with_a_request_are_printed_and_not_stored():
    brought = Brought("spycraft", {"kai": "It counts double on Tuesdays."})
    job = build_job(PrintRequest.parse(replace(fields(LIST), own=brought)))
    assert [card.text for card, _ in job.entries if card.code == "kai"] == [brought.texts["kai"]]
