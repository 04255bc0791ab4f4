"""Select the cards to print from the lists of a request, by the options of the group "Choosing cards".

``PrintRequest.parse`` calls ``select``, which applies the choices in this order: changed cards, sections, a
query, cards not owned, one of each. Each only takes copies away, so that no more are printed than the list
has. Of the list 1 Li Cong (leader), 2 Kai, 1 Shade::

    [1, 2, 1]  the whole list
    [0, 2, 1]  only=deck: the section "deck"
    [0, 1, 1]  missing=yes: the viewer owns one Kai

The option ``counts`` comes last and overrides the others. ``choice_fields`` has the print page's fields for
these choices. Tests: ``tests/printing/request/test_selection.py``.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils import dateformat

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Game, fold, plural, whole_number
from cardsdb.identity.viewer import Viewer
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query, results_of
from decks.collection.holding import collection_of, copies
from decks.core.diff import difference, identity
from decks.models import Deck, DeckRevision
from printing.models import PastPrint
from printing.options.copies import counted
from printing.options.values import Options
from printing.request.lists import PrintList

# Values of the option ``only`` with a meaning of their own; any other text is a query.
ALL = "all"
NONE = "none"
CHANGED = "changed"
MISSING = "missing"
NOTHING_TICKED = "Nothing is ticked: tick what the evening needs."
# Named versions of a deck that an error lists.
MAX_NAMED = 10
# ``print 7`` as the option ``since``: only cards that were added since the past print with this id.
SINCE_PRINT = re.compile(r"print ([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True)
class Selection:
    """The part of a list that is printed, immutable; each choice returns a narrower one.

    - ``copies``: the printed copies of each entry of ``listed.in_order``, 0 for none.
    - ``words``: phrases for the choices, such as ``of Leaders``; empty if the whole list is printed.
    - ``remarks``: sentences to show beside the print.
    - ``empty``: the reason to show if no copies are left.
    - ``nothing_lacks``: True if nothing is left because the viewer owns all of it, which is no error.
    """

    listed: PrintList
    copies: tuple[int, ...]
    words: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    empty: str = "The list has no cards."
    nothing_lacks: bool = False

    @property
    def lines(self) -> Iterator[tuple[Entry, int]]:
        """(entry, printed copies) for every entry of the list, also those that are not printed."""
        return zip(self.listed.in_order, self.copies, strict=True)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The printed entries, with their printed copies as count."""
        return tuple(replace(entry, count=count) for entry, count in self.lines if count)

    def narrowed(self, copies: Iterable[int], words: str, empty: str = "", *remarks: str) -> "Selection":
        """The selection after one more choice. ``words`` name the choice; ``empty`` is the reason if it
        leaves nothing.
        """
        return replace(
            self,
            copies=tuple(copies),
            words=(*self.words, words) if words else self.words,
            remarks=(*self.remarks, *remarks),
            empty=empty or self.empty,
        )

    def where(self, is_chosen: Callable[[Entry], bool]) -> tuple[int, ...]:
        """The copies of each entry, or 0 if it is not chosen. For ``narrowed``."""
        return tuple(count if is_chosen(entry) else 0 for entry, count in self.lines)

    def among(self, left: Counter[Hashable], key_of: Callable[[Card], Hashable]) -> tuple[int, ...]:
        """The copies of each entry that ``left`` still has, by the key of its card. They are subtracted from
        ``left``, so that no later entry or list gets them again: of 2 Kai, 1 Shade, 2 Kai with 3 Kai left,
        (2, 0, 1) are taken, and no Kai is left.
        """
        copies = []
        for entry, count in self.lines:
            key = key_of(entry.card)
            taken = min(count, left[key])
            left[key] -= taken
            copies.append(taken)
        return tuple(copies)


def owned_too(options: Options, lists: Iterable[PrintList]) -> Options:
    """The same options without the choice of missing cards: owned cards are printed too."""
    sections, rest = sections_and_rest(options.only, [listed.game for listed in lists])
    only = ",".join(sections) if fold(rest) == MISSING else options.only
    return replace(options, missing=False, only=only or ALL)


def select(lists: Sequence[PrintList], options: Options, viewer: Viewer) -> tuple[Selection, ...]:
    """The part of each list that is printed. Raises Refused for a version, query or card that does not exist.

    A copy that the viewer owns is subtracted once: from the first list that has the card.
    """
    selections = [
        Selection(
            listed,
            tuple(entry.count for entry in listed.in_order),
            (listed.without,) if listed.without else (),
            empty=NOTHING_TICKED if listed.players else Selection.empty,
        )
        for listed in lists
    ]
    # ``only`` has sections, then one of the four words or a query, either or both:
    #
    #     only                sections     word        is_query
    #     deck                (deck)       ""          no
    #     leaders; changed    (leaders)    "changed"   no
    #     deck; t:agent       (deck)       "t:agent"   yes
    sections, rest = sections_and_rest(options.only, [listed.game for listed in lists])
    word = fold(rest)
    is_query = word not in ("", ALL, NONE, CHANGED, MISSING)
    # ``since`` asks for the copies that were added since a past print of the viewer ("print 7", ``past``), or
    # else since a version of the deck, by its name or number. If it is empty, "changed" asks for those since
    # the version before the last change.
    since = options.since.strip()
    if word == NONE:
        empty = "No cards are chosen, and nothing besides them."
        selections = [chosen.narrowed([0] * len(chosen.copies), "", empty) for chosen in selections]
    else:
        if past := past_print(since, viewer):
            selections = [_added(chosen, past) for chosen in selections]
        elif since or word == CHANGED:
            selections = [_changed(chosen, since, viewer) for chosen in selections]
        if sections:
            selections = [_in_sections(chosen, sections) for chosen in selections]
        if is_query:
            selections = [_found(chosen, rest) for chosen in selections]
        if options.missing or word == MISSING:
            selections = _not_owned(selections, viewer)
        if options.one_each:
            selections = [_one_each(chosen) for chosen in selections]
    if options.counts:
        now = [chosen.copies for chosen in selections]
        copies, words = counted([listed.in_order for listed in lists], now, options.counts)
        selections = [
            chosen.narrowed(own, words, "Of every card no copies are left." if any(chosen.copies) else "")
            for chosen, own in zip(selections, copies, strict=True)
        ]
    return tuple(selections)


# -- what changed -------------------------------------------------------------------


def paper_key(card: Card) -> str:
    """The key of a card in past prints. Cards with the same key look the same on paper."""
    return "".join(identity(card))


def paper_of(entries: Iterable[Entry]) -> Counter[str]:
    """The number of copies of each card, by ``paper_key``."""
    counts = Counter[str]()
    for entry in entries:
        counts[paper_key(entry.card)] += entry.count
    return counts


def past_print(since: str, viewer: Viewer) -> PastPrint | None:
    """The viewer's past print that the option ``since`` names: "print 7". If they have none with this number,
    one without decks that is not in the database; None if ``since`` names no print.
    """
    match = SINCE_PRINT.fullmatch(fold(since))
    return (PastPrint.objects.of(viewer).filter(pk=match[1]).first() or PastPrint()) if match else None


def _added(chosen: Selection, past: PastPrint) -> Selection:
    """The copies that were added to the deck since a past print. Raises Refused if the deck is not in it."""
    listed = chosen.listed
    before = past.cards.get(str(listed.row.pk)) if listed.row else None
    if before is None:
        raise _unknown_version(
            f"“{listed.title}” is in no print of yours that is remembered here: print all of it."
        )
    words = f"the print of {dateformat.format(past.made, 'j F Y')}"
    added = Counter[Hashable](paper_of(listed.deck.entries) - Counter(before))
    return chosen.narrowed(
        chosen.among(added, paper_key),
        f"added since {words}",
        f"No card was added to “{listed.title}” since {words}.",
    )


def _changed(chosen: Selection, since: str, viewer: Viewer) -> Selection:
    """The copies that were added to the deck since a version of it. A card that only moved to another section
    is not counted, because it looks the same on paper. Raises Refused.
    """
    listed = chosen.listed
    if listed.row is None:
        sentence = "A pasted list and single cards have no earlier versions: store the list as a deck first."
        raise Refused(Fault("no_history", sentence, "since"))
    if not listed.row.is_editable_by(viewer):
        sentence = (
            f"Earlier versions of “{listed.title}” are its author's alone: print all of it, or copy the deck."
        )
        raise Refused(Fault("not_yours", sentence, "since"), status=403)
    number, words = _version_called(listed.row, since)
    then = listed.row.content_at(number, listed.game)
    if then is None:
        raise _unknown_version(f"Version {number} of “{listed.title}” is not kept any more.")
    came_in = Counter[Hashable](difference(then, listed.row.content()).came_in())
    empty = f"No card was added to “{listed.title}” since {words}."
    return chosen.narrowed(chosen.among(came_in, identity), f"changed since {words}", empty)


def _version_called(row: Deck, since: str) -> tuple[int, str]:
    """Return (number, words) of the version with this name or number, such as ``(3, "version 3")`` or ``(3,
    "“Friday”")``. If ``since`` is empty, the version before the last change. Raises Refused if there is none.
    """
    # Number -> name of the stored versions, the latest first. The deck's present state may not be among them.
    names = dict(DeckRevision.objects.of(row.pk).order_by("-number").values_list("number", "name"))
    if since:
        known = {row.revision, *names}
        # A name counts for more than a number, since a version may be called "2".
        with_name = (pair for pair in names.items() if pair[1] and fold(pair[1]) == fold(since))
        number, name = next(with_name, (whole_number(since, max(known)), ""))
        if number not in known:
            marked = [f"“{name}”" for name in names.values() if name][:MAX_NAMED]
            there = f"named: {', '.join(marked)}" if marked else "none with a name"
            raise _unknown_version(
                f"“{row.name}” has no version “{since}”; there are versions {min(known)} to {max(known)},"
                f" {there}."
            )
    else:
        before = (pair for pair in names.items() if pair[0] < row.revision)
        number, name = next(before, (None, ""))
    if number is None:
        raise _unknown_version(f"“{row.name}” has no earlier version: nothing has changed.")
    if name:
        return number, f"“{name}”"
    # The first version has the number 0, which no page shows.
    return number, f"version {number}" if number else "its first version"


def _unknown_version(sentence: str) -> Refused:
    return Refused(Fault("unknown_version", sentence, "since"))


# -- sections and queries -------------------------------------------------------------


def sections_and_rest(only: str, games: Sequence[Game]) -> tuple[tuple[str, ...], str]:
    """Split the option ``only`` into (names of sections, rest).

    ``Leaders, deck; t:agent`` -> ``(("Leaders", "deck"), "t:agent")``; ``changed`` -> ``((), "changed")``.
    Unless one of the games has each name before the ``;``, all of it is the rest.
    """
    named, _, rest = only.partition(";")
    parts = tuple(part.strip() for part in named.split(","))
    all_known = all(any(section_called(game, part) for game in games) for part in parts)
    return (parts, rest.strip()) if all_known else ((), only.strip())


def section_called(game: Game, words: str) -> str:
    """The slug of the section with this slug, name or heading; empty if there is none."""
    name = fold(words).strip()
    for section in game.sections:
        if name in (section.slug, fold(section.name), *map(fold, section.headings)):
            return section.slug
    return ""


def _in_sections(chosen: Selection, sections: Iterable[str]) -> Selection:
    """The cards in sections with these names. The game of another list may have them; then there are none."""
    game = chosen.listed.game
    named = [slug for slug in dict.fromkeys(section_called(game, words) for words in sections) if slug]
    words = " and ".join(game.sections_by_slug[slug].name for slug in named) or " and ".join(sections)
    copies = chosen.where(lambda entry: entry.section in named)
    return chosen.narrowed(copies, f"of {words}", f"Nothing is in {words}.")


def _found(chosen: Selection, query: str) -> Selection:
    """The cards that the query finds. Raises Refused, with a fault for each problem of the query."""
    game = chosen.listed.game
    read = parse_query(query, game)
    if read.query.faults:
        raise Refused(
            *(Fault(p.code, f"{p.message} (columns {p.start}-{p.end})", "only") for p in read.query.faults)
        )
    # The query may be in plain words; then this is what they mean.
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


def _not_owned(selections: list[Selection], viewer: Viewer) -> list[Selection]:
    """The copies that the viewer's collection lacks. Written-in cards are in no collection, so they stay.
    ``owned`` is shared by all lists: an owned copy is subtracted from one of them only.
    """
    keys = {entry.card.key for chosen in selections for entry in chosen.entries}
    collection = None if viewer.is_nobody else collection_of(viewer)
    owned = Counter[Hashable](copies(collection, keys) if keys else {})
    remarks = ["You have noted no cards as yours, so nothing is left out."] if collection is None else []
    narrowed = []
    for chosen in selections:
        owned_copies = chosen.among(owned, lambda card: card.key)
        lacking = [count - have for count, have in zip(chosen.copies, owned_copies, strict=True)]
        empty = "You own every card of it: there is nothing to print." if any(chosen.copies) else ""
        left = chosen.narrowed(lacking, "not owned", empty, *remarks)
        narrowed.append(replace(left, nothing_lacks=any(chosen.copies) and not any(lacking)))
        # The remark is about the viewer, so the first list alone has it.
        remarks = []
    return narrowed


def _one_each(chosen: Selection) -> Selection:
    """One copy of each card, in its first entry. Cards that look the same on paper count as one."""
    once = Counter[Hashable]({identity(entry.card): 1 for entry in chosen.listed.in_order})
    return chosen.narrowed(chosen.among(once, identity), "one of each")
