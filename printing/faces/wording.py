"""The words on a card: those for ``name``, ``credit`` or ``fact:KEY`` of a face; and several names as one."""

import re
from collections.abc import Sequence

from cardsdb.games.kit import Card, Game, as_words
from cardsdb.games.kit.model.effects import told_lines
from cardsdb.games.kit.print.face import Said, Words

LONG_TITLE = 45
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z©])")
# The mark that tells a card that we print from the one that it stands for.
PROXY = "proxy"
# The mark of a text that is our summary, not the words that are printed on the card.
SUMMARY = "summary"


def words_for(of: Words, card: Card, game: Game, set_apart: bool = False) -> str:
    """The words of a Text element; empty for none. ``set_apart``: the face has another place for the
    print.
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
    """The words as they stand, or the words that are read from the card; empty for none."""
    return as_words(of.read(card) or "") if isinstance(of, Said) else of


def values_of(of: Words, card: Card) -> tuple[str, ...]:
    """The values of a fact, or the values that are read from the card's text; none if unknown."""
    return tuple(filter(None, of.read(card) or ())) if isinstance(of, Said) else card.words(of)


def fact_words(key: Words, card: Card, game: Game) -> str | None:
    """A fact's value in words, or the words that are read from the card. None if the fact applies to the card
    but is unknown, empty if it does not apply.
    """
    if isinstance(key, Said):
        return said(key, card)
    value = card.fact(key)
    if value is not None:
        return as_words(value)
    fact = game.facts_by_key.get(key)
    return None if fact and fact.applies_to(card.type) else ""


def is_unknown(key: str, card: Card, game: Game) -> bool:
    """True if a card of this type must have the fact and no source states it."""
    fact = game.facts_by_key.get(key)
    return card.fact(key) is None and bool(fact and fact.expected_of(card.type))


def stated_words(key: str, card: Card, game: Game) -> str | None:
    """A fact's value for a line of its own. A value that the card's type says already is left out, and so is
    a flag that is not set.
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
    """The name of the card with its type and its game: ``Kai, Agent, Spycraft``."""
    return f"{card.name}, {type_name(card, game)}, {game.name}"


def read_aloud(card: Card, game: Game, with_text: bool = True) -> str:
    """The face of the card in words for a screen reader: name, type, facts, disputed facts, and the text, or
    without a text the card's numbers.
    """
    facts = [
        f"{fact.title} {words}"
        for fact in game.facts
        if not fact.is_aside and (with_text or fact.kind == "number")
        if card.fact(fact.key) is not None and (words := stated_words(fact.key, card, game))
    ]
    said = (note_on_sources(card, game), card.told.replace("\n", " ")) if with_text else ()
    return ". ".join(filter(None, (whole_name(card, game), ", ".join(facts), *said)))


def print_line(card: Card) -> str:
    """Set code and number of the first print: ``ON 12``."""
    return " ".join(filter(None, (card.prints[0].set, card.prints[0].number))) if card.prints else ""


def credit_line(card: Card, game: Game, printed: bool = True) -> str:
    """The foot of a card: its print, then the credit that its game asks for, else the name of the game, and
    its disputed facts.

    ``printed`` is False on a face that shows the print elsewhere. Last stands the mark of a text that is our
    summary.
    """
    first = print_line(card) if printed else ""
    credit = game_credit(game) or note_on_sources(card, game) or f"{game.name} · {PROXY}"
    return " · ".join(filter(None, (first, credit, SUMMARY if told_lines(card) else "")))


def game_credit(game: Game) -> str:
    """The credit that must stand on every card and sheet of the game; empty when none must."""
    if not game.credit:
        return ""
    text, licence = game.credit.text, game.credit.licence
    return text if licence in text else f"{text}, {licence}"


# Beside the credit, which says that Cutout itself quotes nothing and shows no art.
OWN_WORDS = "The person who printed these cards brought their texts."
OWN_PICTURES = "The person who printed these cards brought their pictures."


def sheet_credit(game: Game) -> str:
    """The credit on a sheet: the author of the game, the licence, their addresses, and the changes. Without a
    licence the rights of the game.
    """
    if not game.credit:
        return f"{game.name}: {game.rights}" if game.rights else ""
    credit = game.credit
    parts = (game_credit(game), credit.work_url, credit.licence_url, credit.changes)
    return " · ".join(
        part for number, part in enumerate(parts) if part and (not number or part not in credit.text)
    )


def shorter_credits(game: Game) -> tuple[str, ...]:
    """The same credit in fewer words, each form shorter than the one before, for sheets with little room. A
    licence keeps its author and its name, and its address as long as possible. Rights lose the name of the
    game, which a sheet has elsewhere, and then their last sentence, until the first is left.
    """
    if not (game.credit or game.rights):
        return ()
    if not game.credit:
        sentences = _SENTENCE.split(game.rights)
        fewer = [" ".join(sentences[:number]) for number in range(len(sentences), 0, -1)]
        return tuple(form for words in fewer for form in (f"{game.name}: {words}", words))[1:]
    address = game.credit.licence_url.removeprefix("https://").rstrip("/")
    changed = re.split("[:.]", game.credit.changes)[0]
    parts = (game_credit(game), address, changed), (game_credit(game), changed)
    return tuple(" · ".join(filter(None, part)) for part in parts)


def note_on_sources(card: Card, game: Game) -> str:
    """A note on the card's facts for its readers: that a player made the card, or the facts on which
    documents differ.
    """
    if card.own:
        return "Not of the published game: a player’s own card"
    if card.written:
        return "Written in by the list’s author"
    if disputed := [
        title[:1].upper() + title[1:] for key in card.disagreements() if (title := title_of(key, game))
    ]:
        return f"Sources differ: {', '.join(disputed[:2])}{', …' if len(disputed) > 2 else ''}"
    return ""


def note_in_short(card: Card) -> str:
    """The note on the sources, for a place without room for all of it."""
    if card.own:
        return "A player’s own card"
    if card.written:
        return "Written in by its author"
    return "Sources differ" if card.disagreements() else ""


def source_line(card: Card, game: Game) -> str:
    """The document behind the card's facts, or the facts on which documents differ. A long title ends at its
    first pause.
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
    """``A + B + 3 more`` in at most ``most`` letters: as many of the names as fit, but at least the first."""
    for shown in range(len(names), 0, -1):
        more = f" + {len(names) - shown} more" if shown < len(names) else ""
        joined = " + ".join(names[:shown])
        if len(joined) + len(more) <= most or shown == 1:
            return joined[: most - len(more)].rstrip() + more
    return ""
