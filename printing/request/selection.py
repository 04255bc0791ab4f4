"""Which cards of the lists are printed: those of sections, of a query, changed ones, ones that are not owned,
one of each.

Every choice takes cards away, so no more copies are printed than the list has. Numbers of single cards come
last, and override the other choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Decklist, Entry, Format, Game
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.text import fold, plural, some
from cardsdb.identity.viewer import Viewer
from decks.core.diff import difference, identity
from decks.core.shortages import Copies
from decks.models import Deck
from printing.options.copies import WrongCards, counted
from printing.options.values import Options
from printing.request.stored import codes_found, owned_copies, version_called

# Words of ``only`` that are no query.
ALL, NONE, CHANGED, MISSING = "all", "none", "changed", "missing"


@dataclass(frozen=True, slots=True)
class PrintList:
    """One list to print from, as its visitor may see it. ``row``: the stored deck, if it is one.

    ``page`` is the path of its page. ``loose``: single cards, which are no deck that has a verdict.
    ``unread``: its lines that nobody could read, which are missing from ``deck``.
    """

    game: Game
    deck: Decklist
    title: str
    format: Format | None = None
    row: Deck | None = None
    page: str = ""
    loose: bool = False
    unread: tuple[Unread, ...] = ()

    @property
    def without(self) -> str:
        """What is said wherever there is room for words if lines of the list are missing."""
        return f"without {some(len(self.unread), 'unread line')}" if self.unread else ""

    @property
    def is_private(self) -> bool:
        return self.row is not None and not self.row.is_shared

    @property
    def about_page(self) -> str:
        """What must be known of a QR code that leads to its page; empty where everybody can open that."""
        if not self.is_private:
            return ""
        return (
            f"“{self.title}” is private: its page opens for you alone, and not for others who read the code."
        )

    @property
    def in_order(self) -> tuple[Entry, ...]:
        """Its cards as they are printed: in the order of the game's sections."""
        order = {section.slug: place for place, section in enumerate(self.game.sections)}
        return tuple(sorted(self.deck.entries, key=lambda entry: order.get(entry.section, len(order))))


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a list is printed. ``words`` say how it was chosen, empty for all of it; ``remarks`` are shown
    beside the print.
    """

    listed: PrintList
    entries: tuple[Entry, ...]
    words: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    # Why nothing is left, where nothing is.
    empty: str = "The list has no cards."
    # Nothing is left because the visitor owns all of it, which is no mistake of theirs.
    nothing_lacks: bool = False

    @property
    def count(self) -> int:
        return sum(entry.count for entry in self.entries)


def all_of(options: Options, lists: Iterable[PrintList]) -> Options:
    """The same options, by which all of these lists is printed whether somebody owns it or not."""
    sections, rest = sections_and_rest(options.only, [one.game for one in lists])
    only = ",".join(sections) if fold(rest) == MISSING else options.only
    return replace(options, missing=False, only=only or ALL)


def select(lists: Iterable[PrintList], options: Options, viewer: Viewer) -> tuple[Selection, ...]:
    """What is printed of each list. Raises Refused for a version, a section, a query or a card that does not
    exist.

    A copy that the visitor owns counts for the earlier list alone.
    """
    everything = [Selection(one, one.in_order, (one.without,) if one.without else ()) for one in lists]
    selections = _without_counts(everything, options, viewer)
    if options.counts:
        try:
            entries, words = counted(
                [one.entries for one in everything], [one.entries for one in selections], options.counts
            )
        except WrongCards as error:
            raise Refused(*(Fault(code, sentence, error.field) for code, sentence in error.faults)) from None
        selections = [_with_counts(one, own, words) for one, own in zip(selections, entries, strict=True)]
    return tuple(selections)


def _without_counts(selections: list[Selection], options: Options, viewer: Viewer) -> list[Selection]:
    """The selections by all options but the numbers of single cards."""
    sections, rest = sections_and_rest(options.only, [one.listed.game for one in selections])
    word = fold(rest)
    if word == NONE:
        return [
            replace(one, entries=(), empty="No cards are chosen, and nothing besides them.")
            for one in selections
        ]
    if options.since.strip() or word == CHANGED:
        selections = [_changed(one, options.since.strip(), viewer) for one in selections]
    if sections:
        selections = [_in_sections(one, sections) for one in selections]
    if word not in ("", ALL, CHANGED, MISSING):
        selections = [_narrowed(one, rest) for one in selections]
    if options.missing or word == MISSING:
        selections = _lacking(selections, viewer)
    if options.one_each:
        selections = [
            replace(one, entries=_one_each(one.entries), words=(*one.words, "one of each"))
            for one in selections
        ]
    return selections


def _with_counts(chosen: Selection, entries: tuple[Entry, ...], words: str) -> Selection:
    empty = "Of every card no copies are left." if chosen.entries else chosen.empty
    return replace(
        chosen, entries=entries, words=(*chosen.words, words) if words else chosen.words, empty=empty
    )


def _with_copies(entries: Iterable[Entry], copies_of: Callable[[Entry], int]) -> tuple[Entry, ...]:
    """The entries, each with as many copies as ``copies_of`` says, but never more than it has."""
    counted = ((entry, min(entry.count, copies_of(entry))) for entry in entries)
    return tuple(replace(entry, count=count) for entry, count in counted if count > 0)


# -- what changed -------------------------------------------------------------------


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
    number, words = version_called(one.row, since)
    then = one.row.content_at(number, one.game)
    if then is None:
        raise Refused(
            Fault("unknown_version", f"Version {number} of “{one.title}” is not kept any more.", "since")
        )
    left = difference(then, one.row.content()).came_in()

    def added(entry: Entry) -> int:
        take = min(entry.count, left[identity(entry.card)])
        left[identity(entry.card)] -= take
        return take

    empty = f"No card was added to “{one.title}” since {words}."
    return replace(
        chosen,
        entries=_with_copies(chosen.entries, added),
        words=(*chosen.words, f"changed since {words}"),
        empty=empty,
    )


# -- sections and queries -------------------------------------------------------------


def sections_and_rest(only: str, games: Sequence[Game]) -> tuple[tuple[str, ...], str]:
    """``Leaders, deck; t:agent`` -> the names of sections of these games as they are written there, and the
    rest.
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
    entries = tuple(entry for entry in chosen.entries if entry.section in named)
    words = " and ".join(game.sections_by_slug[slug].name for slug in named) or " and ".join(sections)
    return replace(
        chosen, entries=entries, words=(*chosen.words, f"of {words}"), empty=f"Nothing is in {words}."
    )


def _narrowed(chosen: Selection, query: str) -> Selection:
    """The cards that the query finds."""
    game = chosen.listed.game
    codes = codes_found(game, query, {entry.card.code for entry in chosen.entries if not entry.card.written})
    entries = tuple(entry for entry in chosen.entries if not entry.card.written and entry.card.code in codes)
    written = sum(entry.count for entry in chosen.entries if entry.card.written)
    remark = (
        f"{written} written-in {plural(written, 'card')} left out: no query finds what is not in the"
        " catalogue."
    )
    remarks = (*chosen.remarks, remark) if written else chosen.remarks
    chosen = replace(
        chosen, words=(*chosen.words, f"found by “{query}”"), empty=f"No card is found by “{query}”."
    )
    return replace(chosen, entries=entries, remarks=remarks)


# -- what is owned, and one of each -----------------------------------------------------


def _lacking(selections: list[Selection], viewer: Viewer) -> list[Selection]:
    """The cards that the visitor's collection lacks. Written-in cards are in no collection, so they are
    printed.
    """
    pairs = {
        (one.listed.game.slug, entry.card.code)
        for one in selections
        for entry in one.entries
        if not entry.card.written
    }
    noted = _owned(viewer, pairs)
    owned = noted or {}
    remark = () if noted is not None else ("You have noted no cards as yours, so nothing is left out.",)
    rest = []
    for one in selections:
        entries, owned = lacking(one.entries, owned)
        all_owned = bool(one.entries) and not entries
        empty = "You own every card of it: there is nothing to print." if one.entries else one.empty
        words, remarks = (*one.words, "not owned"), (*one.remarks, *remark)
        rest.append(
            replace(one, entries=entries, words=words, remarks=remarks, empty=empty, nothing_lacks=all_owned)
        )
        remark = ()
    return rest


def _owned(viewer: Viewer, pairs: set[tuple[str, str]]) -> Copies | None:
    """The copies in the visitor's collection; None for somebody without one."""
    if viewer.is_nobody:
        return None
    return owned_copies(viewer, pairs)


def lacking(entries: Iterable[Entry], owned: Copies) -> tuple[tuple[Entry, ...], Copies]:
    """(what lacks, what of the collection is left): owned copies go to the earlier entries."""
    left = dict(owned)

    def lacks(entry: Entry) -> int:
        if entry.card.written:
            return entry.count
        have = min(entry.count, left.get(entry.card.key, 0))
        left[entry.card.key] = left.get(entry.card.key, 0) - have
        return entry.count - have

    return _with_copies(entries, lacks), left


def _one_each(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    seen: set[tuple[str, str]] = set()

    def first(entry: Entry) -> int:
        fresh = identity(entry.card) not in seen
        seen.add(identity(entry.card))
        return int(fresh)

    return _with_copies(entries, first)
