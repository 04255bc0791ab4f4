"""Tables of other sites, told by their whole header: the same word means a code on one site and a name on another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """A site and the columns in which it says what; ``signs`` are columns by which its header is told from others'."""

    title: str
    count: str
    name: str
    set: str = ""
    number: str = ""
    part: str = ""
    signs: tuple[str, ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(column for column in (self.count, self.name, self.set, self.number, self.part, *self.signs) if column)


# From the most particular header to the plainest: the first whose columns all stand in a header is taken.
DIALECTS = (
    Dialect("Archidekt", "quantity", "name", "edition code", "collector number", signs=("edition name", "scryfall id", "finish")),
    Dialect("Deckbox", "count", "name", "edition code", "card number", signs=("tradelist count", "edition")),
    Dialect("Deckbox", "count", "name", "", "card number", signs=("tradelist count", "edition")),
    Dialect("Moxfield", "count", "name", "edition", "collector number", signs=("tradelist count", "foil")),
    Dialect("DragonShield", "quantity", "card name", "set code", "card number", signs=("folder name", "printing")),
    Dialect("DragonShield", "quantity", "card name", "set code", "card number", signs=("trade quantity",)),
    Dialect("TCGplayer", "quantity", "name", "set code", "card number", signs=("simple name", "printing")),
    Dialect("ManaBox", "quantity", "name", "set code", "collector number", signs=("set name", "foil")),
    Dialect("MTGO", "quantity", "card name", "set", "collector #", signs=("premium",)),
    Dialect("MTGGoldfish", "quantity", "card", "set id", signs=("set name", "foil")),
    Dialect("MTGGoldfish", "quantity", "card", "set id"),
    Dialect("TopDecked", "quantity", "name", "setcode", "collector number", signs=("setname",)),
    Dialect("Card Kingdom", "quantity", "title", "", signs=("edition", "foil")),
    Dialect("TappedOut", "qty", "name", "printing", "", "board"),
    Dialect("Scryfall", "count", "name", "set_code", "collector_number", "section"),
    Dialect("Scryfall", "count", "name", "set_code", "collector_number"),
    Dialect("AetherHub", "quantity", "name", "set", "", signs=("rarity",)),
)
_COUNT = ("count", "quantity", "qty", "copies", "number of copies")
_NAME = ("name", "card name", "card", "title", "simple name")
_SET = ("set code", "edition code", "setcode", "set_code", "set")
_NUMBER = ("collector number", "card number", "collector #", "collector_number", "number")
_PART = ("section", "board", "zone")
_CODE = ("code", "key", "card code")


def dialect_of(header: tuple[str, ...]) -> Dialect | None:
    """The dialect of a header in small letters; a plain one for a header with a count and a name; None for neither."""
    found = frozenset(header)
    if known := next((dialect for dialect in DIALECTS if dialect.columns <= found), None):
        return known
    count, name = _first(found, _COUNT), _first(found, _NAME) or _first(found, _CODE)
    if not count or not name:
        return None
    return Dialect("a table", count, name, _first(found, _SET), _first(found, _NUMBER), _first(found, _PART))


def _first(found: frozenset[str], words: tuple[str, ...]) -> str:
    return next((word for word in words if word in found), "")
