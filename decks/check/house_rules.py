"""The two pages of house rules, on which the numbers of a format's rules can be changed.

``deck_house`` changes the rules of a stored deck, and the league that it is judged by. ``house_rules`` has no
deck: its numbers are the query string of its address, so that the link can be shared.

Decks store both as one text, ``house``: the link of the league, and the numbers that differ from the
rulebook's (``cardsdb/games/kit/rules/house_rules.py``). Tests: ``tests/decks/check/test_house_rules.py``; the
league of a deck in ``tests/decks/leagues/test_views.py``.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control

from cardsdb.faults import Refused
from cardsdb.games.kit import Decklist, Format, Game, write_house_rules
from cardsdb.games.kit.rules.house_rules import (
    MAX_NUMBER,
    RuleNumber,
    league_in,
    parse_house_rules,
    rule_numbers,
    still_known,
    with_house_rules,
    without_league,
)
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page, game_or_404
from decks.core.content import DeckContent
from decks.core.judging import judge
from decks.core.used_format import in_league
from decks.models import Deck, LeagueFormat, Visibility
from decks.saving.save import save_edit, save_new
from decks.web.deck_context import judged_context, own_deck, to_new_deck
from decks.web.forms import name_of_new

# Characters of the typed address of a league.
MAX_ADDRESS = 300
# Digits of a number as it may be typed; the form refuses more than MAX_NUMBER itself.
MAX_DIGITS = 9
# The link in the address of a league: exactly 22 letters, digits, "_" and "-".
_LINK = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])", re.ASCII)


class RuleNumberField(forms.IntegerField):
    """The field of one number of a format's rules. Its initial value is the number of the rulebook."""

    def __init__(self, number: RuleNumber) -> None:
        id = f"house-{number.key.lower().replace('.', '-').replace(':', '-')}"
        attrs = {
            "id": id,
            "inputmode": "numeric",
            "maxlength": str(MAX_DIGITS),
            "autocomplete": "off",
            "aria-describedby": f"{id}-hint",
        }
        # The template shows the rule's code beside the label, as a link to the rule.
        words = number.label.removeprefix(f"{number.code}: ")
        super().__init__(
            min_value=0,
            max_value=MAX_NUMBER,
            initial=number.value,
            label=words[:1].upper() + words[1:],
            widget=forms.TextInput(attrs),
            error_messages=dict.fromkeys(
                ("invalid", "min_value", "max_value"), f"A whole number from 0 to {MAX_NUMBER}."
            ),
        )
        self.number = number


class NumbersForm(forms.Form):
    """All numbers of a format's rules. A number that is missing or empty is that of the rulebook. ``values``:
    key of a number -> its value.
    """

    # Fields may be empty, so browsers must not demand a number.
    use_required_attribute = False

    def __init__(self, format: Format, values: Mapping[str, str | int]) -> None:
        self.format, numbers = format, rule_numbers(format)
        super().__init__(
            {number.key: str(values.get(number.key, "")).strip() or number.value for number in numbers}
        )
        self.fields.update((number.key, RuleNumberField(number)) for number in numbers)

    def house(self) -> str:
        """Return the numbers that differ from the rulebook, as the text that decks store. Call it only on a
        valid form.
        """
        return write_house_rules({key: self.cleaned_data[key] for key in self.changed_data})


def format_of(game: Game, slug: str) -> Format:
    """Return the format with this slug, or the game's first format if there is none."""
    return game.formats_by_slug.get(slug, game.formats[0])


@form_page
@private
@counted_as_work("POST")
def deck_house(request: HttpRequest, link: str) -> HttpResponse:
    """The house rules of a deck. POST stores the numbers of the form. With "league" it sets or removes the
    league instead; with "clear" it stores the numbers of the rulebook; with "try" it only shows the verdict.
    """
    _, deck, game = own_deck(request, link)
    format = in_league(game, format_of(game, deck.format), deck.house, deck.leagues)
    stored = parse_house_rules(still_known(format, deck.house))
    if request.method != "POST":
        return _deck_page(request, deck, game, NumbersForm(format, stored))
    if "league" in request.POST:
        typed = request.POST["league"].strip()[:MAX_ADDRESS]
        if fault := _set_league(request, deck, game, typed):
            form = NumbersForm(format, stored)
            return _deck_page(request, deck, game, form, league=typed, league_fault=fault)
        return redirect("deck_house", link=link)
    form = NumbersForm(format, {} if "clear" in request.POST else request.POST)
    is_tried = "try" in request.POST
    if form.is_valid() and not is_tried and _save(request, link, format, form.house()):
        return redirect("deck_house", link=link)
    return _deck_page(request, deck, game, form, tried=is_tried)


def _deck_page(request: HttpRequest, deck: Deck, game: Game, form: NumbersForm, **more: Any) -> HttpResponse:
    """Render the page with the verdict by the numbers of the form, or by those of the rulebook if they are
    invalid.
    """
    # ``form.format``: with the deck's league, without house rules.
    used = form.format if form.errors else with_house_rules(form.format, form.house())
    context = {
        "deck": deck,
        "editable": True,
        "numbers": form,
        "format": form.format,
        "saved": parse_house_rules(deck.house),
        "league": league_in(deck.house),
        "own_leagues": LeagueFormat.objects.of(viewer_of(request)).filter(game=game.slug),
        **judged_context(judge(game, deck.decklist(), used)),
        **more,
    }
    status = 400 if form.errors or "league_fault" in more else 200
    return render(request, "decks/check/house_rules_deck.html", context, status=status)


def _set_league(request: HttpRequest, deck: Deck, game: Game, typed: str) -> str:
    """Judge the deck by the league's format whose address was typed, or by no league if nothing was typed.
    Return the message to show if that is impossible, else an empty text.

    The deck takes the format that the league's builds on.
    """
    match = _LINK.search(typed)
    link = match[0] if match else ""
    leagues_format = deck.leagues(game, link) if link else None
    if typed and leagues_format is None:
        is_private = deck.visibility == Visibility.PRIVATE
        hint = "" if is_private else " This deck is shared, so the format must be shared too."
        return f"There is no format of {game.name} at this address that this deck can be judged by.{hint}"

    def edit(content: DeckContent) -> DeckContent:
        if leagues_format is None:
            return replace(content, house=without_league(content.house))
        # House rules of the old format do not count in the league's.
        return replace(content, format=leagues_format.slug, house=write_house_rules({}, link))

    try:
        saved = save_edit(deck.link, viewer_of(request), edit)
    except Refused as refused:
        return " ".join(fault.message for fault in refused.faults)
    by = leagues_format.name if leagues_format else f"{format_of(game, saved.after.format).name} alone"
    messages.success(request, f"The deck is judged by {by}: {saved.deck.verdict_words.lower()}.")
    return ""


def _save(request: HttpRequest, link: str, format: Format, house: str) -> bool:
    """Store the house rules with the deck and queue a message that says so, or why not. Return True if they
    are stored.
    """
    league = format.league.link if format.league else ""
    # The form has only numbers; the league of the deck stays.
    with_league = write_house_rules(parse_house_rules(house), league)

    def edit(content: DeckContent) -> DeckContent:
        # If the format was changed since the page was loaded, the numbers belong to another format.
        is_same = content.format == format.slug and league_in(content.house) == league
        return replace(content, house=with_league) if is_same else content

    try:
        saved = save_edit(link, viewer_of(request), edit)
    except Refused as refused:
        for fault in refused.faults:
            messages.error(request, fault.message)
        return False
    kept = "House rules are kept with the deck"
    sentence = kept if saved.after.house else "The deck is judged by the rulebook's numbers"
    messages.success(request, f"{sentence}: {saved.deck.verdict_words.lower()}.")
    return True


@form_page
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def house_rules(request: HttpRequest, game_slug: str) -> HttpResponse:
    """The numbers of a format without a deck, all in the query string. POST begins an empty deck with
    them.
    """
    game = game_or_404(game_slug)
    values = request.POST if request.method == "POST" else request.GET
    format = format_of(game, values.get("format", ""))
    form = NumbersForm(format, values)
    if request.method == "POST" and form.is_valid():
        # An empty deck that is judged by these numbers, opened in the editor.
        content = DeckContent(Decklist(name=name_of_new(game)), format.slug, form.house())
        return to_new_deck(request, *save_new(request, game, content), "deck_edit")
    context: dict[str, Any] = {"game": game, "format": format, "numbers": form}
    if form.is_valid():
        house = form.house()
        # The query strings of this page, and of the check of a list by these rules.
        here = urlencode({"format": format.slug, **parse_house_rules(house)})
        check = urlencode({"game": game.slug, "format": format.slug, "house": house})
        context |= {
            "used": with_house_rules(format, house),
            "address": request.build_absolute_uri(f"{reverse('house_rules', args=[game.slug])}?{here}"),
            "check_address": f"{reverse('check')}?{check}",
        }
    return render(request, "decks/check/house_rules.html", context, status=400 if form.errors else 200)
