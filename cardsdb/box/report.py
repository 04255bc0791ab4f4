"""The preview of an uploaded card file, and the write that follows it.

A form is posted with a file: ``compare_as_posted`` makes the ``Report``, ``report_as_json`` turns it into
JSON that can be stored (a worker compares large files long before the page is shown), and ``shown`` adds the
cards and words that the page needs. Nothing is written until ``take_in``; it writes texts, own cards, choices
and pictures in one transaction, all or nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils import timezone

from cardsdb.box import picture_store as storage
from cardsdb.box.card_form import own_types
from cardsdb.box.comparing import Open, Progress, Report, compare, likely_game
from cardsdb.box.intake import Wish, settled
from cardsdb.box.picture_files.bounds import Bounds
from cardsdb.box.pictures import in_words
from cardsdb.box.placing import note_change, picture_row, refuse_without_room, used_files
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import Columns, Package, changed, guessed, shown_meanings
from cardsdb.box.set_rows import IntoSet, into_set, name_for_set
from cardsdb.box.texts import box_for_everyone, box_of, check_room, locked, remember, with_text
from cardsdb.catalogue.current import games
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.games.kit import OWN_CODE, Card, Game, as_words, plural, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, OwnBox, OwnCard, OwnSet, OwnText, Side, UploadedPicture
from cardsdb.models.box import Place

AT_ONCE = 500
# How often ``take_in`` compares anew because the box was changed in another tab meanwhile.
TRIES = 5
BUSY = (
    "Your texts were changed elsewhere again and again while this was compared. Nothing was kept; try again"
    " in a minute."
)
_GONE = "Some pictures were deleted elsewhere while these were taken in. Nothing was kept; try again."
# Limits of what the page shows: columns, open entries, problems, drawn faces, new cards; and picture problems
# that the summary names.
MAX_COLUMNS, MAX_OPEN, MAX_SHOWN, MAX_FACES, MAX_MADE, MAX_TOLD = 80, 50, 100, 3, 20, 10
# MAKE is the value of the form's field ``do`` that also makes own cards from rows that are no catalogue card.
# MAX_SET_NAME: characters of a posted set name that are read.
MAKE, MAX_SET_NAME = "make", 500
CHOSEN = "cardsdb.own.report.chosen"
A_DAY = 24 * 60 * 60
UNKNOWN_GAME = "No row matches a card of the games here. Say which game it is, or what the columns mean."


# -- reading the form ------------------------------------------------------------------


def compare_as_posted(
    package: Package, posted: Mapping[str, Any], viewer: Viewer, progress: Progress
) -> Report:
    """Compare a package with the viewer's box, using what the form says of its game, columns and open
    entries. Raises BadPackage.
    """
    game = games().get(posted.get("game", "")) or likely_game(package)
    if game is None:
        raise BadPackage("unknown_game", UNKNOWN_GAME, "game")
    found, box = guessed(package, game), OwnBox.objects.of(viewer).first()
    posted_columns = ((f"column:{number}", *column) for number, column in enumerate(found.meanings.items()))
    changes = {
        name: posted[field]
        for field, name, meaning in posted_columns
        if posted.get(field, meaning) != meaning
    }
    columns = changed(found, changes, game)
    into, chosen = _into(posted, package, columns, game, box), _carried(posted, game)
    report = compare(package, game, columns, box, progress, chosen, into)
    # The fields of open entries are numbered in the order of a report, so one is needed to read them.
    if choices := dict(_choices(report, posted)):
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


def _choosable(report: Report) -> Iterator[tuple[str, Open]]:
    """Yield (form field, entry) for each entry that the visitor may decide."""
    entries = [entry for entry in report.open if entry.stated.key][:MAX_OPEN]
    return ((f"entry:{number}", entry) for number, entry in enumerate(entries))


def _choices(report: Report, posted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (entry key, code of the chosen card) for each choice in the form.

    The code is "" for an entry to skip, ``OWN_CODE`` for an entry that becomes an own card.
    """
    for field, entry in _choosable(report):
        choice = posted.get(field, "")
        if choice == "none" or choice in {OWN_CODE, *(card.code for card in entry.match.candidates)}:
            yield entry.stated.key, "" if choice == "none" else choice


# -- the report for its page -----------------------------------------------------------


def report_as_json(report: Report, owner: Viewer) -> dict[str, Any]:
    """Return a report as JSON: numbers, words and card codes only. Call it last, because it moves the picture
    problems into the report.
    """
    report.pass_over_pictures()
    problems = report.not_understood[:MAX_SHOWN]
    places, texts = report.pictures.places, report.texts
    mine = UploadedPicture.objects.of(owner).placed()
    there = {row.place for row in mine} if places else set()
    codes = (code for code in (*report.added, *report.changed, *report.unchanged) if texts[code].text)
    first = list(islice(report.package.rows(), 50))
    columns = enumerate(islice(report.columns.meanings.items(), MAX_COLUMNS))
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
        # Each column with its first non-empty cell as a sample, and its meaning.
        "columns": [
            {
                "field": f"column:{number}",
                "name": name,
                "sample": next((cell for row in first if (cell := row.cells.get(name, "").strip())), "")[:80],
                "meaning": meaning,
            }
            for number, (name, meaning) in columns
        ],
        "open": [
            {
                "field": field,
                "name": entry.stated.name or entry.stated.id,
                "place": ", ".join(filter(None, (entry.row.file, str(entry.row.number), entry.stated.set))),
                "candidates": [card.code for card in entry.match.candidates],
            }
            for field, entry in _choosable(report)
        ],
        "problems": problems,
        "more_problems": len(report.not_understood) + report.more - len(problems),
        "texts": {code: texts[code].text for code in islice(codes, MAX_FACES)},
        "pictures_found": in_words(report.pictures),
        "pictures_placed": len(places),
        "pictures_there": len(places.keys() & there),
        "own": _set_as_json(report),
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
    """Return a stored report (``report_as_json``) with the cards and labels that the page shows. Cards that
    have left the game since are left out.
    """
    game, own = games()[stored["game_slug"]], stored["own"]
    fresh = stored["added"] + stored["changed"]
    titles = {fact.key: fact.title for fact in game.facts}
    if own:
        own = {**own, "fresh": own["made"] + own["changed"], "is_too_many": own["made"] > own["room"]}

    def cards(codes: Any) -> list[Any]:
        return [card for card in map(game.card, codes) if card]

    def new_card(values: Mapping[str, Any]) -> tuple[Card, str, str]:
        card = OwnCard(in_set=OwnSet(game=game.slug), **values).as_card()
        facts = (f"{titles[key]} {as_words(value)}" for key, value in card.facts.items() if key in titles)
        return card, game.type_named(card.type).name, ", ".join(facts)

    return {
        **stored,
        "game": game,
        "own": own,
        # The number of texts that would be written; and is there anything to keep except own cards?
        "fresh": fresh,
        "keeps": bool(fresh or stored["chosen"] or stored["pictures_placed"]),
        # The choices so far, signed, for a hidden field of the form.
        "carried": signing.dumps([game.slug, stored["chosen"]], salt=CHOSEN, compress=True),
        "meanings": list(shown_meanings(game)),
        # False if the file has only own cards: then there is nothing to say about catalogue cards.
        "matches": bool(stored["ways"] or not own),
        "types": [(slug, game.type_named(slug).name) for slug in own_types(game)],
        "entries": [(entry, cards(entry["candidates"])) for entry in stored["open"]],
        "faces": [with_text(card, stored["texts"]) for card in cards(stored["texts"])],
        "new_cards": list(map(new_card, own["cards"])) if own else [],
    }


# -- writing ---------------------------------------------------------------------------


class BoxChanged(Exception):
    """The box was changed after it was compared."""


def take_in(
    compared: Callable[[], Report],
    owner: Viewer | Everyone,
    wish: Wish,
    bounds: Bounds,
    progress: Progress,
    then: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Compare, then write rows and pictures in one transaction, call ``then`` inside it, and return the
    report.

    The slow parts, comparing rows and reading pictures one at a time, come before any lock. If the box
    changed meanwhile, it is compared again, up to TRIES times. On failure, files stored for new pictures are
    deleted. Raises BadPackage and Refused.
    """
    report, again = compared(), 1
    placed, own = report.pictures, report.own
    new = {values["code"] for values in own.made} if own else set()
    if own and not own.into.is_sure:
        # The cards are not made, so their pictures have no card.
        made = [place for place in placed.places if place[1] in new]
        placed.left += len(made)
        for place in made:
            del placed.places[place]
    with _ready_pictures(owner, report, wish, bounds, progress) as ready, storage.locked():
        while True:
            with suppress(BoxChanged):
                with transaction.atomic():
                    add(report, box_for_everyone() if isinstance(owner, Everyone) else box_of(owner))
                    _write_pictures(owner, ready)
                    then(report)
                return report
            # A new comparison gives new own cards new codes, and the pictures are bound to the old ones.
            if again == TRIES or new.intersection(code for _, code, _ in placed.places):
                raise Refused(Fault("busy", BUSY, "file"), status=503, wait=SOON)
            report, again = compared(), again + 1
            report.pictures = placed


@transaction.atomic
def add(report: Report, box: OwnBox) -> None:
    """Write new and changed texts, own cards and remembered choices into the box, in one transaction.

    Raises BoxChanged if the box changed since it was compared, Refused if it has no room.
    """
    own, written = report.own, {code: report.texts[code] for code in sorted((*report.added, *report.changed))}
    rows = own if own and own.into.is_sure and (own.made or own.changed) else None
    if written or rows:
        if locked(box).state != report.state:
            raise BoxChanged
        if rows:
            rows.write(box)
        size = sum(len(new.text) + len(json.dumps(dict(new.facts))) for new in written.values())
        check_room(box, len(report.added), size)
        about = {
            "box": box,
            "game": report.game.slug,
            "source": report.package.name[:120],
            "changed": timezone.now(),
        }
        OwnText.objects.bulk_create(
            [
                OwnText(card_code=code, text=new.text, facts=dict(new.facts), **about)
                for code, new in written.items()
            ],
            batch_size=AT_ONCE,
            update_conflicts=True,
            update_fields=["text", "facts", "source", "changed"],
            unique_fields=["box", "game", "card_code"],
        )
        box.changed()
    remember(box, report.game, report.chosen)


def words_of(report: Report) -> str:
    """Return a sentence on what was taken in."""
    own, parts = report.own, list[str]()
    if own and own.into.is_sure:
        changed = f", {len(own.changed):,} of it changed" if own.changed else ""
        parts.append(f"{some(len(own.made), 'card')} made in your set “{own.into.name}”{changed}")
    elif own and (left := len(own.made) + len(own.changed) + own.more):
        parts.append(f"{some(left, 'row')} that {plural(left, 'is', 'are')} no card left out")
    if report.texts or not parts:
        rows = f"{len(report.changed):,} changed, {len(report.unchanged):,} left alone"
        parts.insert(0, f"{some(len(report.added), 'card')} of {report.game.name} added, {rows}")
    if not report.package.pictures:
        return "; ".join(parts) + "."
    problems = report.pictures.problems
    named = [f"{problem.file}: {problem.reason}" for problem in problems[:MAX_TOLD]]
    more = [f"{len(problems) - MAX_TOLD:,} more remarks."] if len(problems) > MAX_TOLD else []
    return " ".join(("; ".join((*parts, in_words(report.pictures))) + ".", *named, *more))


@contextmanager
def _ready_pictures(
    owner: Viewer | Everyone, report: Report, wish: Wish, bounds: Bounds, progress: Progress
) -> Iterator[dict[Place, UploadedPicture]]:
    """Read the pictures one by one and store their files; yield place -> unsaved row. Pictures that the owner
    has at their place already are skipped. If the caller fails, the new files are deleted.

    Raises Refused before the first is read if there is no room. ``progress`` gets the number read so far, and
    may raise to stop.
    """
    files, placed = report.package.files, report.pictures
    there = {row.place: row.sha256 for row in UploadedPicture.objects.of(owner).placed()}
    new = [name for place, name in placed.places.items() if place not in there]
    refuse_without_room(owner, len(new), sum(map(files.packed, new)))
    rows: dict[Place, UploadedPicture] = {}
    fresh: list[str] = []
    try:
        for number, (place, name) in enumerate(list(placed.places.items()), 1):
            progress(number)
            taken = placed.take(report.package, place, bounds, there.get(place, ""))
            if taken is None:
                continue
            with storage.locked():
                fresh += storage.keep(taken.sha256, taken.parts)
            values = settled(wish, taken, report.game, place[2])
            rows[place] = picture_row(owner, taken, name.rpartition("/")[2], place, values)
        yield rows
    except BaseException:
        with storage.locked():
            # Another owner may have started to use the same file meanwhile.
            used = used_files(row.sha256 for row in rows.values())
            storage.discard(name for name in fresh if storage.hash_in(name) not in used)
        raise


def _write_pictures(owner: Viewer | Everyone, rows: Mapping[Place, UploadedPicture]) -> None:
    """Save the picture rows, inside the caller's transaction and ``storage.locked``. Raises Refused."""
    if not rows:
        return
    if storage.lacking(row.sha256 for row in rows.values()):
        raise Refused(Fault("gone", _GONE, "file"), status=503)
    mine = UploadedPicture.objects.of(owner)
    refuse_without_room(owner, len(rows), sum(row.bytes for row in rows.values()))
    displaced = [row.pk for row in mine.placed() if row.place in rows]
    mine.filter(pk__in=displaced).update(side=Side.UNPLACED)
    UploadedPicture.objects.bulk_create(rows.values(), batch_size=AT_ONCE)
    note_change(owner)
