"""The shapes of what is answered about decks and lists, for the API's schema."""

from rest_framework import serializers

from cardsdb.api.answers import Page, Place, page_of
from cardsdb.api.serializers import Answer, ProblemSerializer
from decks.models.deck import WHO_SEES

# -- verdicts -----------------------------------------------------------------------------


class Citation(Place):
    texts = "code says"


class CopiesIn(Answer):
    texts = "name section"
    numbers = "count"


class Removal(Answer):
    """The fewest copies whose removal cures a violation."""

    texts = "message"
    remove = [CopiesIn]
    add = [CopiesIn]


class Violation(Answer):
    texts = "code problem message house"
    lists = "cards"
    severity = serializers.ChoiceField(choices=["illegal", "incomplete", "unknown", "note"])
    found = serializers.JSONField(allow_null=True)
    wanted = serializers.JSONField(allow_null=True)
    citation = Citation | None
    repairs = [Removal]


class League(Answer):
    """The league whose format a list was judged by: what the format is called, and the document that its
    rules are cited from.

    ``lost``: there is none that you may see; ``format`` alone judged it.
    """

    texts = "link name document by url"
    flags = "lost"


class Notice(Answer):
    """What was set aside of a line. ``line`` counts in the list; ``where`` is the place in what was sent,
    which may be a file.
    """

    texts = "where message"
    numbers = "line"


class Unread(Notice):
    """A line that was not read, with what may be meant, and the verdict by each."""

    texts = "text code"
    lists = "suggestions outcomes"


class Meter(Answer):
    """How many cards are counted by a rule, and how many it wants; null where it has no such bound."""

    texts = "code label"
    numbers = "found least? most?"
    flags = "kept"


class CardsIn(Answer):
    texts = "section"
    numbers = "count"


class RepairChange(Answer):
    """``card`` is null of one that was written in."""

    texts = "name section card?"
    numbers = "by"


class OtherRepair(Answer):
    texts = "card name instead_of message"
    changes = [RepairChange]


class Repair(Answer):
    """A smallest repair, the verdict after it, and other cards that would do as well."""

    texts = "message verdict"
    numbers = "size"
    flags = "for_example"
    changes = [RepairChange]
    others = [OtherRepair]


class Guessed(Answer):
    """Why game and format were taken; empty for what was said."""

    texts = "game format"


class Loss(Answer):
    texts = "code message where"


class OfFile(Answer):
    """The file of another program that a list stood in: what it was taken for, and what was lost of it."""

    texts = "taken_for"
    losses = [Loss]


class Verdict(Answer):
    """What judging a list gives: the same object as ``check_deck --json``."""

    texts = "game format house readings legal_elsewhere opening"
    league = League | None
    verdict = serializers.ChoiceField(choices=["legal", "incomplete", "illegal", "undecided"])
    violations = [Violation]
    unread = [Unread]
    notices = [Notice]
    meters = [Meter]
    repairs = Repair(many=True, required=False)
    sections = [CardsIn]
    guessed = Guessed
    of_file = OfFile(required=False)


# -- decks that are finished ------------------------------------------------------------------


class Need(Answer):
    """The cards of one role as they are in a deck, and should be, in cards, or in sums of the fact ``counts``.
    ``standing``: a source, a count of played decks, or our judgement.
    """

    texts = "slug name counts standing counted"
    numbers = "have want add low high"
    lists = "cites findings"


class CardAdded(Answer):
    texts = "name section role reason card?"
    numbers = "count owned"


class CardRemoved(Answer):
    """Copies that a rule forbids; ``to``: the section that it moves to, empty if it comes out."""

    texts = "name section to code card?"
    numbers = "count"


class Proposal(Answer):
    """A way to finish a deck, and what the checks find after it; ``text`` is the whole list."""

    texts = "name help counted starter verdict text"
    lists = "cites findings"
    added = [CardAdded]
    removed = [CardRemoved]


class Completed(Answer):
    """``findings``: sentences of the checks of playability, the one first that decides games."""

    texts = "game format"
    lists = "findings"
    needs = [Need]
    proposals = [Proposal]


# -- decks --------------------------------------------------------------------------------


class DeckHead(Answer):
    texts = "id url game format name"
    numbers = "revision"
    times = "changed"
    visibility = serializers.ChoiceField(choices=WHO_SEES)


class ListedDeck(DeckHead):
    """A deck in a list. ``sizes``: the cards in each section that you may see, by its name."""

    texts = "verdict house by?"
    numbers = "likes"
    flags = "forked"
    lists = "tags"
    sizes = serializers.DictField(child=serializers.IntegerField())
    times = "created"


class DeckPage(Page):
    """A page of decks. ``problems``: what is probably not meant; ``unjudged``: decks that could not be asked
    for their verdict yet.
    """

    numbers = "unjudged"
    problems = [ProblemSerializer]
    results = [ListedDeck]


class CardTold(Answer):
    """``card``: its key, null of one that was written in."""

    texts = "name type card?"


class PrintsOfLine(Answer):
    texts = "print"
    numbers = "count"


class DeckLine(CardTold):
    texts = "section"
    numbers = "count"
    prints = [PrintsOfLine]


class StoredDeck(DeckHead):
    """A deck, judged. ``edit_key`` is told once, of a new deck; ``words`` says what a change did."""

    texts = "notes house text"
    lists = "tags"
    details = serializers.DictField()
    lines = [DeckLine]
    report = Verdict
    edit_key = serializers.CharField(required=False)
    words = serializers.CharField(required=False, allow_blank=True)


class LineChange(Answer):
    texts = "name section card?"
    numbers = "before after"


class Revision(Answer):
    """A state of a deck with what it changed, and the numbers of the states that undo and redo lead to."""

    texts = "kind name words by?"
    numbers = "number undo_to? redo_to?"
    times = "made"
    changes = [LineChange]


RevisionPage = page_of(Revision)


class ContentLine(Answer):
    """A line with a card of the catalogue by its ``code``, or one that was written in, and with its marks."""

    texts = "section"
    numbers = "count"
    code = serializers.CharField(required=False)


class Content(Answer):
    texts = "name format house notes"
    lists = "tags"
    details = serializers.DictField()
    lines = [ContentLine]


class FullRevision(Revision):
    """A state of a deck with all that its author wrote."""

    content = Content


# -- statistics ---------------------------------------------------------------------------


class Seen(Answer):
    texts = "deck game format"
    flags = "secret_left_out"


class TableRow(Answer):
    """``cells``: numbers and words, null for what is not stated."""

    texts = "label"
    cells = serializers.ListField(child=serializers.JSONField(allow_null=True))


class Table(Answer):
    """A table of a deck's statistics. ``feet`` are totals and means; ``drawn``: the columns in its chart."""

    texts = "title note head chart?"
    lists = "columns rules terms"
    rows = [TableRow]
    feet = [TableRow]
    drawn = serializers.ListField(child=serializers.IntegerField())


class Deal(Answer):
    texts = "name"
    numbers = "cards"


class Mulligan(Answer):
    texts = "says"
    numbers = "hand times"
    lists = "cites"


class Pile(Answer):
    """Cards that are shuffled together. ``per_turn`` is null where no source states a number."""

    texts = "slug name"
    numbers = "cards per_turn?"
    lists = "terms rules"
    deals = [Deal]
    mulligan = Mulligan | None


class Numbers(Seen):
    tables = [Table]
    piles = [Pile]


class Chance(Answer):
    texts = "exact"
    decimal = serializers.FloatField()


class Wish(Answer):
    texts = "how"
    numbers = "count"


class Counted(Answer):
    texts = "name"
    numbers = "count"


class DrawnChance(Answer):
    numbers = "drawn"
    chance = Chance


class Kind(Answer):
    texts = "words"
    numbers = "size"
    wish = Wish
    cards = [Counted]
    chance = Chance
    expected = Chance
    spread = [DrawnChance]


class Turn(Answer):
    texts = "label"
    numbers = "seen"
    chances = [Chance]
    together = Chance | None


class CopiesChance(Answer):
    numbers = "copies"
    chance = Chance


class Odds(Seen):
    """``kinds``: by their letters, a and b; ``together`` is null where one alone is asked for."""

    texts = "pile"
    numbers = "total drawn"
    kinds = serializers.DictField(child=Kind())
    together = Chance | None
    turns = [Turn]
    by_copies = [CopiesChance]


class Draw(Answer):
    texts = "name"
    numbers = "turn"
    cards = [CardTold]


class Hand(Answer):
    texts = "pile"
    numbers = "left"
    drawn = [Draw]


class Hands(Seen):
    texts = "seed"
    piles = [Hand]


# -- files --------------------------------------------------------------------------------


class Converted(Answer):
    """A list in another format, and what that format cannot hold."""

    texts = "filename content_type text"
    losses = [Loss]


class TakenFor(Answer):
    texts = "format title dialect"


class Imported(Answer):
    """What was read of a file. ``text`` may be sent to ``/api/v1/decks/`` to keep it; ``report`` is what
    judging it gives.
    """

    texts = "game name notes house text"
    lists = "tags"
    taken_for = TakenFor
    losses = [Loss]
    report = Verdict


# -- formats of leagues --------------------------------------------------------------------


class LeagueFormat(Answer):
    """A format in a list. ``house``: what the house rules of a deck begin with that is judged by it; ``url``:
    its page.
    """

    texts = "id url address game name by based_on visibility house"
    times = "changed"


class LeagueRule(Answer):
    """``own``: the league says it, not the game."""

    texts = "code says"
    flags = "own"


class FullLeagueFormat(LeagueFormat):
    """``rules`` is null where the game has changed so that the format can be read no longer; ``declared`` is
    what its file says.
    """

    rules = LeagueRule(many=True, allow_null=True)
    declared = serializers.DictField()


LeagueFormatPage = page_of(LeagueFormat)
