"""Repairs of a stored deck and of a pasted list, on pages and over the API: which are offered, made and
refused.
"""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.model.format import last_of
from cardsdb.games.kit.repair.search import barred_by_marks, smallest_repairs
from cardsdb.games.kit.repair.steps import Limits
from cardsdb.models import Card as StoredCard
from decks.check import pasted
from decks.models import Deck
from tests.support.card_lists import four_of_one
from tests.support.made_decks import make_deck, starter
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
AS_AGENCY = {"game": "spycraft", "format": "agency"}
HTMX = {"HX-Request": "true", "HX-Target": "deck"}
AGAIN = "look for repairs once more"


@pytest.fixture
def too_many(agency_text):
    return four_of_one(agency_text)


@pytest.fixture
def deck(client, too_many):
    return make_deck(client, too_many, format="agency")


def offered(shown: Page) -> list[str]:
    """The changes of every repair on a page, as its buttons send them."""
    return [button["value"] for button in shown.all("button", name="change")]


def repair(client: Client, deck: Deck, *changes: str, **more: str) -> Page:
    asked = {"change": list(changes), **more}
    return page_of(client.post(f"/decks/{deck.link}/repair/", asked, follow=True))


def api(client: Client, **asked: Any) -> Any:
    return client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()


# -- a stored deck


@pytest.mark.both_databases
def test_one_button_makes_a_repair_once_and_the_history_has_it(client, deck):
    found = page(client, page(client, f"/decks/{deck.link}/").link("Find the smallest repair"))
    (change, *_) = offered(found)
    assert "The deck is now legal." in repair(client, deck, change).text
    deck.refresh_from_db()
    assert deck.verdict == "legal"
    assert deck.revisions.order_by("-number")[0].kind == "repaired"
    assert "no better than it is now" in repair(client, deck, change).text
    assert Deck.objects.get().revision == deck.revision


def test_each_alternative_card_of_a_repair_has_its_button(client):
    whole = read_deck(GAME, starter("spycraft", "banshee-net")).deck
    # One card short of the 50 that a deck must have.
    short = whole.without(last_of(whole.in_section("deck"), whole.size - 49))
    answer = client.post("/check/repairs/", AS_AGENCY | {"text": write_deck(GAME, short)})
    others = [other.card for other in answer.context["repairs"][0].alternatives]
    buttons = [page_of(answer).one("button", text=card.name)["value"].split() for card in others]
    assert [words[-1] for words in buttons] == [card.code for card in others] != []


def test_the_editors_script_makes_an_offered_repair_and_gets_only_the_deck(client, deck):
    address = f"/decks/{deck.link}/edit/"
    (change, *_) = offered(page(client, address))
    asked = {"edit": "repair", "change": change, "revision": deck.revision}
    part = page_of(client.post(address, asked, headers=HTMX))
    assert not part.has("main")
    assert "-1 " in part.text
    deck.refresh_from_db()
    assert (deck.verdict, deck.revisions.order_by("-number")[0].kind) == ("legal", "repaired")
    assert AGAIN in page_of(client.post(address, asked, headers=HTMX)).text


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    "change", ["", "nonsense", "+0 deck kai", "-1 nowhere kai", "+1 deck no-such-card", "-9 deck termite"]
)
def test_invalid_changes_are_refused_with_a_message(client, deck, change):
    assert AGAIN in repair(client, deck, change).text
    assert Deck.objects.get().revision == deck.revision


# -- over the API


@pytest.mark.both_databases
def test_repairs_do_not_add_retired_cards(client):
    StoredCard.objects.filter(game="spycraft", type="mission").exclude(code="sky-drop").update(retired=True)
    text = starter("spycraft", "mission-deck-base").replace("1 Sky Drop\n", "")
    found = api(client, game="spycraft", format="mission-base", text=text, repair=True)["repairs"]
    assert [repair["message"] for repair in found] == ["Add 1 Sky Drop."]


def test_finding_repairs_takes_a_few_queries(client, agency_text, django_assert_max_num_queries):
    short = "\n".join(line for line in agency_text.splitlines() if not line.startswith(("2 ", "3 ")))
    # Cards of a few types, and their prints.
    with django_assert_max_num_queries(12):
        assert api(client, **AS_AGENCY, text=short, repair=True)["repairs"][0]["verdict"] == "legal"


def test_the_api_gives_repairs_on_request_and_none_with_unread_lines(client, too_many):
    assert "repairs" not in api(client, **AS_AGENCY, text=too_many)
    assert api(client, **AS_AGENCY, text=f"{too_many}\n1 Nobody Knows", repair=True)["repairs"] == []


# -- a pasted list


def test_a_repair_is_called_the_smallest_only_if_proved(client, too_many, monkeypatch):
    asked = AS_AGENCY | {"text": too_many}
    proved = page_of(client.post("/check/", asked)).text
    assert "Apply the smallest repair" in proved
    assert "not proved" not in proved
    monkeypatch.setattr(pasted, "AT_ONCE", replace(pasted.AT_ONCE, judgements=2))
    monkeypatch.setattr(pasted, "USUAL_LIMITS", Limits(judgements=2, seconds=600))
    unproved = page_of(client.post("/check/", asked)).text
    assert "Apply the repair" in unproved
    assert "then legal; not proved the smallest." in unproved
    assert "Smallest repair" not in unproved
    assert "legal; not proved the smallest" in page_of(client.post("/check/repairs/", asked)).text
    found = api(client, **asked, repair=True)["repairs"]
    assert [(repair["verdict"], repair["smallest"]) for repair in found] == [("legal", False)]


def test_repairing_a_pasted_list_changes_only_its_lines_at_fault(client, agency_text):
    """Its comments and unread lines stay as they were."""
    text = f"Night Watch, my own\n{agency_text}\nDeck:\n5 Termite // too many\n1 Nobody Knows This\n"
    shown = page_of(client.post("/check/", {"text": text}))
    beside = shown.one(class_="check-repair").text
    assert "Take out" in beside
    assert "Termite" in beside
    assert "then legal" in beside
    mended = page_of(client.post("/check/repair/", {"text": text, "change": offered(shown)[0]}))
    assert "The repair is made." in mended.text
    lines = (mended.field("text").value or "").replace("\r\n", "\n").split("\n")
    assert "3 Termite // too many" in lines
    assert [line for line in lines if "Termite" not in line] == [
        line for line in text.split("\n") if "Termite" not in line
    ]


# -- cards marked to be kept: they stay, except for surplus copies

GAME = games()["spycraft"]
AGENCY, PATIENT = GAME.formats_by_slug["agency"], Limits(seconds=600)
BANSHEE = read_deck(GAME, starter("spycraft", "banshee-net"), AGENCY).deck
THRICE, FIRST = next(entry for entry in BANSHEE if entry.count == 3), BANSHEE.of_type("leader")[0]
# A leader of another faction: only without it is the deck legal.
STRANGER = next(
    card
    for card in GAME.cards
    if card.type == "leader" and card.fact("faction") != FIRST.card.fact("faction")
)


def keeping(count: int, deck: Decklist = BANSHEE) -> Decklist:
    """The deck with ``count`` copies of one of its cards, marked to be kept."""
    kept = replace(THRICE, count=count, marks=Marks(keep=True))
    return replace(deck, entries=tuple(kept if entry is THRICE else entry for entry in deck))


def with_stranger(keep: bool) -> Decklist:
    """A deck with a leader too many, from another faction. All its leaders are marked to be kept, or none."""
    entries = (*BANSHEE, Entry(STRANGER, 1, FIRST.section))
    marked = [replace(e, marks=Marks(keep=keep)) if e.section == FIRST.section else e for e in entries]
    return replace(BANSHEE, entries=tuple(marked))


def test_another_line_of_the_card_loses_copies_before_the_kept_one():
    twice = replace(keeping(3), entries=(*keeping(3), Entry(THRICE.card, 1, "deck")))
    found = smallest_repairs(GAME, twice, AGENCY, PATIENT)
    assert found[0].words == f"Take out 1 {THRICE.card.name}."


def test_every_button_takes_out_the_surplus_of_a_kept_card_and_no_more(client):
    deck, code = make_deck(client, write_deck(GAME, keeping(5)), format="agency"), THRICE.card.code
    change = f"-2 deck {code}"
    for address in ("", "edit/", "repairs/"):
        assert change in offered(page(client, f"/decks/{deck.link}/{address}"))
    for more in (f"-3 deck {code}", f"-5 deck {code}", f"{change}, -1 deck {code}"):
        assert "marked to be kept" in repair(client, deck, more).text
        assert deck.lines.get(card__code=code).count == 5
    repair(client, deck, change)
    line = deck.lines.get(card__code=code)
    assert (line.count, line.keep, Deck.objects.get().verdict) == (3, True, "legal")


@pytest.mark.parametrize("deck", [with_stranger(keep=True), keeping(5, with_stranger(keep=True))])
def test_a_repair_barred_by_marks_names_only_the_cards_that_bar_it(deck):
    assert not any(found.is_whole for found in smallest_repairs(GAME, deck, AGENCY, PATIENT))
    barred = barred_by_marks(GAME, deck, AGENCY, PATIENT)
    assert barred
    assert barred[1] == (STRANGER.name,)
    assert barred[0].verdict == "legal"


def test_marks_that_bar_no_repair_are_not_named():
    for deck in (with_stranger(keep=False), keeping(3, with_stranger(keep=False))):
        assert barred_by_marks(GAME, deck, AGENCY, PATIENT) is None


def test_the_page_of_repairs_names_the_mark_that_bars_one(client):
    text = write_deck(GAME, with_stranger(keep=True))
    deck, reason = make_deck(client, text, format="agency"), f"{STRANGER.name} is marked to be kept."
    address = f"/decks/{deck.link}/repairs/"
    found = page(client, address)
    assert f"{reason} Without the mark this would help: " in found.text
    assert reason in page_of(client.post("/check/repairs/", AS_AGENCY | {"text": text})).text
    deck.lines.update(keep=False)
    assert "marked to be kept. Without" not in page(client, address).text
