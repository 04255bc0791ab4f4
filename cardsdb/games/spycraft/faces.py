"""The words and shapes that Spycraft's faces read from a card. ``game.toml`` names the public functions as
``says``, ``shape`` or ``line`` of an element; tests are in ``tests/printing/faces/test_compose.py``.
"""

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.shapes import Partition
from cardsdb.games.spycraft.emblems import PARTITIONS

# The shape around the number of an action tells when it is played.
MOMENTS = {"Intel": "circle", "Mission": "arrow", "React": "diamond"}
# The edge of a mission's band tells its kind.
KINDS: dict[str, Partition] = {"Fight": "indented", "Chase": "raked", "Intrigue": "scalloped"}


def line(card: Card) -> str:
    """Return the shape of the band's inner edge: the faction's, or that of a mission's first kind."""
    faction = card.word("faction")
    return PARTITIONS.get(faction) or KINDS.get(card.word("mission_types"), "straight")


def whose(card: Card) -> str:
    """Return faction and type, ``Nine Tiger leader``; an unknown faction is a blank to write on."""
    return " ".join((*(card.words("faction") or ("Faction ____",)), card.type))


def _header_words(card: Card) -> list[str]:
    """Return the words of an action's first header: moment, skill, number, as far as it has them."""
    return card.word("action_headers").split()


def header(card: Card) -> str:
    """Return the header shown at the head of an action's face."""
    return " ".join(_header_words(card))


def moment(card: Card) -> str:
    return "".join(_header_words(card)[:1])


def skill(card: Card) -> tuple[str, ...]:
    return tuple(word for word in _header_words(card)[1:] if not _is_number(word))


def number(card: Card) -> str | None:
    """Return the number that an action's skill check must reach, "X" for a formula; None without one."""
    return next(filter(_is_number, _header_words(card)), None)


def moment_shape(card: Card) -> tuple[str, ...]:
    return tuple(MOMENTS[word] for word in _header_words(card)[:1] if word in MOMENTS)


def _is_number(word: str) -> bool:
    return word.isdigit() or word == "X"


def solo_op(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of an action that can be run as a solo op: the number that wins it."""
    value, place = card.number("objective_value"), card.words("location")
    if value is None:
        return None
    where = ", ".join(("Solo op", *place))
    return str(value), f"{where}: win by", ", ".join(card.words("objective_skill")), ""


def level(card: Card) -> str | None:
    return f"Level {card.number('level')}" if card.number("level") else None


def kinds(card: Card) -> tuple[str, ...]:
    """Return a mission's kinds and its location."""
    return *card.words("mission_types"), *card.words("location")
