"""The facts of a card as its page shows them: each with its sources and the claims that differ.

A fact that no source states is shown as unknown, never left out. ``card_page.py`` shows the rows;
``source_of`` also serves ``game_page.py`` and the template tags. ``Card``, ``Claim`` and ``Fact`` are defined
in ``cardsdb/games/kit/model``. Tests: ``tests/cardsdb/web/test_card_page.py``.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cardsdb.catalogue.as_json import document_title
from cardsdb.games.kit import Card, Claim, Fact, FactValue, Game, as_words
from cardsdb.search.query.tree import quoted

# Characters of a short title. A longer title is cut at its first comma, if it has one.
SHORT = 48
# Up to this many numbers stand large beside each other in a strip; more stand in rows.
MAX_IN_STRIP = 6
NAME = Fact("name", "text", "What the card is called.", label="Name", is_aside=True)
TYPE = Fact("type", "text", "What kind of card it is.", label="Type", is_aside=True)


class Source(NamedTuple):
    """One claim in words. ``url`` is the document's public address, "" if it has none."""

    document: str
    place: str
    certainty: str
    note: str = ""
    value: str = ""
    url: str = ""

    @property
    def short(self) -> str:
        """The document's title without an explanation in brackets, quotation marks or after a colon."""
        whole = re.match(r"[^“(:]+", self.document)
        title = whole[0].strip() if whole else self.document
        return title if len(title) <= SHORT else title.partition(", ")[0]

    @property
    def in_full(self) -> str:
        """The claim in one line: document, place, certainty."""
        return f"{', '.join(part for part in (self.document, self.place) if part)} · {self.certainty}"


class FactRow(NamedTuple):
    """One fact of a card: its value ("" if unknown), its sources, and the claims that differ (``others``).

    ``sources``: pairs of (number, source). Sources of the whole card have their number from 1 and come first;
    sources of this fact alone have 0. ``words``: for a fact of set words, pairs of (word, query for cards
    that share it).

    Of Spycraft's Li, whose craft the plug-in for OCTGN states as 2 and a rulebook as 0: the fact craft, the
    value "2", ``sources`` ``((1, <plug-in>),)``, ``others`` ``(<rulebook>,)``. Of Li's faction: the value
    "Nine Tiger", ``words`` ``(("Nine Tiger", 'game:spycraft faction:"Nine Tiger"'),)``.
    """

    fact: Fact
    value: str = ""
    sources: tuple[tuple[int, Source], ...] = ()
    others: tuple[Source, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    is_aside: bool = False

    @property
    def in_document(self) -> bool:
        """True if one of the game's documents states the fact, not only lists and the cards themselves."""
        return any(source.certainty != "outside" for _, source in self.sources)


def fact_rows(game: Game, card: Card) -> list[FactRow]:
    """Return the rows of a card: its name and type, its stated facts, then the expected facts that no source
    states.
    """
    differing = card.disagreements()
    known = [
        fact_row(game, card, NAME, card.name, differing),
        fact_row(game, card, TYPE, game.type_named(card.type).name, differing),
    ]
    unknown = []
    for fact in game.facts_of(card.type):
        value = card.fact(fact.key)
        if value is not None:
            known.append(fact_row(game, card, fact, value, differing))
        elif fact.expected_of(card.type) and not any(key in card.facts for key in fact.unless):
            unknown.append(FactRow(fact))
    return known + unknown


def fact_row(
    game: Game, card: Card, fact: Fact, value: FactValue, differing: Mapping[str, tuple[Claim, ...]]
) -> FactRow:
    """Return the row of a fact with a value. ``differing``: key of a fact -> the claims for other values."""
    of_card, others = card.sources.get("", ()), differing.get(fact.key, ())
    agreeing = [claim for claim in card.claims(fact.key) if claim not in others]
    # Claims for the whole card are numbered; the page lists them once and refers to them by number.
    numbered = [(of_card.index(claim) + 1, source_of(game, claim)) for claim in agreeing if claim in of_card]
    of_fact_alone = [(0, source_of(game, claim)) for claim in agreeing if claim not in of_card]
    words: tuple[str, ...] = ()
    if fact.kind in ("word", "words"):
        words = value if isinstance(value, tuple) else (str(value),)
    return FactRow(
        fact,
        as_words(value),
        sources=(*numbered, *of_fact_alone),
        others=tuple(source_of(game, claim) for claim in others),
        words=tuple((word, f"game:{game.slug} {fact.key}:{quoted(word)}") for word in words),
        is_aside=fact.is_aside or value is False,
    )


def grouped(rows: list[FactRow]) -> dict[str, list[Any]]:
    """Return the rows in groups for the template, in the game's order of facts.

    ``shown``: pairs of (layout, rows): "words", then the numbers as a "strip" of large figures or, if they
    are more than MAX_IN_STRIP, as "rows". ``unknown``: rows without a value; ``details``: rows of facts that
    do not matter in play.
    """
    stated = [row for row in rows if row.value and not row.is_aside]
    numbers = [row for row in stated if row.fact.kind == "number"]
    words = [row for row in stated if row not in numbers]
    layout = "strip" if len(numbers) <= MAX_IN_STRIP else "rows"
    return {
        "shown": [(name, members) for name, members in (("words", words), (layout, numbers)) if members],
        "unknown": [row for row in rows if not row.value],
        "details": [row for row in rows if row.is_aside],
    }


def source_of(game: Game, claim: Claim) -> Source:
    """Return a claim in words: document, place in it ("Setup Phase, lines 83, 163, 197, pp. 3, 5, 6"),
    certainty.
    """
    if not claim.document:
        return Source(document_title(game, claim), "", "outside", claim.note)
    lines = ("line " if claim.lines.isdigit() else "lines ") + claim.lines if claim.lines else ""
    document = game.document_named(claim.document)
    place = ", ".join(filter(None, (claim.section, lines, document.pages_in_words(claim.lines))))
    value = (claim.value or "").replace("<=", "at most").replace(">=", "at least")
    url = game.address_of(claim.document, claim.lines)
    return Source(document.title, place, claim.certainty, claim.note, value, url)
