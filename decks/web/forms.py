"""The forms of pages with a list: a deck's list is read once, judged, corrected line by line, kept; and cards
are pasted for a collection or a league. Besides these: a deck's settings, and what the editor's pages send
with every form. Every message says what to do.

The pages themselves stand in the rooms above: ``decks/editor/new.py`` and ``form_pages.py``,
``decks/importing``, ``decks/collection/pasting.py``, ``decks/leagues``. Their tests test this file too: run
``tests/decks/editor``, ``tests/decks/check``, ``tests/decks/importing``, ``tests/decks/collection`` and
``tests/decks/leagues``.
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
from cardsdb.games.kit.listtext.deck import MAX_BYTES, joined_lines, lines_of
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.listtext.reading import Notice, Unread, bare_heading, beside_words
from cardsdb.games.kit.listtext.rewriting import with_corrections
from cardsdb.games.kit.model.decklist import by_print
from cardsdb.identity.viewer import Viewer
from cardsdb.search.own_cards import own_of_game
from decks.core.content import MAX_LENGTHS
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import Judged, OpenGame, OwnLookup, game_of, judge_text, read_text
from decks.models import Deck, Visibility, leagues_of
from decks.models.deck import WHO_SEES

MAX_NAME, MAX_NOTES = MAX_LENGTHS["name"], MAX_LENGTHS["notes"]
MAX_TAGS_TEXT = 1_000
# Unicode's categories of characters that no name may have: controls, surrogates, private and unassigned ones.
_HIDDEN = {"Cc", "Cs", "Co", "Cn"}


def clean_name(name: str) -> str:
    """A deck's name as it is stored: in Unicode's form NFC and on one line. Raises ValidationError for a name
    without a visible character and for one with invisible characters.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if UNPRINTABLE.search(name) or any(unicodedata.category(char) in _HIDDEN for char in name):
        raise ValidationError(
            "The name has an invisible or control character; type it again.", code="bad_name"
        )
    if not name or not any(
        char.isprintable() and not unicodedata.combining(char) and not char.isspace() for char in name
    ):
        raise ValidationError("Give the deck a name.", code="required")
    return name


def name_of_new(game: Game, typed: str = "", listed: str = "") -> str:
    """The name of a new deck: as its author typed it, else as its list says if that is a valid name, else
    after its game.
    """
    if not typed and listed:
        with suppress(ValidationError):
            typed = clean_name(listed[:MAX_NAME])
    return typed or f"New {game.name.removeprefix('The ')} deck"


class NameField(forms.CharField):
    """A name on one line: of a deck, or of another ``thing``."""

    def __init__(self, thing: str = "deck", max_length: int = MAX_NAME, **options: Any) -> None:
        messages = {"required": f"Give the {thing} a name."}
        super().__init__(max_length=max_length, error_messages=messages, **options)

    def clean(self, value: Any) -> str:
        """The name as it is stored; empty where none is typed and none is needed."""
        name = super().clean(value)
        return clean_name(name) if name else ""


class TagsField(forms.CharField):
    """A field for tags with commas between them."""

    def __init__(self) -> None:
        super().__init__(max_length=MAX_TAGS_TEXT, required=False)

    def clean(self, value: Any) -> tuple[str, ...]:
        """The tags, each once, in the order typed; none for an empty field. Raises ValidationError."""
        try:
            return tags_of(super().clean(value))
        except EditRefused as error:
            raise ValidationError(error.message, code=error.code) from None


class CheckForm(forms.Form):
    """A list to judge. ``text`` is exactly as typed, so that line numbers are those of the field. ``game``
    and ``format`` are slugs, or empty: the list may say itself which game it is for.
    """

    game = forms.CharField(max_length=40, required=False)
    format = forms.CharField(max_length=40, required=False)
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
    """A deck to keep. ``read_form`` and ``add_faults`` set, for the page that shows the form again:
    ``judged``, the list as it was read and judged, None if it could not be; ``unread``, its lines that were
    not understood; ``refused``, the refusal, whose status and headers are the answer's.
    """

    judged: Judged | None = None
    unread: tuple[Unread, ...] = ()
    refused: Refused | None = None

    game = forms.CharField(max_length=40, error_messages={"required": "Choose one of the games."})
    name = NameField()
    notes = forms.CharField(max_length=MAX_NOTES, required=False, widget=forms.Textarea)
    revision = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 2, widget=forms.HiddenInput)
    visibility = forms.ChoiceField(choices=WHO_SEES, initial=Visibility.PRIVATE, required=False)
    # House rules as text (``write_house_rules``), of a new deck alone; a stored one has a page for them.
    house = forms.CharField(max_length=MAX_HOUSE_RULES, required=False, widget=forms.HiddenInput)

    def clean_visibility(self) -> str:
        return self.cleaned_data["visibility"] or Visibility.PRIVATE


class NewDeckForm(DeckForm):
    """A deck that begins with a list. Its name may be left empty; ``name_of_new`` then makes one."""

    name = NameField(required=False)


class PastedDeckForm(NewDeckForm):
    """A new deck whose list may say itself which game it is for."""

    game = forms.CharField(max_length=40, required=False)


class EmptyDeckForm(NewDeckForm):
    """A deck that begins without a card, to be built in the editor. Its list is not read."""

    text = forms.CharField(required=False, strip=False, max_length=MAX_BYTES, widget=forms.Textarea)


class SettingsForm(forms.Form):
    """The settings of a deck: the words about it, its readers and its writers."""

    name = NameField()
    notes = forms.CharField(max_length=MAX_NOTES, required=False, widget=forms.Textarea)
    tags = TagsField()
    visibility = forms.ChoiceField(choices=WHO_SEES)
    revealed = forms.BooleanField(required=False)
    comments_open = forms.BooleanField(required=False)
    partner = forms.CharField(max_length=400, required=False)

    def clean_partner(self) -> str:
        """The link of the other deck, which may be typed alone or within an address; empty for none."""
        typed = self.cleaned_data["partner"].strip()
        if not typed:
            return ""
        match = re.search(r"(?:^|/decks/)([\w-]{22})(?:/|\Z)", typed, re.ASCII)
        if not match:
            raise ValidationError(
                "Paste the address of the other deck, as the browser shows it: …/decks/…/", code="bad_partner"
            )
        return match[1]


def request_id(request: HttpRequest) -> str:
    """The id that the editor's script gives a request, by which one that is sent again is known; empty
    without one.
    """
    sent = request.POST.get("request_id", "")
    return sent if re.fullmatch(r"[0-9a-f-]{36}", sent, re.ASCII) else ""


def seen_revision(request: HttpRequest) -> int | None:
    """The revision of a deck that the author saw, as their form says; None where it does not."""
    return whole_number(request.POST.get("revision", ""))


def read_form(form: DeckForm, viewer: Viewer, deck: Deck | None = None) -> Judged | None:
    """The form's list, read once and judged; None if something is wrong, which the form's errors then say.

    The list may name the viewer's own cards, and those that the stored ``deck`` holds. Without ``deck`` the
    form is that of a new one: the first line of its list may be its name, and its house rules count.
    """
    fits, values = form.is_valid(), form.cleaned_data
    if "game" not in values or "text" not in values:
        return None
    try:
        game, why = game_of(values["text"], values["game"], games())
        also = (*own_of_game(viewer, game).cards.values(), *(deck.named_cards() if deck else ()))
        titled = deck is None and not values.get("name")
        format, leagues = game.formats_by_slug.get(values.get("format", "")), leagues_of(viewer)
        typed = values.get("house", "") if deck is None else ""
        judged = judge_text(game, values["text"], format, also, typed, leagues, titled=titled)
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
    return judged if fits else None


def add_faults(form: DeckForm, refused: Refused) -> None:
    """Put the faults of a refusal into the form's errors, each at its field: at the list where it names no
    other, at none where it is about the deck as a whole.
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
    """The form of a stored deck as it was sent, with one correction in its list (``corrected``) and the lines
    that are not understood even so. Nothing is saved.
    """
    form = DeckForm(initial=corrected(posted, game).dict())
    with suppress(Refused):  # A list beyond the bounds is refused when it is saved.
        form.unread = read_text(
            game, form.initial.get("text", ""), also=(*own(game), *deck.named_cards())
        ).unread
    return form


def corrected(posted: QueryDict, game: Game | None) -> QueryDict:
    """The form as it was sent, with the correction in its ``text`` that ``correct`` asks for: the number of a
    line, a colon and what the line is to say. Without a game or such a number the form is as it was.
    """
    line, _, suggestion = posted.get("correct", "").partition(":")
    number = whole_number(line)
    if game is None or number is None:
        return posted
    changed = posted.copy()
    changed["text"] = with_corrections(game, posted.get("text", ""), {number: suggestion})
    return changed


# -- cards pasted for what is no deck: a collection, a list of banned cards -----------------------

# The sentence for a card that a list describes itself.
WRITTEN_IN = "The catalogue has no such card; only its cards are taken here."


class PastedCards(NamedTuple):
    """Pasted cards as they were read. Lines are named by their numbers, from 1.

    ``cards``: an entry for each print of a card, with the first line that names it. ``notices``: what was set
    aside of lines that were read. ``unread`` and ``text``: number of a line -> what is wrong with it, for the
    lines that were not read, and its words, for all.
    """

    cards: list[tuple[Entry, int]]
    notices: tuple[Notice, ...]
    unread: dict[int, Unread]
    text: dict[int, str]

    def left(self, game: Game, refused: Iterable[tuple[Entry, int, str]] = ()) -> tuple[str, list[Unread]]:
        """(text, faults): the lines that were not read and the cards that are refused, as a text to be pasted
        again, and what is wrong with each line of that text. ``refused``: (entry, line, reason) of each card.

        A refused card is written anew and not as its line was: another print of the line may have been taken.
        """
        bad = [replace(one, text=self.text[line]) for line, one in self.unread.items()]
        bad += [Unread(line, line_for(game, entry), "refused", why) for entry, line, why in refused]
        left, lines = "", list[Unread]()
        for one in sorted(bad, key=lambda one: one.line):
            lines.append(replace(one, line=left.count("\n") + 1))
            left += f"{one.text}\n"
        return left, lines


def read_cards(game: Game, text: str) -> PastedCards:
    """Read pasted lines as cards of the game's catalogue. Raises Refused for a text that is too large."""
    lines = lines_of(text)
    reading = read_text(game, "\n".join(_counting(game, line) for line in lines))
    cards, bad = list[tuple[Entry, int]](), {one.line: one for one in reading.unread}
    for entry in reading.deck:
        places = reading.places[entry.section, entry.card.code]
        if entry.card.written:
            bad |= {line: Unread(line, "", "written_in", WRITTEN_IN) for line, _ in places}
        else:
            cards += [(part, places[0][0]) for part in by_print(Decklist((entry,)))]
    return PastedCards(cards, reading.notices, bad, dict(joined_lines(lines)))


def _counting(game: Game, line: str) -> str:
    """The line without a heading such as ``Sideboard:``, which puts cards beside a deck: here all cards count
    alike. Any other line is as it was.
    """
    heading, _, rest = line.partition(":")
    return rest if beside_words(game, bare_heading(heading.strip())[0]) else line
