"""The words on cards and sheets: values of facts, credits, notes on sources, names for a screen reader.

`words_for` gives the words of a face's text element (``name``, ``credit``, ``fact:KEY``, ...); faces, sheets,
pages and files call the others. A change must keep the credit that a game asks for on every card and sheet;
its forms for less room never drop the author, the licence or the rights.

In results, None means that the fact applies to the card but no source states it; an empty text means that
there is nothing to show. Tests: ``tests/printing/faces/test_wording.py``.
"""

import re
from collections.abc import Sequence

from cardsdb.games.kit import Card, Game, as_words
from cardsdb.games.kit.model.effects import told_lines
from cardsdb.games.kit.print.face import Said, Words

# A document's title with more letters than this is cut off at its first pause.
LONG_TITLE = 45
# The space between two sentences.
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z©])")
# Marks a printed card as a stand-in for the published one.
PROXY = "proxy"
# Marks a text as our summary, as opposed to the words printed on the published card.
SUMMARY = "summary"


def words_for(of: Words, card: Card, game: Game, set_apart: bool = False) -> str:
    """Return the words of a Text element; empty if there are none.

    ``set_apart``: another element of the face shows the print, so the credit leaves it out.
    """
    if isinstance(of, Said):
        return fact_words(of, card, game) or ""
    match of:
        case "name":
            return card.name
        case "type":
            return type_name(card, game)
        case "set":
            return print_line(card)
        case "text":
            return card.told
        case "credit":
            return credit_line(card, game, printed=not set_apart)
        case "game":
            return game.name
    if of.startswith("="):
        return of[1:]
    return fact_words(of.removeprefix("fact:"), card, game) or ""


def said(of: Words, card: Card) -> str:
    """Return fixed words as they are, or words that are read from the card; empty if there are none."""
    return as_words(of.read(card) or "") if isinstance(of, Said) else of


def values_of(of: Words, card: Card) -> tuple[str, ...]:
    """Return the values of a fact, or the values that are read from the card's text; none if unknown."""
    return tuple(filter(None, of.read(card) or ())) if isinstance(of, Said) else card.words(of)


def fact_words(key: Words, card: Card, game: Game) -> str | None:
    """Return the value of a fact in words, or the words that are read from the card.

    None if the fact applies to the card but is unknown; empty if it does not apply.
    """
    if isinstance(key, Said):
        return said(key, card)
    value = card.fact(key)
    if value is not None:
        return as_words(value)
    fact = game.facts_by_key.get(key)
    return None if fact and fact.applies_to(card.type) else ""


def is_unknown(key: str, card: Card, game: Game) -> bool:
    """Return whether a card of this type must have the fact, but no source states it."""
    fact = game.facts_by_key.get(key)
    return card.fact(key) is None and bool(fact and fact.expected_of(card.type))


def stated_words(key: str, card: Card, game: Game) -> str | None:
    """Return the value of a fact for a line of its own; None and empty as in `fact_words`.

    Words that repeat the card's type are left out, and so is a flag that is not set.
    """
    value = card.fact(key)
    if isinstance(value, bool) and not value:
        return ""
    if isinstance(value, tuple | list):
        return as_words(tuple(word for word in value if word.casefold() != type_name(card, game).casefold()))
    return fact_words(key, card, game)


def title_of(key: Words, game: Game) -> str:
    fact = game.facts_by_key.get(key) if isinstance(key, str) else None
    return fact.title if fact else str(key)


def type_name(card: Card, game: Game) -> str:
    return game.type_named(card.type).name


def whole_name(card: Card, game: Game) -> str:
    """Return the name of the card with its type and game: ``Kai, Agent, Spycraft``."""
    return f"{card.name}, {type_name(card, game)}, {game.name}"


def read_aloud(card: Card, game: Game, with_text: bool = True) -> str:
    """Return the face of the card in words for a screen reader: name, type, facts, disputed facts, text.

    Without the text, only the facts that are numbers are read.
    """
    facts = []
    for fact in game.facts:
        if fact.is_aside or card.fact(fact.key) is None:
            continue
        if not with_text and fact.kind != "number":
            continue
        if words := stated_words(fact.key, card, game):
            facts.append(f"{fact.title} {words}")
    sentences = [whole_name(card, game), ", ".join(facts)]
    if with_text:
        sentences += [note_on_sources(card, game), card.told.replace("\n", " ")]
    return ". ".join(filter(None, sentences))


def print_line(card: Card) -> str:
    """Return the set code and number of the first print: ``ON 12``; empty if the card has no print."""
    return " ".join(filter(None, (card.prints[0].set, card.prints[0].number))) if card.prints else ""


def credit_line(card: Card, game: Game, printed: bool = True) -> str:
    """Return the line at the foot of a card: its print, the credit, and the mark of our own summary.

    A game without a credit has the card's disputed facts there, or else its name. ``printed`` is False on a
    face that shows the print elsewhere.
    """
    shown_print = print_line(card) if printed else ""
    credit = game_credit(game) or note_on_sources(card, game) or f"{game.name} · {PROXY}"
    return " · ".join(filter(None, (shown_print, credit, SUMMARY if told_lines(card) else "")))


def game_credit(game: Game) -> str:
    """Return the credit that the game asks for on every card and sheet; empty if it asks for none."""
    if not game.credit:
        return ""
    text, licence = game.credit.text, game.credit.licence
    return text if licence in text else f"{text}, {licence}"


# Printed beside the credit when a person's own texts or pictures are used, because the credit says that
# Cutout quotes no text and shows no art.
OWN_WORDS = "The person who printed these cards brought their texts."
OWN_PICTURES = "The person who printed these cards brought their pictures."


def sheet_credit(game: Game) -> str:
    """Return the credit on a sheet: the game's author, the licence, their addresses, and the changes.

    For a game without a credit, the rights of the game; empty if it has neither.
    """
    if not game.credit:
        return f"{game.name}: {game.rights}" if game.rights else ""
    credit = game.credit
    # The credit's text may already contain one of them.
    more = (part for part in (credit.work_url, credit.licence_url, credit.changes) if part not in credit.text)
    return " · ".join(filter(None, (game_credit(game), *more)))


def shorter_credits(game: Game) -> tuple[str, ...]:
    """Return shorter forms of the sheet's credit, each shorter than the one before.

    A credit keeps its author and the name of the licence, and the licence's address as long as possible.
    Rights lose the name of the game, which the sheet shows elsewhere, and then their last sentence, until
    only the first is left. Of rights ``A. B.`` the full form is ``Spycraft: A. B.``, and the shorter ones are
    ``A. B.``, ``Spycraft: A.`` and ``A.``
    """
    if not (game.credit or game.rights):
        return ()
    if not game.credit:
        sentences = _SENTENCE.split(game.rights)
        forms: list[str] = []
        for number in range(len(sentences), 0, -1):
            words = " ".join(sentences[:number])
            forms += [f"{game.name}: {words}", words]
        # The first form is the full credit, which is not shorter.
        return tuple(forms[1:])
    address = game.credit.licence_url.removeprefix("https://").rstrip("/")
    changed = re.split("[:.]", game.credit.changes)[0]
    with_address, without = (game_credit(game), address, changed), (game_credit(game), changed)
    return tuple(" · ".join(filter(None, parts)) for parts in (with_address, without))


def note_on_sources(card: Card, game: Game) -> str:
    """Return a note on the card's facts: that a player made it, or which are disputed; else empty."""
    if card.own:
        return "Not of the published game: a player’s own card"
    if card.written:
        return "Written in by the list’s author"
    titles = filter(None, (title_of(key, game) for key in card.disagreements()))
    disputed = [title[:1].upper() + title[1:] for title in titles]
    if not disputed:
        return ""
    more = ", …" if len(disputed) > 2 else ""
    return f"Sources differ: {', '.join(disputed[:2])}{more}"


def note_in_short(card: Card) -> str:
    """Return the note on the sources in few words, for a place with little room."""
    if card.own:
        return "A player’s own card"
    if card.written:
        return "Written in by its author"
    return "Sources differ" if card.disagreements() else ""


def source_line(card: Card, game: Game) -> str:
    """Return the note on the card's sources, or else the document that states its facts.

    A long title is cut off at its first pause.
    """
    if note := note_on_sources(card, game):
        return note
    claims = card.claims("")
    if not claims or not claims[0].document:
        return ""
    document = game.document_named(claims[0].document)
    title = document.title if len(document.title) <= LONG_TITLE else re.split(" ?[:,;(]", document.title)[0]
    return f"Source: {title}"


def together(names: Sequence[str], most: int) -> str:
    """Return several names as one in at most ``most`` letters: ``Ada + 3 more`` in at most 14.

    As many names as fit are shown, but at least the first, which may be cut off.
    """
    for shown in range(len(names), 0, -1):
        more = f" + {len(names) - shown} more" if shown < len(names) else ""
        joined = " + ".join(names[:shown])
        if len(joined) + len(more) <= most or shown == 1:
            return joined[: most - len(more)].rstrip() + more
    return ""
