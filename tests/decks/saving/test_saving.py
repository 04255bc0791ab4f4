"""Saving decks: retired cards, two people at once, verdicts that lists show."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.catalogue.current import catalogue
from cardsdb.games import games
from cardsdb.identity.viewer import hashed
from cardsdb.models import Card, Edition
from decks.api import storing
from decks.models import Deck, DeckLine
from decks.pages import deck
from decks.web import forms

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def make_deck(client: Client, text: str, **values: str) -> str:
    """The address of a new Spycraft deck."""
    answer = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return str(answer["Location"])


@pytest.fixture
def retired() -> Card:
    """A card that has left the folder, and so is known to the database alone."""
    return Card.objects.create(
        game="spycraft",
        code="gone",
        name="Old Acquaintance",
        name_folded="old acquaintance",
        sort_name="old",
        type="agent",
        retired=True,
    )


def deck_with(card: Card, client: Client) -> str:
    address = make_deck(client, "2 Kai", visibility="public")
    DeckLine.objects.create(deck=Deck.objects.get(), position=9, section="deck", count=3, card=card)
    return address


def held() -> list[tuple[str, int]]:
    return [(line.card.code, line.count) for line in DeckLine.objects.select_related("card") if line.card]


def test_a_deck_with_a_retired_card_is_saved_again(client: Client, retired: Card) -> None:
    address = deck_with(retired, client)
    text = client.get(f"{address}edit/text/").context["form"]["text"].value()
    assert (
        client.post(f"{address}edit/text/", {"name": "Dragons", "text": text + "1 Termite\n"}).status_code
        == 302
    )
    assert sorted(held()) == [("gone", 3), ("kai", 2), ("termite", 1)]


@pytest.mark.both_databases
def test_a_deck_with_a_retired_card_is_saved_again_over_the_api(client: Client, retired: Card) -> None:
    deck_with(retired, client)
    deck = Deck.objects.get()
    Deck.objects.update(edit_hash=hashed("key"))
    text = client.get(f"/api/v1/decks/{deck.link}/").json()["text"]
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": text})
    answer = client.put(
        f"/api/v1/decks/{deck.link}/", body, content_type="application/json", headers={"X-Deck-Key": "key"}
    )
    assert answer.status_code == 200, answer.json()
    assert ("gone", 3) in held()


def test_a_typo_beside_a_retired_card_is_the_only_line_complained_of(client: Client, retired: Card) -> None:
    address = deck_with(retired, client)
    answer = client.post(f"{address}edit/text/", {"name": "", "text": "2 Old Acquaintance\n2 Kia Motors"})
    assert [line.line for line in answer.context["form"].unread] == [2]


def test_a_retired_card_is_no_card_for_other_decks(client: Client, retired: Card) -> None:
    assert (
        client.post(
            "/decks/new/", {"game": "spycraft", "name": "New", "text": "2 Old Acquaintance"}
        ).status_code
        == 400
    )


@pytest.mark.both_databases
@pytest.mark.parametrize("page", ["", "edit/", "edit/text/", "files/", "files/text/"])
def test_a_card_whose_type_left_the_folder_is_shown(client: Client, retired: Card, page: str) -> None:
    Card.objects.filter(pk=retired.pk).update(type="double-agent")
    Edition.objects.create()
    address = deck_with(retired, client)
    assert "Old Acquaintance" in client.get(address + page).content.decode()


@pytest.mark.both_databases
@pytest.mark.parametrize("page", ["", "edit/", "edit/text/", "files/", "files/text/"])
def test_a_deck_whose_game_left_is_not_found_and_can_still_be_deleted(client: Client, page: str) -> None:
    address = make_deck(client, "2 Kai")
    Deck.objects.update(game="chess")
    assert client.get(address + page).status_code == 404
    assert client.get("/decks/").status_code == 200
    assert client.post(f"{address}delete/").status_code == 302


# -- two at once ------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_deck_deleted_while_it_is_edited_is_gone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = make_deck(client, "2 Kai")
    judge_text = forms.judge_text

    def judge_and_be_overtaken(*arguments: Any, **others: Any) -> Any:
        Deck.objects.all().delete()
        return judge_text(*arguments, **others)

    monkeypatch.setattr(forms, "judge_text", judge_and_be_overtaken)
    assert client.post(f"{address}edit/text/", {"name": "Dragons", "text": "3 Kai"}).status_code == 404
    assert not DeckLine.objects.exists()


def test_a_deck_deleted_while_it_is_replaced_over_the_api_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = make_deck(client, "2 Kai")
    Deck.objects.update(edit_hash=hashed("key"))
    judge_text = storing.judge_text

    def judge_and_be_overtaken(*arguments: Any, **others: Any) -> Any:
        Deck.objects.all().delete()
        return judge_text(*arguments, **others)

    monkeypatch.setattr(storing, "judge_text", judge_and_be_overtaken)
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": "3 Kai"})
    answer = client.put(
        f"/api/v1{address}", body, content_type="application/json", headers={"X-Deck-Key": "key"}
    )
    assert (answer.status_code, answer.json()[0]["code"]) == (409, "changed_elsewhere")


@pytest.mark.both_databases
def test_a_deck_deleted_while_it_gets_a_new_address_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = make_deck(client, "2 Kai")

    def key_and_be_overtaken() -> str:
        Deck.objects.filter(link=address.split("/")[2]).delete()
        return "new"

    monkeypatch.setattr(deck, "new_key", key_and_be_overtaken)
    assert client.post(f"{address}new-link/").status_code == 404


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.parametrize("over", ["page", "api"])
def test_deleting_locks_the_deck_before_it_looks_at_the_lines(client: Client, over: str) -> None:
    address = make_deck(client, "2 Kai")
    Deck.objects.update(edit_hash=hashed("key"))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        if over == "page":
            client.post(f"{address}delete/")
        else:
            client.delete(f"/api/v1{address}", headers={"X-Deck-Key": "key"})
    statements = [query["sql"] for query in asked]
    locked = next(place for place, sql in enumerate(statements) if sql.endswith("FOR UPDATE"))
    assert locked < next(place for place, sql in enumerate(statements) if "decks_deckline" in sql)
    assert not Deck.objects.exists()


def test_a_refused_edit_leaves_even_the_object_alone(client: Client) -> None:
    address = make_deck(client, "2 Kai")
    answer = client.post(f"{address}edit/text/", {"name": "Tigers", "text": "2 Kia Motors"})
    assert "<h1>Edit Dragons</h1>" in answer.content.decode()


def test_an_edit_reads_its_list_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from decks.core import judging

    address, read = make_deck(client, "2 Kai"), []
    read_deck = judging.read_deck
    monkeypatch.setattr(
        judging, "read_deck", lambda *arguments, **others: read.append(1) or read_deck(*arguments, **others)
    )
    client.post(f"{address}edit/text/", {"name": "Tigers", "text": "2 Kia Motors"})
    assert len(read) == 1


# -- verdicts in lists ------------------------------------------------------------


def verdict_shown(client: Client) -> str:
    page = client.get("/decks/").content.decode()
    return page.split("verdict-mark")[1].split(">")[1].split("<")[0]


def test_a_list_of_decks_says_what_is_legal(client: Client, agency_text: str) -> None:
    make_deck(client, agency_text)
    assert verdict_shown(client) == "Legal"


def test_a_list_says_the_verdict_of_the_deck_as_it_was_saved_last(client: Client, agency_text: str) -> None:
    address = make_deck(client, agency_text)
    client.post(f"{address}edit/text/", {"name": "Dragons", "text": agency_text + "\nDeck:\n4 Termite"})
    assert verdict_shown(client) == "Not legal"


def spoil(**values: str) -> None:
    """As if the deck had been judged otherwise before."""
    Deck.objects.update(verdict="illegal", **values)


def test_a_verdict_from_another_edition_of_the_catalogue_is_judged_again(
    client: Client, agency_text: str
) -> None:
    make_deck(client, agency_text)
    spoil()
    assert verdict_shown(client) == "Not legal", "what is stored is taken"
    Edition.objects.create()
    assert verdict_shown(client) == "Legal"


def test_a_verdict_by_other_rules_is_judged_again(
    client: Client, agency_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_deck(client, agency_text)
    spoil()
    monkeypatch.setitem(vars(catalogue().games["spycraft"]), "rules_digest", "other rules")
    assert verdict_shown(client) == "Legal"


@pytest.mark.both_databases
def test_a_deck_that_is_saved_while_it_is_judged_keeps_its_own_verdict(
    client: Client, agency_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_deck(client, agency_text)
    spoil(judged_by="")
    judged = Deck.judged

    def saved_meanwhile(deck: Deck, *args: Any) -> Any:
        Deck.objects.filter(pk=deck.pk).update(revision=deck.revision + 1, verdict="undecided")
        return judged(deck, *args)

    monkeypatch.setattr(Deck, "judged", saved_meanwhile)
    client.get("/decks/")
    assert Deck.objects.values_list("verdict", "judged_by").get() == ("undecided", "")


@pytest.mark.both_databases
def test_judging_again_does_not_make_a_deck_newer(client: Client, agency_text: str) -> None:
    make_deck(client, agency_text)
    before = Deck.objects.values_list("changed", "revision").get()
    spoil(judged_by="")
    client.get("/decks/")
    assert Deck.objects.values_list("changed", "revision").get() == before


@pytest.mark.both_databases
def test_judging_a_page_again_takes_few_queries_and_only_once(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(3):
        make_deck(client, f"{number + 1} Kai")
    spoil(judged_by="")
    # The list's 10; decks and their lines; a save between two waits.
    with django_assert_max_num_queries(16):
        client.get("/decks/")
    with django_assert_max_num_queries(10):
        client.get("/decks/")
    assert set(Deck.objects.values_list("verdict", flat=True)) == {"incomplete"}


def test_every_starter_is_listed_with_the_verdict_its_page_gives(client: Client) -> None:
    for game in games().values():
        for starter in game.starters[:1]:
            values = {"game": game.slug, "name": starter.name, "text": starter.text, "format": starter.format}
            address = client.post("/decks/new/", values)["Location"]
            deck = Deck.objects.get(link=address.split("/")[2])
            assert client.get(address).context["judged"].verdict == deck.verdict
