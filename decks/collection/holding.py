"""Collections in the database: the visitor's own one, its copies, and how they are changed. A card is named
by its key, ``spycraft/kai``; its copies may be noted without a print, or by set and number. The rows of a
table are ``OwnedRow`` values of ``decks/formats/tables.py``.

``change`` is the only way in which copies are changed. It locks the collection, and refuses to overwrite a
number that has changed since its owner saw it. All pages of this room call it; ``decks/accounts`` calls
``take_over``, and others only read ``copies``. Tests: ``tests/decks/collection/test_holding.py``; of
``take_over`` ``tests/decks/accounts/test_views.py``.
"""

from collections.abc import Collection as Bag
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from django.db import transaction
from django.db.models import F, Sum
from django.http import HttpRequest
from django.utils import timezone

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, plural
from cardsdb.identity.viewer import Viewer, browser_of, viewer_of
from decks.formats.contract import game_of_names
from decks.formats.tables import MAX_COPIES, OwnedRow, OwnedTable
from decks.models import Collection, Owned

# Faults that one refusal lists.
MAX_FAULTS = 50
# Card's key -> copies.
Copies: TypeAlias = Mapping[str, int]
# What one row of a collection counts: (card's primary key, set, number), without a print (pk, "", "").
Place: TypeAlias = tuple[int, str, str]


@dataclass(frozen=True)
class Change:
    """A number of copies to store, for a card or for one print of it (``set``, ``number``).

    ``seen`` is the number that the owner saw, which ``count`` replaces. If it is None, ``count`` copies are
    added. ``line`` is the line of the table or list that says so, or 0. For example::

        Change("spycraft/kai", 3, seen=2)                         3 copies without a print instead of 2
        Change("xfiles/first-aid", 1, set="TRU", number="2")      1 copy more of the print TRU 2
    """

    key: str
    count: int
    seen: int | None = None
    set: str = ""
    number: str = ""
    line: int = 0

    @property
    def code(self) -> str:
        return self.key.partition("/")[2]


def collection_of(viewer: Viewer) -> Collection | None:
    """The visitor's collection, or None if they have none."""
    return Collection.objects.of(viewer).first()


def own_collection(request: HttpRequest) -> Collection:
    """The visitor's collection, of their account or else of their browser. It is created if they
    have none.
    """
    viewer = viewer_of(request)
    if viewer.user_id:
        return Collection.objects.of(viewer).get_or_create(owner_id=viewer.user_id)[0]
    browser = browser_of(request)
    return Collection.objects.of(Viewer(browser=browser)).get_or_create(browser=browser)[0]


def copies(collection: Collection | None, keys: Bag[str] | None = None) -> dict[str, int]:
    """Card's key -> copies of all its prints. ``keys`` limits it to these cards."""
    if collection is None:
        return {}
    owned = collection.owned.all()
    if keys is not None:
        pairs = [key.split("/", 1) for key in keys]
        # This finds cards of the same code in another of these games too; they are left out below.
        owned = owned.filter(
            card__game__in={game for game, _ in pairs}, card__code__in={code for _, code in pairs}
        )
    # Without order_by() the model's ordering would add columns to the grouping.
    sums = owned.order_by().values_list("card__game", "card__code").annotate(copies=Sum("count"))
    counts = {f"{game}/{code}": count for game, code, count in sums}
    return counts if keys is None else {key: count for key, count in counts.items() if key in keys}


@transaction.atomic
def change(
    collection: Collection,
    changes: Iterable[Change],
    *,
    nothing_else: bool = False,
    refused: list[tuple[Change, Fault]] | None = None,
) -> int:
    """Make these changes, all of them or none; return how many stored numbers changed. If a list ``refused``
    is given, each change that cannot be made is added to it with its fault, and the others are made.

    With ``nothing_else`` the collection then holds only these copies. Raise Refused if a card or print is
    unknown, if a number is out of bounds or was changed elsewhere; with ``refused``, only if no change at all
    can be made.
    """
    changes = list(changes)
    # Locked first, so that of two simultaneous changes the second sees what the first has stored.
    collection = Collection.objects.stored(collection).select_for_update().get()
    known = catalogue().by_key
    # Card's key -> primary key.
    cards = {wanted.key: known[wanted.key].pk for wanted in changes if wanted.key in known}
    owned = collection.owned.all() if nothing_else else collection.owned.filter(card__in=cards.values())
    stored = {(row.card_id, row.set, row.number): row for row in owned}
    prints = _places_of_prints(cards.values())
    bad: list[tuple[Change, Fault]] = []
    # Place -> the number to store. With ``nothing_else`` all that is stored goes, unless a change names it.
    counts: dict[Place, int] = dict.fromkeys(stored, 0) if nothing_else else {}
    for wanted in changes:
        if wanted.key not in cards:
            message = f"The catalogue has no card {wanted.key}."[:200]
            bad.append((wanted, Fault("unknown_card", message, wanted.code[:120])))
            continue
        place = (cards[wanted.key], wanted.set, wanted.number)
        # The number that is stored, and the one to store.
        before = 0 if nothing_else or place not in stored else stored[place].count
        count = wanted.count
        if wanted.seen is None:
            # Several rows may add to one place, so the sum so far counts.
            count += counts.get(place, before)
        if wanted.set and place not in prints and place not in stored:
            code, why = "unknown_print", f"no print {wanted.set[:40]} {wanted.number[:40]} of it is known."
        elif wanted.seen is not None and wanted.seen != before:
            code = "changed_elsewhere"
            why = (
                f"it was changed to {before} elsewhere since you saw {wanted.seen}; nothing was overwritten."
            )
        elif not 0 <= count <= MAX_COPIES:
            code, why = "bad_count", f"that would be {count} copies; at most {MAX_COPIES} are noted."
        else:
            counts[place] = count
            continue
        # One of the three reasons holds.
        bad.append((wanted, Fault(code, f"{wanted.code}: {why}", wanted.code)))
    if bad and (refused is None or len(bad) == len(changes)):
        faults = [fault for _, fault in bad]
        status = 409 if all(fault.code == "changed_elsewhere" for fault in faults) else 400
        raise Refused(*faults[:MAX_FAULTS], status=status)
    if refused is not None:
        refused += bad
    return _store(collection, stored, counts)


def _places_of_prints(cards: Iterable[int]) -> set[Place]:
    """Return the places of all prints that are known of these cards (primary keys). A set alone, without a
    number, is a valid print as well: the print TRU 2 of card 7 gives (7, "TRU", "2") and (7, "TRU", "").
    """
    places = set[Place]()
    for pk, card in catalogue().cards(cards).items():
        for each in card.prints:
            places |= {(pk, each.set, each.number), (pk, each.set, "")}
    return places


def _store(collection: Collection, stored: Mapping[Place, Owned], counts: Mapping[Place, int]) -> int:
    """Store the new number of each place: delete, update or create its row. Return how many numbers
    changed.
    """
    deleted: list[int] = []
    created: list[Owned] = []
    updated: list[Owned] = []
    for place, count in counts.items():
        owned = stored.get(place)
        if owned is None:
            if count:
                card, set_code, number = place
                created.append(
                    Owned(collection=collection, card_id=card, set=set_code, number=number, count=count)
                )
        elif not count:
            deleted.append(owned.pk)
        elif owned.count != count:
            owned.count = count
            updated.append(owned)
    collection.owned.filter(pk__in=deleted).delete()
    Owned.objects.bulk_update(updated, ["count"])
    Owned.objects.bulk_create(created)
    if changed := len(deleted) + len(updated) + len(created):
        Collection.objects.stored(collection).update(revision=F("revision") + 1, changed=timezone.now())
    return changed


def changes_of(table: OwnedTable, game: Game | None) -> tuple[list[Change], list[Fault], list[str]]:
    """Return (the table's rows as copies to add, the faults of the other rows, the unknown prints). Copies of
    an unknown print are noted without it. ``game`` is that of rows which name none.

    Raise Refused with all faults if no row is right, or if there is no ``game`` and some rows name none; then
    the first fault is ``no_game``.
    """
    changes, faults, no_prints = list[Change](), [*table.faults], list[str]()
    rows = [_with_its_game(row) for row in table.rows]
    nameless = [] if game else [row for row in rows if not row.game]
    for row in rows:
        if not (row.game or game):
            continue
        try:
            added, unknown = _change_of(row, game)
        except ValueError as error:
            faults.append(Fault("unknown_card", f"Line {row.line}: {error}", f"line {row.line}"))
            continue
        changes.append(added)
        if unknown:
            no_prints.append(unknown)
    faults.sort(key=line_of)
    if nameless:
        faults.insert(0, _no_game(nameless, len(rows)))
    if nameless or (faults and not changes):
        raise Refused(*faults[:MAX_FAULTS])
    return changes, faults, no_prints


def line_of(fault: Fault) -> int:
    """The line that a fault of a table names as its place: "line 7" -> 7."""
    return int(fault.where.removeprefix("line "))


def _with_its_game(row: OwnedRow) -> OwnedRow:
    """If the row's code or name is a key (``spycraft/kai``), return the row with game and code split; else
    the row itself.
    """
    game, slash, code = (row.code or row.name).casefold().partition("/")
    is_key = slash and game in games() and row.game.casefold() in ("", game)
    return replace(row, game=game, code=code) if is_key else row


def _no_game(rows: Sequence[OwnedRow], total: int) -> Fault:
    """The fault for these rows without a game, of ``total`` rows in all."""
    which = "The table does not say which game its cards are of."
    if len(rows) < total:
        words = plural(len(rows), "row of the table names", "rows of the table name")
        which = f"{len(rows)} {words} no game (the first in line {rows[0].line})."
    return Fault("no_game", f"{which} Choose the game, or add a column “game”.", "game")


def likely_game(table: OwnedTable) -> Game | None:
    """The game that most names in rows without a game belong to; None if several games are equally likely."""
    rows = (row for row in map(_with_its_game, table.rows) if not row.game)
    return game_of_names((row.name or row.code.rpartition("/")[2] for row in rows), games()).game


def _change_of(row: OwnedRow, game: Game | None) -> tuple[Change, str]:
    """Return (the row's copies as a change, the print that it names if that is unknown, else ""). Raise
    ValueError, with a sentence for the visitor, if the row is wrong.
    """
    if typed := row.game.casefold():
        game = next((each for each in games().values() if typed in (each.slug, each.name.casefold())), None)
        if game is None:
            raise ValueError(f"there is no game “{row.game[:40]}”. Games: {', '.join(games())}.")
    if game is None:
        raise ValueError("it names no game.")
    code = row.code.rpartition("/")[2]
    card = game.card(code) if code else None
    # The print as the row names it: "TRU 2".
    index, asked = game.name_index, f"{row.set} {row.number}".strip()
    # A code names one card. Its name is looked up all the same, since that reads the print.
    match = index.find(card.name if card else row.name or code, asked)
    found = (card,) if card else match.cards
    if len(found) > 1:
        labels = ", ".join(map(index.label, found))
        raise ValueError(f"several cards are called “{row.name[:60]}”: {labels}. Give the code or the set.")
    if not found:
        raise ValueError(f"{game.name} has no card “{(row.name or row.code)[:60]}”.")
    # Its prints in this set, and those with this number too.
    in_set, of_number = found[0].printed_in(match.set, match.number)
    is_exact = bool(match.number and of_number)
    # If the print is unknown the copies still count, and if only its number is unknown the set still counts.
    set_code = number = ""
    if is_exact:
        set_code, number = of_number[0].set, of_number[0].number
    elif in_set:
        set_code = in_set[0].set
    is_known = is_exact if row.number else bool(in_set)
    is_unknown = asked and not is_known
    unknown = f"{asked[:60]} of {found[0].name} (line {row.line})" if is_unknown else ""
    return Change(found[0].key, row.count, None, set_code, number, row.line), unknown


@transaction.atomic
def take_over(viewer: Viewer) -> int:
    """Add the collection of the visitor's browser to that of their account and delete it. Return how many
    copies it had; 0 if the browser has none.
    """
    theirs = Collection.objects.of(Viewer(browser=viewer.browser)).select_for_update().first()
    if theirs is None:
        return 0
    owned = theirs.owned.values_list("card__game", "card__code", "count", "set", "number")
    changes = [
        Change(f"{game}/{code}", count, None, set_code, number)
        for game, code, count, set_code, number in owned
    ]
    mine, _ = Collection.objects.of(viewer).get_or_create(owner_id=viewer.user_id)
    change(mine, changes)
    theirs.delete()
    return sum(added.count for added in changes)
