"""Words on SpyNet's faces that are read out of a card."""

from cardsdb.games.kit import Card

# The flags that stand behind the name of a type.
FLAGS = {"agent": ("special", "mercenary"), "mission": ("condition",)}


def kind(card: Card) -> tuple[str, ...]:
    """The flags of the card, each a blank to write in while nobody states it; of a card of no stated type the likely one."""
    flags = {key: card.fact(key) for key in FLAGS.get(card.type, ())}
    likely = (f"likely {guess}" for guess in card.words("type_guess"))
    return *likely, *(key if flag else f"{key} ____" for key, flag in flags.items() if flag is not False)
