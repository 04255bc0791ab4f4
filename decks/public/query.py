"""Reads a search for decks. The grammar is that of the card search; only the fields differ
(``deck_words.toml``).

``game:spycraft uses:Kai`` becomes an ``And`` of two clauses: "are for Spycraft", and "use Kai" with the
condition that finds such decks. ``listing.py`` calls ``parse_deck_query`` and turns the tree of the
``DeckQuery`` (``fields.py``) into one database query. A part that is not understood is left out and reported
with its columns, as on the card list: ``tag:tiger blarg:3`` finds decks with the tag and has a problem at
columns 10 to 15. Callers such as the API may refuse a query with ``faults``. A new field needs a table in
``deck_words.toml`` and a method of ``DeckChecker``. Tests: ``tests/decks/public/test_query.py``.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from django.db.models import Q

from cardsdb.catalogue.current import games
from cardsdb.games.kit import VERDICTS, Format, Game, fold, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.search.query.check import MAX_PATTERNS, check
from cardsdb.search.query.checker import (
    MAX_SUGGESTIONS,
    Checker,
    NotUnderstood,
    alike,
    fault,
    nothing_to_find,
)
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.scanner import SPELLINGS
from cardsdb.search.query.standard import Field, folded, number
from cardsdb.search.query.tree import (
    OPERATOR,
    Exact,
    Problem,
    Regex,
    SortKey,
    Term,
    Tree,
    Word,
    leaves,
    none_of,
    quoted,
    written,
)
from cardsdb.search.query.words import in_words as cards_in_words
from cardsdb.search.results import CardQuery, pks_with_retired
from decks.models import AccountName
from decks.public.fields import (
    DECK_FIELDS,
    MAX_CARD_QUERIES,
    MAX_USES,
    SORTABLE,
    Clause,
    DeckQuery,
    compared,
    favourite_of,
    holding,
    liked_by,
    sized,
    span_of,
    within_days,
)
from decks.public.lines import NOTHING, lines_of_cards, mine
from decks.saving.save import judged_as

# Operator -> words before a number, as in "at least 5 cards".
_COMPARED = {
    "=": "exactly",
    "!=": "other than",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}
# Operator -> words before a date; {} is "on" for a day, else "in": "on or after 2 January 2026".
_TIMES = {
    "=": "{}",
    ":": "{}",
    "!=": "not {}",
    "<": "before",
    "<=": "{} or before",
    ">": "after",
    ">=": "{} or after",
}
# The value of ``deck:``: a card search in brackets, then perhaps an operator and a number. The groups of
# "[t:gear]>=5" are "t:gear", ">=" and "5", those of "[t:gear]" are "t:gear", None and "".
_NESTED = re.compile(rf"\[(.*)\]\s*(?:({OPERATOR})\s*)?(\S*)", re.DOTALL)
# A number of copies. Its digits are bounded, because databases refuse huge numbers.
_NUMBER = re.compile(r"[0-9]{1,5}")
# Word behind ``is:`` -> (its phrase, the condition for a viewer). Verdicts may stand there as well.
_QUESTIONS: dict[str, tuple[str, Callable[[Viewer], Q]]] = {
    "mine": ("are yours", mine),
    "favourite": ("are among your favourites", favourite_of),
    "liked": ("are liked by you", liked_by),
    "forked": (
        "were copied from another deck",
        lambda _: Q(forked_revision__isnull=False) | Q(forked_from__isnull=False),
    ),
    "house": ("are built by house rules", lambda _: ~Q(house="")),
}
# The most days of a month; a longer span is a year.
_MONTH = 31

Named = TypeVar("Named", Game, Format)


def parse_deck_query(text: str, viewer: Viewer, cards: Fields) -> DeckQuery:
    """Return the query as this viewer asks it. Makes one database query for each card that it names."""
    checker = DeckChecker(viewer, cards)
    text = DECK_FIELDS.with_sizes(text)
    query = checker.check(text)
    looks = bool(checker.spent["uses"] or checker.spent["deck"])
    return DeckQuery(query.tree, query.problems, query.order, text, looks)


def _bad_value(term: Term, message: str, *suggestions: str) -> NotUnderstood:
    return fault("bad-value", message, term.value_span, *suggestions)


class DeckChecker(Checker):
    """Makes the clauses of one query. ``Checker`` walks the tree of the parsed text and calls ``words``,
    ``regex``, ``term``, ``unknown_field`` and ``sorted_by`` for its leaves.

    A term is handled by the method named like its field: ``tag:`` by ``_tag``; so each field of
    ``deck_words.toml`` needs one. ``spent`` counts the expensive parts so far. A part with a fault is left
    out: its method raises ``NotUnderstood``, made by ``fault``. ``advise`` only adds a hint.
    """

    def __init__(self, viewer: Viewer, cards: Fields) -> None:
        super().__init__(DECK_FIELDS)
        self._viewer, self._cards, self.spent = viewer, cards, Counter[str]()

    def sorted_by(self, order: SortKey) -> str:
        """Return the word of ``SORTABLE`` that ``order:`` means. Raise a fault for any other."""
        known = DECK_FIELDS.get(order.key)
        word = known.word if known else order.key
        if word not in SORTABLE:
            message = f"Decks cannot be sorted by “{order.key}”. Choose {', '.join(SORTABLE)}."
            raise fault("not-sortable", message, order.span, *alike(order.key, SORTABLE))
        return word

    def words(self, leaf: Word | Exact) -> Tree:
        """The clause for a deck's name, or for a part of it."""
        return replace(_name(leaf.value, isinstance(leaf, Exact)), span=leaf.span)

    def regex(self, regex: Regex) -> Tree:
        """The fault that decks are not searched by regular expressions."""
        message = (
            "Decks are not searched by regular expressions; the cards in them are, as in deck:[name:/^the/]."
        )
        raise fault("wrong-operator", message, regex.span, "")

    def term(self, term: Term, field: Field) -> Tree | None:
        """The clause for a field with a value, made by the method of the field. Here ``tag!=x`` becomes the
        opposite of ``tag:x`` (methods of numbers and times read "!=" themselves), and ``not:mine``, of which
        ``_is`` makes the same as of ``is:mine``, none of these decks.
        """
        is_word = field.kind in ("name", "exact")
        if is_word and not folded(term.value):
            raise nothing_to_find(term)
        clause = replace(getattr(self, f"_{field.word}")(term), span=term.span)
        if term.op == "!=" and is_word:
            # For such fields "!=" means the same as a minus before the whole part.
            clause = replace(clause, q=~clause.q, phrase=clause.opposite, word="", game="")
        return none_of(clause, term.span.start) if field.word == "not" else clause

    def unknown_field(self, leaf: Term) -> NotUnderstood:
        """The fault for a word that is no field of decks. If it is a field of cards, it is suggested in
        brackets.
        """
        if of_cards := self._cards.get(leaf.key):
            message = (
                f"“{of_cards.title}” describes cards, not decks. Put it in brackets to ask what a deck holds."
            )
            instead = f"deck:[{self.typed(leaf.span)}]"
            return fault("unknown-field", message, leaf.span, instead)
        message = f"No field of decks is called “{leaf.key}”."
        return fault("unknown-field", message, leaf.key_span, *alike(leaf.key, DECK_FIELDS.spellings))

    def _spend(self, term: Term, what: str, most: int, message: str, by: int = 1) -> None:
        """Count ``by`` more expensive parts of a kind. Raise a fault with this message if the query has more
        than ``most`` of them.
        """
        self.spent[what] += by
        if self.spent[what] > most:
            raise fault("too-many-parts", message, term.span, "")

    # -- words and names --------------------------------------------------

    def _name(self, term: Term) -> Clause:
        return _name(term.value, term.op != ":")

    def _game(self, term: Term) -> Clause:
        if not (named := _called(term, games().values())):
            return self._no_such(term, "game", games().values())
        names = " or ".join(game.name for game in named)
        return Clause(Q(game__in=[game.slug for game in named]), f"are for {names}", game=names)

    def _format(self, term: Term) -> Clause:
        return self._of_formats(term, "are built for", Q())

    def _legal(self, term: Term) -> Clause:
        # House rules can make any deck legal, so decks that have some are left out.
        return self._of_formats(term, "are legal in", judged_as("legal") & Q(house=""))

    def _of_formats(self, term: Term, verb: str, judged: Q) -> Clause:
        """The clause for decks of the formats named. ``judged``: the condition on their verdict, or empty."""
        formats = [format for game in games().values() for format in game.formats]
        # A whole name comes before a part of one: "advanced" does not mean "Advanced with Killer cards" too.
        chosen = _called(replace(term, op="="), formats) or _called(term, formats)
        if not chosen:
            return self._no_such(term, "format", formats)
        q = NOTHING
        for game in games().values():
            q |= Q(game=game.slug, format__in=[format.slug for format in game.formats if format in chosen])
        names = " or ".join(dict.fromkeys(format.name for format in chosen))
        return Clause(q & judged, f"{verb} {names}", is_verdict=bool(judged))

    def _verdict(self, term: Term) -> Clause:
        slug = _one_of(term, VERDICTS)
        return Clause(judged_as(slug), f"are {slug}", is_verdict=True)

    def _by(self, term: Term) -> Clause:
        # The folded name is looked up, which has an index and ignores case.
        return Clause(
            Q(owner__in=AccountName.objects.named(term.value).values("user")), f"are by {term.value}"
        )

    def _tag(self, term: Term) -> Clause:
        return Clause(Q(tags_folded__contains=f"|{folded(term.value)}|"), f"carry the tag “{term.value}”")

    def _is(self, term: Term) -> Clause:
        """``is:`` and ``not:``."""
        word = _one_of(term, (*VERDICTS, *_QUESTIONS))
        if word in VERDICTS:
            return self._verdict(term)
        if word in ("favourite", "liked") and self._viewer.user_id is None:
            message = "Log in first: favourites and likes belong to an account."
            self.advise("not-logged-in", message, term.span)
        phrase, condition = _QUESTIONS[word]
        return Clause(condition(self._viewer), phrase)

    _not = _is

    def _no_such(self, term: Term, what: str, among: Iterable[Game | Format]) -> Clause:
        """A clause that no deck meets, with advice, because the name is most likely misspelt."""
        known = {fold(name): thing.slug for thing in among for name in (thing.slug, thing.name)}
        suggestions = tuple(written(value) for value in alike(term.value, known))
        message = f"No {what} is called “{term.value}”."
        self.advise("unknown-value", message, term.value_span, *suggestions)
        return Clause(NOTHING, f"are for a {what} called “{term.value}”")

    # -- numbers and times -----------------------------------------------------------------

    def _likes(self, term: Term) -> Clause:
        op, count = self._comparison(term)
        return Clause(compared("likes", op, count), f"have {_COMPARED[op]} {some(count, 'like')}")

    def _size(self, term: Term) -> Clause:
        op, count = self._comparison(term)
        return Clause(sized(self._viewer, op, count), f"have {_COMPARED[op]} {some(count, 'card')}")

    def _comparison(self, term: Term) -> tuple[str, int]:
        """Return (operator, number) of a term that compares with a whole number: "likes:3" -> ("=", 3)."""
        count, op = number(term.value), "=" if term.op == ":" else term.op
        if count is None:
            raise _bad_value(
                term, f"{term.key.capitalize()} is compared with a whole number, not with “{term.value}”."
            )
        return op, count

    def _changed(self, term: Term) -> Clause:
        """``changed:`` and ``created:``, by a year, a month or a day."""
        days = span_of(term.value)
        if days is None:
            raise _bad_value(
                term,
                f"A time is a year, a month or a day, as in 2026, 2026-01 or 2026-01-31; not “{term.value}”.",
            )
        first, after = days
        length = (after - first).days
        if length == 1:
            when = f"{first.day} {first:%B %Y}"
        else:
            when = f"{first:%B %Y}" if length <= _MONTH else f"{first:%Y}"
        relation = _TIMES[term.op].format("on" if length == 1 else "in")
        verb = "changed" if term.key == "changed" else "made"
        return Clause(within_days(term.key, term.op, first, after), f"were {verb} {relation} {when}")

    _created = _changed

    # -- the cards in a deck ---------------------------------------------------------------

    def _uses(self, term: Term) -> Clause:
        """``uses:``, a card by its whole name or its key. A name means the cards of that name in
        all games.
        """
        most = f"A query names at most {MAX_USES} cards; this one is left out."
        self._spend(term, "uses", MAX_USES, most)
        game, _, code = term.value.partition("/")
        by_key = Q(game=game.strip(), code=code.strip()) if code else Q(code=term.value)
        rows = Card.objects.filter(Q(name_folded=fold(term.value)) | by_key, game__in=list(games()))
        cards = list(rows.values_list("pk", "name", "name_folded", named=True))
        # A code counts only if no card has this name.
        cards = [card for card in cards if card.name_folded == fold(term.value)] or cards
        if not cards:
            like = self._cards.names_like(term.value) if self._cards.names_like else []
            names = tuple(dict.fromkeys(written(name) for name in like))[:MAX_SUGGESTIONS]
            message, span = f"No card is called “{term.value}”.", term.value_span if like else term.span
            raise fault("unknown-card", message, span, *(names or [f"deck:[{quoted(term.value)}]"]))
        lines = lines_of_cards(self._viewer, [card.pk for card in cards])
        return Clause(holding(lines, ">=", 1), f"use {cards[0].name}")

    def _deck(self, term: Term) -> Clause:
        """``deck:``, the number of cards in the deck that a card search in brackets finds:
        ``deck:[t:gear]>=5``. Without a number, one card is enough.
        """
        inside, op, copies = self._brackets(term)
        query = check(inside, self._cards)
        self.problems += [self._outside(problem, term) for problem in query.problems]
        if query.tree is None:
            message = "Write a search for cards between the brackets."
            empty = Problem("empty-value", message, *term.span, ("",))
            raise NotUnderstood(*(() if query.faults else (empty,)))
        patterns = sum(isinstance(leaf, Regex) for leaf in leaves(query.tree))
        most = f"A query has at most {MAX_PATTERNS} regular expressions; this part is left out."
        self._spend(term, "patterns", MAX_PATTERNS, most, by=patterns)
        if query.order:
            message = "Cards in a deck are counted, not sorted."
            self.advise("misplaced-order", message, term.span)
        pks = pks_with_retired(CardQuery(inside, query, self._cards))
        in_words = cards_in_words(query.tree, self._cards)
        phrase = f"hold {_COMPARED[op]} {some(copies, 'card')} of which {in_words}"
        return Clause(holding(lines_of_cards(self._viewer, pks), op, copies), phrase)

    def _brackets(self, term: Term) -> tuple[str, str, int]:
        """Split the value of ``deck:`` into (search for cards, operator, copies): "[t:gear]>=5" gives
        ("t:gear", ">=", 5), and "[t:gear]" ("t:gear", ">=", 1).
        """
        parts = _NESTED.fullmatch(term.value)
        if parts is None:
            message, instead = "Put the search for cards in square brackets.", f"{term.key}:[{term.value}]"
            raise fault("no-card-query", message, term.span, instead)
        most = f"A query may use deck: at most {MAX_CARD_QUERIES} times; this part is left out."
        self._spend(term, "deck", MAX_CARD_QUERIES, most)
        inside, op, count = parts[1], SPELLINGS.get(parts[2], parts[2]), parts[3]
        if not op and not count:
            return inside, ">=", 1
        if not op or not _NUMBER.fullmatch(count):
            raise _bad_value(
                term,
                "Compare the brackets with a whole number, as in deck:[t:gear]>=5.",
                f"[{inside}]>=1",
            )
        return inside, op, int(count)

    def _outside(self, problem: Problem, term: Term) -> Problem:
        """A problem of the search in brackets, with its columns counted in the whole query: column 2 within
        "t:geer" is column 8 of "deck:[t:geer]", behind "deck:[".
        """
        start, end = term.value_span
        if term.value.startswith(self.typed(term.value_span)) and not term.in_quotes:
            inside = start + len("[")
            return replace(problem, start=inside + problem.start, end=inside + problem.end)
        # The value differs from what was typed (invisible characters, for one), so columns within it are
        # unknown and the problem marks all of it.
        return replace(problem, start=start, end=end, suggestions=())


def _name(value: str, whole: bool) -> Clause:
    """The clause for a part of the deck's name, or for the whole name."""
    if whole:
        return Clause(Q(name_folded=fold(value)), f"are called exactly “{value}”")
    return Clause(Q(name_folded__contains=fold(value)), f"have “{value}” in their name", fold(value))


def _called(term: Term, among: Iterable[Named]) -> list[Named]:
    """The games or formats that the term names: by slug, by whole name, or with ``:`` by a part of
    the name.
    """
    value = folded(term.value)
    return [
        thing
        for thing in among
        if value in (thing.slug, fold(thing.name)) or (term.op == ":" and value in fold(thing.name))
    ]


def _one_of(term: Term, words: Iterable[str]) -> str:
    """Return the value if it is one of these words, else raise a fault that lists them."""
    word, words = fold(term.value).replace(" ", "-"), tuple(words)
    if word not in words:
        message = f"“{term.value}” is none of {', '.join(words)}."
        raise _bad_value(term, message, *alike(term.value, words))
    return word
