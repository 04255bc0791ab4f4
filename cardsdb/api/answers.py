"""The shapes of the catalogue's answers, for the API's schema."""

from rest_framework import serializers

from cardsdb.api.serializers import Answer, ProblemSerializer


class Page(Answer):
    """A page of a list. ``next`` and ``previous`` are addresses to follow as they are."""

    texts = "next? previous?"
    numbers = "count"


def page_of(shape: type[Answer]) -> type[Page]:
    """A page of such objects."""
    return type(f"{shape.__name__}Page", (Page,), {"results": [shape]})


class Place(Answer):
    """Where something was read. ``pages``: those on which the lines begin, where they were compared."""

    texts = "document section lines url certainty"
    pages = serializers.ListField(child=serializers.IntegerField())


class NotedPlace(Place):
    texts = "note"


class Cited(NotedPlace):
    """A place that a statement stands on; ``rule`` is the code of one that is a rule."""

    texts = "rule"


class Credit(Answer):
    texts = "text licence licence_url work_url changes"


# -- cards -------------------------------------------------------------------------------


class Print(Answer):
    texts = "set number rarity code note"
    in_parts = True


class Source(Answer):
    """``url``: where all may read the lines; one that begins with ``/`` is an address of this site. Empty
    where nobody shows them.
    """

    texts = "document section lines url certainty note value?"


class EffectTags(Answer):
    lists = "when does target"


class Effect(Answer):
    """One line of what a card does in the words of searches, the sentence that says it to people, and who says
    so. ``inferred``: the note of its source says what that leaves open.
    """

    texts = "line sentence certainty"
    tags = EffectTags
    source = Source


class Card(Answer):
    """A card, or the parts of it that were asked for. ``facts`` lacks whatever no source states. Lists have
    the parts after ``prints`` only where ``include`` or ``fields`` names them.
    """

    texts = "key game code name type text note"
    lists = "aliases"
    in_parts = True
    facts = serializers.DictField()
    prints = [Print]
    effects = [Effect]
    sources = serializers.DictField(child=Source(many=True))
    credit = Credit | None


class OtherMeaning(Answer):
    """Another thing that may be meant, and how many cards it finds."""

    texts = "query"
    numbers = "count"


class Understood(Answer):
    """As what words were read where that is not as they were typed, and those of which nothing was
    understood.
    """

    texts = "query words"
    lists = "not_understood left_out"
    others = [OtherMeaning]


class CardPage(Page):
    understood = Understood | None
    problems = [ProblemSerializer]
    results = [Card]


# -- sets, rules, terms ------------------------------------------------------------------


class Set(Answer):
    """A set. ``size`` is how many prints it is said to have, null if nobody says; ``known`` how many the
    catalogue holds.
    """

    texts = "key game code name year"
    numbers = "known size?"
    flags = "official"
    in_parts = True


SetPage = page_of(Set)


class Rule(Place):
    """A rule in our words, with the place it was read and the formats that check it."""

    texts = "game code says about"
    lists = "checked_in"
    in_parts = True


RulePage = page_of(Rule)


class Term(Answer):
    """A term of a game's glossary."""

    texts = "game slug term meaning"
    lists = "aliases facts see"
    in_parts = True
    source = NotedPlace
    credit = Credit | None


TermPage = page_of(Term)


# -- games -------------------------------------------------------------------------------


class CardType(Answer):
    texts = "slug name plural kind"
    flags = "in_decks"


class Format(Answer):
    texts = "slug name help"
    flags = "official"
    lists = "sections"


class Game(Answer):
    """A game, or the parts of it that were asked for. ``entries``: how many cards, stand-ins, components and
    terms the catalogue holds; ``league_formats``: the address of the formats that leagues made of it.
    """

    texts = "slug name publisher year summary kind league_formats"
    numbers = "cards"
    in_parts = True
    entries = serializers.DictField(child=serializers.IntegerField())
    credit = Credit | None
    types = [CardType]
    formats = [Format]


GamePage = page_of(Game)


class Fact(Answer):
    texts = "key kind label help"
    lists = "types aliases"


class Section(Answer):
    texts = "slug name"
    flags = "secret"
    lists = "types"


class Ruling(Answer):
    texts = "id question treatment lines"
    lists = "rules"


class Starter(Answer):
    texts = "slug name format text"


class FullGame(Game):
    """A game with its facts, sections, rules, rulings and starters."""

    in_parts = False
    facts = [Fact]
    sections = [Section]
    rules = [Rule]
    rulings = [Ruling]
    starters = [Starter]


class Reach(Answer):
    texts = "word title says"


class Imprint(Answer):
    texts = "label says url"
    sources = [Cited]


class PlayStep(Answer):
    texts = "title says note"
    lists = "rulings"
    sources = [Cited]


class PlayTable(Answer):
    lists = "head"
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))


class PlayPart(Answer):
    """``places``: where a marker can stand."""

    texts = "slug title says page"
    flags = "ordered"
    lists = "places"
    sources = [Cited]
    steps = [PlayStep]
    table = PlayTable | None


class PlayGuide(Answer):
    """How a game is played. ``reach``: how far that can be done with what is here."""

    texts = "game"
    reach = Reach | None
    imprint = [Imprint]
    parts = [PlayPart]
    credit = Credit | None


# -- queries, files, addresses -----------------------------------------------------------


class Tree(Answer):
    """A part of a query, in these columns; by its ``kind`` it has ``parts``, a ``part``, or what is said of
    cards.
    """

    texts = "kind"
    numbers = "start end"


class SortKey(Answer):
    texts = "key"
    flags = "descending"


class FoundProblem(Answer):
    texts = "code message"
    numbers = "start end"
    lists = "suggestions"


class Explained(Answer):
    """How a query is understood. ``tree`` is null where nothing is asked."""

    texts = "normal words"
    tree = Tree | None
    order = [SortKey]
    problems = [FoundProblem]


class BulkFile(Answer):
    numbers = "rows?"
    texts = "name about url sha256"
    size = serializers.IntegerField(help_text="In bytes.")


class Bulk(Answer):
    """The files of one edition; null and an empty list while none are written."""

    numbers = "edition?"
    texts = "date?"
    files = [BulkFile]


class ListedGame(Answer):
    texts = "slug name kind address league_formats"
    lists = "formats"


class Address(Answer):
    texts = "address about"
    lists = "methods"


class Index(Answer):
    texts = "documentation schema"
    games = [ListedGame]
    addresses = [Address]
