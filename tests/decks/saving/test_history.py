"""A deck's history: undo and redo, sittings, named versions and forks. Nothing is ever lost by going back.
``made()`` makes a deck with 2 copies of Kai, and ``having(3)`` is the edit to 3 copies.
"""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.http import Http404
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent
from decks.models import Deck, DeckLine, DeckRevision, new_deck
from decks.saving.history import (
    MAX_NAMED,
    MAX_NAMED_BYTES,
    fork,
    lineage,
    name_version,
    redo,
    restore,
    sittings,
    states,
    undo,
)
from decks.saving.save import save_edit
from tests.support.editing import open_editor
from tests.support.made_decks import starter
from tests.support.pages import page
from tests.support.saved_decks import SPYCRAFT, having, made, secret_deck, stored
from tests.support.saved_decks import states as states_of

pytestmark = pytest.mark.django_db
KAI = SPYCRAFT.card("kai")
FORKER = Viewer(browser="b")


# -- undo and redo --------------------------------------------------------------------


def test_undo_and_redo_add_states():
    deck, me = made()
    save_edit(deck.link, me, having(3))
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}
    redo(deck.link, me)
    assert stored(deck) == {"kai": 3}
    assert states_of(deck) == [
        (0, "made", None, None),
        (1, "edited", 0, None),
        (2, "undone", None, 1),
        (3, "redone", 0, None),
    ]


def test_undo_restores_marks_notes_tags_name_format_and_details():
    deck, me = made()
    marked = (Entry(KAI, 1, "deck", Marks("why", ("late",), True)),)
    rich = DeckContent(
        Decklist(marked, {"players": 4}, "Tigers"), SPYCRAFT.formats[-1].slug, "", "Notes", ("tag",)
    )
    save_edit(deck.link, me, lambda content: rich)
    save_edit(deck.link, me, lambda content: DeckContent(Decklist((), {}, "Empty"), SPYCRAFT.formats[0].slug))
    undo(deck.link, me)
    assert Deck.objects.with_cards().get().content().as_json() == rich.as_json()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.integers(0, 4), st.sampled_from(("undo", "redo"))), max_size=14))
def test_undo_and_redo_behave_as_two_stacks(actions):
    """Compared with the simplest editor: the current value and two stacks."""
    with transaction.atomic():
        deck, me = made()
        now, past, future, count = 2, list[int](), list[int](), 1
        for action in actions:
            if isinstance(action, int):
                save_edit(deck.link, me, having(action))
                if action != now:
                    past.append(now)
                    now, future, count = action, [], count + 1
                continue
            step, source, target = (undo, past, future) if action == "undo" else (redo, future, past)
            if source:
                step(deck.link, me)
                target.append(now)
                now, count = source.pop(), count + 1
            else:
                with pytest.raises(Refused):
                    step(deck.link, me)
            assert stored(deck) == ({"kai": now} if now else {})
        assert [number for number, *_ in states_of(deck)] == list(range(count)), "nothing was rewritten"
        transaction.set_rollback(True)


def test_restoring_a_version_can_be_undone():
    deck, me = made()
    save_edit(deck.link, me, having(3))
    save_edit(deck.link, me, having(4))
    restore(deck.link, me, 0)
    assert stored(deck) == {"kai": 2}
    undo(deck.link, me)
    assert stored(deck) == {"kai": 4}


# -- sittings and names ---------------------------------------------------------------


def later(deck: Deck, by: timedelta) -> None:
    """Let time pass: make the stored states this much older."""
    DeckRevision.objects.of(deck.pk).update(made=F("made") - by)


def test_a_sitting_is_one_row_with_its_net_change_and_verdict(client):
    editor = open_editor(client, "2 Kai")
    deck = Deck.objects.get()
    me = Viewer(key_hash=deck.edit_hash)
    for count, code in ((3, "kai"), (2, "kai"), (1, "termite"), (5, "bishop")):
        save_edit(deck.link, me, having(count, code))
    later(deck, timedelta(hours=1))
    save_edit(deck.link, me, having(3, "bishop"))
    answer = page(client, editor.replace("edit/", "history/"))
    gathered = [(len(sitting.states), sitting.words) for sitting in answer.context["sittings"]]
    assert gathered == [(1, "-2 Bishop"), (4, "+1 Termite, +5 Bishop"), (1, "2 cards")]
    sitting = answer.one(class_="sitting").text
    assert "4 steps" in sitting
    assert "Not legal" in sitting
    assert "8 cards" in sitting


def test_a_sitting_that_ends_illegal_names_its_last_legal_version(client):
    editor = open_editor(client, starter("spycraft", "nine-tiger"))
    deck = Deck.objects.get()
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, lambda content: having(4)(having(1)(content)))
    for count in (2, 3, 9):
        save_edit(deck.link, me, having(count))
    history = page(client, editor.replace("edit/", "history/"))
    assert history.has("summary", text="4 steps of versions 1 to 4, legal at version 3")


def test_a_named_state_is_a_sitting_of_its_own():
    deck, me = made()
    for count in (3, 4, 5):
        save_edit(deck.link, me, having(count))
    name_version(deck.link, me, 2, "Four")
    shown = list(DeckRevision.objects.of(deck.pk).shown().select_related("by").order_by("-number"))
    found = sittings(SPYCRAFT, states(SPYCRAFT, shown))
    assert [[state.row.number for state in sitting.states] for sitting in found] == [[3], [2], [1], [0]]


def test_the_number_of_named_versions_is_limited():
    deck, me = made()
    row = DeckRevision.objects.get()
    DeckRevision.objects.bulk_create(
        DeckRevision(deck=deck, number=n, kind="edited", content=row.content, name="x")
        for n in range(1, MAX_NAMED + 1)
    )
    with pytest.raises(Refused, match="Remove the name of one first"):
        name_version(deck.link, me, 0, "One more")
    name_version(deck.link, me, 1, "")
    assert name_version(deck.link, me, 0, " One  more ").name == "One more"


def test_the_bytes_of_named_versions_are_limited():
    deck, me = made()
    save_edit(deck.link, me, having(3))
    DeckRevision.objects.filter(number=0).update(name="First", length=MAX_NAMED_BYTES)
    with pytest.raises(Refused, match="Take away the name of another version first") as refused:
        name_version(deck.link, me, 1, "Second")
    assert refused.value.status == 409


# -- forks ----------------------------------------------------------------------------


def test_a_fork_names_its_origin_and_changes_independently():
    deck, me = made(visibility="public")
    save_edit(deck.link, me, having(3))
    other, _ = fork(deck.link, FORKER, new_deck, "b")
    save_edit(other.link, FORKER, having(9))
    assert (stored(deck), stored(other), other.visibility) == ({"kai": 3}, {"kai": 9}, "private")
    kind = DeckRevision.objects.get(deck=other, number=0).kind
    assert (other.forked_from, other.forked_revision, kind) == (deck, 1, "forked")
    assert lineage(other, FORKER)["parent"] == deck


@pytest.mark.parametrize(("visibility", "listed"), [("private", 0), ("unlisted", 0), ("public", 1)])
def test_a_fork_is_counted_but_named_only_if_it_is_public(visibility, listed):
    deck, me = made(visibility="public")
    other, _ = fork(deck.link, FORKER, new_deck, "b")
    Deck.objects.filter(pk=other.pk).update(visibility=visibility)
    found = lineage(deck, me)
    assert (found["fork_count"], found["forks"]) == (1, [other] * listed)


def test_a_fork_does_not_name_an_origin_that_the_viewer_may_not_see():
    deck, _ = made(visibility="public")
    other, _ = fork(deck.link, FORKER, new_deck, "b")
    Deck.objects.filter(pk=deck.pk).update(visibility="private")
    assert lineage(other, FORKER)["parent"] is None
    with pytest.raises(Http404):
        fork(deck.link, FORKER, new_deck, "b")


@pytest.mark.parametrize(("revealed", "copied"), [(False, 0), (True, 1)])
def test_a_strangers_fork_has_secret_cards_only_if_revealed(revealed, copied):
    deck = secret_deck(revealed=revealed)
    other, _ = fork(deck.link, FORKER, new_deck, "b")
    assert DeckLine.objects.filter(deck=other, section="xfile").count() == copied
    assert len(DeckRevision.objects.get(deck=other).content["lines"]) == other.lines.count()


def test_forks_are_numbered():
    deck, _ = made(visibility="public")
    fox = Viewer(User.objects.create_user("fox").pk)

    def forked(link: str) -> Deck:
        return fork(link, fox, lambda **values: new_deck(fox.user_id, **values))[0]

    first, *others = [forked(deck.link) for _ in range(3)]
    names = [other.name for other in (first, *others, forked(first.link))]
    assert names == ["Dragons (copy)", *(f"Dragons (copy {number})" for number in (2, 3, 4))]


def test_the_name_of_a_fork_is_cut_to_fit():
    deck, _ = made(visibility="public")
    Deck.objects.update(name="x" * 120)
    # Room is left for the longest number: “ (copy 9999)”.
    assert fork(deck.link, FORKER, new_deck, "b")[0].name == f"{'x' * 108} (copy)"
