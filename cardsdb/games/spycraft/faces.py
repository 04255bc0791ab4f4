"""Words and shapes on Spycraft's faces that are read out of a card: when an action is played, whose a card is, which
line a faction has.
"""

from cardsdb.games.kit import Card
from cardsdb.games.spycraft.emblems import PARTITIONS

# The shape that the number of an action stands in says when it is played.
MOMENTS = {"Intel": "circle", "Mission": "arrow", "React": "diamond"}
# The edge of a mission's band says its kind.
KINDS = {"Fight": "indented", "Chase": "raked", "Intrigue": "scalloped"}


def line(card: Card) -> str:
    """The inner edge of the band: the faction's, or that of a mission's first kind."""
    faction = next(iter(card.words("faction")), "")
    return PARTITIONS.get(faction) or KINDS.get(next(iter(card.words("mission_types")), ""), "straight")


def whose(card: Card) -> str:
    """Faction and type: Nine Tiger leader. A faction that nobody stated is a blank to write in."""
    return " ".join((*(card.words("faction") or ("Faction ____",)), card.type))


def _first(card: Card) -> list[str]:
    """Moment, skill and number of an action's first header; fewer where it has fewer."""
    return next(iter(card.words("action_headers")), "").split()


def header(card: Card) -> str:
    """The header that stands at the head of an action's face."""
    return " ".join(_first(card))


def moment(card: Card) -> str:
    return "".join(_first(card)[:1])


def skill(card: Card) -> tuple[str, ...]:
    return tuple(word for word in _first(card)[1:] if not _is_number(word))


def number(card: Card) -> str | None:
    """The number that an action's skill check must reach, X for a formula; None without one."""
    return next(filter(_is_number, _first(card)), None)


def moment_shape(card: Card) -> tuple[str, ...]:
    return tuple(MOMENTS[word] for word in _first(card)[:1] if word in MOMENTS)


def _is_number(word: str) -> bool:
    return word.isdigit() or word == "X"


def solo_op(card: Card) -> tuple[str, str, str, str] | None:
    """The number that wins an action when it is run as a solo op: (number, where, skill, nothing)."""
    value, place = card.number("objective_value"), card.words("location")
    if value is None:
        return None
    where = ", ".join(("Solo op", *place))
    return str(value), f"{where}: win by", ", ".join(card.words("objective_skill")), ""


def level(card: Card) -> str | None:
    return f"Level {card.number('level')}" if card.number("level") else None


def kinds(card: Card) -> tuple[str, ...]:
    """A mission's kinds and its place."""
    return *card.words("mission_types"), *card.words("location")
