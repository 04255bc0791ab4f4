"""Lists and the verdicts they must get: the test vectors of the rules, and one breach of every checked
rule.
"""

from __future__ import annotations

from cardsdb.games.agentdecker.cards import LETTERS
from cardsdb.games.kit import Example, Verdict

# How many obstacles each letter has is not known; these add up to the 18 there are.
OBSTACLES = {"A": 0, "B": 4, "C": 4, "D": 5, "E": 5}


def the_set(alarm: int = 1, starting: int = 8, obstacles: int = 22, missions: int = 23) -> str:
    """So many cards of each deck."""
    return "\n".join(
        [
            f"{alarm} Alarm",
            f"{starting - 5} Hide\n5 Punch",
            (
                f"1 Guard\n1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n{obstacles - 4} Unnamed"
                " obstacle"
            ),
            *(f"1 Unnamed mission goal {letter}" for letter in LETTERS),
            f"{missions - 5} Unnamed mission obstacle",
        ]
    )


def goals(letters: str) -> str:
    return "\n".join(f"1 Unnamed mission goal {letter}" for letter in letters)


def obstacles(letters: str) -> str:
    return "\n".join(
        f"{OBSTACLES[letter]} Rival {letter} | mission-obstacle | letter: {letter}"
        for letter in letters
        if OBSTACLES[letter]
    )


def mission_deck(letters: str) -> str:
    """Goal and obstacles of each letter, in order."""
    return "\n".join(f"{goals(letter)}\n{obstacles(letter)}" for letter in letters)


def table(mission: str = "A", alarm: int | str = 0, turn: int | str = "", **zones: str) -> str:
    """A campaign at its start, with other cards in the zones named (``the_line="6 Guard"``)."""
    stated = {"Mission": mission, "Alarm": str(alarm), "Turn": str(turn)}
    laid = {
        "alarm_card": "1 Alarm",
        "mission_deck": mission_deck("ABCDE"),
        "obstacles_deck": "16 Unnamed obstacle",
        "the_line": "1 Guard\n1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n2 Unnamed obstacle",
        "your_deck": "1 Hide\n3 Punch",
        "hand": "2 Hide\n2 Punch",
        **zones,
    }
    head = [f"{label}: {value}" for label, value in stated.items() if value]
    return "\n".join(
        [*head, *(f"{zone.replace('_', ' ')}:\n{lines}" for zone, lines in laid.items() if lines)]
    )


def second_mission(alarm: int | str = 23, turn: int | str = "", **zones: str) -> str:
    """Mission A is finished: its goal equipped, the obstacles of B joined, a guard disarmed."""
    laid = {
        "mission_deck": f"{goals('B')}\n{mission_deck('CDE')}",
        "obstacles_deck": f"11 Unnamed obstacle\n{obstacles('B')}",
        "the_line": "1 Motion Sensor Hall\n1 Sentry Gun\n4 Unnamed obstacle",
        "obstacles_discard": "1 Security Camera\n3 Unnamed obstacle",
        "your_discard": "1 Guard",
        "equip_area": goals("A"),
    }
    return table("B", alarm, turn, **{**laid, **zones})


def sheet(*scores: int | None, total: int | None = None, date: str = "") -> str:
    lines = [f"Mission {number}: {score}" for number, score in enumerate(scores, 1) if score is not None]
    return "\n".join(
        [*lines, *([f"Total: {total}"] if total is not None else []), *([f"Date: {date}"] if date else [])]
    )


def examples() -> tuple[Example, ...]:
    return (*_sets(), *_card_data(), *_campaigns(), *_mission_order(), *_zones(), *_score_sheets())


def _sets() -> tuple[Example, ...]:
    undecided = f"{the_set(obstacles=21, missions=22)}\n1 Patrolling Guard\n1 Keycard"
    three_goals = the_set().replace("1 Unnamed mission goal E", "1 Unnamed mission obstacle")
    return (
        Example("1/8/22/23", "set", the_set(), "legal", notes=()),
        Example("1/8/22/22", "set", the_set(missions=22), "incomplete", ("AD-04", "AD-05"), ("AD-08",)),
        Example("two alarm cards", "set", the_set(alarm=2), "illegal", ("AD-01", "AD-05")),
        Example("seven starting cards", "set", the_set(starting=7), "incomplete", ("AD-02", "AD-05")),
        Example(
            "four Hide and four Punch",
            "set",
            the_set().replace("3 Hide\n5", "4 Hide\n4"),
            "legal",
            notes=("AD-02",),
        ),
        Example("23 obstacles", "set", the_set(obstacles=23), "illegal", ("AD-03", "AD-05")),
        Example("two cards whose deck is not stated", "set", undecided, "undecided", ("AD-03", "AD-04"), ()),
        Example("an entry that is no card", "set", f"{the_set()}\n1 Mission 1", "illegal", ("AD-05",)),
        Example(
            "an obstacle in the mission deck", "set", f"Mission deck:\n{the_set()}", "illegal", ("AD-07",)
        ),
        Example(
            "an item in the mission deck",
            "set",
            f"{the_set(missions=22)}\nMission deck:\n1 Keycard",
            "undecided",
            ("AD-04", "AD-07"),
        ),
        Example("no goal of mission E", "set", three_goals, "legal", notes=("AD-08",)),
    )


def _card_data() -> tuple[Example, ...]:
    def with_obstacle(line: str) -> str:
        return f"{the_set(obstacles=21)}\n{line}"

    letter_f = f"{the_set(missions=22)}\n1 Vault | mission-obstacle | letter: F"
    no_letter = the_set().replace("goal E", "goal E | mission-goal | reward name: Badge")
    locked = (
        "1 Locked Door | obstacle | obstacle type: door | cost: 3 | cost kind: any | alarm: 2 | reward name:"
        " Key | keep: yes"
    )
    return (
        Example("the owner writes an obstacle in", "set", with_obstacle(locked), "legal", notes=()),
        Example("a sixth letter", "set", letter_f, "illegal", ("AD-09",)),
        Example(
            "a cost below zero", "set", with_obstacle("1 Moat | obstacle | cost: -2"), "illegal", ("AD-10",)
        ),
        Example(
            "an alarm below zero",
            "set",
            with_obstacle("1 Moat | obstacle | alarm: -2"),
            "illegal",
            ("AD-10",),
        ),
        Example(
            "a cost in money",
            "set",
            with_obstacle("1 Moat | obstacle | cost: 2 | cost kind: money"),
            "illegal",
            ("AD-10",),
        ),
        Example("a goal without a letter", "set", no_letter, "undecided", ("AD-12",), ("AD-08",)),
    )


def _campaign(
    name: str, text: str, verdict: Verdict, *codes: str, notes: tuple[str, ...] | None = None
) -> Example:
    return Example(name, "campaign", text, verdict, codes, notes)


def _campaigns() -> tuple[Example, ...]:
    fresh = {
        "obstacles_deck": f"15 Unnamed obstacle\n1 Guard\n{obstacles('B')}",
        "the_line": "1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n3 Unnamed obstacle",
        "obstacles_discard": "",
        "your_discard": "",
    }
    discarded = {"obstacles_deck": "15 Unnamed obstacle", "obstacles_discard": "1 Unnamed obstacle"}
    disarmed = {"obstacles_deck": "12 Unnamed obstacle", "your_deck": "1 Hide\n3 Punch\n4 Unnamed obstacle"}
    five = {"obstacles_deck": "17 Unnamed obstacle", "the_line": "5 Guard"}
    lost = {
        "obstacles_deck": "",
        "the_line": "5 Unnamed obstacle",
        "your_deck": "1 Hide\n3 Punch\n17 Unnamed obstacle",
    }
    return (
        _campaign("the start", table(turn=1), "legal", notes=()),
        _campaign(
            "nothing yet",
            "",
            "incomplete",
            "AD-01",
            "AD-02",
            "AD-03",
            "AD-04",
            "AD-21",
            "AD-22",
            "AD-23",
            "AD-25",
            "AD-28",
        ),
        _campaign("the second mission under way", second_mission(), "legal", notes=()),
        _campaign(
            "the second mission as set up", second_mission(alarm=0, turn=1, **fresh), "legal", notes=()
        ),
        _campaign("the alarm not set back", second_mission(alarm=23, turn=1, **fresh), "illegal", "AD-21"),
        _campaign("a discard not shuffled back", second_mission(alarm=0, turn=1), "illegal", "AD-27"),
        _campaign("a discard before the first turn", table(turn=1, **discarded), "illegal", "AD-22", "AD-27"),
        _campaign(
            "four disarmed before the first turn", table(turn=1, **disarmed), "illegal", "AD-22", "AD-23"
        ),
        _campaign("the alarm at 49", table(alarm=49), "legal"),
        _campaign("the alarm at 50", table(alarm=50), "illegal", "AD-21"),
        _campaign("the alarm not stated", table(alarm=""), "incomplete", "AD-21"),
        _campaign("five in the line", table(**five), "incomplete", "AD-22"),
        _campaign(
            "five in hand", table(hand="2 Hide\n3 Punch", your_deck="1 Hide\n2 Punch"), "illegal", "AD-23"
        ),
        _campaign("nothing left to fill the line", table(**lost), "illegal", "AD-22", "AD-29"),
    )


def _mission_order() -> tuple[Example, ...]:
    def line_with(card: str) -> dict[str, str]:
        """One obstacle of C fewer in the mission deck, another card in the line instead."""
        return {
            "mission_deck": mission_deck("ABCDE").replace("4 Rival C", "3 Rival C"),
            "obstacles_deck": "17 Unnamed obstacle",
            "the_line": (
                f"1 Guard\n1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n1 Unnamed obstacle\n{card}"
            ),
        }

    a_a_c_b = (
        f"{goals('A')}\n1 Rival A | mission-obstacle | letter: A\n{goals('CB')}\n{goals('DE')}\n17 Rival E |"
        " mission-obstacle | letter: E"
    )
    nameless = f"{mission_deck('ABCD')}\n{goals('E')}\n5 Unnamed mission obstacle"
    left_behind = {"mission_deck": mission_deck("BCDE"), "obstacles_deck": "11 Unnamed obstacle"}
    unrewarded = {"mission_deck": f"{goals('AB')}\n{mission_deck('CDE')}", "equip_area": ""}
    rewarded_early = {"mission_deck": mission_deck("BCDE"), "equip_area": goals("A")}
    return (
        _campaign("missions in the order A, A, C, B", table(mission_deck=a_a_c_b), "illegal", "AD-20"),
        _campaign("obstacles whose letter is not known", table(mission_deck=nameless), "undecided", "AD-20"),
        _campaign(
            "an obstacle of A in mission A",
            table(**line_with("1 Rival A | mission-obstacle | letter: A")),
            "legal",
            notes=("AD-25",),
        ),
        _campaign(
            "an obstacle of C in mission A",
            table(**line_with("1 Rival C | mission-obstacle | letter: C")),
            "illegal",
            "AD-25",
        ),
        _campaign(
            "an obstacle of any mission in mission A",
            table(**line_with("1 Unnamed mission obstacle")),
            "undecided",
            "AD-25",
        ),
        _campaign("the obstacles of B left behind", second_mission(**left_behind), "illegal", "AD-25"),
        _campaign("the mission not stated", table(mission=""), "incomplete", "AD-25"),
        _campaign("mission 6", table(mission="6"), "illegal", "AD-25"),
        _campaign("mission 1 by its number", table(mission="1"), "legal"),
        _campaign("a finished goal on the mission deck", second_mission(**unrewarded), "illegal", "AD-26"),
        _campaign("a reward before its mission is done", table(**rewarded_early), "illegal", "AD-26"),
    )


def _zones() -> tuple[Example, ...]:
    lantern = "1 Lantern | obstacle | keep: yes"
    nowhere = {"obstacles_deck": "15 Unnamed obstacle", "deck_not_stated": "1 Keycard"}
    swapped = {"the_line": "1 Hide\n5 Guard", "your_deck": "3 Punch\n1 Guard"}
    return (
        _campaign("53 cards", table(obstacles_deck="15 Unnamed obstacle"), "incomplete", "AD-03", "AD-28"),
        _campaign("a card in no zone", table(**nowhere), "incomplete", "AD-03", "AD-28"),
        _campaign("a starting card in the line", table(**swapped), "illegal", "AD-28"),
        _campaign(
            "an item equipped",
            second_mission(your_discard="", equip_area=f"{goals('A')}\n{lantern}"),
            "legal",
        ),
        _campaign(
            "a starting card equipped",
            table(your_deck="1 Hide\n2 Punch", equip_area="1 Punch"),
            "illegal",
            "AD-11",
        ),
        _campaign(
            "a guard equipped",
            second_mission(your_discard="", equip_area=f"{goals('A')}\n1 Guard"),
            "undecided",
            "AD-11",
        ),
        _campaign("a starting card removed", second_mission(your_deck="3 Punch", removed="1 Hide"), "legal"),
    )


def _score_sheets() -> tuple[Example, ...]:
    def score(
        name: str, text: str, verdict: Verdict, *codes: str, notes: tuple[str, ...] | None = None
    ) -> Example:
        return Example(name, "score", text, verdict, codes, notes)

    return (
        score("12, 0, 49, 7, 30 make 98", sheet(12, 0, 49, 7, 30, total=98), "legal", notes=("AD-40",)),
        score("a whole sheet", sheet(12, 0, 49, 7, 30, total=98, date="1 May"), "legal", notes=()),
        score("no total", sheet(12, 0, 49, 7, 30, date="1 May"), "legal", notes=("AD-40",)),
        score("12, 0, 50, 7, 30", sheet(12, 0, 50, 7, 30, total=99), "illegal", "AD-41"),
        score("12, 0, 49, 7, 30 make 97", sheet(12, 0, 49, 7, 30, total=97), "illegal", "AD-42"),
        score("two missions so far", sheet(12, 0, date="1 May"), "incomplete", "AD-40", notes=()),
        score("two missions and a total below them", sheet(12, 5, total=16), "illegal", "AD-40", "AD-42"),
        score("mission 2 left empty", sheet(12, None, 49), "incomplete", "AD-40", notes=("AD-40", "AD-43")),
        score("a card on the sheet", f"{sheet(12, 0, 49, 7, 30)}\n1 Hide", "illegal", "AD-40"),
    )
