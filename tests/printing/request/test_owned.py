"""What is printed: only what a collection lacks, and never more than the deck has."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.identity.viewer import NOBODY, Viewer
from cardsdb.models import Card as StoredCard
from decks.models import Collection, Deck, Owned
from printing.options.values import read_options
from printing.request.lists import PrintList, pasted_list, stored_decks
from printing.request.selection import Selection, select
from tests.support.print_decks import STRANGER, client_of, in_deck, owner, printed, tiger
from tests.support.print_lists import job_for, stored_deck
from tests.support.public_decks import make_deck

__all__ = ["client_of", "owner", "tiger"]


def owns(owner: Viewer, **counts: int) -> None:
    collection = Collection.objects.create(owner_id=owner.user_id)
    for code, count in counts.items():
        Owned.objects.create(
            collection=collection, card=StoredCard.objects.get(game="spycraft", code=code), count=count
        )


def test_only_what_the_collection_lacks(tiger: Deck, owner: Viewer) -> None:
    owns(owner, kai=1, shiatsu=99)
    lists = stored_deck(tiger.link, owner)
    expected = in_deck(lists)
    expected["Kai"] -= 1
    del expected["Shiatsu"]
    assert printed(job_for(lists, {"missing": "yes"}, owner)) == expected
    assert printed(job_for(lists, {"only": "missing"}, owner)) == expected


def test_a_command_has_no_collection_so_nothing_is_left_out() -> None:
    job = job_for(pasted_list("spycraft", "2 Kai", viewer=NOBODY), {"missing": "yes"}, NOBODY)
    assert (
        printed(job) == {"Kai": 2}
        and "You have noted no cards as yours, so nothing is left out." in job.remarks()
    )


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "yes"},
        {"only": "missing"},
        {"only": "deck; missing"},
        {"missing": "yes", "one_each": "yes"},
    ],
)
def test_where_nothing_lacks_the_page_says_so_kindly_and_leads_to_all_of_it(
    client_of: Client, owner: Viewer, options: dict[str, str]
) -> None:
    deck = make_deck(client_of, "Small", "2 Kai\n1 Bait")
    owns(owner, kai=2, bait=1)
    answer = client_of.get("/print/", {"deck": deck.link, "paper": "a4", **options}, follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200 and "Nothing is missing" in page
    assert "Error:" not in page and "error-summary" not in page
    # Once, and before the form, which fills a phone's screen.
    assert page.count("Nothing is missing: ") == 1 and page.index("Nothing is missing: ") < page.index(
        'id="print-form"'
    )
    (everything,) = re.findall(r'href="([^"]*)">Print all of it anyway', page)
    assert 'id="preview"' in client_of.get(unescape(everything), follow=True).content.decode()
    live = client_of.get(
        "/print/", {"deck": deck.link, "paper": "a4", **options}, headers={"HX-Request": "true"}
    ).content.decode()
    assert live.count("Nothing is missing: ") == 1 and "error-summary" not in live


def test_a_pasted_list_of_which_nothing_lacks_is_no_error_either(client_of: Client, owner: Viewer) -> None:
    owns(owner, kai=2)
    answer = client_of.post("/print/", {"game": "spycraft", "text": "2 Kai", "missing": "yes", "paper": "a4"})
    assert answer.status_code == 200 and "Nothing is missing" in answer.content.decode()


def test_the_files_of_what_lacks_are_refused_where_nothing_does(client_of: Client, owner: Viewer) -> None:
    owns(owner, kai=2)
    sheets = {"game": "spycraft", "text": "2 Kai", "missing": "yes"}
    answer = client_of.post("/api/v1/sheets/", sheets, content_type="application/json")
    assert answer.status_code == 400 and answer.json()[0]["code"] == "nothing_lacks"
    assert client_of.post("/print/sheets.pdf", sheets).status_code == 400


def test_a_deck_without_cards_does_not_count_as_owned(client_of: Client, owner: Viewer) -> None:
    owns(owner, kai=2)
    deck = make_deck(client_of, "Empty", "2 Kai")
    deck.lines.all().delete()
    answer = client_of.get("/print/", {"deck": deck.link, "missing": "yes"}, follow=True)
    assert "Nothing is missing" not in answer.content.decode()


def test_the_collection_is_the_visitors_own(tiger: Deck, owner: Viewer) -> None:
    owns(owner, kai=2)
    lists = stored_deck(tiger.link, STRANGER)
    job = job_for(lists, {"missing": "yes"}, STRANGER)
    assert printed(job) == in_deck(lists)
    assert "You have noted no cards as yours, so nothing is left out." in job.remarks()


def test_two_decks_share_what_is_owned(client_of: Client, owner: Viewer) -> None:
    decks = [make_deck(client_of, name, "2 Kai") for name in ("One", "Two")]
    owns(owner, kai=3)
    lists = stored_decks([deck.link for deck in decks], owner)
    assert printed(job_for(lists, {"missing": "yes"}, owner)) == Counter({"Kai": 1})


CARDS = games()["spycraft"].cards[:8]
ENTRIES = st.lists(
    st.builds(
        Entry, st.sampled_from(CARDS), st.integers(1, 9), st.sampled_from(["leaders", "deck", "missions"])
    ),
    max_size=12,
)


@given(ENTRIES, st.dictionaries(st.sampled_from([card.key for card in CARDS]), st.integers(0, 20)))
def test_what_lacks_and_what_is_owned_make_what_is_wanted(
    entries: list[Entry], owned: dict[str, int]
) -> None:
    listed = PrintList(games()["spycraft"], Decklist(tuple(entries)), "Any")
    everything, left = Selection(listed, tuple(entry.count for entry in listed.in_order)), Counter(owned)
    had = list(everything.among(left, lambda card: card.key))
    lacks = [
        replace(entry, count=count - have) for (entry, count), have in zip(everything.lines, had, strict=True)
    ]
    for card in CARDS:
        wanted = sum(entry.count for entry in entries if entry.card is card)
        missing = sum(entry.count for entry in lacks if entry.card is card)
        used = owned.get(card.key, 0) - left.get(card.key, 0)
        assert missing + used == wanted
        assert missing == max(0, wanted - owned.get(card.key, 0))


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    entries=ENTRIES,
    only=st.sampled_from(["all", "none", "leaders", "deck,missions", "t:agent", "-t:leader", "missing"]),
    missing=st.sampled_from(["yes", "no"]),
    one_each=st.sampled_from(["yes", "no"]),
)
def test_never_more_copies_than_the_deck_has(
    entries: list[Entry], only: str, missing: str, one_each: str
) -> None:
    listed = PrintList(games()["spycraft"], Decklist(tuple(entries)), "Any")
    (chosen,) = select(
        [listed], read_options({"only": only, "missing": missing, "one_each": one_each}), STRANGER
    )
    have, take = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for counts, copies in ((have, entries), (take, chosen.entries)):
        for entry in copies:
            counts[entry.section, entry.card.code] += entry.count
    assert take <= have and all(entry.count > 0 for entry in chosen.entries)
