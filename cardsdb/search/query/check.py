"""Check a parsed query against the known fields, and suggest corrections.

``check`` is the way in for searches of cards; ``results.parse_query`` calls it for every list. The result is
a query of which every part can be answered; ``matching`` relies on that. What all kinds of searches share is
in ``checker.py``. Tests: ``tests/cardsdb/search/query/test_check.py``, with ``faults.csv`` and
``normal_forms.csv`` beside it; of ``similar:`` ``test_similar.py`` there.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from cardsdb.games.kit import fold
from cardsdb.search.query.checker import (
    MAX_SUGGESTIONS,
    Checker,
    NotUnderstood,
    alike,
    fault,
    nothing_to_find,
)
from cardsdb.search.query.english import ELSEWHERE, NOT_HERE
from cardsdb.search.query.expressions import unaccented, what_is_wrong
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.similar import like_card
from cardsdb.search.query.standard import (
    COMPARISONS,
    EQUALITY,
    NO,
    SHORT_FORMS,
    YES,
    Field,
)
from cardsdb.search.query.tree import (
    Exact,
    Query,
    Regex,
    SortKey,
    Term,
    Tree,
    Versus,
    leaves,
    none_of,
    normal,
    quoted,
    tree_json,
    written,
)
from cardsdb.search.query.words import in_words

# Regular expressions in one query.
MAX_PATTERNS = 3
# Flags or facts that one message lists.
MAX_NAMED = 12
# Exact names of one query that are checked for misspellings, because each check compares with all names.
MAX_NAMES_LOOKED_UP = 5


def explain(text: str, fields: Fields) -> dict[str, Any]:
    """Return how a query is understood, as JSON for the API and the command line."""
    query = check(text, fields)
    return {
        "normal": normal(query),
        "words": in_words(query, fields),
        "tree": tree_json(query.tree),
        "order": [{"key": key.key, "descending": key.descending} for key in query.order],
        "problems": [problem.as_json() for problem in query.problems],
    }


def check(text: str, fields: Fields) -> Query:
    """Parse and check a card query. Parts that cannot be answered are dropped and reported:

    typed           checked            problem
    t:agent         type:agent
    not:reprint     -prints>1          (a short form is expanded)
    cost=X          cost_formula=X     (what is printed in place of a number)
    craft:4+        craft>=4           advice: it is read as a comparison
    fction:krypt    (dropped)          fault: no such field; it suggests faction and restricted_to
    """
    return CardChecker(fields).check(text)


class CardChecker(Checker):
    """Checks a query of cards. ``Checker.check`` calls ``term`` and ``regex`` for the leaves of the tree,
    then ``advise_on`` for the tree and ``sorted_by`` for each sort key.
    """

    fields: Fields
    # Regular expressions so far.
    _patterns = 0

    def term(self, term: Term, field: Field) -> Tree | None:
        """Return the checked form of a term, which may be another kind of node. Raises NotUnderstood."""
        fields = self.fields
        if field.kind == "similar":
            return self._similar(term)
        if field.kind in ("is", "has"):
            return self._question(term, field)
        if not field.places_asked(term.op, term.value):
            # ``combat>health`` compares two fields; ``cost=X`` asks for what is printed in place of a number.
            other = None if term.in_quotes else fields.get(term.value)
            if other and field.is_number and other.is_number:
                return Versus(field.word, "=" if term.op == ":" else term.op, other.word, span=term.span)
            if term.op in EQUALITY and (printed := fields.printed(field, term.value)):
                return replace(term, key=printed.word)
            raise self._bad_value(term, field)
        # ``disputed:vp`` asks for the key of the fact, as ``terms`` have it: ``disputed:victory_points``.
        disputed = fields.get(term.value) if field.word == "disputed" else None
        if disputed and len(disputed.places) == 1:
            return replace(term, value=disputed.places[0].key)
        self._advise_on_value(term, field)
        return term

    def _advise_on_value(self, term: Term, field: Field) -> None:
        """Add advice if no card has the value: that is valid, but most often the value is misspelt."""
        places = field.places_asked(term.op, term.value)
        is_known = any(place.values_meant(term.op, term.value) for place in places)
        # True if cards may have other values than the known ones. Of "exact" places (codes of sets, rarities)
        # all values are known.
        is_open = any(
            place.takes_any_value or (place.kind != "exact" and not place.has_all_values) for place in places
        )
        if not field.values or is_open or is_known:
            return
        if field.word == "certainty" and fold(term.value) == "disputed":
            message = "What sources disagree about is found by is:disputed."
            instead = "-is:disputed" if term.op == "!=" else "is:disputed"
            self.advise("unknown-value", message, term.span, instead)
            return
        message = f"{field.title}: no card has “{term.value}”."
        similar = map(written, alike(term.value, field.values))
        self.advise("unknown-value", message, term.value_span, *similar)

    def _question(self, term: Term, field: Field) -> Tree:
        """Return the checked form of ``is:``, ``not:`` or ``has:``. Raises NotUnderstood with suggestions if
        there is no such flag or fact.
        """
        fields, word = self.fields, fold(term.value)
        if field.kind == "is" and word in SHORT_FORMS and not fields.question_places("is", word):
            key, op, value = SHORT_FORMS[word]
            meant: Tree = replace(term, key=key, op=op, value=value)
        elif fields.question_places(field.kind, term.value):
            about = fields.get(term.value)
            meant = replace(term, key=field.kind, value=about.word if about else term.value)
        else:
            raise self._unknown_question(term, field)
        return none_of(meant, term.span.start) if field.word == "not" else meant

    def _unknown_question(self, term: Term, field: Field) -> NotUnderstood:
        """Return the fault of ``is:``, ``not:`` or ``has:`` with a word that is no flag or fact."""
        words, word = self.fields.askable(field.kind), fold(term.value)
        more = f" and {len(words) - MAX_NAMED} more" if len(words) > MAX_NAMED else ""
        what = "flag" if field.kind == "is" else "fact"
        message = f"No {what} is called “{term.value}”. There are: {', '.join(words[:MAX_NAMED])}{more}."
        types = (kind for game in self.fields.games for kind in game.types)
        of_type = next((kind.slug for kind in types if word in (kind.slug, fold(kind.name))), "")
        if field.kind == "is" and of_type:
            minus = "-" if field.word == "not" else ""
            return fault("bad-value", message, term.span, f"{minus}type:{of_type}")
        return fault("bad-value", message, term.value_span, *alike(term.value, words))

    def _similar(self, term: Term) -> Tree:
        """Expand ``similar:`` into what it stands for. Raises NotUnderstood if it names no single card; for a
        name in several games the suggestions put the game before it.
        """
        fields, find = self.fields, self.fields.cards
        card = find(term.value)
        game = next((game for game in fields.games if card and game.slug == card.game), None)
        if card and game:
            if meant := like_card(card, game, term.value, term.span):
                return meant
            message = f"No fact of “{card.name}” is known that other cards could be compared by."
            raise fault("bad-value", message, term.value_span)
        slugs = [game.slug for game in fields.games if find(f"{game.slug}/{term.value}")]
        message = f"Several cards are called “{term.value}”. Put the game before the name."
        others = [written(f"{slug}/{term.value}") for slug in slugs]
        if not slugs:
            message = f"No single card is called “{term.value}”."
            names = fields.names_like(term.value)
            others = [quoted(name) for name in names if fold(name) != fold(term.value)]
        raise fault("unknown-card", message, term.value_span, *list(dict.fromkeys(others))[:MAX_SUGGESTIONS])

    def regex(self, regex: Regex) -> Tree:
        """Return the expression without accents, because it is searched in folded values."""
        self._patterns += 1
        field = self.fields.get(regex.key)
        if field is None:
            raise self.unknown_field(regex)
        pattern = unaccented(regex.pattern)
        if all(place.kind in ("number", "flag", "is", "has", "similar") for place in field.places):
            message = f"“{field.word}” has no text that a regular expression could match."
            raise fault("wrong-operator", message, regex.value_span)
        if self._patterns > MAX_PATTERNS:
            message = f"A query has at most {MAX_PATTERNS} regular expressions; this one is left out."
            raise fault("too-many-patterns", message, regex.span, "")
        if wrong := what_is_wrong(pattern):
            raise fault("bad-regex", wrong, regex.value_span)
        return replace(regex, key=field.word, pattern=pattern)

    def _bad_value(self, term: Term, field: Field) -> NotUnderstood:
        """Return the fault of a value that its field does not take; it says which values it takes."""
        kinds, value = {place.kind for place in field.places}, term.value
        like: tuple[str, ...] = ()
        if "number" in kinds:
            message = (
                f"{field.title} is compared with a whole number or another number field, not with “{value}”."
            )
            if not term.in_quotes:
                spellings = self.fields.by_spelling.items()
                numbers = {spelling: known.word for spelling, known in spellings if known.is_number}
                like = alike(value, numbers)
        elif term.op in COMPARISONS:
            message = f"Collector numbers are compared with a whole number, not with “{value}”."
        elif "flag" in kinds:
            message, like = f"{field.title} is yes or no, not “{value}”.", (YES[0], NO[0])
        else:
            return nothing_to_find(term)
        return fault("bad-value", message, term.value_span, *like)

    def unknown_field(self, leaf: Term | Regex) -> NotUnderstood:
        """Return the fault of a key that is no field. Suggested are our fields for a word of other searches;
        else fields that have the typed value; else fields with a similar name.
        """
        reason = NOT_HERE.get(leaf.key.casefold(), "")
        suggestions = self._called_elsewhere(leaf.key)
        if not suggestions and not reason:
            like = alike(leaf.key, self.fields.spellings)
            suggestions = (fields_having(leaf, self.fields, like) if isinstance(leaf, Term) else ()) or like
        message = f"No field is called “{leaf.key}”. {reason}".rstrip()
        return fault("unknown-field", message, leaf.key_span, *suggestions)

    def _called_elsewhere(self, word: str) -> tuple[str, ...]:
        """Return our fields for a field name of other card games' searches: ``cmc`` -> ("cost",)."""
        ours = map(self.fields.get, ELSEWHERE.get(word.casefold(), "").split())
        return tuple(dict.fromkeys(field.word for field in ours if field))

    def sorted_by(self, order: SortKey) -> str:
        """Return the word of the field to sort by. Raises NotUnderstood if there is no such field, or if a
        card can have several values of it.
        """
        fields, field = self.fields, self.fields.get(order.key)
        if field and field.sortable:
            return field.word
        spellings = fields.by_spelling.items()
        sortable = {spelling: known.word for spelling, known in spellings if known.sortable}
        like = alike(order.key, sortable)
        if field:
            message = f"Cards cannot be sorted by “{field.word}”: a card can have several values of it."
            raise fault("not-sortable", message, order.span, *(like or ("name",)))
        ours = tuple(word for word in self._called_elsewhere(order.key) if fields.by_spelling[word].sortable)
        raise fault("unknown-field", f"No field is called “{order.key}”.", order.span, *(ours or like))

    def advise_on(self, tree: Tree | None) -> None:
        """Add advice for exact names that no card has."""
        exact: Iterator[Any] = (
            leaf
            for leaf in leaves(tree)
            if isinstance(leaf, Exact)
            or (isinstance(leaf, Term) and leaf.key == "name" and leaf.op in ("=", "!="))
        )
        for leaf in islice(exact, MAX_NAMES_LOOKED_UP):
            names = self.fields.names_like(leaf.value)
            if fold(leaf.value) in map(fold, names):
                continue
            if isinstance(leaf, Term):
                span, others = leaf.value_span, [written(name) for name in names]
            else:
                span, others = leaf.span, [f"!{quoted(name)}" for name in names]
            message = f"No card is called “{leaf.value}”."
            self.advise("unknown-name", message, span, *list(dict.fromkeys(others))[:MAX_SUGGESTIONS])


def fields_having(term: Term, fields: Fields, like: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the words of fields that have the value of a term, those named in ``like`` first. A number or
    text field takes any value, so it counts only if it is in ``like``.
    """
    word = f" {fold(term.value)} "

    def has(field: Field) -> bool:
        """True if the field accepts the value."""
        places = field.places_asked(term.op, term.value)
        return any(place.takes_any_value or place.values_meant(term.op, term.value) for place in places)

    def states(field: Field) -> bool:
        """True if a known value of the field is the typed one, or contains it as a whole word."""
        return not field.is_aside and any(
            word in f" {value} "
            for place in field.places
            if place.kind in ("word", "words", "exact") and place.takes(term.op, term.value)
            for value in place.known
        )

    similar = (field for name in like if (field := fields.get(name)))
    having = (*filter(has, similar), *filter(states, fields))
    return tuple(islice(dict.fromkeys(field.word for field in having), MAX_SUGGESTIONS))
