"""Pages for people new to a game: rules, glossary, words of effects, set-up, how to play, and documents that
may be shown whole. All of it comes from the game's folder (``play.toml`` and others); nothing is stored. Each
view has a template of the name that it gives to ``page_about``, in ``templates/cardsdb/pages``, which takes
the tuples below apart in this order. ``game_page.py`` renders with ``page_about`` too. Tests:
``tests/cardsdb/web/test_guide_views.py``, and of the set-up ``test_set_ups.py``.
"""

import re
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.catalogue.stats import stats_of
from cardsdb.games.kit import Game, fold
from cardsdb.games.kit.model.guides import Choice, SetUpError
from cardsdb.search.query.tree import quoted
from cardsdb.site.sharing import public
from cardsdb.site.shortcuts import game_or_404, or_404

# Characters of a search in the glossary.
MAX_QUERY = 100
# Characters of a set-up answer that is shown again.
MAX_ANSWER = 40


def page_about(
    request: HttpRequest, name: str, game: Game | None, status: int = 200, **context: Any
) -> HttpResponse:
    """Render the page template of this name, for one game or for all (None)."""
    return render(request, f"cardsdb/pages/{name}.html", {"game": game, **context}, status=status)


@require_safe
@public
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, each with its document, the address of its lines there ("" if there is none),
    their pages in words, and the formats that check it.
    """
    game = game_or_404(slug)
    rules = []
    for citation in game.citations.values():
        document = game.documents[citation.document]
        address = game.address_of(citation.document, citation.lines)
        pages = document.pages_in_words(citation.lines)
        formats = game.formats_with(citation.code)
        # ``rules.html`` takes this apart into variables of the same names.
        rules.append((citation, document, address, pages, formats))
    return page_about(request, "rules", game, rules=rules)


@require_safe
@public
def glossary_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The game's terms by letter; with ``?q=`` those whose name, aliases or meaning have all its words."""
    game = game_or_404(slug)
    glossary = or_404(game.glossary)
    sought = request.GET.get("q", "")[:MAX_QUERY].strip()
    words = fold(sought).split()
    shown = [
        entry
        for entry in glossary
        if all(word in fold(" ".join((entry.term, *entry.aliases, entry.meaning))) for word in words)
    ]
    return page_about(
        request,
        "glossary",
        game,
        letters=[(letter, list(entries)) for letter, entries in groupby(shown, lambda entry: entry.letter)],
        named={entry.term: entry for entry in glossary},
        found=len(shown),
        sought=sought,
        longest=MAX_QUERY,
    )


@require_safe
@public
def effect_words_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The words of card effects, with their meaning, number of cards, and a link to these."""
    game = game_or_404(slug)
    words = or_404(game.effect_words)
    vocabulary, cards = stats_of(slug).vocabulary, reverse("card_list")
    # (title, field of the search, [(word, meaning, number of cards, address of their list)])
    tables = []
    for title, key, meanings in (
        ("When", "when", words.moments),
        ("What happens", "does", words.verbs),
        ("To what", "target", words.targets),
    ):
        rows = []
        for word, meaning in meanings.items():
            # Folded word -> (word as shown, number of cards).
            _, count = vocabulary.get(key, {}).get(fold(word), (word, 0))
            query = urlencode({"q": f"game:{slug} {key}={quoted(word)}"})
            rows.append((word, meaning, count, f"{cards}?{query}"))
        tables.append((title, key, rows))
    return page_about(request, "effect_words", game, tables=tables)


@require_safe
@public
def play_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The play guide of a game, part by part, each statement with its source; and who made the game."""
    game = game_or_404(slug)
    rulings = {ruling.id: ruling for ruling in game.rulings}
    return page_about(request, "play", game, guide=or_404(game.play_guide), rulings=rulings)


@require_safe
@public
def document_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """A document whose licence allows it to be shown whole: (line number, text without markup, is heading) of
    each line that is not empty.
    """
    game = game_or_404(slug)
    lines = [
        # Without the signs of headings and of bold words.
        (number, re.sub(r"^#+ *|\*\*", "", line).strip(), line.startswith("#"))
        for number, line in enumerate(game.document_lines(key), start=1)
        if line.strip()
    ]
    return page_about(request, "document", game, lines=or_404(lines), document=game.documents[key])


@require_safe
@public
def set_up_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The set-up for the players and options in the address; 400 with the field of an impossible choice."""
    game = game_or_404(slug)
    declared = or_404(game.set_up_guide)
    keys = ("players", *(option.key for option in declared.options))
    answers: dict[str, Choice] = {key: request.GET[key] for key in keys if request.GET.get(key)}
    # ``faults``: key of a question -> the sentence on why its answer is impossible.
    guide, faults = None, {}
    try:
        guide = declared.guide_for(answers)
    except SetUpError as refused:
        faults = dict(refused.faults)
    return page_about(
        request,
        "set_up",
        game,
        400 if faults else 200,
        declared=declared,
        numbers=declared.players.numbers if declared.players.high is not None else (),
        players=str(answers.get("players", declared.usual))[:MAX_ANSWER],
        # (option, its answer, its fault or "")
        options=[
            (option, str(answers.get(option.key, option.default))[:MAX_ANSWER], faults.get(option.key, ""))
            for option in declared.options
        ],
        faults=faults,
        guide=guide,
        chosen=[
            option.shown(guide.options[option.key]) for option in declared.options if guide and option.choices
        ],
    )
