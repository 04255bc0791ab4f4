"""Reads what further files add to the cards of ``cards.csv``: ``claims.csv``, what another document says of a
fact, and ``effects.csv``, what a card does, in the words of ``effects.toml``.

claims.csv      code,fact,value,document,section,lines,certainty,note; its claims come after those of the
                column source of cards.csv
effects.toml    headers = FACT, words = [...], [moments] [verbs] [targets]: each name = its meaning in this
                game; [synonyms]: a word that people ask with = [the words that lines have for it]
effects.csv     code,line,sentence,source,certainty,note: one row for each line of a card, in the order of the
                card; sentence is what people read (they read the line if it is empty); source is
                document#locator; certainty is empty if the document states it plainly

A game has both files of effects or neither. ``cards.py`` calls ``with_effects`` and ``with_claims`` for each
card. Effects make its text, the facts ``does``, ``target`` and ``when``, the sources of these four, and the
source of each line. Tests: ``tests/cardsdb/games/kit/folder/test_additions.py``.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cardsdb.games.kit.folder.files import rows_by_column
from cardsdb.games.kit.folder.table import MAX_LISTED, Table, open_table
from cardsdb.games.kit.model.cards import CERTAINTIES, Card, Certainty, Claim
from cardsdb.games.kit.model.effects import EffectTags, EffectWords, joined, line_key, told_lines
from cardsdb.games.kit.model.rulebook import Document
from cardsdb.games.kit.model.text import fold

CLAIM_COLUMNS = ("code", "fact", "value", "document", "section", "lines", "certainty", "note")
EFFECT_COLUMNS = ("code", "line", "source", "certainty", "note")
# What documents may say of a card besides its declared facts.
ALSO = ("name", "type", "text")

ClaimRow = tuple[str, dict[str, str]]  # (place, column -> cell)


def read_claims(folder: Path, report: Callable[[str], None]) -> dict[str, list[ClaimRow]]:
    """Code of a card -> its rows, in the order of the file."""
    rows_of: dict[str, list[ClaimRow]] = defaultdict(list)
    for place, row in rows_by_column(folder / "claims.csv", CLAIM_COLUMNS, report):
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

    The document of the column source of cards.csv stands behind the whole row of a card. Beside a claim of
    its own about one fact it is not a source of that fact as well. With "list" as that document, and 3 as the
    cost of the card::

        claims of the cost                the sources of the cost
        review says 4                     list: 3, review: 4
        list says 3 (an empty value)      list: 3, once, with the place that the row names
        list says 4 (in another place)    list: 4; it does not confirm 3 too
    """
    claims_of: dict[str, list[Claim]] = {}
    for place, row in rows:
        key = row["fact"]
        if wrong := _wrong_with(row, facts, documents):
            report(f"{place}, column {wrong}")
        else:
            # The sources in cards.csv come first.
            claims_of[key] = _with_claim(card, claims_of.get(key) or card.claims(key), row)
    consistent = {key: _consistent(card, key, claims) for key, claims in claims_of.items()}
    return replace(card, sources={**card.sources, **consistent})


def _wrong_with(row: dict[str, str], facts: Container[str], documents: Container[str]) -> str:
    """The column of a row that is wrong and why: "fact: no fact is called 'x'"; empty if the row is right."""
    if row["fact"] not in facts and row["fact"] not in ALSO:
        return f"fact: no fact is called {row['fact']!r}"
    if row["document"] not in documents:
        return f"document: no document is called {row['document']!r}; rulebook.toml lists them"
    if row["certainty"] not in CERTAINTIES:
        return f"certainty: certainty must be one of {', '.join(CERTAINTIES)}"
    return ""


def _with_claim(card: Card, before: Iterable[Claim], row: dict[str, str]) -> list[Claim]:
    """The claims on a fact so far, and behind them that of a row. A claim without a value confirms the fact:
    it takes the place of the same document's claim on the whole row.
    """
    certainty: Certainty = row["certainty"]  # type: ignore[assignment]
    claim = Claim(row["document"], row["section"], row["lines"], certainty, row["value"] or None, row["note"])
    if claim.value is None:
        before = _without_row_claims(card, before, {claim.document})
    return [*before, claim]


def _consistent(card: Card, key: str, claims: list[Claim]) -> tuple[Claim, ...]:
    """The claims on a fact, each once, without the claim on the whole row of a document that also says
    something else about the fact.

    The lines of effects keep their sources: a document may have said something else at another time.
    """
    once = tuple(dict.fromkeys(claims))
    if key == "text" and told_lines(card):
        return once
    value = {**card.facts, "name": card.name, "type": card.type}.get(key)
    contrary = {claim.document for claim in claims if not claim.agrees_with(value)}
    return _without_row_claims(card, once, contrary)


def _without_row_claims(card: Card, claims: Iterable[Claim], documents: Container[str]) -> tuple[Claim, ...]:
    """The claims without those of these documents that stand behind the whole row in cards.csv."""
    of_row = card.sources[""]
    return tuple(claim for claim in claims if claim.document not in documents or claim not in of_row)


# -- effects ----------------------------------------------------------------------


@dataclass(frozen=True)
class EffectRow:
    """A row of ``effects.csv``."""

    place: str  # file and line, for messages
    line: str
    sentence: str
    source: Claim


def read_effect_words(folder: Path) -> EffectWords | None:
    """The words of ``effects.toml``; None if there is no such file. Raises FolderError with every fault."""
    table = open_table(folder / "effects.toml")
    if table is None:
        return None
    moments, verbs = _meanings(table, "moments"), _meanings(table, "verbs")
    targets = _meanings(table, "targets")
    words = frozenset(table.words("words", most=MAX_LISTED))
    # Every word that a line may have; phrases are known word by word.
    known = {word for name in (*moments, *verbs, *targets, *words) for word in fold(name).split()}
    synonyms = {}
    within = table.table_or_empty("synonyms")
    for asked in within:
        meant = within.words(asked)
        synonyms[fold(asked)] = meant
        if not meant or not all({*fold(phrase).split()} <= known for phrase in meant):
            table.fault("synonyms", f"must name for {asked[:60]!r} a list of words that the lines have")
    headers = table.text("headers")
    table.close()
    table.file.end()
    return EffectWords(moments, verbs, targets, words, headers, synonyms)


def _meanings(table: Table, key: str) -> dict[str, str]:
    """Word -> its meaning, from the table at this key. A missing table or meaning is a fault."""
    within = table.table_or_empty(key)
    meanings = {word: within.text(word, most=table.file.longest) for word in within}
    if not meanings or not all(meanings.values()):
        table.fault(key, "must name each with what it means")
    return meanings


def read_effects(
    folder: Path, documents: Mapping[str, Document], report: Callable[[str], None]
) -> dict[str, list[EffectRow]]:
    """Code of a card -> its rows, in the order of the file. Bad rows are reported and left out. Raises
    FolderError for a bad header.
    """
    rows_of: dict[str, list[EffectRow]] = defaultdict(list)
    for place, row in rows_by_column(folder / "effects.csv", EFFECT_COLUMNS, report):
        code, line, source, certainty, note = (row[column] for column in EFFECT_COLUMNS)
        key, _, locator = source.partition("#")
        if key not in documents:
            report(
                f"{place}, column source: {key!r} is not among the documents of rulebook.toml; add it there,"
                " or correct it"
            )
        elif certainty and certainty not in CERTAINTIES:
            report(f"{place}, column certainty: certainty must be empty or one of {', '.join(CERTAINTIES)}")
        else:
            stated: Certainty | None = certainty or None
            rows_of[code].append(
                EffectRow(place, line, row.get("sentence", ""), documents[key].claim(locator, stated, note))
            )
    return dict(rows_of)


def with_effects(
    card: Card, rows: Iterable[EffectRow], words: EffectWords, report: Callable[[str], None]
) -> Card:
    """The card with these lines as its text, and with the facts and sources that follow from them. A line
    that is not understood is reported and left out.

    3-D Modeling has two lines, "Intel Craft 6: attach self to mission until turn end" and "Attached: while
    ... give ...". They make the facts when = ("Intel", "Attached"), does = ("attach", "give") and target =
    ("self", "mission"), and sources for "text", "does", "target", "when", "line 1" and "line 2".
    """
    if card.text:
        report(
            f"{card.code}: effects.csv tells what the card does, and so does the column text of cards.csv;"
            " empty that"
        )
        return card
    understood: list[tuple[EffectRow, EffectTags]] = []
    for row in rows:
        try:
            understood.append((row, words.read(row.line)))
        except ValueError as error:
            report(f"{row.place}, column line: {error}")
    tags = joined([tags for _, tags in understood])
    of_tags = {"does": tags.does, "target": tags.target, "when": tags.when}
    facts = {key: value for key, value in of_tags.items() if value}
    # The text and the facts rest on the claims of all lines, each line on its own.
    claims = [row.source for row, _ in understood]
    sources = dict.fromkeys(("text", *facts), tuple(dict.fromkeys(claims)))
    sources |= {line_key(number): (claim,) for number, claim in enumerate(claims, start=1)}
    # People read sentences or lines, never a mixture.
    sentences = tuple(row.sentence for row, _ in understood)
    return replace(
        card,
        text="\n".join(row.line for row, _ in understood),
        sentences=sentences if all(sentences) else (),
        facts={**card.facts, **facts},
        sources={**card.sources, **sources},
    )
