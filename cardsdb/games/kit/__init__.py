"""The vocabulary in which a game is written. Standard library only.

Rooms, from the bottom: ``model`` (the nouns), ``folder`` (reading a game's files), ``rules``, ``play`` and
``print`` (what a game declares), ``game.py`` (all of it together); above the game ``listtext`` (reading and
writing lists), ``repair`` and ``contract``. Each room knows those before it. What a game folder declares most
is exported here and is imported from here; all else stands in its room.
"""

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.game import (
    CardTable,
    Credit,
    Game,
    Marker,
    PrintExtras,
    RowFact,
    ScoreCard,
    SetUpNumber,
)
from cardsdb.games.kit.model.cards import (
    OWN_CODE,
    Card,
    CardSet,
    CardType,
    Claim,
    Fact,
    FactValue,
    Print,
    as_words,
)
from cardsdb.games.kit.model.decklist import (
    NO_MARKS,
    Decklist,
    Detail,
    Entry,
    Marks,
    Prints,
    Section,
    count_of,
)
from cardsdb.games.kit.model.format import (
    Example,
    Format,
    Group,
    Problem,
    Report,
    Rule,
    Severity,
    Starter,
    Verdict,
    Violation,
)
from cardsdb.games.kit.model.rulebook import Citation, Document, Ruling
from cardsdb.games.kit.model.text import fold, listed, plural, slugify, some, whole_number
from cardsdb.games.kit.rules.construction import (
    AllShare,
    CopyLimit,
    Every,
    OneOfEach,
    OnlyTypes,
    Size,
    TotalAtMost,
    Without,
)
