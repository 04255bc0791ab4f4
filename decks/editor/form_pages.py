"""The two pages that edit a deck in one form: ``deck_text`` edits its list as text, ``deck_settings`` its
name, notes, tags, who sees it, what is shown of it, and its partner deck.

Both forms send back what their author saw: the revision, and for settings the values of READERS. On saving,
only what the author changed is written, merged with what others saved meanwhile (``decks/core/diff.py``). If
both changed the same thing, nothing is stored (409) and the form asks the author, who saves last, to decide.
Tests: ``tests/decks/editor/test_form_pages.py``, for merging ``tests/decks/saving/test_stale_pages.py``.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.rules.house_rules import still_known, without_league
from cardsdb.identity.viewer import Viewer
from cardsdb.site.sharing import kept_offline
from cardsdb.site.shortcuts import private_form
from decks.core.content import DeckContent
from decks.core.diff import Conflict
from decks.core.edits import described
from decks.models import Deck
from decks.pages.deck import formats_beside, partner_problem
from decks.saving.save import Conflicts, Saved, changed_elsewhere, locked, save_whole
from decks.saving.turn import saving
from decks.web.deck_context import deck_page, own_deck, own_seen, secret_sections
from decks.web.forms import DeckForm, SettingsForm, add_faults, draft, read_form, seen_revision


def saved_words(saved: Saved) -> str:
    """The notice that the deck is saved. It tells what others changed meanwhile, if anything."""
    words = saved.elsewhere.words() if saved.elsewhere else ""
    return f"Saved, together with what was changed elsewhere meanwhile: {words}." if words else "Saved."


@private_form
@kept_offline
def deck_text(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck as text. If two people changed the same thing, the one who saves last chooses between two
    texts (409).
    """
    viewer, deck, game = own_deck(request, link)

    def page(status: int, template: str = "deck_text", /, **context: Any) -> HttpResponse:
        shown = f"decks/editor/{template}.html"
        return deck_page(request, shown, deck, game, status=status, games=[game], **context)

    if "correct" in request.POST:
        return page(200, form=draft(request.POST, game, deck, own_seen(request)))
    if request.method != "POST":
        return page(200, form=DeckForm(initial=_list_form(deck, game, deck.content())))
    form = DeckForm({**request.POST.dict(), "game": deck.game})
    if judged := read_form(form, viewer, deck):
        values = form.cleaned_data
        seen = deck.revision if values["revision"] is None else values["revision"]
        # The form has no fields for tags and house rules. Tags stay as stored; house rules too, except that
        # another format keeps only those it knows.
        is_same = judged.format.slug == deck.format
        house = deck.house if is_same else still_known(judged.format, without_league(deck.house))
        mine = judged.content(deck.content(), name=values["name"], notes=values["notes"], house=house)
        try:
            saved = save_whole(link, mine, viewer, seen=seen, visibility=values["visibility"])
        except Conflicts as conflicts:
            context = _conflicting(deck, game, conflicts, values["visibility"])
            return page(409, "text_conflicts", **context)
        except Refused as refused:
            add_faults(form, refused)
        else:
            messages.success(request, saved_words(saved))
            return redirect("deck", link=saved.deck.link)
    # A form whose revision is too old to merge gets the latest one. Saving it again overwrites what others
    # changed, as its error says.
    latest = {"revision": deck.revision} if form.has_error("revision") else {}
    return page(400, form=form, **latest)


def _list_form(deck: Deck, game: Game, content: DeckContent) -> dict[str, Any]:
    """The initial values of the form: the list as text, without its name, which has a field of its own."""
    return {
        "name": content.deck.name,
        "notes": content.notes,
        "visibility": deck.visibility,
        "format": content.format,
        "game": deck.game,
        "text": write_deck(game, replace(content.deck, name="")),
        "revision": deck.revision,
    }


# -- clashes ---------------------------------------------------------


def _conflicting(deck: Deck, game: Game, conflicts: Conflicts, visibility: str) -> dict[str, Any]:
    """The context of the page that asks about a conflict: ``form`` and ``theirs`` are two texts to choose
    from. Both hold all changes that do not clash; where they clash, ``form`` has mine and ``theirs`` has the
    other's.
    """
    stated = {"revision": conflicts.revision, "visibility": visibility}
    with_theirs = _with_theirs(conflicts.merged, conflicts.theirs, conflicts.conflicts)
    return {
        "form": DeckForm(initial=_list_form(deck, game, conflicts.merged) | stated),
        "clashes": [_clash(game, conflict) for conflict in conflicts.conflicts],
        "theirs": _list_form(deck, game, with_theirs) | stated,
        "revision": conflicts.revision,
    }


def _with_theirs(merged: DeckContent, theirs: DeckContent, conflicts: Iterable[Conflict]) -> DeckContent:
    """Return the merged content, with the value of ``theirs`` for everything that is in conflict."""
    # What is in conflict: lines as (section, code), keys of details, and names of single values.
    lines, keys, names = set(), set(), set()
    for conflict in conflicts:
        if conflict.card:
            lines.add((conflict.section, conflict.card.code))
        elif conflict.what == "details":
            keys.add(conflict.key)
        else:
            names.add(conflict.what)
    entries = [entry for entry in merged.deck if (entry.section, entry.card.code) not in lines]
    entries += [entry for entry in theirs.deck if (entry.section, entry.card.code) in lines]
    details = {key: detail for key, detail in merged.deck.details.items() if key not in keys}
    details |= {key: detail for key, detail in theirs.deck.details.items() if key in keys}
    name = theirs.deck.name if "name" in names else merged.deck.name
    return replace(
        merged,
        deck=replace(merged.deck, entries=tuple(entries), details=details, name=name),
        format=theirs.format if "format" in names else merged.format,
        house=theirs.house if "house" in names else merged.house,
        notes=theirs.notes if "notes" in names else merged.notes,
    )


def _clash(game: Game, conflict: Conflict) -> dict[str, str]:
    """One conflict in words: ``{"what": "Kai, in Deck", "was": "2 copies", "mine": "3 copies", "theirs":
    "none"}``.
    """
    in_words = _copies_in_words if conflict.what == "card" else _in_words
    return {
        "what": _clash_title(game, conflict),
        "was": in_words(conflict.base),
        "mine": in_words(conflict.mine),
        "theirs": in_words(conflict.theirs),
    }


def _clash_title(game: Game, conflict: Conflict) -> str:
    """The thing that both changed: "Kai, in Deck", "The note on Kai", "Agency name"."""
    thing = conflict.thing
    if conflict.what == "card" and conflict.section:
        return f"{thing}, in {game.sections_by_slug[conflict.section].name}"
    return thing[:1].upper() + thing[1:]


def _copies_in_words(copies: int) -> str:
    return some(copies, "copy", "copies") if copies else "none"


def _in_words(value: Any) -> str:
    return "none" if value in (None, "", ()) else str(value)


# -- settings --------------------------------------------------------

# Columns about who sees what. They are not part of the deck's content and its history, so the form sends what
# its author saw of them in hidden fields: "seen_visibility", "seen_revealed" ...
READERS = ("visibility", "revealed", "comments_open", "partner")
# Decks offered as partner.
MAX_OFFERED = 50
# Characters that are read of a hidden field. The longest value is the link of a deck.
MAX_SEEN = 40
# Characters of another's value that a message repeats.
MAX_TOLD = 200
NO_SUCH_PARTNER = "There is no other deck at this address that you may see. Open it, and copy its address."

# Form field -> value.
Values = dict[str, Any]


class _Clashing(Exception):
    """Raised if others have saved a change of the same field meanwhile. ``fields``: field -> its value now;
    ``base``: the deck as the author saw it.
    """

    def __init__(self, fields: Values, base: DeckContent) -> None:
        super().__init__(", ".join(fields))
        self.fields, self.base = fields, base


@private_form
def deck_settings(request: HttpRequest, link: str) -> HttpResponse:
    """Change a deck's name, notes and tags, who sees it, what is shown of it, and its partner."""
    viewer, deck, game = own_deck(request, link)

    def address(link: str) -> str:
        return request.build_absolute_uri(reverse("deck", args=[link]))

    latest = _readers(deck, viewer) | {"revision": deck.revision}
    initial = latest | {"name": deck.name, "notes": deck.notes, "tags": ", ".join(deck.tags)}
    initial["partner"] = address(latest["partner"]) if latest["partner"] else ""
    # ``seen`` goes into hidden fields: on the next POST it tells what the author saw.
    form, seen, status = SettingsForm(initial=initial), latest, 200
    if request.method == "POST":
        form, seen, status = SettingsForm(request.POST), _seen(request, latest), 400
        if form.is_valid():
            try:
                saved = _save(link, viewer, form.cleaned_data, seen)
            except _Clashing as clashing:
                form = _form_after(clashing, request.POST, initial, form.cleaned_data, seen)
                # The latest values count as seen: the author has read of the clash when saving again.
                seen, status = latest, 409
            except Refused as refused:
                status = refused.status
                if "revision" in [fault.where for fault in refused.faults]:
                    # Too old to merge: saving again overwrites what others changed, as the fault says.
                    seen = latest
                for fault in refused.faults:
                    form.add_error(fault.where if fault.where in form.fields else None, fault.message)
            else:
                messages.success(request, saved_words(saved))
                # Whoever opens a deck to others wants its address next.
                is_opened = latest["visibility"] == "private" != form.cleaned_data["visibility"]
                return redirect("deck_share" if is_opened else "deck_edit", link=link)
    # The visitor's own decks that this one could be played with.
    own = Deck.objects.editable_by(viewer).filter(game=deck.game, format__in=formats_beside(deck))
    offered = own.exclude(pk=deck.pk).values_list("link", "name")[:MAX_OFFERED]
    return deck_page(
        request,
        "decks/editor/settings.html",
        deck,
        game,
        status=status,
        form=form,
        seen=seen,
        secrets=secret_sections(game),
        partners=[(address(link), name) for link, name in offered],
    )


def _readers(deck: Deck, viewer: Viewer) -> Values:
    """The values of READERS now. The partner is given by its link, or "" if this viewer may not see it."""
    visible = deck.partner_id and Deck.objects.visible_to(viewer).filter(pk=deck.partner_id).exists()
    values = {name: getattr(deck, name) for name in READERS}
    return values | {"partner": deck.partner.link if deck.partner and visible else ""}


def _seen(request: HttpRequest, now: Values) -> Values:
    """The values that the author saw, by the hidden fields of the form; where there is none, the values of
    now.
    """
    seen = dict(now)
    for name in READERS:
        value = request.POST.get(f"seen_{name}")
        if value is not None:
            # The form sends a boolean as "1" or "0".
            seen[name] = value == "1" if isinstance(now[name], bool) else value[:MAX_SEEN]
    revision = seen_revision(request)
    return seen if revision is None else seen | {"revision": revision}


@saving()
def _save(link: str, viewer: Viewer, values: Values, seen: Values) -> Saved:
    """Store everything that the author changed, or nothing. Raise _Clashing if others changed the same field
    meanwhile, Refused for an invalid value. ``values``: those of the form; ``seen``: those that it was sent
    with.
    """
    deck, game = locked(link, viewer)
    now = _readers(deck, viewer)
    changed = {name: values[name] for name in READERS if values[name] != seen[name]}
    # Fields that the author changed, and others to something else meanwhile -> the value now. If the author
    # made a private deck public, and somebody else unlisted meanwhile: {"visibility": "unlisted"}.
    clashes = {name: now[name] for name, value in changed.items() if now[name] not in (seen[name], value)}
    base = deck.content_at(seen["revision"], game)
    if base is None:
        # The history no longer has the revision that the author saw.
        raise changed_elsewhere()
    # Other line ends alone are not a change.
    notes = base.notes if _lines(values["notes"]) == _lines(base.notes) else values["notes"]
    mine = described(base, values["name"], notes, values["tags"])
    try:
        saved = save_whole(deck, mine, viewer, seen=seen["revision"])
    except Conflicts as conflicts:
        theirs = {conflict.what: conflict.theirs for conflict in conflicts.conflicts}
        raise _Clashing(clashes | theirs, base) from None
    if clashes:
        raise _Clashing(clashes, base)
    if "partner" in changed:
        changed["partner"] = _partner(deck, viewer, changed["partner"])
    if changed:
        Deck.objects.stored(deck).update(**changed)
    return saved


def _partner(deck: Deck, viewer: Viewer, link: str) -> Deck | None:
    """The partner of this link, or None for an empty one. Raise Refused if the deck cannot have it."""
    if not link:
        return None
    partner = Deck.objects.visible_to(viewer).filter(link=link).first()
    if problem := partner_problem(deck, partner) if partner else NO_SUCH_PARTNER:
        raise Refused(Fault("bad_partner", problem, "partner"))
    return partner


def _lines(text: str) -> list[str]:
    """Return the lines of a text, equal for any line ends: browsers send other ones than those stored."""
    return text.strip().splitlines()


def _form_after(
    clashing: _Clashing, posted: QueryDict, now: Values, mine: Values, seen: Values
) -> SettingsForm:
    """Return the form with what its author changed; all other fields have the values of now. Each clashing
    field has an error that tells what it is now, and that saving again overwrites it.

    ``mine``: the cleaned values of the form; ``seen``: those that the author saw.
    """
    base = clashing.base
    before = seen | {"name": base.deck.name, "notes": base.notes, "tags": base.tags}
    data = {}
    for name in SettingsForm.base_fields:
        if name == "notes":
            is_changed = _lines(mine[name]) != _lines(before[name])
        else:
            is_changed = mine[name] != before[name]
        data[name] = posted.get(name, "") if is_changed else now[name]
    form = SettingsForm(data)
    # Django adds errors only to a form that it has validated.
    form.is_valid()
    labels = dict(form.fields["visibility"].choices)
    # A box never clashes: two authors can change it only to the same.
    for name, value in clashing.fields.items():
        words = "empty" if value in (None, "") else f"“{str(labels.get(value, value))[:MAX_TOLD]}”"
        form.add_error(
            name,
            f"Changed elsewhere meanwhile: it is now {words}. Save again to replace it with yours.",
        )
    return form
