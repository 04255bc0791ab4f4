"""Suggestions for what was typed: search words, values and names that are like it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Protocol

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.normal_form import quoted, written
from cardsdb.search.query.standard import Field, Place
from cardsdb.search.query.tree import Exact, Problem, Regex, SortKey, Span, Term, Tree, Word, leaves

# How alike a suggestion must be, in hundredths.
LIKENESS = 60
# Suggestions to one problem.
MAX_SUGGESTIONS = 3
# Flags or facts that a message names.
MAX_NAMED = 12
# Names whose spelling is looked up; the others are only searched for.
MAX_NAMES_LOOKED_UP = 5
# Fields about the making of the catalogue, and one that repeats others: a word that is no field never means
# these.
PLACES_OF_OTHERS = ("source", "certainty", "disputed", "in")
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
_REASONS = {
    **dict.fromkeys(("legal", "format", "f", "banned"), _DECKS),
    **dict.fromkeys(("y", "year", "date"), _DATES),
}


def alike(typed: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The known values that are most like the typed one, or have a word like it, as shown; best first."""
    from rapidfuzz import fuzz

    folded = fold(typed)
    scores: dict[str, float] = {}
    for value, shown in known.items():
        score = max(fuzz.ratio(folded, part) for part in (value, *value.split()))
        if score >= LIKENESS:
            scores[shown] = max(score, scores.get(shown, 0))
    return tuple(sorted(scores, key=lambda shown: (-scores[shown], shown))[:MAX_SUGGESTIONS])


class SearchField(Protocol):
    """A field of cards or of decks, as far as its operators go."""

    @property
    def word(self) -> str: ...
    @property
    def operators(self) -> tuple[str, ...]: ...


def wrong_operator(term: Term, field: SearchField) -> Problem:
    """The problem of an operator that the field does not take."""
    message = f"“{field.word}” takes {' '.join(field.operators)}, not {term.op}."
    return Problem(
        "wrong-operator", message, term.key_span.end, term.value_span.start, tuple(field.operators[:2])
    )


def nothing_to_find(leaf: Word | Exact | Term) -> Problem:
    """The problem of a word or value of which folding leaves nothing."""
    return Problem("bad-value", "Nothing is left of this that could be looked for.", *leaf.span, ("",))


def unknown_field(leaf: Term | Regex, fields: Fields) -> Problem:
    """The problem of a word that is no field, with fields of that meaning, fields that have its value, or
    words like it.
    """
    word = leaf.key
    reason = reason_for_none(word)
    message = f"No field is called “{word}”.{' ' if reason else ''}{reason}"
    suggestions = meant_by(word, fields)
    if not suggestions and not reason:
        like = alike(word, fields.spellings)
        suggestions = fields_having(leaf, fields, like) or like
    return Problem("unknown-field", message, *leaf.key_span, suggestions)


def fields_having(leaf: Term | Regex, fields: Fields, like: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The fields of which some card has the value of a term, those ``like`` its word first; number fields
    only if like it.
    """
    if isinstance(leaf, Regex):
        return ()
    similar = (field for word in like if (field := fields.get(word)))
    fitting = (
        field.word
        for field in similar
        if any(_has(place, leaf, fields) for place in fields.places(field, leaf.op, leaf.value))
    )
    others = (
        field.word
        for field in fields
        if field.word not in PLACES_OF_OTHERS and any(_states(p, leaf, fields) for p in field.places)
    )
    return tuple(islice(dict.fromkeys((*fitting, *others)), MAX_SUGGESTIONS))


def _has(place: Place, term: Term, fields: Fields) -> bool:
    return place.is_open or bool(fields.meant(place, term.op, term.value))


def _states(place: Place, term: Term, fields: Fields) -> bool:
    """Whether a value here is the one typed, or has it as a whole word."""
    if place.kind not in ("word", "words", "exact") or not place.takes(term.op, term.value):
        return False
    word = f" {fold(term.value)} "
    return any(word in f" {value} " for value in fields.known(place))


def no_such_question(term: Term, field: Field, fields: Fields) -> Problem:
    """Why ``is:``, ``not:`` or ``has:`` cannot be answered, and what could be asked instead."""
    words = fields.askable(field.kind)
    more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
    what = "flag" if field.kind == "is" else "fact"
    message = f"No {what} is called “{term.value}”. There are: {', '.join(words[:MAX_NAMED])}{more}."
    word = fold(term.value)
    types = (kind for game in fields.games for kind in game.types)
    if field.kind == "is" and (
        kind := next((kind for kind in types if word in (kind.slug, fold(kind.name))), None)
    ):
        return Problem(
            "bad-value", message, *term.span, (f"{'-' if field.word == 'not' else ''}type:{kind.slug}",)
        )
    return Problem("bad-value", message, *term.value_span, alike(term.value, {word: word for word in words}))


def order_problem(order: SortKey, fields: Fields) -> Problem | None:
    """Why cards cannot be sorted so, None if they can."""
    if fields.sortable(order.key):
        return None
    words = {spelling: word for spelling, word in fields.spellings.items() if fields.sortable(word)}
    field = fields.get(order.key)
    if field is None:
        meant = tuple(word for word in meant_by(order.key, fields) if fields.sortable(word))
        return Problem(
            "unknown-field",
            f"No field is called “{order.key}”.",
            *order.span,
            meant or alike(order.key, words),
        )
    message = f"Cards are not sorted by “{field.word}”: it is no single number or word."
    return Problem("not-sortable", message, *order.span, alike(order.key, words) or ("name",))


def unknown_names(tree: Tree | None, fields: Fields) -> list[Problem]:
    """Advice on the exact names that no card has."""
    if fields.names_like is None:
        return []
    problems = []
    for leaf in islice(filter(_is_exact_name, leaves(tree)), MAX_NAMES_LOOKED_UP):
        span: Span = leaf.value_span if isinstance(leaf, Term) else leaf.span
        names = fields.names_like(leaf.value)
        if fold(leaf.value) not in map(fold, names):
            suggestions = tuple(
                dict.fromkeys(
                    written(name) if isinstance(leaf, Term) else f"!{quoted(name)}" for name in names
                )
            )
            suggestions = suggestions[:MAX_SUGGESTIONS]
            problems.append(
                Problem("unknown-name", f"No card is called “{leaf.value}”.", *span, suggestions, advice=True)
            )
    return problems


def _is_exact_name(leaf: Tree) -> bool:
    return isinstance(leaf, Exact) or (
        isinstance(leaf, Term) and leaf.key == "name" and leaf.op in ("=", "!=")
    )


def unknown_card(term: Term, fields: Fields) -> Problem:
    """Why ``similar:`` has no card to compare with. For a name in several games the suggestions put the game
    before it.
    """
    slugs = [game.slug for game in fields.games if fields.cards and fields.cards(f"{game.slug}/{term.value}")]
    if slugs:
        message = f"Several cards are called “{term.value}”; a game before the name says which."
        return Problem(
            "unknown-card",
            message,
            *term.value_span,
            tuple(written(f"{slug}/{term.value}") for slug in slugs[:MAX_SUGGESTIONS]),
        )
    names = fields.names_like(term.value) if fields.names_like else []
    others = tuple(dict.fromkeys(quoted(name) for name in names if fold(name) != fold(term.value)))
    return Problem(
        "unknown-card",
        f"No single card is called “{term.value}”.",
        *term.value_span,
        others[:MAX_SUGGESTIONS],
    )


# -- words of other searches ------------------------------------------------------------


def meant_by(word: str, fields: Fields) -> tuple[str, ...]:
    """The fields here that mean what the word means in other searches."""
    meant = (fields.get(one) for one in _MEANT.get(word.casefold(), ()))
    return tuple(dict.fromkeys(field.word for field in meant if field))


def reason_for_none(word: str) -> str:
    """Why there is no such field here, as a sentence; empty for any other word."""
    return _REASONS.get(word.casefold(), "")
