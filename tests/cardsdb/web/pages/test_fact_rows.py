"""The facts of a card as HTML: whatever a folder says stays text, and what nobody knows is blank."""

from __future__ import annotations

import pytest
from django.template import engines
from markupsafe import escape

from cardsdb.games.kit import Fact
from cardsdb.web.card_page import FactRow, Source

ROW = "{% import 'macros/cards.html' as macros %}{{ macros.fact_row(row) }}"
MARKUP = """<b>"&'"""
SOURCE = Source(f"d{MARKUP}", f"p{MARKUP}", "stated", f"n{MARKUP}", f"v{MARKUP}")


@pytest.mark.parametrize(
    "row",
    [
        FactRow(Fact("craft", "number", f"h{MARKUP}", label=f"t{MARKUP}"), f"x{MARKUP}", ((1, SOURCE),)),
        FactRow(Fact("craft", "word", "", label=f"t{MARKUP}"), f"x{MARKUP}", ((0, SOURCE),), (SOURCE,)),
        FactRow(Fact("traits", "words", "", label=f"t{MARKUP}"), words=((f"w{MARKUP}", f"q{MARKUP}"),)),
    ],
)
def test_what_a_folder_says_is_text(row: FactRow) -> None:
    made = engines["jinja2"].from_string(ROW).render({"row": row})
    assert "<b>" not in made and f"t{escape(MARKUP)}" in made


def test_a_fact_that_nobody_states_is_blank_and_has_no_source() -> None:
    made = engines["jinja2"].from_string(ROW).render({"row": FactRow(Fact("craft", "number", ""))})
    assert "not stated in any source we have" in made and "<details" not in made
