"""Reads ``set_up.toml`` (how a game is laid out) and ``play.toml`` (how it is played).

``GameFolder.set_up_guide`` and ``.play_guide`` call it. What the values mean is said in ``model/guides.py``
and ``model/play_guide.py``; the contract checks what goes beyond single values. Every fault is collected.
Tests: ``tests/cardsdb/games/kit/folder/test_guides.py``; its head names the tests of faults and of pages.

Keys with * are needed.

set_up.toml
[players]*      numbers* ("2", "2-4", "2+"), usual, note; the source
[options.KEY]   label, help, and choices = { key = "words" } or low and high; usual
[[steps]]       title*, says*, short, needs, lays, amounts, note; the source; players and when it is for
[[open]]        question* and treatment*, or ruling (an id of rulebook.toml); players and when
[evening]       bring, title, says, usual, decks, shared, spare, sheets, words, seats; places and doors
                (model/guides.py)

play.toml
[from_here]      reach* (a key of ``REACHES``, model/play_guide.py), says*
[[imprint]]      label*, says*, url; the source
[[parts]]        title*, says, places, head and rows of a chart, card, each, ordered; the source
[[parts.steps]]  title*, says*, note, rulings; the source, if it differs from the part's

A source is ``cites`` (codes of rulebook.toml), or document, section, lines and certainty. A component, in
needs or lays of a step, is what*, kind*, table, each, per, least, and a source if it differs from the step's.
``Table.made`` makes an object of a class: it reads each field that it is not given from the key of the same
name, as the field's type asks for, and closes the table, so that a key of no field is a fault.
"""

import re
from pathlib import Path

from cardsdb.games.kit.folder.rulebook import Rulebook
from cardsdb.games.kit.folder.table import MAX_NUMBER, Table, open_table
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.guides import (
    NO_EVENING,
    Component,
    Condition,
    Evening,
    OpenQuestion,
    Option,
    PlayerAmount,
    SetUpGuide,
    SetUpStep,
    Span,
    TablePlace,
)
from cardsdb.games.kit.model.play_guide import (
    REACHES,
    ImprintLine,
    PlayGuide,
    PlayPart,
    PlayStep,
    PlayTable,
    Reach,
)
from cardsdb.games.kit.model.rulebook import CitedClaim, Ruling

NOWHERE = CitedClaim("", Claim(""))  # the source of a number of players that states none
# Numbers of players: the lowest, and "+" or the highest, or nothing if there is only one.
_SPAN = re.compile(r"(?P<low>[0-9]{1,2})(?:(?P<or_more>\+)|-(?P<high>[0-9]{1,2}))?")


def read_set_up(folder: Path, rulebook: Rulebook, game: str, name: str) -> SetUpGuide | None:
    """The set-up guide of ``set_up.toml``; None if there is no such file. ``game`` and ``name`` are the slug
    and the name of the game. Raises FolderError with every fault.
    """
    table = open_table(folder / "set_up.toml")
    if table is None:
        return None
    # Without the table an empty one is read, so that the fault names the key that is missing.
    players = table.table_or_empty("players")
    span = _span(players, "numbers")
    # The note is for readers of the file alone. It is read so that ``close`` does not complain of the key.
    players.text("note", most=table.file.longest)
    source = next(iter(rulebook.sources(players)), NOWHERE)
    usual = players.number("usual", span.low) or span.low
    players.close()
    options = {
        key: each.made(Option, key=key, label=each.text("label", key))
        for key, each in table.tables("options", "option")
    }
    guide = SetUpGuide(
        game,
        name,
        players=span,
        usual=usual,
        source=source,
        options=tuple(options.values()),
        steps=tuple(_step(each, rulebook, options) for each in table.listed_tables("steps")),
        open=tuple(_open(each, rulebook, options) for each in table.listed_tables("open")),
        evening=_evening(table.table("evening")),
    )
    table.close()
    table.file.end()
    return guide


def _evening(table: Table | None) -> Evening:
    if table is None:
        return NO_EVENING
    # A place may hold fewer cards the more players there are, so the number for each may be negative.
    places = tuple(
        place.made(TablePlace, each=place.number("each", 0, least=-MAX_NUMBER) or 0)
        for place in table.listed_tables("places")
    )
    return table.made(Evening, places=places)


def _step(table: Table, rulebook: Rulebook, options: dict[str, Option]) -> SetUpStep:
    """A step of the set-up. A component without a source has that of the step."""
    sources = rulebook.sources(table)

    def components(key: str) -> tuple[Component, ...]:
        return tuple(
            each.made(Component, amount=_amount(each, options), sources=rulebook.sources(each) or sources)
            for each in table.listed_tables(key)
        )

    needs, lays = components("needs"), components("lays")
    amounts = {}
    for name, each in table.tables("amounts", "number"):
        amounts[name] = _amount(each, options)
        each.close()  # as ``made`` closes the tables of components
    condition = _condition(table, options)
    return table.made(
        SetUpStep, sources=sources, condition=condition, needs=needs, lays=lays, amounts=amounts
    )


def _amount(table: Table, options: dict[str, Option]) -> PlayerAmount:
    """An amount for the table, for each player, and for each unit of numeric options (``per``). Any of them
    may be negative, which lessens the sum: ``table = 20, each = -2`` is 16 with two players.
    """
    of_table, of_each = (table.number(key, least=-MAX_NUMBER) for key in ("table", "each"))
    per = {}
    for option, times in table.values("per").items():
        if option not in options:
            table.fault("per", f"{option!r} is no option")
        elif type(times) is not int:  # true is an int too
            table.fault("per", f"the number for {option!r} must be whole, not {times!r}")
        else:
            per[option] = times
    return PlayerAmount(of_table, of_each, per)


def _open(table: Table, rulebook: Rulebook, options: dict[str, Option]) -> OpenQuestion:
    """A question that the documents leave open, with its treatment: as written here, or a ruling's."""
    condition = _condition(table, options)
    rulings = {ruling.id: ruling for ruling in rulebook.rulings}
    if "ruling" in table:
        named = table.known("ruling", rulings, "ruling", most=1)
        table.close()
        # An unknown ruling is a fault already; an empty one lets reading go on to the next fault.
        ruling = rulings[named[0]] if named else Ruling("", "", "")
        return OpenQuestion(ruling.question, ruling.treatment, ruling.id, condition)
    return table.made(OpenQuestion, ruling="", condition=condition)


def _condition(table: Table, options: dict[str, Option]) -> Condition:
    """The numbers of players and the choices of options for which a step or a question is meant."""
    chosen = {}
    when = table.table_or_empty("when")
    for key in when:
        # A key that is no option has no choices, so that each of its values is a fault.
        choices = options[key].choices if key in options else {}
        chosen[key] = when.known(key, choices, f"choice of {key!r}")
    return Condition(_span(table, "players") if "players" in table else None, chosen)


def _span(table: Table, key: str) -> Span:
    """Numbers of players: "2" is 2 alone, "2-4" is 2 to 4, "2+" is 2 or more."""
    text = table.text(key, needed=True)
    if match := _SPAN.fullmatch(text):
        low = int(match["low"])
        high = int(match["high"] or low)
        if low <= high:
            return Span(low, None if match["or_more"] else high)
    table.fault(key, f"numbers of players are written 2, 2-4 or 2+, not {text[:40]!r}")
    return Span(1, 1)


def read_play_guide(folder: Path, rulebook: Rulebook) -> PlayGuide | None:
    """The play guide of ``play.toml``; None if there is no such file. Raises FolderError with every fault."""
    table = open_table(folder / "play.toml")
    if table is None:
        return None
    reach = table.table("from_here")
    guide = PlayGuide(
        reach.made(Reach, word=reach.choice("reach", REACHES, needed=True)) if reach else None,
        tuple(
            each.made(ImprintLine, sources=rulebook.sources(each)) for each in table.listed_tables("imprint")
        ),
        tuple(_part(each, rulebook) for each in table.listed_tables("parts")),
    )
    table.close()
    table.file.end()
    return guide


def _part(table: Table, rulebook: Rulebook) -> PlayPart:
    """A part of the play guide. A step without a source has that of the part."""
    sources = rulebook.sources(table)
    rulings = {ruling.id: ruling for ruling in rulebook.rulings}
    head, rows = table.words("head"), table.rows("rows")
    if any(len(row) != len(head) for row in rows):
        table.fault("rows", "every row has as many cells as the head")
    steps = tuple(
        each.made(
            PlayStep,
            sources=rulebook.sources(each) or sources,
            rulings=each.known("rulings", rulings, "ruling"),
        )
        for each in table.listed_tables("steps")
    )
    # ``made`` would read a text of one line.
    says = table.text("says", most=table.file.longest)
    return table.made(
        PlayPart, says=says, sources=sources, steps=steps, table=PlayTable(head, rows) if rows else None
    )
