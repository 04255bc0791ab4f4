"""Agent Decker's worksheets: the score book, and the state of a campaign at the start of a turn, with a check
of the cards in all zones and the next steps.

``[[worksheets]]`` of ``game.toml`` names the public functions and declares the fields, whose keys are those
of ``Values``. ``Outcome(label, value, kind)`` of ``kit/play/worksheet.py`` is one answer on the page;
``cites`` are codes of ``rulebook.toml``. Tests: ``tests/cardsdb/games/agentdecker/test_worksheets.py``.
"""

from collections.abc import Iterator

from cardsdb.games.agentdecker.rules import CARDS, IN_LINE, LETTERS, LOST_AT, MAX_SCORE, MISSIONS, mission_of
from cardsdb.games.kit import Decklist, GameFolder, count_of
from cardsdb.games.kit.play.worksheet import Outcome, Value, Values, number_in

# Cards in hand at the start of a turn.
IN_HAND = 4

# -- the score book -----------------------------------------------------------------


def _scores(values: Values) -> list[int | None]:
    """Return the score of each mission, None where it is not filled in."""
    scores = (values[f"mission_{number}"] for number in MISSIONS)
    return [score if isinstance(score, int) else None for score in scores]


def score_list(values: Values) -> str:
    """Return the sheet as a list, whose lines are details of a deck: ``Mission 1: 12`` ... ``Total: 99``. An
    empty total is filled in if all five scores are there.
    """
    scores = _scores(values)
    lines = [
        f"Mission {number}: {score}"
        for number, score in zip(MISSIONS, scores, strict=True)
        if score is not None
    ]
    total = values["total"]
    if total is None and None not in scores:
        total = sum(score or 0 for score in scores)
    lines += [f"Total: {total}"] if total is not None else []
    lines += [f"Date: {values['date']}"] if values["date"] else []
    return "\n".join(lines)


def of_score(deck: Decklist) -> dict[str, Value]:
    """Return the values of the sheet from a deck that was stored from it."""
    numbers: dict[str, Value] = {f"mission_{number}": deck.number(f"mission_{number}") for number in MISSIONS}
    return numbers | {"total": deck.number("total"), "date": str(deck.details.get("date", ""))}


def score_book(game: GameFolder, values: Values) -> Iterator[Outcome]:
    """Yield the total (or what it can still come to), each mission, and the comparison with
    the best total.
    """
    scores, best = _scores(values), values["best"]
    known = [score for score in scores if score is not None]
    running, rows = 0, []
    for number, score in zip(MISSIONS, scores, strict=True):
        running += score or 0
        shown = ("", "") if score is None else (str(score), str(running))
        rows.append((f"Mission {number}", *shown))
    total, left = sum(known), len(MISSIONS) - len(known)
    if left:
        bounds = f"{total} to {total + left * MAX_SCORE}"
        yield Outcome(
            "So far",
            str(total),
            "total",
            note=f"The whole campaign can come to {bounds}.",
            cites=("AD-41", "AD-42"),
        )
    else:
        yield Outcome("Total", str(total), "total", note="Lower is better.", cites=("AD-42", "AD-43"))
    yield Outcome(
        "Mission by mission",
        kind="table",
        cites=("AD-40", "AD-41"),
        columns=("Mission", "Alarm", "Running total"),
        rows=tuple(rows),
        bars=tuple(score or 0 for score in scores),
    )
    if len(known) > 1:
        yield Outcome("Best mission", _named(scores, min(known)), cites=("AD-43",))
        yield Outcome("Worst mission", _named(scores, max(known)), cites=("AD-43",))
    if isinstance(best, int):
        yield _against(best, total, left)


def _named(scores: list[int | None], wanted: int) -> str:
    """Return the missions with this score in words: ``2 and 4, with 12``."""
    numbers = [str(number) for number, score in zip(MISSIONS, scores, strict=True) if score == wanted]
    return f"{' and '.join(numbers)}, with {wanted}"


def _against(best: int, total: int, left: int) -> Outcome:
    """Return the comparison with the best total; ``left``: missions that are not filled in."""
    if left:
        room = best - 1 - total
        value = f"at most {room} more" if room >= 0 else "out of reach"
        return Outcome("To beat the best total", value, cites=("AD-43",))
    # The lower total is the better one.
    value = f"{best - total} better" if total < best else f"{total - best} worse"
    return Outcome("Against the best total", value if total != best else "equal", cites=("AD-43",))


# -- the state of a campaign -----------------------------------------------------------

# Keys of the fields with the number of cards in a zone.
ZONES = (
    "alarm_card",
    "mission_deck",
    "obstacle_deck",
    "line",
    "obstacle_discard",
    "your_deck",
    "hand",
    "play_area",
    "your_discard",
    "equip_area",
    "removed",
)
# Field -> section of a list, where the section's slug is not the field's key with hyphens.
_SECTIONS = {"alarm_card": "alarm"}


def of_campaign(deck: Decklist) -> dict[str, Value]:
    """Return the values of the sheet for a campaign stored as a deck: mission, alarm, turn, and the number of
    cards in each zone.
    """
    letter = mission_of(deck)
    head: dict[str, Value] = {"mission": letter} if letter in LETTERS else {}
    head |= {key: number for key in ("alarm", "turn") if (number := deck.number(key)) is not None}
    return head | {
        zone: count_of(deck.in_section(_SECTIONS.get(zone, zone.replace("_", "-")))) for zone in ZONES
    }


def campaign_state(game: GameFolder, values: Values) -> Iterator[Outcome]:
    """Yield checks of the cards and the alarm, warnings, the next steps, and the head of the list."""
    cards, alarm = sum(number_in(values, zone) for zone in ZONES), number_in(values, "alarm")
    if cards == CARDS:
        yield Outcome("Cards in all zones", str(cards), "total", note="No card is missing.", cites=("AD-28",))
    else:
        wrong = f"{CARDS - cards} missing" if cards < CARDS else f"{cards - CARDS} too many"
        yield Outcome(
            "Cards in all zones",
            f"{cards} of {CARDS}",
            "warning",
            note=f"{wrong}; count again.",
            cites=("AD-28",),
        )
    if alarm >= LOST_AT:
        yield Outcome("Alarm", str(alarm), "warning", note="The game is lost.", cites=("AD-21",))
    else:
        left = f"{LOST_AT - alarm} more and the game is lost."
        yield Outcome("Alarm", str(alarm), note=left, cites=("AD-21",), share=(alarm, LOST_AT))
    yield from _warnings(values)
    rows = tuple((str(number), says, code) for number, (says, code) in enumerate(_steps(values), 1))
    yield Outcome(
        "What to do next",
        kind="table",
        columns=("Step", "What", "Rule"),
        rows=rows,
        cites=("AD-22", "AD-23", "AD-27"),
    )
    head = f"Mission: {values['mission']}\nAlarm: {alarm}\nTurn: {values['turn']}"
    yield Outcome(
        "Head of the list",
        head,
        "text",
        note="The first lines of a campaign kept as a deck.",
        cites=("AD-21", "AD-25"),
    )


def _warnings(values: Values) -> Iterator[Outcome]:
    """Yield a warning for everything that is impossible at the start of a turn."""
    first = values["turn"] == 1
    if first and number_in(values, "alarm"):
        yield Outcome("Alarm", "not at 0", "warning", note="A mission starts at 0.", cites=("AD-21", "AD-27"))
    for zone, label, wanted, code in (
        ("line", "The line", IN_LINE, "AD-22"),
        ("hand", "Hand", IN_HAND, "AD-23"),
    ):
        if (found := number_in(values, zone)) != wanted:
            note = f"At the start of a turn there must be {wanted}."
            yield Outcome(label, f"{found} of {wanted}", "warning", note=note, cites=(code,))
    used = sum(number_in(values, zone) for zone in ("obstacle_discard", "your_discard", "play_area"))
    if first and used:
        note = "Discards and play area are shuffled back before a mission starts."
        yield Outcome("Discards and play area", f"{used} cards", "warning", note=note, cites=("AD-27",))
    # In mission C two missions are finished: the index of C among the letters.
    finished, equipped = LETTERS.index(str(values["mission"])), number_in(values, "equip_area")
    if equipped < finished:
        note = "The goals of finished missions belong there."
        yield Outcome(
            "Equip area", f"{equipped} of {finished} or more", "warning", note=note, cites=("AD-26",)
        )


def _steps(values: Values) -> Iterator[tuple[str, str]]:
    """Yield (what to do, code of the rule) for the next steps, in order. Nothing follows a lost game or a
    wrong count.
    """
    if number_in(values, "alarm") >= LOST_AT:
        yield "The game is lost: begin again with mission A.", "AD-21"
        return
    if sum(number_in(values, zone) for zone in ZONES) != CARDS:
        yield f"Count again: the next steps are shown once the zones have {CARDS} cards together.", "AD-28"
        return
    # The line is filled from the obstacles deck, and that from the discard.
    lacking, in_deck = IN_LINE - number_in(values, "line"), number_in(values, "obstacle_deck")
    if lacking > 0:
        left = in_deck + number_in(values, "obstacle_discard")
        if left < lacking:
            yield f"The line needs {lacking} obstacles and {left} are left: the game is lost.", "AD-29"
            return
        if in_deck < lacking:
            yield (
                f"Lay the {in_deck} that are left, then shuffle the obstacles discard into a new deck.",
                "AD-29",
            )
        yield f"Fill the line: {lacking} from the obstacles deck.", "AD-22"
    # Your hand is filled from your deck.
    to_draw, yours = IN_HAND - number_in(values, "hand"), number_in(values, "your_deck")
    if to_draw > 0:
        if yours < to_draw:
            yield "Your deck runs out as you draw: shuffle your discard into a new one.", "AD-29"
        yield f"Draw {to_draw}.", "AD-23"
    yield "Play from your hand; interact with one obstacle, or as many as cards allow.", "AD-24"
    letter = str(values["mission"])
    mission = LETTERS.index(letter) + 1
    if mission == len(LETTERS):
        yield (
            "Once goal E is met, the campaign is finished: write the alarm down and add the five up.",
            "AD-42",
        )
        return
    yield f"Once goal {letter} is met: write the alarm down as the score of mission {mission}.", "AD-41"
    yield f"Then turn goal {letter} and lay it in the equip area.", "AD-26"
    yield f"Add the obstacles of {LETTERS[mission]} to the others and shuffle them.", "AD-25"
    yield "Lay a new line, set the alarm to 0, shuffle your cards together and draw 4.", "AD-27"


def campaign_starter(values: Values) -> str:
    """Return the slug of the ready deck to begin from."""
    return "campaign"
