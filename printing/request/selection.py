"""The choice of the cards that are printed: cards of sections, of a query, changed ones, ones that are not
owned, one of each; and the fields of the print page for this choice.

Every choice takes cards away, so no more copies are printed than the list has. Numbers of single cards come
last, and override the other choices.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from django.utils import dateformat
from django.utils.datastructures import MultiValueDict

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Game, fold, plural, whole_number
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query, results_of
from decks.collection.holding import collection_of, copies
from decks.core.diff import difference, identity
from decks.models import Deck, DeckRevision
from printing.models import PastPrint
from printing.options.copies import (
    MAX_COPIES_OF_CARD,
    CardCount,
    Cards,
    NotCounted,
    copies_in,
    counted,
    read_counts,
    written,
)
from printing.options.values import Options
from printing.request.lists import PrintList

# Words of ``only`` that are no query.
ALL, NONE, CHANGED, MISSING = "all", "none", "changed", "missing"
NOTHING_TICKED = "Nothing is ticked: tick what the evening needs."
# Versions that a refusal names.
MAX_NAMED = 10
# The option ``since`` for what a deck had no copies of when the past print of this number was made.
SINCE_PRINT = re.compile(r"print ([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True)
class Selection:
    """The part of a list that is printed: ``copies`` of each of its entries in their order. ``words``
    describe the choice, empty for all of the list; ``remarks`` are shown beside the print.

    ``empty`` is the reason why nothing is left, if nothing is. ``nothing_lacks``: the viewer owns all of it,
    which is no mistake of theirs.
    """

    listed: PrintList
    copies: tuple[int, ...]
    words: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    empty: str = "The list has no cards."
    nothing_lacks: bool = False

    @property
    def lines(self) -> Iterator[tuple[Entry, int]]:
        """Every entry of the list, and the copies of it that are printed."""
        return zip(self.listed.in_order, self.copies, strict=True)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries that are printed."""
        return tuple(replace(entry, count=count) for entry, count in self.lines if count)

    def narrowed(self, copies: Iterable[int], words: str, empty: str = "", *remarks: str) -> "Selection":
        """The part that is left by one more choice, which ``words`` name; ``empty`` is the reason if that is
        nothing.
        """
        return replace(
            self,
            copies=tuple(copies),
            words=(*self.words, words) if words else self.words,
            remarks=(*self.remarks, *remarks),
            empty=empty or self.empty,
        )

    def where(self, is_chosen: Callable[[Entry], bool]) -> Iterator[int]:
        """The copies of the entries that are chosen, none of all others."""
        return (count if is_chosen(entry) else 0 for entry, count in self.lines)

    def among(self, left: Counter[Hashable], key_of: Callable[[Card], Hashable]) -> Iterator[int]:
        """The copies of each entry that are still in ``left``, from which they are taken: later entries, and
        later lists, do not get them again.
        """
        for entry, count in self.lines:
            key = key_of(entry.card)
            yield (taken := min(count, left[key]))
            left[key] -= taken


def owned_too(options: Options, lists: Iterable[PrintList]) -> Options:
    """The same options, but for all cards of these lists, owned or not, in the sections that are chosen."""
    sections, rest = sections_and_rest(options.only, [one.game for one in lists])
    only = ",".join(sections) if fold(rest) == MISSING else options.only
    return replace(options, missing=False, only=only or ALL)


def select(lists: Sequence[PrintList], options: Options, viewer: Viewer) -> tuple[Selection, ...]:
    """The part of each list that is printed. Raises Refused for a version, a section, a query or a card that
    does not exist.

    A copy that the visitor owns counts for the earlier list alone.
    """
    selections = [
        Selection(
            one,
            tuple(entry.count for entry in one.in_order),
            tuple(filter(None, [one.without])),
            empty=NOTHING_TICKED if one.players else Selection.empty,
        )
        for one in lists
    ]
    sections, rest = sections_and_rest(options.only, [one.game for one in lists])
    word, since = fold(rest), options.since.strip()
    if word == NONE:
        empty = "No cards are chosen, and nothing besides them."
        selections = [one.narrowed([0] * len(one.copies), "", empty) for one in selections]
    else:
        if match := SINCE_PRINT.fullmatch(fold(since)):
            past = PastPrint.objects.of(viewer).filter(pk=match[1]).first()
            selections = [_added(one, past) for one in selections]
        elif since or word == CHANGED:
            selections = [_changed(one, since, viewer) for one in selections]
        if sections:
            selections = [_in_sections(one, sections) for one in selections]
        if word not in ("", ALL, CHANGED, MISSING):
            selections = [_found(one, rest) for one in selections]
        if options.missing or word == MISSING:
            selections = _lacking(selections, viewer)
        if options.one_each:
            selections = [_one_each(one) for one in selections]
    if options.counts:
        numbers, words = counted(
            [one.in_order for one in lists], [one.copies for one in selections], options.counts
        )
        selections = [
            one.narrowed(own, words, "Of every card no copies are left." if any(one.copies) else "")
            for one, own in zip(selections, numbers, strict=True)
        ]
    return tuple(selections)


# -- what changed -------------------------------------------------------------------


def paper_key(card: Card) -> str:
    """The card as past prints name it: two cards of the same key are the same on paper."""
    return "".join(identity(card))


def paper_of(entries: Iterable[Entry]) -> Counter[str]:
    """The copies of each card in these entries, by ``paper_key``."""
    counts = Counter[str]()
    for entry in entries:
        counts[paper_key(entry.card)] += entry.count
    return counts


def _added(chosen: Selection, past: PastPrint | None) -> Selection:
    """The copies that the deck has beyond those of a past print."""
    one = chosen.listed
    before = past.cards.get(str(one.row.pk)) if past and one.row else None
    if past is None or before is None:
        raise _unknown_version(
            f"“{one.title}” is in no print of yours that is remembered here: print all of it."
        )
    words = f"the print of {dateformat.format(past.made, 'j F Y')}"
    left = Counter[Hashable](paper_of(one.deck.entries) - Counter(before))
    return chosen.narrowed(
        chosen.among(left, paper_key),
        f"added since {words}",
        f"No card was added to “{one.title}” since {words}.",
    )


def _changed(chosen: Selection, since: str, viewer: Viewer) -> Selection:
    """The copies that a version of the deck did not have yet. Sections do not matter, because paper has
    none.
    """
    one = chosen.listed
    if one.row is None:
        sentence = "A pasted list and single cards have no earlier versions: store the list as a deck first."
        raise Refused(Fault("no_history", sentence, "since"))
    if not one.row.is_editable_by(viewer):
        sentence = (
            f"Earlier versions of “{one.title}” are its author's alone: print all of it, or copy the deck."
        )
        raise Refused(Fault("not_yours", sentence, "since"), status=403)
    number, words = _version_called(one.row, since)
    then = one.row.content_at(number, one.game)
    if then is None:
        raise _unknown_version(f"Version {number} of “{one.title}” is not kept any more.")
    came_in = Counter[Hashable](difference(then, one.row.content()).came_in())
    empty = f"No card was added to “{one.title}” since {words}."
    return chosen.narrowed(chosen.among(came_in, identity), f"changed since {words}", empty)


def _version_called(row: Deck, since: str) -> tuple[int, str]:
    """The number and the words of the version with this name or number; without words that of the version
    before the last change. Raises Refused.
    """
    names = dict(DeckRevision.objects.of(row.pk).order_by("-number").values_list("number", "name"))
    if since:
        named = (pair for pair in names.items() if pair[1] and fold(pair[1]) == fold(since))
        known = {row.revision, *names}
        number, name = next(named, (whole_number(since, max(known)), ""))
        if number not in known:
            marked = [f"“{name}”" for name in names.values() if name][:MAX_NAMED]
            there = f"named: {', '.join(marked)}" if marked else "none with a name"
            raise _unknown_version(
                f"“{row.name}” has no version “{since}”; there are versions {min(known)} to {max(known)},"
                f" {there}."
            )
    else:
        number, name = next((pair for pair in names.items() if pair[0] < row.revision), (None, ""))
    if number is None:
        raise _unknown_version(f"“{row.name}” has no earlier version: nothing has changed.")
    # The number of the first version is 0, which no page tells.
    return number, f"“{name}”" if name else f"version {number}" if number else "its first version"


def _unknown_version(sentence: str) -> Refused:
    return Refused(Fault("unknown_version", sentence, "since"))


# -- sections and queries -------------------------------------------------------------


def sections_and_rest(only: str, games: Sequence[Game]) -> tuple[tuple[str, ...], str]:
    """``Leaders, deck; t:agent``: the names of sections of these games, in their own spelling, and
    the rest.
    """
    named, _, rest = only.partition(";")
    parts = tuple(part.strip() for part in named.split(","))
    known = games and all(any(section_called(game, part) for game in games) for part in parts)
    return (parts, rest.strip()) if known else ((), only.strip())


def section_called(game: Game, words: str) -> str:
    """The slug of the section of this name; empty for none."""
    meant = fold(words).strip()
    return next(
        (s.slug for s in game.sections if meant in (s.slug, fold(s.name), *map(fold, s.headings))), ""
    )


def _in_sections(chosen: Selection, sections: Iterable[str]) -> Selection:
    game = chosen.listed.game
    named = [slug for slug in dict.fromkeys(section_called(game, words) for words in sections) if slug]
    words = " and ".join(game.sections_by_slug[slug].name for slug in named) or " and ".join(sections)
    copies = chosen.where(lambda entry: entry.section in named)
    return chosen.narrowed(copies, f"of {words}", f"Nothing is in {words}.")


def _found(chosen: Selection, query: str) -> Selection:
    """The cards that the query finds. Raises Refused with every problem of the query and its columns."""
    game = chosen.listed.game
    read = parse_query(query, game)
    if read.query.faults:
        raise Refused(
            *(Fault(p.code, f"{p.message} (columns {p.start}-{p.end})", "only") for p in read.query.faults)
        )
    read = answer_of(read).results.query
    if read.query.tree is None:
        raise Refused(Fault("not_understood", "This asks for no cards: only for an order, say.", "only"))
    codes = {card.code for card in results_of(read).cards if card.game == game.slug}
    copies = chosen.where(lambda entry: not entry.card.written and entry.card.code in codes)
    empty, remarks = f"No card is found by “{query}”.", []
    if left := sum(chosen.where(lambda entry: entry.card.written)):
        left_out = f"{left} written-in {plural(left, 'card')} left out"
        remarks.append(f"{left_out}: no query finds what is not in the catalogue.")
    return chosen.narrowed(copies, f"found by “{query}”", empty, *remarks)


# -- what is owned, and one of each -----------------------------------------------------


def _lacking(selections: list[Selection], viewer: Viewer) -> list[Selection]:
    """The cards that the visitor's collection lacks. Written-in cards are in no collection, so they are
    printed.
    """
    keys = {entry.card.key for one in selections for entry in one.entries}
    mine = None if viewer.is_nobody else collection_of(viewer)
    owned = Counter[Hashable](copies(mine, keys) if keys else {})
    remarks = ["You have noted no cards as yours, so nothing is left out."] if mine is None else []
    rest = []
    for one in selections:
        numbers = [
            count - have
            for count, have in zip(one.copies, one.among(owned, lambda card: card.key), strict=True)
        ]
        empty = "You own every card of it: there is nothing to print." if any(one.copies) else ""
        left = one.narrowed(numbers, "not owned", empty, *remarks)
        rest.append(replace(left, nothing_lacks=any(one.copies) and not any(numbers)))
        remarks = []
    return rest


def _one_each(chosen: Selection) -> Selection:
    once = Counter[Hashable]({identity(entry.card): 1 for entry in chosen.listed.in_order})
    return chosen.narrowed(chosen.among(once, identity), "one of each")


# -- the fields of the print page -----------------------------------------------------

# The fields of the table with a number for each card share one short name, and a request has them in their
# order; beside them it has what each of them showed. So only numbers that were changed count, however else
# the cards were chosen meanwhile, and the address stays short.
NUMBER, SHOWN = "n", "counts_shown"
# The field of a button that prints a card so many times: ``kai:3``; without a number it goes by the other
# choices again.
COPIES_OF = "copies_of"
# The address would not hold the fields of a longer list.
MAX_ROWS = 150


class CopyRow(NamedTuple):
    """A card of the print. ``typed`` stands in its field, ``shown`` stood there before the field was
    changed.
    """

    card: str
    name: str
    section: str
    in_lists: int
    typed: str
    shown: int


class SentRow(NamedTuple):
    """A row as a request has it."""

    shown: int
    typed: str

    @property
    def changed(self) -> bool:
        return self.typed != str(self.shown)


def rows_sent(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The rows of a request by card; none if its fields do not fit together."""
    rows, numbers = data.get(SHOWN, "").split(","), data.getlist(NUMBER)
    if len(rows) != len(numbers) or len(rows) > MAX_ROWS:
        return {}
    sent = {}
    for row, number in zip(rows, numbers, strict=True):
        card, _, shown = row.rpartition(":")
        printed = whole_number(shown)
        if printed is None:
            return {}
        sent[card] = SentRow(printed, number.strip()[:10])
    return sent


def rows_pressed(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The card whose button was pressed, as a row that was changed."""
    card, _, number = data.get(COPIES_OF, "").rpartition(":")
    return {card: SentRow(-1, number.strip()[:10])} if card else {}


def counts_option(
    counts: str,
    rows: Mapping[str, SentRow],
    lists: Iterable[PrintList],
    otherwise: Mapping[str, int],
    *,
    only_there: bool = False,
) -> str:
    """The option ``counts`` with the changes of the table. ``otherwise``: the printed copies of cards that
    the option does not name. ``only_there``: cards that the lists no longer have are taken out of it.

    The option does not name a card whose field was emptied, or whose number is printed anyway. Words that are
    no number stay in it, so that the option is refused when it is read.
    """
    cards = Cards(one.deck.entries for one in lists)
    changed = {
        keys[0]: (card, row.typed)
        for card, row in rows.items()
        if row.changed and len(keys := cards.called(card)) == 1
    }
    if changed or only_there:
        with suppress(NotCounted):
            named = ((one, cards.called(one.card)) for one in read_counts(counts))
            counts = written(
                one for one, keys in named if changed.keys().isdisjoint(keys) and (keys or not only_there)
            )
    more = []
    for key, (card, number) in changed.items():
        count = whole_number(number, MAX_COPIES_OF_CARD)
        if count is not None:
            more += [] if otherwise.get(key) == count else [written([CardCount(card, count)])]
        elif number:
            more.append(f"{card}={number}")
    return ",".join(filter(None, (counts, *more)))


def copy_rows(
    lists: Sequence[PrintList], chosen: Sequence[Selection] | None, sent: Mapping[str, SentRow]
) -> tuple[CopyRow, ...]:
    """The rows of the table, none for lists that are too long. Without ``chosen``, while it is not known,
    rows stay as they were sent.
    """
    entries = [entry for one in lists for entry in one.in_order]
    cards, there = Cards([entries]), copies_in([entries])
    if len(there) > MAX_ROWS:
        return ()
    numbers = there if chosen is None else copies_in(one.entries for one in chosen)
    sections: dict[str, str] = {}
    for one in lists:
        for entry in one.deck.entries:
            section = one.game.sections_by_slug.get(entry.section)
            sections.setdefault(entry.card.key, section.name if section else entry.section)
    rows = []
    for key, count in there.items():
        card, usual = cards.shortest(key), SentRow(numbers[key], str(numbers[key]))
        shown, typed = sent.get(card, usual) if chosen is None else usual
        rows.append(CopyRow(card, cards.by_key[key].name, sections[key], count, typed, shown))
    return tuple(rows)


def out_of_date(rows: Sequence[CopyRow], sent: Mapping[str, SentRow]) -> bool:
    """True if the table of the request shows other cards or numbers than there are now, apart from changes
    made in it.
    """
    return {row.card for row in rows} != sent.keys() or any(
        not sent[row.card].changed and sent[row.card].shown != row.shown for row in rows
    )


class Sections(NamedTuple):
    """The choice of sections. ``boxes``: the numbers of cards of the sections that have any, by slug.
    ``ticked``: slugs of the wanted sections. ``typed``: a query, or a word.
    """

    boxes: Mapping[str, str] = MappingProxyType({})
    ticked: tuple[str, ...] = ()
    typed: str = ""


def sections_of(only: str, lists: Sequence[PrintList]) -> Sections:
    """The sections and the query of the option ``only``. Lists with a single section have no boxes, because
    there is nothing to choose.
    """
    named, rest = sections_and_rest(only, [one.game for one in lists])
    counts, names = Counter[str](), dict[str, dict[str, None]]()
    for one in lists:
        for entry in one.in_order:
            if section := one.game.sections_by_slug.get(entry.section):
                counts[section.slug] += entry.count
                names.setdefault(section.slug, {})[section.name] = None
    boxes = {slug: f"{' / '.join(spellings)} ({counts[slug]})" for slug, spellings in names.items()}
    boxes = boxes if len(boxes) > 1 else {}
    slugs = {section_called(one.game, words) for one in lists for words in named} - {""}
    # A section without cards may be wanted too.
    order = dict.fromkeys((*boxes, *(section.slug for one in lists for section in one.game.sections)))
    return Sections(boxes, tuple(slug for slug in order if slug in slugs), "" if fold(rest) == ALL else rest)


def only_option(ticked: Iterable[str], typed: str, lists: Sequence[PrintList]) -> str:
    """The option ``only`` in its one way of writing, from boxes and field."""
    also = sections_of(typed, lists)
    both = sections_of(",".join(filter(None, (*ticked, *also.ticked))), lists)
    every = both.boxes and both.boxes.keys() <= set(both.ticked)
    return "; ".join(filter(None, ("" if every else ",".join(both.ticked), also.typed)))
