"""The preview of an uploaded card file: read from a form, stored as JSON, shown on a page.

``compare_as_posted`` makes the ``comparing.Report`` of a file and the form posted with it, ``report_as_json``
turns it into JSON that can be stored (a worker compares large files long before the page is shown), and
``shown`` adds the cards and words that the page needs. Nothing is written into boxes here; ``taking_in.py``
does that. ``templates/printing/box/own_report.html`` reads the keys of ``shown`` by name. Called by
``jobs.py`` and ``printing/web/own_views.py``; tested by ``tests/printing/web/test_own_views.py``.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.core import signing

from cardsdb.box.card_form import own_types
from cardsdb.box.comparing import Open, Progress, Report, compare, likely_game
from cardsdb.box.pictures import in_words
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


# -- reading the form ------------------------------------------------------------------


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
    found, box = guessed(package, game), OwnBox.objects.of(viewer).first()
    changes = {}
    for number, (name, meaning) in enumerate(found.meanings.items()):
        posted_meaning = posted.get(f"column:{number}", meaning)
        if posted_meaning != meaning:
            changes[name] = posted_meaning
    columns = changed(found, changes, game)
    into, chosen = _into(posted, package, columns, game, box), _carried(posted, game)
    report = compare(package, game, columns, box, progress, chosen, into)
    # ``entry:0`` is the first open entry of the report that the page showed. This report has the same ones,
    # so it tells which rows the form has decided; a second comparison then takes these decisions into
    # account.
    if choices := _choices(report, posted):
        return compare(package, game, columns, box, progress, {**chosen, **choices}, into)
    return report


def _into(
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


# -- the report for its page -----------------------------------------------------------


def report_as_json(report: Report, owner: Viewer) -> dict[str, Any]:
    """Return a report as JSON: numbers, words and card codes only.

    Call it once and last: it adds the problems with pictures to the report's own list
    (``pass_over_pictures``), so a second call would list them twice.
    """
    report.pass_over_pictures()
    problems = report.not_understood[:MAX_SHOWN]
    places, texts = report.pictures.places, report.texts
    mine = UploadedPicture.objects.of(owner).placed()
    # Places where the owner has a picture already.
    filled = {row.place for row in mine} if places else set()
    codes_with_text = (
        code for code in (*report.added, *report.changed, *report.unchanged) if texts[code].text
    )
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
        "texts": {code: texts[code].text for code in islice(codes_with_text, MAX_FACES)},
        "pictures_found": in_words(report.pictures),
        "pictures_placed": len(places),
        "pictures_there": len(places.keys() & filled),
        "own": _set_as_json(report),
    }


def _columns_as_json(report: Report) -> list[dict[str, str]]:
    """Return each column with its form field, its meaning, and its first non-empty cell as a sample."""
    first_rows = list(islice(report.package.rows(), SAMPLE_ROWS))
    columns = []
    for number, (name, meaning) in enumerate(islice(report.columns.meanings.items(), MAX_COLUMNS)):
        cells = (row.cells.get(name, "").strip() for row in first_rows)
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
    rows, similar = report.own, sum(entry.match.is_similar for entry in report.open)
    if rows is None or not (rows.total or rows.faulty or similar):
        return None
    return {
        **rows.into._asdict(),
        "is_new": rows.into.pk is None,
        "made": len(rows.made) + rows.more,
        "changed": len(rows.changed),
        "unchanged": rows.unchanged,
        "faulty": rows.faulty,
        "untyped": rows.untyped,
        "similar": similar,
        "sets": rows.sets,
        "room": rows.room,
        "cards": rows.made[:MAX_MADE],
    }


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
    titles = {fact.key: fact.title for fact in game.facts}
    if own:
        own = {**own, "fresh": own["made"] + own["changed"], "is_too_many": own["made"] > own["room"]}

    def cards(codes: Any) -> list[Any]:
        return [card for card in map(game.card, codes) if card]

    def new_card(values: Mapping[str, Any]) -> tuple[Card, str, str]:
        """Return (card, name of its type, its facts in words) of an own card that would be made."""
        card = OwnCard(in_set=OwnSet(game=game.slug), **values).as_card()
        facts = (f"{titles[key]} {as_words(value)}" for key, value in card.facts.items() if key in titles)
        return card, game.type_named(card.type).name, ", ".join(facts)

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
        "entries": [(entry, cards(entry["candidates"])) for entry in stored["open"]],
        "faces": [with_text(card, stored["texts"]) for card in cards(stored["texts"])],
        "new_cards": list(map(new_card, own["cards"])) if own else [],
    }
