"""The vocabulary in which a game is written. Standard library only.

Rooms, each importing only from those before it: ``model`` (cards, decks, verdicts), ``folder`` (the files of
a game, read), ``rules``, ``play`` and ``print`` (what a game declares) and ``game.py`` (one game as a whole);
then what works with a whole game: ``listtext`` (deck lists as text), ``repair``, ``complete``, ``contract``
and ``declared``. This module exports the names that most games and decks use; import those from here and
every other name from its room.
"""

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.files import GAME_FILE, LICENCE_FILE, FolderError
from cardsdb.games.kit.game import (
    Credit,
    Game,
    Marker,
    PrintExtras,
    RowFact,
    ScoreCard,
)
from cardsdb.games.kit.model.cards import (
    ENTRY_KINDS,
    OWN_CODE,
    Card,
    CardSet,
    CardType,
    Claim,
    Fact,
    FactValue,
    Print,
    as_words,
    entries_in_words,
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
from cardsdb.games.kit.model.effects import EFFECT_FACTS, EffectWords, spoken
from cardsdb.games.kit.model.format import (
    VERDICTS,
    Format,
    Group,
    League,
    Meter,
    Report,
    Rule,
    Severity,
    Starter,
    Violation,
    meter_words,
)
from cardsdb.games.kit.model.marks import joined
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.rulebook import Citation, Document, Ruling
from cardsdb.games.kit.model.text import (
    UNPRINTABLE,
    fold,
    listed,
    plural,
    slugify,
    some,
    unprintable,
    whole_number,
)
from cardsdb.games.kit.play.opening import Pile, shuffled
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
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES, write_house_rules
