"""Pages for people new to a game: its words, those of the effects of its cards, what to lay out, how to play,
documents shown whole.
"""

from __future__ import annotations

import re
from itertools import groupby
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.catalogue.stats import Vocabulary, all_stats
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.guides import Choice, SetUpError
from cardsdb.games.kit.model.rulebook import GlossaryEntry
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.tree import quoted
from cardsdb.site.sharing import public
from cardsdb.site.shortcuts import game_or_404

MAX_QUERY = 100


@require_safe
@public
def glossary_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The game's terms by letter; with ``?q=``, those that have the words in their name or meaning."""
    game = game_or_404(slug)
    if not game.glossary:
        raise Http404
    query = request.GET.get("q", "")[:MAX_QUERY].strip()
    words = fold(query).split()
    shown = [entry for entry in game.glossary if all(word in _searched(entry) for word in words)]
    letters = [(letter, list(entries)) for letter, entries in groupby(shown, key=lambda one: one.letter)]
    context = {
        "game": game,
        "letters": letters,
        "named": {entry.term: entry for entry in game.glossary},
        "found": len(shown),
        "sought": query,
        "longest": MAX_QUERY,
        "here": "games",
    }
    return render(request, "cardsdb/pages/glossary.html", context)


@require_safe
@public
def effect_words_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The words in which the effects of the game's cards are told, each with the cards that have it."""
    game = game_or_404(slug)
    words = game.effect_words
    if words is None:
        raise Http404
    vocabulary = all_stats()[game.slug].vocabulary
    tables = [
        (title, key, [_effect_word(game, key, word, meaning, vocabulary) for word, meaning in table.items()])
        for title, key, table in (
            ("When", "when", words.moments),
            ("What happens", "does", words.verbs),
            ("To what", "target", words.targets),
        )
    ]
    return render(
        request, "cardsdb/pages/effect_words.html", {"game": game, "tables": tables, "here": "games"}
    )


def _effect_word(
    game: Game, key: str, word: str, meaning: str, vocabulary: Vocabulary
) -> tuple[str, str, int, str]:
    """A word, what it means, how many cards have it, and their list."""
    _, count = vocabulary.get(key, {}).get(fold(word), (word, 0))
    return (
        word,
        meaning,
        count,
        f"{reverse('card_list')}?{urlencode({'q': f'game:{game.slug} {key}={quoted(word)}'})}",
    )


@require_safe
@public
def play_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how the game is played, part by part, each statement with its source; and who made it."""
    game = game_or_404(slug)
    guide = game.play_guide
    if guide is None:
        raise Http404
    rulings = {ruling.id: ruling for ruling in game.rulings}
    context = {"game": game, "guide": guide, "rulings": rulings, "here": "games"}
    return render(request, "cardsdb/pages/play.html", context)


@require_safe
@public
def document_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """A document whose licence lets us show it whole: every line with its number, under the game's credit."""
    game = game_or_404(slug)
    lines = game.document_lines(key)
    if not lines:
        raise Http404
    shown = [(number, *_read_line(line)) for number, line in enumerate(lines, start=1) if line.strip()]
    context = {"game": game, "document": game.documents[key], "lines": shown, "here": "games"}
    return render(request, "cardsdb/pages/document.html", context)


def _read_line(line: str) -> tuple[str, bool]:
    """A line of a transcription without the marks of its markup, and whether it is a heading."""
    return re.sub(r"^#+ *|\*\*", "", line).strip(), line.startswith("#")


@require_safe
@public
def set_up_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what to lay out for the players and options of the address; 400 with the field of a choice that
    cannot be.
    """
    game = game_or_404(slug)
    declared = game.set_up_guide
    if declared is None:
        raise Http404
    answers: dict[str, Choice] = {
        key: request.GET[key]
        for key in ("players", *(option.key for option in declared.options))
        if request.GET.get(key)
    }
    guide, faults = None, {}
    try:
        guide = declared.guide_for(answers)
    except SetUpError as refused:
        faults = dict(refused.faults)
    context = {
        "game": game,
        "declared": declared,
        "numbers": declared.players.numbers if declared.players.high is not None else (),
        "players": str(answers.get("players", declared.usual))[:40],
        "options": [
            (option, str(answers.get(option.key, option.default))[:40], faults.get(option.key, ""))
            for option in declared.options
        ],
        "faults": faults,
        "guide": guide,
        "chosen": [option.shown(guide.options[option.key]) for option in declared.options if option.choices]
        if guide
        else (),
        "here": "games",
    }
    return render(request, "cardsdb/pages/set_up.html", context, status=400 if faults else 200)


def _searched(entry: GlossaryEntry) -> str:
    return fold(" ".join((entry.term, *entry.aliases, entry.meaning)))
