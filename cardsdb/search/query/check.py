"""Check a query against the fields: drop and report what they cannot answer, write short forms out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal, tree_json, written
from cardsdb.search.query.plain_english import read_plain_english
from cardsdb.search.query.similar import like_card
from cardsdb.search.query.standard import COMPARISONS, EQUALITY, NO, SHORT_FORMS, YES, Field
from cardsdb.search.query.suggest import (
    alike,
    no_such_question,
    nothing_to_find,
    order_problem,
    unknown_card,
    unknown_field,
    unknown_names,
    wrong_operator,
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
    limited,
    map_leaves,
    none_of,
)
from cardsdb.search.query.values import unaccented, what_is_wrong
from cardsdb.search.query.words import in_words

# Regular expressions in one query.
MAX_PATTERNS = 3


def explain(text: str, fields: Fields) -> dict[str, Any]:
    """How a query is understood, as JSON for the API and the command line."""
    query = check(parse(text), fields)
    return {
        "normal": normal(query),
        "words": in_words(query, fields),
        "tree": tree_json(query.tree),
        "order": [{"key": one.key, "descending": one.descending} for one in query.order],
        "problems": [problem.as_json() for problem in query.problems],
    }


# -- checking -----------------------------------------------------------------------


def check(query: Query, fields: Fields) -> Query:
    """The query without the terms that these fields cannot answer, each reported; short forms are written
    out.
    """
    plain, problems = read_plain_english(query, fields)
    patterns = 0

    def checked(leaf: Tree) -> Tree | None:
        match leaf:
            case Term():
                meant, of_leaf = _checked(leaf, fields)
            case Regex():
                nonlocal patterns
                patterns += 1
                meant, of_leaf = _checked_regex(leaf, fields, patterns)
            case Word(value) | Exact(value):
                meant, of_leaf = leaf, () if fold(value) else (nothing_to_find(leaf),)
            case _:
                return leaf
        problems.extend(of_leaf)
        return None if any(not problem.advice for problem in of_leaf) else meant

    tree = map_leaves(plain, checked)
    problems += unknown_names(tree, fields)
    order: dict[str, SortKey] = {}
    for one in query.order:
        if problem := order_problem(one, fields):
            problems.append(problem)
        elif field := fields.get(one.key):
            order.setdefault(field.word, replace(one, key=field.word))
    return Query(tree, limited(problems), tuple(order.values()), query.text)


Checked = tuple[Tree, tuple[Problem, ...]]


def _checked(term: Term, fields: Fields) -> Checked:
    """What a term means, and what is wrong with it."""
    field = fields.get(term.key)
    if field is None:
        return term, (unknown_field(term, fields),)
    other = _other_field(term, field, fields)
    if other:
        return Versus(field.word, "=" if term.op == ":" else term.op, other.word, term.span), ()
    if term.op not in field.operators:
        return term, (wrong_operator(term, field),)
    if term.key != field.word:
        term = replace(term, key=field.word)
    match field.kind:
        case "similar":
            return _similar(term, fields)
        case "is" | "has":
            return _question(term, field, fields)
    places = fields.places(field, term.op, term.value)
    if not places:
        if term.op in EQUALITY and (printed := fields.printed(field, term.value)):
            return replace(term, key=printed.word), ()
        return term, (_bad_value(term, field, fields),)
    if field.word == "disputed" and (about := fields.get(term.value)) and len(about.places) == 1:
        return replace(term, value=about.places[0].key), ()
    known = fields.values(field)
    is_open = any(
        place.is_open or (place.kind != "exact" and not fields.is_counted(place)) for place in places
    )
    if is_open or not known or any(fields.meant(place, term.op, term.value) for place in places):
        return term, ()
    if field.word == "certainty" and fold(term.value) == "disputed":
        instead = f"{'-' if term.op == '!=' else ''}is:disputed"
        return term, (
            _problem(
                "unknown-value",
                "What sources disagree about is found by is:disputed.",
                term.span,
                instead,
                advice=True,
            ),
        )
    # A value that no card has is a good question with an empty answer, and most often a slip.
    suggestions = tuple(written(value) for value in alike(term.value, known))
    return term, (
        _problem(
            "unknown-value",
            f"{field.title}: no card has “{term.value}”.",
            term.value_span,
            *suggestions,
            advice=True,
        ),
    )


def _other_field(term: Term, field: Field, fields: Fields) -> Field | None:
    """The number field that a number field is compared with; None if the term is about a value."""
    other = None if term.in_quotes or fields.places(field, term.op, term.value) else fields.get(term.value)
    return other if other and fields.is_number(field.word) and fields.is_number(other.word) else None


def _question(term: Term, field: Field, fields: Fields) -> Checked:
    """What ``is:``, ``not:`` or ``has:`` means, and what is wrong with it."""
    word = fold(term.value)
    if field.kind == "is" and word in SHORT_FORMS and not fields.flag(word):
        meant: Tree = Term(*SHORT_FORMS[word], term.span, term.key_span, term.value_span)
    elif fields.question_places(field.kind, term.value):
        about = fields.get(term.value)
        meant = replace(
            term, key="is" if field.kind == "is" else "has", value=about.word if about else term.value
        )
    else:
        return term, (no_such_question(term, field, fields),)
    return none_of(meant, term.span.start) if field.word == "not" else meant, ()


def _similar(term: Term, fields: Fields) -> Checked:
    card = fields.cards(term.value) if fields.cards else None
    game = next((game for game in fields.games if card and game.slug == card.game), None)
    if card is None or game is None:
        return term, (unknown_card(term, fields),)
    meant = like_card(card, game, term.value, term.span)
    if meant is None:
        return term, (
            _problem(
                "bad-value",
                f"Nothing is known of “{card.name}” that others could be compared by.",
                term.value_span,
            ),
        )
    return meant, ()


def _checked_regex(regex: Regex, fields: Fields, number: int) -> Checked:
    field = fields.get(regex.key)
    if field is None:
        return regex, (unknown_field(regex, fields),)
    if all(place.kind in ("number", "flag", "is", "has", "similar") for place in field.places):
        message = f"“{field.word}” has no text that a regular expression could be found in."
        return regex, (_problem("wrong-operator", message, regex.value_span),)
    if number > MAX_PATTERNS:
        message = f"A query has at most {MAX_PATTERNS} regular expressions; this one is left out."
        return regex, (_problem("too-many-patterns", message, regex.span, ""),)
    pattern = unaccented(regex.pattern)
    if fault := what_is_wrong(pattern):
        return regex, (_problem("bad-regex", fault, regex.value_span),)
    return replace(regex, key=field.word, pattern=pattern), ()


def _bad_value(term: Term, field: Field, fields: Fields) -> Problem:
    kinds = {place.kind for place in field.places}
    if "number" in kinds:
        message = (
            f"{field.title} is compared with a whole number or another number field, not with “{term.value}”."
        )
        numbers = (
            {}
            if term.in_quotes
            else {spelling: word for spelling, word in fields.spellings.items() if fields.is_number(word)}
        )
        return _problem("bad-value", message, term.value_span, *alike(term.value, numbers))
    if term.op in COMPARISONS:
        message = f"Collector numbers are compared with a whole number, not with “{term.value}”."
        return _problem("bad-value", message, term.value_span)
    if "flag" in kinds:
        return _problem(
            "bad-value", f"{field.title} is yes or no, not “{term.value}”.", term.value_span, YES[0], NO[0]
        )
    return nothing_to_find(term)


def _problem(code: str, message: str, span: Span, *suggestions: str, advice: bool = False) -> Problem:
    return Problem(code, message, *span, suggestions, advice)
