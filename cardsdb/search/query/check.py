"""Check a query against a table of fields: what its parts mean, what is wrong with them, and what is like
them.

``Checker`` walks any query; ``CardChecker`` knows what is said of cards. Parts that cannot be answered are
dropped and reported, short forms are written out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from cardsdb.games.kit import fold
from cardsdb.games.kit.model.names import alike as texts_alike
from cardsdb.search.query.english import ELSEWHERE, NOT_HERE, Bounds, amount_at, parts_of_size
from cardsdb.search.query.fields import Fields, Table
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.scanner import MINUSES
from cardsdb.search.query.similar import like_card
from cardsdb.search.query.standard import (
    COMPARISONS,
    EQUALITY,
    NO,
    SHORT_FORMS,
    YES,
    Field,
    unaccented,
    what_is_wrong,
)
from cardsdb.search.query.tree import (
    And,
    Exact,
    Problem,
    Problems,
    Query,
    Regex,
    SortKey,
    Span,
    Term,
    Tree,
    Versus,
    Word,
    all_of,
    leaves,
    limited,
    map_leaves,
    none_of,
    normal,
    quoted,
    tree_json,
    written,
)
from cardsdb.search.query.words import in_words

# Regular expressions in one query.
MAX_PATTERNS = 3
# How alike a suggestion must be, in hundredths; and suggestions to one problem.
LIKENESS, MAX_SUGGESTIONS = 60, 3
# Flags or facts that a message names.
MAX_NAMED = 12
# Names whose spelling is looked up; the others are only searched for.
MAX_NAMES_LOOKED_UP = 5


def explain(text: str, fields: Fields) -> dict[str, Any]:
    """Return how a query is understood, as JSON for the API and the command line."""
    query = check(text, fields)
    return {
        "normal": normal(query),
        "words": in_words(query, fields),
        "tree": tree_json(query.tree),
        "order": [{"key": one.key, "descending": one.descending} for one in query.order],
        "problems": [problem.as_json() for problem in query.problems],
    }


def check(text: str, fields: Fields) -> Query:
    """The query of a text without the terms that these fields of cards cannot answer, each reported; short
    forms are written out.
    """
    return CardChecker(fields).check(text)


def alike(typed: str, known: Mapping[str, str] | Iterable[str]) -> tuple[str, ...]:
    """The known values that are most like the typed one, or have a word like it, as shown; best first."""
    shown = known if isinstance(known, Mapping) else {value: value for value in known}
    by_part: dict[str, set[str]] = defaultdict(set)
    for value, as_shown in shown.items():
        for part in (value, *value.split()):
            by_part[part].add(as_shown)
    near = texts_alike(fold(typed), by_part, likeness=LIKENESS)
    return tuple(dict.fromkeys(one for part in near for one in sorted(by_part[part])))[:MAX_SUGGESTIONS]


# -- any query -------------------------------------------------------------------------


class NotUnderstood(Exception):
    """A part of a query makes no sense; the problems say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems = problems


def fault(code: str, message: str, span: Span, *suggestions: str) -> NotUnderstood:
    """The fault of a part of a query, to be raised."""
    return NotUnderstood(Problem(code, message, *span, suggestions))


def nothing_to_find(leaf: Word | Exact | Term) -> NotUnderstood:
    """The fault of a word or value of which folding leaves nothing."""
    return fault("bad-value", "Nothing is left of this that could be looked for.", leaf.span, "")


class Checker:
    """Checks queries against a table of fields. What words, terms and expressions mean is said for each kind
    of thing that is searched; what makes no sense is raised as ``NotUnderstood``, advice is added to
    ``problems``.
    """

    def __init__(self, fields: Table) -> None:
        self.fields = fields
        self.problems = Problems()
        self._text = ""

    def typed(self, span: Span) -> str:
        """The part of the query that is checked, letter by letter."""
        return self._text[span.start : span.end]

    def check(self, text: str) -> Query:
        """The query of a text as it is understood, with every problem."""
        self._text = text
        query = parse(text, self.fields.nesting, self.fields.by_spelling)
        self.problems += query.problems
        tree = map_leaves(query.tree, self._understood)
        self.advise_on(tree)
        order: dict[str, SortKey] = {}
        for one in query.order:
            try:
                word = self.sorted_by(one)
            except NotUnderstood as wrong:
                self.problems += wrong.problems
            else:
                order.setdefault(word, replace(one, key=word))
        return Query(tree, limited(self.problems), tuple(order.values()), text)

    def advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        """Add advice on what is valid and yet probably not meant."""
        self.problems.add(code, message, span, *suggestions, advice=True)

    def _understood(self, leaf: Tree) -> Tree | None:
        try:
            return self._leaf(leaf)
        except NotUnderstood as wrong:
            self.problems += wrong.problems
            return None

    def _leaf(self, leaf: Tree) -> Tree | None:
        match leaf:
            case Term():
                field = self.fields.get(leaf.key)
                if field is None:
                    raise self.unknown_field(leaf)
                if leaf.op in field.operators:
                    return self._term(replace(leaf, key=field.word), field)
                message = f"“{field.word}” takes {' '.join(field.operators)}, not {leaf.op}."
                between = Span(leaf.key_span.end, leaf.value_span.start)
                raise fault("wrong-operator", message, between, *field.operators[:2])
            case Regex():
                return self.regex(leaf)
            case Word(value) | Exact(value):
                if not fold(value):
                    raise nothing_to_find(leaf)
                # Parts of words are found without a star.
                plain = value.rstrip("*") if self.typed(leaf.span) == value else ""
                return self.words(replace(leaf, value=plain or value))
        return leaf

    def _term(self, term: Term, field: Field) -> Tree | None:
        """Return what a term means: ``craft:4+`` and ``craft:3-5`` are comparisons, behind a colon may stand
        a space. Advice says how such a term is read.
        """
        is_number = not term.in_quotes and all(place.kind == "number" for place in field.places)
        sizes = _sizes_of(term) if is_number else ()
        meant = all_of(replace(term, op=op, value=number) for op, number in sizes) or term
        if sizes or (term.op == ":" and self._text[term.value_span.start - 1].isspace()):
            read = normal(meant)
            code = "read-as-comparison" if sizes else "space-after-colon"
            message = (
                f"“{self.typed(term.span)}” is read as {read}. To look for it as words, put it in quotes."
            )
            # A minus before it would exclude the first condition alone.
            is_excluded = self._text[: term.span.start].endswith(tuple(MINUSES))
            self.advise(
                code, message, term.span, f"({read})" if is_excluded and isinstance(meant, And) else read
            )
        return map_leaves(meant, lambda part: self.term(part, field))

    def words(self, leaf: Word | Exact) -> Tree:
        """Return what words or a whole name mean: themselves."""
        return leaf

    def term(self, term: Term, field: Field) -> Tree | None:
        """Return what a term means whose operator its field takes."""
        raise NotImplementedError

    def regex(self, regex: Regex) -> Tree:
        """Return what a regular expression means."""
        raise NotImplementedError

    def unknown_field(self, leaf: Term) -> NotUnderstood:
        """The fault of a word that is no field."""
        raise NotImplementedError

    def sorted_by(self, order: SortKey) -> str:
        """The word of what is sorted by."""
        raise NotImplementedError

    def advise_on(self, tree: Tree | None) -> None:
        """Advise on what is understood."""


def _sizes_of(term: Term) -> Bounds:
    """Return what ``4+``, ``3-5`` and ``4,`` say; nothing if the value is none of these."""
    value = term.value
    if value[-1] in ",;" and value.isascii() and value[:-1].isdecimal():
        return ((term.op, value[:-1]),)
    parts = parts_of_size(value) if term.op in (":", "=") else ()
    sizes, taken = amount_at(parts, 0) if len(parts) > 1 else ((), 0)
    return sizes if taken == len(parts) else ()


# -- queries of cards ------------------------------------------------------------------


class CardChecker(Checker):
    """Checks what is asked of cards. Counts the regular expressions of one query."""

    fields: Fields
    _patterns = 0

    def term(self, term: Term, field: Field) -> Tree | None:
        """Return what a term means."""
        fields = self.fields
        if field.kind == "similar":
            return self._similar(term)
        if field.kind in ("is", "has"):
            return self._question(term, field)
        places = field.asked(term.op, term.value)
        if not places:
            other = None if term.in_quotes else fields.get(term.value)
            if other and field.is_number and other.is_number:
                return Versus(field.word, "=" if term.op == ":" else term.op, other.word, span=term.span)
            if term.op in EQUALITY and (printed := fields.printed(field, term.value)):
                return replace(term, key=printed.word)
            raise self._bad_value(term, field)
        if field.word == "disputed" and (about := fields.get(term.value)) and len(about.places) == 1:
            return replace(term, value=about.places[0].key)
        known = field.values
        is_open = any(one.is_open or (one.kind != "exact" and not one.is_counted) for one in places)
        if known and not is_open and not any(place.meant(term.op, term.value) for place in places):
            # A value that no card has is a good question with an empty answer, and most often a slip.
            if field.word == "certainty" and fold(term.value) == "disputed":
                message, instead = "What sources disagree about is found by is:disputed.", "is:disputed"
                self.advise("unknown-value", message, term.span, f"{'-' if term.op == '!=' else ''}{instead}")
            else:
                message = f"{field.title}: no card has “{term.value}”."
                self.advise(
                    "unknown-value", message, term.value_span, *map(written, alike(term.value, known))
                )
        return term

    def _question(self, term: Term, field: Field) -> Tree:
        """Return what ``is:``, ``not:`` or ``has:`` means; or why it cannot be answered, and what could be
        asked instead.
        """
        fields, word = self.fields, fold(term.value)
        if field.kind == "is" and word in SHORT_FORMS and not fields.question_places("is", word):
            key, op, value = SHORT_FORMS[word]
            meant: Tree = replace(term, key=key, op=op, value=value)
        elif fields.question_places(field.kind, term.value):
            about = fields.get(term.value)
            meant = replace(term, key=field.kind, value=about.word if about else term.value)
        else:
            words = fields.askable(field.kind)
            more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
            what = "flag" if field.kind == "is" else "fact"
            message = f"No {what} is called “{term.value}”. There are: {', '.join(words[:MAX_NAMED])}{more}."
            types = (kind for game in fields.games for kind in game.types)
            of_type = next((kind.slug for kind in types if word in (kind.slug, fold(kind.name))), "")
            if field.kind == "is" and of_type:
                minus = "-" if field.word == "not" else ""
                raise fault("bad-value", message, term.span, f"{minus}type:{of_type}")
            raise fault("bad-value", message, term.value_span, *alike(term.value, words))
        return none_of(meant, term.span.start) if field.word == "not" else meant

    def _similar(self, term: Term) -> Tree:
        """Return what ``similar:`` stands for; or why it has no card to compare with. For a name in several
        games the suggestions put the game before it.
        """
        fields, find = self.fields, self.fields.cards
        card = find(term.value)
        game = next((game for game in fields.games if card and game.slug == card.game), None)
        if card and game:
            if meant := like_card(card, game, term.value, term.span):
                return meant
            message = f"Nothing is known of “{card.name}” that others could be compared by."
            raise fault("bad-value", message, term.value_span)
        slugs = [game.slug for game in fields.games if find(f"{game.slug}/{term.value}")]
        message = f"Several cards are called “{term.value}”; a game before the name says which."
        others = [written(f"{slug}/{term.value}") for slug in slugs]
        if not slugs:
            message = f"No single card is called “{term.value}”."
            names = fields.names_like(term.value)
            others = [quoted(name) for name in names if fold(name) != fold(term.value)]
        raise fault("unknown-card", message, term.value_span, *list(dict.fromkeys(others))[:MAX_SUGGESTIONS])

    def regex(self, regex: Regex) -> Tree:
        """The expression without accents."""
        self._patterns += 1
        field = self.fields.get(regex.key)
        if field is None:
            raise self.unknown_field(regex)
        pattern = unaccented(regex.pattern)
        if all(place.kind in ("number", "flag", "is", "has", "similar") for place in field.places):
            message = f"“{field.word}” has no text that a regular expression could be found in."
            raise fault("wrong-operator", message, regex.value_span)
        if self._patterns > MAX_PATTERNS:
            message = f"A query has at most {MAX_PATTERNS} regular expressions; this one is left out."
            raise fault("too-many-patterns", message, regex.span, "")
        if wrong := what_is_wrong(pattern):
            raise fault("bad-regex", wrong, regex.value_span)
        return replace(regex, key=field.word, pattern=pattern)

    def _bad_value(self, term: Term, field: Field) -> NotUnderstood:
        kinds, value, like = {place.kind for place in field.places}, term.value, tuple[str, ...]()
        if "number" in kinds:
            message = (
                f"{field.title} is compared with a whole number or another number field, not with “{value}”."
            )
            if not term.in_quotes:
                like = alike(
                    value, {one: of.word for one, of in self.fields.by_spelling.items() if of.is_number}
                )
        elif term.op in COMPARISONS:
            message = f"Collector numbers are compared with a whole number, not with “{value}”."
        elif "flag" in kinds:
            message, like = f"{field.title} is yes or no, not “{value}”.", (YES[0], NO[0])
        else:
            return nothing_to_find(term)
        return fault("bad-value", message, term.value_span, *like)

    def unknown_field(self, leaf: Term | Regex) -> NotUnderstood:
        """The fault of a word that is no field, with fields of that meaning, fields that have its value, or
        words like it.
        """
        reason = NOT_HERE.get(leaf.key.casefold(), "")
        suggestions = self._meant_elsewhere(leaf.key)
        if not suggestions and not reason:
            like = alike(leaf.key, self.fields.spellings)
            suggestions = (fields_having(leaf, self.fields, like) if isinstance(leaf, Term) else ()) or like
        message = f"No field is called “{leaf.key}”. {reason}".rstrip()
        return fault("unknown-field", message, leaf.key_span, *suggestions)

    def _meant_elsewhere(self, word: str) -> tuple[str, ...]:
        """The fields here that mean what the word means in other searches."""
        meant = map(self.fields.get, ELSEWHERE.get(word.casefold(), "").split())
        return tuple(dict.fromkeys(field.word for field in meant if field))

    def sorted_by(self, order: SortKey) -> str:
        """The word of the field that cards are sorted by; a fault where there is none, or cards may have
        several values of it.
        """
        fields, field = self.fields, self.fields.get(order.key)
        if field and field.sortable:
            return field.word
        like = alike(order.key, {one: of.word for one, of in fields.by_spelling.items() if of.sortable})
        if field:
            message = f"Cards are not sorted by “{field.word}”: it is no single number or word."
            raise fault("not-sortable", message, order.span, *(like or ("name",)))
        meant = tuple(one for one in self._meant_elsewhere(order.key) if fields.by_spelling[one].sortable)
        raise fault("unknown-field", f"No field is called “{order.key}”.", order.span, *(meant or like))

    def advise_on(self, tree: Tree | None) -> None:
        """Advise on the exact names that no card has."""
        exact: Iterator[Any] = (
            leaf
            for leaf in leaves(tree)
            if isinstance(leaf, Exact)
            or (isinstance(leaf, Term) and leaf.key == "name" and leaf.op in ("=", "!="))
        )
        for leaf in islice(exact, MAX_NAMES_LOOKED_UP):
            names = self.fields.names_like(leaf.value)
            if fold(leaf.value) not in map(fold, names):
                is_term = isinstance(leaf, Term)
                others = dict.fromkeys(written(name) if is_term else f"!{quoted(name)}" for name in names)
                span = leaf.value_span if is_term else leaf.span
                message = f"No card is called “{leaf.value}”."
                self.advise("unknown-name", message, span, *list(others)[:MAX_SUGGESTIONS])


def fields_having(term: Term, fields: Fields, like: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The fields of which some card has the value of a term, those ``like`` its word first; number fields
    only if like it.
    """
    word = f" {fold(term.value)} "

    def has(field: Field) -> bool:
        places = field.asked(term.op, term.value)
        return any(place.is_open or place.meant(term.op, term.value) for place in places)

    def states(field: Field) -> bool:
        """A value of the field is the one typed, or has it as a whole word."""
        return not field.is_aside and any(
            word in f" {value} "
            for place in field.places
            if place.kind in ("word", "words", "exact") and place.takes(term.op, term.value)
            for value in place.known
        )

    similar = (field for one in like if (field := fields.get(one)))
    having = (*filter(has, similar), *filter(states, fields))
    return tuple(islice(dict.fromkeys(field.word for field in having), MAX_SUGGESTIONS))
