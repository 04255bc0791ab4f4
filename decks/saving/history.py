"""The states of a deck, each with its change, gathered into sittings; moving through them: undo, redo,
restore and name a version; a deck's parent and forks, which begin as another deck.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import count, pairwise
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404

from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game, some
from cardsdb.identity.viewer import Viewer
from cardsdb.site.audit import note_moderated
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import MAX_LENGTHS, DeckContent, content_of_json, short_json
from decks.core.diff import Difference, difference
from decks.core.judging import Judged, judge_content
from decks.core.used_format import LeagueLookup, no_leagues
from decks.models import BrowserAccess, Deck, DeckRevision, Visibility, visible_deck
from decks.models.contents import MODERATED, contents_of
from decks.saving.save import Saved, locked, save_edit, save_whole, saving, was_applied
from decks.web.forms import clean_name

MAX_FORKS_SHOWN = 20
# After a pause of this length another sitting begins.
SITTING = timedelta(minutes=30)
OF_A_SITTING = {"edited", "undone", "redone", "repaired", "completed"}
# Changes that a button names.
MAX_TOLD = 2


@dataclass(frozen=True)
class State:
    """A stored state and its content. ``change``: from the previous state shown, None for the oldest;
    ``before``: the content of that. In a sitting it has its verdict by today's rules, and ``came_in``: how
    many copies the deck has now that it had not then.
    """

    row: DeckRevision
    content: DeckContent
    change: Difference | None
    before: DeckContent | None = None
    judged: Judged | None = None
    came_in: int = 0

    @property
    def words(self) -> str:
        """The changes in words; of the oldest state the number of its cards."""
        if self.change is None:
            count = self.content.deck.size
            return some(count, "card")
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
            "changes": [short_json(one.card) | picked(one, "section", "before", "after") for one in lines],
        }


def states(game: Game, rows: Sequence[DeckRevision]) -> list[State]:
    """States of one deck with their changes, from rows that are shown, newest first and without gaps. Costs
    three queries in all.
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
    contents = contents_of([*rows, *([before] if before else [])], game)
    changes = [difference(then, now) for now, then in pairwise(contents)]
    # Before the oldest of all there is nothing.
    earlier = [*contents[1:], None][: len(rows)]
    return [State(*state) for state in zip(rows, contents, [*changes, None], earlier, strict=False)]


@dataclass(frozen=True)
class Sitting:
    """States that one author made without a pause, newest first; often a single one."""

    states: list[State]

    @property
    def newest(self) -> State:
        return self.states[0]

    @property
    def legal_before(self) -> int | None:
        """The number of its last legal state, None if it has none or ended with it."""
        legal = next(
            (one for one in self.states if one.judged and one.judged.verdict == "legal"), self.newest
        )
        return legal.row.number if legal is not self.newest else None

    @property
    def words(self) -> str:
        """The changes of the whole sitting."""
        before = self.states[-1].before
        if len(self.states) == 1 or before is None:
            return self.newest.words
        return difference(before, self.newest.content).words() or "no change in the end"


def sittings(
    game: Game, shown: Sequence[State], now: DeckContent | None = None, leagues: LeagueLookup = no_leagues
) -> list[Sitting]:
    """Gather states, newest first: edits by one author that are less than half an hour apart. A state with a
    name stands alone.

    ``now``: the deck as it is, with which each is compared.
    """
    groups: list[Sitting] = []
    for state in shown:
        if not groups or not _goes_on(state.row, groups[-1].states[-1].row):
            groups.append(Sitting([]))
        judged = judge_content(game, state.content, leagues)
        came_in = difference(state.content, now).came_in().total() if now else 0
        groups[-1].states.append(replace(state, judged=judged, came_in=came_in))
    return groups


def _goes_on(row: DeckRevision, later: DeckRevision) -> bool:
    """True if the later of two neighbours was made in the same sitting."""
    is_named = row.name or later.name
    kinds = {row.kind, later.kind}
    return (
        row.by_id == later.by_id
        and not is_named
        and kinds <= OF_A_SITTING
        and later.made - row.made < SITTING
    )


def steps_of(deck: Deck, now: DeckContent, game: Game) -> dict[str, str]:
    """The change that ``undo`` takes back and the one that ``redo`` makes again, in words that are empty if
    there is none; in two queries. A card that has left the game has its name from the deck, or only its code.
    """
    states = DeckRevision.objects.of(deck.pk)
    ends = states.filter(number=deck.revision).values_list("undo_to", "redo_to").first() or (None, None)
    own = {entry.card.code: entry.card for entry in now.deck}

    def named(code: str) -> Card | None:
        return own.get(code) or game.card(code)

    kept = states.filter(number__in=[end for end in ends if end is not None])
    stored = dict(kept.values_list("number", "content"))
    before, after = (
        content_of_json(game.slug, stored[end], named) if end in stored else None for end in ends
    )
    return {
        "undo": (difference(before, now).words(MAX_TOLD) or "the last change") if before else "",
        "redo": (difference(now, after).words(MAX_TOLD) or "the next change") if after else "",
    }


def lineage(deck: Deck, viewer: Viewer) -> dict[str, Any]:
    """The ``parent`` of the deck, None if this visitor may not see it; ``fork_count``, the number of all its
    forks; ``forks``, those that lists may show to the visitor.
    """
    parent = (
        Deck.objects.visible_to(viewer).filter(pk=deck.forked_from_id).first()
        if deck.forked_from_id
        else None
    )
    count = Deck.objects.all_owners("counted, and not shown").filter(forked_from=deck).count()
    forks = list(Deck.objects.listed_for(viewer).filter(forked_from=deck)[:MAX_FORKS_SHOWN]) if count else []
    return {"parent": parent, "fork_count": count, "forks": forks}


MAX_VERSION_NAME = 80
MAX_NAMED = 100
# Bytes of all versions with a name of one deck.
MAX_NAMED_BYTES = 2 * 1024 * 1024
MAX_NAME = MAX_LENGTHS["name"]
# Decks of one name that are looked at when a fork is named.
MAX_OF_A_NAME = 1_000
_FORK = re.compile(r" \(fork(?: [0-9]{1,4})?\)\Z")


@saving()
def _step(link: str, viewer: Viewer, seen: int | None = None, request_id: str = "", *, kind: str) -> Saved:
    """Go back to the state before the last change that is not undone yet, or forward to what was undone last.
    Raises Refused (409) if there is none, or the deck was changed since.

    ``seen``: the revision that the author saw. If the deck has another now, they meant another change:
    Refused (409) too. ``request_id``: as for ``save_edit``.
    """
    deck, game = locked(link, viewer)
    if was_applied(deck, request_id):
        content = deck.content()
        return Saved(deck, content, content)
    if seen not in (None, deck.revision):
        then = deck.content_at(seen, game)
        changes = difference(then, deck.content()).words() if then else ""
        sentence = (
            f"The deck was changed since this page was drawn{changes and f': {changes}'}. Nothing was"
            f" {kind}. Look at the deck,"
            " then press again."
        )
        raise Refused(Fault("changed_elsewhere", sentence, "revision"), status=409)
    states = DeckRevision.objects.of(deck.pk)
    now = states.filter(number=deck.revision).first()
    then = now and states.filter(number=now.undo_to if kind == "undone" else now.redo_to).first()
    if now is None or then is None:
        word = kind.removesuffix("ne")
        raise Refused(Fault(f"nothing_to_{word}", f"There is nothing to {word}.", "deck"), status=409)
    steps = (then.undo_to, now.number) if kind == "undone" else (then.undo_to, then.redo_to)
    (content,) = contents_of((then,), game)
    return save_edit(deck, viewer, lambda _: content, kind=kind, steps=steps, request_id=request_id)


undo, redo = partial(_step, kind="undone"), partial(_step, kind="redone")


def restore(link: str, viewer: Viewer, number: int) -> Saved:
    """Store the content of this revision again, as a change like any other. Raises Http404 if the revision is
    not kept.
    """
    with saving():
        deck, game = locked(link, viewer)
        then = deck.content_at(number, game)
        if then is None:
            raise Http404
        # Name and notes that were moderated since must not come back.
        if DeckRevision.objects.of(deck.pk).filter(kind=MODERATED, number__gt=number).exists():
            then = replace(then, deck=replace(then.deck, name=deck.name), notes=deck.notes)
        return save_edit(deck, viewer, lambda _: then, kind="restored")


@transaction.atomic
def name_version(link: str, viewer: Viewer, number: int, name: str) -> DeckRevision:
    """Name a state, which is kept as long as it has a name; an empty name takes the name away.

    Raises Http404 if the state is not kept, and Refused for an invalid name.
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
                sentence = f"{MAX_NAMED} versions have names; take one away first."
                raise Refused(Fault("too_many_names", sentence, "name"))
            length = kept["length"] + state.length
            if length > MAX_NAMED_BYTES:
                sentence = (
                    f"Versions with names may have {MAX_NAMED_BYTES // 1024:,} KB together; these would"
                    f" have {length // 1024 + 1:,}."
                    " Take away the name of another version first."
                )
                raise Refused(Fault("too_large", sentence, "name"), status=409)
    state.name = name.strip()
    state.save(update_fields=["name"])
    return state


@saving()
def fork(
    link: str, viewer: Viewer, begin: Callable[..., tuple[Deck, str]], browser: str = ""
) -> tuple[Deck, str]:
    """A private deck that begins as this one, and its edit key. Without an account the browser (its hash), if
    any, gets access to it.

    ``begin`` gives the unsaved deck (``begin_deck``). It holds what the visitor may see, so no secret of
    others. Raises Http404 if they may not see the deck, Refused where there is no room for it.
    """
    source = visible_deck(link, viewer)
    game = game_or_404(source.game)
    deck, key = begin(
        game=game.slug, forked_from=source, forked_revision=source.revision, visibility=Visibility.PRIVATE
    )
    if source.is_editable_by(viewer):
        # A copy is no way around what staff decided of the deck.
        deck.private_because = source.private_because
    decklist = replace(source.decklist_for(viewer, game), name=_name_of_fork(source, viewer))
    save_whole(deck, replace(source.content(), deck=decklist), Viewer(deck.owner_id), kind="forked")
    if browser and not deck.owner_id:
        BrowserAccess.objects.grant(browser, deck)
    return deck, key


def _name_of_fork(source: Deck, viewer: Viewer) -> str:
    """The deck's name with “(fork)”, and with a number where the visitor has a deck of that name."""
    plain = _FORK.sub("", source.name)[: MAX_NAME - len(" (fork 9999)")]
    own = Deck.objects.editable_by(viewer).filter(game=source.game, name__startswith=plain)
    taken = {source.name, *own.values_list("name", flat=True)[:MAX_OF_A_NAME]}
    names = (f"{plain} (fork)" if number == 1 else f"{plain} (fork {number})" for number in count(1))
    return next(name for name in names if name not in taken)


@transaction.atomic
def moderate(deck_id: int, *, name: str, notes: str) -> None:
    """Store these values of a public deck; its cards stay as they are. The admin's log says who did it.
    Raises Http404 for other decks.
    """
    deck = get_object_or_404(Deck.objects.public().with_cards().select_for_update(), pk=deck_id)
    before = deck.content()
    after = replace(before, deck=replace(before.deck, name=name), notes=notes)
    if game_named(deck.game) is None:
        Deck.objects.stored(deck).update(name=name, notes=notes)
    elif difference(before, after):
        # Undoing does not lead back to the state before.
        save_edit(deck, Viewer(), lambda _: after, kind=MODERATED, steps=(None, None))


@transaction.atomic
def keep_deck_private(deck_id: int, because: str) -> None:
    """Keep a public deck private for this reason; without one its owner may share it again. Raises Http404
    for a deck of theirs alone.
    """
    deck = get_object_or_404(Deck.objects.moderated().select_for_update(), pk=deck_id)
    Deck.objects.stored(deck).update(
        private_because=because, visibility=Visibility.PRIVATE if because else deck.visibility
    )
    note_moderated(deck, "deck", bool(because), deck.owner_id)
