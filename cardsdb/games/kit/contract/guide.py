"""The contract of what a game says of its play and of its documents shown whole."""

from __future__ import annotations

from collections.abc import Iterator

from cardsdb.games.kit.contract.optional import claim_problems
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.rulebook import lines_of

MAX_STATEMENT = 420
MAX_CELL = 90


def play_problems(game: Game) -> Iterator[str]:
    """Every way in which ``play.toml`` breaks its promises: sentences, a source for each, anchors of their
    own.
    """
    guide = game.play_guide
    if guide is None:
        return
    slugs = [part.slug for part in guide.parts]
    for slug in sorted({slug for slug in slugs if slugs.count(slug) > 1}):
        yield f"play: two parts are called {slug!r}"
    if guide.reach and not guide.reach.says.endswith("."):
        yield "play: from_here must say a sentence"
    for line in guide.imprint:
        if line.url and not line.url.startswith("https://"):
            yield f"play: {line.label!r} leads to {line.url!r}; an address begins with https://"
    for part in guide.parts:
        if not (part.steps or part.table or part.places or part.says):
            yield f"play: {part.title!r} says nothing"
        if (part.says or part.table or part.places) and not part.sources:
            yield f"play: {part.title!r} has no source"
        for cell in (cell for row in (part.table.rows if part.table else ()) for cell in row):
            if not isinstance(cell, str) or len(cell) > MAX_CELL:
                yield f"play: {part.title!r} has a cell that is no text of at most {MAX_CELL} characters"
        for said in (part.says, *(step.says for step in part.steps)):
            if said and (not said.endswith(".") or len(said) > MAX_STATEMENT):
                yield (
                    f"play: {part.title!r} must say sentences of at most {MAX_STATEMENT} characters, not"
                    f" {said[:40]!r}"
                )
    for title, _, sources in guide.cited:
        if not sources:
            yield f"play: {title!r} has no source"
        for cited in sources:
            yield from (f"play: {title!r} {problem}" for problem in claim_problems(game, cited.claim))


def document_problems(game: Game) -> Iterator[str]:
    """What is wrong with documents that are shown whole: a licence that lets us, and lines wherever one is
    cited.
    """
    for document in game.documents.values():
        if not document.file:
            continue
        if game.credit is None:
            yield f"document {document.key} is shown whole, but the game has no credit with a licence"
        if not (game.folder / document.file).is_file():
            yield f"document {document.key}: {document.file} is missing"
            continue
        lines = game.document_lines(document.key)
        for code, citation in game.citations.items():
            cited = lines_of(citation.lines) if citation.document == document.key else ()
            for number in cited:
                if number > len(lines):
                    yield f"rule {code} cites line {number} of {document.file}, which has {len(lines)}"
