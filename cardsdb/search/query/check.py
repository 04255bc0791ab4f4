"""Check a query against a table of fields: what its parts mean, what is wrong with them, and what is like
them.

``Checker`` walks any query; ``CardChecker`` knows what is said of cards. Parts that cannot be answered are
dropped and reported, short forms are written out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Generic, TypeVar

from cardsdb.games.kit.model.names import alike as texts_alike
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.fields import Fields, Table, TableField
from cardsdb.search.query.grammar import Token, parse
from cardsdb.search.query.matching import like_card
from cardsdb.search.query.plain_english import PlainEnglish
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
    Exact,
    Problem,
    Query,
    Regex,
    SortKey,
    Span,
    Term,
    Tree,
    Versus,
    Word,
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

F = TypeVar("F", bound=TableField)
# What a leaf means, None if it is dropped; and its problems.
Checked = tuple[Tree | None, tuple[Problem, ...]]
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
    """The query of a text without the terms that these fields of cards cannot answer, each reported; short forms are
    written out.
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


class Checker(ABC, Generic[F]):
    """Checks queries against a table of fields. What words, terms and expressions mean is said for each kind
    of thing that is searched.
    """

    def __init__(self, fields: Table[F]) -> None:
        self.table = fields
        self._text = ""

    def typed(self, span: Span) -> str:
        """The part of the query that is checked, letter by letter."""
        return self._text[span.start : span.end]

    def check(self, text: str) -> Query:
        """The query of a text as it is understood, with every problem."""
        self._text = text
        query = parse(text, self.table.nesting, self._plain_english)
        problems = list(query.problems)

        def understood(leaf: Tree) -> Tree | None:
            meant, of_leaf = self._leaf(leaf)
            problems.extend(of_leaf)
            return meant

        tree = map_leaves(query.tree, understood)
        problems += self.advice_on(tree)
        order: dict[str, SortKey] = {}
        for one in query.order:
            if word := self.sorted_by(one.key):
                order.setdefault(word, replace(one, key=word))
            else:
                problems.append(self.not_sortable(one))
        return Query(tree, limited(problems), tuple(order.values()), query.text)

    def _plain_english(self, text: str, tokens: list[Token], problems: list[Problem]) -> list[Token]:
        return PlainEnglish(text, tokens, self.table, problems).read()

    def _leaf(self, leaf: Tree) -> Checked:
        match leaf:
            case Term():
                field = self.table.get(leaf.key)
                if field is None:
                    return None, (self.unknown_field(leaf),)
                if leaf.op in field.operators:
                    return self.term(replace(leaf, key=field.word), field)
                message = f"“{field.word}” takes {' '.join(field.operators)}, not {leaf.op}."
                between = leaf.key_span.end, leaf.value_span.start
                return None, (Problem("wrong-operator", message, *between, field.operators[:2]),)
            case Regex():
                return self.regex(leaf)
            case Word(value) | Exact(value):
                return (self.words(leaf), ()) if fold(value) else (None, (nothing_to_find(leaf),))
        return leaf, ()

    @abstractmethod
    def words(self, leaf: Word | Exact) -> Tree:
        """Return what words or a whole name mean."""

    @abstractmethod
    def term(self, term: Term, field: F) -> Checked:
        """Return what a term means whose operator its field takes, and what is wrong with it."""

    @abstractmethod
    def regex(self, regex: Regex) -> Checked:
        """Return what a regular expression means, and what is wrong with it."""

    @abstractmethod
    def unknown_field(self, leaf: Term) -> Problem:
        """The problem of a word that is no field."""

    @abstractmethod
    def sorted_by(self, word: str) -> str:
        """The word of what is sorted by, empty where nothing can be."""

    @abstractmethod
    def not_sortable(self, order: SortKey) -> Problem:
        """Why nothing is sorted so."""

    def advice_on(self, tree: Tree | None) -> Iterable[Problem]:
        """Advice on what is understood."""
        return ()


def nothing_to_find(leaf: Word | Exact | Term) -> Problem:
    """The problem of a word or value of which folding leaves nothing."""
    return Problem("bad-value", "Nothing is left of this that could be looked for.", *leaf.span, ("",))


# -- queries of cards ------------------------------------------------------------------


class CardChecker(Checker[Field]):
    """Checks what is asked of cards. Counts the regular expressions of one query."""

    def __init__(self, fields: Fields) -> None:
        super().__init__(fields)
        self.fields = fields
        self._patterns = 0

    def words(self, leaf: Word | Exact) -> Tree:
        """The words themselves: what is asked of cards is matched as it stands."""
        return leaf

    def term(self, term: Term, field: Field) -> Checked:
        """Return what a term means, and what is wrong with it."""
        fields = self.fields
        match field.kind:
            case "similar":
                return self._similar(term)
            case "is" | "has":
                return self._question(term, field)
        places = fields.places(field, term.op, term.value)
        if not places:
            other = None if term.in_quotes else fields.get(term.value)
            if other and fields.is_number(field.word) and fields.is_number(other.word):
                return Versus(field.word, "=" if term.op == ":" else term.op, other.word, term.span), ()
            if term.op in EQUALITY and (printed := fields.printed(field, term.value)):
                return replace(term, key=printed.word), ()
            return None, (self._bad_value(term, field),)
        if field.word == "disputed" and (about := fields.get(term.value)) and len(about.places) == 1:
            return replace(term, value=about.places[0].key), ()
        known = fields.values(field)
        if (
            not known
            or any(
                place.is_open or (place.kind != "exact" and not fields.is_counted(place)) for place in places
            )
            or any(fields.meant(place, term.op, term.value) for place in places)
        ):
            return term, ()
        # A value that no card has is a good question with an empty answer, and most often a slip.
        if field.word == "certainty" and fold(term.value) == "disputed":
            message, span = "What sources disagree about is found by is:disputed.", term.span
            suggestions: tuple[str, ...] = (f"{'-' if term.op == '!=' else ''}is:disputed",)
        else:
            message, span = f"{field.title}: no card has “{term.value}”.", term.value_span
            suggestions = tuple(map(written, alike(term.value, known)))
        return term, (Problem("unknown-value", message, *span, suggestions, advice=True),)

    def _question(self, term: Term, field: Field) -> Checked:
        """Return what ``is:``, ``not:`` or ``has:`` means; or why it cannot be answered, and what could be
        asked instead.
        """
        fields, word = self.fields, fold(term.value)
        if field.kind == "is" and word in SHORT_FORMS and not fields.question_places("is", word):
            meant: Tree = Term(*SHORT_FORMS[word], term.span, term.key_span, term.value_span)
        elif fields.question_places(field.kind, term.value):
            about = fields.get(term.value)
            meant = replace(
                term, key="is" if field.kind == "is" else "has", value=about.word if about else term.value
            )
        else:
            words = fields.askable(field.kind)
            more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
            what = "flag" if field.kind == "is" else "fact"
            message = f"No {what} is called “{term.value}”. There are: {', '.join(words[:MAX_NAMED])}{more}."
            types = (
                kind.slug
                for game in fields.games
                for kind in game.types
                if word in (kind.slug, fold(kind.name))
            )
            if field.kind == "is" and (slug := next(types, "")):
                span = term.span
                suggestions: tuple[str, ...] = (f"{'-' if field.word == 'not' else ''}type:{slug}",)
            else:
                span, suggestions = term.value_span, alike(term.value, words)
            return None, (Problem("bad-value", message, *span, suggestions),)
        return none_of(meant, term.span.start) if field.word == "not" else meant, ()

    def _similar(self, term: Term) -> Checked:
        """Return what ``similar:`` stands for; or why it has no card to compare with. For a name in several
        games the suggestions put the game before it.
        """
        fields, find, names_like = self.fields, self.fields.cards, self.fields.names_like
        card = find(term.value)
        game = next((game for game in fields.games if card and game.slug == card.game), None)
        if card and game:
            meant = like_card(card, game, term.value, term.span)
            message = f"Nothing is known of “{card.name}” that others could be compared by."
            return meant, () if meant else (Problem("bad-value", message, *term.value_span),)
        slugs = [game.slug for game in fields.games if find(f"{game.slug}/{term.value}")]
        if slugs:
            message = f"Several cards are called “{term.value}”; a game before the name says which."
            others = [written(f"{slug}/{term.value}") for slug in slugs]
        else:
            message = f"No single card is called “{term.value}”."
            others = [quoted(name) for name in names_like(term.value) if fold(name) != fold(term.value)]
        suggestions = tuple(dict.fromkeys(others))[:MAX_SUGGESTIONS]
        return None, (Problem("unknown-card", message, *term.value_span, suggestions),)

    def regex(self, regex: Regex) -> Checked:
        """The expression without accents, and what is wrong with it."""
        self._patterns += 1
        field = self.fields.get(regex.key)
        if field is None:
            return None, (self.unknown_field(regex),)
        pattern = unaccented(regex.pattern)
        if all(place.kind in ("number", "flag", "is", "has", "similar") for place in field.places):
            message = f"“{field.word}” has no text that a regular expression could be found in."
            problem = Problem("wrong-operator", message, *regex.value_span)
        elif self._patterns > MAX_PATTERNS:
            message = f"A query has at most {MAX_PATTERNS} regular expressions; this one is left out."
            problem = Problem("too-many-patterns", message, *regex.span, ("",))
        elif fault := what_is_wrong(pattern):
            problem = Problem("bad-regex", fault, *regex.value_span)
        else:
            return replace(regex, key=field.word, pattern=pattern), ()
        return None, (problem,)

    def _bad_value(self, term: Term, field: Field) -> Problem:
        kinds, value, suggestions = {place.kind for place in field.places}, term.value, tuple[str, ...]()
        if "number" in kinds:
            message = (
                f"{field.title} is compared with a whole number or another number field, not with “{value}”."
            )
            spellings = self.fields.spellings.items()
            if not term.in_quotes:
                suggestions = alike(
                    value, {one: word for one, word in spellings if self.fields.is_number(word)}
                )
        elif term.op in COMPARISONS:
            message = f"Collector numbers are compared with a whole number, not with “{value}”."
        elif "flag" in kinds:
            message, suggestions = f"{field.title} is yes or no, not “{value}”.", (YES[0], NO[0])
        else:
            return nothing_to_find(term)
        return Problem("bad-value", message, *term.value_span, suggestions)

    def unknown_field(self, leaf: Term | Regex) -> Problem:
        """The problem of a word that is no field, with fields of that meaning, fields that have its value, or
        words like it.
        """
        reason = _REASONS.get(leaf.key.casefold(), "")
        message = f"No field is called “{leaf.key}”.{' ' if reason else ''}{reason}"
        suggestions = _meant_by(leaf.key, self.fields)
        if not suggestions and not reason:
            like = alike(leaf.key, self.fields.spellings)
            suggestions = (fields_having(leaf, self.fields, like) if isinstance(leaf, Term) else ()) or like
        return Problem("unknown-field", message, *leaf.key_span, suggestions)

    def sorted_by(self, word: str) -> str:
        """The word of the field that cards are sorted by, empty where they cannot be."""
        field = self.fields.get(word)
        return field.word if field and self.fields.sortable(word) else ""

    def not_sortable(self, order: SortKey) -> Problem:
        """Why cards are not sorted so: there is no such field, or cards may have several values of it."""
        fields, field = self.fields, self.fields.get(order.key)
        words = {spelling: word for spelling, word in fields.spellings.items() if fields.sortable(word)}
        like = alike(order.key, words)
        if field:
            message = f"Cards are not sorted by “{field.word}”: it is no single number or word."
            return Problem("not-sortable", message, *order.span, like or ("name",))
        meant = tuple(word for word in _meant_by(order.key, fields) if fields.sortable(word))
        return Problem("unknown-field", f"No field is called “{order.key}”.", *order.span, meant or like)

    def advice_on(self, tree: Tree | None) -> Iterator[Problem]:
        """Advice on the exact names that no card has."""
        names_like = self.fields.names_like
        for leaf in islice(filter(_is_exact_name, leaves(tree)), MAX_NAMES_LOOKED_UP):
            span: Span = leaf.value_span if isinstance(leaf, Term) else leaf.span
            names = names_like(leaf.value)
            if fold(leaf.value) not in map(fold, names):
                others = (written(name) if isinstance(leaf, Term) else f"!{quoted(name)}" for name in names)
                suggestions = tuple(dict.fromkeys(others))[:MAX_SUGGESTIONS]
                message = f"No card is called “{leaf.value}”."
                yield Problem("unknown-name", message, *span, suggestions, advice=True)


def _is_exact_name(leaf: Tree) -> bool:
    return isinstance(leaf, Exact) or (
        isinstance(leaf, Term) and leaf.key == "name" and leaf.op in ("=", "!=")
    )


def fields_having(term: Term, fields: Fields, like: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The fields of which some card has the value of a term, those ``like`` its word first; number fields
    only if like it.
    """
    word = f" {fold(term.value)} "

    def has(field: Field) -> bool:
        places = fields.places(field, term.op, term.value)
        return any(place.is_open or fields.meant(place, term.op, term.value) for place in places)

    def states(field: Field) -> bool:
        """A value of the field is the one typed, or has it as a whole word."""
        return not field.is_aside and any(
            word in f" {value} "
            for place in field.places
            if place.kind in ("word", "words", "exact") and place.takes(term.op, term.value)
            for value in fields.known(place)
        )

    similar = (field for one in like if (field := fields.get(one)))
    having = (*filter(has, similar), *filter(states, fields))
    return tuple(islice(dict.fromkeys(field.word for field in having), MAX_SUGGESTIONS))


# -- words of other searches ------------------------------------------------------------

_COSTS = ("cost", "expense")
# A word of other card games' searches -> our fields of that meaning, the likeliest first.
_MEANT = {
    **dict.fromkeys(("c", "cmc", "mv", "mana", "manavalue", "mana_value"), _COSTS),
    **dict.fromkeys(("o", "oracle", "fo", "fulloracle"), ("text",)),
    **dict.fromkeys(("e", "edition", "expansion", "b", "block"), ("set",)),
    **dict.fromkeys(("a", "art"), ("artist",)),
    **dict.fromkeys(("side", "factions"), ("faction",)),
    **dict.fromkeys(("pow", "strength", "str"), ("combat",)),
}
_DECKS = "Decks are legal in a format here, not cards: check a deck."
_DATES = "When a card was printed is not known here."
# Why there is no such field here.
_REASONS = {
    **dict.fromkeys(("legal", "format", "f", "banned"), _DECKS),
    **dict.fromkeys(("y", "year", "date"), _DATES),
}


def _meant_by(word: str, fields: Fields) -> tuple[str, ...]:
    """The fields here that mean what the word means in other searches."""
    meant = (fields.get(one) for one in _MEANT.get(word.casefold(), ()))
    return tuple(dict.fromkeys(field.word for field in meant if field))
