"""What is printed: whole decks, parts of them, what changed, what is not owned, several at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.errors import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.models import Card as StoredCard
from decks.history.recording import record_change
from decks.models import Collection, Deck, DeckRevision, Owned
from decks.visitors import Visitor
from printing.choosing import Listed, choose, lacking
from printing.jobs import Asked, asked_of, job_for, pasted_list, single_cards, stored_deck, stored_decks
from printing.options import read_options
from printing.pieces import pieces_of
from printing.sheets import Job, make_sheets
from printing.strokes import Line, TextRun
from printing.texts import keep_text
from tests.deck_shelf import make_deck, starter

STRANGER = Visitor()


def printed(job: Job) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in job.parts:
        for piece in pieces_of(part):
            found[piece.name] += piece.count
    return found


def in_deck(asked: Asked) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in asked.lists:
        for entry in one.deck:
            found[entry.card.name] += entry.count
    return found


@pytest.fixture
def owner(db: None) -> Visitor:
    return Visitor(User.objects.create_user("anna").pk)


@pytest.fixture
def client_of(owner: Visitor) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=owner.user_id))
    return client


@pytest.fixture
def tiger(client_of: Client) -> Deck:
    return make_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))


def edit(deck: Deck, owner: Visitor, **counts: int) -> None:
    """Give the deck so many copies of each card, in the section "deck"."""
    game = games()["spycraft"]

    def changed(content: Any) -> Any:
        kept = [entry for entry in content.deck if entry.card.code.replace("-", "_") not in counts]
        new = [Entry(game.card(code.replace("_", "-")) or pytest.fail(code), count, "deck") for code, count in counts.items() if count]
        return replace(content, deck=replace(content.deck, entries=(*kept, *new)))

    record_change(deck.link, owner, changed)


def named(deck: Deck, name: str) -> None:
    DeckRevision.objects.of(deck.pk).filter(number=Deck.objects.get(pk=deck.pk).revision).update(name=name)


# -- whole decks and their parts ----------------------------------------------------


def test_a_whole_deck_prints_every_card_as_often_as_it_is_in_it(tiger: Deck) -> None:
    asked = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(asked, {})) == in_deck(asked)


@pytest.mark.parametrize("words", ["leaders", "Leaders", " LEADERS "])
def test_a_section_by_its_name(tiger: Deck, words: str) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": words})
    assert printed(job) == Counter({"Li Cong": 1, "Groundfire": 1, "Mother of Clouds": 1, "Mai-Tai": 1})


def test_sections_with_commas_are_printed_together(tiger: Deck) -> None:
    asked = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(asked, {"only": "deck, leaders"})) == in_deck(asked)


def test_a_query_is_asked_of_the_deck_alone(tiger: Deck) -> None:
    asked = stored_deck(tiger.link, STRANGER)
    agents = Counter({entry.card.name: entry.count for entry in asked.deck if entry.card.type == "agent"})
    assert agents and printed(job_for(asked, {"only": "t:agent"})) == agents


def test_the_summary_says_how_the_cards_were_chosen(tiger: Deck) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": "leaders"})
    assert job.summary() == "4 cards of Leaders, 1 sheet, 63 × 88 mm"


def test_a_query_that_is_not_understood_is_refused_at_its_field_with_its_columns(tiger: Deck) -> None:
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, STRANGER), {"only": "nonsense>3"})
    assert refused.value.faults[0].where == "only" and "columns" in refused.value.faults[0].message


def test_a_query_that_finds_nothing_is_refused_with_a_reason(tiger: Deck) -> None:
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, STRANGER), {"only": "t:mission"})
    assert refused.value.faults[0].message == "No card is found by “t:mission”."


@pytest.mark.django_db
def test_written_in_cards_that_no_query_finds_are_mentioned() -> None:
    asked = pasted_list("spynet", "1 Hitman\n2 Nightjar | agent | power: 3")
    job = job_for(asked, {"only": "t:agent"})
    assert printed(job) == Counter({"Hitman": 1})
    assert any(remark.startswith("2 written-in cards left out") for remark in job.remarks())


def test_one_of_each(tiger: Deck) -> None:
    asked = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(asked, {"one_each": "yes"})) == Counter(dict.fromkeys(in_deck(asked), 1))


def test_copies_are_of_what_was_chosen(tiger: Deck) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": "leaders", "copies": "3"})
    assert set(printed(job).values()) == {3} and job.summary().startswith("12 cards")


@pytest.mark.django_db
def test_a_card_that_nobody_knows_prints_as_its_name_with_room_to_write() -> None:
    card = Card("spycraft", "lost-one", "Lost One", "", written=True)
    listed = Listed(games()["spycraft"], Decklist((Entry(card, 2, "deck"),)), "Old list")
    piece = pieces_of(job_for(Asked((listed,)), {}))[0]
    assert piece.count == 2
    assert "Lost One" in [one.text for one in piece.front.strokes if isinstance(one, TextRun)]
    assert sum(isinstance(one, Line) for one in piece.front.strokes) >= 5


# -- what changed ------------------------------------------------------------------


@pytest.mark.parametrize("since", ["Friday", "friday", "0"])
def test_only_the_copies_that_a_version_did_not_have(tiger: Deck, owner: Visitor, since: str) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, kai=3, li=0, blindside=2)
    before, after = 2, 3
    job = job_for(stored_deck(tiger.link, owner), {"since": since}, owner)
    assert printed(job) == Counter({"Kai": after - before, "Blindside": 2})


def test_the_summary_and_the_sheet_name_the_version(tiger: Deck, owner: Visitor) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, blindside=2)
    job = job_for(stored_deck(tiger.link, owner), {"since": "Friday"}, owner)
    assert job.summary() == "2 cards changed since “Friday”, 1 sheet, 63 × 88 mm"
    assert "changed since “Friday”" in job.notes().about and job.notes().title == "Nine Tiger · version 1"


def test_changed_without_a_version_is_the_last_change(tiger: Deck, owner: Visitor) -> None:
    edit(tiger, owner, blindside=2)
    edit(tiger, owner, blindside=2, termite=1)
    assert printed(job_for(stored_deck(tiger.link, owner), {"only": "changed"}, owner)) == Counter({"Termite": 1})


def test_a_version_that_there_is_not_is_refused_naming_those_there_are(tiger: Deck, owner: Visitor) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, blindside=2)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, owner), {"since": "Monday"}, owner)
    assert refused.value.faults[0].message == "“Nine Tiger” has no version “Monday”; there are versions 0 to 1, named: “Friday”."


def test_nothing_new_is_refused_with_that_reason(tiger: Deck, owner: Visitor) -> None:
    edit(tiger, owner, kai=1)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, owner), {"since": "0"}, owner)
    assert refused.value.faults[0].message == "No card was added to “Nine Tiger” since its first version."


def test_a_card_that_went_to_another_section_is_on_paper_already(client_of: Client, owner: Visitor) -> None:
    deck = make_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")

    def aside(content: Any) -> Any:
        first, *rest = [entry for entry in content.deck if entry.section == "bureau"]
        others = [entry for entry in content.deck if entry.section != "bureau"]
        return replace(content, deck=replace(content.deck, entries=(*others, replace(first, section="sideboard"), *rest)))

    record_change(deck.link, owner, aside)
    with pytest.raises(Refused):
        job_for(stored_deck(deck.link, owner), {"since": "0"}, owner)


def test_earlier_versions_are_their_authors_alone(tiger: Deck, owner: Visitor) -> None:
    edit(tiger, owner, blindside=2)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, STRANGER), {"since": "0"}, STRANGER)
    assert refused.value.status == 403 and refused.value.faults[0].code == "not_yours"


@pytest.mark.django_db
def test_a_pasted_list_has_no_versions() -> None:
    with pytest.raises(Refused) as refused:
        job_for(pasted_list("spycraft", "2 Kai"), {"since": "1"})
    assert refused.value.faults[0].where == "since"


# -- what is not owned ---------------------------------------------------------------


def owns(owner: Visitor, **counts: int) -> None:
    collection = Collection.objects.create(owner_id=owner.user_id)
    for code, count in counts.items():
        Owned.objects.create(collection=collection, card=StoredCard.objects.get(game="spycraft", code=code), count=count)


def test_only_what_the_collection_lacks(tiger: Deck, owner: Visitor) -> None:
    owns(owner, kai=1, shiatsu=99)
    asked = stored_deck(tiger.link, owner)
    expected = in_deck(asked)
    expected["Kai"] -= 1
    del expected["Shiatsu"]
    assert printed(job_for(asked, {"missing": "yes"}, owner)) == expected
    assert printed(job_for(asked, {"only": "missing"}, owner)) == expected


def test_the_collection_is_the_visitors_own(tiger: Deck, owner: Visitor) -> None:
    owns(owner, kai=2)
    asked = stored_deck(tiger.link, STRANGER)
    job = job_for(asked, {"missing": "yes"}, STRANGER)
    assert printed(job) == in_deck(asked)
    assert "You have noted no cards as yours, so nothing is left out." in job.remarks()


def test_two_decks_share_what_is_owned(client_of: Client, owner: Visitor) -> None:
    decks = [make_deck(client_of, name, "2 Kai") for name in ("One", "Two")]
    owns(owner, kai=3)
    asked = stored_decks([deck.link for deck in decks], owner)
    assert printed(job_for(asked, {"missing": "yes"}, owner)) == Counter({"Kai": 1})


CARDS = games()["spycraft"].cards[:8]
ENTRIES = st.lists(
    st.builds(Entry, st.sampled_from(CARDS), st.integers(1, 9), st.sampled_from(["leaders", "deck", "missions"])), max_size=12
)


@given(ENTRIES, st.dictionaries(st.sampled_from([card.key for card in CARDS]), st.integers(0, 20)))
def test_what_lacks_and_what_is_owned_make_what_is_wanted(entries: list[Entry], owned: dict[str, int]) -> None:
    lacks, left = lacking(entries, owned)
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
def test_never_more_copies_than_the_deck_has(entries: list[Entry], only: str, missing: str, one_each: str) -> None:
    listed = Listed(games()["spycraft"], Decklist(tuple(entries)), "Any")
    (chosen,) = choose([listed], read_options({"only": only, "missing": missing, "one_each": one_each}), STRANGER)
    have, take = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for counts, found in ((have, entries), (take, chosen.entries)):
        for entry in found:
            counts[entry.section, entry.card.code] += entry.count
    assert take <= have and all(entry.count > 0 for entry in chosen.entries)


# -- several lists, single cards -------------------------------------------------------


def test_several_decks_of_one_size_are_on_the_same_sheets(client_of: Client) -> None:
    one, other = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Other", "4 Termite")
    job = job_for(asked_of({"deck": [one.link, other.link]}, STRANGER), {})
    assert (job.sheets, job.heading) == (1, "One + Other")
    assert printed(job) == Counter({"Kai": 5, "Termite": 4})


@pytest.mark.django_db
def test_cards_of_another_size_begin_sheets_of_their_own() -> None:
    asked = single_cards(["3.spycraft/kai", "spynet/hitman"])
    job = job_for(asked, {})
    assert job.sheets == 2 and printed(job) == Counter({"Kai": 3, "Hitman": 1})
    assert any("begin sheets of their own" in remark for remark in job.remarks())
    made = make_sheets(job)
    assert made.pages == 2


@pytest.mark.django_db
def test_one_card_size_packs_the_cards_of_two_games_and_names_both() -> None:
    job = job_for(single_cards(["3.spycraft/kai", "spynet/hitman"]), {"trim": "poker", "backs": "long"})
    assert job.sheets == 1 and printed(job) == Counter({"Kai": 3, "Hitman": 1})
    assert "Spycraft and SpyNet" in job.notes().about
    assert "Alderac" in job.notes().credit and "Z-Man" in job.notes().credit
    backs = {piece.name: piece.back for piece in pieces_of(job)}
    assert backs["Kai"] != backs["Hitman"]


def test_one_deck_that_is_not_yours_hides_the_whole_print(client_of: Client) -> None:
    shown, hidden = make_deck(client_of, "Shown", "2 Kai"), make_deck(client_of, "Hidden", "2 Kai", visibility="private")
    with pytest.raises(Http404):
        asked_of({"deck": f"{shown.link},{hidden.link}"}, STRANGER)


def test_several_decks_cost_as_many_queries_as_one(client_of: Client) -> None:
    links = [make_deck(client_of, f"Deck {number}", "2 Kai\n1 Termite").link for number in range(4)]
    with CaptureQueriesContext(
        connection,
    ) as one:
        stored_decks(links[:1], STRANGER)
    with CaptureQueriesContext(connection) as four:
        stored_decks(links, STRANGER)
    assert len(four) == len(one)


def test_the_secret_part_of_a_deck_is_printed_for_its_owner_alone(client_of: Client, owner: Visitor) -> None:
    deck = make_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    secret = {entry.card.name for entry in deck.decklist() if games()["xfiles"].is_secret(entry.section, entry.card.type)}
    everything = printed(job_for(stored_deck(deck.link, owner), {}, owner))
    shown = printed(job_for(stored_deck(deck.link, STRANGER), {}, STRANGER))
    assert secret and set(everything) - set(shown) == secret


@pytest.mark.django_db
@pytest.mark.parametrize("card", ["spycraft/nobody", "nogame/kai", "kai", "spycraft/KAI\0"])
def test_a_single_card_that_there_is_not_is_refused_by_name(card: str) -> None:
    with pytest.raises(Refused) as refused:
        single_cards([card])
    assert refused.value.faults[0].where == "card"


@pytest.mark.django_db
def test_single_cards_add_up() -> None:
    assert printed(job_for(asked_of({"card": ["spycraft/kai", "2.spycraft/kai"]}, STRANGER), {})) == Counter({"Kai": 3})


def test_somebodys_own_text_is_on_their_cards_and_on_nobody_elses(tiger: Deck, owner: Visitor) -> None:
    keep_text(owner, games()["spycraft"], "kai", "House text.")
    asked = stored_deck(tiger.link, owner)
    texts = {
        visitor: next(card.text for card, _ in job_for(asked, {}, visitor).entries if card.code == "kai") for visitor in (owner, STRANGER)
    }
    assert texts[owner] == "House text." and texts[STRANGER] != "House text."


# -- over HTTP --------------------------------------------------------------------------


def test_the_page_prints_several_decks_and_says_what_was_chosen(client_of: Client) -> None:
    one, other = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Other", "4 Termite\n1 Clocked")
    answer = Client().get("/print/", {"deck": [one.link, other.link], "only": "t:agent", "paper": "a4"}, follow=True)
    assert answer.status_code == 200 and "9 cards found by “t:agent”, 1 sheet" in answer.content.decode()


def test_a_stranger_who_asks_what_changed_is_told_that_this_is_the_authors(tiger: Deck, owner: Visitor) -> None:
    edit(tiger, owner, blindside=2)
    answer = Client().get("/print/sheets.pdf", {"deck": tiger.link, "since": "0"})
    assert answer.status_code == 403 and "Blindside" not in answer.content.decode()


def test_the_author_gets_the_sheets_of_what_changed(tiger: Deck, owner: Visitor, client_of: Client) -> None:
    edit(tiger, owner, blindside=2)
    answer = client_of.get("/print/sheets.pdf", {"deck": tiger.link, "since": "0", "qr": "page", "extras": "register"})
    assert answer.status_code == 200 and answer["Content-Type"] == "application/pdf"


@pytest.mark.django_db
def test_the_api_prints_single_cards_and_refuses_them_together_with_a_list(client: Client) -> None:
    sheets = {"card": "spycraft/kai,2.spycraft/termite", "qr": "list"}
    answer = client.post("/api/v1/sheets/", sheets, content_type="application/json")
    assert answer.status_code == 200 and answer["Content-Type"] == "application/pdf"
    both = client.post("/api/v1/sheets/", {**sheets, "game": "spycraft", "text": "1 Kai"}, content_type="application/json")
    assert both.status_code == 400 and both.json()[0]["code"] == "deck_or_text"


def test_a_private_deck_is_a_404_in_the_api_however_many_are_asked_for(client_of: Client, client: Client) -> None:
    shown, hidden = make_deck(client_of, "Shown", "2 Kai"), make_deck(client_of, "Hidden", "2 Kai", visibility="private")
    answer = client.post("/api/v1/sheets/", {"deck": f"{shown.link},{hidden.link}"}, content_type="application/json")
    assert answer.status_code == 404


def test_too_many_cards_are_counted_to_the_end_and_how_many_copies_fit_is_said() -> None:
    asked = pasted_list("spycraft", "50 Kai\n50 Li")
    several = Asked((*asked.lists, *pasted_list("xfiles", f"99 {games()['xfiles'].cards[0].name}").lists))
    for trim in ("", "poker"):
        with pytest.raises(Refused) as error:
            job_for(several, {"copies": "15", "trim": trim})
        assert "at most 2,000 cards, not 2,985: 10 copies of everything would fit" in error.value.faults[0].message
