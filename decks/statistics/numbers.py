"""The numbers of a deck, calculated for a visitor: the odds of drawing one or two kinds of card, the opening
hand on the deck's page, and the table of what the visitor's own texts say. Pages (``views.py``) and the API
(``decks/api``) show them; the arithmetic itself is in ``decks/core/figures.py``.

A visitor sees only what they may: ``SeenDeck.cards`` lacks secret cards of other people's decks, and
``SeenDeck.shuffled``, from which everything is drawn, lacks all secret cards. Odds are exact fractions, and a
seed always gives the same hand.

Tests: ``test_numbers.py`` and ``test_views.py`` in ``tests/decks/statistics``; for ``opening_hand``,
``tests/decks/pages/test_deck.py``.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from django import forms

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Entry, Format, Game, Pile, count_of, plural
from cardsdb.games.kit.play.statistics import NONE, Table, TableRow, tally
from cardsdb.identity.viewer import Viewer
from cardsdb.search.query.words import in_words
from cardsdb.search.results import parse_strictly, results_of
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import without_secrets
from decks.core.figures import (
    HOW,
    SEED,
    Drawn,
    Parts,
    Wish,
    chance,
    chance_of_both,
    drawn_by_turn,
    expected,
    hand_of,
)
from decks.models import Deck, visible_deck

# Cards that can be drawn.
MAX_DRAWN = 60
# Copies that can be asked for.
MAX_WANTED = 20
# Characters of a query.
MAX_TEXT = 200
# Copies of one card for which the chance of drawing it is shown.
MAX_COPIES = 4
# Turns after the opening hand for which chances are shown.
TURNS = 8
# The two kinds of card that can be asked for; their letters begin the names of fields.
LETTERS = ("a", "b")


@dataclass(frozen=True)
class SeenDeck:
    """A deck as a visitor may see it. ``cards`` and ``partner_cards`` contain only what they may see;
    ``hidden``: something was left out of the deck. Give piles and deals ``shuffled``, never ``cards``.
    """

    deck: Deck
    game: Game
    format: Format
    editable: bool
    cards: Decklist
    hidden: bool
    partner: Deck | None = None
    partner_cards: Decklist | None = None

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.game.measure(self.cards, self.partner_cards)

    @cached_property
    def shuffled(self) -> Decklist:
        """The cards that may be drawn: those without secret ones, even if the visitor may see these."""
        return without_secrets(self.game, self.cards)

    @property
    def piles(self) -> tuple[Pile, ...]:
        """The piles that the game shuffles for this deck."""
        return self.game.piles_for(self.format.slug, self.shuffled)


def seen_deck(link: str, viewer: Viewer) -> SeenDeck:
    """The deck of this link, as the viewer may see it. Raise Http404 if they may not, or if there is none."""
    deck = visible_deck(link, viewer)
    game = game_or_404(deck.game)
    cards, partner = deck.decklist_for(viewer, game), None
    if deck.partner_id:
        # A partner deck that this visitor may not see is left out.
        partner = Deck.objects.visible_to(viewer).filter(pk=deck.partner_id, game=deck.game).first()
    return SeenDeck(
        deck,
        game,
        deck.format_used(game),
        deck.is_editable_by(viewer),
        cards,
        len(cards.entries) < len(deck.decklist().entries),
        partner,
        partner.decklist_for(viewer, game) if partner else None,
    )


def is_asked_for(card: Card, asks: tuple[tuple[str, str], ...]) -> bool:
    """True if a table's row counts this card. ``asks``: ``TableRow.asks``, (fact key or "type", value)."""
    return all(card.type == value if key == "type" else value in card.words(key) for key, value in asks)


# -- the form of the odds ---------------------------------------------------------------------


def _whole_number(least: int, most: int) -> forms.IntegerField:
    """A field for a number of cards in these bounds."""
    bounds = f"Ask for {least} to {most} cards."
    messages = {"invalid": "Write a whole number.", "min_value": bounds, "max_value": bounds}
    return forms.IntegerField(min_value=least, max_value=most, required=False, error_messages=messages)


def _how() -> forms.ChoiceField:
    """A field for the meaning of a number: at least, exactly, at most."""
    message = f"A number is meant as one of: {', '.join(HOW)}."
    return forms.ChoiceField(
        choices=list(HOW.items()), required=False, error_messages={"invalid_choice": message}
    )


def _query() -> forms.CharField:
    return forms.CharField(max_length=MAX_TEXT, required=False)


def _ticked() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(required=False)


class OddsForm(forms.Form):
    """The form of the odds: the pile, the number of cards drawn, and up to two kinds of card, a and b. It is
    sent by GET, so that the address of an answer can be shared.
    """

    pile = forms.ChoiceField(required=False)
    draw = _whole_number(1, MAX_DRAWN)
    # Of each kind: a query, the meaning of its number, the number, and ticked cards.
    a, b = _query(), _query()
    a_is, b_is = _how(), _how()
    a_count, b_count = _whole_number(0, MAX_WANTED), _whole_number(0, MAX_WANTED)
    a_card, b_card = _ticked(), _ticked()

    def __init__(self, data: Any, piles: Sequence[Pile], seen: SeenDeck) -> None:
        """``piles`` and the cards of ``seen`` are what can be chosen; any other choice is an error that names
        them.
        """
        super().__init__(data)
        self.piles = {pile.slug: pile for pile in piles}
        self._offer(
            "pile", [(pile.slug, pile.name) for pile in piles], f" There are: {', '.join(self.piles)}."
        )
        cards = [(entry.card.code, entry.card.name) for entry in seen.cards]
        for letter in LETTERS:
            self._offer(f"{letter}_card", cards)

    def _offer(self, name: str, choices: list[tuple[str, str]], offered: str = "") -> None:
        """Let a field take these (value, words) of the deck; ``offered`` ends the message for another one."""
        self.fields[name].choices = choices
        self.fields[name].error_messages["invalid_choice"] = f"“%(value)s” is not in this deck.{offered}"

    def chosen_pile(self) -> Pile | None:
        """The pile that the form names, else the first one; None if the deck has no pile."""
        return self.piles.get(str(self.data.get("pile", ""))) or next(iter(self.piles.values()), None)


# -- odds -------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of card in a pile. In brackets: 2 cards are drawn of 7, among them 2 Kai.

    - letter: its letter of ``LETTERS`` as a capital ("A");
    - words: the query, and the number of ticked cards, in words ("faction is Nine Tiger");
    - wish: how many of its cards are wanted (at least 1);
    - cards: (name, copies) in the pile (("Kai", 2),);
    - size: the number of all these copies (2);
    - chance: that the wish comes true (11/21);
    - expected: the number drawn on average;
    - spread: (number, chance of drawing exactly that many);
    - codes: those of all cards of the kind, in the pile or not.
    """

    letter: str
    words: str
    wish: Wish
    cards: tuple[tuple[str, int], ...]
    size: int
    chance: Fraction
    expected: Fraction
    spread: tuple[tuple[int, Fraction], ...]
    codes: frozenset[str]

    @property
    def wish_words(self) -> str:
        """The wish in words: "at least 2"."""
        return f"{HOW[self.wish.how]} {self.wish.count}"

    @property
    def mean(self) -> str:
        return f"{float(self.expected):.2f}"


class Turn(NamedTuple):
    """The chances once ``seen`` cards have been drawn. ``together``: that both wishes come true, None if
    there is one kind.
    """

    label: str
    seen: int
    chances: tuple[Fraction, ...]
    together: Fraction | None

    @property
    def all_chances(self) -> tuple[Fraction, ...]:
        """The chances of each kind, and last that of both together, if there are two."""
        return self.chances if self.together is None else (*self.chances, self.together)


class Odds(NamedTuple):
    """The odds: ``drawn`` of ``total`` cards of a pile. ``by_copies``: (copies of one card in the deck,
    chance to draw at least one of them).
    """

    pile: Pile
    total: int
    drawn: int
    kinds: tuple[Kind, ...]
    together: Fraction | None
    turns: tuple[Turn, ...]
    by_copies: tuple[tuple[int, Fraction], ...]


def odds_of(form: OddsForm, seen: SeenDeck) -> Odds | None:
    """The odds that the form asks for. None if nothing can be drawn or the form is invalid; its errors then
    tell why.
    """
    pile = form.chosen_pile()
    if not form.is_valid() or pile is None:
        return None
    values = form.cleaned_data
    entries = pile.cards(seen.shuffled)
    total = count_of(entries)
    # The number asked for, else that of the opening hand.
    drawn = values["draw"] or pile.first(seen.shuffled) or 1
    if drawn > total:
        form.add_error("draw", f"There are {total} cards to draw from; ask for so many or fewer.")
        return None
    kinds = []
    for letter in LETTERS:
        if not (values[letter].strip() or values[f"{letter}_card"]):
            continue
        try:
            kinds.append(_kind(letter, values, entries, drawn, seen))
        except Refused as refused:
            for fault in refused.faults:
                form.add_error(letter, f"{fault.message} ({fault.where})" if fault.where else fault.message)
            return None
    parts = _parts_by(*kinds, entries) if len(kinds) == 2 else None

    def together(number: int) -> Fraction | None:
        return chance_of_both(kinds[0].wish, kinds[1].wish, parts, number) if parts else None

    turns: list[Turn] = []
    # ``number``: the cards drawn up to this turn.
    for turn, number in enumerate(drawn_by_turn(drawn, pile.per_turn or 1, total, TURNS)):
        if turns and number == turns[-1].seen:
            # The whole pile has been drawn.
            break
        # A pile that states no cards a turn is drawn card by card.
        later = f"Turn {turn}" if pile.per_turn else f"{turn} more"
        label = later if turn else "At first"
        chances = tuple(chance(kind.wish, kind.size, total, number) for kind in kinds)
        turns.append(Turn(label, number, chances, together(number)))
    most = max((entry.count for entry in entries), default=1)
    copies = range(1, min(MAX_COPIES, total, most) + 1)
    by_copies = tuple((n, chance(Wish("at-least", 1), n, total, drawn)) for n in copies)
    return Odds(pile, total, drawn, tuple(kinds), together(drawn), tuple(turns), by_copies)


def _parts_by(first: Kind, second: Kind, entries: Sequence[Entry]) -> Parts:
    """Return how many cards of the pile are of the first kind alone, of the second alone, of both, and of
    neither.
    """

    def copies(codes: frozenset[str]) -> int:
        return count_of(entry for entry in entries if entry.card.code in codes)

    a, b = first.codes, second.codes
    first_alone, second_alone, both = copies(a - b), copies(b - a), copies(a & b)
    return Parts(first_alone, second_alone, both, count_of(entries) - first_alone - second_alone - both)


def _kind(
    letter: str, values: Mapping[str, Any], entries: Sequence[Entry], drawn: int, seen: SeenDeck
) -> Kind:
    """The kind of card that the fields of this letter ask for, with its chances in a pile of these entries.
    Raise Refused if its query is invalid or asks for no cards.
    """
    words, codes = _kind_meant(values[letter], set(values[f"{letter}_card"]), seen)
    count = values[f"{letter}_count"]
    wish = Wish(values[f"{letter}_is"] or "at-least", 1 if count is None else count)
    picked = [entry for entry in entries if entry.card.code in codes]
    size, total = count_of(picked), count_of(entries)
    numbers = range(min(size, drawn) + 1)
    return Kind(
        letter=letter.upper(),
        words=words,
        wish=wish,
        cards=tuple((entry.card.name, entry.count) for entry in picked),
        size=size,
        chance=chance(wish, size, total, drawn),
        expected=expected(size, total, drawn),
        spread=tuple((n, chance(Wish("exactly", n), size, total, drawn)) for n in numbers),
        codes=frozenset(codes),
    )


def _kind_meant(text: str, ticked: set[str], seen: SeenDeck) -> tuple[str, set[str]]:
    """Return (a kind of card in words, the codes of its cards in the deck): those that the query finds, and
    those ticked. Raise Refused if the query is invalid or asks for no cards.
    """
    words, codes = [], set(ticked)
    if text.strip():
        query = parse_strictly(text, seen.game)
        if query.query.tree is None:
            raise Refused(Fault("not_understood", "This asks for no cards. Write a card’s name or a fact."))
        words.append(in_words(query.query.tree, query.fields))
        cards = seen.deck.cards_by_key()
        codes |= {cards[pk].code for pk in results_of(query).restricted_to(cards).pks}
    if ticked:
        words.append(f"{len(ticked)} ticked {plural(len(ticked), 'card')}")
    return " or ".join(words), codes


# -- the opening hand -------------------------------------------------------------------------

# The seed of an address without one. It is the same for every visitor, so that the page does not change.
FIRST_SEED = "1"
# Cards of one deal that are shown; games deal far fewer.
MAX_DEALT = 20
BAD_SEED = "This address does not name a hand: a seed is 1 to 40 letters, digits, hyphens and underscores."


def new_seed() -> str:
    """A random seed of 8 characters, two for each byte, for a link."""
    return secrets.token_hex(4)


class DealtPile(NamedTuple):
    """A pile of the game and the deals from it before the first turn."""

    pile: Pile
    deals: tuple[Drawn, ...]


class OpeningHand(NamedTuple):
    """The opening hand of a deck. ``seed`` gives this one, ``next_seed`` another; ``fault`` is what is wrong
    with the seed, or empty.
    """

    piles: tuple[DealtPile, ...]
    seed: str
    next_seed: str
    fault: str = ""

    @property
    def only(self) -> Drawn | None:
        """The deal, if there is exactly one; else None."""
        return self.piles[0].deals[0] if len(self.piles) == 1 and len(self.piles[0].deals) == 1 else None


def opening_hand(game: Game, format: str, deck: Decklist, seed: str) -> OpeningHand | None:
    """The opening hand that this seed gives. None if no source states how many cards are dealt. Cards of
    secret sections are never dealt.
    """
    open_cards = without_secrets(game, deck)
    piles = [pile for pile in game.piles_for(format, open_cards) if pile.deals and pile.first(open_cards)]
    if not piles:
        return None
    if not SEED.fullmatch(seed):
        return OpeningHand((), "", new_seed(), BAD_SEED)
    dealt = []
    for pile in piles:
        deals = hand_of(pile, open_cards, seed).drawn
        shown = tuple(deal._replace(cards=deal.cards[:MAX_DEALT]) for deal in deals)
        dealt.append(DealtPile(pile, shown))
    return OpeningHand(tuple(dealt), seed, new_seed())


# -- the table of the visitor's own texts -----------------------------------------------------

# Title and note of the table of the visitor's own texts.
TITLE = "What your own texts say"
NOTE = (
    "For you alone, out of texts that were brought and not out of our summaries: on how many cards a verb of"
    " the game stands in any form. A word such as “turn” or “end” may be a noun there."
)
# Verbs in that table, the most frequent first.
MAX_VERBS = 24


def table_of_texts(game: Game, deck: Decklist, texts: Mapping[str, str]) -> Table | None:
    """The table that tells how many of the deck's cards have each verb of the game in their text, copies
    counted. ``texts``: card code -> text. None if no card of the deck has a text.
    """
    with_text = [entry for entry in deck if entry.card.code in texts]
    if not with_text:
        return None
    words = game.effect_words
    verbs = {code: (words.verbs_in(text) if words else ()) or (NONE,) for code, text in texts.items()}
    counts = tally(with_text, lambda entry: verbs[entry.card.code])
    # Cards without any verb come last.
    ordered = sorted(counts, key=lambda verb: (verb == NONE, -counts[verb], verb))
    rows = [
        TableRow("none of these" if verb == NONE else verb, (counts[verb],)) for verb in ordered[:MAX_VERBS]
    ]
    feet = (
        TableRow("Cards with a text", (count_of(with_text),)),
        TableRow("All cards", (deck.size,)),
    )
    return Table(TITLE, "Verb", ("Cards",), tuple(rows), feet, note=NOTE)
