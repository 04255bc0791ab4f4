"""A query about decks: the card search's language over another table of words.

Each part that is understood becomes a ``Clause``: its condition on decks, and its words. Any other part is
dropped and reported with its columns, as on the card list; strict callers refuse a query that has ``faults``.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from django.db.models import Q

from cardsdb.catalogue.current import games
from cardsdb.games.kit import VERDICTS, Format, Game, fold, some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.search.query.check import (
    MAX_PATTERNS,
    MAX_SUGGESTIONS,
    Checker,
    NotUnderstood,
    alike,
    check,
    fault,
)
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.scanner import SPELLINGS
from cardsdb.search.query.standard import Field, folded, number
from cardsdb.search.query.tree import (
    NOWHERE,
    OPERATOR,
    And,
    Exact,
    Not,
    Or,
    Problem,
    Query,
    Regex,
    SortKey,
    Span,
    Term,
    Tree,
    Word,
    leaves,
    none_of,
    quoted,
    written,
)
from cardsdb.search.query.words import in_words as cards_in_words
from cardsdb.search.query.words import joined_clauses
from cardsdb.search.results import CardQuery, pks_with_retired
from decks.models import AccountName
from decks.public.fields import (
    DECK_FIELDS,
    MAX_CARD_QUERIES,
    MAX_USES,
    NOTHING,
    SORTABLE,
    compared,
    favourite_of,
    holding,
    liked_by,
    lines_of_cards,
    mine,
    sized,
    span_of,
    within_days,
)
from decks.saving.save import judged_as

_COMPARED = {
    "=": "exactly",
    "!=": "other than",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}
_TIMES = {
    "=": "{}",
    ":": "{}",
    "!=": "not {}",
    "<": "before",
    "<=": "{} or before",
    ">": "after",
    ">=": "{} or after",
}
_NESTED = re.compile(rf"\[(.*)\]\s*(?:({OPERATOR})\s*)?(\S*)", re.DOTALL)
_QUESTIONS = {
    "mine": "are yours",
    "favourite": "are among your favourites",
    "liked": "are liked by you",
    "forked": "were forked from another deck",
    "house": "are built by house rules",
}

Named = TypeVar("Named", Game, Format)


@dataclass(frozen=True)
class Clause:
    """A part of a query that was understood. ``phrase`` says it of decks: ``use Kai``; ``word`` is looked for
    in names.

    A verdict that no longer holds is unknown: the opposite of one finds the decks that are not known to have
    it.
    """

    q: Q
    phrase: str
    word: str = ""
    is_verdict: bool = False
    game: str = ""
    span: Span = NOWHERE

    @property
    def opposite(self) -> str:
        """The opposite of ``phrase``."""
        verb, _, rest = self.phrase.partition(" ")
        certainty = "known to be " if self.is_verdict else ""
        return f"{verb} not {certainty}{rest}" if verb in ("are", "were") else f"do not {self.phrase}"


@dataclass(frozen=True)
class DeckQuery(Query):
    """A query as understood. ``tree`` has clauses for leaves; None, which every deck meets, asks for nothing.
    ``looks_into_decks``: it looks at the lines of every deck, which is expensive, and counted as work.
    """

    looks_into_decks: bool = False

    @property
    def is_lost(self) -> bool:
        """True if nothing of it was understood, so that it finds no deck."""
        return self.tree is None and bool(self.faults)

    @property
    def asks_verdict(self) -> bool:
        return any(leaf.is_verdict for leaf in leaves(self.tree))

    @property
    def words(self) -> str:
        """The folded words that names shall contain, not those that they shall not."""
        return fold(" ".join(leaf.word for leaf in leaves(self.tree, excluded=False) if leaf.word))


def parse_deck_query(text: str, viewer: Viewer, cards: Fields) -> DeckQuery:
    """The query as this viewer asks it. Costs a database query for each card that it names."""
    checker = DeckChecker(viewer, cards)
    text = DECK_FIELDS.with_sizes(text)
    query = checker.check(text)
    looks = bool(checker.spent["uses"] or checker.spent["deck"])
    return DeckQuery(query.tree, query.problems, query.order, text, looks)


def _wrong(term: Term, message: str, *suggestions: str) -> NotUnderstood:
    return fault("bad-value", message, term.value_span, *suggestions)


def _left_out(term: Term, message: str) -> NotUnderstood:
    return fault("too-many-parts", message, term.span, "")


class DeckChecker(Checker):
    """Makes clauses of the parts of one query: of a term by the method that is called as its field is.
    ``spent``: how much of its expensive parts there were.
    """

    def __init__(self, viewer: Viewer, cards: Fields) -> None:
        super().__init__(DECK_FIELDS)
        self._viewer, self._cards, self.spent = viewer, cards, Counter[str]()

    def sorted_by(self, order: SortKey) -> str:
        """The word of what decks are sorted by; a fault where they cannot be."""
        known = DECK_FIELDS.get(order.key)
        meant = known.word if known else order.key
        if meant not in SORTABLE:
            message = f"Decks are not sorted by “{order.key}”. They are by {', '.join(SORTABLE)}."
            raise fault("not-sortable", message, order.span, *alike(order.key, SORTABLE))
        return meant

    def words(self, leaf: Word | Exact) -> Tree:
        """The clause of a name, or of a part of one."""
        return replace(_name(leaf.value, isinstance(leaf, Exact)), span=leaf.span)

    def regex(self, regex: Regex) -> Tree:
        """The fault that names of decks are not matched."""
        message = (
            "Decks are not searched by regular expressions; the cards in them are, as in deck:[name:/^the/]."
        )
        raise fault("wrong-operator", message, regex.span, "")

    def term(self, term: Term, field: Field) -> Tree | None:
        """The clause of a term."""
        is_word = field.kind in ("name", "exact")
        if is_word and not folded(term.value):
            raise _wrong(term, "Nothing is left of this that could be looked for.")
        clause = replace(getattr(self, f"_{field.word}")(term), span=term.span)
        if term.op == "!=" and is_word:
            # The whole clause's opposite, as a minus before it means too.
            clause = replace(clause, q=~clause.q, phrase=clause.opposite, word="", game="")
        return none_of(clause, term.span.start) if field.word == "not" else clause

    def unknown_field(self, leaf: Term) -> NotUnderstood:
        """The fault of a word that is no field of decks; a field of cards is suggested in brackets."""
        if of_cards := self._cards.get(leaf.key):
            message = (
                f"“{of_cards.title}” is said of cards, not of decks. What a deck holds is asked in brackets."
            )
            instead = f"deck:[{self.typed(leaf.span)}]"
            return fault("unknown-field", message, leaf.span, instead)
        message = f"No field of decks is called “{leaf.key}”."
        return fault("unknown-field", message, leaf.key_span, *alike(leaf.key, DECK_FIELDS.spellings))

    def _spend(self, what: str, most: int, by: int = 1) -> bool:
        """Count ``by`` more of a kind; return whether the query is still within the limit of it."""
        self.spent[what] += by
        return self.spent[what] <= most

    # -- words with a known set of values --------------------------------------------------

    def _name(self, term: Term) -> Clause:
        return _name(term.value, term.op != ":")

    def _game(self, term: Term) -> Clause:
        if not (named := _called(term, games().values())):
            return self._no_such(term, "game", games().values())
        names = " or ".join(game.name for game in named)
        return Clause(Q(game__in=[game.slug for game in named]), f"are for {names}", game=names)

    def _format(self, term: Term) -> Clause:
        """``format:`` and ``legal:``."""
        formats = [format for game in games().values() for format in game.formats]
        chosen = _called(replace(term, op="="), formats) or _called(term, formats)
        if not chosen:
            return self._no_such(term, "format", formats)
        q = NOTHING
        for game in games().values():
            q |= Q(game=game.slug, format__in=[one.slug for one in game.formats if one in chosen])
        names = " or ".join(dict.fromkeys(format.name for format in chosen))
        if term.key != "legal":
            return Clause(q, f"are built for {names}")
        # House rules may make anything legal, so decks that have any are left out.
        return Clause(q & judged_as("legal") & Q(house=""), f"are legal in {names}", is_verdict=True)

    _legal = _format

    def _verdict(self, term: Term) -> Clause:
        slug = _one_of(term, VERDICTS)
        return Clause(judged_as(slug), f"are {slug}", is_verdict=True)

    def _by(self, term: Term) -> Clause:
        # By the key of the name, which has an index and ignores case.
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
            message = "You are not logged in, so nothing is kept or liked."
            self.advise("not-logged-in", message, term.span)
        q = {
            "mine": mine,
            "favourite": favourite_of,
            "liked": liked_by,
            "forked": lambda _: Q(forked_revision__isnull=False) | Q(forked_from__isnull=False),
            "house": lambda _: ~Q(house=""),
        }[word](self._viewer)
        return Clause(q, _QUESTIONS[word])

    _not = _is

    def _no_such(self, term: Term, what: str, among: Iterable[Game | Format]) -> Clause:
        """A clause that no deck meets, with advice: most often the name is misspelt."""
        known = {fold(name): one.slug for one in among for name in (one.slug, one.name)}
        suggestions = tuple(written(value) for value in alike(term.value, known))
        message = f"No {what} is called “{term.value}”."
        self.advise("unknown-value", message, term.value_span, *suggestions)
        return Clause(NOTHING, f"are for a {what} called “{term.value}”")

    # -- numbers and times -----------------------------------------------------------------

    def _likes(self, term: Term) -> Clause:
        count, op = number(term.value), "=" if term.op == ":" else term.op
        if count is None:
            raise _wrong(
                term, f"{term.key.capitalize()} is compared with a whole number, not with “{term.value}”."
            )
        if term.key == "likes":
            q, noun = compared("likes", op, count), "like"
        else:
            q, noun = sized(self._viewer, op, count), "card"
        return Clause(q, f"have {_COMPARED[op]} {some(count, noun)}")

    _size = _likes

    def _changed(self, term: Term) -> Clause:
        days = span_of(term.value)
        if days is None:
            raise _wrong(
                term,
                f"A time is a year, a month or a day, as in 2026, 2026-01 or 2026-01-31; not “{term.value}”.",
            )
        first, after = days
        length = after - first
        when = f"{first.day} {first:%B %Y}" if length == timedelta(1) else f"{first:%B %Y}"
        when = f"{first:%Y}" if length > timedelta(31) else when
        relation = _TIMES[term.op].format("on" if length == timedelta(1) else "in")
        verb = "changed" if term.key == "changed" else "made"
        return Clause(within_days(term.key, term.op, first, after), f"were {verb} {relation} {when}")

    _created = _changed

    # -- the cards in a deck ---------------------------------------------------------------

    def _uses(self, term: Term) -> Clause:
        """A card by its whole name or its key, of every game that has one of that name."""
        if not self._spend("uses", MAX_USES):
            raise _left_out(term, f"A query names at most {MAX_USES} cards; this one is left out.")
        game, _, code = term.value.partition("/")
        by_key = Q(game=game.strip(), code=code.strip()) if code else Q(code=term.value)
        rows = Card.objects.filter(Q(name_folded=fold(term.value)) | by_key, game__in=list(games()))
        cards = list(rows.values_list("pk", "name", "name_folded"))
        # Codes count only where no card has this name.
        cards = [card for card in cards if card[2] == fold(term.value)] or cards
        if not cards:
            like = self._cards.names_like(term.value) if self._cards.names_like else []
            names = tuple(dict.fromkeys(written(name) for name in like))[:MAX_SUGGESTIONS]
            message, span = f"No card is called “{term.value}”.", term.value_span if like else term.span
            raise fault("unknown-card", message, span, *(names or [f"deck:[{quoted(term.value)}]"]))
        lines = lines_of_cards(self._viewer, [pk for pk, _, _ in cards])
        return Clause(holding(lines, ">=", 1), f"use {cards[0][1]}")

    def _deck(self, term: Term) -> Clause:
        """The number of cards in the deck that a search in brackets finds, compared with another."""
        parts = _NESTED.fullmatch(term.value)
        if parts is None:
            message, instead = (
                "A search of cards stands in square brackets here.",
                f"{term.key}:[{term.value}]",
            )
            raise fault("no-card-query", message, term.span, instead)
        if not self._spend("deck", MAX_CARD_QUERIES):
            raise _left_out(
                term,
                f"A query asks at most {MAX_CARD_QUERIES} times what a deck holds; this part is left out.",
            )
        inside, op, count = parts[1], SPELLINGS.get(parts[2], parts[2]), parts[3]
        if bool(op) != bool(count) or (count and not re.fullmatch(r"[0-9]{1,5}", count)):
            raise _wrong(
                term,
                "Behind the brackets stands a comparison with a whole number, as in deck:[t:gear]>=5.",
                f"[{inside}]>=1",
            )
        query = check(inside, self._cards)
        self.problems += [self._outside(problem, term) for problem in query.problems]
        if query.tree is None:
            empty = Problem(
                "empty-value", "No search of cards stands between the brackets.", *term.span, ("",)
            )
            raise NotUnderstood(*(() if query.faults else (empty,)))
        patterns = sum(isinstance(leaf, Regex) for leaf in leaves(query.tree))
        if not self._spend("patterns", MAX_PATTERNS, patterns):
            raise _left_out(
                term, f"A query has at most {MAX_PATTERNS} regular expressions; this part is left out."
            )
        if query.order:
            message = "Cards in a deck are counted, not sorted."
            self.advise("misplaced-order", message, term.span)
        pks = pks_with_retired(CardQuery(inside, query, self._cards))
        asked, copies = (op, int(count)) if op else (">=", 1)
        phrase = (
            f"hold {_COMPARED[asked]} {some(copies, 'card')} of which"
            f" {cards_in_words(query.tree, self._cards)}"
        )
        lines = lines_of_cards(self._viewer, pks)
        return Clause(holding(lines, asked, copies), phrase)

    def _outside(self, problem: Problem, term: Term) -> Problem:
        """A problem of the search in brackets, with its columns in the whole query."""
        start, end = term.value_span
        if term.value.startswith(self.typed(term.value_span)) and not term.in_quotes:
            return replace(problem, start=problem.start + start + 1, end=problem.end + start + 1)
        # The value differs from what was typed, as with invisible characters: the problem names all of it.
        return replace(problem, start=start, end=end, suggestions=())


def _name(value: str, whole: bool) -> Clause:
    """A word or phrase in the deck's name, or all of it."""
    if whole:
        return Clause(Q(name_folded=fold(value)), f"are called exactly “{value}”")
    return Clause(Q(name_folded__contains=fold(value)), f"have “{value}” in their name", fold(value))


def _called(term: Term, among: Iterable[Named]) -> list[Named]:
    """Those that the term names by their slug, or by their name: whole, or with ``:`` a part of it."""
    value = folded(term.value)
    return [
        one
        for one in among
        if value in (one.slug, fold(one.name)) or (term.op == ":" and value in fold(one.name))
    ]


def _one_of(term: Term, words: Iterable[str]) -> str:
    word, words = fold(term.value).replace(" ", "-"), tuple(words)
    if word not in words:
        message = f"“{term.value}” is none of {', '.join(words)}."
        raise _wrong(term, message, *alike(term.value, words))
    return word


# -- in words ----------------------------------------------------------------------------


def in_words(tree: Tree | None, has_own: bool) -> str:
    """The query in words: ``Public Spycraft decks that are legal in Agency Deck and use Kai``. ``has_own``:
    with the viewer's own decks.
    """
    parts = list(tree.parts) if isinstance(tree, And) else [tree] if tree else []
    # The game that all decks must be for stands before “decks”.
    games = [part for part in parts if isinstance(part, Clause) and part.game]
    rest = [part for part in parts if part not in games] if len(games) == 1 else parts
    of = f"{games[0].game} " if len(games) == 1 else ""
    subject = f"Public {of}decks{', and yours,' if has_own else ''}"
    if not rest:
        return subject.rstrip(",")
    clauses = [_in_words(part) for part in rest]
    if len(clauses) == 1:
        clauses = [clauses[0][1:-1] if clauses[0].startswith("(") else clauses[0]]
    return f"{subject} that {joined_clauses(clauses, 'and')}"


def _in_words(tree: Tree, negated: bool = False) -> str:
    match tree:
        case Not(part):
            return _in_words(part, not negated)
        case And(parts) | Or(parts):
            # Not all: one or another not. Not any: each of them not.
            word = "and" if isinstance(tree, And) != negated else "or"
            return f"({joined_clauses([_in_words(part, negated) for part in parts], word)})"
        case Clause():
            return tree.opposite if negated else tree.phrase
    raise ValueError(f"no query of decks has {tree!r}")
