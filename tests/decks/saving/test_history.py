"""A deck's history: every change is a state of its own, undoing goes back through them, nothing is ever
lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, Edition
from decks.core.content import DeckContent
from decks.core.diff import difference
from decks.core.judging import judge_text
from decks.models import Deck, DeckLine, DeckRevision, new_deck
from decks.models import contents as revision
from decks.models.contents import MAX_UNNAMED, STEPS_KEPT
from decks.saving.history import MAX_NAMED, name_version, redo, restore, undo
from decks.saving.save import Conflicts, Saved, save_edit, save_whole
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db
SPYCRAFT = games()["spycraft"]
KAI, TERMITE = (next(card for card in SPYCRAFT.cards if card.name == name) for name in ("Kai", "Termite"))
Edit = Callable[[DeckContent], DeckContent]


def made(text: str = "2 Kai", **values: object) -> tuple[Deck, Viewer]:
    deck, _ = new_deck()
    save_list(deck, judge_text(SPYCRAFT, text), name="Dragons", **values)
    return deck, Viewer(key_hash=deck.edit_hash)


def having(count: int, code: str = "kai") -> Edit:
    """An edit that leaves so many copies of a card in the deck."""
    card = SPYCRAFT.card(code)
    assert card is not None

    def edit(content: DeckContent) -> DeckContent:
        others = tuple(entry for entry in content.deck if entry.card.code != code)
        return replace(
            content,
            deck=replace(content.deck, entries=(*others, Entry(card, count, "deck")) if count else others),
        )

    return edit


def named(name: str) -> Edit:
    return lambda content: replace(content, deck=replace(content.deck, name=name))


def stored(deck: Deck) -> dict[str, int]:
    return {
        line.card.code: line.count
        for line in DeckLine.objects.filter(deck=deck).select_related("card")
        if line.card
    }


def states(deck: Deck) -> list[tuple[int, str, int | None, int | None]]:
    return list(DeckRevision.objects.of(deck.pk).values_list("number", "kind", "undo_to", "redo_to"))


# -- recording ------------------------------------------------------------------------


def test_a_change_is_stored_at_once_with_the_state_before_and_after() -> None:
    deck, me = made()
    recorded = save_edit(deck.link, me, having(3))
    assert stored(deck) == {"kai": 3}
    assert difference(recorded.before, recorded.after).words() == "+1 Kai"
    assert states(deck) == [(0, "made", None, None), (1, "edited", 0, None)]


def test_a_change_of_nothing_is_no_state() -> None:
    deck, me = made()
    save_edit(deck.link, me, having(2))
    assert states(deck) == [(0, "made", None, None)]
    assert Deck.objects.get().revision == 0


def test_a_refused_change_leaves_everything_as_it_was() -> None:
    deck, me = made()
    for count in (0, 100, -1):
        with pytest.raises(Refused):
            save_edit(
                deck.link,
                me,
                lambda content, count=count: replace(content, deck=Decklist((Entry(KAI, count, "deck"),))),
            )
    assert (stored(deck), len(states(deck))) == ({"kai": 2}, 1)


@pytest.mark.parametrize(
    "edit",
    [
        named("x" * 121),
        lambda content: replace(content, notes="x" * 5_001),
        lambda content: replace(content, house="x" * 401),
        lambda content: replace(content, tags=("x" * 41,)),
        lambda content: replace(content, deck=Decklist((Entry(KAI, 1, "deck", Marks("x" * 301)),))),
    ],
)
def test_what_no_column_holds_is_refused_in_words(edit: Edit) -> None:
    deck, me = made()
    with pytest.raises(Refused, match="characters"):
        save_edit(deck.link, me, edit)


def test_a_deck_may_be_emptied_and_is_judged_as_it_is() -> None:
    deck, me = made()
    save_edit(deck.link, me, having(0))
    assert (stored(deck), Deck.objects.get().verdict) == ({}, "incomplete")


def test_a_stranger_changes_nothing() -> None:
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


def test_an_account_is_remembered_with_what_it_changed() -> None:
    user = User.objects.create_user("mallory")
    deck, _ = made()
    Deck.objects.update(owner=user)
    save_edit(deck.link, Viewer(user.pk), having(3))
    assert DeckRevision.objects.get(number=1).by == user


def test_a_deck_older_than_its_history_gets_its_state_before_the_first_change() -> None:
    deck, me = made()
    DeckRevision.objects.all().delete()
    save_edit(deck.link, me, having(3))
    assert states(deck) == [(0, "before", None, None), (1, "edited", 0, None)]
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}


def test_whoever_looked_before_others_changed_something_is_told_what() -> None:
    deck, me = made()
    save_edit(deck.link, me, having(4, "termite"), seen=0)
    recorded = save_edit(deck.link, me, having(3), seen=0)
    assert recorded.elsewhere and recorded.elsewhere.words() == "+4 Termite"
    assert save_edit(deck.link, me, having(1), seen=2).elsewhere is None


# -- whole lists ----------------------------------------------------------------------


def whole(deck: Deck, me: Viewer, text: str, seen: int) -> Saved:
    content = replace(
        Deck.objects.with_cards().get(pk=deck.pk).content_at(0, SPYCRAFT),
        deck=judge_text(SPYCRAFT, text).deck,
    )  # type: ignore[type-var]
    return save_whole(deck.link, replace(content, deck=replace(content.deck, name="Dragons")), me, seen=seen)


def test_two_whole_lists_with_different_cards_changed_are_merged() -> None:
    deck, me = made("2 Kai\n1 Termite")
    whole(deck, me, "3 Kai\n1 Termite", 0)
    recorded = whole(deck, me, "2 Kai\n4 Termite", 0)
    assert stored(deck) == {"kai": 3, "termite": 4}
    assert recorded.elsewhere and recorded.elsewhere.words() == "+1 Kai"
    assert states(deck)[-1] == (2, "merged", 1, None)


def test_two_whole_lists_with_the_same_card_changed_are_a_conflict_with_both_numbers() -> None:
    deck, me = made("2 Kai\n1 Termite")
    whole(deck, me, "3 Kai\n1 Termite", 0)
    with pytest.raises(Conflicts) as raised:
        whole(deck, me, "1 Kai\n2 Termite", 0)
    (conflict,) = raised.value.conflicts
    assert (conflict.mine, conflict.theirs, raised.value.revision) == (1, 3, 1)
    assert {entry.card.code: entry.count for entry in raised.value.merged.deck} == {"kai": 1, "termite": 2}
    assert stored(deck) == {"kai": 3, "termite": 1}


@pytest.mark.parametrize("seen", [7, 2**31 - 2])
def test_a_list_against_a_state_that_is_not_kept_is_refused(seen: int) -> None:
    deck, me = made()
    with pytest.raises(Refused) as refused:
        whole(deck, me, "3 Kai", seen)
    assert (refused.value.status, stored(deck)) == (409, {"kai": 2})


def test_who_may_see_a_deck_is_not_in_its_history() -> None:
    deck, _ = made()
    save_list(
        Deck.objects.get(),
        judge_text(SPYCRAFT, "2 Kai", SPYCRAFT.formats_by_slug[deck.format]),
        visibility="public",
    )
    assert Deck.objects.get().visibility == "public"
    assert len(states(deck)) == 1


# -- undo and redo --------------------------------------------------------------------


def test_undo_and_redo_are_states_too() -> None:
    deck, me = made()
    save_edit(deck.link, me, having(3))
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}
    redo(deck.link, me)
    assert stored(deck) == {"kai": 3}
    assert states(deck) == [
        (0, "made", None, None),
        (1, "edited", 0, None),
        (2, "undone", None, 1),
        (3, "redone", 0, None),
    ]


def test_undo_brings_back_marks_notes_tags_name_format_and_details() -> None:
    deck, me = made()
    marked = (Entry(KAI, 1, "deck", Marks("why", ("late",), True)),)
    rich = DeckContent(
        Decklist(marked, {"players": 4}, "Tigers"), SPYCRAFT.formats[-1].slug, "", "Notes", ("tag",)
    )
    save_edit(deck.link, me, lambda content: rich)
    save_edit(deck.link, me, lambda content: DeckContent(Decklist((), {}, "Empty"), SPYCRAFT.formats[0].slug))
    undo(deck.link, me)
    assert Deck.objects.with_cards().get().content().as_json() == rich.as_json()


@pytest.mark.parametrize(("step", "code"), [(undo, "nothing_to_undo"), (redo, "nothing_to_redo")])
def test_where_there_is_nothing_to_undo_or_redo_it_is_said(
    step: Callable[[str, Viewer], Saved], code: str
) -> None:
    deck, me = made()
    with pytest.raises(Refused) as refused:
        step(deck.link, me)
    assert (refused.value.status, refused.value.faults[0].code) == (409, code)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.integers(0, 4), st.sampled_from(("undo", "redo"))), max_size=14))
def test_undo_and_redo_behave_as_two_stacks(actions: list[int | str]) -> None:
    """Against the plainest editor there is."""
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
            step, from_, to = (undo, past, future) if action == "undo" else (redo, future, past)
            if from_:
                step(deck.link, me)
                to.append(now)
                now, count = from_.pop(), count + 1
            else:
                with pytest.raises(Refused):
                    step(deck.link, me)
            assert stored(deck) == ({"kai": now} if now else {})
        assert [number for number, *_ in states(deck)] == list(range(count)), "nothing was rewritten"
        transaction.set_rollback(True)


def test_going_back_is_a_change_that_can_be_undone() -> None:
    deck, me = made()
    save_edit(deck.link, me, having(3))
    save_edit(deck.link, me, having(4))
    restore(deck.link, me, 0)
    assert stored(deck) == {"kai": 2}
    undo(deck.link, me)
    assert stored(deck) == {"kai": 4}


def test_a_card_that_left_the_catalogue_since_comes_back_by_its_code() -> None:
    deck, me = made("2 Kai\n1 Termite")
    save_edit(deck.link, me, having(0))
    Card.objects.filter(code="kai").update(code="kai-elsewhere")
    Edition.objects.create()
    undo(deck.link, me)
    assert [line.written["name"] for line in DeckLine.objects.filter(card=None)] == ["kai"]


# -- how much is kept -----------------------------------------------------------------


def filled(deck: Deck, count: int, **values: object) -> None:
    content = DeckRevision.objects.get(number=0).content
    rows = (
        DeckRevision(deck=deck, number=n, kind="edited", content=content, undo_to=n - 1, **values)
        for n in range(1, count + 1)
    )
    DeckRevision.objects.bulk_create(rows)
    Deck.objects.update(revision=count)


@pytest.fixture
def thinned_at_each_save(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "THINNED_EVERY", 1)


@pytest.mark.usefixtures("thinned_at_each_save")
def test_the_oldest_states_without_a_name_go_and_the_named_stay() -> None:
    deck, me = made()
    name_version(deck.link, me, 0, "First draft")
    filled(deck, MAX_UNNAMED)
    save_edit(deck.link, me, having(3))
    numbers = [number for number, *_ in states(deck)]
    assert (numbers[:2], numbers[-1], len(numbers)) == ([0, 2], MAX_UNNAMED + 1, MAX_UNNAMED + 1)


@pytest.mark.usefixtures("thinned_at_each_save")
def test_what_undoing_needs_stays_however_old_it_is() -> None:
    deck, me = made()
    filled(deck, STEPS_KEPT)
    DeckRevision.objects.filter(number=STEPS_KEPT).update(undo_to=3)
    filled_to = STEPS_KEPT + MAX_UNNAMED
    content = DeckRevision.objects.get(number=0).content
    rows = [
        DeckRevision(deck=deck, number=n, kind="undone", content=content, undo_to=3)
        for n in range(STEPS_KEPT + 1, filled_to + 1)
    ]
    DeckRevision.objects.bulk_create(rows)
    Deck.objects.update(revision=filled_to)
    save_edit(deck.link, me, having(3))
    kept = {number for number, *_ in states(deck)}
    assert {0, 1, 2, 3} <= kept
    assert len(kept) == MAX_UNNAMED


def test_so_many_versions_have_names_and_no_more() -> None:
    deck, me = made()
    filled(deck, MAX_NAMED, name="x")
    with pytest.raises(Refused, match="take one away"):
        name_version(deck.link, me, 0, "One more")
    name_version(deck.link, me, 1, "")
    assert name_version(deck.link, me, 0, " One  more ").name == "One more"
