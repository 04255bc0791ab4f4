"""Differences of two states of a deck, and merges of two people's changes: laws that hold for any decks, and
their words.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Marks
from decks.core.content import DeckContent, content_of_json
from decks.core.diff import Difference, difference, gathered, merge, with_marks_of

SPYCRAFT = games()["spycraft"]
CARDS = SPYCRAFT.cards[:8]
WRITTEN = Card("spycraft", "made-up", "Made Up", "agent", {"cost": 3}, written=True)
words = st.sampled_from(("", "a", "b"))
tags = st.lists(st.sampled_from(("x", "y", "z")), unique=True, max_size=2).map(tuple)
marks = st.builds(Marks, words, tags, st.booleans())
entries = st.builds(
    Entry, st.sampled_from((*CARDS, WRITTEN)), st.integers(1, 4), st.sampled_from(("leaders", "deck")), marks
)
decklists = st.builds(
    Decklist,
    st.lists(entries, max_size=7, unique_by=lambda entry: (entry.section, entry.card.code)).map(tuple),
    st.dictionaries(st.sampled_from(("players", "mission_1")), st.integers(1, 3)),
    words,
)
contents = st.builds(DeckContent, decklists, st.sampled_from(("agency", "mission")), words, words, tags)


def same(first: DeckContent, second: DeckContent) -> bool:
    return first.as_json() == second.as_json()


def applied(change: Difference, before: DeckContent) -> DeckContent:
    """``before`` with the difference applied to it, its lines in any order."""
    # (section, code) is enough here: no two of the cards have the same code.
    lines = {key[:2]: entry for key, entry in gathered(before.deck).items()}
    for line in change.lines:
        place = (line.section, line.card.code)
        entry = lines.pop(place, None) or Entry(line.card, 0, line.section)
        assert entry.count == line.before
        if line.after:
            lines[place] = replace(entry, count=line.after)
    details = dict(before.deck.details)
    values = {}
    for other in change.others:
        if other.what == "details" and other.after is None:
            del details[other.key]
        elif other.what == "details":
            details[other.key] = other.after
        elif other.what == "marks" and other.card:
            place = (other.section, other.card.code)
            lines[place] = replace(lines[place], marks=other.after)
        elif other.what != "order":
            values[other.what] = other.after
    name = values.pop("name", before.deck.name)
    return replace(before, deck=Decklist(tuple(lines.values()), details, name), **values)


def unordered(content: DeckContent) -> dict[str, object]:
    """The content as JSON, its lines in a fixed order."""
    data = content.as_json()
    return data | {"lines": sorted(data["lines"], key=str)}


# -- differences ----------------------------------------------------------------------


@given(contents, contents)
def test_applying_a_difference_gives_the_later_deck(before, after):
    assert unordered(applied(difference(before, after), before)) == unordered(after)


@given(contents)
def test_content_survives_being_stored_as_json(content):
    again = content_of_json("spycraft", content.as_json(), SPYCRAFT.card)
    assert same(again, content)
    assert not difference(content, again)
    assert difference(content, again).words() == ""


@given(contents, contents)
def test_every_difference_has_words(before, after):
    change = difference(before, after)
    assert bool(change.words()) == bool(change)


def deck(text: str, **values: object) -> DeckContent:
    """``deck("2 Kai, 1 Termite")``."""
    named = {card.name: card for card in SPYCRAFT.cards}
    lines = [line.split(" ", 1) for line in text.split(", ") if line]
    listed = tuple(Entry(named[name], int(count), "deck") for count, name in lines)
    return replace(DeckContent(Decklist(listed, {}, "Dragons"), "agency"), **values)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("2 Kai", "4 Kai", "+2 Kai"),
        ("2 Kai, 1 Termite", "2 Kai", "-1 Termite"),
        ("2 Termite", "1 Termite, 3 Kai", "+3 Kai, -1 Termite"),
        ("1 Kai, 1 Termite", "1 Termite, 1 Kai", "cards in another order"),
    ],
)
def test_a_difference_in_words(before, after, words):
    assert difference(deck(before), deck(after)).words() == words


def test_other_changes_in_words():
    before = deck("1 Kai", tags=("old",), notes="n")
    after = replace(
        before,
        deck=replace(before.deck, name="Tigers", details={"players": 4}),
        tags=("new",),
        notes="",
        house="AG-3.at_least=9",
    )
    assert (
        difference(before, after).words()
        == "renamed “Tigers”, house rules written, notes taken out, tagged “new”, no longer tagged “old”,"
        " players none to 4"
    )


def test_a_card_that_changed_section_is_named_with_both_sections():
    before = deck("1 Kai")
    moved = replace(
        before, deck=replace(before.deck, entries=(replace(before.deck.entries[0], section="leaders"),))
    )
    assert difference(before, moved).words() == "+1 Kai (leaders), -1 Kai (deck)"


def test_changes_beyond_the_limit_are_only_counted():
    many = DeckContent(Decklist(tuple(Entry(card, 1, "deck") for card in SPYCRAFT.cards[:9])), "agency")
    assert difference(replace(many, deck=Decklist()), many).words(most=2).endswith(", 7 more changes")


# -- merging --------------------------------------------------------------------------


@given(contents, contents)
def test_a_change_by_one_side_or_the_same_by_both_is_no_conflict(base, changed):
    for mine, theirs in ((base, changed), (changed, base), (changed, changed)):
        merged = merge(base, mine, theirs)
        assert merged.conflicts == ()
        assert same(merged.content, changed)


@given(contents, contents, contents)
def test_both_sides_see_the_same_conflicts(base, mine, theirs):
    def about(first: DeckContent, second: DeckContent) -> set[tuple[str, str, str, str]]:
        """What the conflicts are about, without their values."""
        return {
            (c.what, c.key, c.section, c.card.code if c.card else "")
            for c in merge(base, first, second).conflicts
        }

    assert about(mine, theirs) == about(theirs, mine)


@given(contents, contents, contents)
def test_a_merge_without_conflict_is_the_same_for_both_sides(base, mine, theirs):
    merged, swapped = merge(base, mine, theirs), merge(base, theirs, mine)
    if not merged.conflicts:
        first, second = unordered(merged.content), unordered(swapped.content)
        for side in (first, second):
            side["tags"] = sorted(side["tags"])
            for line in side["lines"]:
                line["tags"] = sorted(line.get("tags", ()))
        assert first == second


@given(contents, contents, contents)
def test_merged_counts_come_from_the_side_that_changed_them(base, mine, theirs):
    merged = merge(base, mine, theirs)
    sides = [
        {key: entry.count for key, entry in gathered(side.deck).items()}
        for side in (base, mine, theirs, merged.content)
    ]
    disputed = {(conflict.section, conflict.card.code) for conflict in merged.conflicts if conflict.card}
    for key in {key for side in sides for key in side}:
        if key[:2] in disputed:
            continue
        base_count, my_count, their_count, merged_count = (side.get(key, 0) for side in sides)
        if my_count == base_count:
            assert merged_count == their_count
        else:
            assert merged_count == my_count
            assert their_count in (base_count, my_count), "otherwise it is a conflict"


def test_a_conflict_of_copies_names_both_numbers():
    merged = merge(deck("2 Kai"), deck("3 Kai"), deck(""))
    (conflict,) = merged.conflicts
    assert conflict.card is not None
    assert (conflict.card.name, conflict.base, conflict.mine, conflict.theirs) == ("Kai", 2, 3, 0)
    assert conflict.words() == "Kai: you have 3, meanwhile it became none"
    assert merged.content.deck.size == 3


def test_taking_out_a_card_that_the_other_side_marked_is_a_conflict():
    base = deck("2 Kai")
    noted = replace(
        base, deck=replace(base.deck, entries=(replace(base.deck.entries[0], marks=Marks("why")),))
    )
    assert [conflict.what for conflict in merge(base, deck(""), noted).conflicts] == ["card"]


def test_tags_of_both_sides_are_kept_but_different_notes_conflict():
    merged = merge(deck("", tags=("old",)), deck("", tags=("old", "mine")), deck("", tags=("theirs",)))
    assert (sorted(merged.content.tags), merged.conflicts) == (["mine", "theirs"], ())
    (conflict,) = merge(deck(""), deck("", notes="mine"), deck("", notes="theirs")).conflicts
    assert (conflict.what, conflict.mine, conflict.theirs) == ("notes", "mine", "theirs")


def test_unmarked_lines_take_the_marks_of_the_earlier_deck():
    base = deck("2 Kai, 1 Termite")
    marked = replace(
        base,
        deck=replace(base.deck, entries=tuple(replace(entry, marks=Marks("why")) for entry in base.deck)),
    )
    pasted = with_marks_of(deck("3 Kai"), marked)
    assert [(entry.count, entry.marks.note) for entry in pasted.deck] == [(3, "why")]
