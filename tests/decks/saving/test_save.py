"""Saving a deck: each change is a state of its own, whole lists are merged, a burst of presses is one change,
and stale verdicts are renewed. ``having(3)`` is an edit that sets the copies of Kai to 3.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.http import Http404
from django.test import Client

from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Refused
from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import Edition
from decks.core.diff import difference
from decks.core.judging import judge_text
from decks.models import Deck, DeckLine, DeckRevision
from decks.saving.history import name_version, redo, restore, undo
from decks.saving.save import BURST, Conflicts, Saved, basis, renew_all, save_edit, save_whole
from tests.support.editing import open_editor
from tests.support.pages import page
from tests.support.queries import queries_of
from tests.support.races import overtaken
from tests.support.saved_decks import SPYCRAFT, Edit, having, made, save_list, states, stored

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KAI = SPYCRAFT.card("kai")


# -- one change -----------------------------------------------------------------------


def test_a_change_is_stored_as_a_new_state():
    deck, me = made("2 Kai")
    before = Deck.objects.get().changed
    saved = save_edit(deck.link, me, having(3))
    assert Deck.objects.get().changed > before
    assert stored(deck) == {"kai": 3}
    assert difference(saved.before, saved.after).words() == "+1 Kai"
    assert [entry.count for entry in saved.deck.decklist()] == [3], "the returned deck has the new cards"
    assert states(deck) == [(0, "made", None, None), (1, "edited", 0, None)]


def test_an_edit_that_changes_nothing_makes_no_state():
    deck, me = made("2 Kai")
    save_edit(deck.link, me, having(2))
    assert (states(deck), Deck.objects.get().revision) == ([(0, "made", None, None)], 0)


def only(entry: Entry) -> Edit:
    """An edit that makes this entry the whole deck."""
    return lambda content: replace(content, deck=Decklist((entry,)))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (only(Entry(KAI, 100, "deck")), "1 to 99 copies"),
        (lambda content: replace(content, notes="x" * 5_001), "5,000 characters"),
        (lambda content: replace(content, tags=("x" * 41,)), "40 characters"),
        (only(Entry(KAI, 1, "deck", Marks("x" * 301))), "300 characters"),
    ],
)
def test_a_refused_change_says_why_and_leaves_everything_as_it_was(edit, words):
    deck, me = made("2 Kai")
    with pytest.raises(Refused, match=words):
        save_edit(deck.link, me, edit)
    assert (stored(deck), len(states(deck))) == ({"kai": 2}, 1)


@pytest.mark.both_databases
def test_a_stranger_changes_nothing():
    deck, _ = made(visibility="public")
    for step in (
        undo,
        redo,
        lambda link, who: save_edit(link, who, having(3)),
        lambda link, who: restore(link, who, 0),
    ):
        for stranger in (Viewer(), Viewer(browser="x"), Viewer(key_hash="x")):
            with pytest.raises(Http404):
                step(deck.link, stranger)
    assert len(states(deck)) == 1


def test_a_state_names_the_account_that_made_it():
    user = User.objects.create_user("mallory")
    deck, _ = made()
    Deck.objects.update(owner=user)
    save_edit(deck.link, Viewer(user.pk), having(3))
    assert DeckRevision.objects.get(number=1).by == user


def test_a_deck_older_than_its_history_gets_its_state_before_the_first_change():
    deck, me = made("2 Kai")
    DeckRevision.objects.all().delete()
    save_edit(deck.link, me, having(3))
    assert states(deck) == [(0, "before", None, None), (1, "edited", 0, None)]
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}


def test_an_author_is_told_what_others_changed_meanwhile():
    deck, me = made("2 Kai")
    save_edit(deck.link, me, having(4, "termite"), seen=0)
    saved = save_edit(deck.link, me, having(3), seen=0)
    assert saved.elsewhere
    assert saved.elsewhere.words() == "+4 Termite"
    assert save_edit(deck.link, me, having(1), seen=2).elsewhere is None


# -- whole lists ----------------------------------------------------------------------


def whole(deck: Deck, me: Viewer, text: str, seen: int) -> Saved:
    """Save this list as an author who had loaded revision ``seen``; notes and tags stay those of revision
    0.
    """
    first = Deck.objects.with_cards().get(pk=deck.pk).content_at(0, SPYCRAFT)
    assert first is not None
    decklist = replace(judge_text(SPYCRAFT, text).deck, name="Dragons")
    return save_whole(deck.link, replace(first, deck=decklist), me, seen=seen)


def test_whole_lists_with_different_changes_are_merged():
    deck, me = made("2 Kai\n1 Termite")
    whole(deck, me, "3 Kai\n1 Termite", 0)
    saved = whole(deck, me, "2 Kai\n4 Termite", 0)
    assert stored(deck) == {"kai": 3, "termite": 4}
    assert saved.elsewhere
    assert saved.elsewhere.words() == "+1 Kai"
    assert states(deck)[-1] == (2, "merged", 1, None)


def test_whole_lists_that_change_the_same_card_are_a_conflict():
    deck, me = made("2 Kai\n1 Termite")
    whole(deck, me, "3 Kai\n1 Termite", 0)
    with pytest.raises(Conflicts) as raised:
        whole(deck, me, "1 Kai\n2 Termite", 0)
    (conflict,) = raised.value.conflicts
    assert (conflict.mine, conflict.theirs, raised.value.revision) == (1, 3, 1)
    assert {entry.card.code: entry.count for entry in raised.value.merged.deck} == {"kai": 1, "termite": 2}
    assert raised.value.refused().status == 409
    assert stored(deck) == {"kai": 3, "termite": 1}


# The second is the largest that the form takes (``decks.web.forms.MAX_REVISION``).
@pytest.mark.parametrize("seen", [7, 2**31 - 2])
def test_a_list_based_on_an_unknown_revision_is_refused(seen):
    deck, me = made("2 Kai")
    with pytest.raises(Refused) as refused:
        whole(deck, me, "3 Kai", seen)
    assert (refused.value.status, stored(deck)) == (409, {"kai": 2})


def test_changing_the_visibility_makes_no_state():
    deck, _ = made("2 Kai")
    judged = judge_text(SPYCRAFT, "2 Kai", SPYCRAFT.formats_by_slug[deck.format])
    save_list(Deck.objects.get(), judged, visibility="public")
    assert (Deck.objects.get().visibility, len(states(deck))) == ("public", 1)


# -- presses --------------------------------------------------------------------------


def press(deck: Deck, me: Viewer, count: int, code: str = "kai") -> None:
    """Press a button that sets the copies, on a page that shows the newest revision."""
    save_edit(deck.link, me, having(count, code), seen=Deck.objects.get(pk=deck.pk).revision)


def after_a_burst() -> None:
    """Let time pass, so that the next press begins a new burst: make all stored states older."""
    DeckRevision.objects.update(made=F("made") - BURST - timedelta(seconds=1))


def shown(deck: Deck) -> list[int]:
    """The numbers of the states that the history lists."""
    return list(DeckRevision.objects.of(deck.pk).shown().values_list("number", flat=True))


@pytest.mark.both_databases
def test_a_burst_of_presses_is_listed_and_undone_as_one_change():
    deck, me = made("2 Kai")
    for count in (3, 4, 5):
        press(deck, me, count)
    assert shown(deck) == [0, 3]
    contents = DeckRevision.objects.of(deck.pk).values_list("content", flat=True)
    assert [content["lines"][0]["count"] for content in contents] == [2, 3, 4, 5]
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}
    redo(deck.link, me)
    assert stored(deck) == {"kai": 5}


def test_adding_a_first_copy_and_removing_the_last_belong_to_a_burst():
    deck, me = made()
    press(deck, me, 1, "termite")
    press(deck, me, 2, "termite")
    assert shown(deck) == [0, 2]
    after_a_burst()
    press(deck, me, 1, "termite")
    press(deck, me, 0, "termite")
    assert shown(deck) == [0, 2, 4]


def another_author(deck: Deck, me: Viewer) -> None:
    DeckRevision.objects.filter(number=1).update(by=User.objects.create_user("mallory"))


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("between", "next_press"),
    [
        (lambda deck, me: after_a_burst(), press),
        (lambda deck, me: press(deck, me, 1, "termite"), press),
        (another_author, press),
        (lambda deck, me: name_version(deck.link, me, 1, "Three"), press),
        (lambda deck, me: None, lambda deck, me, _: press(deck, me, 2)),
        (lambda deck, me: None, lambda deck, me, count: save_edit(deck.link, me, having(count))),
        (lambda deck, me: None, lambda deck, me, count: save_edit(deck.link, me, having(count), seen=0)),
    ],
    ids=["time", "another card", "another author", "a name", "the other way", "nothing seen", "a stale page"],
)
def test_what_ends_a_burst(between, next_press):
    """The next press is a change of its own, so undo goes back to the 3 copies before it."""
    deck, me = made("2 Kai")
    press(deck, me, 3)
    between(deck, me)
    next_press(deck, me, 4)
    undo(deck.link, me)
    assert stored(deck)["kai"] == 3


def test_a_text_opened_within_a_burst_is_still_merged():
    deck, me = made("2 Kai\n1 Termite")
    press(deck, me, 3)
    seen = Deck.objects.with_cards().get()
    press(deck, me, 4)
    save_whole(deck.link, having(3, "termite")(seen.content()), me, seen=seen.revision)
    assert stored(deck) == {"kai": 4, "termite": 3}


# -- deleted by another request at the same time ---------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("ask", "status"),
    [
        # A page says that there is no such deck. A program that has just read the deck is told of a change
        # (``decks.api.storing.store``).
        (lambda c, deck: c.post(f"{deck}edit/text/", {"name": "Dragons", "text": "3 Kai"}), 404),
        (
            lambda c, deck: c.put(
                f"/api/v1{deck}",
                {"game": "spycraft", "name": "Dragons", "text": "3 Kai"},
                content_type="application/json",
                headers={"X-Deck-Key": "key"},
            ),
            409,
        ),
        (lambda c, deck: c.post(f"{deck}new-link/"), 404),
    ],
    ids=["text", "API", "new address"],
)
def test_a_deck_deleted_while_it_is_changed_is_gone(client, ask, status):
    address = open_editor(client).removesuffix("edit/")
    Deck.objects.update(edit_hash=hashed("key"))
    with overtaken(lambda: Deck.objects.all().delete()):
        answer = ask(client, address)
    assert (answer.status_code, DeckLine.objects.exists()) == (status, False)


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.parametrize("over", ["page", "api"])
def test_deleting_locks_the_deck_before_reading_its_lines(client, over):
    address = open_editor(client).removesuffix("edit/")
    Deck.objects.update(edit_hash=hashed("key"))
    ways = {
        "page": lambda: client.post(f"{address}delete/"),
        "api": lambda: client.delete(f"/api/v1{address}", headers={"X-Deck-Key": "key"}),
    }
    statements = queries_of(ways[over])
    locked = next(place for place, sql in enumerate(statements) if sql.endswith("FOR UPDATE"))
    assert locked < next(place for place, sql in enumerate(statements) if "decks_deckline" in sql)
    assert not Deck.objects.exists()


# -- verdicts -------------------------------------------------------------------------


def listed(client: Client) -> list[str]:
    """The verdicts in the list of decks."""
    return [mark.text for mark in page(client, "/decks/").all(class_="verdict-mark")]


def spoil(**values: str) -> None:
    """Store a wrong verdict, as if the decks had been judged by other rules."""
    Deck.objects.update(verdict="illegal", **values)


def test_a_verdict_by_old_cards_or_rules_is_renewed(client, agency_text, monkeypatch):
    open_editor(client, agency_text)
    spoil()
    assert listed(client) == ["Not legal"], "what is stored is taken"
    Edition.objects.create()
    assert listed(client) == ["Legal"]
    spoil()
    monkeypatch.setitem(vars(catalogue().games["spycraft"]), "rules_digest", "other rules")
    assert (renew_all(), listed(client)) == (1, ["Legal"])


@pytest.mark.both_databases
def test_renewing_does_not_overwrite_the_verdict_of_a_simultaneous_save(client):
    open_editor(client)
    spoil(judged_by="")
    saved = Deck.objects.all()
    with overtaken(
        lambda: saved.update(revision=F("revision") + 1, verdict="undecided"), 'UPDATE "decks_deck"'
    ):
        client.get("/decks/")
    assert Deck.objects.values_list("verdict", "judged_by").get() == ("undecided", "")


@pytest.mark.both_databases
def test_renewing_a_verdict_does_not_change_the_decks_date(client):
    open_editor(client)
    before = Deck.objects.values_list("changed", "revision").get()
    spoil(judged_by="")
    assert listed(client) == ["Incomplete"]
    assert Deck.objects.values_list("verdict", "judged_by").get() == ("incomplete", basis(SPYCRAFT))
    assert Deck.objects.values_list("changed", "revision").get() == before
