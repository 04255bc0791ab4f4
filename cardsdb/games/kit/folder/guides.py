"""Reads ``set_up.toml`` (how a game is laid out) and ``play.toml`` (how it is played).

``GameFolder.set_up_guide`` and ``.play_guide`` call it. What the values mean is said in ``model/guides.py``
and ``model/play_guide.py``; the contract checks what goes beyond single values. Every fault is collected.

set_up.toml
[players]       numbers ("2", "2-4", "2+"), usual, and where that is stated
[options.KEY]   label, help, and choices = { key = "words" } or low and high; usual
[[steps]]       title, says, short, needs, lays, amounts, note; the source; players and when it is for
[[open]]        question and treatment, or ruling (an id of rulebook.toml); players and when
[evening]       bring, title, says, usual, decks, shared, spare, sheets, words, seats; places and doors
                (model/guides.py)

play.toml
[from_here]      reach (whole, partly or own cards) and a sentence
[[imprint]]      label, says, url; the source
[[parts]]        title, says, places, head and rows of a chart, card, each, ordered; the source
[[parts.steps]]  title, says, note, rulings; the source, if it differs from the part's

A source is ``cites`` (codes of rulebook.toml), or document, section, lines and certainty. A component, in
needs or lays of a step, is what, kind, table, each, per, least, and a source if it differs from the step's.
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


def read_set_up(folder: Path, rulebook: Rulebook, game: str, name: str) -> SetUpGuide | None:
    """The set-up guide of ``set_up.toml``; None if there is no such file. ``game`` and ``name`` are the slug
    and the name of the game. Raises FolderError with every fault.
    """
    table = open_table(folder / "set_up.toml")
    if table is None:
        return None
    players = table.table("players") or Table({}, table.file, "players")
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
        span,
        usual,
        source,
        tuple(options.values()),
        tuple(_step(each, rulebook, options) for each in table.listed_tables("steps")),
        tuple(_open(each, rulebook, options) for each in table.listed_tables("open")),
        _evening(table.table("evening")),
    )
    table.close()
    table.file.end()
    return guide


def _evening(table: Table | None) -> Evening:
    if table is None:
        return NO_EVENING
    places = tuple(
        each.made(TablePlace, each=each.number("each", 0, least=-MAX_NUMBER) or 0)
        for each in table.listed_tables("places")
    )
    return table.made(Evening, places=places)


def _step(table: Table, rulebook: Rulebook, options: dict[str, Option]) -> SetUpStep:
    sources = rulebook.sources(table)
    needs, lays = (
        tuple(
            each.made(Component, amount=_amount(each, options), sources=rulebook.sources(each) or sources)
            for each in table.listed_tables(key)
        )
        for key in ("needs", "lays")
    )
    amounts = {}
    for name, each in table.tables("amounts", "number"):
        amounts[name] = _amount(each, options)
        each.close()
    condition = _condition(table, options)
    return table.made(
        SetUpStep, sources=sources, condition=condition, needs=needs, lays=lays, amounts=amounts
    )


def _amount(table: Table, options: dict[str, Option]) -> PlayerAmount:
    """An amount for the table, for each player, and for each unit of numeric options (``per``)."""
    of_table, of_each = (table.number(key, least=-MAX_NUMBER) for key in ("table", "each"))
    per = {key: times for key, times in table.values("per").items() if type(times) is int}
    if unknown := sorted(per.keys() - options):
        table.fault("per", f"{unknown[0]!r} is no option")
    return PlayerAmount(of_table, of_each, per)


def _open(table: Table, rulebook: Rulebook, options: dict[str, Option]) -> OpenQuestion:
    """A question that the documents leave open, with its treatment: as written here, or a ruling's."""
    condition = _condition(table, options)
    rulings = {ruling.id: ruling for ruling in rulebook.rulings}
    if "ruling" in table:
        named = table.known("ruling", rulings, "ruling")
        table.close()
        ruling = rulings[named[0]] if named else Ruling("", "", "")
        return OpenQuestion(ruling.question, ruling.treatment, ruling.id, condition)
    return table.made(OpenQuestion, ruling="", condition=condition)


def _condition(table: Table, options: dict[str, Option]) -> Condition:
    """The numbers of players and the choices of options for which a step or a question is meant."""
    chosen = {}
    when = table.table("when") or Table({}, table.file, "when")
    for key in when:
        choices = options[key].choices if key in options else {}
        chosen[key] = when.known(key, choices, f"choice of {key!r}")
    return Condition(_span(table, "players") if "players" in table else None, chosen)


def _span(table: Table, key: str) -> Span:
    """Numbers of players: "2" is 2 alone, "2-4" is 2 to 4, "2+" is 2 or more."""
    text = table.text(key, needed=True)
    if match := re.fullmatch(r"([0-9]{1,2})(?:(\+)|-([0-9]{1,2}))?", text):
        low = int(match[1])
        return Span(low, None if match[2] else int(match[3] or low))
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
    says = table.text("says", most=table.file.longest)
    return table.made(
        PlayPart, says=says, sources=sources, steps=steps, table=PlayTable(head, rows) if rows else None
    )
