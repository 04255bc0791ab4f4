"""SpyNet's worksheets: the set-up (seats and a situation drawn from a seed, and counts to check the table
by), and the count at the end of a game.

``[[worksheets]]`` of ``game.toml`` names the public functions and declares the fields, whose keys are those
of ``values`` here. Tests in ``tests``: of the set-up ``cardsdb/games/spynet/test_worksheets.py``; of the
count at the end ``decks/pages/test_worksheets.py`` (the winner, and the sheet as a deck) and, in a browser,
``house/test_journeys.py``; of all sheets on paper ``printing/extras/test_worksheets.py``.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardsdb.games.kit import Card, Decklist, GameFolder, listed, shuffled
from cardsdb.games.kit.model.guides import Guide
from cardsdb.games.kit.play.opening import drawn
from cardsdb.games.kit.play.worksheet import Calculation, Outcome, Value, Values
from cardsdb.games.spynet.rules import BOX, SEATS

SITUATIONS = BOX["situation"]
# Labels of the quantities in the sum of the cards that are left: each must be the ``what`` of a component in
# ``set_up.toml``. Without it the sum is not shown, and ``test_worksheets.py`` fails.
DECK, PILES, HANDS = "Cards in the deck", "Piles of one card", "Cards in hand"
# Note of a draw.
HOW = (
    "The same seed always gives the same draw. It is the SHA-256 of the seed, so nobody can influence it and"
    " anybody can check it."
)


def set_up_draw(game: GameFolder, values: Values) -> Calculation:
    """Return the drawn set-up, or problems if the names do not fit the numbers."""
    players = int(str(values["players"]))
    names, situations = _split(values["names"]), _split(values["in_the_box"])
    problems = []
    if names and len(names) != players:
        problems.append(("names", f"{len(names)} names for {players} players; write one for each, or none."))
    if len(situations) > SITUATIONS:
        problems.append(("in_the_box", f"{len(situations)} situations; the box holds {SITUATIONS}."))
    if problems:
        return Calculation(problems=tuple(problems))
    return Calculation(tuple(_outcomes(game, values, players, names)))


def _outcomes(game: GameFolder, values: Values, players: int, names: tuple[str, ...]) -> Iterator[Outcome]:
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
        yield _seats(seed, players, names)
    if situations == "random":
        rows = tuple((str(number), name) for number, name in enumerate(pool, 1))
        note = (
            "Two of these names are taken for situations, though no source says so. If you write in those of"
            " your box, they are numbered in your order."
        )
        yield Outcome(
            "Drawn from",
            kind="table",
            note=note,
            cites=("SN-04",),
            columns=("Number", "Situation"),
            rows=rows,
        )
    if guide := game.set_up_guide:
        yield from _counts(guide.guide(players, {"situations": situations}))


def _seats(seed: str, players: int, names: tuple[str, ...]) -> Outcome:
    """Return the drawn seats and first player. Seats are counted to the left. A row: ("1", "Ann", "team A,
    drafts first").
    """
    seated = [names[number] for number in shuffled(seed, "seats", players)] if names else [""] * players
    first = drawn(seed, "first player", players)
    rows = []
    for seat in range(players):
        role = [f"team {'A' if seat % 2 == 0 else 'B'}"] if players == 4 else []
        role += ["first player"] if seat == first else []
        role += ["drafts first"] if seat == (first - 1) % players else []
        rows.append((str(seat + 1), seated[seat] or f"Player {seat + 1}", ", ".join(role)))
    teams = "Teammates sit opposite each other." if players == 4 else "There are no teams."
    note = f"Counted to the left. {teams} The player to the right of the first player drafts first."
    cites = ("SN-21" if players == 4 else "SN-22", "SN-25")
    return Outcome(
        "Seats", kind="table", note=note, cites=cites, columns=("Seat", "Who", "What"), rows=tuple(rows)
    )


def _counts(guide: Guide) -> Iterator[Outcome]:
    """Yield the components needed and the numbers to check the table by, from the set-up guide."""
    in_steps = [quantity for step in guide.steps for quantity in step.quantities]
    laid = [quantity for quantity in in_steps if quantity not in guide.components]
    for label, quantities in (("What you need", list(guide.components)), ("What is laid out", laid)):
        rows = tuple(
            (amount.what, "not stated" if amount.total is None else str(amount.total), str(amount.each or ""))
            for amount in quantities
        )
        sources = (source for amount in quantities for source in amount.sources)
        codes = tuple(dict.fromkeys(source.code for source in sources if source.code))
        yield Outcome(label, kind="table", cites=codes, columns=("What", "In all", "Each"), rows=rows)
    if left := _left(guide):
        note = "If another number is left, something went wrong."
        yield Outcome("Cards left in the deck", left, "total", note=note, cites=("SN-26",))


def _left(guide: Guide) -> str:
    """Return the sum of the cards left in the deck, for four players ``76 − 3 − 4 = 69``; empty if the guide
    lacks a number of it.
    """
    totals = {quantity.what: quantity.total for step in guide.steps for quantity in step.quantities}
    deck, piles, hands = (totals.get(what) for what in (DECK, PILES, HANDS))
    if deck is None or piles is None or hands is None:
        return ""
    return f"{deck} − {piles} − {hands} = {deck - piles - hands}"


def _pool(game: GameFolder, own_names: tuple[str, ...]) -> list[str]:
    """Return the eight situations: those that the owner names, else those of the catalogue; then numbers for
    those whose names are unknown.
    """
    known = own_names or tuple(card.name for card in game.cards if _may_be_situation(card))
    return [
        known[number] if number < len(known) else f"Situation {number + 1} (name not stated)"
        for number in range(SITUATIONS)
    ]


def _may_be_situation(card: Card) -> bool:
    if card.type == "situation":
        return not card.fact("stand_in")
    return card.type == "unplaced" and card.fact("type_guess") == "situation"


def _split(text: object) -> tuple[str, ...]:
    """Return the parts of a text between commas or semicolons."""
    return tuple(part.strip() for part in re.split("[;,]", str(text)) if part.strip())


def starter_of(values: Values) -> str:
    """Return the slug of the ready deck for this number of players."""
    return f"draw-{values['players']}"


# -- the end of a game ------------------------------------------------------------

# Beginning of a field's key, which ends in the seat -> beginning of its label in lists.
_PARTS = {"player": "Player", "stars": "Stars", "funding": "Funding"}


def list_of_end(values: Values) -> str:
    """Return the sheet as a list; empty if no stars are written down."""
    if all(values[f"stars_{seat}"] is None for seat in SEATS):
        return ""
    lines = []
    for seat in SEATS:
        for part, label in _PARTS.items():
            value = values[f"{part}_{seat}"]
            if value not in (None, ""):
                lines.append(f"{label} {seat}: {value}")
    if values["date"]:
        lines.append(f"Date: {values['date']}")
    return "\n".join(lines)


def of_end(deck: Decklist) -> dict[str, Value]:
    """Return the values of the sheet from a deck that was stored from it."""
    numbers: dict[str, Value] = {
        f"{part}_{seat}": deck.number(f"{part}_{seat}") for part in ("stars", "funding") for seat in SEATS
    }
    words = ("date", *(f"player_{seat}" for seat in SEATS))
    return numbers | {key: str(deck.details.get(key, "")) for key in words}


class _Side(NamedTuple):
    """A player, or a team of two, at the end of a game."""

    name: str
    stars: int
    funding: int

    @property
    def result(self) -> tuple[int, int]:
        """What decides the game: stars, then funding."""
        return self.stars, self.funding


def _side(values: Values, *seats: int) -> _Side:
    """Return the side of the players in these seats; an empty number counts as 0."""

    def total(part: str) -> int:
        return sum(int(values[f"{part}_{seat}"] or 0) for seat in seats)

    names = [str(values[f"player_{seat}"]) or f"Player {seat}" for seat in seats]
    return _Side(" and ".join(names), total("stars"), total("funding"))


def count_the_end(game: GameFolder, values: Values) -> Iterator[Outcome]:
    """Yield the winner, a warning if there is too much funding, and a table of all sides. A player without
    stars does not play: with stars of seats 1 and 2 alone there are two sides, of all four two teams.
    """
    seats = [seat for seat in SEATS if values[f"stars_{seat}"] is not None]
    # Four players are two teams, whose members sit opposite each other.
    are_teams = len(seats) == len(SEATS)
    seats_of_sides = [(1, 3), (2, 4)] if are_teams else [(seat,) for seat in seats]
    sides = [_side(values, *of_side) for of_side in seats_of_sides]
    if len(sides) > 1:
        best = max(side.result for side in sides)
        winners = [side.name for side in sides if side.result == best]
        if len(winners) > 1:
            won, note = f"{listed(tuple(winners))} share the win", "As many stars, and as much funding."
        else:
            won = f"{winners[0]} {'win' if are_teams else 'wins'}"
            stars, funding = best
            tied = [side for side in sides if side.stars == stars]
            note = f"The stars are equal; more funding decides: {funding}." if len(tied) > 1 else ""
        yield Outcome("The end", won, "total", note=note, cites=("SN-47",))
    if (owned := sum(side.funding for side in sides)) > BOX["funding"]:
        yield Outcome(
            "Funding",
            f"{owned} of {BOX['funding']}",
            "warning",
            note="The box has no more.",
            cites=("SN-03",),
        )
    if sides:
        yield Outcome(
            "Side by side",
            kind="table",
            cites=("SN-47",),
            columns=("Side" if are_teams else "Player", "Stars", "Funding"),
            rows=tuple((side.name, str(side.stars), str(side.funding)) for side in sides),
            bars=tuple(side.stars for side in sides),
        )
    if len(seats) < 2:
        yield Outcome("Nobody has won yet", "no stars", note="Write down the stars of two players at least.")
