"""The choice of cards to print: whole decks, sections, queries, changed cards and cards not owned, never more
than the deck has.
"""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry
from cardsdb.identity.viewer import NOBODY, Viewer
from decks.models import Deck, DeckRevision
from decks.saving.save import save_edit
from printing.job.remarks import remarks_of
from printing.options.values import read_options
from printing.request.lists import PrintList, pasted_list, stored_decks
from printing.request.selection import Selection, owned_too, select
from tests.support.made_decks import named_deck, starter
from tests.support.pages import page
from tests.support.print_decks import STRANGER, edit, in_deck, owns, printed
from tests.support.print_lists import job_for, stored_deck

SPYCRAFT = games()["spycraft"]


def print_of(deck: Deck, viewer: Viewer = STRANGER, **options: str) -> Counter[str]:
    return printed(job_for(stored_deck(deck.link, viewer), options, viewer))


def refusal(lists: PrintList, viewer: Viewer = STRANGER, **options: str) -> tuple[str, str]:
    """(field, message) of the one fault for which these options are refused."""
    with pytest.raises(Refused) as refused:
        job_for(lists, options, viewer)
    (fault,) = refused.value.faults
    return fault.where, fault.message


# -- whole decks and their parts ----------------------------------------------------


def test_a_whole_deck_is_printed_with_all_copies_or_with_one_of_each_card(tiger):
    whole = in_deck(stored_deck(tiger.link, STRANGER))
    assert print_of(tiger) == print_of(tiger, only="deck, leaders") == whole
    assert print_of(tiger, one_each="yes") == Counter(dict.fromkeys(whole, 1))


@pytest.mark.parametrize("words", ["leaders", " LEADERS "])
def test_a_section_is_printed_by_its_name_and_named_in_the_summary(tiger, words):
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": words, "copies": "3"})
    assert printed(job) == Counter(dict.fromkeys(["Li Cong", "Groundfire", "Mother of Clouds", "Mai-Tai"], 3))
    assert job.summary() == "12 cards of Leaders, 2 sheets, 63 × 88 mm"


def test_a_query_chooses_among_the_cards_of_the_deck(tiger):
    agents = Counter(
        {entry.card.name: entry.count for entry in tiger.decklist() if entry.card.type == "agent"}
    )
    assert agents and print_of(tiger, only="t:agent") == agents


@pytest.mark.parametrize(
    ("only", "reason"),
    [
        ("nonsense>3", "columns"),
        ("t:mission", "No card is found by “t:mission”."),
        ("order:name", "only for an order"),
    ],
)
def test_a_query_that_finds_nothing_is_refused_with_the_reason(tiger, only, reason):
    assert reason in refusal(stored_deck(tiger.link, STRANGER), only=only)[1]


@pytest.mark.django_db
def test_a_query_leaves_written_in_cards_out_with_a_remark():
    lists = pasted_list("spynet", "1 Hitman\n2 Nightjar | agent | power: 3")
    job = job_for(lists, {"only": "t:agent"})
    assert printed(job) == Counter({"Hitman": 1})
    assert any(remark.startswith("2 written-in cards left out") for remark in remarks_of(job))


@pytest.mark.django_db
def test_written_in_cards_count_as_not_owned():
    lists = pasted_list("spynet", "1 Hitman\n2 Nightjar | agent | power: 3")
    (chosen,) = select([lists], read_options({"missing": "yes"}), NOBODY)
    assert [entry.card.name for entry in chosen.entries] == ["Hitman", "Nightjar"]


# -- changed cards -----------------------------------------------------------------


def test_since_a_version_only_the_copies_that_it_did_not_have_are_printed(tiger, owner):
    DeckRevision.objects.of(tiger.pk).update(name="Friday")
    edit(tiger, owner, kai=3, li=0, blindside=2)
    for since in ("Friday", "friday", "0"):
        assert print_of(tiger, owner, since=since) == Counter({"Kai": 1, "Blindside": 2})
    job = job_for(stored_deck(tiger.link, owner), {"since": "Friday"}, owner)
    assert job.summary() == "3 cards changed since “Friday”, 1 sheet, 63 × 88 mm"
    assert "changed since “Friday”" in job.notes().about and job.notes().title == "Nine Tiger · version 1"
    assert refusal(stored_deck(tiger.link, owner), owner, since="Monday") == (
        "since",
        "“Nine Tiger” has no version “Monday”; there are versions 0 to 1, named: “Friday”.",
    )


def test_changed_without_a_version_means_since_the_last_change(tiger, owner):
    lists = stored_deck(tiger.link, owner)
    assert "has no earlier version" in refusal(lists, owner, only="changed")[1]
    edit(tiger, owner, blindside=2)
    edit(tiger, owner, blindside=2, termite=1)
    assert print_of(tiger, owner, only="changed") == Counter({"Termite": 1})


def test_a_version_since_which_no_card_was_added_is_refused_with_that_reason(tiger, owner):
    edit(tiger, owner, kai=1)
    message = refusal(stored_deck(tiger.link, owner), owner, since="0")[1]
    assert message == "No card was added to “Nine Tiger” since its first version."


def test_a_card_that_moved_to_another_section_is_not_printed_again(client_of, owner):
    deck = named_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")

    def move_to_sideboard(content):
        first, *rest = [entry for entry in content.deck if entry.section == "bureau"]
        others = [entry for entry in content.deck if entry.section != "bureau"]
        entries = (*others, replace(first, section="sideboard"), *rest)
        return replace(content, deck=replace(content.deck, entries=entries))

    save_edit(deck.link, owner, move_to_sideboard)
    assert "No card was added" in refusal(stored_deck(deck.link, owner), owner, since="0")[1]


def test_earlier_versions_are_refused_to_viewers_other_than_the_author(tiger, owner):
    edit(tiger, owner, blindside=2)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, STRANGER), {"since": "0"}, STRANGER)
    assert (refused.value.status, refused.value.faults[0].code) == (403, "not_yours")


@pytest.mark.django_db
def test_a_version_of_a_pasted_list_is_refused():
    assert refusal(pasted_list("spycraft", "2 Kai"), since="1")[0] == "since"


def test_a_version_that_is_not_kept_any_more_is_refused(tiger, owner, monkeypatch):
    edit(tiger, owner, kai=3)
    monkeypatch.setattr(Deck, "content_at", lambda *given: None)
    assert "is not kept any more" in refusal(stored_deck(tiger.link, owner), owner, since="0")[1]


# -- cards not owned -------------------------------------------------------------------


def test_missing_prints_only_the_copies_that_the_viewers_collection_lacks(tiger, owner):
    owns(owner, kai=1, shiatsu=99)
    whole = in_deck(stored_deck(tiger.link, owner))
    lacks = whole - Counter({"Kai": 1, "Shiatsu": 99})
    assert whole["Shiatsu"] and print_of(tiger, owner, missing="yes") == lacks
    assert print_of(tiger, owner, only="missing") == lacks


def test_missing_prints_all_cards_without_a_collection(tiger):
    job = job_for(stored_deck(tiger.link, STRANGER), {"missing": "yes"}, STRANGER)
    assert printed(job) == in_deck(stored_deck(tiger.link, STRANGER))
    assert "You have noted no cards as yours, so nothing is left out." in remarks_of(job)


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "yes"},
        {"only": "missing"},
        {"only": "deck; missing"},
        {"missing": "yes", "one_each": "yes"},
    ],
)
def test_if_all_is_owned_nothing_lacks_and_all_can_be_printed_anyway(owner, options):
    lists = [pasted_list("spycraft", "2 Kai\n1 Bait")]
    owns(owner, kai=2, bait=1)
    chosen = read_options(options)
    (nothing,) = select(lists, chosen, owner)
    assert nothing.nothing_lacks and not nothing.entries
    (everything,) = select(lists, owned_too(chosen, lists), owner)
    assert {entry.card.name for entry in everything.entries} == {"Kai", "Bait"}


def test_if_all_is_owned_the_page_says_so_without_an_error_and_the_file_is_refused(client_of, owner):
    deck = named_deck(client_of, "Small", "2 Kai")
    owns(owner, kai=2)
    query = {"deck": deck.link, "paper": "a4", "missing": "yes"}
    shown, live = (page(client_of, "/print/", query, headers=sent) for sent in ({}, {"HX-Request": "true"}))
    assert "Error:" not in shown.one("title").text
    for answer in (shown, live):
        assert answer.text.count("Nothing is missing: ") == 1 and not answer.has(class_="error-summary")
    # It stands before the form, because the form fills a phone's screen.
    before, _, _ = shown.text.partition("Nothing is missing: ")
    assert shown.one("form", id="print-form").text[:60] not in before
    assert page(client_of, shown.link("Print all of it anyway"), follow=True).has(id="preview")
    assert client_of.get("/print/sheets.pdf", query).status_code == 400


@pytest.mark.django_db
def test_a_list_without_cards_does_not_count_as_owned(owner):
    owns(owner, kai=2)
    (chosen,) = select([PrintList(SPYCRAFT, Decklist(()), "Empty")], read_options({"missing": "yes"}), owner)
    assert not chosen.nothing_lacks and chosen.empty == Selection.empty


def test_an_owned_copy_counts_for_one_of_two_decks(client_of, owner):
    decks = [named_deck(client_of, name, "2 Kai") for name in ("One", "Two")]
    owns(owner, kai=3)
    lists = stored_decks([deck.link for deck in decks], owner)
    assert printed(job_for(lists, {"missing": "yes"}, owner)) == Counter({"Kai": 1})


CARDS = SPYCRAFT.cards[:8]
SECTIONS = st.sampled_from(["leaders", "deck", "missions"])
ENTRIES = st.lists(st.builds(Entry, st.sampled_from(CARDS), st.integers(1, 9), SECTIONS), max_size=12)


@given(ENTRIES, st.dictionaries(st.sampled_from([card.key for card in CARDS]), st.integers(0, 20)))
def test_owned_copies_are_used_up_once_and_never_beyond_the_wanted_ones(entries, owned):
    listed = PrintList(SPYCRAFT, Decklist(tuple(entries)), "Any")
    everything, left = Selection(listed, tuple(entry.count for entry in listed.in_order)), Counter(owned)
    had = list(everything.among(left, lambda card: card.key))
    for card in CARDS:
        wanted = sum(entry.count for entry in entries if entry.card is card)
        used = sum(have for (entry, _), have in zip(everything.lines, had, strict=True) if entry.card is card)
        assert used == min(wanted, owned.get(card.key, 0)) == owned.get(card.key, 0) - left.get(card.key, 0)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    entries=ENTRIES,
    only=st.sampled_from(["all", "none", "leaders", "deck,missions", "t:agent", "-t:leader", "missing"]),
    missing=st.sampled_from(["yes", "no"]),
    one_each=st.sampled_from(["yes", "no"]),
)
def test_no_choice_prints_more_copies_than_the_deck_has(entries, only, missing, one_each):
    listed = PrintList(SPYCRAFT, Decklist(tuple(entries)), "Any")
    options = read_options({"only": only, "missing": missing, "one_each": one_each})
    (chosen,) = select([listed], options, STRANGER)
    have, take = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for counts, copies in ((have, entries), (take, chosen.entries)):
        for entry in copies:
            counts[entry.section, entry.card.code] += entry.count
    assert take <= have and all(entry.count > 0 for entry in chosen.entries)
