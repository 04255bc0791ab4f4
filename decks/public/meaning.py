"""What one part of a query about decks means: a condition on decks, and the words for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db.models import Q

from cardsdb.games import games
from cardsdb.games.kit.model.sentences import VERDICTS
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card
from cardsdb.search.compile import to_q
from cardsdb.search.query.check import check
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.limits import MAX_PATTERNS, MAX_SUGGESTIONS
from cardsdb.search.query.normal_form import OPERATOR, quoted, written
from cardsdb.search.query.suggest import alike
from cardsdb.search.query.tree import NOWHERE, Problem, Regex, Span, Term, leaves
from cardsdb.search.query.values import folded, number
from cardsdb.search.query.words import in_words
from decks.core.account_names import name_key
from decks.core.viewer import Viewer
from decks.models import AccountName
from decks.public import conditions
from decks.public.asking import Asking
from decks.public.fields import MAX_CARD_QUERIES, MAX_USES, DeckField

_COMPARED = {"=": "exactly", "!=": "other than", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}
_SAID_OF_TIMES = {"=": "{}", ":": "{}", "!=": "not {}", "<": "before", "<=": "{} or before", ">": "after", ">=": "{} or after"}
_SPELLINGS = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!="}
_NESTED = re.compile(rf"\[(.*)\]\s*(?:({OPERATOR})\s*)?(\S*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Meant:
    """A part of a query that makes sense. ``phrase`` says it of decks: ``use Kai``; ``word`` is what is looked for in names.

    A verdict that no longer holds is not known: the opposite of one finds the decks that are not known to have it.
    """

    q: Q
    phrase: str
    span: Span = NOWHERE
    word: str = ""
    is_verdict: bool = False
    game: str = ""

    @property
    def opposite(self) -> str:
        """The opposite of what is said of decks."""
        verb, _, rest = self.phrase.partition(" ")
        known = "known to be " if self.is_verdict else ""
        return f"{verb} not {known}{rest}" if verb in ("are", "were") else f"do not {self.phrase}"


@dataclass(frozen=True, slots=True)
class Found:
    """What a term means, if anything, and what is wrong with it."""

    meant: Meant | None
    problems: tuple[Problem, ...] = ()


def named(value: str, whole: bool, span: Span) -> Meant:
    if whole:
        return Meant(Q(name_folded=fold(value)), f"are called exactly “{value}”", span)
    return Meant(Q(name_folded__contains=fold(value)), f"have “{value}” in their name", span, fold(value))


def meaning(term: Term, field: DeckField, typed: str, asking: Asking) -> Found:
    """What a field and its value mean; ``typed`` is the value letter for letter."""
    match field.kind:
        case "number":
            return _numbered(term, field, asking)
        case "date":
            return _dated(term, field)
        case "is":
            return _question(term, asking)
        case "nested":
            return _nested(term, typed, asking)
    if not folded(term.value):
        return _wrong(term, "Nothing is left of this that could be looked for.")
    match field.word:
        case "name":
            found = Found(named(term.value, term.op != ":", term.span))
        case "game":
            found = _game(term)
        case "format" | "legal":
            found = _format(term, field.word == "legal", asking)
        case "verdict":
            found = _one_of(term, VERDICTS, lambda slug: _judged(slug, term, asking))
        case "by":
            # By the one spelling of a name, which has an index: case is no matter, and nothing is scanned.
            owners = AccountName.objects.filter(key=name_key(term.value)).values("user")
            found = Found(Meant(Q(owner__in=owners), f"are by {term.value}", term.span))
        case "tag":
            found = Found(Meant(Q(tags_folded__contains=f"|{folded(term.value)}|"), f"carry the tag “{term.value}”", term.span))
        case _:
            found = _uses(term, asking)
    if term.op == "!=" and found.meant:
        # The word's own opposite, whole: what a minus before it says too.
        meant = found.meant
        return replace(found, meant=Meant(~meant.q, meant.opposite, meant.span, is_verdict=meant.is_verdict))
    return found


# -- words with a known set of values ------------------------------------------------------


def _game(term: Term) -> Found:
    wanted = folded(term.value)
    slugs = [
        game.slug for game in games().values() if wanted in (game.slug, fold(game.name)) or (term.op == ":" and wanted in fold(game.name))
    ]
    if slugs:
        names = " or ".join(games()[slug].name for slug in slugs)
        return Found(Meant(Q(game__in=slugs), f"are for {names}", term.span, game=names))
    return _nobody(term, "game", {fold(name): game.slug for game in games().values() for name in (game.slug, game.name)})


def _format(term: Term, legal: bool, asking: Asking) -> Found:
    wanted = folded(term.value)
    known = [(game, format) for game in games().values() for format in game.formats]
    meant = [(game, format) for game, format in known if wanted in (format.slug, fold(format.name))]
    if not meant and term.op == ":":
        meant = [(game, format) for game, format in known if wanted in fold(format.name)]
    if not meant:
        return _nobody(term, "format", {fold(name): format.slug for _, format in known for name in (format.slug, format.name)})
    chosen = conditions.NOTHING
    for game, format in meant:
        chosen |= Q(game=game.slug, format=format.slug)
    names = " or ".join(dict.fromkeys(format.name for _, format in meant))
    if legal:
        # By house rules anything may be legal: whoever asks for a format means the format.
        by_the_book = chosen & conditions.judged_as("legal", asking.edition) & Q(house="")
        return Found(Meant(by_the_book, f"are legal in {names}", term.span, is_verdict=True))
    return Found(Meant(chosen, f"are built for {names}", term.span))


def _judged(slug: str, term: Term, asking: Asking) -> Meant:
    return Meant(conditions.judged_as(slug, asking.edition), f"are {slug}", term.span, is_verdict=True)


def _one_of(term: Term, known: Iterable[str], meant: object) -> Found:
    word = fold(term.value).replace(" ", "-")
    words = tuple(known)
    if word in words:
        return Found(meant(word))  # type: ignore[operator]
    suggestions = alike(term.value, {one: one for one in words})
    return _wrong(term, f"“{term.value}” is none of {', '.join(words)}.", *suggestions)


def _question(term: Term, asking: Asking) -> Found:
    """``is:`` and ``not:``."""
    viewer = asking.viewer
    phrases = {
        "mine": "are yours",
        "favourite": "are among your favourites",
        "liked": "are liked by you",
        "forked": "were forked from another deck",
        "house": "are built by house rules",
    }

    def meant(word: str) -> Meant:
        match word:
            case "mine":
                q = Q(pk__in=conditions.own_decks(viewer)) if viewer != Viewer() else conditions.NOTHING
            case "favourite":
                q = conditions.kept_by(viewer.user_id)
            case "liked":
                q = conditions.liked_by(viewer.user_id)
            case "forked":
                q = Q(forked_revision__isnull=False) | Q(forked_from__isnull=False)
            case "house":
                q = ~Q(house="")
            case verdict:
                return _judged(verdict, term, asking)
        return Meant(q, phrases[word], term.span)

    found = _one_of(term, (*VERDICTS, *phrases), meant)
    if found.meant and viewer.user_id is None and fold(term.value) in ("favourite", "liked"):
        message = "Nobody is logged in here, so nothing is kept or liked."
        return replace(found, problems=(Problem("not-logged-in", message, *term.span, (), advice=True),))
    return found


# -- numbers and times ---------------------------------------------------------------------


def _numbered(term: Term, field: DeckField, asking: Asking) -> Found:
    count, op = number(term.value), "=" if term.op == ":" else term.op
    if count is None:
        return _wrong(term, f"{field.title} is compared with a whole number, not with “{term.value}”.")
    if field.word == "likes":
        return Found(
            Meant(conditions.number("likes", op, count), f"have {_COMPARED[op]} {count} like{'' if count == 1 else 's'}", term.span)
        )
    q = conditions.sized(asking.viewer, op, count)
    return Found(Meant(q, f"have {_COMPARED[op]} {count} card{'' if count == 1 else 's'}", term.span))


def _dated(term: Term, field: DeckField) -> Found:
    span = conditions.span_of(term.value)
    if span is None:
        return _wrong(term, f"A time is a year, a month or a day, as in 2026, 2026-01 or 2026-01-31; not “{term.value}”.")
    first, after = span
    days = after - first
    when = f"{first:%Y}" if days > timedelta(31) else f"{first:%B %Y}" if days > timedelta(1) else f"{first.day} {first:%B %Y}"
    said = _SAID_OF_TIMES[term.op].format("on" if days == timedelta(1) else "in")
    verb = "changed" if field.word == "changed" else "made"
    return Found(Meant(conditions.within_days(field.word, term.op, first, after), f"were {verb} {said} {when}", term.span))


# -- the cards in a deck ---------------------------------------------------------------------


def _uses(term: Term, asking: Asking) -> Found:
    """A card by its whole name, or by its key; of several games if they have one of that name."""
    if not asking.spend("uses", MAX_USES):
        return _dropped(term, f"A query names at most {MAX_USES} cards; this one is left out.")
    game, _, code = term.value.partition("/")
    by_key = Q(game=game.strip(), code=code.strip()) if code else Q(code=term.value)
    cards = list(
        Card.objects.filter(game__in=list(games()))
        .filter(Q(name_folded=fold(term.value)) | by_key)
        .values_list("pk", "name", "name_folded")
    )
    # A code is looked at only where nothing is called so.
    meant = [card for card in cards if card[2] == fold(term.value)] or cards
    if not meant:
        like = asking.cards.names_like(term.value) if asking.cards.names_like else []
        suggestions = tuple(dict.fromkeys(written(name) for name in like))[:MAX_SUGGESTIONS] or (f"deck:[{quoted(term.value)}]",)
        span = term.value_span if like else term.span
        return Found(None, (Problem("unknown-card", f"No card is called “{term.value}”.", *span, suggestions),))
    lines = conditions.lines_shown_to(asking.viewer).filter(card__in=[pk for pk, _, _ in meant])
    return Found(Meant(conditions.holding(lines, ">=", 1), f"use {meant[0][1]}", term.span))


def _nested(term: Term, typed: str, asking: Asking) -> Found:
    """How many cards of a kind are in the deck: a search of cards in brackets, and a number to compare with."""
    parts = _NESTED.fullmatch(term.value)
    if parts is None:
        instead = f"{term.key}:[{term.value}]"
        return Found(None, (Problem("no-card-query", "A search of cards stands in square brackets here.", *term.span, (instead,)),))
    if not asking.spend("deck", MAX_CARD_QUERIES):
        return _dropped(term, f"A query asks at most {MAX_CARD_QUERIES} times what a deck holds; this part is left out.")
    inside, op, count = parts[1], _SPELLINGS.get(parts[2], parts[2]), parts[3]
    if bool(op) != bool(count) or (count and not re.fullmatch(r"[0-9]{1,5}", count)):
        return _wrong(term, "Behind the brackets stands a comparison with a whole number, as in deck:[t:gear]>=5.", f"[{inside}]>=1")
    query = check(parse(inside), asking.cards)
    # Where the text was read otherwise than typed, as with invisible characters, a problem is told of all of it.
    begin = term.value_span.start + 1
    exact = term.value.startswith(typed) and not term.in_quotes
    told = [
        _moved(p, begin) if exact else replace(p, start=term.value_span.start, end=term.value_span.end, suggestions=())
        for p in query.problems
    ]
    if query.tree is None:
        if not query.faults:
            told.append(Problem("empty-value", "No search of cards stands between the brackets.", *term.span, ("",)))
        return Found(None, tuple(told))
    if not asking.spend("patterns", MAX_PATTERNS, sum(isinstance(leaf, Regex) for leaf in leaves(query.tree))):
        return _dropped(term, f"A query has at most {MAX_PATTERNS} regular expressions; this part is left out.")
    if query.order:
        told.append(Problem("misplaced-order", "Cards in a deck are counted, not sorted.", *term.span, (), advice=True))
    cards = Card.objects.order_by().filter(to_q(query.tree, asking.cards)).values("pk")
    lines = conditions.lines_shown_to(asking.viewer).filter(card__in=cards)
    compared, number_of = (op, int(count)) if op else (">=", 1)
    phrase = f"hold {_COMPARED[compared]} {number_of} card{'' if number_of == 1 else 's'} of which {in_words(query.tree, asking.cards)}"
    return Found(Meant(conditions.holding(lines, compared, number_of), phrase, term.span), tuple(told))


def _moved(problem: Problem, by: int) -> Problem:
    return replace(problem, start=problem.start + by, end=problem.end + by)


# -- what is wrong ------------------------------------------------------------------------------


def _wrong(term: Term, message: str, *suggestions: str) -> Found:
    return Found(None, (Problem("bad-value", message, *term.value_span, suggestions),))


def _dropped(term: Term, message: str) -> Found:
    return Found(None, (Problem("too-many-parts", message, *term.span, ("",)),))


def _nobody(term: Term, what: str, known: Mapping[str, str]) -> Found:
    """A good question with an empty answer, and most often a slip."""
    suggestions = tuple(written(value) for value in alike(term.value, known))
    problem = Problem("unknown-value", f"No {what} is called “{term.value}”.", *term.value_span, suggestions, advice=True)
    return Found(Meant(conditions.NOTHING, f"are for a {what} called “{term.value}”", term.span), (problem,))
