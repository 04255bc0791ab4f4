"""The contract of a game folder: ``problems`` returns every fault of a game, each as one sentence.

The tests, Django's system check (``cardsdb/apps.py``) and the reader of packed games call it. Every check is
a function that takes a ``Game`` and yields sentences without the folder's name; ``problems`` puts it before
them: "spynet: set 'XX' is not in sets.csv". A FolderError stops only the check that raised it, and its
problems are told too, so that all faults of a folder are seen at once.
Tests: ``tests/cardsdb/games/kit/contract/test_checks.py``.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from cardsdb.games.kit.contract.optional import (
    checklist_problems,
    document_problems,
    glossary_problems,
    play_problems,
    print_extras_problems,
    role_problems,
    set_up_problems,
    statistics_problems,
    worksheet_problems,
)
from cardsdb.games.kit.contract.sentences import sentence_faults
from cardsdb.games.kit.folder.files import GAME_FILE, FolderError
from cardsdb.games.kit.folder.table import SLUG
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.effects import EFFECT_FACTS, EffectWords, quoted_names
from cardsdb.games.kit.model.format import Example, Format, Report, Severity
from cardsdb.games.kit.model.text import fold
from cardsdb.games.kit.print.face import FactSymbols, Levels, Lines, Number, NumberRow
from cardsdb.games.kit.rules.card_lists import OnlySets, card_lists_of

# Words that mean something else in the search language or in the address of a list: no fact may be called so.
RESERVED_SEARCH_WORDS = set(
    "name type entry set game number rarity text in is not has source certainty prints disputed similar order"
    " sort direction or and q page all after before view with mine".split()
)
# The files that the folder of a game with code must have; a game of data alone needs only the first two.
FILES = ("cards.csv", GAME_FILE, "rulebook.toml", "README.md", "examples.toml")
DATA_FILES = FILES[:2]


def problems(game: Game) -> list[str]:
    """Every fault of the game's folder, each once; empty if it keeps the contract.

    What depends on a file that cannot be read is checked only after the file is mended.
    """
    return list(dict.fromkeys(_problems(game)))


def _problems(game: Game) -> Iterator[str]:
    # The same words as in ``folder/files.py``, so that ``problems`` tells a missing file once.
    for name in DATA_FILES if game.is_data else FILES:
        if not (game.folder / name).exists():
            yield f"{game.folder.name}/{name} is missing"
    for check in (
        _facts,
        _row_facts,
        _cards,
        _showcase,
        _sets,
        _faces,
        _rules,
        card_list_problems,
        _examples,
        _starters,
        effect_problems,
        glossary_problems,
        set_up_problems,
        play_problems,
        document_problems,
        worksheet_problems,
        print_extras_problems,
        checklist_problems,
        statistics_problems,
        role_problems,
    ):
        try:
            for problem in check(game):
                yield f"{game.folder.name}: {problem}"
        except FolderError as error:
            yield from error.problems  # which begin with the folder's name


def _facts(game: Game) -> Iterator[str]:
    for card_type in game.types:
        # The slug is stored in a column of 40 characters and stands in addresses.
        if not SLUG.fullmatch(card_type.slug):
            yield f"type {card_type.slug!r} must be at most 40 small letters, digits and hyphens"
    for fact in game.facts:
        letters = fact.key.replace("_", "")
        if fact.key in RESERVED_SEARCH_WORDS or not letters.isalnum() or letters != letters.lower():
            yield f"fact {fact.key!r} cannot be a search word"
        if not fact.help.endswith("."):
            yield f"the help of fact {fact.key!r} must be a sentence"


def _row_facts(game: Game) -> Iterator[str]:
    # Place in the row of a card in lists -> the kinds of facts that can be shown there.
    kinds = {
        "mark": ("word", "words"),
        "sign": ("flag",),
        "chip": ("number",),
        "column": ("number", "word", "words", "flag", "text"),
    }
    for row_fact in game.row_facts:
        fact = game.facts_by_key.get(row_fact.key)
        if fact is None or fact.kind not in kinds[row_fact.place]:
            needed = " or ".join(kinds[row_fact.place])
            yield (
                f"the rows' fact {row_fact.key!r} must be a declared {needed} to be shown as a"
                f" {row_fact.place}"
            )


def _cards(game: Game) -> Iterator[str]:
    # ``cards`` adds a sentence to this list for each cell that it cannot read, and leaves out the card. It
    # raises FolderError only if it gives up: for a missing file, a wrong header or too many bad cells.
    bad_cells: list[str] = []
    try:
        cards = tuple(game.card_files.cards(bad_cells))
    except FolderError as error:
        raise FolderError(*bad_cells, *error.problems) from None
    for card in cards:
        if not card.name.strip() or card.name != " ".join(card.name.split()):
            yield f"card {card.code!r}: the name has stray spaces"
        if any(not card.claims(key) for key in card.facts):
            yield f"card {card.code!r}: a fact has no source"
    # Raised and not yielded, because these sentences begin with the folder's name already.
    if bad_cells:
        raise FolderError(*bad_cells)
    if not cards:
        yield "cards.csv has no cards"
    elif not any(card.facts for card in cards):
        yield "no card states a fact"


def _showcase(game: Game) -> Iterator[str]:
    for code in game.showcase:
        if game.card(code) is None:
            yield f"the showcase names card {code!r}, which is not in cards.csv"
    for line in read_deck(game, game.showcase_list).unread:
        yield f"the showcase's list has a line that cannot be read: {line.text!r}"


def _sets(game: Game) -> Iterator[str]:
    known = set(game.sets_by_code)
    for code in sorted({print_.set for card in game.cards for print_ in card.prints} - known):
        yield f"set {code!r} is not in sets.csv"


def _faces(game: Game) -> Iterator[str]:
    for slug, face in game.faces.items():
        for element in face.elements:
            # Keys of facts that the element shows. A function in place of a key reads the card itself.
            shown: tuple[object, ...] = ()
            if isinstance(element, Lines):
                shown = element.facts
            elif isinstance(element, NumberRow | Levels):
                shown = tuple(key for key, *_ in element.facts)
            elif isinstance(element, Number | FactSymbols):
                shown = (element.fact,)
            for key in shown:
                if isinstance(key, str) and key not in game.facts_by_key:
                    yield f"the face of {slug!r} shows {key!r}, which is no fact"


def _rules(game: Game) -> Iterator[str]:
    for code, citation in game.citations.items():
        if not citation.says.endswith("."):
            yield f"rule {code} must say a sentence"
    for rule in game.rules:
        if rule.code not in game.citations:
            yield f"rule {rule.code} has no citation"
    for number in (*game.set_up, *game.to_begin):
        if number.cites not in game.citations:
            yield f"set-up number {number.label!r} cites {number.cites}, which is no rule of rulebook.toml"


def card_list_problems(game: Game, formats: Sequence[Format] = ()) -> Iterator[str]:
    """A sentence for each card or set that a rule names and the game does not have. ``formats``: those whose
    rules are checked; all formats of the game if empty.
    """
    formats = formats or game.formats
    # For each name in a list of cards, as in "at most 1 of Kai and Ambush": who names it.
    called = [
        (format, rule, name)
        for format in formats
        for rule in format.rules
        for cards in card_lists_of(rule)
        for name in cards.called
    ]
    # The cards are read only if a rule names one.
    known = {word for card in game.cards for word in (card.code, fold(card.name))} if called else set()
    for format, rule, name in called:
        if fold(name) not in known:
            yield (
                f"format {format.slug}: rule {rule.code} names {name!r}, which is neither the code nor the"
                " name of a card"
            )
    for format in formats:
        for rule in format.rules:
            for code in rule.sets if isinstance(rule, OnlySets) else ():
                if code not in game.sets_by_code:
                    yield (
                        f"format {format.slug}: rule {rule.code} names the set {code!r}, which is not in"
                        " sets.csv"
                    )


def _examples(game: Game) -> Iterator[str]:
    examples = game.examples()
    broken: set[str] = set()  # codes of the rules that an example breaks
    for example in examples:
        format = game.formats_by_slug.get(example.format)
        if format is None:
            yield f"example {example.name!r}: no format is called {example.format!r}"
            continue
        reading = read_deck(game, example.text, format)
        report = game.judge(reading.deck, format, len(reading.unread))
        broken.update(violation.code for violation in report.violations)
        for fault in _example_faults(example, reading, report):
            yield f"example {example.name!r}: {fault}"
    # Formats declared as data use rules that the kit's tests break. A format with code must show by examples
    # what each of its rules does.
    in_code = [format for format in game.formats if format.declared_in is None]
    for format in in_code:
        if not any(example.format == format.slug and example.verdict == "legal" for example in examples):
            yield f"format {format.slug} has no legal example"
    for rule in {rule.code: rule for format in in_code for rule in format.rules}.values():
        if rule.code not in broken:
            yield f"rule {rule.code} is broken by no example"


def _example_faults(example: Example, reading: Reading, report: Report) -> Iterator[str]:
    """The differences between what an example declares and how its list was read and judged."""
    if reading.unread:
        first = reading.unread[0]
        yield f"line {first.line} {first.text!r} is not read: {first.message}"
    if report.verdict != example.verdict:
        yield f"judged {report.verdict} {report.codes()}, not {example.verdict}"
    if set(report.codes()) != set(example.codes):
        yield f"breaks {report.codes()}, not {example.codes}"
    # An example without ``notes`` may have any.
    notes = dict.fromkeys(v.code for v in report.violations if v.severity is Severity.NOTE)
    if example.notes is not None and set(notes) != set(example.notes):
        yield f"notes {tuple(notes)}, not {example.notes}"


def _starters(game: Game) -> Iterator[str]:
    for starter in game.starters:
        format = game.formats_by_slug.get(starter.format)
        if format is None:
            yield f"starter {starter.slug}: no format is called {starter.format!r}"
            continue
        for unread in read_deck(game, starter.text, format).unread:
            yield f"starter {starter.slug}: line {unread.line} {unread.text!r} is not read: {unread.message}"


# A word begins with a letter and may hold digits, apostrophes, points and hyphens: "H-Alpha's".
_WORD = re.compile(r"[^\W\d_][\w'’.-]*")


def effect_problems(game: Game) -> Iterator[str]:
    """The faults of a game's effects: of ``effects.toml``, and of each card's lines and sentences."""
    declared = [fact for fact in EFFECT_FACTS if fact in game.facts]
    words = game.effect_words
    if words is None:
        if declared:
            yield f"effects: the fact {declared[0].key!r} is declared, but there is no effects.toml"
        return
    if len(declared) < len(EFFECT_FACTS):
        yield "effects: there is an effects.toml; make the game with read_game, which adds its facts"
        return
    if words.header_fact and words.header_fact not in game.facts_by_key:
        yield f"effects.toml: headers = {words.header_fact!r} is no fact"
        return
    names = {fold(name) for card in game.cards for name in (card.name, *card.aliases)}
    # Names of types and sections, such as "Agent" and "Mission deck", may stand in any line and sentence.
    called = [card_type.name for card_type in game.types] + [section.name for section in game.sections]
    known = set(_words_of_facts(game, called))
    terms = [word for name in called for word in name.split()]
    for card in game.cards:
        if card.facts.get("does") or card.facts.get("when"):
            yield from _card_problems(card, words, names, known, terms)


def _card_problems(
    card: Card, words: EffectWords, names: set[str], known: set[str], terms: Sequence[str]
) -> Iterator[str]:
    """The faults of one card's effects. ``names``: folded names of all cards; ``known``: lowercase words that
    any line may have; ``terms``: capitalised words that any sentence may have.
    """
    lines = card.text.split("\n")
    own = {word.lower() for word in _WORD.findall(card.name)}
    # Lines that other documents claim for the card.
    others = [claim.value for claim in card.disagreements().get("text", ()) if claim.value]
    for line in others:
        try:
            words.read(line)
        except ValueError as error:
            yield f"claims of {card.code} about its text: {error}"
    if not card.sentences:
        yield f"effects of {card.code}: a line has no sentence"
    # A card has as many sentences as lines, or none (``with_effects``).
    for line, sentence in zip(lines, card.sentences, strict=False):
        for fault in sentence_faults(line, sentence, words, terms):
            yield f"effects of {card.code}: the sentence of “{line}”: {fault}"
    for line in (*lines, *others):
        if strange := list(words.unknown_words(line, known | own)):
            yield (
                f"effects of {card.code}: {', '.join(map(repr, strange))} in “{line}”: not among the words of"
                " effects.toml"
            )
        for name in quoted_names(line):
            if name not in words.words and not any(fold(name) in known_name for known_name in names):
                yield (
                    f'effects of {card.code}: no card is called "{name}", and it is not among the words of'
                    " effects.toml"
                )
    if words.header_fact:
        # "Intel Craft 6: attach ..." has the header "Intel Craft 6", which the fact ``action_headers`` states
        # too. A side may stand before it: "Both sides Mission Combat X" fits "Mission Combat X".
        headers = words.tags_of(lines).headers
        for printed in card.words(words.header_fact):
            if not any(header == printed or header.endswith(f" {printed}") for header in headers):
                yield f"effects of {card.code}: no line is headed {printed}, as {words.header_fact} says"


def _words_of_facts(game: Game, called: Sequence[str]) -> Iterator[str]:
    """The lowercase words in the titles of facts, in the values of the cards' facts, and in ``called``."""
    keys = [fact.key for fact in game.facts if fact.kind in ("word", "words")]
    values = chain.from_iterable(card.words(key) for card in game.cards for key in keys)
    titles = [fact.title for fact in game.facts]
    for value in dict.fromkeys((*values, *called, *titles)):
        yield from (word.lower() for word in _WORD.findall(value))
