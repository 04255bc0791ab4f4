"""A pasted list as its form sent it: what buttons change in it, its game and format as chosen or guessed, and
its verdict; and repairs of a judged deck, sent by forms as changes, and made.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Card, Decklist, Game, listed, some, whole_number
from cardsdb.games.kit.listtext.deck import lines_of, write_deck
from cardsdb.games.kit.listtext.guess import Guess, guess_game
from cardsdb.games.kit.listtext.rewriting import with_card_changes, with_corrections
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from cardsdb.games.kit.repair.search import USUAL_LIMITS, Repair, barred_by_marks, smallest_repairs
from cardsdb.games.kit.repair.steps import FEW, Limits, badness, kept_that_come_out
from decks.core.content import DeckContent, short_json
from decks.core.judging import (
    Judged,
    OwnLookup,
    ViolationView,
    judge_content,
    judge_text,
    no_own_cards,
    read_text,
)
from decks.core.used_format import LeagueLookup, no_leagues
from decks.importing.file_import import foreign_list
from decks.web.deck_context import judged_context
from decks.web.forms import CheckForm

# Faces beside one violation, and lines that are flagged because of it.
MAX_FACES, MAX_FLAGGED = 2, 12


class HouseCheckForm(CheckForm):
    """A list to judge, by house rules if there are any. Without a game it is guessed."""

    house = forms.CharField(
        required=False,
        max_length=MAX_HOUSE_RULES,
        error_messages={"max_length": f"House rules are at most {MAX_HOUSE_RULES} characters long."},
    )


@dataclass(frozen=True)
class PastedList:
    """A form with its list judged. Without a verdict ``guess`` says what is open, or the form's errors say
    what is wrong.

    ``leagues``: by which formats of leagues it may be judged; ``own``: which cards besides the game's
    it may name. ``done``: what a button changed in the list, as a sentence.
    ``other``: the game that its lines say it is for, where another was chosen.
    """

    form: HouseCheckForm
    leagues: LeagueLookup = no_leagues
    own: OwnLookup = no_own_cards
    judged: Judged | None = None
    guess: Guess | None = None
    status: int = 200
    done: str = ""
    other: Game | None = None

    def context(self) -> dict[str, Any]:
        """The context of the templates of the check."""
        return {
            "form": self.form,
            "games": games().values(),
            "game": games().get(self.form["game"].value() or ""),
            "guess": self.guess,
            "done": self.done,
            "other_game": self.other,
            **(verdict_context(self.judged) if self.judged else {}),
        }

    def read(self) -> "PastedList":
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

    def refusing(self, refused: Refused) -> "PastedList":
        """The same list, and the faults in its form's errors."""
        for fault in refused.faults:
            self.form.add_error({"house": "house", "deck": None}.get(fault.where, "text"), fault.message)
        return replace(self, status=refused.status)

    def repaired(self, judged: Judged, changes: list[str]) -> "PastedList":
        """The list after the changes of a repair, or those that complete it: in its own lines where that can
        be, else written anew. Raises Refused.
        """
        posted = self.form.data.copy()
        game, format = judged.game, judged.game.formats_by_slug[judged.format.slug]
        made = parse_changes(game, judged.deck, changes)
        deck = repaired(judged, made, completes="completes" in posted)
        changed = with_card_changes(game, posted.get("text", ""), made, format)
        if changed is None and judged.unread:
            sentence = "Put the lines right that were not read; then this repair can be made."
            raise Refused(Fault("unread", sentence, "text"), status=409)
        posted["text"] = changed or write_deck(game, deck, format)
        done = "The cards are in the list." if "completes" in posted else "The repair is made."
        made_right = PastedList(HouseCheckForm(posted), self.leagues, self.own, done=done)
        return made_right.read()


def read_pasted(posted: QueryDict, leagues: LeagueLookup, own: OwnLookup) -> PastedList:
    """The list that was sent, changed as a button asks: another game or format (``read_as``), names put right
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
        changed = with_corrections(game, text, {number: suggestion})
        return changed, f"Line {number} is now “{line_of(changed, number)}”." if changed != text else ""
    chosen = {whole_number(part) for part in posted.get("accept", "").split(",")[: len(text)]}
    try:
        unread = read_text(game, text, also=own).unread
    except Refused:
        return text, ""
    likely = {line.line: line.likely for line in unread if line.likely and line.line in chosen}
    names, count = listed(tuple(likely.values())), len(likely)
    done = f"{some(count, 'name')} put right: {names}." if likely else ""
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
    repair = repair_at_once(judged)
    likely = [unread for unread in judged.unread if unread.likely]
    cards = [entry.card for entry in judged.deck]
    return context | {
        "repair": repair,
        "repair_changes": written(repair) if repair else "",
        "named": [*cards, *(change.card for change in (repair.changes if repair else ()))],
        "likely": likely,
        "accept": ",".join(str(unread.line) for unread in likely),
        "at_fault": [(view, *_at_fault(judged, view)) for view in context["violations"]],
    }


def _at_fault(judged: Judged, view: ViolationView) -> tuple[list[Card], list[int]]:
    """The cards that the violation names, those first that may come out, and the lines of the list that name
    them.
    """
    out = [entry.card for entry, _ in view.violation.excess]
    named = [entry for entry in judged.deck if entry.card.name in view.violation.cards]
    cards = {card.key: card for card in (*out, *(entry.card for entry in named)) if card.has_page}
    lines = {
        line for entry in named for line, _ in judged.reading.places.get((entry.section, entry.card.code), ())
    }
    return [*cards.values()][:MAX_FACES], sorted(lines)[:MAX_FLAGGED]


# -- repairs -----------------------------------------------------------------------------------

# Beside a verdict a repair is looked for at once, with less patience; a deck that lacks more cards is not
# finished yet.
AT_ONCE = Limits(judgements=200, seconds=0.15, repairs=1, lacking=FEW)


def repairs_of(judged: Judged) -> tuple[Repair, ...]:
    """Up to five repairs, smallest first.

    A list with unread lines gets none, since these may hold the cards that it lacks.
    """
    if judged.unread:
        return ()
    return smallest_repairs(judged.game, judged.deck, judged.format, USUAL_LIMITS)


def repair_at_once(judged: Judged) -> Repair | None:
    """The smallest repair of a pasted list as far as it is found at once: of what is illegal, and of a few
    cards that are lacking.

    Where lines are unread these may be the cards that are lacking, so that only what is illegal is mended.
    """
    limits = replace(AT_ONCE, lacking=0) if judged.unread else AT_ONCE
    return next(iter(smallest_repairs(judged.game, judged.deck, judged.format, limits)), None)


def repairs_context(judged: Judged) -> dict[str, Any]:
    """The repairs of a deck for their page, and where none is whole the one that marks prevent."""
    repairs, game = repairs_of(judged), judged.game
    whole = any(repair.is_whole for repair in repairs)
    barred = None
    if not whole and not judged.unread:
        barred = barred_by_marks(game, judged.deck, judged.format, USUAL_LIMITS)
    return {
        "game": game,
        "judged": judged,
        "repairs": repairs,
        "written": written,
        "whole": whole,
        "barred": (listed(barred[1]), len(barred[1]), barred[0].words) if barred else None,
    }


def repair_json(repair: Repair) -> dict[str, Any]:
    """A repair for the command line and the API."""
    return {
        "message": repair.words,
        "verdict": repair.verdict,
        "size": repair.size,
        "for_example": bool(repair.alternatives),
        "smallest": repair.is_smallest,
        "changes": _changes_json(repair.changes),
        "others": [
            {
                "card": other.card.key,
                "name": other.card.name,
                "instead_of": other.instead_of.key,
                "message": other.repair.words,
                "changes": _changes_json(other.repair.changes),
            }
            for other in repair.alternatives
        ],
    }


def _changes_json(changes: Iterable[CardChange]) -> list[dict[str, Any]]:
    return [short_json(one.card) | {"section": one.section, "by": one.by} for one in changes]


# Changes in one repair.
MAX_CHANGES = 200
_CHANGE = re.compile(r"([+-][0-9]{1,3}) ([\w-]{1,40}) ([\x21-\x2b\x2d-\x7e]{1,200})", re.ASCII)


def written(repair: Repair) -> str:
    """The changes as a form sends them back: ``-1 deck kai, +1 deck termite``."""
    return ", ".join(f"{change.by:+d} {change.section} {change.card.code}" for change in repair.changes)


def _refused(sentence: str, code: str = "changed_elsewhere", status: int = 409) -> Refused:
    return Refused(Fault(code, f"{sentence}; look for repairs once more.", "change"), status=status)


def parse_changes(game: Game, deck: Decklist, posted: Iterable[str]) -> tuple[CardChange, ...]:
    """Read changes as forms send them. Raises Refused for invalid ones, and for unknown cards."""
    lines = [part.strip() for text in posted for part in text.split(",")]
    found = [match.groups() for line in lines[: MAX_CHANGES + 1] if (match := _CHANGE.fullmatch(line))]
    own = {entry.card.code: entry.card for entry in deck}
    cards = own | catalogue().listed(game.slug, {code for _, _, code in found} - own.keys())
    changes = tuple(
        CardChange(cards[code], section, int(by))
        for by, section, code in found
        if code in cards and section in game.sections_by_slug and int(by)
    )
    if not changes or len(changes) < len(lines) or len(lines) > MAX_CHANGES:
        raise _refused("These are no changes of cards that can be made here", "bad_change", 400)
    return changes


def repaired(judged: Judged, changes: tuple[CardChange, ...], completes: bool = False) -> Decklist:
    """The deck after changes that a form sent. Raises Refused if they no longer fit the deck, or do not help
    it. Those that complete a deck may leave it lacking cards, but break no rule.
    """
    try:
        deck = with_changes(judged.deck, changes)
    except ValueError as error:
        raise _refused(f"{error} The deck was changed since") from None
    for card in kept_that_come_out(judged.deck, judged.report, changes):
        raise _refused(f"{card.name} is marked to be kept, so it stays in the deck. Take the mark off first")
    then, now = badness(judged.report), badness(judged.game.judge(deck, judged.format))
    if completes and now[0] > then[0]:
        raise _refused("With these changes the deck would break a rule that it keeps now", "no_repair")
    if not completes and now >= then:
        sentence = "With these changes the deck would be no better than it is now. It was changed since"
        raise _refused(sentence, "no_repair")
    return deck


def repairing(
    game: Game, posted: Iterable[str], leagues: LeagueLookup, completes: bool = False
) -> Callable[[DeckContent], DeckContent]:
    """A repair, or what completes it, as an edit of a deck."""

    def edit(content: DeckContent) -> DeckContent:
        changes = parse_changes(game, content.deck, posted)
        return replace(content, deck=repaired(judge_content(game, content, leagues), changes, completes))

    return edit
