"""Words on Steam Spy's faces that are read out of a card."""

from cardsdb.games.kit import Card

# The cards of a corporation's deck; all others of a deck are an organisation's.
OF_CORPORATION = ("ally", "interrupt", "corporation-card")


def works_for(card: Card) -> tuple[str, ...]:
    """The corporation that a character works for and the organisation that it spies for."""
    return *card.words("corporation"), *card.words("organisation")


def whose(card: Card) -> tuple[str, ...]:
    """The deck that a card is of, a blank to write in while nobody states it, and its type of vehicle."""
    side = "corporation" if card.type in OF_CORPORATION else "organisation"
    return *(card.words(side) or (f"{side} ____",)), *card.words("vehicle")


def place(card: Card) -> tuple[str, ...]:
    """One value of an entry that tells it from others of its type: its region, its kind, its group, its aim."""
    facts = ("region", "encounter_kind", "listed_under", "aim")
    return tuple(word for fact in facts for word in card.words(fact))


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
