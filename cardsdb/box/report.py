"""The dry run of a file that somebody brings, for its page: what would be done, what its columns mean, what is
to be chosen; and what the page's form says of it.

What is told of a report can be stored as JSON, for a large file is compared long before its page is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple
from itertools import islice
from typing import Any

from django.core import signing

from cardsdb.box.card_form import own_types
from cardsdb.box.comparing import Open, Progress, Report, compare, game_of
from cardsdb.box.package_pictures import in_words
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import Columns, Package, changed, guessed, shown_meanings
from cardsdb.box.set_rows import IntoSet, into_set, name_for_set
from cardsdb.box.texts import with_text
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import OWN_CODE, as_words
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet, Side, UploadedPicture

# Of one file that is sent; longer ones are for the command.
MAX_ROWS = 120_000
MAX_COLUMNS, MAX_OPEN, MAX_SHOWN, MAX_FACES, MAX_MADE = 80, 50, 100, 3, 20
# What a form does that makes cards, too, of the rows that are none. Of a set's name, so many letters are
# looked at.
MAKE, MAX_SET_NAME = "make", 500
CHOSEN = "cardsdb.own.report.chosen"
A_DAY = 24 * 60 * 60
UNKNOWN_GAME = (
    "No row of it is a card of a game that is known here. Say which game it is, or what its columns mean."
)
WAYS = {"id": "by its id", "number": "by set and number", "name": "by its name", "choice": "as you chose"}


# -- what the form says ----------------------------------------------------------------


def compare_as_posted(
    package: Package, posted: Mapping[str, Any], viewer: Viewer, progress: Progress = lambda rows: None
) -> Report:
    """Compare a package with the viewer's box, with what the form says of its game, columns and entries.
    Raises BadPackage.
    """
    game = game_of(package, posted.get("game", ""))
    if game is None:
        raise BadPackage("unknown_game", UNKNOWN_GAME, "game")
    found, box = guessed(package, game), OwnBox.objects.of(viewer).first()
    said = {name: posted.get(f"column:{number}") for number, name in enumerate(found.meanings)}
    changes = {name: said[name] for name, meant in found.meanings.items() if said[name] not in (None, meant)}
    columns = changed(found, changes, game)
    into, chosen = _into(posted, package, columns, game, box), _carried(posted, game)

    def counted(rows: int) -> None:
        check_rows(rows)
        progress(rows)

    report = compare(package, game, columns, box, counted, chosen, into)
    if choices := dict(_choices(report, posted)):
        return compare(package, game, columns, box, counted, {**chosen, **choices}, into)
    return report


def check_rows(rows: int) -> None:
    """Raise BadPackage for more rows than a file that is sent may have."""
    if rows > MAX_ROWS:
        raise BadPackage("too_long", f"The file has more than {MAX_ROWS:,} rows. Send it in parts.")


def _into(
    posted: Mapping[str, Any], package: Package, columns: Columns, game: Game, box: OwnBox | None
) -> IntoSet | None:
    """The set for rows that are no card: that which the form names, else one that is called as the rows or
    the file are.
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
    """Return what was chosen on the pages before."""
    try:
        slug, chosen = signing.loads(posted.get("chosen", ""), salt=CHOSEN, max_age=A_DAY)
    except signing.BadSignature:
        return {}
    return dict(chosen) if slug == game.slug else {}


def _choosable(report: Report) -> Iterator[tuple[str, Open]]:
    """(field of the form, entry) of those that fit several cards, or none but similar names."""
    entries = [one for one in report.open if one.stated.key][:MAX_OPEN]
    return ((f"entry:{number}", one) for number, one in enumerate(entries))


def _choices(report: Report, posted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(key of an entry, code of the card that was chosen for it) of what a form says.

    The code is empty for an entry to be passed over, ``OWN_CODE`` for one that is a card of one's own.
    """
    for field, one in _choosable(report):
        said = posted.get(field, "")
        if said == "none" or said in {OWN_CODE, *(card.code for card in one.match.candidates)}:
            yield one.stated.key, "" if said == "none" else said


# -- what the page tells ---------------------------------------------------------------


def told(report: Report, owner: Viewer) -> dict[str, Any]:
    """Return what a report comes to, in numbers and words alone, as JSON. For the end: pictures that were
    passed over are noted in the report.
    """
    report.pass_over_pictures()
    problems = [astuple(one) for one in report.not_understood[:MAX_SHOWN]]
    places, texts = report.pictures.places, report.texts
    mine = UploadedPicture.objects.of(owner).exclude(side=Side.UNPLACED)
    there = set(mine.values_list("game", "card_code", "side")) if places else set()
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
        "ways": [(WAYS[how], count) for how, count in report.found.items()],
        "chosen": dict(report.chosen),
        # Each with the first cell that says something, and what it means.
        "columns": [
            {
                "field": f"column:{number}",
                "name": name,
                "sample": next((cell for row in first if (cell := row.cells.get(name, "").strip())), "")[:80],
                "meaning": meant,
            }
            for number, (name, meant) in columns
        ],
        "open": [
            {
                "field": field,
                "name": one.stated.name or one.stated.id,
                "place": ", ".join(filter(None, (one.row.file, str(one.row.number), one.stated.set))),
                "candidates": [card.code for card in one.match.candidates],
            }
            for field, one in _choosable(report)
        ],
        "problems": problems,
        "more_problems": len(report.not_understood) + report.more - len(problems),
        "texts": {code: texts[code].text for code in islice(codes, MAX_FACES)},
        "pictures_found": in_words(report.pictures) if places else "",
        "pictures_placed": len(places),
        "pictures_there": len(places.keys() & there),
        "own": _told_set(report),
    }


def _told_set(report: Report) -> dict[str, Any] | None:
    """Return what rows are in a set of their owner's, and the columns of some cards that would be made;
    None where no row is or may be one. ``similar``: how many other rows have names that are only like
    those of cards.
    """
    rows, similar = report.own, sum(entry.match.is_similar for entry in report.open)
    if rows is None or not (rows.total or rows.faulty or similar):
        return None
    return {
        **asdict(rows.into),
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


def shown(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a report, with the cards and words that its page shows; cards that the game
    has no longer are left out.
    """
    game, own = games()[told["game_slug"]], told["own"]
    fresh = told["added"] + told["changed"]
    titles = {fact.key: fact.title for fact in game.facts}
    if own:
        own = {**own, "fresh": own["made"] + own["changed"], "is_too_many": own["made"] > own["room"]}

    def cards(codes: Any) -> list[Any]:
        return [card for card in map(game.card, codes) if card]

    def new_card(values: Mapping[str, Any]) -> tuple[Card, str, str]:
        card = OwnCard(in_set=OwnSet(game=game.slug), **values).as_card()
        facts = (f"{titles[key]} {as_words(said)}" for key, said in card.facts.items() if key in titles)
        return card, game.type_named(card.type).name, ", ".join(facts)

    return {
        **told,
        "game": game,
        "own": own,
        # How many cards would be written, and whether there is anything to keep besides cards of one's own.
        "fresh": fresh,
        "keeps": bool(fresh or told["chosen"] or told["pictures_placed"]),
        # What was chosen, as the page's form takes it along.
        "carried": signing.dumps([game.slug, told["chosen"]], salt=CHOSEN, compress=True),
        "meanings": list(shown_meanings(game)),
        # Whether there is more to tell of the catalogue's cards than that no row is one.
        "matches": bool(told["ways"] or not own),
        "types": [(slug, game.type_named(slug).name) for slug in own_types(game)],
        "entries": [(entry, cards(entry["candidates"])) for entry in told["open"]],
        "faces": [with_text(card, told["texts"]) for card in cards(told["texts"])],
        "new_cards": list(map(new_card, own["cards"])) if own else [],
    }
