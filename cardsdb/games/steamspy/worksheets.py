"""Steam Spy's worksheets: a character's sheet with its XP, the award after a game, and the handicap between
two levels.

``[[worksheets]]`` of ``game.toml`` names the public functions and declares the fields, whose keys are those
of ``values`` here; the arithmetic is in ``characters.py``.
Tests: ``tests/cardsdb/games/steamspy/test_worksheets.py``.
"""

from collections.abc import Iterator, Mapping

from cardsdb.games.kit import Card, GameFolder
from cardsdb.games.kit.play.worksheet import Calculation, Outcome, Value, Values, number_in, written_in
from cardsdb.games.steamspy.characters import (
    BONUS,
    RANKS,
    START,
    STARTING_XP,
    XP_PER_LEVEL,
    Account,
    Sheet,
    award,
    handicap,
    level_for,
    sheet_of,
)

# XP that a lost immediate fight (three lost actions) costs.
FIGHT_LOST = 2
# Keys of the fields about the last game.
LEDGER = ("encounters", "game_won", "fights_lost", "owed")
# Keys of the fields that become facts of the card, and key -> title in lists where they differ.
_FACTS = ("corporation", "organisation", "level", "xp", "download", *RANKS)
_TITLES = {"xp": "XP had", **{key: rank.name for key, rank in RANKS.items()}}


# -- a character ------------------------------------------------------------------


def list_of_sheet(values: Values) -> str:
    """Return the character as lines of a list; empty for an empty sheet."""
    facts = _facts(values)
    if not (values["name"] or facts):
        return ""
    return written_in(_name(values), "character", {_TITLES.get(key, key): facts[key] for key in facts})


def of_card(card: Card) -> dict[str, Value]:
    """Return the values of the sheet for a card. Spellings of its allegiances become the proper names."""
    values: dict[str, Value] = {key: card.number(key) for key in ("level", "xp", *RANKS)}
    sheet = sheet_of(card)
    return values | {
        "name": card.name,
        "corporation": sheet.allegiance("corporation") or sheet.corporation_text,
        "organisation": sheet.allegiance("organisation") or sheet.organisation_text,
        "download": sheet.download,
    }


def _received(values: Values) -> tuple[int, int]:
    """Return (XP received for the last game, XP still owed)."""
    owed = number_in(values, "owed") + FIGHT_LOST * number_in(values, "fights_lost")
    return award(number_in(values, "encounters"), values["game_won"] is True, owed)


def _had(values: Values) -> int | None:
    """Return all XP that the character has had, including the last game; None if it is above level 1 and the
    field is empty.
    """
    before = values["xp"]
    if not isinstance(before, int):
        if number_in(values, "level") > 1:
            return None
        before = STARTING_XP
    return before + _received(values)[0]


def _name(values: Values) -> str:
    return str(values["name"] or "Unnamed character")


def _facts(values: Values) -> dict[str, int | str | bool]:
    """Return the facts of the character that are filled in. The XP of a new character go without saying."""
    facts = {key: values[key] for key in _FACTS}
    facts["xp"] = _had(values)
    if values["xp"] is None and facts["xp"] == STARTING_XP:
        del facts["xp"]
    return {key: value for key, value in facts.items() if value not in (None, "") and value is not False}


def character_sheet(game: GameFolder, values: Values) -> Calculation:
    """Return the level and XP of a character, and beside each rank how it is made up."""
    # The character as a card, as the rules judge it.
    sheet = sheet_of(Card("steamspy", "sheet", _name(values), "character", _facts(values)))
    account = sheet.affordable[0] if sheet.affordable else sheet.cheapest
    if account is None:
        advice = "A rank is below its start, or the ranks do not include a bonus; the verdict says which."
        return Calculation(
            (Outcome("XP spent", "cannot be worked out", "warning", note=advice, cites=("SS-07",)),)
        )
    return Calculation(
        tuple(_outcomes(values, sheet, account)),
        {key: note for key, note in _breakdown(values, sheet, account).items() if note},
    )


def _outcomes(values: Values, sheet: Sheet, account: Account) -> Iterator[Outcome]:
    # All XP that the character has had, None if unknown; and those that it spent.
    had, spent = sheet.budget, account.spent
    level = _level(sheet, spent)
    missing = (level + 1) * XP_PER_LEVEL - spent
    more = f"{missing} XP more, spent, make level {level + 1}."
    if had is not None and spent > had:
        more = "Counted only up to the XP that it has had."
    yield Outcome("Level", str(level), "total", note=more, cites=("SS-09",))
    if had is None:
        advice = (
            "Above level 1, fill in how many XP the character has had, and what is left can be worked out."
        )
        yield Outcome("XP spent", str(spent), "total", note=advice, cites=("SS-07",))
    elif spent <= had:
        yield Outcome(
            "XP spent", f"{spent} of {had}", "total", cites=("SS-06", "SS-07"), share=(spent, max(had, 1))
        )
        yield Outcome("XP left", str(had - spent), cites=("SS-07",))
    else:
        advice = f"{spent - had} too many: take ranks back, or win more games."
        yield Outcome(
            "XP spent", f"{spent} of {had}", "warning", note=advice, cites=("SS-06", "SS-07"), share=(1, 1)
        )
    yield from _readings(sheet, account)
    received, owed = _received(values)
    if received or owed or any(number_in(values, key) for key in LEDGER):
        yield Outcome("XP for the last game", str(received), cites=("SS-12", "SS-11"))
        yield Outcome("XP still owed", str(owed), cites=("SS-11",))


def _level(sheet: Sheet, spent: int) -> int:
    """Return the level for the XP spent, counted only up to those that the character has had."""
    return level_for(spent if sheet.budget is None else min(spent, sheet.budget))


_READING = {"each": "each of the three", "one": "one of the three"}


def _readings(sheet: Sheet, account: Account) -> Iterator[Outcome]:
    """Yield a table of the XP by each reading of the bonuses, if they differ. ``account``: the one used."""
    if len({other.spent for other in sheet.accounts}) < 2:
        return
    rows = tuple(
        (
            _READING[other.skills] if sheet.corporation else "no bonus",
            _READING[other.actions] if sheet.organisation else "no bonus",
            str(other.spent),
            str(_level(sheet, other.spent)),
            "used" if other == account else "",
        )
        for other in _distinct(sheet)
    )
    note = (
        f"The rules page gives +{BONUS} to any skill or action of a type: to each of the three, or to one."
        " Both are worked out (ruling A4)."
    )
    columns = ("Skills +2 on", "Actions +2 on", "XP spent", "Level", "")
    yield Outcome(
        "By how the bonus is read",
        kind="table",
        note=note,
        cites=("SS-04", "SS-05"),
        columns=columns,
        rows=rows,
    )


def _distinct(sheet: Sheet) -> Iterator[Account]:
    """Yield the accounts of a sheet, without those that differ only in a bonus that the character lacks."""
    for account in sheet.accounts:
        # Without a bonus both readings come to the same, so only "each" is kept.
        if not sheet.corporation and account.skills != "each":
            continue
        if not sheet.organisation and account.actions != "each":
            continue
        yield account


def _breakdown(values: Values, sheet: Sheet, account: Account) -> dict[str, str]:
    """Return key of a rank -> the rank as a sum by this account, ``4 = 1 + 2 bonus + 1 bought``; empty for a
    rank at its start without a bonus. A rank that is not filled in is at its start.
    """
    bonuses: dict[str, int] = dict(sheet.corporation.traits) if sheet.corporation else {}
    if sheet.corporation:
        bonuses |= _raised(values, "skill", sheet.corporation.skills, account.skills)
    if sheet.organisation:
        bonuses |= _raised(values, "action", sheet.organisation.actions, account.actions)
    notes = {}
    for key in RANKS:
        bonus, typed = bonuses.get(key, 0), values[key]
        rank = typed if isinstance(typed, int) else START + bonus
        bought = rank - START - bonus
        added = [f"{number} {what}" for number, what in ((bonus, "bonus"), (bought, "bought")) if number]
        notes[key] = f"{rank} = {' + '.join([str(START), *added])}" if added else ""
    return notes


def _raised(values: Values, kind: str, encounter: str, reading: str) -> Mapping[str, int]:
    """Return key -> bonus for the skills or actions of an encounter type. By the reading "one", it is on the
    highest rank that can include it, else on the first that is not filled in. For skills of Stealing:
    {"forgery": 2} if Forgery 3 and Pick Pocket 1 are filled in.
    """
    keys = [key for key, rank in RANKS.items() if rank.kind == kind and rank.encounter_type == encounter]
    if reading == "each":
        return dict.fromkeys(keys, BONUS)
    typed = {key: rank for key in keys if isinstance(rank := values[key], int)}
    high_enough = [key for key, rank in typed.items() if rank >= START + BONUS]
    if high_enough:
        return {max(high_enough, key=lambda key: typed[key]): BONUS}
    return {next(key for key in keys if key not in typed): BONUS}


# -- after a game, and between two levels -------------------------------------------


def award_of_game(game: GameFolder, values: Values) -> Iterator[Outcome]:
    """Yield the XP earned in a game, held back for lost fights, received and still owed."""
    received, owed = _received(values)
    earned = number_in(values, "encounters") + int(values["game_won"] is True)
    before = values["before"]
    nothing = "" if earned else "Nothing is earned without an encounter or the game won."
    yield Outcome("XP received", str(received), "total", note=nothing, cites=("SS-12", "SS-11"))
    yield Outcome("Earned", str(earned), cites=("SS-12",))
    yield Outcome("Held back", str(earned - received), cites=("SS-11",))
    yield Outcome(
        "Still owed", str(owed), note="Taken from later awards, never from ranks.", cites=("SS-11",)
    )
    if isinstance(before, int):
        yield Outcome("XP had now", str(before + received), cites=("SS-12",))


def handicap_of_levels(game: GameFolder, values: Values) -> Iterator[Outcome]:
    own, other = number_in(values, "own"), number_in(values, "other")
    added = handicap(own, other)
    if own == other:
        note = "Both have the same level, so neither adds anything."
    elif added:
        note = "Added to every roll of this character against the other."
    else:
        note = "Only the character of the lower level adds anything."
    yield Outcome("Handicap", f"+{added}", "total", note=note, cites=("SS-10",))
    yield Outcome("The other adds", f"+{handicap(other, own)}", cites=("SS-10",))
