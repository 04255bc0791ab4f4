"""Reads ``claims.csv``: what further documents say about single facts of cards.

``cards.py`` adds the claims to each card (``with_claims``) after those of the columns ``source`` of
``cards.csv``.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from cardsdb.games.kit.folder.files import rows_by_column
from cardsdb.games.kit.model.cards import CERTAINTIES, Card, Certainty, Claim
from cardsdb.games.kit.model.effects import told_lines
from cardsdb.games.kit.model.rulebook import Document

COLUMNS = ("code", "fact", "value", "document", "section", "lines", "certainty", "note")
# What documents may say of a card besides its declared facts.
ALSO = ("name", "type", "text")

ClaimRow = tuple[str, dict[str, str]]  # (place, column -> cell)


def read_claims(folder: Path, report: Callable[[str], None]) -> dict[str, list[ClaimRow]]:
    """Code of a card -> its rows, in the order of the file."""
    rows_of: dict[str, list[ClaimRow]] = defaultdict(list)
    for place, row in rows_by_column(folder / "claims.csv", COLUMNS, report):
        rows_of[row["code"]].append((place, row))
    return dict(rows_of)


def with_claims(
    card: Card,
    rows: Iterable[ClaimRow],
    facts: Container[str],
    documents: Mapping[str, Document],
    report: Callable[[str], None],
) -> Card:
    """The card with the claims of these rows among its sources. Bad rows are reported and left out.
    ``facts``: keys of the declared facts; ``documents``: by their keys.
    """
    claims_of: dict[str, list[Claim]] = defaultdict(list)
    for place, row in rows:
        if row["fact"] not in facts and row["fact"] not in ALSO:
            report(f"{place}, column fact: no fact is called {row['fact']!r}")
        elif row["document"] not in documents:
            report(
                f"{place}, column document: no document is called {row['document']!r}; rulebook.toml"
                " lists them"
            )
        elif row["certainty"] not in CERTAINTIES:
            report(f"{place}, column certainty: certainty must be one of {', '.join(CERTAINTIES)}")
        else:
            _add_claim(card, claims_of[row["fact"]], row)
    consistent = {key: _consistent(card, key, claims) for key, claims in claims_of.items()}
    return replace(card, sources={**card.sources, **consistent})


def _add_claim(card: Card, claims: list[Claim], row: dict[str, str]) -> None:
    """Add the claim of a row to the claims on its fact so far."""
    certainty: Certainty = row["certainty"]  # type: ignore[assignment]
    claim = Claim(row["document"], row["section"], row["lines"], certainty, row["value"] or None, row["note"])
    if not claims:
        # The sources in cards.csv come first.
        claims.extend(card.claims(row["fact"]))
    if claim.value is None:
        # A claim without a value confirms the fact. The same document is then not cited for the row as well.
        behind_all = card.sources[""]
        claims[:] = [other for other in claims if other.document != claim.document or other not in behind_all]
    claims.append(claim)


def _consistent(card: Card, key: str, claims: list[Claim]) -> tuple[Claim, ...]:
    """The claims on a fact, each once. A claim of the whole row is left out if its document is known to say
    something else about this fact.

    The lines of effects keep their sources: a document may have said something else at another time.
    """
    if key == "text" and told_lines(card):
        return tuple(dict.fromkeys(claims))
    value = {**card.facts, "name": card.name, "type": card.type}.get(key)
    contrary = {claim.document for claim in claims if not claim.agrees_with(value)}
    behind_all = card.sources[""]
    return tuple(
        claim for claim in dict.fromkeys(claims) if claim.document not in contrary or claim not in behind_all
    )
