"""A form with a list: read once, judged, corrected line by line, kept as a deck."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from django.http import QueryDict

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.rewriting import with_correction
from cardsdb.games.kit.model.text import plural, whole_number
from cardsdb.games.kit.rules.house_rules import still_known
from cardsdb.identity.viewer import Viewer
from cardsdb.search.own_cards import own_of_game
from decks.core.judging import Judged, OpenGame, OwnLookup, game_of, judge_text, read_text
from decks.core.used_format import house_or_refuse
from decks.models import Deck, leagues_of
from decks.saving.save import Saved, save_whole
from decks.web.forms import DeckForm, PastedDeckForm, name_of_new


def read_form(form: DeckForm, viewer: Viewer, deck: Deck | None = None) -> Judged | None:
    """The form's list, read once and judged; None if something is wrong, which the form's errors then say.

    It may name the viewer's own cards.
    """
    fits, values = form.is_valid(), form.cleaned_data
    if "game" not in values or "text" not in values:
        return None
    try:
        game, why = game_of(values["text"], values["game"], games())
        also = (*own_of_game(viewer, game).cards.values(), *(deck.named_cards() if deck else ()))
        titled = deck is None and not values.get("name")
        judged = judge_text(
            game, values["text"], game.formats_by_slug.get(values.get("format", "")), also, titled=titled
        )
        house = values.get("house") or still_known(
            judged.format, judged.reading.house if judged.reading else ""
        )
        if deck is None and house:
            values["house"] = house
            judged = judge_text(
                game,
                values["text"],
                house_or_refuse(game, judged.format, house, leagues_of(viewer)),
                also,
                titled=titled,
            )
        form.judged = judged = replace(judged, game_guessed=why)
        form.unread = judged.unread
        if judged.unread:
            lines = f"{len(form.unread)} {plural(len(form.unread), 'line')}"
            form.add_error("text", f"{lines} could not be read, so nothing was saved: see below.")
            return None
        if not judged.deck.entries and not judged.deck.details:
            raise Refused(Fault("empty", "The list has no cards.", "text"))
    except Refused as refused:
        add_faults(form, refused)
        return None
    return judged if fits else None


def add_faults(form: DeckForm, refused: Refused) -> None:
    """Put the faults into the form's errors, each at its field."""
    if isinstance(refused, OpenGame):
        form.add_error("game", f"Choose the game: {refused.guess.why}.")
        return
    form.refused = refused
    for fault in refused.faults:
        if fault.where == "deck":
            form.add_error(None, fault.message)
            continue
        form.add_error(fault.where if fault.where in ("revision", "name", "notes") else "text", fault.message)


def save_form(deck: Deck, form: DeckForm, viewer: Viewer) -> bool:
    """Read the form's list and store it as the deck; if something is wrong, put it into the form's errors and
    store nothing.
    """
    judged = read_form(form, viewer, deck if deck.pk else None)
    if judged is None:
        return False
    try:
        values = {field: form.cleaned_data[field] for field in ("name", "notes", "house")}
        values["name"] = name_of_new(judged.game, values["name"], judged.deck.name)
        if judged.reading:
            # A list that Cutout wrote holds notes and tags.
            values |= {"notes": values["notes"] or judged.reading.notes, "tags": list(judged.reading.tags)}
        deck.game = judged.game.slug
        save_whole(deck, judged.content(**values), visibility=form.cleaned_data["visibility"])
    except Refused as refused:
        add_faults(form, refused)
        return False
    return True


def draft(posted: QueryDict, game: Game, deck: Deck, own: OwnLookup) -> DeckForm:
    """The form of a stored deck as it was sent, with one correction in its list. Nothing is saved."""
    form = DeckForm(initial=corrected(posted, game).dict())
    with suppress(Refused):  # A list beyond the bounds is refused when it is saved.
        form.unread = read_text(
            game, form.initial.get("text", ""), also=(*own(game), *deck.named_cards())
        ).unread
    return form


def draft_of_new(posted: QueryDict, own: OwnLookup) -> DeckForm:
    """The form of a new deck as it was sent, with one correction in its list. Nothing is saved."""
    form = PastedDeckForm(initial=posted.dict())
    with suppress(Refused):  # As above; and a list that leaves its game open is asked about.
        game, why = game_of(posted.get("text", ""), posted.get("game", ""), games())
        form = PastedDeckForm(initial=corrected(posted, game).dict())
        format = game.formats_by_slug.get(posted.get("format", ""))
        form.judged = replace(
            judge_text(game, form.initial.get("text", ""), format, own(game)), game_guessed=why
        )
        form.unread = form.judged.unread
    return form


def corrected(posted: QueryDict, game: Game | None) -> QueryDict:
    """What was sent, with the correction in its list that ``correct`` (``line:suggestion``) asks for."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    number = whole_number(line)
    if game is None or number is None:
        return posted
    changed = posted.copy()
    changed["text"] = with_correction(game, posted.get("text", ""), number, suggestion)
    return changed


def saved_words(saved: Saved) -> str:
    """The message that the deck is saved, and what others changed meanwhile."""
    words = saved.elsewhere.words() if saved.elsewhere else ""
    return f"Saved, together with what was changed elsewhere meanwhile: {words}." if words else "Saved."
