"""Sheets for the table: a character with its XP, the award after a game, the handicap between two levels."""

from collections.abc import Iterator, Mapping
from zlib import crc32

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
    corporation_called,
    handicap,
    level_for,
    organisation_called,
    sheet_of,
)

# What three lost actions of an immediate fight cost.
FIGHT_LOST = 2
# The fields that tell of the last game.
LEDGER = ("encounters", "game_won", "fights_lost", "owed")
_FACTS = ("corporation", "organisation", "level", "xp", "download", *RANKS)
_TITLES = {"xp": "XP had", **{key: rank.name for key, rank in RANKS.items()}}


# -- a character ------------------------------------------------------------------


def list_of_sheet(values: Values) -> str:
    """The character as it stands in a list; nothing while the sheet is empty."""
    facts: dict[str, Value] = {key: values[key] for key in _FACTS}
    facts["xp"] = _had(values)
    if values["xp"] is None and facts["xp"] == STARTING_XP:
        facts["xp"] = None
    facts["download"] = values["download"] or None
    if not values["name"] and not any(value not in (None, "") for value in facts.values()):
        return ""
    return written_in(
        str(values["name"] or "Unnamed character"),
        "character",
        {_TITLES.get(key, key): facts[key] for key in facts},
    )


def of_card(card: Card) -> dict[str, Value]:
    """The sheet of a card, spellings of its allegiances made the proper ones; ranks stay as they are
    written.
    """
    values: dict[str, Value] = {key: card.number(key) for key in ("level", "xp", *RANKS)}
    corporation, organisation = str(card.fact("corporation") or ""), str(card.fact("organisation") or "")
    known_corporation, known_organisation = corporation_called(corporation), organisation_called(organisation)
    return values | {
        "name": card.name,
        "corporation": known_corporation.name if known_corporation else corporation,
        "organisation": known_organisation.name if known_organisation else organisation,
        "download": card.fact("download") is True,
    }


def _received(values: Values) -> tuple[int, int]:
    """XP received for the last game, and what is still owed."""
    owed = number_in(values, "owed") + FIGHT_LOST * number_in(values, "fights_lost")
    return award(number_in(values, "encounters"), values["game_won"] is True, owed)


def _had(values: Values) -> int | None:
    """All XP the character has had, the last game's included; None where it is above level 1 and does not
    say.
    """
    before = values["xp"]
    if not isinstance(before, int):
        if number_in(values, "level") > 1:
            return None
        before = STARTING_XP
    return before + _received(values)[0]


def _card(values: Values) -> Card:
    """The character as the rules see it."""
    facts = {
        key: value
        for key in ("corporation", "organisation", "level", *RANKS)
        if (value := values[key]) not in (None, "")
    }
    facts["download"] = values["download"] is True
    if (had := _had(values)) is not None and (values["xp"] is not None or had != STARTING_XP):
        facts["xp"] = had
    name = str(values["name"] or "Unnamed character")
    return Card(
        "steamspy", f"sheet-{crc32(repr(sorted(facts.items())).encode()):08x}", name, "character", facts
    )


def character_sheet(game: GameFolder, values: Values) -> Calculation:
    sheet = sheet_of(_card(values))
    account = next(iter(sheet.affordable), None) or sheet.cheapest
    if account is None:
        advice = (
            "A rank below its start, or a bonus that stands nowhere, cannot be accounted for; the verdict"
            " says which."
        )
        return Calculation(
            (Outcome("XP spent", "cannot be reckoned", "warning", note=advice, cites=("SS-07",)),)
        )
    return Calculation(
        tuple(_outcomes(values, sheet, account)),
        {key: note for key, note in _breakdown(values, sheet, account).items() if note},
    )


def _outcomes(values: Values, sheet: Sheet, account: Account) -> Iterator[Outcome]:
    had, spent = sheet.budget, account.spent
    level = _level(sheet, spent)
    # The level is 1 below the first ten XP too.
    missing = max(2, level + 1) * XP_PER_LEVEL - spent
    more = f"{missing} XP more, spent, make level {level + 1}."
    if had is not None and spent > had:
        more = "As far as its XP go; what is spent beyond them makes no level."
    yield Outcome("Level", str(level), "total", note=more, cites=("SS-09",))
    if had is None:
        advice = (
            "Above level 1 a sheet must say how many XP the character has had before what is left can be"
            " told."
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
    """The level that so many XP make, as far as the character has had them."""
    return level_for(spent if sheet.budget is None else min(spent, sheet.budget))


_READING = {"each": "each of the three", "one": "one of the three"}


def _readings(sheet: Sheet, account: Account) -> Iterator[Outcome]:
    """The cost of the sheet by each reading of the bonuses, where they differ."""
    if len({one.spent for one in sheet.accounts}) < 2:
        return
    rows = tuple(
        (
            _READING[one.skills] if sheet.corporation else "no bonus",
            _READING[one.actions] if sheet.organisation else "no bonus",
            str(one.spent),
            str(_level(sheet, one.spent)),
            "used" if one == account else "",
        )
        for one in _once(sheet)
    )
    note = (
        f"The rules page gives +{BONUS} to any skill or action of a type: to each of the three, or to one."
        " Both are reckoned (ruling A4)."
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


def _once(sheet: Sheet) -> Iterator[Account]:
    """The accounts without those that differ only in how a bonus is read that the character does not have."""
    for one in sheet.accounts:
        if (sheet.corporation or one.skills == "each") and (sheet.organisation or one.actions == "each"):
            yield one


def _breakdown(values: Values, sheet: Sheet, account: Account) -> dict[str, str]:
    """Rank key -> the rank as a sum of start, bonus and bought ranks by this account; empty for a rank at its
    start.
    """
    bonuses: dict[str, int] = dict(sheet.corporation.traits) if sheet.corporation else {}
    if sheet.corporation:
        bonuses |= _raised(values, "skill", sheet.corporation.skills, account.skills)
    if sheet.organisation:
        bonuses |= _raised(values, "action", sheet.organisation.actions, account.actions)
    notes = {}
    for key in RANKS:
        bonus, written = bonuses.get(key, 0), values[key]
        rank = written if isinstance(written, int) else START + bonus
        bought = rank - START - bonus
        sum_of = [
            str(START),
            *([f"{bonus} bonus"] if bonus else []),
            *([f"{bought} bought"] if bought else []),
        ]
        notes[key] = f"{rank} = {' + '.join(sum_of)}" if bonus or bought else ""
    return notes


def _raised(values: Values, kind: str, encounter: str, reading: str) -> Mapping[str, int]:
    """The bonus of a type's three skills or actions. On one of them: the highest that shows it, else the
    first not written.
    """
    keys = [key for key, rank in RANKS.items() if rank.kind == kind and rank.encounter_type == encounter]
    if reading == "each":
        return dict.fromkeys(keys, BONUS)
    written = {key: rank for key in keys if isinstance(rank := values[key], int)}
    showing = [key for key, rank in written.items() if rank >= START + BONUS]
    chosen = (
        max(showing, key=lambda key: written[key])
        if showing
        else next(key for key in keys if key not in written)
    )
    return {chosen: BONUS}


# -- after a game, and between two levels -------------------------------------------


def award_of_game(game: GameFolder, values: Values) -> Iterator[Outcome]:
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
        says = "Both are of one level, so neither adds anything."
    else:
        says = (
            "Added to every roll of this character against the other."
            if added
            else "Only the character of the lower level adds anything."
        )
    yield Outcome("Handicap", f"+{added}", "total", note=says, cites=("SS-10",))
    yield Outcome("The other adds", f"+{handicap(other, own)}", cites=("SS-10",))
