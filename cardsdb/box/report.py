"""The preview of an uploaded card file, in three steps:

1. ``compare_as_posted`` reads the form and compares the file with the box (``comparing.Report``).
2. ``report_as_json`` turns the report into JSON, which is stored: a worker compares large files long before
   the page is shown.
3. ``shown`` adds the cards and words that the page needs. ``templates/printing/box/own_report.html`` reads
   its keys by name.

Nothing is written into boxes here; ``taking_in.py`` does that. Called by ``jobs.py`` and
``printing/web/own_views.py``. Tests: ``tests/printing/web/test_own_views.py``.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from django.core import signing

from cardsdb.box.card_form import own_types
from cardsdb.box.comparing import Open, Progress, Report, compare, likely_game
from cardsdb.box.package_pictures import in_words
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import Columns, Package, changed, guessed, shown_meanings
from cardsdb.box.set_rows import IntoSet, into_set, name_for_set
from cardsdb.box.texts import with_text
from cardsdb.catalogue.current import games
from cardsdb.games.kit import OWN_CODE, Card, Game, as_words
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet, UploadedPicture

# The most that the page shows: columns; entries to decide; problems; drawn cards with their new texts; new
# own cards; characters of a cell that shows what a column contains.
MAX_COLUMNS = 80
MAX_OPEN = 50
MAX_SHOWN = 100
MAX_FACES = 3
MAX_MADE = 20
MAX_SAMPLE = 80
# Rows in which a sample is looked for.
SAMPLE_ROWS = 50
# The value of the form's field ``do`` that also makes own cards from rows that are no catalogue card.
MAKE = "make"
# The value of the field of an open entry that skips it.
SKIP = "none"
# Characters of a posted set name that are read.
MAX_SET_NAME = 500
# The salt of the form's signed field ``chosen``. Another one would make the fields of open pages useless, so
# it keeps the name of a module of earlier releases. The field holds for A_DAY (seconds).
CHOSEN = "cardsdb.own.report.chosen"
A_DAY = 24 * 60 * 60
UNKNOWN_GAME = "No row matches a card of the games here. Say which game it is, or what the columns mean."


# -- 1. the form -----------------------------------------------------------------------


def compare_as_posted(
    package: Package, posted: Mapping[str, Any], viewer: Viewer, progress: Progress
) -> Report:
    """Compare a package with the viewer's box, using what the form says of its game, columns and open
    entries. Raises BadPackage.

    The form of a page with two open entries posts ``{"column:2": "text", "entry:0": "kai", "entry:1":
    "none"}``: the third column is the text, the first entry is Kai, and the second is skipped.
    """
    game = games().get(posted.get("game", "")) or likely_game(package)
    if game is None:
        raise BadPackage("unknown_game", UNKNOWN_GAME, "game")
    box = OwnBox.objects.of(viewer).first()
    columns = _posted_columns(posted, guessed(package, game), game)
    into = _posted_set(posted, package, columns, game, box)
    earlier_choices = _carried(posted, game)
    report = compare(package, game, columns, box, progress, earlier_choices, into)
    # ``entry:0`` is the first open entry of the report that the page showed. This report has the same ones,
    # so it tells which rows the form has decided; a second comparison then takes these decisions into
    # account.
    if choices := _choices(report, posted):
        return compare(package, game, columns, box, progress, earlier_choices | choices, into)
    return report


def _posted_columns(posted: Mapping[str, Any], columns: Columns, game: Game) -> Columns:
    """Return the guessed columns with the meanings that the form has for them. Raises BadPackage."""
    changes = {}
    for number, (name, meaning) in enumerate(columns.meanings.items()):
        posted_meaning = posted.get(f"column:{number}", meaning)
        if posted_meaning != meaning:
            changes[name] = posted_meaning
    return changed(columns, changes, game)


def _posted_set(
    posted: Mapping[str, Any], package: Package, columns: Columns, game: Game, box: OwnBox | None
) -> IntoSet | None:
    """Return the own set for rows that are no catalogue card: the one that the form names, else one named
    after the rows or the file. None for a package without tables.
    """
    if not package.tables:
        return None
    name = " ".join(posted.get("into", "").split()) or name_for_set(package, columns)
    kind = posted.get("into_type", "")
    return into_set(
        box,
        game,
        name[:MAX_SET_NAME],
        card_type=kind if kind in own_types(game) else "",
        with_similar=bool(posted.get("into_similar")),
        is_sure=posted.get("do") == MAKE,
    )


def _carried(posted: Mapping[str, Any], game: Game) -> dict[str, str]:
    """Return the choices made on earlier pages (entry key -> card code), from the form's signed field; {} if
    it is missing, too old or for another game.
    """
    try:
        slug, chosen = signing.loads(posted.get("chosen", ""), salt=CHOSEN, max_age=A_DAY)
    except signing.BadSignature:
        return {}
    return dict(chosen) if slug == game.slug else {}


def _choosable(report: Report) -> dict[str, Open]:
    """Return form field (``entry:0``, ``entry:1``, ...) -> entry, for each that the visitor may decide."""
    entries = [entry for entry in report.open if entry.stated.key][:MAX_OPEN]
    return {f"entry:{number}": entry for number, entry in enumerate(entries)}


def _choices(report: Report, posted: Mapping[str, str]) -> dict[str, str]:
    """Return entry key (``Stated.key``) -> code of the chosen card, for each choice in the form.

    The code is "" for an entry to skip, ``OWN_CODE`` for an entry that becomes an own card. A code that is
    not among the entry's candidates counts as no choice.
    """
    choices = {}
    for field, entry in _choosable(report).items():
        choice = posted.get(field, "")
        if choice == SKIP:
            choices[entry.stated.key] = ""
        elif choice in {OWN_CODE, *(card.code for card in entry.match.candidates)}:
            choices[entry.stated.key] = choice
    return choices


# -- 2. the report as JSON -------------------------------------------------------------


def report_as_json(report: Report, owner: Viewer) -> dict[str, Any]:
    """Return a report as JSON: numbers, words and card codes only.

    Call it once and last: it adds the problems with pictures to the report's own list
    (``pass_over_pictures``), so a second call would list them twice.
    """
    report.pass_over_pictures()
    problems = report.not_understood[:MAX_SHOWN]
    places = report.pictures.places
    # Places where the owner has a picture already.
    filled = {row.place for row in UploadedPicture.objects.of(owner).placed()} if places else set()
    return {
        "name": report.package.name,
        "title": report.package.format.title,
        "game_slug": report.game.slug,
        "rows": report.rows,
        **report.counts,
        "without_text": report.without_text,
        "several": report.several,
        "pictures": len(report.package.pictures),
        "ways": list(report.found.items()),
        "chosen": dict(report.chosen),
        "columns": _columns_as_json(report),
        "open": [_entry_as_json(field, entry) for field, entry in _choosable(report).items()],
        "problems": problems,
        "more_problems": len(report.not_understood) + report.more - len(problems),
        "texts": _first_texts(report),
        "pictures_found": in_words(report.pictures),
        "pictures_placed": len(places),
        "pictures_there": len(places.keys() & filled),
        "own": _set_as_json(report),
    }


def _first_texts(report: Report) -> dict[str, str]:
    """Return card code -> text of the first cards with a text, to be drawn: new texts first."""
    codes = (*report.added, *report.changed, *report.unchanged)
    texts = {code: report.texts[code].text for code in codes if report.texts[code].text}
    return dict(islice(texts.items(), MAX_FACES))


def _columns_as_json(report: Report) -> list[dict[str, str]]:
    """Return each column with its form field, its meaning, and its first non-empty cell as a sample."""
    first_rows = list(islice(report.package.rows(), SAMPLE_ROWS))
    columns = []
    for number, (name, meaning) in enumerate(islice(report.columns.meanings.items(), MAX_COLUMNS)):
        cells = [row.cells.get(name, "").strip() for row in first_rows]
        sample = next(filter(None, cells), "")[:MAX_SAMPLE]
        columns.append({"field": f"column:{number}", "name": name, "sample": sample, "meaning": meaning})
    return columns


def _entry_as_json(field: str, entry: Open) -> dict[str, Any]:
    """Return an entry to decide: its form field, what the file calls it and where, and the candidates."""
    place = (entry.row.file, str(entry.row.number), entry.stated.set)
    return {
        "field": field,
        "name": entry.stated.name or entry.stated.id,
        "place": ", ".join(filter(None, place)),
        "candidates": [card.code for card in entry.match.candidates],
    }


def _set_as_json(report: Report) -> dict[str, Any] | None:
    """Return the own-set part of a report as JSON: row counts, and the columns of the first new cards. None
    if no row is or may become an own card.

    ``similar``: rows whose names are merely like those of catalogue cards.
    """
    own_cards = report.own
    similar = len([entry for entry in report.open if entry.match.is_similar])
    if own_cards is None or not (own_cards.total or own_cards.faulty or similar):
        return None
    return {
        **own_cards.into._asdict(),
        "is_new": own_cards.into.pk is None,
        "made": len(own_cards.made) + own_cards.more,
        "changed": len(own_cards.changed),
        "unchanged": own_cards.unchanged,
        "faulty": own_cards.faulty,
        "untyped": own_cards.untyped,
        "similar": similar,
        "sets": own_cards.sets,
        "room": own_cards.room,
        "cards": own_cards.made[:MAX_MADE],
    }


# -- 3. the report for its page --------------------------------------------------------


def shown(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored report (``report_as_json``) with what the page needs besides:

    * ``fresh``: the number of texts that would be written. ``keeps``: there is something to keep besides own
      cards. ``matches``: False for a file of own cards only, of whose catalogue cards there is nothing to
      say.
    * ``carried``: the choices so far, signed, for a hidden field of the form (read by ``_carried``).
    * ``meanings``, ``types``: (value, title) of the form's lists.
    * ``entries``: (entry to decide, its candidates). ``faces``: cards with their new texts. ``new_cards``:
      own cards that would be made. Cards that have left the game since are left out.
    """
    game, own = games()[stored["game_slug"]], stored["own"]
    fresh = stored["added"] + stored["changed"]
    if own:
        own = {**own, "fresh": own["made"] + own["changed"], "is_too_many": own["made"] > own["room"]}
    return {
        **stored,
        "game": game,
        "own": own,
        "fresh": fresh,
        "keeps": bool(fresh or stored["chosen"] or stored["pictures_placed"]),
        "carried": signing.dumps([game.slug, stored["chosen"]], salt=CHOSEN, compress=True),
        "meanings": list(shown_meanings(game)),
        "matches": bool(stored["ways"] or not own),
        "types": [(slug, game.type_named(slug).name) for slug in own_types(game)],
        "entries": [(entry, _cards(game, entry["candidates"])) for entry in stored["open"]],
        "faces": [with_text(card, stored["texts"]) for card in _cards(game, stored["texts"])],
        "new_cards": [_new_card(game, columns) for columns in own["cards"]] if own else [],
    }


def _cards(game: Game, codes: Iterable[str]) -> list[Card]:
    """Return the cards with these codes that the game still has."""
    return [card for card in map(game.card, codes) if card]


def _new_card(game: Game, columns: Mapping[str, Any]) -> tuple[Card, str, str]:
    """Return (card, name of its type, its facts in words) of an own card that would be made."""
    card = OwnCard(in_set=OwnSet(game=game.slug), **columns).as_card()
    titles = {fact.key: fact.title for fact in game.facts}
    facts = (f"{titles[key]} {as_words(value)}" for key, value in card.facts.items() if key in titles)
    return card, game.type_named(card.type).name, ", ".join(facts)
