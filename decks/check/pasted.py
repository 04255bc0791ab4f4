"""A pasted list as its form sent it: what buttons change in it, its game and format as chosen or guessed, and
its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from decks.web.forms import GuessedForm

# Faces beside one violation, and lines that are flagged because of it.
MAX_FACES, MAX_FLAGGED = 2, 12
# Faces of a list that has nothing at fault.
MAX_FIRST = 7


class HouseCheckForm(GuessedForm):
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
    leagues: LeagueLookup = no_leagues
    own: OwnLookup = nobodys
    judged: Judged | None = None
    guess: Guess | None = None
    status: int = 200
    done: str = ""
    other: Game | None = None

    def context(self) -> dict[str, Any]:
        """What the templates of the check need."""
        return {
            "form": self.form,
            "games": games().values(),
            "game": games().get(self.form["game"].value() or ""),
            "guess": self.guess,
            "done": self.done,
            "other_game": self.other,
            **(verdict_context(self.judged) if self.judged else {}),
        }

    def read(self) -> PastedList:
        """The form's list, judged as far as it can be."""
        if not self.form.is_valid():
            return replace(self, status=400)
        values, text = self.form.cleaned_data, self.form.cleaned_data["text"]
        guess = None if values["game"] else guess_game(games().values(), text)
        game = guess.game if guess else games()[values["game"]]
        if game is None:
            return replace(self, guess=guess)
        try:
            # A format that was chosen for another game than the guessed one says nothing of this list.
            format = game.formats_by_slug.get(values["format"])
            judged = judge_text(game, text, format, self.own(game), values["house"], self.leagues)
        except Refused as refused:
            return self.refusing(refused)
        if guess:
            return replace(self, judged=replace(judged, game_guessed=guess.why))
        other = guess_game(games().values(), text).game if judged.unread else None
        return replace(self, judged=judged, other=other if other is not game else None)

    def refusing(self, refused: Refused) -> PastedList:
        """The same list, and the faults in its form's errors."""
        for fault in refused.faults:
            self.form.add_error({"house": "house", "deck": None}.get(fault.where, "text"), fault.message)
        return replace(self, status=refused.status)

    def repaired(self, judged: Judged, changes: list[str]) -> PastedList:
        """The list after the changes of a repair: in its own lines where that can be, else written anew.
        Raises Refused.
        """
        deck, posted = repaired(judged, changes), self.form.data.copy()
        game, format = judged.game, judged.game.formats_by_slug[judged.format.slug]
        made = parse_changes(game, judged.deck, changes)
        changed = with_card_changes(game, posted.get("text", ""), made, format)
        if changed is None and judged.unread:
            sentence = "Put the lines right that were not read; then this repair can be made."
            raise Refused(Fault("unread", sentence, "text"), status=409)
        posted["text"] = changed or write_deck(game, deck, format)
        made_right = PastedList(HouseCheckForm(posted), self.leagues, self.own, done="The repair is made.")
        return made_right.read()


def read_pasted(posted: QueryDict, leagues: LeagueLookup, own: OwnLookup) -> PastedList:
    """What was sent, with what a button asks for: another game or format (``read_as``), names put right
    (``correct``, ``accept``).

    The file of another program is turned into our text first, which then stands in the field.
    """
    posted, done = posted.copy(), ""
    slug, _, format = posted.get("read_as", "").partition("/")
    if slug:
        posted["game"], posted["format"] = slug, format
    data = posted.get("text", "").encode("utf-8", "replace")
    try:
        if foreign := foreign_list(data, game=posted.get("game", "")):
            posted["text"], posted["game"], done = foreign.text, foreign.game.slug, foreign.words
    except Refused as refused:
        return PastedList(HouseCheckForm(posted)).refusing(refused)
    if "correct" in posted or "accept" in posted:
        text = posted.get("text", "")
        if game := games().get(posted.get("game", "")) or guess_game(games().values(), text).game:
            posted["text"], done = _corrected(game, text, posted, own(game))
    return PastedList(HouseCheckForm(posted), leagues, own, done=done).read()


def _corrected(game: Game, text: str, posted: QueryDict, own: Iterable[Card]) -> tuple[str, str]:
    """The list with the names that a button puts right, and what was done."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    if (number := whole_number(line)) is not None:
        changed = with_correction(game, text, number, suggestion)
        return changed, f"Line {number} is now “{line_of(changed, number)}”." if changed != text else ""
    chosen = {whole_number(part) for part in posted.get("accept", "").split(",")[: len(text)]}
    try:
        unread = read_text(game, text, also=own).unread
    except Refused:
        return text, ""
    likely = {line.line: line.likely for line in unread if line.likely and line.line in chosen}
    names, count = listed(tuple(likely.values())), len(likely)
    done = f"{count} {plural(count, 'name')} put right: {names}." if likely else ""
    return with_corrections(game, text, likely), done


def line_of(text: str, number: int) -> str:
    """The line with this number, without its marks beyond what a sentence has room for."""
    lines = lines_of(text)
    return lines[number - 1].strip()[:60] if 0 < number <= len(lines) else ""


def verdict_context(judged: Judged) -> dict[str, Any]:
    """The verdict with its smallest repair, the names that are surely meant, and the faces of the cards that
    are at fault.
    """
    context = judged_context(judged)
    repair = repair_at_once(judged, cards_of_catalogue(judged.game))
    likely = [unread for unread in judged.unread if unread.likely]
    cards = [entry.card for entry in judged.deck]
    return context | {
        "repair": repair,
        "repair_changes": written(repair) if repair else "",
        "named": [*cards, *(change.card for change in (repair.changes if repair else ()))],
        "likely": likely,
        "accept": ",".join(str(unread.line) for unread in likely),
        "at_fault": [(view, *_at_fault(judged, view)) for view in context["violations"]],
        "title": judged.reading.title if judged.reading else 0,
        "first_cards": [card for card in cards if card.has_page][:MAX_FIRST],
    }


def _at_fault(judged: Judged, view: ViolationView) -> tuple[list[Card], list[int]]:
    """The cards that the violation names, those first that may come out, and the lines of the list that name
    them.
    """
    places = judged.reading.places if judged.reading else {}
    out = [entry.card for entry, _ in view.violation.excess]
    named = [entry for entry in judged.deck if entry.card.name in view.violation.cards]
    cards = {card.key: card for card in (*out, *(entry.card for entry in named)) if card.has_page}
    lines = {line for entry in named for line, _ in places.get((entry.section, entry.card.code), ())}
    return [*cards.values()][:MAX_FACES], sorted(lines)[:MAX_FLAGGED]
