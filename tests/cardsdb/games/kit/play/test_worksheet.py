"""Worksheets as values: reading typed fields, refusing mistakes, and writing values to a URL. Calculations
are tested with their games (``test_worksheets.py``), printed sheets in ``printing/extras``.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit.contract.optional import worksheet_problems
from cardsdb.games.kit.play.worksheet import Calculation, Field, Outcome, Worksheet, written_in

# A sheet with a field of each kind (a seed is read like a text), where one number may be unknown; and a game
# with this sheet only.
COUNT = Field("count", "Count", least=1, most=20, start=3)
MAYBE = Field("maybe", "Maybe", most=9)
SIDE = Field("side", "Side", "choice", choices={"a": "Left", "b": "Right"}, start="b")
READY = Field("ready", "Ready", "flag")
NAME = Field("name", "Name", "text", max_length=10)
SHEET = Worksheet(
    "one", "One", "A sheet.", (COUNT, MAYBE, SIDE, READY, NAME), lambda game, values: Calculation()
)
GAME: Any = SimpleNamespace(worksheets=(SHEET,), citations={"R-1": None}, formats_by_slug={}, write_in=())

values = st.fixed_dictionaries(
    {
        "count": st.integers(1, 20),
        "maybe": st.none() | st.integers(0, 9),
        "side": st.sampled_from(["a", "b"]),
        "ready": st.booleans(),
        "name": st.text("abc xyz", max_size=10).map(lambda text: " ".join(text.split())),
    }
)


@given(values)
def test_the_address_of_a_sheet_has_all_its_values(filled):
    assert SHEET.fill_in(GAME, SHEET.address(filled)).values == filled


@pytest.mark.parametrize("typed", [{}, {"utm_source": "x"}, {"maybe": "", "count": " ", "side": ""}])
def test_a_sheet_without_a_filled_in_field_has_its_start_values(typed):
    start = {"count": 3, "maybe": None, "side": "b", "ready": False, "name": ""}
    assert SHEET.fill_in(GAME, typed).values == SHEET.start == start
    assert SHEET.address(SHEET.start) == {}


@pytest.mark.parametrize(
    ("key", "typed", "message"),
    [
        ("count", "0", "Count must be a whole number from 1 to 20, not “0”."),
        ("count", "9" * 5_000, "must be a whole number"),
        ("side", "c", "Side can be “a” or “b”, not “c”."),
        ("name", "far too long a name", "Name has 19 characters; 10 at most."),
        ("name", "a|b", "must not have the sign |"),
        ("name", "a\u202eb", "invisible character (U+202E)"),
    ],
)
def test_an_unreadable_field_is_refused_with_a_sentence_and_kept_as_typed(key, typed, message):
    result = SHEET.fill_in(GAME, {key: typed})
    assert [field for field, _ in result.problems] == [key]
    assert message in result.problems[0][1]
    assert result.typed[key] == typed


def test_nothing_is_calculated_from_a_sheet_with_a_mistake():
    sheet = replace(SHEET, calculate=lambda game, values: pytest.fail("calculated all the same"))
    assert sheet.fill_in(GAME, {"count": "none"}).calculation == Calculation()


def test_fields_stand_under_their_headings_in_order():
    fields = (
        Field("a", "A", group="G", part="P"),
        Field("b", "B", group="H"),
        Field("c", "C", group="G", part="Q"),
    )
    groups = replace(SHEET, fields=fields).groups
    assert [(group.name, [part.name for part in group.parts]) for group in groups] == [
        ("G", ["P", "Q"]),
        ("H", [""]),
    ]


def test_a_card_is_written_in_without_its_empty_facts():
    facts = {"body": 2, "level": None, "organisation": "", "download": True}
    assert written_in("Nora", "character", facts).splitlines() == [
        "1 Nora | character",
        "  | body: 2",
        "  | download: yes",
    ]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        (replace(SHEET, slug="No Good"), "the slug must be"),
        (replace(SHEET, help="No sentence"), "the help must be a sentence"),
        (replace(SHEET, fields=(COUNT, COUNT)), "must have a name of its own"),
        (replace(SHEET, fields=(replace(COUNT, key="deck"),)), "must have a name of its own"),
        (replace(SHEET, fields=(replace(COUNT, cites="R-9"),)), "cites R-9"),
        (replace(SHEET, fields=(replace(COUNT, start=99),)), "starts with what it refuses"),
        (replace(SHEET, fields=(Field("x", "X", "choice"),)), "a choice, and nothing else, has choices"),
        (replace(SHEET, writes=lambda values: "", format="none"), "format 'none'"),
        (
            replace(SHEET, card_type="agent", of_card=lambda card: {}, writes=lambda values: ""),
            "cannot be written in",
        ),
        (
            replace(SHEET, calculate=lambda game, values: Calculation((Outcome("X", cites=("R-2",)),))),
            "cites R-2",
        ),
    ],
)
def test_a_broken_declaration_is_reported_in_a_sentence(sheet, message):
    game: Any = SimpleNamespace(**{**vars(GAME), "worksheets": (sheet,)})
    assert any(message in problem for problem in worksheet_problems(game))
