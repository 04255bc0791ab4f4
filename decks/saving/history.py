"""The history of a deck: its states grouped into sittings, undo and redo, restoring and naming versions,
forks, and what moderators change.

The history's pages (``views.py``), the editor, the API and the admin call it. Every change of content goes
through ``save_edit`` or ``save_whole``, so an undo is itself a new state: going back removes nothing from the
history. Tests: ``tests/decks/saving/test_history.py``; beside it, for moderators ``test_moderation.py``, and
for pages, forks and the API ``test_views.py``.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Sum
from django.shortcuts import get_object_or_404

from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game, some
from cardsdb.identity.viewer import Viewer
from cardsdb.site.audit import note_moderated
from cardsdb.site.shortcuts import game_or_404, or_404
from decks.core.content import MAX_LENGTHS, DeckContent, content_of_json, short_json
from decks.core.diff import Difference, difference
from decks.core.judging import Judged, judge_content
from decks.core.used_format import LeagueLookup, no_leagues
from decks.models import BrowserAccess, Deck, DeckRevision, Visibility, visible_deck
from decks.models.contents import MODERATED, contents_of
from decks.saving.save import Saved, changed_elsewhere, locked, save_edit, save_whole, was_applied
from decks.saving.turn import saving
from decks.web.forms import clean_name

# Forks that the page of a deck lists; it counts all of them.
MAX_FORKS_SHOWN = 20
# A new sitting begins after a pause of this length.
SITTING = timedelta(minutes=30)
# Kinds of states that are joined into a sitting. Others, such as a restored version, stand alone.
OF_A_SITTING = {"edited", "undone", "redone", "repaired", "completed"}
# Changes that the buttons "Undo" and "Redo" name before they only count the rest.
MAX_TOLD = 2
# Characters of a version's name; equal to the column of ``DeckRevision.name``.
MAX_VERSION_NAME = 80
# Named versions of a deck, which are never deleted.
MAX_NAMED = 100
# Bytes of all named versions of a deck together.
MAX_NAMED_BYTES = 2 * 1024 * 1024
# Characters of a deck's name.
MAX_NAME = MAX_LENGTHS["name"]
# Decks with a similar name that are compared when a fork gets its name.
MAX_OF_A_NAME = 1_000
# The ending of a fork's name: `` (copy)``, `` (copy 12)``; it was `` (fork)`` before.
_FORK = re.compile(r" \((?:copy|fork)(?: [0-9]{1,4})?\)\Z")


@dataclass(frozen=True)
class State:
    """A stored state and its content.

    ``before`` and ``change``: the content of the state shown before it, and the change from that; None for
    the oldest. Only in a sitting: ``judged``, its verdict by today's rules, and ``came_in``, the number of
    copies that the deck has today and had not then.
    """

    row: DeckRevision
    content: DeckContent
    change: Difference | None
    before: DeckContent | None = None
    judged: Judged | None = None
    came_in: int = 0

    @property
    def words(self) -> str:
        """The changes in words; for the oldest state the number of its cards."""
        if self.change is None:
            return some(self.count, "card")
        return self.change.words() or "no change"

    @property
    def count(self) -> int:
        return self.content.deck.size

    def as_json(self) -> dict[str, Any]:
        row, lines = self.row, self.change.lines if self.change else ()
        return {
            **picked(row, "number", "kind", "name", "undo_to", "redo_to"),
            "made": row.made.isoformat(),
            "by": row.by.get_username() if row.by else None,
            "words": self.words,
            "changes": [short_json(line.card) | picked(line, "section", "before", "after") for line in lines],
        }


def states(game: Game, rows: Sequence[DeckRevision]) -> list[State]:
    """Return the states of these rows with their changes, in three queries.

    ``rows``: shown states of one deck, newest first and without gaps.
    """
    if not rows:
        return []
    before = (
        DeckRevision.objects.of(rows[0].deck_id)
        .shown()
        .filter(number__lt=rows[-1].number)
        .order_by("-number")
        .first()
    )
    # Newest first, as ``rows``; the last one only to be compared with.
    contents = contents_of([*rows, *([before] if before else [])], game)
    found = []
    for place, row in enumerate(rows):
        content = contents[place]
        # The very first state of a deck has nothing before it.
        earlier = contents[place + 1] if place + 1 < len(contents) else None
        change = difference(earlier, content) if earlier else None
        found.append(State(row, content, change, earlier))
    return found


@dataclass(frozen=True)
class Sitting:
    """States that one author made without a long pause, newest first; often only one."""

    states: list[State]

    @property
    def newest(self) -> State:
        return self.states[0]

    @property
    def legal_before(self) -> int | None:
        """The number of the last legal state of the sitting. None if there is none, or if it is the
        newest.
        """
        legal = next(
            (state for state in self.states if state.judged and state.judged.verdict == "legal"), self.newest
        )
        return legal.row.number if legal is not self.newest else None

    @property
    def words(self) -> str:
        """The changes of the whole sitting, in words."""
        before = self.states[-1].before
        if len(self.states) == 1 or before is None:
            return self.newest.words
        return difference(before, self.newest.content).words() or "no change in the end"


def sittings(
    game: Game, shown: Sequence[State], now: DeckContent | None = None, leagues: LeagueLookup = no_leagues
) -> list[Sitting]:
    """Group states, newest first, into sittings: edits by one author with pauses shorter than ``SITTING``. A
    named state stands alone.

    ``now``: the deck's content today, with which each state is compared.
    """
    groups: list[Sitting] = []
    for state in shown:
        # The last state of the last group is the next one in time.
        if not groups or not _is_same_sitting(state.row, groups[-1].states[-1].row):
            groups.append(Sitting([]))
        judged = judge_content(game, state.content, leagues)
        came_in = difference(state.content, now).came_in().total() if now else 0
        groups[-1].states.append(replace(state, judged=judged, came_in=came_in))
    return groups


def _is_same_sitting(row: DeckRevision, later: DeckRevision) -> bool:
    """True if ``later``, the next state after ``row``, belongs to the same sitting."""
    is_named = row.name or later.name
    kinds = {row.kind, later.kind}
    return (
        row.by_id == later.by_id
        and not is_named
        and kinds <= OF_A_SITTING
        and later.made - row.made < SITTING
    )


def steps_of(deck: Deck, now: DeckContent, game: Game) -> dict[str, str]:
    """Return ``{"undo": words, "redo": words}``: the change that undo takes back and the one that redo makes
    again, empty if there is none.

    It costs two queries. The name of a card that has left the game is known only if the deck still has it;
    otherwise its code is shown.
    """
    states = DeckRevision.objects.of(deck.pk)
    # The numbers of the states to which (undo, redo) lead.
    targets = states.filter(number=deck.revision).values_list("undo_to", "redo_to").first() or (None, None)
    own = {entry.card.code: entry.card for entry in now.deck}

    def card_named(code: str) -> Card | None:
        return own.get(code) or game.card(code)

    kept = states.filter(number__in=[number for number in targets if number is not None])
    stored = dict(kept.values_list("number", "content"))

    def content_at(number: int | None) -> DeckContent | None:
        return content_of_json(game.slug, stored[number], card_named) if number in stored else None

    before, after = map(content_at, targets)
    return {
        "undo": (difference(before, now).words(MAX_TOLD) or "the last change") if before else "",
        "redo": (difference(now, after).words(MAX_TOLD) or "the next change") if after else "",
    }


def lineage(deck: Deck, viewer: Viewer) -> dict[str, Any]:
    """Return the deck's origin and forks, as far as the viewer may know them: ``parent`` (None if hidden or
    none), ``fork_count`` of all forks, and ``forks``, those that lists may show to the viewer.
    """
    parent = (
        Deck.objects.visible_to(viewer).filter(pk=deck.forked_from_id).first()
        if deck.forked_from_id
        else None
    )
    fork_count = Deck.objects.all_owners("counted, and not shown").filter(forked_from=deck).count()
    listed = Deck.objects.listed_for(viewer).filter(forked_from=deck)
    forks = list(listed[:MAX_FORKS_SHOWN]) if fork_count else []
    return {"parent": parent, "fork_count": fork_count, "forks": forks}


@saving()
def _step(link: str, viewer: Viewer, seen: int | None = None, request_id: str = "", *, kind: str) -> Saved:
    """Undo the last change (``kind="undone"``) or redo the last undone one (``kind="redone"``).

    ``seen``: the revision that the author had loaded. If the deck has another one now, they meant another
    change. ``request_id``: as in ``save_edit``. Raise Refused (409) in that case, or if there is nothing to
    undo or redo. Two edits, undo, undo, redo make these states::

        number  kind    content  undo_to  redo_to
        0       made    2 Kai
        1       edited  3 Kai    0
        2       edited  1 Kai    1
        3       undone  3 Kai    0        2          as state 1; redo leads to what was undone
        4       undone  2 Kai             3          as state 0
        5       redone  3 Kai    0        2          as state 3
    """
    deck, game = locked(link, viewer)
    if was_applied(deck, request_id):
        content = deck.content()
        return Saved(deck, content, content)
    if seen not in (None, deck.revision):
        seen_content = deck.content_at(seen, game)
        changes = difference(seen_content, deck.content()).words() if seen_content else ""
        sentence = (
            f"The deck was changed since this page was loaded{f': {changes}' if changes else ''}. Nothing was"
            f" {kind}. Look at the deck, then press again."
        )
        raise changed_elsewhere(sentence)
    states = DeckRevision.objects.of(deck.pk)
    now = states.filter(number=deck.revision).first()
    target = None
    if now:
        number = now.undo_to if kind == "undone" else now.redo_to
        target = states.filter(number=number).first()
    if now is None or target is None:
        # "undo" or "redo".
        word = kind.removesuffix("ne")
        raise Refused(Fault(f"nothing_to_{word}", f"There is nothing to {word}.", "deck"), status=409)
    # The new state equals the target, so undo leads where it led from there.
    steps = (target.undo_to, now.number if kind == "undone" else target.redo_to)
    (content,) = contents_of((target,), game)
    return save_edit(deck, viewer, lambda _: content, kind=kind, steps=steps, request_id=request_id)


# Both are called with (link, viewer, seen, request_id).
undo, redo = partial(_step, kind="undone"), partial(_step, kind="redone")


def restore(link: str, viewer: Viewer, number: int) -> Saved:
    """Store the content of an earlier revision as a new change. Raise Http404 if it is not kept."""
    with saving():
        deck, game = locked(link, viewer)
        content = or_404(deck.content_at(number, game))
        # Name and notes that moderators have changed since must not come back.
        if DeckRevision.objects.of(deck.pk).filter(kind=MODERATED, number__gt=number).exists():
            content = replace(content, deck=replace(content.deck, name=deck.name), notes=deck.notes)
        return save_edit(deck, viewer, lambda _: content, kind="restored")


@transaction.atomic
def name_version(link: str, viewer: Viewer, number: int, name: str) -> DeckRevision:
    """Name a state, which is then kept as long as it has its name. An empty name removes it.

    Raise Http404 if the state is not kept, and Refused for an invalid name or too many named states.
    """
    deck, _ = locked(link, viewer)
    deck.begin_history(deck.revision)
    states = DeckRevision.objects.of(deck.pk)
    state = get_object_or_404(states, number=number)
    if name.strip():
        try:
            name = clean_name(name)
        except ValidationError as error:
            message = error.message.replace("the deck", "the version")
            raise Refused(Fault(error.code or "bad_name", message, "name")) from None
        if len(name) > MAX_VERSION_NAME:
            message = f"A version's name may have {MAX_VERSION_NAME} characters; this has {len(name)}."
            raise Refused(Fault("too_long", message, "name"))
        if not state.name:
            kept = states.exclude(name="").aggregate(count=Count("pk"), length=Sum("length", default=0))
            if kept["count"] >= MAX_NAMED:
                sentence = f"{MAX_NAMED} versions have names already. Remove the name of one first."
                raise Refused(Fault("too_many_names", sentence, "name"))
            length = kept["length"] + state.length
            if length > MAX_NAMED_BYTES:
                sentence = (
                    f"Versions with names may have {MAX_NAMED_BYTES // 1024:,} KB together; these would"
                    f" have {length // 1024 + 1:,}. Take away the name of another version first."
                )
                raise Refused(Fault("too_large", sentence, "name"), status=409)
    state.name = name.strip()
    state.save(update_fields=["name"])
    return state


@saving()
def fork(
    link: str, viewer: Viewer, begin: Callable[..., tuple[Deck, str]], browser: str = ""
) -> tuple[Deck, str]:
    """Store a private copy of the deck for the viewer. Return (deck, its edit key).

    ``begin`` makes the unsaved deck (``begin_deck``); ``browser``: the hash of the visitor's browser, which
    gets access if there is no account. The copy has only what the viewer may see, so no secret cards of
    others. Raise Http404 if the viewer may not see the deck, Refused if there is no room for another.
    """
    source = visible_deck(link, viewer)
    game = game_or_404(source.game)
    deck, key = begin(
        game=game.slug, forked_from=source, forked_revision=source.revision, visibility=Visibility.PRIVATE
    )
    if source.is_editable_by(viewer):
        # What staff decided about the deck holds for the owner's copy too.
        deck.private_because = source.private_because
    decklist = replace(source.decklist_for(viewer, game), name=_name_of_fork(source, viewer))
    save_whole(deck, replace(source.content(), deck=decklist), Viewer(deck.owner_id), kind="forked")
    if browser and not deck.owner_id:
        BrowserAccess.objects.grant(browser, deck)
    return deck, key


def _name_of_fork(source: Deck, viewer: Viewer) -> str:
    """Return the deck's name with “(copy)”, numbered if the visitor has a deck of that name: “Dragons (copy
    2)”. The name is cut so that the longest ending fits.
    """
    plain = _FORK.sub("", source.name)[: MAX_NAME - len(" (copy 9999)")]
    own = Deck.objects.editable_by(viewer).filter(game=source.game, name__startswith=plain)
    taken = {source.name, *own.values_list("name", flat=True)[:MAX_OF_A_NAME]}
    names = (f"{plain} (copy)" if number == 1 else f"{plain} (copy {number})" for number in count(1))
    return next(name for name in names if name not in taken)


@transaction.atomic
def moderate(deck_id: int, *, name: str, notes: str) -> None:
    """Set name and notes of a public deck; its cards stay. Raise Http404 for other decks. The admin's log
    records who did it.
    """
    deck = get_object_or_404(Deck.objects.public().with_cards().select_for_update(), pk=deck_id)
    before = deck.content()
    after = replace(before, deck=replace(before.deck, name=name), notes=notes)
    if game_named(deck.game) is None:
        Deck.objects.stored(deck).update(name=name, notes=notes)
    elif difference(before, after):
        # Without steps the owner cannot undo it.
        save_edit(deck, Viewer(), lambda _: after, kind=MODERATED, steps=(None, None))


@transaction.atomic
def keep_deck_private(deck_id: int, because: str) -> None:
    """Make a deck private for this reason, so that its owner cannot share it; with an empty reason they may
    share it again. Raise Http404 if moderators may not see the deck.
    """
    deck = get_object_or_404(Deck.objects.moderated().select_for_update(), pk=deck_id)
    Deck.objects.stored(deck).update(
        private_because=because, visibility=Visibility.PRIVATE if because else deck.visibility
    )
    note_moderated(deck, "deck", bool(because), deck.owner_id)
