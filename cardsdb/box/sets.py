"""Write own sets and own cards, and fill checklists (a game's cards whose names are lost: own cards with a
``place`` stand in for them).

Every function that writes locks the owner's box first and ends with ``box.changed()``, which renews cached
pages. Two differ: the caller of ``save_cards`` has locked the box, and in ``claim_sets`` the function
``texts.box_to_fill`` locks and renews both boxes. Decks copy the own cards they use, so deleting a card here
never breaks a deck. Called by ``set_rows``, ``cardsdb/web/own_sets``, ``decks/public/moderation``,
``decks/accounts/account_kinds`` and the command ``own``. Tests: ``tests/cardsdb/box/test_sets.py``, of
``save_cards`` ``test_set_rows.py`` there, and ``test_own_sets.py`` and ``test_checklist.py`` in
``tests/cardsdb/web``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count
from django.shortcuts import get_object_or_404
from django.utils import timezone

from cardsdb.box.card_form import TypedCard, card_of, line_faults, typed_of
from cardsdb.box.placing import claim_pictures, forget_of_cards
from cardsdb.box.reading.tables import csv_line, guarded
from cardsdb.box.texts import box_of, box_to_fill, locked
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Game, Print
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.model.cards import ChecklistPlace, PlaceGroup
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnSet, Visibility
from cardsdb.models.audit import Event
from cardsdb.models.box import new_code
from cardsdb.site.audit import note, note_moderated, note_visibility

# Sets of one box.
MAX_SETS = 60
# Cards of one box, and of all boxes together.
MAX_CARDS = 2_000
MAX_CARDS_OF_SITE = 500_000
# Rows that one SQL statement writes; SQLite limits the values of a statement.
AT_ONCE = 500
# Name of the set that is made together with its first card.
FIRST_SET = "My cards"
# Characters of each text column of a set, as in the model.
LENGTHS = {"name": 80, "licence": 120, "credit": 300, "note": 1_000}
# Columns of a card that do not say whose it is or in which set: those that ``columns_of`` returns.
CARD_COLUMNS = ("name", "type", "text", "note", "number", "facts")


# -- sets --------------------------------------------------------------------------------


def set_values(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of a set from a posted form. Raises Refused with every fault, each at its field."""
    values = {column: " ".join(typed.get(column, "").split()) for column in LENGTHS}
    faults: list[Fault] = []
    for column, most in LENGTHS.items():
        faults += line_faults(column, values[column], most)
    if not any(char.isalnum() for char in values["name"]):
        faults.insert(0, Fault("no_name", "Give the set a name.", "name"))
    visibility = typed.get("visibility", "") or Visibility.PRIVATE
    if visibility not in Visibility.values:
        message = "Choose who may see it: private, unlisted or public."
        faults.append(Fault("bad_visibility", message, "visibility"))
    if faults:
        raise Refused(*faults)
    return {**values, "visibility": visibility}


@transaction.atomic
def make_set(viewer: Viewer, game: Game, typed: Mapping[str, str]) -> OwnSet:
    """Create a set in the viewer's box. Raises Refused."""
    values = set_values(typed)
    box = locked(box_of(viewer))
    made = _make_set(box, game, values)
    box.changed()
    return made


def _make_set(box: OwnBox, game: Game, values: Mapping[str, str]) -> OwnSet:
    if box.sets.count() >= MAX_SETS:
        room = f"You have room for {MAX_SETS} sets"
        message = f"{room}. Delete one first, or put the cards into one that you have."
        raise Refused(Fault("too_many", message, "name"))
    return OwnSet.objects.create(box=box, game=game.slug, **values)


@transaction.atomic
def change_set(own_set: OwnSet, typed: Mapping[str, str]) -> None:
    """Update a set of the viewer's. Raises Refused, also when staff keep it private."""
    values = set_values(typed)
    box = locked(own_set.box)
    own_set.refresh_from_db(fields=["private_because", "visibility"])
    if kept := own_set.kept_from(values["visibility"]):
        raise Refused(Fault("kept_private", kept, "visibility"))
    OwnSet.objects.stored(own_set).update(**values, changed=timezone.now())
    note_visibility(own_set, "set", own_set.visibility, values["visibility"], box.owner_id)
    box.changed()


@transaction.atomic
def keep_set_private(pk: int, because: str) -> None:
    """Make a public set private for this reason, as staff; an empty reason lifts that. Raises Http404 for a
    set that is the owner's alone.
    """
    found = get_object_or_404(OwnSet.objects.moderated().select_related("box"), pk=pk)
    box = locked(found.box)
    private = {"visibility": Visibility.PRIVATE} if because else {}
    OwnSet.objects.stored(found).update(private_because=because, **private)
    note_moderated(found, "set", bool(because), box.owner_id)
    box.changed()


@transaction.atomic
def delete_set(own_set: OwnSet) -> None:
    """Delete a set with its cards and their pictures. Decks keep their copies of the cards."""
    box = locked(own_set.box)
    forget_of_cards(box, own_set.game, own_set.cards.values_list("code", flat=True))
    note(Event.DELETED, box.owner_id, thing="set", number=own_set.pk, name=own_set.name)
    own_set.delete()
    box.changed()


# -- cards -------------------------------------------------------------------------------


@transaction.atomic
def save_card(
    own_set: OwnSet, game: Game, typed: TypedCard, row: OwnCard | None = None, place: str = ""
) -> OwnCard:
    """Create a card in the set, or change ``row``. Raises Refused; then nothing is stored."""
    code = row.code if row else new_code()
    card = card_of(game, typed, code)
    box = locked(own_set.box)
    values = columns_of(card, typed.number) | {"changed": timezone.now()}
    if row is None:
        if not OwnSet.objects.stored(own_set).exists():
            raise _gone("This set was deleted meanwhile. Choose another for the card.")
        check_room(box)
        if place and own_set.cards.filter(place=place).exists():
            # Another tab filled this place first, so the card becomes one without a place.
            place = ""
        row = OwnCard.objects.create(in_set=own_set, code=code, place=place, **values)
    elif not OwnCard.objects.stored(row).update(**values):
        raise _gone("This card was deleted meanwhile. Make it anew.")
    box.changed()
    return row


def _gone(message: str) -> Refused:
    return Refused(Fault("gone", message, "name"), status=409)


@transaction.atomic
def add_card(
    viewer: Viewer,
    game: Game,
    typed: TypedCard,
    into: OwnSet | None = None,
    place: str = "",
    called: str = FIRST_SET,
) -> OwnCard:
    """Create a card in ``into``, or in a new set named ``called``. Raises Refused; then nothing is stored."""
    own_set = into or make_set(viewer, game, {"name": called})
    return save_card(own_set, game, typed, place=place)


@transaction.atomic
def delete_card(row: OwnCard) -> None:
    """Delete a card with its pictures. Decks keep their copies of it."""
    box = locked(row.in_set.box)
    forget_of_cards(box, row.in_set.game, [row.code])
    row.delete()
    box.changed()


def save_cards(
    box: OwnBox,
    game: Game,
    called: str,
    pk: int | None,
    made: list[dict[str, Any]],
    changed: Mapping[int, Any],
) -> OwnSet:
    """Create cards in the set ``pk``, or in a new set named ``called``, and change others; return the set.

    ``made``: the columns of each new card (CARD_COLUMNS and its code). ``changed``: primary key of a card ->
    its new CARD_COLUMNS. Call it inside the transaction that locked the box. It raises Refused, and the
    caller must then roll back.
    """
    check_room(box, len(made))
    own_set = box.sets.filter(pk=pk).first() if pk else _make_set(box, game, set_values({"name": called}))
    if own_set is None:
        raise _gone("This set was deleted meanwhile. Choose another for the cards.")
    now = timezone.now()
    new_cards = [OwnCard(in_set=own_set, changed=now, **values) for values in made]
    OwnCard.objects.bulk_create(new_cards, batch_size=AT_ONCE)
    cards = [
        OwnCard(pk=card_pk, in_set=own_set, changed=now, **values) for card_pk, values in changed.items()
    ]
    OwnCard.objects.bulk_update(cards, [*CARD_COLUMNS, "changed"], batch_size=AT_ONCE)
    box.changed()
    return own_set


def cards_in(box: OwnBox | None, game: Game) -> list[Card]:
    """Return the cards of a box for one game, each with its set as its print. One query; [] without a box."""
    if box is None:
        return []
    rows = OwnCard.objects.in_boxes([box]).filter(in_set__game=game.slug).select_related("in_set")
    return [in_its_set(row) for row in rows]


def in_its_set(row: OwnCard) -> Card:
    """Return the card with its set and number as its print. ``row.in_set`` should be loaded already."""
    return replace(row.as_card(), prints=(Print(row.in_set.name, row.number, code=row.code),))


def columns_of(card: Card, number: str = "") -> dict[str, Any]:
    """Return the CARD_COLUMNS of a card: column -> value."""
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    same = {column: getattr(card, column) for column in ("name", "type", "text", "note")}
    return {**same, "number": " ".join(number.split()), "facts": facts}


def check_room(box: OwnBox, cards: int = 1) -> None:
    """Raise Refused if the box, or the whole site, has no room for so many more cards."""
    room = room_for_cards(box)
    if cards > room:
        counted = f", and have {MAX_CARDS - room:,}; this would be {cards:,} more" if cards > 1 else ""
        message = f"You have room for {MAX_CARDS:,} cards of your own{counted}. Delete some first."
        raise Refused(Fault("too_many", message, "name"))
    if OwnCard.objects.all_owners("counted for the site's bound").count() + cards > MAX_CARDS_OF_SITE:
        sentence = (
            "This site has no room left for cards. Its operator can make some; nothing is wrong with yours."
        )
        raise Refused(Fault("site_full", sentence, "name"), status=507)


def room_for_cards(box: OwnBox | None) -> int:
    """The number of cards that still fit into a box; all that one may have if there is no box yet."""
    return max(0, MAX_CARDS - (OwnCard.objects.in_boxes([box]).count() if box else 0))


def claim_sets(viewer: Viewer) -> tuple[int, int]:
    """Give the browser's sets and their cards' pictures to the account; return (number of sets moved, number
    of those that did not fit).

    Raises Refused if the pictures do not fit; they then stay with the browser, though the sets have moved.
    """
    moved, stayed = _give_sets(viewer)
    # After the boxes are unlocked: storing a picture locks pictures before boxes, and the reverse order here
    # could deadlock.
    codes = OwnCard.objects.of(viewer).filter(in_set__in=moved).values_list("code", flat=True)
    claim_pictures(viewer, tuple(codes))
    return len(moved), stayed


@transaction.atomic
def _give_sets(viewer: Viewer) -> tuple[list[int], int]:
    """Give the browser's sets to the account; return (keys of those moved, number of those without room).

    A set moves whole or not at all. With room for 2 cards, of sets with 1, 2 and 1 cards the first and the
    third move.
    """
    theirs = OwnBox.objects.of_browser(viewer).first()
    if theirs is None or not theirs.sets.exists():
        return [], 0
    # Locks both boxes and notes their change.
    mine = box_to_fill(viewer, theirs)
    sets_left, cards_left = MAX_SETS - mine.sets.count(), room_for_cards(mine)
    moved, stayed = [], 0
    for own_set in theirs.sets.annotate(size=Count("cards")):
        if len(moved) < sets_left and own_set.size <= cards_left:
            moved.append(own_set.pk)
            cards_left -= own_set.size
        else:
            stayed += 1
    theirs.sets.filter(pk__in=moved).update(box=mine)
    return moved, stayed


def cards_as_table(own_set: OwnSet, game: Game) -> Iterator[str]:
    """Yield the cards of a set as lines of a CSV file, with a column for each fact that any of them has."""
    cards = [(row.as_card(), row.number) for row in own_set.cards.select_related("in_set")]
    keys = [fact.key for fact in game.facts if any(fact.key in card.facts for card, _ in cards)]
    yield csv_line(("code", "name", "number", "type", *keys, "text", "note"))
    for card, number in cards:
        typed = typed_of(game, card)
        facts = (typed.facts.get(key, "") for key in keys)
        cells = (card.name, number, card.type, *facts, card.text, card.note)
        yield csv_line((card.code, *map(guarded, cells)))


# -- checklists ------------------------------------------------------------------------


class FilledGroup(NamedTuple):
    """A group of a checklist with its places, each with the visitor's card that fills it or None. ``known``:
    the catalogue's cards of the group's type; () if an earlier group of the same type has them.

    SpyNet's first group has the 29 places ``agent-01`` to ``agent-29``, and The Glove and others as
    ``known``.
    """

    group: PlaceGroup
    places: tuple[tuple[ChecklistPlace, Card | None], ...]
    known: tuple[Card, ...]

    @property
    def filled(self) -> tuple[Card, ...]:
        return tuple(card for _, card in self.places if card)

    @property
    def open(self) -> int:
        return len(self.places) - len(self.filled)


def filled_by(viewer: Viewer, game: Game) -> dict[str, OwnCard]:
    """Return place code -> the visitor's card that fills it. One query.

    Two cards can have the same place if two sets have one each: a set of the browser came into an account
    with such a set, or two tabs filled the first place at once. Then the card that was made first keeps the
    place, as in ``save_card``; the other stays a card of its set. The dict begins with the place filled last.
    """
    rows = (
        OwnCard.objects.of(viewer)
        .filter(in_set__game=game.slug)
        .exclude(place="")
        .select_related("in_set__box")
        .order_by("-pk")
    )
    # Newest first, so that an older card overwrites a newer one.
    return {row.place: row for row in rows}


def fill(viewer: Viewer, game: Game, typed: TypedCard, place: str, filled: Mapping[str, OwnCard]) -> OwnCard:
    """Create the card that fills a place, in the set of the first card of ``filled`` (from ``filled_by``),
    else in a new set. Raises Refused.
    """
    into = next((row.in_set for row in filled.values()), None)
    return add_card(viewer, game, typed, into, place, f"{game.name}: the lost cards")


def checklist_of(game: Game, filled: Mapping[str, OwnCard]) -> list[FilledGroup]:
    """Return every group of the checklist. The catalogue's cards of a type go to its first group."""
    stand_ins = {group.stand_in for group in game.checklist}
    known: dict[str, list[Card]] = defaultdict(list)
    for card in game.cards:
        if card.code not in stand_ins:
            known[card.type].append(card)
    cards = {code: row.as_card() for code, row in filled.items()}
    groups = []
    for group in game.checklist:
        places = tuple((place, cards.get(place.code)) for place in group.places)
        # ``pop``, so that no later group of this type gets them again.
        groups.append(FilledGroup(group, places, tuple(known.pop(group.card_type, ()))))
    return groups


def next_open(game: Game, filled: Iterable[str], after: str) -> ChecklistPlace | None:
    """Return the next unfilled place after the place ``after`` (a code; "" to begin at the first), starting
    over at the end; None if all others are filled. With agent-01 filled, it is agent-02 for both agent-01
    and "".
    """
    passed_over, codes = {*filled, after}, list(game.places)
    begin = codes.index(after) + 1 if after in codes else 0
    for code in (*codes[begin:], *codes[:begin]):
        if code not in passed_over:
            return game.places[code]
    return None


def known_list(game: Game, groups: Iterable[FilledGroup]) -> str:
    """Return the known and the filled-in cards as a deck list to print."""
    return "\n".join(
        line_for(game, Entry(card, 1, "")) for group in groups for card in (*group.known, *group.filled)
    )


def blank_list(game: Game, groups: Iterable[FilledGroup]) -> str:
    """Return the open places as a deck list that prints blanks to write on: ``29 Unnamed agent`` for SpyNet,
    ``1 Das Wort, card 1 | corporation-card | Corporation: Das Wort`` and so on for Steam Spy.
    """
    return "\n".join(line for group in groups for line in _blanks(game, group))


def _blanks(game: Game, filled: FilledGroup) -> Iterator[str]:
    """Yield the lines of a group's blanks: one line with a count if they share a stand-in, else one each."""
    group = filled.group
    if stand_in := game.card(group.stand_in):
        if filled.open:
            yield line_for(game, Entry(stand_in, filled.open, ""))
        return
    for place, card in filled.places:
        if card is None:
            facts = {key: game.facts_by_key[key].read(value) for key, value in group.facts.items()}
            known = {key: value for key, value in facts.items() if value is not None}
            blank = Card(game.slug, place.code, place.label, group.card_type, known, written=True)
            yield line_for(game, Entry(blank, 1, ""))
