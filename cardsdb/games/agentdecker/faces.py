"""Words and shapes on Agent Decker's faces that are read out of a card."""

from cardsdb.games.kit import Card

# The shape that a cost stands in says what pays it.
SHAPES = {"stealth": "eye", "fighting": "sun", "any": "circle"}


def cost_shape(card: Card) -> str:
    return SHAPES.get(next(iter(card.words("cost_kind")), ""), "plate")


def kind(card: Card) -> tuple[str, ...]:
    """The kind of obstacle, the letter of the mission, the copies: each that applies, a blank where nobody states it."""
    words = card.words("obstacle_type") or (("kind ____",) if "obstacle" in card.type else ())
    letter = next(iter(card.words("letter")), "____" if card.type == "mission-obstacle" else "")
    copies = card.number("copies")
    return *words, letter and f"letter {letter}", f"{copies} copies" if copies else ""


def gives(card: Card) -> tuple[str, str, str, str] | None:
    """The resource that a starting card gives."""
    known = ((card.number(f"reward_{resource}"), resource) for resource in ("stealth", "fighting"))
    return next(
        ((str(number), "gives", resource.capitalize(), "") for number, resource in known if number), None
    )
