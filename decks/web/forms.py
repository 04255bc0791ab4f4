"""The forms of all pages with a list: checking and saving a deck, its settings, and cards pasted for a
collection or a league. Every message says what to do.

``read_form`` reads and judges the list of a deck's form, for ``decks/editor/new.py`` and ``form_pages.py``;
``read_cards`` reads cards that are no deck, for ``decks/collection/pasting.py`` and ``decks/leagues``. The
forms also serve ``decks/check`` and ``decks/importing``; ``clean_name`` and its like are used by
``decks/saving``, ``decks/api``, ``decks/admin.py`` and ``printing`` as well.

The tests are those of the pages: ``read_form`` and names in ``tests/decks/pages/test_lists.py`` and
``tests/decks/editor/test_new.py``, settings in ``tests/decks/editor/test_form_pages.py``, ``read_cards`` in
``tests/decks/collection/test_pasting.py``, ``CheckForm`` in ``tests/decks/check/test_views.py``.
"""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict

from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, UNPRINTABLE, Decklist, Entry, Game, some, whole_number
from cardsdb.games.kit.listtext.deck import MAX_BYTES, lines_of
from cardsdb.games.kit.listtext.line import joined_lines, line_for
from cardsdb.games.kit.listtext.reading import Notice, Unread, bare_heading, beside_words
from cardsdb.games.kit.listtext.rewriting import with_corrections
from cardsdb.games.kit.model.decklist import by_print
from cardsdb.identity.viewer import Viewer
from cardsdb.search.own_cards import own_of_game
from decks.core.content import MAX_LENGTHS
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import Judged, OpenGame, OwnLookup, game_of, judge_text
from decks.core.pasted_text import read_text
from decks.models import Deck, Visibility, leagues_of
from decks.models.deck import WHO_SEES

MAX_NAME, MAX_NOTES = MAX_LENGTHS["name"], MAX_LENGTHS["notes"]
# The largest revision that a column of the database holds, with room for the next one.
MAX_REVISION = 2**31 - 2
# Characters of all tags with their commas.
MAX_TAGS_TEXT = 1_000
# Unicode categories that names must not contain: control, surrogate, private-use and unassigned characters.
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}


def clean_name(name: str) -> str:
    """Return the name in Unicode's form NFC and on one line. Raise ValidationError if it has invisible
    characters or no visible one.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if UNPRINTABLE.search(name) or any(unicodedata.category(char) in _HIDDEN for char in name):
        raise ValidationError(
            "The name has an invisible or control character; type it again.", code="bad_name"
        )
    if not any(map(_is_visible, name)):
        raise ValidationError("Give the deck a name.", code="required")
    return name


def _is_visible(char: str) -> bool:
    """True if the character can be seen by itself: no space, and no accent for the letter before it."""
    return char.isprintable() and not char.isspace() and not unicodedata.combining(char)


def name_of_new(game: Game, typed: str = "", listed: str = "") -> str:
    """Return the name of a new deck: as typed, else as the list states it if that is valid, else ``New
    Spycraft deck`` after the game.
    """
    if not typed and listed:
        with suppress(ValidationError):
            typed = clean_name(listed[:MAX_NAME])
    return typed or f"New {game.name.removeprefix('The ')} deck"


class NameField(forms.CharField):
    """A field for a name on one line, of a deck or of another ``thing``."""

    def __init__(self, thing: str = "deck", max_length: int = MAX_NAME, **options: Any) -> None:
        messages = {"required": f"Give the {thing} a name."}
        super().__init__(max_length=max_length, error_messages=messages, **options)

    def clean(self, value: Any) -> str:
        """Return the cleaned name, or an empty text if the field is optional and empty."""
        name = super().clean(value)
        return clean_name(name) if name else ""


class TagsField(forms.CharField):
    """A field for tags between commas. Its value is a tuple."""

    def __init__(self) -> None:
        super().__init__(max_length=MAX_TAGS_TEXT, required=False)

    def clean(self, value: Any) -> tuple[str, ...]:
        """Return the tags, each once, in the order typed. Raise ValidationError for too many or too long
        ones.
        """
        try:
            return tags_of(super().clean(value))
        except EditRefused as error:
            raise ValidationError(error.message, code=error.code) from None


def _slug() -> forms.CharField:
    return forms.CharField(max_length=40, required=False)


def _notes() -> forms.CharField:
    return forms.CharField(max_length=MAX_NOTES, required=False, widget=forms.Textarea)


class CheckForm(forms.Form):
    """A list to judge. ``text`` stays exactly as typed, so that line numbers match the field. ``game`` and
    ``format`` are slugs, or empty if the list says them.
    """

    game, format = _slug(), _slug()
    text = forms.CharField(
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea,
        error_messages={
            "required": "Paste a list: one card a line, for example “2 Kai”.",
            "max_length": "The list is larger than 256 KB.",
        },
    )

    def clean_game(self) -> str:
        slug: str = self.cleaned_data["game"]
        if slug and slug not in games():
            raise ValidationError("Choose one of the games.", code="unknown_game")
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        game = games().get(cleaned.get("game", ""))
        if game and cleaned.get("format") and cleaned["format"] not in game.formats_by_slug:
            self.add_error(
                "format", ValidationError(f"{game.name} has no such format.", code="unknown_format")
            )
        return cleaned


class DeckForm(CheckForm):
    """A deck to save. ``read_form`` and ``add_faults`` set three attributes for showing the form again:

    - judged: the verdict on the list, None if it could not be judged;
    - unread: the lines that were not understood;
    - refused: the refusal, whose status and headers the response takes.
    """

    judged: Judged | None = None
    unread: tuple[Unread, ...] = ()
    refused: Refused | None = None

    game = forms.CharField(max_length=40, error_messages={"required": "Choose one of the games."})
    name = NameField()
    notes = _notes()
    revision = forms.IntegerField(
        required=False, min_value=0, max_value=MAX_REVISION, widget=forms.HiddenInput
    )
    visibility = forms.ChoiceField(choices=WHO_SEES, initial=Visibility.PRIVATE, required=False)
    # House rules as text (``write_house_rules``), only for a new deck; a stored deck has a page for them.
    house = forms.CharField(max_length=MAX_HOUSE_RULES, required=False, widget=forms.HiddenInput)

    def clean_visibility(self) -> str:
        return self.cleaned_data["visibility"] or Visibility.PRIVATE


class NewDeckForm(DeckForm):
    """A new deck that begins with a list. Its name may be empty; ``name_of_new`` then makes one."""

    name = NameField(required=False)


class PastedDeckForm(NewDeckForm):
    """A new deck whose list may say which game it is for."""

    game = _slug()


class EmptyDeckForm(NewDeckForm):
    """A new deck without cards, to be built in the editor. Its list is ignored."""

    text = forms.CharField(required=False, strip=False, max_length=MAX_BYTES, widget=forms.Textarea)


class SettingsForm(forms.Form):
    """The settings of a deck: name, notes, tags, who may see it, and its partner deck."""

    name = NameField()
    notes = _notes()
    tags = TagsField()
    visibility = forms.ChoiceField(choices=WHO_SEES)
    revealed = forms.BooleanField(required=False)
    comments_open = forms.BooleanField(required=False)
    partner = forms.CharField(max_length=400, required=False)

    def clean_partner(self) -> str:
        """Return the link of the other deck, found in an address or typed alone; empty for none."""
        typed = self.cleaned_data["partner"].strip()
        if not typed:
            return ""
        # A link has 22 characters.
        match = re.search(r"(?:^|/decks/)([\w-]{22})(?:/|\Z)", typed, re.ASCII)
        if not match:
            raise ValidationError(
                "Paste the address of the other deck, as the browser shows it: …/decks/…/", code="bad_partner"
            )
        return match[1]


def request_id(request: HttpRequest) -> str:
    """Return the id that the editor's script gave the request, by which a repeated request is recognised;
    empty if there is none.
    """
    sent = request.POST.get("request_id", "")
    return sent if re.fullmatch(r"[0-9a-f-]{36}", sent, re.ASCII) else ""


def seen_revision(request: HttpRequest) -> int | None:
    """Return the revision that the visitor's form was loaded with, None if the form does not say."""
    return whole_number(request.POST.get("revision", ""))


def read_form(form: DeckForm, viewer: Viewer, deck: Deck | None = None) -> Judged | None:
    """Read and judge the form's list. Return None if something is wrong; the form's errors then say what.

    ``deck``: the stored deck that is edited. Its list may name the viewer's own cards and those that the deck
    holds. Without it the form is for a new deck: then the first line of the list may be its name, and the
    form's house rules apply.
    """
    # The list is judged even if another field is wrong, so that all faults are shown at once.
    is_valid, values = form.is_valid(), form.cleaned_data
    if "game" not in values or "text" not in values:
        return None
    try:
        game, why = game_of(values["text"], values["game"], games())
        judged = judge_text(
            game,
            values["text"],
            game.formats_by_slug.get(values.get("format", "")),
            also=(*own_of_game(viewer, game).cards.values(), *(deck.named_cards() if deck else ())),
            # A stored deck has a page of its own for them; without these, those of the list apply.
            house=values.get("house", "") if deck is None else "",
            leagues=leagues_of(viewer),
            # The first line is the name of a new deck only if no name was typed.
            titled=deck is None and not values.get("name"),
        )
        form.judged = judged = replace(judged, game_guessed=why)
        form.unread = judged.unread
        if judged.unread:
            lines = some(len(form.unread), "line")
            form.add_error("text", f"{lines} could not be read, so nothing was saved: see below.")
            return None
        judged.refuse_unread()
    except Refused as refused:
        add_faults(form, refused)
        return None
    return judged if is_valid else None


def add_faults(form: DeckForm, refused: Refused) -> None:
    """Add the faults of a refusal to the form's errors: faults of the whole deck to no field, others to their
    field, by default to the list.
    """
    if isinstance(refused, OpenGame):
        form.add_error("game", f"Choose the game: {refused.guess.why}.")
        return
    form.refused = refused
    for fault in refused.faults:
        if fault.where == "deck":
            form.add_error(None, fault.message)
            continue
        form.add_error(fault.where if fault.where in ("revision", "name", "notes") else "text", fault.message)


def draft(posted: QueryDict, game: Game, deck: Deck, own: OwnLookup) -> DeckForm:
    """Return the form of a stored deck as it was sent, with one line corrected (``corrected``). Nothing is
    saved.
    """
    form = DeckForm(initial=corrected(posted, game).dict())
    # A list that is too large is not read here; saving it refuses it.
    with suppress(Refused):
        form.unread = read_text(
            game, form.initial.get("text", ""), also=(*own(game), *deck.named_cards())
        ).unread
    return form


def corrected(posted: QueryDict, game: Game | None) -> QueryDict:
    """Return the form's data with one line of ``text`` replaced, as ``correct`` asks: ``7:Termite``. Without
    a game or a line number, return it unchanged.
    """
    line, _, suggestion = posted.get("correct", "").partition(":")
    number = whole_number(line)
    if game is None or number is None:
        return posted
    changed = posted.copy()
    changed["text"] = with_corrections(game, posted.get("text", ""), {number: suggestion})
    return changed


# -- cards pasted for something else than a deck: a collection, a list of banned cards -------------

# The message for a line that describes a card of its own.
WRITTEN_IN = "The catalogue has no such card. Only cards of the catalogue can be used here."


class PastedCards(NamedTuple):
    """Pasted cards as they were read. All line numbers begin at 1.

    ``cards``: (entry, number of the first line that names it), an entry for each print. ``notices``: what was
    set aside. ``unread``: line number -> what is wrong with that line. ``text``: line number -> text, of all
    lines. "2 Kai", "1 Kaii" and "Sideboard: 1 Kai" are read as::

        cards   [(Entry(Kai, count=3), 1)]
        unread  {2: Unread(line=2, text="1 Kaii", message="Spycraft has no card called “Kaii”.", ...)}
        text    {1: "2 Kai", 2: "1 Kaii", 3: "Sideboard: 1 Kai"}
        to_correct(game)  ("1 Kaii\n", [Unread(line=1, ...)])
    """

    cards: list[tuple[Entry, int]]
    notices: tuple[Notice, ...]
    unread: dict[int, Unread]
    text: dict[int, str]

    def to_correct(
        self, game: Game, refused: Iterable[tuple[Entry, int, str]] = ()
    ) -> tuple[str, list[Unread]]:
        """Return (text, faults): the unread lines and the refused cards as a text to paste again, and what is
        wrong with each line of it.

        ``refused``: (entry, line number, reason). A refused card gets a line of its own, since another print
        named in the same line may have been accepted.
        """
        bad = [replace(fault, text=self.text[line]) for line, fault in self.unread.items()]
        bad += [Unread(line, line_for(game, entry), "refused", why) for entry, line, why in refused]
        # The lines that are left are numbered anew. One may hold several, joined by line feeds.
        text, faults = "", list[Unread]()
        for fault in sorted(bad, key=lambda fault: fault.line):
            faults.append(replace(fault, line=text.count("\n") + 1))
            text += f"{fault.text}\n"
        return text, faults


def read_cards(game: Game, text: str) -> PastedCards:
    """Read pasted lines as cards of the game's catalogue. Raise Refused if the text is too large."""
    lines = lines_of(text)
    reading = read_text(game, "\n".join(_without_beside(game, line) for line in lines))
    cards, unread = list[tuple[Entry, int]](), {fault.line: fault for fault in reading.unread}
    for entry in reading.deck:
        # (line number, count) of each line that names the card.
        places = reading.places[entry.section, entry.card.code]
        if entry.card.written:
            unread |= {line: Unread(line, "", "written_in", WRITTEN_IN) for line, _ in places}
        else:
            cards += [(part, places[0][0]) for part in by_print(Decklist((entry,)))]
    return PastedCards(cards, reading.notices, unread, dict(joined_lines(lines)))


def _without_beside(game: Game, line: str) -> str:
    """Return the line without a heading that sets cards aside, because here all cards count alike:
    "Sideboard: 1 Kai" -> " 1 Kai".
    """
    heading, _, rest = line.partition(":")
    return rest if beside_words(game, bare_heading(heading.strip())[0]) else line
