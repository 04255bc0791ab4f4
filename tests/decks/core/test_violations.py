"""Violations as they are shown: with the repair in words, for forms and for the API, and their citation."""

from cardsdb.games import games
from decks.core.judging import MAX_REPAIRED, judge_text

SPYCRAFT = games()["spycraft"]


def test_a_violation_has_its_repair_in_every_form_and_its_citation():
    judged = judge_text(SPYCRAFT, "4 Kai\n", SPYCRAFT.formats_by_slug["agency"])
    (view,) = (view for view in judged.violation_views() if view.removal)
    assert (view.message, view.severity) == ("4 copies of Kai; 3 at most.", "illegal")
    assert (view.repair, view.changes) == ("Take out 1 Kai.", "-1 deck kai")
    removed = [{"name": "Kai", "section": "deck", "count": 1}]
    assert view.as_json()["repairs"] == [{"message": view.repair, "remove": removed, "add": []}]
    assert view.as_json()["citation"]["document"] == view.document
    assert view.address


def test_only_the_first_violations_get_a_repair():
    many = "".join(f"9 {card.name}\n" for card in SPYCRAFT.cards if card.type == "gear")
    judged = judge_text(SPYCRAFT, many, SPYCRAFT.formats_by_slug["agency"])
    repaired = [bool(view.removal) for view in judged.violation_views()]
    assert len(repaired) > MAX_REPAIRED
    assert any(repaired)
    assert not any(repaired[MAX_REPAIRED:])
