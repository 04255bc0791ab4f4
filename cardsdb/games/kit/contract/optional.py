"""The contract of the parts that a game may lack: glossary, set-up guide, evening, worksheets, checklist,
print extras, statistics, opening, play guide, documents shown whole, roles of cards in a deck.

``checks.py`` calls the functions ``..._problems``. Each takes a ``Game`` and yields one sentence for each
fault, "worksheet xp-award: the help must be a sentence"; it yields nothing for a game without the part. A new
check is added to the function of its part. Tests in ``tests/cardsdb``: glossary and documents
``games/kit/contract/test_optional.py``; statistics and opening ``test_checks.py`` beside it; worksheets
``games/kit/play/test_worksheet.py``; set-ups ``web/test_set_ups.py``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, product

from cardsdb.games.kit.folder.table import COLOUR, SLUG
from cardsdb.games.kit.game import CardTable, Game, Marker, ScoreCard
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.cards import Claim
from cardsdb.games.kit.model.guides import Choice, Guide, SetUpGuide
from cardsdb.games.kit.model.text import fold
from cardsdb.games.kit.play.opening import Pile
from cardsdb.games.kit.play.roles import Character, Check, Role
from cardsdb.games.kit.play.statistics import Statistic
from cardsdb.games.kit.play.worksheet import RESERVED, Worksheet

MAX_MEANING = 240  # characters of a term's meaning
MAX_PIECES = 60  # copies of one marker
MAX_MARKER_NAME = 30  # letters that fit on a marker
MAX_PLACES = 99  # places of one group of a checklist
MAX_COLUMNS = 8  # of a score card
MAX_STATEMENT = 420  # characters of a statement of the play guide
MAX_CELL = 90  # characters of a cell of a chart in it
# Attributes by which the kinds of ``play/statistics.py`` name facts, by one key or by several. A new kind
# that has another attribute for that needs it here.
NAMING_FACTS = ("fact", "facts", "down", "across", "sort")
# Line numbers of a source: "3", "7-9", "3, 7-9".
_LINES = re.compile(r"[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*")


def glossary_problems(game: Game) -> Iterator[str]:
    """The faults of the glossary: terms, facts and sources that are doubled, unknown or too long."""
    explained: set[str] = set()
    for entry in game.glossary:
        for name in (entry.term, *entry.aliases):
            if fold(name) in explained:
                yield f"glossary: {name!r} is explained twice"
            explained.add(fold(name))
        if not entry.meaning.endswith(".") or len(entry.meaning) > MAX_MEANING:
            yield f"glossary: {entry.term!r} must mean a sentence of at most {MAX_MEANING} characters"
        for key in entry.facts:
            if key not in game.facts_by_key:
                yield f"glossary: {entry.term!r} explains {key!r}, which is no fact"
        for other in entry.see:
            if other not in {known.term for known in game.glossary}:
                yield f"glossary: {entry.term!r} sends the reader to {other!r}, which is no term"
        yield from claim_problems(f"glossary: {entry.term!r}", entry.source)


def _not_cited(game: Game, what: str, *codes: str) -> Iterator[str]:
    for code in codes:
        if code not in game.citations:
            yield f"{what} cites {code}, which is no rule of rulebook.toml"


def claim_problems(what: str, *claims: Claim) -> Iterator[str]:
    """The faults of sources: each must name a section, and its lines must be numbers. ``what``: the thing
    whose sources they are, as a sentence calls it.
    """
    for claim in claims:
        if not claim.section:
            yield f"{what} names no section"
        if claim.lines and not _LINES.fullmatch(claim.lines):
            yield f"{what} cites lines {claim.lines!r}; write them like 3, 7-9"


def _no_sentence(what: str, says: str) -> Iterator[str]:
    if not says.endswith("."):
        yield f"{what} must say a sentence"


def _doubled(names: Iterable[str]) -> list[str]:
    """The names that occur more than once, in the order of the alphabet."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def set_up_problems(game: Game) -> Iterator[str]:
    """The faults of the set-up guide: steps without a source, and choices for which its numbers or words
    cannot be filled in.
    """
    declared = game.set_up_guide
    if declared is None:
        return
    yield from claim_problems("set-up: the number of players", declared.source.claim)
    for step in declared.steps:
        what = f"set-up: step {step.title!r}"
        yield from _no_sentence(what, step.says)
        if not step.sources:
            yield f"{what} has no source"
        sources = chain(step.sources, *(component.sources for component in step.needs + step.lays))
        yield from claim_problems(what, *(source.claim for source in sources))
    for question in declared.open:
        if not question.question.endswith("?") and not question.ruling:
            yield f"set-up: {question.question!r} is not a question"
    try:
        for guide in every_guide(declared):
            if any((quantity.total or 0) < 0 for step in guide.steps for quantity in step.quantities):
                yield f"set-up: less than nothing is needed with {guide.players} players"
    except (KeyError, IndexError, ValueError) as error:
        yield f"set-up: a step's words cannot be filled in: {error!r}"
    yield from _evening_problems(game, declared)


# Links of an evening lead to one of these pages or to a worksheet of the game.
DOORS = ("build", "check", "cards", "play")


def _evening_problems(game: Game, declared: SetUpGuide) -> Iterator[str]:
    evening, players = declared.evening, declared.players.numbers
    if evening.bring:
        yield from _no_sentence("evening: bring", evening.bring)
    if declared.tonight not in players:
        yield f"evening: {game.name} is not for {declared.tonight} players"
    known = {starter.slug for starter in game.starters}
    decks = (*evening.decks, *evening.shared)
    # ``spare`` names the deck that is left over, for each number of players.
    spare = [evening.spare_for(number) for number in players] if evening.spare else []
    for slug in _doubled(decks):
        yield f"evening: {slug!r} is named twice"
    for slug in dict.fromkeys((*decks, *spare)):
        if slug not in known:
            yield f"evening: {slug!r} is no starter"
    sheets = {sheet.slug for sheet in game.worksheets}
    to_sheets = [door.to for door in evening.doors if door.to not in DOORS]
    for slug in (*evening.sheets, *to_sheets):
        if slug not in sheets:
            yield f"evening: {slug!r} is no worksheet"


def every_guide(declared: SetUpGuide) -> Iterator[Guide]:
    """The guide for every number of players with every combination of choices. A numeric option is tried
    with its lowest and its highest number. Steam Spy, for 2 to 12 players with 2 options of 2 values each,
    has 11 * 2 * 2 = 44.
    """
    # For each option the pairs (its key, a value): [[("cells", "new"), ("cells", "ready")], ...].
    choices: list[list[tuple[str, Choice]]] = [
        [(option.key, value) for value in tuple(option.choices) or (option.low, option.high)]
        for option in declared.options
    ]
    for players in declared.players.numbers:
        yield from (declared.guide(players, dict(chosen)) for chosen in product(*choices))


def worksheet_problems(game: Game) -> Iterator[str]:
    """The faults of the worksheets: of their fields, of what they write, and of what they cite."""
    for slug in _doubled(sheet.slug for sheet in game.worksheets):
        yield f"two worksheets are called {slug!r}"
    for sheet in game.worksheets:
        for problem in _sheet_problems(game, sheet):
            yield f"worksheet {sheet.slug}: {problem}"


def _sheet_problems(game: Game, sheet: Worksheet) -> Iterator[str]:
    if not SLUG.fullmatch(sheet.slug):
        yield "the slug must be at most 40 small letters, digits and hyphens"
    if not sheet.help.endswith("."):
        yield "the help must be a sentence"
    doubled = _doubled(field.key for field in sheet.fields)
    for field in sheet.fields:
        what = f"field {field.key!r}"
        if field.key in {*doubled, *RESERVED} or not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", field.key):
            yield (
                f"{what} must have a name of its own: small letters, digits and _, none of"
                f" {', '.join(sorted(RESERVED))}"
            )
        if (field.kind == "choice") != bool(field.choices):
            yield f"{what}: a choice, and nothing else, has choices"
        if field.cites:
            yield from _not_cited(game, what, field.cites)
        try:
            field.read(field.written(field.starts_at))
        except ValueError as error:
            yield f"{what} starts with what it refuses: {error}"
    if sheet.writes and sheet.format not in game.formats_by_slug:
        yield f"it writes a list for the format {sheet.format!r}, which is not declared"
    if sheet.card_type and sheet.card_type not in game.write_in:
        yield f"it makes cards of the type {sheet.card_type!r}, which cannot be written in"
    if bool(sheet.card_type) != bool(sheet.of_card) or (sheet.card_type and not sheet.writes):
        yield "a sheet of one card needs card_type, of_card and writes"
    # The empty sheet is calculated, which needs fields with different keys.
    if not doubled:
        for outcome in sheet.fill_in(game, {}).calculation.outcomes:
            yield from _not_cited(game, f"the outcome {outcome.label!r}", *outcome.cites)


def checklist_problems(game: Game) -> Iterator[str]:
    """The faults of the checklist: each place must be counted by a document, and its owner must be able to
    fill it.
    """
    doubled = _doubled(group.slug for group in game.checklist)
    for group in game.checklist:
        if not re.fullmatch(r"[a-z0-9-]{1,50}", group.slug) or group.slug in doubled:
            yield f"checklist: {group.slug!r} must be a slug of its own, of at most 50 characters"
        if not 1 <= group.count <= MAX_PLACES:
            yield f"checklist: {group.slug} must count 1 to {MAX_PLACES} places"
        yield from _not_cited(game, f"checklist: {group.slug}", group.cites)
        if group.card_type not in game.types_by_slug or not game.types_by_slug[group.card_type].in_decks:
            yield f"checklist: {group.slug} is of the type {group.card_type!r}, which stands in no deck"
        elif group.stand_in and getattr(game.card(group.stand_in), "type", "") != group.card_type:
            yield f"checklist: {group.slug} is printed as {group.stand_in!r}, which is no card of its type"
        for key, value in group.facts.items():
            fact = game.facts_by_key.get(key)
            if fact is None or not fact.applies_to(group.card_type) or not value:
                yield f"checklist: {group.slug} states {key}, which is no fact of its type"


def print_extras_problems(game: Game) -> Iterator[str]:
    """The faults of the print extras: markers, score cards and card tables."""
    extras = game.print_extras
    for piece in chain[Marker | ScoreCard | CardTable](extras.markers, extras.scores, extras.card_tables):
        yield from _not_cited(game, f"print extras: {piece!r}", piece.cites)
    for marker in extras.markers:
        if not 1 <= marker.count <= MAX_PIECES:
            yield f"print extras: {marker!r} must be there 1 to {MAX_PIECES} times"
        if marker.colour not in ("hue", *game.colours) and not COLOUR.fullmatch(marker.colour):
            yield (
                f"print extras: the colour of {marker.name!r} is neither hue, #rrggbb nor a value with a"
                " colour"
            )
        if not 0 < len(marker.name) <= MAX_MARKER_NAME:
            yield f"print extras: {marker.name!r} must have at most {MAX_MARKER_NAME} letters"
    for table in extras.card_tables:
        if table.type not in game.types_by_slug or not set(table.facts) <= game.facts_by_key.keys():
            yield f"print extras: {table.name!r} shows a type or a fact that is not declared"
    for score in extras.scores:
        if not score.rows or not 1 <= score.columns <= MAX_COLUMNS:
            yield f"print extras: {score.name!r} needs rows and 1 to {MAX_COLUMNS} columns"


def statistics_problems(game: Game) -> Iterator[str]:
    """The faults of statistics and piles: names of things that the game lacks; if there are none, starters
    that cannot be measured.
    """
    lacking = list(dict.fromkeys(_lacking(game)))
    yield from lacking
    if lacking:
        return
    for starter in game.starters:
        deck = read_deck(game, starter.text).deck
        try:
            game.measure(deck)
        except (KeyError, TypeError, ValueError) as error:
            yield f"starter {starter.slug} cannot be measured: {error!r}"


def _lacking(game: Game) -> Iterator[str]:
    for statistic in game.statistics:
        yield from _unknown_names(game, f"statistic {statistic.title!r}", statistic)
        for attribute in NAMING_FACTS:
            named = getattr(statistic, attribute, ())  # a key, several keys, or no such attribute
            for key in (named,) if isinstance(named, str) else named:
                if key and key != "type" and key not in game.facts_by_key:
                    yield f"statistic {statistic.title!r} measures {key!r}, which is no fact"
    piles = game.opening.piles if game.opening else ()
    for pile in piles:
        yield from _unknown_names(game, f"pile {pile.slug!r}", pile)
        if not SLUG.fullmatch(pile.slug) or pile.slug in _doubled(other.slug for other in piles):
            yield f"pile {pile.slug!r} needs a slug of its own"
        for format in pile.formats:
            if format not in game.formats_by_slug:
                yield f"pile {pile.slug!r} names format {format!r}, which is not declared"


def _unknown_names(game: Game, what: str, declared: Statistic | Pile) -> Iterator[str]:
    """A sentence for each rule or term that a statistic or a pile names and the game lacks."""
    mulligan = declared.mulligan if isinstance(declared, Pile) else None
    yield from _not_cited(game, what, *declared.cites, *(mulligan.cites if mulligan else ()))
    for term in declared.terms:
        if term not in {entry.term for entry in game.glossary}:
            yield f"{what} names the term {term!r}, which is not in the glossary"


def play_problems(game: Game) -> Iterator[str]:
    """The faults of the play guide: each part needs its own anchor, and each statement must be a sentence
    with a source.
    """
    guide = game.play_guide
    if guide is None:
        return
    for slug in _doubled(part.slug for part in guide.parts):
        yield f"play: two parts are called {slug!r}"
    if guide.reach:
        yield from _no_sentence("play: from_here", guide.reach.says)
    for line in guide.imprint:
        if line.url and not line.url.startswith("https://"):
            yield f"play: {line.label!r} leads to {line.url!r}; an address begins with https://"
    for part in guide.parts:
        if not (part.steps or part.table or part.places or part.says):
            yield f"play: {part.title!r} says nothing"
        if (part.says or part.table or part.places) and not part.sources:
            yield f"play: {part.title!r} has no source"
        rows = part.table.rows if part.table else ()
        for cell in chain.from_iterable(rows):
            if len(cell) > MAX_CELL:
                yield f"play: {part.title!r} has a cell that is no text of at most {MAX_CELL} characters"
        for says in (part.says, *(step.says for step in part.steps)):
            if says and (not says.endswith(".") or len(says) > MAX_STATEMENT):
                yield (
                    f"play: {part.title!r} must say sentences of at most {MAX_STATEMENT} characters, not"
                    f" {says[:40]!r}"
                )
    for title, _, sources in guide.cited:
        if not sources:
            yield f"play: {title!r} has no source"
        yield from claim_problems(f"play: {title!r}", *(source.claim for source in sources))


def document_problems(game: Game) -> Iterator[str]:
    """The faults of documents that are shown whole: the game must have a licence for it, the file must be
    there, and each line that a rule cites must exist.
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
            # Both ends of a range such as 53-55.
            cited = re.findall("[0-9]+", citation.lines) if citation.document == document.key else ()
            for number in map(int, cited):
                if number > len(lines):
                    yield f"rule {code} cites line {number} of {document.file}, which has {len(lines)}"


def role_problems(game: Game) -> Iterator[str]:
    """The faults of the roles of a game's cards: names of unknown things, and wants of a character that do
    not add up to the declared size.
    """
    if (roles := game.roles) is None:
        return
    # A term reads a fact, or is computed by the method of the game's ``View`` that has its slug.
    terms = {term.slug for term in roles.terms if term.fact or hasattr(roles.view, term.slug)}
    citing: list[Role | Character | Check] = [*roles.roles, *roles.characters, *roles.checks]
    unknown = {name for role in roles.roles for name in role.terms} - terms
    unknown |= {check.role for check in roles.checks if check.role} - {role.slug for role in roles.roles}
    unknown |= {*roles.formats} - game.formats_by_slug.keys()
    unknown |= {code for role in roles.roles for code in role.ruled} - game.citations.keys()
    unknown |= {code for each in citing for code in each.cites} - game.citations.keys()
    yield from (f"roles: {name!r} is no term, role, format or citation" for name in sorted(unknown))
    for character in roles.characters:
        # Base roles, such as the leaders of Spycraft, are not part of the size.
        total = sum(role.want for role in roles.of(character).roles if not role.base)
        if total != roles.size:
            yield f"roles: the wants of {character.slug!r} add up to {total}, not to {roles.size}"
