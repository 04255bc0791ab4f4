"""A form with a list: read once, judged, put right line by line, kept as a deck."""

from __future__ import annotations

from contextlib import suppress

from django.http import QueryDict

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import with_correction
from cardsdb.games.kit.model.text import plural, whole_number
from cardsdb.games.kit.rules.house_rules import still_known
from cardsdb.site.faults import Fault, Refused
from decks.core.judging import Judged, house_or_refuse, judge_text, read_text
from decks.models import Deck
from decks.saving.save import Saved, save_whole
from decks.web.forms import DeckForm, NewDeckForm, name_of_new


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
        add_faults(form, refused)
        return None
    return judged if fits else None


def add_faults(form: DeckForm, refused: Refused) -> None:
    """Say in the form what was refused, each fault at its field."""
    for fault in refused.faults:
        form.add_error(fault.where if fault.where in ("revision", "name", "notes") else "text", fault.message)


def save_form(deck: Deck, form: DeckForm) -> bool:
    """Read the form's list once and store the new deck, or put what is wrong into the form and store nothing."""
    judged = read_form(form, deck if deck.pk else None)
    if judged is None:
        return False
    try:
        values = {field: form.cleaned_data[field] for field in ("name", "notes", "house")}
        values["name"] = name_of_new(judged.game, values["name"], judged.deck.name)
        if judged.reading:
            # A list that was written by Cutout says its notes and tags itself.
            values |= {"notes": values["notes"] or judged.reading.notes, "tags": list(judged.reading.tags)}
        deck.game = judged.game.slug
        save_whole(deck, judged.content(**values), visibility=form.cleaned_data["visibility"])
    except Refused as refused:
        add_faults(form, refused)
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


def saved_words(saved: Saved) -> str:
    """That it is stored, and what of the deck is somebody else's and so was not in the text."""
    words = saved.elsewhere.words() if saved.elsewhere else ""
    return f"Saved, together with what was changed elsewhere meanwhile: {words}." if words else "Saved."
