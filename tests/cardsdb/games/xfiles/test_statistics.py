"""The statistics of an X-Files deck: its questions, its team, and what its cards sell for."""

from typing import Any

from cardsdb.games.kit import Card, Decklist, Entry
from tests.cardsdb.games.kit.play.test_statistics import rows, tables_of


def site(code: str, skill: str, level: int | None, asks: str, easier: str = "") -> Entry:
    """Return a Site that asks one question and needs one skill at this level, or for the answer ``easier`` at
    the lower level that stands there.
    """
    facts: dict[str, Any] = {"site_skills": (skill,), "site_questions": (asks,)}
    if level is not None:
        facts["site_level"] = level
    if easier:
        facts["site_special"] = easier
    return Entry(Card("xfiles", code, code.title(), "site", facts), 1, "bureau")


def test_sites_are_counted_by_question_and_by_skill():
    # Together they have Medical 4.
    team = [
        Entry(Card("xfiles", f"agent-{n}", f"Agent {n}", "agent", {"medical": 2, "cost": 3}), 1, "agents")
        for n in (1, 2)
    ]
    sites = (
        site("near", "Medical", 4, "Motive"),
        site("far", "Medical", 5, "Motive"),
        site("easier", "Medical", 5, "Motive", "Motive: Security at 4"),
        site("other", "Computer", 4, "Method"),
        site("blank", "Medical", None, "Result"),
    )
    tables = tables_of("xfiles", Decklist((*team, *sites)))
    # Sites within reach, within reach for one answer, out of reach.
    assert rows(tables["Questions"]) == {
        "Affiliation": (0, 0, 0),
        "Motive": (1, 1, 1),
        "Method": (0, 0, 1),
        "Result": (0, 0, 1),
    }
    # The team's sum, Sites that need the skill, the highest level needed, Sites within reach.
    team_and_sites = rows(tables["Team and Sites"])
    assert team_and_sites["Medical"] == (4, 4, 5, 1)
    assert team_and_sites["Computer"] == (None, 1, 4, 0)


def test_a_deck_without_a_team_has_zero_of_every_skill_and_says_so():
    deck = Decklist((site("near", "Medical", 4, "Motive"), site("any", "Medical", 0, "Motive")))
    tables = tables_of("xfiles", deck)
    assert rows(tables["Team and Sites"])["Medical"] == (0, 2, 4, 1)
    # An empty team has 0 of a skill, which is not an unknown number.
    assert {cells[0] for cells in rows(tables["Team and Sites"]).values()} == {0}
    assert all("no starting Agent yet" in tables[title].note for title in ("Team and Sites", "Questions"))


def test_an_agent_sells_for_its_resources_and_a_card_with_a_cost_of_x_for_nothing():
    cards: list[tuple[str, dict[str, Any]]] = [
        ("agent", {"cost": 7, "resources": 2, "pool": "RP"}),
        ("event", {"cost": 3, "pool": "*P"}),
        ("event", {"cost_formula": "X", "pool": "RP"}),
        ("event", {"cost": 5, "pool": "CP"}),  # Cannot be sold.
    ]
    deck = Decklist(
        tuple(
            Entry(Card("xfiles", f"c{n}", f"C{n}", kind, facts), 1, "bureau")
            for n, (kind, facts) in enumerate(cards)
        )
    )
    table = tables_of("xfiles", deck)["Worth in Conspiracy Points"]
    # Conspiracy Points -> number of cards that sell for them.
    assert rows(table) == {"0": (1,), "2": (1,), "3": (1,)}
    assert table.feet[0].cells == (5,)
