"""The deck as text: the whole list in one field, merged on saving with whatever was saved meanwhile."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import with_correction, write_deck
from cardsdb.games.kit.model.text import plural
from cardsdb.games.kit.rules.house_rules import still_known
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404, whole_number
from decks.core.content import DeckContent
from decks.core.judging import Judged, house_or_refuse, judge_text, read_text
from decks.core.viewer import viewer_of
from decks.models import Deck
from decks.pages.forms import DeckForm, NewDeckForm, name_of_new
from decks.saving.diff import Conflict
from decks.saving.keep import keep
from decks.saving.record import Conflicts, Recorded, record_whole


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def deck_text(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. What two people changed otherwise is put to the one who saves last; nothing is lost."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    context: dict[str, Any] = {"deck": deck, "game": game, "games": [game], "editable": True, "here": "decks"}
    if "correct" in request.POST:
        return render(request, "decks/deck_text.html", context | {"form": draft(request.POST, game, deck)})
    if request.method != "POST":
        return render(request, "decks/deck_text.html", context | {"form": DeckForm(initial=_as_form(deck, game, deck.content()))})
    form = DeckForm({**request.POST.dict(), "game": deck.game})
    judged = read_form(form, deck)
    if judged:
        values = form.cleaned_data
        read_at = deck.revision if values["revision"] is None else values["revision"]
        try:
            recorded = record_whole(link, viewer, _mine(deck, judged, values), read_at, visibility=values["visibility"])
        except Conflicts as conflicts:
            return render(request, "decks/text_conflicts.html", context | _conflicting(deck, game, conflicts, form), status=409)
        except Refused as refused:
            put_faults(form, refused)
        else:
            messages.success(request, saved_words(recorded))
            return redirect("deck", link=recorded.deck.link)
    if form.has_error("revision"):
        # Saving once more then means it: the author has been told what else changed.
        context["revision"] = deck.revision
    return render(request, "decks/deck_text.html", context | {"form": form}, status=400)


def saved_words(recorded: Recorded) -> str:
    """That it is stored, and what of the deck is somebody else's and so was not in the text."""
    words = recorded.elsewhere.words() if recorded.elsewhere else ""
    return f"Saved, together with what was changed elsewhere meanwhile: {words}." if words else "Saved."


def _mine(deck: Deck, judged: Judged, values: dict[str, Any]) -> DeckContent:
    """What the form says; what it has no field for (tags, house rules) stays as it is stored."""
    stored = deck.content()
    format = judged.format.slug
    house = still_known(judged.format, stored.house)
    return DeckContent(replace(judged.deck, name=values["name"]), format, house, values["notes"], stored.tags)


def _as_form(deck: Deck, game: Game, content: DeckContent) -> dict[str, Any]:
    """The content as the form's fields. Name and format have fields of their own."""
    return {
        "name": content.deck.name,
        "notes": content.notes,
        "visibility": deck.visibility,
        "format": content.format,
        "game": deck.game,
        "text": write_deck(game, replace(content.deck, name="")),
        "revision": deck.revision,
    }


# -- two who changed the same ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clash:
    """One thing that both changed, as the page puts it to the one who saves last."""

    what: str
    was: str
    mine: str
    theirs: str


def _conflicting(deck: Deck, game: Game, conflicts: Conflicts, form: DeckForm) -> dict[str, Any]:
    """Both texts, ready to be saved against the stored state: with mine, and with theirs, where the two contradict each other."""
    values = _as_form(deck, game, conflicts.merged) | {"revision": conflicts.revision, "visibility": form.cleaned_data["visibility"]}
    theirs = _as_form(deck, game, _settled_for_them(conflicts)) | {"revision": conflicts.revision, "visibility": values["visibility"]}
    return {
        "form": DeckForm(initial=values),
        "clashes": [_clash(game, conflict) for conflict in conflicts.conflicts],
        "theirs": theirs,
        "revision": conflicts.revision,
    }


def _clash(game: Game, conflict: Conflict) -> Clash:
    if conflict.what == "card" and conflict.card:
        what = f"{conflict.card.name}, in {game.sections_by_slug[conflict.section].name}" if conflict.section else conflict.card.name
        was, mine, theirs = (f"{count} {plural(count, 'copy', 'copies')}" if count else "none" for count in _values(conflict))
        return Clash(what, was, mine, theirs)
    names = {"house": "House rules", "marks": f"The note on {conflict.card.name}" if conflict.card else ""}
    what = names.get(conflict.what) or (conflict.key.replace("_", " ") if conflict.key else conflict.what).capitalize()
    was, mine, theirs = (str(value) if value not in (None, "", ()) else "none" for value in _values(conflict))
    return Clash(what, was, mine, theirs)


def _values(conflict: Conflict) -> tuple[Any, Any, Any]:
    return conflict.base, conflict.mine, conflict.theirs


def _settled_for_them(conflicts: Conflicts) -> DeckContent:
    """The merged content with theirs wherever the two contradict each other."""
    merged, theirs = conflicts.merged, conflicts.theirs
    clashing = {(c.section, c.card.code) for c in conflicts.conflicts if c.card}
    entries = [entry for entry in merged.deck if (entry.section, entry.card.code) not in clashing]
    entries += [entry for entry in theirs.deck if (entry.section, entry.card.code) in clashing]
    whats = {conflict.what for conflict in conflicts.conflicts}
    details = dict(merged.deck.details)
    for key in (conflict.key for conflict in conflicts.conflicts if conflict.what == "details"):
        details.pop(key, None)
        details |= {key: theirs.deck.details[key]} if key in theirs.deck.details else {}
    name = theirs.deck.name if "name" in whats else merged.deck.name
    settled = replace(merged, deck=replace(merged.deck, entries=tuple(entries), details=details, name=name))
    return replace(settled, **{what: getattr(theirs, what) for what in ("format", "house", "notes") if what in whats})


# -- forms with a list ----------------------------------------------------------------


def read_form(form: DeckForm, deck: Deck | None = None) -> Judged | None:
    """The form's list, read once and judged; None if something is wrong, which the form then says."""
    fits, values = form.is_valid(), form.cleaned_data
    if "game" not in values or "text" not in values:
        return None
    game = games()[values["game"]]
    try:
        judged = judge_text(game, values["text"], game.formats_by_slug.get(values.get("format", "")), deck.named_cards() if deck else ())
        house = values.get("house") or still_known(judged.format, judged.reading.house if judged.reading else "")
        if deck is None and house:
            values["house"] = house
            judged = judge_text(game, values["text"], house_or_refuse(judged.format, house))
        form.unread = judged.unread
        if judged.unread:
            lines = f"{len(form.unread)} {plural(len(form.unread), 'line')}"
            form.add_error("text", f"{lines} could not be read, so nothing was saved; they are listed below.")
            return None
        if not judged.deck.entries and not judged.deck.details:
            raise Refused(Fault("empty", "The list has no cards.", "text"))
    except Refused as refused:
        put_faults(form, refused)
        return None
    return judged if fits else None


def put_faults(form: DeckForm, refused: Refused) -> None:
    """Say in the form what was refused, each fault at its field."""
    for fault in refused.faults:
        form.add_error(fault.where if fault.where in ("revision", "name", "notes") else "text", fault.message)


def keep_form(deck: Deck, form: DeckForm) -> bool:
    """Read the form's list once and store the new deck, or put what is wrong into the form and store nothing."""
    judged = read_form(form, deck if deck.pk else None)
    if judged is None:
        return False
    try:
        values = {field: form.cleaned_data[field] for field in ("name", "notes", "visibility", "house")}
        values["name"] = name_of_new(judged.game, values["name"], judged.deck.name)
        if judged.reading:
            # A list that was written by Cutout says its notes and tags itself.
            values |= {"notes": values["notes"] or judged.reading.notes, "tags": list(judged.reading.tags)}
        keep(deck, judged, **values)
    except Refused as refused:
        put_faults(form, refused)
        return False
    return True


def draft(posted: QueryDict, game: Game | None, deck: Deck | None = None) -> DeckForm:
    """The form as it was sent, with one suggestion put into its list; nothing is saved."""
    form = (DeckForm if deck else NewDeckForm)(initial=corrected(posted, game).dict())
    with suppress(Refused):  # What is beyond the bounds is refused, in words, when it is to be saved.
        if game:
            form.unread = read_text(game, form.initial.get("text", ""), also=deck.named_cards() if deck else ()).unread
    return form


def corrected(posted: QueryDict, game: Game | None) -> QueryDict:
    """What was sent, after the button ``correct`` (``line:suggestion``) has done its work on the list."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    number = whole_number(line)
    if game is None or number is None:
        return posted
    changed = posted.copy()
    changed["text"] = with_correction(game, posted.get("text", ""), number, suggestion)
    return changed
