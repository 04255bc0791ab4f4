"""The pages of house rules: of a deck, kept with it; and of a format, kept in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.games.kit import Decklist, Format, Game
from cardsdb.games.kit.rules.house_rules import (
    MAX_HOUSE_RULES,
    MAX_NUMBER,
    RuleNumber,
    parse_house_rules,
    parse_number,
    rule_numbers,
    still_known,
    with_house_rules,
    write_house_rules,
)
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent
from decks.core.judging import judge
from decks.identity.viewer import browser_of, viewer_of
from decks.models import Deck, Visibility, new_deck
from decks.saving.save import save_edit, save_whole
from decks.web.edit_key import grant_browser_access, to_deck
from decks.web.forms import CheckForm, name_of_new
from decks.web.judgement import judged_context


class HouseCheckForm(CheckForm):
    """A list to judge, by house rules if there are any."""

    house = forms.CharField(
        required=False,
        max_length=MAX_HOUSE_RULES,
        error_messages={"max_length": f"House rules are at most {MAX_HOUSE_RULES} characters long."},
    )


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number of the rules as the form shows it: the rulebook's, what was typed, and what is wrong with that."""

    number: RuleNumber
    typed: str
    error: str = ""

    @property
    def id(self) -> str:
        """For the page: ``house-ag-3-at_least``."""
        return f"house-{self.number.key.lower().replace('.', '-').replace(':', '-')}"

    @property
    def label(self) -> str:
        """The number's words; the code stands beside them as the link to the rule."""
        words = self.number.label.removeprefix(f"{self.number.code}: ")
        return words[:1].upper() + words[1:]

    @property
    def differs(self) -> bool:
        return not self.error and self.typed != str(self.number.value)


@dataclass(frozen=True, slots=True)
class NumbersForm:
    """Every number of a format, by rule."""

    fields: tuple[NumberField, ...]

    @property
    def errors(self) -> list[NumberField]:
        return [field for field in self.fields if field.error]

    def house(self) -> str:
        """The numbers that differ, as house rules are kept. Only where there are no errors."""
        return write_house_rules({field.number.key: int(field.typed) for field in self.fields if field.differs})


def numbers_form(format: Format, typed: Mapping[str, str]) -> NumbersForm:
    """The form with what was typed; a number left out or emptied is the rulebook's."""
    return NumbersForm(tuple(_field(number, typed.get(number.key, "").strip()) for number in rule_numbers(format)))


def _field(number: RuleNumber, text: str) -> NumberField:
    if not text:
        return NumberField(number, str(number.value))
    try:
        return NumberField(number, str(parse_number(number.key, text)))
    except ValueError:
        return NumberField(number, text[:20], f"A whole number from 0 to {MAX_NUMBER}.")


def stored_numbers(house: str) -> dict[str, str]:
    """A deck's house rules as if they had been typed."""
    return {key: str(value) for key, value in parse_house_rules(house).items()}


def format_of(game: Game, slug: str) -> Format:
    """The format with this slug, the game's first for none or an unknown one."""
    return game.formats_by_slug.get(slug, game.formats[0])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def deck_house(request: HttpRequest, link: str) -> HttpResponse:
    """The numbers a deck is judged by. "Try" shows the verdict they would give, "save" keeps them with the deck."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    format = format_of(game, deck.format)
    typed = request.POST.dict() if request.method == "POST" else stored_numbers(still_known(format, deck.house))
    form = numbers_form(format, {} if "clear" in typed else typed)
    if request.method == "POST" and not form.errors and "try" not in typed and _keep(request, link, format, form):
        return redirect("deck_house", link=link)
    used = format if form.errors else with_house_rules(format, form.house())
    context = {"deck": deck, "editable": True, "numbers": form, "format": format, "here": "decks", "tried": "try" in typed}
    context |= {"saved": deck.house, **judged_context(judge(game, deck.decklist(), used))}
    return render(request, "decks/house_rules_deck.html", context, status=400 if form.errors else 200)


def _keep(request: HttpRequest, link: str, format: Format, form: NumbersForm) -> bool:
    """Store the numbers with the deck; what keeps them from it is told on the page."""

    def edit(content: DeckContent) -> DeckContent:
        # The format may have been changed meanwhile: then only the numbers it has too are meant.
        return replace(content, house=form.house() if content.format == format.slug else content.house)

    try:
        saved = save_edit(link, viewer_of(request), edit)
    except Refused as refused:
        for fault in refused.faults:
            messages.error(request, fault.message)
        return False
    kept = "House rules are kept with the deck" if saved.after.house else "The deck is judged by the rulebook's numbers"
    messages.success(request, f"{kept}: {saved.deck.verdict_words.lower()}.")
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def house_rules(request: HttpRequest, game_slug: str) -> HttpResponse:
    """A format's numbers, whole in the address: whoever has the link has the rules. POST begins a deck with them."""
    game = game_or_404(game_slug)
    asked = request.POST if request.method == "POST" else request.GET
    format = format_of(game, asked.get("format", ""))
    form = numbers_form(format, asked.dict())
    if request.method == "POST" and not form.errors:
        return _begin(request, game, format, form.house())
    context: dict[str, Any] = {"game": game, "format": format, "numbers": form, "here": "games"}
    if not form.errors:
        house = form.house()
        own = {"format": format.slug, **stored_numbers(house)}
        context |= {
            "used": with_house_rules(format, house),
            "address": request.build_absolute_uri(f"{reverse('house_rules', args=[game.slug])}?{urlencode(own)}"),
            "check_address": f"{reverse('check')}?{urlencode({'game': game.slug, 'format': format.slug, 'house': house})}",
        }
    return render(request, "decks/house_rules.html", context, status=400 if form.errors else 200)


def _begin(request: HttpRequest, game: Game, format: Format, house: str) -> HttpResponse:
    """A new deck without a card, judged by these numbers, opened in the editor."""
    deck, key = new_deck(owner_id=request.user.pk, game=game.slug)
    name = name_of_new(game)
    save_whole(deck, DeckContent(Decklist(name=name), format.slug, house), visibility=Visibility.PRIVATE)
    if not deck.owner_id:
        grant_browser_access(browser_of(request), deck)
    return to_deck(deck, key, "deck_edit")
