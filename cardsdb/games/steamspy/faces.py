"""Words on Steam Spy's faces that are read out of a card."""

from cardsdb.games.kit import Card

# The cards of a corporation's deck; all others of a deck are an organisation's.
OF_CORPORATION = ("ally", "interrupt", "corporation-card")


def works_for(card: Card) -> tuple[str, ...]:
    """The level of a character, the corporation that it works for and the organisation that it spies for."""
    level = card.number("level")
    return f"level {level or '____'}", *card.words("corporation"), *card.words("organisation")


def whose(card: Card) -> tuple[str, ...]:
    """The deck that a card is of, a blank to write in while nobody states it, and its type of vehicle."""
    side = "corporation" if card.type in OF_CORPORATION else "organisation"
    return *(card.words(side) or (f"{side} ____",)), *card.words("vehicle")


def place(card: Card) -> tuple[str, ...]:
    """What tells an entry from others of its type: its region, who pays it, its kind, its group, its aim."""
    facts = ("region", "sponsor", "encounter_kind", "listed_under", "aim")
    words = ((fact, word) for fact in facts for word in card.words(fact))
    return tuple(f"sponsored by {word}" if fact == "sponsor" else word for fact, word in words)


def trait_and_type(card: Card) -> tuple[str, ...]:
    return *card.words("trait"), *card.words("encounter_type")


def raises(card: Card) -> tuple[str, str, str, str] | None:
    """The ranks that a corporation adds to its traits, or an organisation to the actions of its type of encounter."""
    traits, ranks = card.words("trait"), card.number("trait_bonus")
    if ranks is None:
        traits, ranks = card.words("encounter_type"), card.number("action_bonus")
    return (
        (f"+{ranks}", "", " and ".join(traits), "" if card.words("trait") else "any action")
        if ranks
        else None
    )
