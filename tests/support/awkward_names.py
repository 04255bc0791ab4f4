"""A game whose card names are hard to read in deck lists (numbers, brackets, colons, quotes), and a list that
uses every feature of the list format.

Tests of ``decks/formats`` write the list in each format and read it back: nothing may be lost silently.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cardsdb.games.kit import CardType, Detail, Fact, Format, Game, Section
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import Written

NAMES = (
    "2nd Lt. Chavez",
    "3-D Modeling",
    "2Shy",
    "Glock 17",
    "Eve 7",
    "Alien DNA Steroid Program (Project Purity Control)",
    "Lake Okobogee, Campsite #53, Sioux City, IA",
    "Project: Omen Star",
    'RS-9, "The Koffin"',
    '"Alice"',
    "H&K MP5N",
    "Død Kalm",
    "X",
    "The [Redacted] File",
    "]]> & <notes />",
    "I'm Sorry, Was That Yours?",
    "Agents",
    "-=Zero=-",
    "Tracer x2",
)
# OCTGN ids, for all cards but the last.
IDS = {name: f"00000000-0000-4000-8000-{number:012x}" for number, name in enumerate(NAMES[:-1], 1)}
# Settings for the formats of other programs, as ``[exports]`` of a ``game.toml`` would give them: format ->
# settings.
EXPORTS: dict[str, dict[str, Any]] = {
    "o8d": {
        "game": "11111111-2222-4333-8444-555555555555",
        "id_fact": "octgn_id",
        "sections": {"leaders": "Bosses"},
        "shared": ("deck",),
    },
    "gccg": {
        "title": "Awkward CCG",
        "sections": {"leaders": "Agents", "deck": "Deck", "sideboard": "Deck"},
        "sets": {"ONE": "1ST"},
    },
    "dek": {"game": "awkwardplugin"},
    "cod": {"sections": {"leaders": "tokens"}},
}


def awkward_game(folder: Path) -> Game:
    """Write the game's files into this empty folder and return the game. Two of its cards are both called
    Tracer.
    """
    columns = "code name type set number rarity print_code print_note source aliases text note octgn_id"
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns.split(), restval="")
        table.writeheader()

        def write(code: str, name: str, of_set: str, number: int, type: str = "agent") -> None:
            row = {"code": code, "name": name, "type": type, "set": of_set, "number": number}
            table.writerow(row | {"source": "list#1", "octgn_id": IDS.get(name, "")})

        for number, name in enumerate(NAMES, 1):
            write(f"c{number}", name, "ONE", number)
        for of_set in ("ONE", "TWO"):
            write(f"tracer-{of_set.lower()}", "Tracer", of_set, 50)
        # The lines of one card stand together.
        for of_set in ("ONE", "TWO"):
            write("boss", "Boss", of_set, 9, "leader")
    (folder / "sets.csv").write_text(
        "code,name,year,size,official,source,note\nONE,One,,,yes,list,\nTWO,Two,,,yes,list,\n"
    )
    (folder / "rulebook.toml").write_text('[documents.list]\ntitle = "A list"\nkind = "list"\n[rules]\n')
    return Game(
        slug="awkward",
        name="Awkward",
        publisher="",
        year="",
        summary="",
        folder=folder,
        types=(CardType("agent", "Agent", "Agents"), CardType("leader", "Leader", "Leaders")),
        facts=(
            Fact("octgn_id", "text", "The id.", optional=True),
            Fact("skills", "words", "What the agent can do."),
            Fact("level", "number", "The rank."),
        ),
        sections=(
            Section("leaders", "Leaders", ("leader",)),
            Section("deck", "Deck", ("agent",)),
            Section("sideboard", "Sideboard", ("agent",)),
        ),
        formats=(
            Format("open", "Open", (), ("deck",), details=(Detail("players", "Players", "How many."),)),
        ),
        faces={},
        hue=("", ""),
        write_in=("agent",),
    )


# ``{cards}`` is replaced by two copies of each card in NAMES.
EVERYTHING = """// name: Traps & "quotes" ]]>
// format: open
// two of each
Players: 4
Leaders:
1 Boss
Deck:
{cards}
1 Zoë | agent | skills: lying, driving | level: 3
Sideboard:
3 2Shy
7 Nobody Knows This One
"""


def everything(game: Game) -> Reading:
    """Return the list ``EVERYTHING`` read for this game: two copies of each card, details, notes, an unknown
    card.
    """
    return read_deck(game, EVERYTHING.format(cards="\n".join(f"2 {name}" for name in NAMES)))


def codes(written: Written) -> Counter[str]:
    """Return how often each kind of loss was reported by the writer: code -> count."""
    return Counter(loss.code for loss in written.losses)


def tree(written: Written) -> ElementTree.Element:
    """Return the written file parsed as XML."""
    return ElementTree.fromstring(written.text)
