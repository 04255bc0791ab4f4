"""What is printed: whole decks, parts of them, what changed since a version."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.identity.viewer import NOBODY, Viewer
from decks.models import Deck, DeckRevision
from decks.saving.save import save_edit
from printing.faces.strokes import Line, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.options.values import read_options
from printing.request.lists import PrintList, pasted_list
from printing.request.selection import select
from tests.support.print_decks import STRANGER, client_of, edit, in_deck, owner, printed, tiger
from tests.support.print_lists import job_for, stored_deck
from tests.support.public_decks import make_deck, starter

__all__ = ["client_of", "owner", "tiger"]


def named(deck: Deck, name: str) -> None:
    DeckRevision.objects.of(deck.pk).filter(number=Deck.objects.get(pk=deck.pk).revision).update(name=name)


# -- whole decks and their parts ----------------------------------------------------


def test_a_whole_deck_prints_every_card_as_often_as_it_is_in_it(tiger: Deck) -> None:
    lists = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(lists, {})) == in_deck(lists)


@pytest.mark.parametrize("words", ["leaders", "Leaders", " LEADERS "])
def test_a_section_by_its_name(tiger: Deck, words: str) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": words})
    assert printed(job) == Counter({"Li Cong": 1, "Groundfire": 1, "Mother of Clouds": 1, "Mai-Tai": 1})


def test_sections_with_commas_are_printed_together(tiger: Deck) -> None:
    lists = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(lists, {"only": "deck, leaders"})) == in_deck(lists)


def test_a_query_is_asked_of_the_deck_alone(tiger: Deck) -> None:
    lists = stored_deck(tiger.link, STRANGER)
    agents = Counter({entry.card.name: entry.count for entry in lists.deck if entry.card.type == "agent"})
    assert agents and printed(job_for(lists, {"only": "t:agent"})) == agents


def test_the_summary_says_how_the_cards_were_chosen(tiger: Deck) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": "leaders"})
    assert job.summary() == "4 cards of Leaders, 1 sheet, 63 × 88 mm"


def test_a_summary_tells_cards_from_stand_ins_components_and_terms() -> None:
    spynet = games()["spynet"]
    shown = [
        next(card for card in spynet.cards if spynet.kind_of(card) == kind)
        for kind in ("card", "stand-in", "component")
    ]
    job = Job(spynet, tuple((card, count) for count, card in enumerate(shown, 1)))
    assert job.summary().startswith("1 card, 2 unnamed cards, 3 components, 1 sheet, ")
    assert dict(job.details())["Cards"] == "1 card, 2 unnamed cards, 3 components, 3 different"


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
    lists = pasted_list("spynet", "1 Hitman\n2 Nightjar | agent | power: 3")
    job = job_for(lists, {"only": "t:agent"})
    assert printed(job) == Counter({"Hitman": 1})
    assert any(remark.startswith("2 written-in cards left out") for remark in job.remarks())


def test_one_of_each(tiger: Deck) -> None:
    lists = stored_deck(tiger.link, STRANGER)
    assert printed(job_for(lists, {"one_each": "yes"})) == Counter(dict.fromkeys(in_deck(lists), 1))


def test_copies_are_of_what_was_chosen(tiger: Deck) -> None:
    job = job_for(stored_deck(tiger.link, STRANGER), {"only": "leaders", "copies": "3"})
    assert set(printed(job).values()) == {3} and job.summary().startswith("12 cards")


@pytest.mark.django_db
def test_a_card_that_nobody_knows_prints_as_its_name_with_room_to_write() -> None:
    card = Card("spycraft", "lost-one", "Lost One", "", written=True)
    listed = PrintList(games()["spycraft"], Decklist((Entry(card, 2, "deck"),)), "Old list")
    piece = pieces_of(job_for(listed, {}))[0]
    assert piece.count == 2
    assert "Lost One" in [one.text for one in piece.front.strokes if isinstance(one, TextRun)]
    assert sum(isinstance(one, Line) for one in piece.front.strokes) >= 5


# -- what changed ------------------------------------------------------------------


@pytest.mark.parametrize("since", ["Friday", "friday", "0"])
def test_only_the_copies_that_a_version_did_not_have(tiger: Deck, owner: Viewer, since: str) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, kai=3, li=0, blindside=2)
    before, after = 2, 3
    job = job_for(stored_deck(tiger.link, owner), {"since": since}, owner)
    assert printed(job) == Counter({"Kai": after - before, "Blindside": 2})


def test_the_summary_and_the_sheet_name_the_version(tiger: Deck, owner: Viewer) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, blindside=2)
    job = job_for(stored_deck(tiger.link, owner), {"since": "Friday"}, owner)
    assert job.summary() == "2 cards changed since “Friday”, 1 sheet, 63 × 88 mm"
    assert "changed since “Friday”" in job.notes().about and job.notes().title == "Nine Tiger · version 1"


def test_changed_without_a_version_is_the_last_change(tiger: Deck, owner: Viewer) -> None:
    edit(tiger, owner, blindside=2)
    edit(tiger, owner, blindside=2, termite=1)
    assert printed(job_for(stored_deck(tiger.link, owner), {"only": "changed"}, owner)) == Counter(
        {"Termite": 1}
    )


def test_a_version_that_there_is_not_is_refused_naming_those_there_are(tiger: Deck, owner: Viewer) -> None:
    named(tiger, "Friday")
    edit(tiger, owner, blindside=2)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, owner), {"since": "Monday"}, owner)
    assert (
        refused.value.faults[0].message
        == "“Nine Tiger” has no version “Monday”; there are versions 0 to 1, named: “Friday”."
    )


def test_nothing_new_is_refused_with_that_reason(tiger: Deck, owner: Viewer) -> None:
    edit(tiger, owner, kai=1)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, owner), {"since": "0"}, owner)
    assert refused.value.faults[0].message == "No card was added to “Nine Tiger” since its first version."


def test_a_card_that_went_to_another_section_is_on_paper_already(client_of: Client, owner: Viewer) -> None:
    deck = make_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")

    def aside(content: Any) -> Any:
        first, *rest = [entry for entry in content.deck if entry.section == "bureau"]
        others = [entry for entry in content.deck if entry.section != "bureau"]
        return replace(
            content, deck=replace(content.deck, entries=(*others, replace(first, section="sideboard"), *rest))
        )

    save_edit(deck.link, owner, aside)
    with pytest.raises(Refused):
        job_for(stored_deck(deck.link, owner), {"since": "0"}, owner)


def test_earlier_versions_are_their_authors_alone(tiger: Deck, owner: Viewer) -> None:
    edit(tiger, owner, blindside=2)
    with pytest.raises(Refused) as refused:
        job_for(stored_deck(tiger.link, STRANGER), {"since": "0"}, STRANGER)
    assert refused.value.status == 403 and refused.value.faults[0].code == "not_yours"


@pytest.mark.django_db
def test_a_pasted_list_has_no_versions() -> None:
    with pytest.raises(Refused) as refused:
        job_for(pasted_list("spycraft", "2 Kai"), {"since": "1"})
    assert refused.value.faults[0].where == "since"


def test_a_version_that_is_not_kept_any_more_or_never_was_is_refused(
    tiger: Deck, owner: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="has no earlier version"):
        job_for(stored_deck(tiger.link, owner), {"only": "changed"}, owner)
    edit(tiger, owner, kai=3)
    monkeypatch.setattr(Deck, "content_at", lambda *given: None)
    with pytest.raises(Refused, match="is not kept any more"):
        job_for(stored_deck(tiger.link, owner), {"since": "0"}, owner)


def test_a_query_that_asks_for_an_order_alone_asks_for_no_cards(tiger: Deck) -> None:
    with pytest.raises(Refused, match="only for an order"):
        job_for(stored_deck(tiger.link, STRANGER), {"only": "order:name"})


def test_cards_that_are_written_in_are_in_no_collection_and_are_printed() -> None:
    own = Entry(Card("spycraft", "written-x", "X", "agent", written=True), 2, "deck")
    listed = PrintList(games()["spycraft"], Decklist((own,)), "Any")
    (chosen,) = select([listed], read_options({"missing": "yes"}), NOBODY)
    assert chosen.entries == (own,)
