"""A pasted list on its way from the form to the verdict, and the repairs of a deck.

``read_pasted`` applies what a button of the check page asks (another game, a corrected name) and judges the
list; it returns a ``PastedList``, which holds the context of the page. Repairs travel to the page and back as
texts such as ``-1 deck kai, +1 deck termite`` (``written``, ``parse_changes``), and are judged again before
they are made. ``views.py`` has the pages; the API and ``check_deck`` call ``repairs_of``, and the editor
``repairing``. Nothing is stored. Tests: ``tests/decks/check/test_pasted.py``, ``test_views.py`` beside it.
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
from decks.core.judging import Judged, OwnLookup, judge_content, judge_text, no_own_cards
from decks.core.pasted_text import read_text
from decks.core.used_format import LeagueLookup, no_leagues
from decks.core.violations import ViolationView
from decks.importing.file_import import foreign_list
from decks.web.deck_context import judged_context
from decks.web.forms import CheckForm

# Cards shown beside one violation.
MAX_FACES = 2
# Lines of the list that one violation flags.
MAX_FLAGGED = 12
# Characters of a line that a sentence quotes.
MAX_QUOTED = 60


class HouseCheckForm(CheckForm):
    """A list to judge, with house rules if there are any. Without a game, the game is guessed."""

    house = forms.CharField(
        required=False,
        max_length=MAX_HOUSE_RULES,
        error_messages={"max_length": f"House rules are at most {MAX_HOUSE_RULES} characters long."},
    )


@dataclass(frozen=True)
class PastedList:
    """A form and the verdict on its list. Without a verdict, ``guess`` has the games that the list may be
    for, or the form has errors.

    ``leagues`` and ``own`` find the leagues and own cards of the visitor. ``done``: a sentence on what a
    button changed, empty for nothing. ``other``: the game that the list seems to be for, if another one was
    chosen.
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
        """Return the context for the templates of the check."""
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
        """Return a copy with the verdict on the form's list, or with the reason why there is none."""
        if not self.form.is_valid():
            return replace(self, status=400)
        values, text = self.form.cleaned_data, self.form.cleaned_data["text"]
        guess = None if values["game"] else guess_game(games().values(), text)
        game = guess.game if guess else games()[values["game"]]
        if game is None:
            # The list may be for several games, which the page offers.
            return replace(self, guess=guess)
        try:
            # The chosen format may belong to another game than the guessed one; then it is ignored.
            format = game.formats_by_slug.get(values["format"])
            judged = judge_text(game, text, format, self.own(game), values["house"], self.leagues)
        except Refused as refused:
            return self.refusing(refused)
        if guess:
            return replace(self, judged=replace(judged, game_guessed=guess.why))
        # Unread lines may mean that the visitor chose the wrong game.
        likely = guess_game(games().values(), text).game if judged.unread else game
        return replace(self, judged=judged, other=None if likely is game else likely)

    def refusing(self, refused: Refused) -> "PastedList":
        """Return a copy with these faults as errors of the form."""
        # Faults of the whole deck stand above the form (None), all but those of house rules at the list.
        fields = {"house": "house", "deck": None}
        for fault in refused.faults:
            self.form.add_error(fields.get(fault.where, "text"), fault.message)
        return replace(self, status=refused.status)

    def repaired(self, judged: Judged, changes: list[str]) -> "PastedList":
        """Return the list after the changes of a repair, or of a proposal if the form has ``completes``.
        Raise Refused if they cannot be made.

        The lines as typed are kept where possible; otherwise the list is written anew.
        """
        posted = self.form.data.copy()
        # The format without house rules, which the form has in a field of its own.
        game, format = judged.game, judged.game.formats_by_slug[judged.format.slug]
        parsed = parse_changes(game, judged.deck, changes)
        deck = repaired(judged, parsed, completes="completes" in posted)
        text = with_card_changes(game, posted.get("text", ""), parsed, format)
        if text is None and judged.unread:
            # Writing the list anew would lose its unread lines.
            sentence = "Correct the lines that were not read, then make this repair."
            raise Refused(Fault("unread", sentence, "text"), status=409)
        posted["text"] = text or write_deck(game, deck, format)
        done = "The cards are in the list." if "completes" in posted else "The repair is made."
        return PastedList(HouseCheckForm(posted), self.leagues, self.own, done=done).read()


def read_pasted(posted: QueryDict, leagues: LeagueLookup, own: OwnLookup) -> PastedList:
    """Return the list that was sent, changed as the pressed button asks, and judged.

    - read_as: the game and format to read it as, ``spycraft/agency``;
    - correct: a line and the name to put there, ``7:Kai``;
    - accept: numbers of lines whose likely name is taken, ``3,7``.

    If the text is a file of another program, its list in our own form replaces it first.
    """
    fields, done = posted.copy(), ""
    slug, _, format = fields.get("read_as", "").partition("/")
    if slug:
        fields["game"], fields["format"] = slug, format
    data = fields.get("text", "").encode("utf-8", "replace")
    try:
        if foreign := foreign_list(data, game=fields.get("game", "")):
            # ``words`` tells which program's file it is, and what was lost.
            fields["text"], fields["game"], done = foreign.text, foreign.game.slug, foreign.words
    except Refused as refused:
        return PastedList(HouseCheckForm(fields)).refusing(refused)
    if "correct" in fields or "accept" in fields:
        text = fields.get("text", "")
        game = games().get(fields.get("game", "")) or guess_game(games().values(), text).game
        if game:
            fields["text"], done = _corrected(game, text, fields, own(game))
    return PastedList(HouseCheckForm(fields), leagues, own, done=done).read()


def _corrected(game: Game, text: str, posted: QueryDict, own: Iterable[Card]) -> tuple[str, str]:
    """Return (list, sentence on what was done) after replacing names as ``correct`` or ``accept`` asks."""
    line, _, suggestion = posted.get("correct", "").partition(":")
    if (number := whole_number(line)) is not None:
        changed = with_corrections(game, text, {number: suggestion})
        done = f"Line {number} is now “{line_of(changed, number)}”." if changed != text else ""
        return changed, done
    # No list has more lines than characters, which bounds the work.
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
    """Return the line with this number, cut to MAX_QUOTED for a sentence; empty if there is none."""
    lines = lines_of(text)
    return lines[number - 1].strip()[:MAX_QUOTED] if 0 < number <= len(lines) else ""


def verdict_context(judged: Judged) -> dict[str, Any]:
    """Return the context of a verdict: besides that of ``judged_context``, its smallest repair, the likely
    names of unread lines, and for each violation the cards and lines at fault.
    """
    context = judged_context(judged)
    repair = repair_at_once(judged)
    likely = [unread for unread in judged.unread if unread.likely]
    # Cards that sentences of the page may name, which become links.
    named = [entry.card for entry in judged.deck]
    if repair:
        named += [change.card for change in repair.changes]
    return context | {
        "repair": repair,
        "repair_changes": written(repair) if repair else "",
        "named": named,
        "likely": likely,
        "accept": ",".join(str(unread.line) for unread in likely),
        "at_fault": [(view, *_at_fault(judged, view)) for view in context["violations"]],
    }


def _at_fault(judged: Judged, view: ViolationView) -> tuple[list[Card], list[int]]:
    """Return the cards that the violation names, those to take out first, and the numbers of their lines in
    the list.
    """
    excess = [entry.card for entry, _ in view.violation.excess]
    named = [entry for entry in judged.deck if entry.card.name in view.violation.cards]
    # Each card once, in order.
    cards = {card.key: card for card in (*excess, *(entry.card for entry in named)) if card.has_page}
    lines = set[int]()
    for entry in named:
        # (line, copies) of each line of the list that names this card in this section.
        places = judged.reading.places.get((entry.section, entry.card.code), ())
        lines |= {line for line, _ in places}
    return [*cards.values()][:MAX_FACES], sorted(lines)[:MAX_FLAGGED]


# -- repairs -----------------------------------------------------------------------------------

# The repair beside a verdict is searched while the visitor waits, so for less time than on the page of
# repairs. A deck that lacks more than ``FEW`` cards is not finished yet and gets no repair.
AT_ONCE = Limits(judgements=200, seconds=0.15, repairs=1, lacking=FEW)


def repairs_of(judged: Judged) -> tuple[Repair, ...]:
    """Return up to five repairs, smallest first; none for a list with unread lines, which may hold the cards
    that it lacks.
    """
    if judged.unread:
        return ()
    return smallest_repairs(judged.game, judged.deck, judged.format, USUAL_LIMITS)


def repair_at_once(judged: Judged) -> Repair | None:
    """Return the smallest repair that is found within the limits ``AT_ONCE``, or None.

    With unread lines only what is illegal is repaired: the unread lines may hold the cards that are lacking.
    """
    limits = replace(AT_ONCE, lacking=0) if judged.unread else AT_ONCE
    return next(iter(smallest_repairs(judged.game, judged.deck, judged.format, limits)), None)


def repairs_context(judged: Judged) -> dict[str, Any]:
    """Return the context of the page of repairs. ``whole``: one of them makes the deck legal. If none does,
    ``barred`` is the one that keep marks prevent: (names of the kept cards, their number, the repair in
    words).
    """
    repairs, game = repairs_of(judged), judged.game
    whole = any(repair.is_whole for repair in repairs)
    barred = None
    if not whole and not judged.unread:
        found = barred_by_marks(game, judged.deck, judged.format, USUAL_LIMITS)
        if found:
            repair, kept = found
            barred = (listed(kept), len(kept), repair.words)
    return {
        "game": game,
        "judged": judged,
        "repairs": repairs,
        "written": written,
        "whole": whole,
        "barred": barred,
    }


def repair_json(repair: Repair) -> dict[str, Any]:
    """Return a repair for the command line and the API."""
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
    return [short_json(change.card) | {"section": change.section, "by": change.by} for change in changes]


# Changes that one form may send.
MAX_CHANGES = 200
# "-1 deck kai": (number with its sign, section, code). A code is printable ASCII without blanks and commas.
_CHANGE = re.compile(r"([+-][0-9]{1,3}) ([\w-]{1,40}) ([\x21-\x2b\x2d-\x7e]{1,200})", re.ASCII)


def written(repair: Repair) -> str:
    """Return the changes as a form sends them back: ``-1 deck kai, +1 deck termite``."""
    return ", ".join(f"{change.by:+d} {change.section} {change.card.code}" for change in repair.changes)


def _refused(sentence: str, code: str = "changed_elsewhere", status: int = 409) -> Refused:
    """Return a refusal of changes. ``sentence`` has no full stop, since advice follows."""
    return Refused(Fault(code, f"{sentence}; look for repairs once more.", "change"), status=status)


def parse_changes(game: Game, deck: Decklist, posted: Iterable[str]) -> tuple[CardChange, ...]:
    """Read changes as forms send them, each text in the form of ``written``. Raise Refused if any is
    malformed or names an unknown card or section.
    """
    parts = [part.strip() for text in posted for part in text.split(",")]
    matches = map(_CHANGE.fullmatch, parts[: MAX_CHANGES + 1])
    found = [match.groups() for match in matches if match]
    own = {entry.card.code: entry.card for entry in deck}
    cards = own | catalogue().listed(game.slug, {code for _, _, code in found} - own.keys())
    changes = tuple(
        CardChange(cards[code], section, int(by))
        for by, section, code in found
        if code in cards and section in game.sections_by_slug and int(by)
    )
    # Fewer changes than parts: one was malformed or unknown.
    if not changes or len(changes) < len(parts) or len(parts) > MAX_CHANGES:
        raise _refused("These are no changes of cards that can be made here", "bad_change", 400)
    return changes


def repaired(judged: Judged, changes: tuple[CardChange, ...], completes: bool = False) -> Decklist:
    """Return the deck after the changes that a form sent. Raise Refused if they do not fit the deck or do not
    help it.

    A repair must make the deck better. Changes that complete it may leave cards lacking, but must break no
    rule.
    """
    try:
        deck = with_changes(judged.deck, changes)
    except ValueError as error:
        raise _refused(f"{error} The deck was changed since") from None
    # The first card that may not come out is named.
    for card in kept_that_come_out(judged.deck, judged.report, changes):
        raise _refused(f"{card.name} is marked to be kept, so it stays in the deck. Take the mark off first")
    # (cards that must come out, cards lacking, things unknown), compared in this order; lower is better.
    before, after = badness(judged.report), badness(judged.game.judge(deck, judged.format))
    illegal_before, illegal_after = before[0], after[0]
    if completes and illegal_after > illegal_before:
        raise _refused("With these changes the deck would break a rule that it keeps now", "no_repair")
    if not completes and after >= before:
        sentence = "With these changes the deck would be no better than it is now. It was changed since"
        raise _refused(sentence, "no_repair")
    return deck


def repairing(
    game: Game, posted: Iterable[str], leagues: LeagueLookup, completes: bool = False
) -> Callable[[DeckContent], DeckContent]:
    """Return an edit of a deck that makes the changes of a repair, or of a proposal that completes it.
    ``posted``: as in ``parse_changes``. They are read when the edit is applied, for the deck of that moment.
    """

    def edit(content: DeckContent) -> DeckContent:
        changes = parse_changes(game, content.deck, posted)
        return replace(content, deck=repaired(judge_content(game, content, leagues), changes, completes))

    return edit
