"""Lists and the verdicts they must get: the test vectors of the rules, and one breach of every checked rule."""

from __future__ import annotations

from cardsdb.games.agentdecker.cards import LETTERS
from cardsdb.games.kit import Example

# How many obstacles each letter has is not known; these add up to the 18 there are.
OBSTACLES = {"A": 0, "B": 4, "C": 4, "D": 5, "E": 5}


def the_set(alarm: int = 1, starting: int = 8, obstacles: int = 22, missions: int = 23) -> str:
    """So many cards of each deck."""
    return "\n".join(
        [
            f"{alarm} Alarm",
            f"{starting - 5} Hide\n5 Punch",
            f"1 Guard\n1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n{obstacles - 4} Unnamed obstacle",
            *(f"1 Unnamed mission goal {letter}" for letter in LETTERS),
            f"{missions - 5} Unnamed mission obstacle",
        ]
    )


def goals(letters: str) -> str:
    return "\n".join(f"1 Unnamed mission goal {letter}" for letter in letters)


def obstacles(letters: str) -> str:
    return "\n".join(f"{OBSTACLES[letter]} Rival {letter} | mission-obstacle | letter: {letter}" for letter in letters if OBSTACLES[letter])


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
    return "\n".join([*head, *(f"{zone.replace('_', ' ')}:\n{lines}" for zone, lines in laid.items() if lines)])


def second_mission(**zones: str) -> str:
    """Mission A is finished: its goal equipped, the obstacles of B joined, a guard disarmed."""
    laid = {
        "mission_deck": f"{goals('B')}\n{mission_deck('CDE')}",
        "obstacles_deck": f"11 Unnamed obstacle\n{obstacles('B')}",
        "the_line": "1 Motion Sensor Hall\n1 Sentry Gun\n4 Unnamed obstacle",
        "obstacles_discard": "1 Security Camera\n3 Unnamed obstacle",
        "your_discard": "1 Guard",
        "equip_area": goals("A"),
    }
    return table("B", 23, **{**laid, **zones})


def sheet(*scores: int | None, total: int | None = None, date: str = "") -> str:
    lines = [f"Mission {number}: {score}" for number, score in enumerate(scores, 1) if score is not None]
    return "\n".join([*lines, *([f"Total: {total}"] if total is not None else []), *([f"Date: {date}"] if date else [])])


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
        Example("four Hide and four Punch", "set", the_set().replace("3 Hide\n5", "4 Hide\n4"), "legal", notes=("AD-02",)),
        Example("23 obstacles", "set", the_set(obstacles=23), "illegal", ("AD-03", "AD-05")),
        Example("two cards whose deck is not stated", "set", undecided, "undecided", ("AD-03", "AD-04"), ("AD-08",)),
        Example("an entry that is no card", "set", f"{the_set()}\n1 Mission 1", "illegal", ("AD-05",)),
        Example("an obstacle in the mission deck", "set", f"Mission deck:\n{the_set()}", "illegal", ("AD-07",)),
        Example("an item in the mission deck", "set", f"{the_set(missions=22)}\nMission deck:\n1 Keycard", "undecided", ("AD-04", "AD-07")),
        Example("no goal of mission E", "set", three_goals, "legal", notes=("AD-08",)),
    )


def _card_data() -> tuple[Example, ...]:
    def with_obstacle(line: str) -> str:
        return f"{the_set(obstacles=21)}\n{line}"

    letter_f = f"{the_set(missions=22)}\n1 Vault | mission-obstacle | letter: F"
    no_letter = the_set().replace("goal E", "goal E | mission-goal | reward name: Badge")
    locked = "1 Locked Door | obstacle | obstacle type: door | cost: 3 | cost kind: any | alarm: 2 | reward name: Key | keep: yes"
    return (
        Example("the owner writes an obstacle in", "set", with_obstacle(locked), "legal", notes=()),
        Example("a sixth letter", "set", letter_f, "illegal", ("AD-09",)),
        Example("a cost below zero", "set", with_obstacle("1 Moat | obstacle | cost: -2"), "illegal", ("AD-10",)),
        Example("an alarm below zero", "set", with_obstacle("1 Moat | obstacle | alarm: -2"), "illegal", ("AD-10",)),
        Example("a cost in money", "set", with_obstacle("1 Moat | obstacle | cost: 2 | cost kind: money"), "illegal", ("AD-10",)),
        Example("a goal without a letter", "set", no_letter, "undecided", ("AD-12",), ("AD-08",)),
    )


def _campaigns() -> tuple[Example, ...]:
    twelve = "12 Unnamed obstacle"
    disarmed = "1 Hide\n3 Punch\n4 Unnamed obstacle"
    lost = {"obstacles_deck": "", "the_line": "5 Unnamed obstacle", "your_deck": "1 Hide\n3 Punch\n17 Unnamed obstacle"}
    fresh = {"your_discard": "", "your_deck": "1 Hide\n3 Punch\n1 Guard", "obstacles_discard": ""}
    mixed = f"11 Unnamed obstacle\n{obstacles('B')}\n1 Security Camera\n3 Unnamed obstacle"
    return (
        Example("the start", "campaign", table(turn=1), "legal", notes=()),
        Example("the second mission under way", "campaign", second_mission(), "legal", notes=()),
        Example("the second mission as set up", "campaign", f"Turn: 1\n{second_mission(**fresh, obstacles_deck=mixed)}", "illegal", ("AD-21",)),
        Example("something discarded before the first turn", "campaign", table(turn=1, **_discarded()), "illegal", ("AD-22", "AD-27")),
        Example("the alarm at 49", "campaign", table(alarm=49), "legal"),
        Example("the alarm at 50", "campaign", table(alarm=50), "illegal", ("AD-21",)),
        Example("the alarm not stated", "campaign", table(alarm=""), "incomplete", ("AD-21",)),
        Example("a mission that starts at 3", "campaign", table(alarm=3, turn=1), "illegal", ("AD-21",)),
        Example("five in the line", "campaign", table(obstacles_deck="17 Unnamed obstacle", the_line="5 Guard"), "incomplete", ("AD-22",)),
        Example("four disarmed before the first turn", "campaign", table(turn=1, obstacles_deck=twelve, your_deck=disarmed), *_both()),
        Example("five in hand", "campaign", table(hand="2 Hide\n3 Punch", your_deck="1 Hide\n2 Punch"), "illegal", ("AD-23",)),
        Example("nothing left to fill the line", "campaign", table(**lost), "illegal", ("AD-22", "AD-29")),
    )


def _both() -> tuple[str, tuple[str, ...]]:
    return "illegal", ("AD-22", "AD-23")


def _discarded() -> dict[str, str]:
    return {"obstacles_deck": "15 Unnamed obstacle", "obstacles_discard": "1 Unnamed obstacle"}


def _mission_order() -> tuple[Example, ...]:
    swapped = f"{goals('A')}\n1 First | mission-obstacle | letter: A\n{goals('C')}\n3 Rival B | mission-obstacle | letter: B\n{goals('BDE')}"
    in_line = "1 Guard\n1 Motion Sensor Hall\n1 Sentry Gun\n1 Security Camera\n1 Unnamed obstacle"
    first = f"{in_line}\n1 First | mission-obstacle | letter: A"
    later = f"{in_line}\n1 Rival C | mission-obstacle | letter: C"
    nobody = f"{in_line}\n1 Unnamed mission obstacle"
    seventeen = mission_deck("ABCDE").replace("4 Rival C", "3 Rival C")
    rest = "17 Unnamed obstacle"
    waiting = f"{mission_deck('BCDE')}"
    without_b = "11 Unnamed obstacle"
    return (
        Example("missions in the order A, A, C, B", "campaign", table(mission_deck=f"{swapped}\n14 Rival E"), "illegal", ("AD-20",)),
        Example("an obstacle whose letter is not known", "campaign", table(mission_deck=_nameless()), "undecided", ("AD-20",)),
        Example("an obstacle of A in the line", "campaign", table(mission_deck=seventeen, the_line=first, obstacles_deck=rest), *_noted()),
        Example("an obstacle of C in mission A", "campaign", table(mission_deck=seventeen, the_line=later, obstacles_deck=rest), *_early()),
        Example("any obstacle in the line", "campaign", table(mission_deck=seventeen, the_line=nobody, obstacles_deck=rest), *_unsure()),
        Example("the obstacles of B left behind", "campaign", second_mission(mission_deck=waiting, obstacles_deck=without_b), *_early()),
        Example("the mission not stated", "campaign", table(mission=""), "incomplete", ("AD-25",)),
        Example("mission 6", "campaign", table(mission="6"), "illegal", ("AD-25",)),
        Example("mission 1 by number", "campaign", table(mission="1"), "legal"),
        Example("the finished goal on the mission deck", "campaign", second_mission(**_unrewarded()), "illegal", ("AD-26",)),
        Example("a reward before its mission is done", "campaign", table(mission_deck=_without_a(), equip_area=goals("A")), *_reward()),
    )


def _nameless() -> str:
    return f"{mission_deck('ABCD')}\n{goals('E')}\n5 Unnamed mission obstacle"


def _noted() -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    return "legal", (), ("AD-25",)
