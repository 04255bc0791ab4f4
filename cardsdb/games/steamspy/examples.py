"""Decks and sheets, and the verdicts they must get. All cards and characters are invented for these
examples.
"""

from __future__ import annotations

from cardsdb.games.kit import Example, Verdict

KNOWN = "protagonist: Body | antagonist: Charisma; Intelligence"
CELL = """Cell:
Anna Stone | character | corporation: Das Wort | organisation: M-5
Paul West | character | corporation: Navidad Pharmaceuticals | organisation: Feds | download: yes
"""


def corporation_cards(count: int, of: str = "Navidad Pharmaceuticals", facts: str = KNOWN) -> str:
    """So many cards of different names of a corporation, one a line."""
    return "".join(
        f"1 {of} {number} | interrupt | corporation: {of} | {facts}\n" for number in range(1, count + 1)
    )


def organisation_cards(count: int, of: str = "M-5", facts: str = KNOWN) -> str:
    """So many cards of different names of an organisation, one a line."""
    return "".join(
        f"1 {of} item {number} | creature | organisation: {of} | {facts}\n" for number in range(1, count + 1)
    )


MIXED_24 = organisation_cards(12) + organisation_cards(12, "Feds")


def cell(
    corporation: str = corporation_cards(32), organisation: str = MIXED_24, characters: str = CELL
) -> str:
    """A cell with both decks; legal unless told otherwise."""
    return f"{characters}\nCorporation deck:\n{corporation}\nOrganisation deck:\n{organisation}"


def _cell(
    name: str, text: str, verdict: Verdict, *codes: str, notes: tuple[str, ...] | None = None
) -> Example:
    return Example(name, "cell", text, verdict, codes, notes)


def _sheet(
    name: str, sheet: str, verdict: Verdict, *codes: str, notes: tuple[str, ...] | None = None
) -> Example:
    return Example(name, "character", f"Anna Stone | character | {sheet}", verdict, codes, notes)


BOTH = "corporation: Das Wort | organisation: Diamond Club"
# Das Wort starts Body at 3: one trait and two actions are 4 + 3 + 3 = 10 XP.
LEVEL_1 = f"{BOTH} | body: 4 | sneaking: 2 | bluffing: 2"


def _sheets() -> tuple[Example, ...]:
    return (
        Example("no character", "character", "", "incomplete", ("SS-01",)),
        _sheet("a trait and two actions for 10 XP", LEVEL_1, "legal", notes=("SS-09",)),
        _sheet("and a skill for one XP more", f"{LEVEL_1} | stealth: 2", "illegal", "SS-06"),
        _sheet("a rank of nought", f"{LEVEL_1} | land: 0", "illegal", "SS-01"),
        _sheet("nothing bought yet", BOTH, "legal", notes=("SS-06", "SS-09")),
        _sheet("two corporations", "corporation: Das Wort, Navidad | organisation: M5", "illegal", "SS-02"),
        _sheet(
            "neither corporation nor organisation", "body: 2 | land: 7", "legal", notes=("SS-02", "SS-09")
        ),
        _sheet(
            "another corporation's organisation",
            "corporation: Englandia | organisation: Feds | body: 2 | air: 7",
            "legal",
        ),
        _sheet("the corporation's trait bonus forgotten", f"{BOTH} | body: 2", "illegal", "SS-04"),
        _sheet(
            "the skill bonus on all three",
            f"{LEVEL_1} | forgery: 3 | pick pocket: 3",
            "legal",
            notes=("SS-04", "SS-09"),
        ),
        _sheet(
            "the skill bonus on one of them",
            f"{LEVEL_1} | forgery: 3 | pick pocket: 1",
            "legal",
            notes=("SS-04", "SS-09"),
        ),
        _sheet(
            "the skill bonus on none",
            f"{BOTH} | forgery: 1 | pick pocket: 2 | safe cracking: 1",
            "illegal",
            "SS-04",
        ),
        _sheet(
            "the action bonus on all three",
            f"{LEVEL_1} | disarming: 3 | disposal: 3",
            "legal",
            notes=("SS-05", "SS-09"),
        ),
        _sheet(
            "the action bonus on none",
            f"{BOTH} | disarming: 1 | disposal: 1 | destruction: 2",
            "illegal",
            "SS-05",
        ),
        _sheet(
            "a corporation no source knows",
            "corporation: Acme | organisation: M-5 | air: 30",
            "undecided",
            "SS-04",
        ),
        _sheet(
            "an organisation no source knows",
            "corporation: Navidad | organisation: Acme",
            "undecided",
            "SS-05",
        ),
        _sheet("the download ability for all 10 XP", f"{BOTH} | download: yes", "legal", notes=("SS-09",)),
        _sheet(
            "20 XP spent make level 2",
            f"{LEVEL_1} | download: yes | xp: 20 | level: 2",
            "legal",
            notes=("SS-09",),
        ),
        _sheet(
            "19 XP spent make level 1",
            f"{LEVEL_1} | air: 10 | xp: 20 | level: 1",
            "legal",
            notes=("SS-07", "SS-09"),
        ),
        _sheet(
            "19 XP spent do not make level 2", f"{LEVEL_1} | air: 10 | xp: 20 | level: 2", "illegal", "SS-09"
        ),
        _sheet(
            "30 XP spent make level 3", f"{LEVEL_1} | download: yes | air: 11 | xp: 30 | level: 3", "legal"
        ),
        _sheet("21 XP spent of 20", f"{LEVEL_1} | download: yes | air: 2 | xp: 20", "illegal", "SS-07"),
        _sheet(
            "a level, and no word of the XP had", f"{LEVEL_1} | air: 13 | level: 2", "legal", notes=("SS-09",)
        ),
        Example(
            "a card among the sheets",
            "character",
            f"Anna Stone | character | {LEVEL_1}\n1 Horn | ally",
            "illegal",
            ("SS-01",),
        ),
    )


def _decks() -> tuple[Example, ...]:
    navidad_31 = corporation_cards(31)
    one_more = f"| corporation: Navidad | {KNOWN}\n"
    items_23 = organisation_cards(23)
    return (
        _cell(
            "32 of one corporation, 24 of two organisations",
            cell(),
            "legal",
            notes=("SS-06", "SS-09", "SS-30"),
        ),
        _cell("nothing yet", "", "incomplete", "SS-01", "SS-20", "SS-24"),
        _cell("31 and 24", cell(navidad_31), "incomplete", "SS-20"),
        _cell("33 and 23", cell(corporation_cards(33), items_23), "illegal", "SS-20", "SS-24"),
        _cell("32 and 23", cell(organisation=items_23), "incomplete", "SS-24"),
        _cell(
            "two corporations in the deck",
            cell(corporation_cards(16) + corporation_cards(16, "Das Wort")),
            "illegal",
            "SS-21",
        ),
        _cell(
            "a corporation of nobody",
            cell(corporation_cards(32, "Orisaku Artificials Inc")),
            "illegal",
            "SS-22",
        ),
        _cell(
            "a card of no known corporation",
            cell(f"{navidad_31}1 Horn | ally | {KNOWN}\n"),
            "undecided",
            "SS-21",
        ),
        _cell("a name twice", cell(f"{corporation_cards(30)}2 Horn | ally {one_more}"), "illegal", "SS-23"),
        _cell(
            "an organisation of nobody",
            cell(organisation=items_23 + organisation_cards(1, "Dragon Sect")),
            "illegal",
            "SS-25",
        ),
        _cell(
            "a card of no known organisation",
            cell(organisation=f"{items_23}1 Horn | creature | {KNOWN}\n"),
            "undecided",
            "SS-25",
        ),
        _cell(
            "an item twice",
            cell(organisation=organisation_cards(22) + f"2 Horn | creature | org: M5 | {KNOWN}"),
            "illegal",
            "SS-26",
        ),
        _cell(
            "a name in both decks",
            cell(
                f"{navidad_31}1 Horn | ally {one_more}",
                f"{items_23}1 Horn | creature | organization: M5 | {KNOWN}\n",
            ),
            "legal",
            notes=("SS-06", "SS-09", "SS-26", "SS-30"),
        ),
        _cell(
            "other spellings of the same corporation",
            cell(corporation_cards(16) + corporation_cards(16, "Navidad")),
            "legal",
        ),
        _cell("decks without a cell", cell(characters=""), "incomplete", "SS-01", "SS-22", "SS-25"),
        _cell(
            "a cell that may work for the corporation",
            cell(characters=f"{CELL}Jo Hill | character | corporation: Acme\n"),
            "undecided",
            "SS-04",
        ),
        _cell(
            "a corporation of nobody, beside a character whose corporation no source knows",
            cell(
                corporation_cards(32, "Orisaku"),
                characters=f"{CELL}Jo Hill | character | corporation: Acme\n",
            ),
            "undecided",
            "SS-04",
            "SS-22",
        ),
        _cell(
            "a card in the cell",
            cell(characters=f"{CELL}1 Horn | ally | corporation: Navidad\n"),
            "illegal",
            "SS-01",
        ),
        _cell(
            "an organisation's card in the corporation deck",
            cell(f"{navidad_31}1 Horn | organisation card | corp: Navidad\n"),
            "illegal",
            "SS-20",
        ),
        _cell(
            "a corporation's card in the organisation deck",
            cell(organisation=f"{items_23}1 Horn | corporation-card | org: M-5\n"),
            "illegal",
            "SS-24",
        ),
        _cell(
            "a creature in the corporation deck",
            cell(f"{navidad_31}1 Horn | creature {one_more}"),
            "legal",
            notes=("SS-06", "SS-09", "SS-28", "SS-30"),
        ),
        _cell(
            "no initiative written",
            cell(corporation_cards(32, facts="vehicle: Airship")),
            "legal",
            notes=("SS-06", "SS-09", "SS-29", "SS-30"),
        ),
        _cell(
            "an initiative that is no trait",
            cell(corporation_cards(32, facts="protagonist: Luck | antagonist: Body")),
            "legal",
            notes=("SS-06", "SS-09", "SS-29", "SS-30"),
        ),
        _cell(
            "an add-on without equipment",
            cell(
                organisation=(
                    f"{items_23}1 Lens | add-on | organisation: M-5 | encounter type: Stealing | {KNOWN}\n"
                )
            ),
            "legal",
            notes=("SS-06", "SS-09", "SS-30", "SS-31"),
        ),
        _cell(
            "an add-on with its equipment",
            cell(
                organisation=organisation_cards(22)
                + f"1 Lens | add on | organisation: M-5 | encounter type: Stealing | {KNOWN}\n"
                + f"1 Camera | equipment | organisation: M-5 | action type: stealing | {KNOWN}\n"
            ),
            "legal",
            notes=("SS-06", "SS-09", "SS-30"),
        ),
        _cell(
            "nobody in the cell can pay for his ranks",
            cell(characters=CELL.replace("M-5", "M-5 | air: 12")),
            "illegal",
            "SS-06",
        ),
    )


def examples() -> tuple[Example, ...]:
    """Sheets first, then cells with their decks."""
    return (*_sheets(), *_decks())
