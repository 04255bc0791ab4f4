"""Sheets for the table: a set-up drawn from a seed, with the counts to check the table by; and the end of a
game, counted.
"""

import re
from collections.abc import Iterator

from cardsdb.games.kit import Decklist, GameFolder, listed, shuffled
from cardsdb.games.kit.model.guides import Guide, Quantity
from cardsdb.games.kit.play.opening import drawn
from cardsdb.games.kit.play.worksheet import Calculation, Outcome, Value, Values
from cardsdb.games.spynet.rules import BOX, SEATS

SITUATIONS = BOX["situation"]
HOW = (
    "The same seed gives the same draw for ever: it is the SHA-256 of the seed, so nobody can steer it and"
    " everybody can check it."
)


def set_up_draw(game: GameFolder, values: Values) -> Calculation:
    players = int(str(values["players"]))
    named, listed = _split(values["names"]), _split(values["in_the_box"])
    problems = []
    if named and len(named) != players:
        problems.append(("names", f"{len(named)} names for {players} players; write one for each, or none."))
    if len(listed) > SITUATIONS:
        problems.append(("in_the_box", f"{len(listed)} situations; the box holds {SITUATIONS}."))
    if problems:
        return Calculation(problems=tuple(problems))
    return Calculation(tuple(_outcomes(game, values, players, named)))


def _outcomes(game: GameFolder, values: Values, players: int, named: tuple[str, ...]) -> Iterator[Outcome]:
    guide_of = game.set_up_guide
    seed, situations = str(values["seed"]), str(values["situations"])
    pool = _pool(game, _split(values["in_the_box"]))
    if not seed:
        yield Outcome(
            "Nothing is drawn yet", "no seed", "warning", note="Type any seed, or draw a new one. " + HOW
        )
    else:
        if situations == "random":
            number = drawn(seed, "situation", SITUATIONS)
            yield Outcome("Situation in play", pool[number], "total", note=HOW, cites=("SN-27", "SN-29"))
        yield _seats(seed, players, named)
    if situations == "random":
        rows = tuple((str(number), name) for number, name in enumerate(pool, 1))
        note = (
            "Two names are taken for situations, though no source says so. Write yours in, and they stand in"
            " the order you write them."
        )
        yield Outcome(
            "Drawn from",
            kind="table",
            note=note,
            cites=("SN-04",),
            columns=("Number", "Situation"),
            rows=rows,
        )
    if guide_of is not None:
        yield from _counts(guide_of.guide(players, {"situations": situations}))


def _seats(seed: str, players: int, named: tuple[str, ...]) -> Outcome:
    """The seats and the first player. Seats are counted to the left."""
    who = (
        [named[number] for number in shuffled(seed, "seats", players)]
        if named
        else ["" for _ in range(players)]
    )
    first = drawn(seed, "first player", players)
    rows = []
    for seat in range(players):
        role = [f"team {'A' if seat % 2 == 0 else 'B'}"] if players == 4 else []
        role += ["first player"] if seat == first else []
        role += ["drafts first"] if seat == (first - 1) % players else []
        rows.append((str(seat + 1), who[seat] or f"Player {seat + 1}", ", ".join(role)))
    teams = "Teammates sit opposite each other." if players == 4 else "There are no teams."
    note = f"Counted to the left. {teams} Who sits on the first player's right drafts first."
    cites = ("SN-21" if players == 4 else "SN-22", "SN-25")
    return Outcome(
        "Seats", kind="table", note=note, cites=cites, columns=("Seat", "Who", "What"), rows=tuple(rows)
    )


def _counts(guide: Guide) -> Iterator[Outcome]:
    """The components needed and the counts to check the table by, as the set-up guide has them."""
    laid = [
        quantity for step in guide.steps for quantity in step.quantities if quantity not in guide.components
    ]
    for label, quantities in (("What you need", list(guide.components)), ("What is laid out", laid)):
        rows = tuple(
            (one.what, "not stated" if one.total is None else str(one.total), str(one.each or ""))
            for one in quantities
        )
        codes = tuple(dict.fromkeys(cited.code for one in quantities for cited in one.sources if cited.code))
        yield Outcome(label, kind="table", cites=codes, columns=("What", "In all", "Each"), rows=rows)
    left = _left(guide)
    if left:
        yield Outcome(
            "Cards left in the deck",
            left[0],
            "total",
            note="If another number is left, something went wrong.",
            cites=left[1],
        )


def _left(guide: Guide) -> tuple[str, tuple[str, ...]] | None:
    """The cards left in the deck, as a sum, with the rules it cites; None if the guide lacks a number of
    it.
    """
    laid: dict[str, Quantity] = {
        quantity.what: quantity for step in guide.steps for quantity in step.quantities
    }
    parts = [laid.get(what) for what in ("Cards in the deck", "Piles of one card", "Cards in hand")]
    numbers = [part.total for part in parts if part is not None and part.total is not None]
    if len(numbers) != len(parts):
        return None
    return f"{numbers[0]} − {numbers[1]} − {numbers[2]} = {numbers[0] - numbers[1] - numbers[2]}", ("SN-26",)


def _pool(game: GameFolder, listed: tuple[str, ...]) -> list[str]:
    """The eight situations: those the owner names, else those of the catalogue, then the ones whose name
    no source states.
    """
    known = listed or tuple(
        card.name
        for card in game.cards
        if _may_be_situation(card.type, card.fact("type_guess"), card.fact("stand_in"))
    )
    return [
        known[number] if number < len(known) else f"Situation {number + 1} (name not stated)"
        for number in range(SITUATIONS)
    ]


def _may_be_situation(card_type: str, guess: object, stand_in: object) -> bool:
    return (card_type == "situation" and stand_in is not True) or (
        card_type == "unplaced" and guess == "situation"
    )


def _split(text: object) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split("[;,]", str(text)) if part.strip())


def starter_of(values: Values) -> str:
    """The ready deck for so many players."""
    return f"draw-{values['players']}"


# -- the end of a game ------------------------------------------------------------

_PARTS = {"player": "Player", "stars": "Stars", "funding": "Funding"}


def list_of_end(values: Values) -> str:
    """The sheet as a list; nothing while no stars are written down."""
    if all(values[f"stars_{seat}"] is None for seat in SEATS):
        return ""
    lines = [
        f"{label} {seat}: {values[key]}"
        for seat in SEATS
        for part, label in _PARTS.items()
        if values[key := f"{part}_{seat}"] not in (None, "")
    ]
    return "\n".join(lines + [f"Date: {values['date']}"] * bool(values["date"]))


def of_end(deck: Decklist) -> dict[str, Value]:
    """The values of a count that is stored as a deck."""
    numbers: dict[str, Value] = {
        f"{part}_{seat}": deck.number(f"{part}_{seat}") for part in ("stars", "funding") for seat in SEATS
    }
    words = ("date", *(f"player_{seat}" for seat in SEATS))
    return numbers | {key: str(deck.details.get(key, "")) for key in words}


def count_the_end(game: GameFolder, values: Values) -> Iterator[Outcome]:
    seats = [seat for seat in SEATS if values[f"stars_{seat}"] is not None]
    # Four sit in teams, each across from the other.
    sides = [(1, 3), (2, 4)] if len(seats) == len(SEATS) else [(seat,) for seat in seats]
    stars, funding = (
        [sum(int(values[f"{part}_{seat}"] or 0) for seat in side) for side in sides]
        for part in ("stars", "funding")
    )
    names = [
        " and ".join(str(values[f"player_{seat}"]) or f"Player {seat}" for seat in side) for side in sides
    ]
    if len(sides) > 1:
        results = list(zip(stars, funding, strict=True))
        best = max(results)
        winners = [name for name, result in zip(names, results, strict=True) if result == best]
        if len(winners) > 1:
            won, note = f"{listed(tuple(winners))} share the win", "As many stars, and as much funding."
        else:
            won = f"{winners[0]} {'win' if len(sides[0]) > 1 else 'wins'}"
            tied = stars.count(best[0]) > 1
            note = f"The stars are equal; more funding decides: {best[1]}." if tied else ""
        yield Outcome("The end", won, "total", note=note, cites=("SN-47",))
    if (owned := sum(funding)) > BOX["funding"]:
        yield Outcome(
            "Funding",
            f"{owned} of {BOX['funding']}",
            "warning",
            note="The box has no more.",
            cites=("SN-03",),
        )
    rows = tuple((name, str(one), str(other)) for name, one, other in zip(names, stars, funding, strict=True))
    if rows:
        columns = ("Side" if len(sides) != len(seats) else "Player", "Stars", "Funding")
        yield Outcome(
            "Side by side", kind="table", cites=("SN-47",), columns=columns, rows=rows, bars=tuple(stars)
        )
    if len(seats) < 2:
        yield Outcome("Nobody has won yet", "no stars", note="Write down the stars of two players at least.")
