from cardsdb.games.kit import Example


def examples():
    return (
        Example("three cards", "street", "2 Zorka\n1 Sealed Box", "legal"),
        Example("two cards", "street", "2 Zorka", "incomplete", ("DD-1",)),
        Example("three alike", "street", "3 Zorka", "illegal", ("DD-2",)),
    )
