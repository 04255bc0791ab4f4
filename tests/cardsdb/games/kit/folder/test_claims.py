"""``claims.csv``: a claim confirms or disputes a fact of a card; the faults of its rows."""

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.games.kit.folder.claims import with_claims

SPYCRAFT = games()["spycraft"]
ROW = {"value": "9", "section": "A", "lines": "", "certainty": "stated", "note": ""}
ROW |= {"fact": "expense", "document": next(iter(SPYCRAFT.documents))}


def claimed(cells: dict[str, str], problems: list[str]) -> Card:
    """Kai, whose expense is not 9, with the claim of ``ROW`` in which these cells are changed."""
    rows = [("claims.csv line 2", ROW | cells)]
    return with_claims(kai(), rows, SPYCRAFT.facts_by_key, SPYCRAFT.documents, problems.append)


def kai() -> Card:
    card = SPYCRAFT.card("kai")
    assert card is not None
    return card


def test_a_claim_of_another_value_disputes_the_fact():
    assert [claim.value for claim in claimed({}, []).disagreements()["expense"]] == ["9"]


def test_a_claim_without_a_value_confirms_the_fact():
    card = claimed({"value": ""}, [])
    assert (card.claims("expense")[-1].section, "expense" in card.disagreements()) == ("A", False)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("fact", "column fact: no fact is called 'x'"),
        ("document", "column document: no document is called 'x'; rulebook.toml lists them"),
        ("certainty", "column certainty: certainty must be one of "),
    ],
)
def test_a_bad_row_is_reported_and_left_out(cell, problem):
    problems: list[str] = []
    assert claimed({cell: "x"}, problems).sources == kai().sources
    assert [problem in told for told in problems] == [True]
