"""A pasted list as its form sent it: what buttons change in it, its game and format as chosen or guessed, and
its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import lines_of, write_deck
from cardsdb.games.kit.listtext.guess import Guess, guess_game
from cardsdb.games.kit.listtext.rewriting import with_card_changes, with_correction, with_corrections
from cardsdb.games.kit.model.text import listed, plural, whole_number
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES
from decks.check.repairs import cards_of_catalogue, parse_changes, repair_at_once, repaired, written
from decks.core.judging import Judged, OwnLookup, ViolationView, judge_text, nobodys, read_text
from decks.core.used_format import LeagueLookup, no_leagues
from decks.importing.file_import import foreign_list
from decks.web.deck_context import judged_context
from decks.web.forms import CheckForm

# Faces beside one violation, and lines that are flagged because of it.
MAX_FACES, MAX_FLAGGED = 2, 12
# Faces of a list that has nothing at fault.
MAX_FIRST = 7


class HouseCheckForm(CheckForm):
    """A list to judge, by house rules if there are any. Without a game it is guessed."""

    house = forms.CharField(
        required=False,
        max_length=MAX_HOUSE_RULES,
        error_messages={"max_length": f"House rules are at most {MAX_HOUSE_RULES} characters long."},
    )


@dataclass(frozen=True, slots=True)
class PastedList:
    """A form with its list judged. Without a verdict ``guess`` says what is open, or the form's errors say
    what is wrong.

    ``leagues``: by which formats of leagues it may be judged; ``own``: which cards besides the game's
    it may name. ``done``: what a button changed in the list, as a sentence.
    ``other``: the game that its lines say it is for, where another was chosen.
    """

    form: HouseCheckForm
    judged: Judged | None = None
    guess: Guess | None = None
    status: int = 200
    done: str = ""
    other: Game | None = None
    leagues: LeagueLookup = no_leagues
    own: OwnLookup = nobodys

    @property
    def game(self) -> Game | None:
        return self.judged.game if self.judged else games().get(self.form["game"].value() or "")

    def context(self) -> dict[str, Any]:
        """What the templates of the check need."""
        context: dict[str, Any] = {
            "form": self.form,
            "games": games().values(),
            "game": self.game,
            "guess": self.guess,
            "done": self.done,
        }
        context["other_game"] = self.other
        return context | (verdict_context(self.judged) if self.judged else {})

    def with_text(self, text: str, done: str) -> PastedList:
        """The form with another list, judged."""
        posted = self.form.data.copy()
        posted["text"] = text
        return replace(judged_form(HouseCheckForm(posted), self.leagues, self.own), done=done)

    def refusing(self, refused: Refused) -> PastedList:
        """The same list, and the faults in its form's errors."""
        for fault in refused.faults:
            self.form.add_error({"house": "house", "deck": None}.get(fault.where, "text"), fault.message)
        return replace(self, status=refused.status)


def read_pasted(
    posted: QueryDict, leagues: LeagueLookup = no_leagues, own: OwnLookup = nobodys
) -> PastedList:
    """What was sent, with what a button asks for: another game or format (``read_as``), names put right
    (``correct``, ``accept``).

    The file of another program is turned into our text first, which then stands in the field.
    """
    posted = posted.copy()
    slug, _, format = posted.get("read_as", "").partition("/")
    if slug:
        posted["game"], posted["format"] = slug, format
    done = ""
    try:
        if foreign := foreign_list(
            posted.get("text", "").encode("utf-8", "replace"), game=posted.get("game", "")
        ):
            posted["text"], posted["game"], done = foreign.text, foreign.game.slug, foreign.words
    except Refused as refused:
        return PastedList(HouseCheckForm(posted)).refusing(refused)
    if "correct" in posted or "accept" in posted:
        text = posted.get("text", "")
        game = games().get(posted.get("game", "")) or guess_game(games().values(), text).game
        posted["text"], done = _corrected(game, text, posted, own(game)) if game else (text, done)
    return replace(judged_form(HouseCheckForm(posted), leagues, own), done=done)


def judged_form(
    form: HouseCheckForm, leagues: LeagueLookup = no_leagues, own: OwnLookup = nobodys
) -> PastedList:
    """The form's list, judged as far as it can be."""
    if not form.is_valid():
        return PastedList(form, status=400)
    values = form.cleaned_data
    guess = None if values["game"] else guess_game(games().values(), values["text"])
    game = guess.game if guess else games()[values["game"]]
    if game is None:
        return PastedList(form, guess=guess, leagues=leagues, own=own)
    try:
        # A format that was chosen for another game than the guessed one says nothing of this list.
        format = game.formats_by_slug.get(values["format"])
        judged = judge_text(game, values["text"], format, own(game), values["house"], leagues)
    except Refused as refused:
        return PastedList(form, leagues=leagues, own=own).refusing(refused)
    if guess:
        return PastedList(form, replace(judged, game_guessed=guess.why), leagues=leagues, own=own)
    other = guess_game(games().values(), values["text"]).game if judged.unread else None
    return PastedList(form, judged, other=other if other is not game else None, leagues=leagues, own=own)


def _corrected(game: Game, text: str, posted: QueryDict, own: Iterable[Card]) -> tuple[str, str]:
    """The list with the names that a button puts right, and what was done."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    if (number := whole_number(line)) is not None:
        changed = with_correction(game, text, number, suggestion)
        return changed, f"Line {number} is now “{line_of(changed, number)}”." if changed != text else ""
    chosen = {whole_number(part) for part in posted.get("accept", "").split(",")[: len(text)]}
    try:
        likely = {
            unread.line: unread.likely
            for unread in read_text(game, text, also=own).unread
            if unread.likely and unread.line in chosen
        }
    except Refused:
        return text, ""
    names = listed(tuple(likely.values()))
    count = len(likely)
    return with_corrections(
        game, text, likely
    ), f"{count} {plural(count, 'name')} put right: {names}." if likely else ""


def line_of(text: str, number: int) -> str:
    """The line with this number, without its marks beyond what a sentence has room for."""
    lines = lines_of(text)
    return lines[number - 1].strip()[:60] if 0 < number <= len(lines) else ""


def with_repair(pasted: PastedList, judged: Judged, changes: list[str]) -> PastedList:
    """The list after the changes of a repair: in its own lines where that can be, else written anew. Raises
    Refused.
    """
    deck = repaired(judged, changes)
    text, format = pasted.form.data.get("text", ""), judged.game.formats_by_slug[judged.format.slug]
    changed = with_card_changes(judged.game, text, parse_changes(judged.game, judged.deck, changes), format)
    if changed is None and judged.unread:
        raise Refused(
            Fault("unread", "Put the lines right that were not read; then this repair can be made.", "text"),
            status=409,
        )
    return pasted.with_text(changed or write_deck(judged.game, deck, format), "The repair is made.")


def verdict_context(judged: Judged) -> dict[str, Any]:
    """The verdict with its smallest repair, the names that are surely meant, and the faces of the cards that
    are at fault.
    """
    context = judged_context(judged)
    repair = repair_at_once(judged, cards_of_catalogue(judged.game))
    likely = [unread for unread in judged.unread if unread.likely]
    return context | {
        "repair": repair,
        "repair_changes": written(repair) if repair else "",
        "named": [
            *(entry.card for entry in judged.deck),
            *(change.card for change in (repair.changes if repair else ())),
        ],
        "likely": likely,
        "accept": ",".join(str(unread.line) for unread in likely),
        "at_fault": [
            (view, list(_faces(judged, view)), _lines(judged, view)) for view in context["violations"]
        ],
        "title": judged.reading.title if judged.reading else 0,
        "first_cards": [entry.card for entry in judged.deck if entry.card.has_page][:MAX_FIRST],
    }


def _lines(judged: Judged, view: ViolationView) -> list[int]:
    """The lines of the list that name the cards at fault."""
    places = judged.reading.places if judged.reading else {}
    named = [entry for entry in judged.deck if entry.card.name in view.violation.cards]
    return sorted(
        {number for entry in named for number, _ in places.get((entry.section, entry.card.code), ())}
    )[:MAX_FLAGGED]


def _faces(judged: Judged, view: ViolationView) -> Iterator[Card]:
    """Cards that the violation names, those first that may come out."""
    out = [entry.card for entry, _ in view.violation.excess]
    named = [entry.card for entry in judged.deck if entry.card.name in view.violation.cards]
    cards = {card.key: card for card in (*out, *named) if card.has_page}
    yield from list(cards.values())[:MAX_FACES]
