"""The catalogue as a folder of plain pages that need no server: every link is relative, nothing is fetched from elsewhere.

One folder per game, with a page per set, type and card and the card's face as SVG beside it. The
pages are small ones of their own, since the site's search and decks need the site; what they say
comes from the same places.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from cardsdb.catalogue.bulk_writers import credits_text
from cardsdb.catalogue.stats import held
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import slugify
from cardsdb.models import Card, CardQuerySet, Edition
from cardsdb.web.lists.browsing import short_facts
from cardsdb.web.pages.card_page import card_sources, fact_rows, source_of

# Rows on one page of a list.
PER_PAGE = 500
BATCH = 200
FONTS = ("sans-regular", "sans-semibold", "serif-semibold", "sans-regular-more", "sans-semibold-more", "serif-semibold-more")

Say = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of a game's cards and the page it begins on. ``page`` is relative to the game's folder."""

    title: str
    page: str
    count: int
    cards: CardQuerySet
    of: str


def write_catalogue(folder: Path, chosen: Sequence[Game], say: Say) -> None:
    """Write the pages of these games into an empty folder. ``say`` hears of progress: game, cards done, cards in all."""
    _write_styles(folder, chosen)
    (folder / "LICENCES.txt").write_text(credits_text(), encoding="utf-8")
    edition = Edition.objects.order_by("-number").first()
    shared = {"all_games": chosen, "credited": [game for game in chosen if game.credit], "edition": edition}
    counts = [(game, held(game.slug).cards) for game in chosen]
    _write(folder / "index.html", "index", {**shared, "counts": counts, "root": ""})
    for game in chosen:
        _write_game(folder / game.slug, game, shared, say)


def _write_game(folder: Path, game: Game, shared: dict[str, Any], say: Say) -> None:
    known = {**shared, "game": game}
    listings = list(_listings(game))
    set_pages = {listing.of: listing.page for listing in listings if listing.page.startswith("sets/")}
    _write(folder / "index.html", "game", {**known, "listings": listings, "root": "../"})
    rules = [(citation, game.documents[citation.document]) for citation in game.citations.values()]
    _write(folder / "rules.html", "rules", {**known, "rules": rules, "root": "../"})
    for listing in listings:
        _write_listing(folder, listing, known)
    cards = Card.objects.current().in_game(game.slug).by_name().prefetch_related("prints")
    total = cards.count()
    for done, row in enumerate(cards.iterator(chunk_size=BATCH), start=1):
        _write_card(folder, game, row, set_pages, known)
        say(game.name, done, total)


def _listings(game: Game) -> Iterator[Listing]:
    """The lists that lead to a game's cards: by set, by type."""
    counted, cards = held(game.slug), Card.objects.current().in_game(game.slug).by_name()
    for place, card_set in enumerate(game.sets, start=1):
        # Codes are whatever the publisher printed; the place keeps two from becoming one file name.
        page = f"sets/{place}-{slugify(card_set.code)}.html"
        printed = cards.filter(prints__set_code=card_set.code).distinct()
        yield Listing(card_set.name, page, counted.sets.get(card_set.code, 0), printed, card_set.code)
    for card_type in game.types:
        of_type = cards.filter(type=card_type.slug)
        yield Listing(card_type.plural, f"types/{card_type.slug}.html", counted.types.get(card_type.slug, 0), of_type, card_type.slug)


def _write_listing(folder: Path, listing: Listing, known: dict[str, Any]) -> None:
    """A list, in pages that are named after the first: agent.html, agent-2.html."""
    game: Game = known["game"]
    rows = listing.cards.iterator(chunk_size=BATCH)
    stem, number = listing.page.removesuffix(".html"), 1
    page, following = list(islice(rows, PER_PAGE)), list(islice(rows, PER_PAGE))
    while page or number == 1:
        lines = [{"card": card, "type": game.types_by_slug[card.type], "facts": short_facts(game, card)} for card in page]
        name = stem.rpartition("/")[2]
        context = {
            **known,
            "listing": listing,
            "rows": lines,
            "number": number,
            "earlier": "" if number == 1 else f"{name}{_suffix(number - 1)}.html",
            "later": f"{name}{_suffix(number + 1)}.html" if following else "",
            "root": "../../",
        }
        _write(folder / f"{stem}{_suffix(number)}.html", "listing", context)
        page, following, number = following, list(islice(rows, PER_PAGE)), number + 1


def _suffix(number: int) -> str:
    return "" if number == 1 else f"-{number}"


def _write_card(folder: Path, game: Game, row: Card, set_pages: dict[str, str], known: dict[str, Any]) -> None:
    card = row.as_card()
    face = render_to_string("export/face.html", {"game": game, "card": card}).strip()
    target = folder / "faces" / f"{card.code}.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(face + "\n", encoding="utf-8")
    facts = fact_rows(game, card)
    context = {
        **known,
        "card": card,
        "face": face,
        "type": game.types_by_slug[card.type],
        "facts": facts,
        "unknown": any(not fact.value for fact in facts),
        "sources": card_sources(game, card),
        "text_sources": [source_of(game, claim) for claim in card.claims("text")],
        "prints": [(print_, game.sets_by_code.get(print_.set), set_pages.get(print_.set, "")) for print_ in card.prints],
        "root": "../../",
    }
    _write(folder / "cards" / f"{card.code}.html", "card", context)


def _write(target: Path, template: str, context: dict[str, Any]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render_to_string(f"export/{template}.html", context), encoding="utf-8")


def _write_styles(folder: Path, chosen: Sequence[Game]) -> None:
    """The site's own stylesheet, each game's colours, and the fonts as far as they were built."""
    (folder / "styles").mkdir(parents=True)
    (folder / "fonts").mkdir()
    for name, target in (("cutout/cutout.css", "styles/cutout.css"), ("cutout/favicon.svg", "styles/favicon.svg")):
        _copy(name, folder / target)
    for font in FONTS:
        _copy(f"fonts/{font}.woff2", folder / "fonts" / f"{font}.woff2")
    for licence in ("sans-licence.txt", "serif-licence.txt"):
        _copy(f"fonts/{licence}", folder / "fonts" / licence)
    hues = [f".game-{game.slug} {{ --hue: {game.hue[0]}; --hue-dark: {game.hue[1]}; }}" for game in chosen]
    (folder / "styles" / "games.css").write_text("\n".join(hues) + "\n", encoding="utf-8")


def _copy(name: str, target: Path) -> None:
    found = finders.find(name)
    if isinstance(found, str):
        shutil.copyfile(found, target)
