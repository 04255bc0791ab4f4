"""What one part of a query about decks means: a condition on decks, and words for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from django.db.models import Q

from cardsdb.catalogue.current import games
from cardsdb.games.kit.model.report import VERDICTS
from cardsdb.games.kit.model.text import fold, plural
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.check import MAX_PATTERNS, MAX_SUGGESTIONS, alike, check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import NOWHERE, OPERATOR, Problem, Regex, Span, Term, leaves, quoted, written
from cardsdb.search.query.values import folded, number
from cardsdb.search.query.words import in_words
from cardsdb.search.results import pks_with_retired
from decks.models import AccountName
from decks.public import conditions
from decks.public.fields import MAX_CARD_QUERIES, MAX_USES, DeckField
from decks.saving.verdicts import judged_as

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
_SPELLINGS = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}
_NESTED = re.compile(rf"\[(.*)\]\s*(?:({OPERATOR})\s*)?(\S*)", re.DOTALL)
_QUESTIONS = {
    "mine": "are yours",
    "favourite": "are among your favourites",
    "liked": "are liked by you",
    "forked": "were forked from another deck",
    "house": "are built by house rules",
}


@dataclass(slots=True)
class Asker:
    """Who asks, and how much of the expensive parts the query has spent."""

    viewer: Viewer
    cards: Fields
    spent: dict[str, int] = field(default_factory=dict)

    @property
    def looks_into_decks(self) -> bool:
        """Whether the query looks at the lines of every deck."""
        return "uses" in self.spent or "deck" in self.spent

    def spend(self, what: str, most: int, by: int = 1) -> bool:
        """Count ``by`` more of a kind; return whether the query is still within the limit of it."""
        self.spent[what] = self.spent.get(what, 0) + by
        return self.spent[what] <= most


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a query that was understood. ``phrase`` says it of decks: ``use Kai``; ``word`` is looked for
    in names.

    A verdict that no longer holds is unknown: the opposite of one finds the decks that are not known to have
    it.
    """

    q: Q
    phrase: str
    span: Span = NOWHERE
    word: str = ""
    is_verdict: bool = False
    game: str = ""

    @property
    def opposite(self) -> str:
        """The opposite of ``phrase``."""
        verb, _, rest = self.phrase.partition(" ")
        certainty = "known to be " if self.is_verdict else ""
        return f"{verb} not {certainty}{rest}" if verb in ("are", "were") else f"do not {self.phrase}"


# The clause that a term stands for, None if it makes no sense, and its problems.
Reading = tuple[Clause | None, tuple[Problem, ...]]


def name_clause(value: str, whole: bool, span: Span) -> Clause:
    """A word or phrase in the deck's name, or all of it."""
    if whole:
        return Clause(Q(name_folded=fold(value)), f"are called exactly “{value}”", span)
    return Clause(Q(name_folded__contains=fold(value)), f"have “{value}” in their name", span, fold(value))


def clause_for(term: Term, field: DeckField, typed: str, asker: Asker) -> Reading:
    """The clause of a field with its value. ``typed``: the value letter by letter as the query has it."""
    if field.kind == "nested":
        return _holds(term, typed, asker)
    if field.kind in _BY_KIND:
        return _BY_KIND[field.kind](term, asker)
    if not folded(term.value):
        return _wrong(term, "Nothing is left of this that could be looked for.")
    clause, problems = _BY_WORD[field.word](term, asker)
    if term.op == "!=" and clause:
        # The whole clause's opposite, as a minus before it means too.
        clause = Clause(~clause.q, clause.opposite, clause.span, is_verdict=clause.is_verdict)
    return clause, problems


# -- words with a known set of values ------------------------------------------------------


def _name(term: Term, asker: Asker) -> Reading:
    return name_clause(term.value, term.op != ":", term.span), ()


def _game(term: Term, asker: Asker) -> Reading:
    value, all_games = folded(term.value), games().values()
    named = [
        g for g in all_games if value in (g.slug, fold(g.name)) or (term.op == ":" and value in fold(g.name))
    ]
    if named:
        names = " or ".join(game.name for game in named)
        return (
            Clause(Q(game__in=[game.slug for game in named]), f"are for {names}", term.span, game=names),
            (),
        )
    return _no_such(
        term, "game", {fold(name): game.slug for game in all_games for name in (game.slug, game.name)}
    )


def _format(term: Term, asker: Asker) -> Reading:
    value = folded(term.value)
    formats = [(game, format) for game in games().values() for format in game.formats]
    chosen = [(game, format) for game, format in formats if value in (format.slug, fold(format.name))]
    if not chosen and term.op == ":":
        chosen = [(game, format) for game, format in formats if value in fold(format.name)]
    if not chosen:
        return _no_such(
            term,
            "format",
            {fold(name): format.slug for _, format in formats for name in (format.slug, format.name)},
        )
    q = conditions.NOTHING
    for game, format in chosen:
        q |= Q(game=game.slug, format=format.slug)
    names = " or ".join(dict.fromkeys(format.name for _, format in chosen))
    if term.key != "legal":
        return Clause(q, f"are built for {names}", term.span), ()
    # House rules may make anything legal, so decks that have any are left out.
    by_the_book = q & judged_as("legal") & Q(house="")
    return Clause(by_the_book, f"are legal in {names}", term.span, is_verdict=True), ()


def _verdict(term: Term, asker: Asker) -> Reading:
    return _one_of(term, VERDICTS, lambda slug: _judged(slug, term, asker))


def _judged(slug: str, term: Term, asker: Asker) -> Clause:
    return Clause(judged_as(slug), f"are {slug}", term.span, is_verdict=True)


def _by(term: Term, asker: Asker) -> Reading:
    # By the key of the name, which has an index and ignores case.
    owners = AccountName.objects.named(term.value).values("user")
    return Clause(Q(owner__in=owners), f"are by {term.value}", term.span), ()


def _tag(term: Term, asker: Asker) -> Reading:
    return (
        Clause(
            Q(tags_folded__contains=f"|{folded(term.value)}|"), f"carry the tag “{term.value}”", term.span
        ),
        (),
    )


def _is(term: Term, asker: Asker) -> Reading:
    """``is:`` and ``not:``."""

    def clause(word: str) -> Clause:
        viewer = asker.viewer
        match word:
            case "mine":
                q = Q(pk__in=conditions.own_decks(viewer)) if viewer != Viewer() else conditions.NOTHING
            case "favourite":
                q = conditions.favourite_of(viewer)
            case "liked":
                q = conditions.liked_by(viewer)
            case "forked":
                q = Q(forked_revision__isnull=False) | Q(forked_from__isnull=False)
            case "house":
                q = ~Q(house="")
            case verdict:
                return _judged(verdict, term, asker)
        return Clause(q, _QUESTIONS[word], term.span)

    reading, problems = _one_of(term, (*VERDICTS, *_QUESTIONS), clause)
    if reading and asker.viewer.user_id is None and fold(term.value) in ("favourite", "liked"):
        message = "Nobody is logged in here, so nothing is kept or liked."
        return reading, (Problem("not-logged-in", message, *term.span, (), advice=True),)
    return reading, problems


# -- numbers and times ---------------------------------------------------------------------


def _number(term: Term, asker: Asker) -> Reading:
    count, op = number(term.value), "=" if term.op == ":" else term.op
    if count is None:
        return _wrong(
            term, f"{term.key.capitalize()} is compared with a whole number, not with “{term.value}”."
        )
    noun = "like" if term.key == "likes" else "card"
    q = conditions.number("likes", op, count) if noun == "like" else conditions.sized(asker.viewer, op, count)
    return Clause(q, f"have {_COMPARED[op]} {count} {plural(count, noun)}", term.span), ()


def _date(term: Term, asker: Asker) -> Reading:
    days = conditions.span_of(term.value)
    if days is None:
        return _wrong(
            term,
            f"A time is a year, a month or a day, as in 2026, 2026-01 or 2026-01-31; not “{term.value}”.",
        )
    first, after = days
    length = after - first
    when = (
        f"{first:%Y}"
        if length > timedelta(31)
        else f"{first:%B %Y}"
        if length > timedelta(1)
        else f"{first.day} {first:%B %Y}"
    )
    compared = _TIMES[term.op].format("on" if length == timedelta(1) else "in")
    verb = "changed" if term.key == "changed" else "made"
    return (
        Clause(
            conditions.within_days(term.key, term.op, first, after),
            f"were {verb} {compared} {when}",
            term.span,
        ),
        (),
    )


# -- the cards in a deck ---------------------------------------------------------------------


def _uses(term: Term, asker: Asker) -> Reading:
    """A card by its whole name or its key, of every game that has one of that name."""
    if not asker.spend("uses", MAX_USES):
        return _left_out(term, f"A query names at most {MAX_USES} cards; this one is left out.")
    game, _, code = term.value.partition("/")
    by_key = Q(game=game.strip(), code=code.strip()) if code else Q(code=term.value)
    rows = Card.objects.filter(Q(name_folded=fold(term.value)) | by_key, game__in=list(games()))
    cards = list(rows.values_list("pk", "name", "name_folded"))
    # Codes count only where no card has this name.
    cards = [card for card in cards if card[2] == fold(term.value)] or cards
    if not cards:
        like = asker.cards.names_like(term.value) if asker.cards.names_like else []
        suggestions = tuple(dict.fromkeys(written(name) for name in like))[:MAX_SUGGESTIONS] or (
            f"deck:[{quoted(term.value)}]",
        )
        span = term.value_span if like else term.span
        return None, (Problem("unknown-card", f"No card is called “{term.value}”.", *span, suggestions),)
    lines = conditions.lines_of_cards(asker.viewer, [pk for pk, _, _ in cards])
    return Clause(conditions.holding(lines, ">=", 1), f"use {cards[0][1]}", term.span), ()


def _holds(term: Term, typed: str, asker: Asker) -> Reading:
    """How many cards that a search in brackets finds are in the deck, compared with a number."""
    parts = _NESTED.fullmatch(term.value)
    if parts is None:
        instead = f"{term.key}:[{term.value}]"
        return None, (
            Problem(
                "no-card-query", "A search of cards stands in square brackets here.", *term.span, (instead,)
            ),
        )
    if not asker.spend("deck", MAX_CARD_QUERIES):
        return _left_out(
            term, f"A query asks at most {MAX_CARD_QUERIES} times what a deck holds; this part is left out."
        )
    inside, op, count = parts[1], _SPELLINGS.get(parts[2], parts[2]), parts[3]
    if bool(op) != bool(count) or (count and not re.fullmatch(r"[0-9]{1,5}", count)):
        return _wrong(
            term,
            "Behind the brackets stands a comparison with a whole number, as in deck:[t:gear]>=5.",
            f"[{inside}]>=1",
        )
    query = check(parse(inside), asker.cards)
    problems = [_outside(problem, term, typed) for problem in query.problems]
    if query.tree is None:
        if not query.faults:
            problems.append(
                Problem("empty-value", "No search of cards stands between the brackets.", *term.span, ("",))
            )
        return None, tuple(problems)
    if not asker.spend("patterns", MAX_PATTERNS, sum(isinstance(leaf, Regex) for leaf in leaves(query.tree))):
        return _left_out(
            term, f"A query has at most {MAX_PATTERNS} regular expressions; this part is left out."
        )
    if query.order:
        problems.append(
            Problem(
                "misplaced-order", "Cards in a deck are counted, not sorted.", *term.span, (), advice=True
            )
        )
    pks = pks_with_retired(CardQuery(inside, query, asker.cards))
    lines = conditions.lines_of_cards(asker.viewer, pks)
    compared, copies = (op, int(count)) if op else (">=", 1)
    phrase = (
        f"hold {_COMPARED[compared]} {copies} {plural(copies, 'card')} of which"
        f" {in_words(query.tree, asker.cards)}"
    )
    return Clause(conditions.holding(lines, compared, copies), phrase, term.span), tuple(problems)


def _outside(problem: Problem, term: Term, typed: str) -> Problem:
    """A problem of the search in brackets, with its columns in the whole query."""
    if term.value.startswith(typed) and not term.in_quotes:
        begin = term.value_span.start + 1
        return replace(problem, start=problem.start + begin, end=problem.end + begin)
    # The value differs from what was typed, as with invisible characters: the problem names all of it.
    return replace(problem, start=term.value_span.start, end=term.value_span.end, suggestions=())


# -- what is wrong ------------------------------------------------------------------------------


def _one_of(term: Term, words: Iterable[str], clause: Callable[[str], Clause]) -> Reading:
    word, words = fold(term.value).replace(" ", "-"), tuple(words)
    if word in words:
        return clause(word), ()
    return _wrong(
        term,
        f"“{term.value}” is none of {', '.join(words)}.",
        *alike(term.value, {one: one for one in words}),
    )


def _wrong(term: Term, message: str, *suggestions: str) -> Reading:
    return None, (Problem("bad-value", message, *term.value_span, suggestions),)


def _left_out(term: Term, message: str) -> Reading:
    return None, (Problem("too-many-parts", message, *term.span, ("",)),)


def _no_such(term: Term, what: str, known: Mapping[str, str]) -> Reading:
    """A clause that no deck meets, with advice: most often the name is misspelt."""
    suggestions = tuple(written(value) for value in alike(term.value, known))
    problem = Problem(
        "unknown-value", f"No {what} is called “{term.value}”.", *term.value_span, suggestions, advice=True
    )
    return Clause(conditions.NOTHING, f"are for a {what} called “{term.value}”", term.span), (problem,)


_BY_KIND: dict[str, Callable[[Term, Asker], Reading]] = {"number": _number, "date": _date, "is": _is}
_BY_WORD: dict[str, Callable[[Term, Asker], Reading]] = {
    "name": _name,
    "game": _game,
    "format": _format,
    "legal": _format,
    "verdict": _verdict,
    "by": _by,
    "tag": _tag,
    "uses": _uses,
}
