"""The table of line forms: a line as people and programs write it is read with its count and its card, or stands
among the unread; no form turns the verdict on a list.
"""

from __future__ import annotations

import re

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading

# How a line may say so many of a card. Where both a count and a number of the line stand, ``{i}`` is the latter.
COUNTED = """\
{n} {name}
{n}x {name}
{n} x {name}
x{n} {name}
X{n} {name}
{n}× {name}
×{n} {name}
[{n}] {name}
({n}) {name}
({n}x) {name}
(x{n}) {name}
[{n}x] {name}
{n} - {name}
{n} – {name}
{n} — {name}
{n}x - {name}
{n}: {name}
{n},{name}
{n}, {name}
{n};{name}
{n}\t{name}
{n} = {name}
- {n} {name}
– {n} {name}
— {n} {name}
• {n} {name}
· {n} {name}
* {n} {name}
+ {n} {name}
- {n}x {name}
- [ ] {n} {name}
{name} x{n}
{name} X{n}
{name} ×{n}
{name} x {n}
{name} {n}x
{name} ({n})
{name} (x{n})
{name} ({n}x)
{name} (×{n})
{name} [{n}]
{name} [x{n}]
{name} - {n}
{name} – {n}
{name} — {n}
{name} - {n}x
{name} - x{n}
{name}: {n}
{name}: x{n}
{name}:{n}
{name} = {n}
{name}, {n}
{name},{n}
{name}; {n}
• {name} x{n}
- {name} ({n})
{name} ({n}) #blue // a note
{name} x{n} // see (7)
**{n} {name}**
**{n}** {name}
**{n}x** {name}
{n} **{name}**
{n}x **{name}**
- **{n}** {name}
__{n} {name}__
*{n} {name}*
_{n} {name}_
`{n} {name}`
**{name}** x{n}
**{name}** ({n})
{n} [{name}](https://example.org/cards/a-b?c=d)
{n} [{name}](/cards/a-b/)
[{n} {name}](https://example.org/cards/a-b)
[{name}](https://example.org/cards/a-b) x{n}
- {n} [{name}](https://example.org/cards/a-b)
{n} [[{name}]]
{n}x [[{name}]]
{wide} {name}
{wide}x {name}
{wide}ｘ {name}
{name} （{wide}）
\ufeff{n} {name}
\u200b{n} {name}
\u200e{n} {name}
\u00ad{n} {name}
\u00a0{n} {name}
\u2060\ufeff{n} {name}
{n}\u00a0{name}
{n}\u200b {name}
{n}\u2009{name}
{n} {name}\u200b
{n} {name} $0.25
{n} {name} ($0.25)
{n} {name} $1,250.00
{n} {name} €0,25
{n} {name} 0,25 €
{n} {name} £3
{name} x{n} $0.25
{n} {name} {{2}}{{W}}
{n} {name} ●●●
{n} {name} ★★
{n} {name},
{n} {name};
{n} {name}.
{n} "{name}"
{n} “{name}”
"{name}",{n}
{n},"{name}"
<b>{n} {name}</b>
<li>{n} {name}</li>
{i}. {n} {name}
{i}) {n}x {name}
{i}. {name} x{n}
{i}. {name} ({n})
{i}. **{n} {name}**""".split("\n")

# Ways in which a line may say one card.
SINGLE = """\
{name}
- {name}
• {name}
– {name}
**{name}**
[{name}](https://example.org/cards/a-b)
[[{name}]]
\ufeff{name}
{name},
{name} $0.25
1. {name}
{i}. {name}
{i}) {name}""".split("\n")

PLAIN, AWKWARD = 3, 12
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


def written(form: str, name: str, count: int, place: int) -> str:
    return form.format(name=name, n=count, wide=str(count).translate(WIDE), i=place)


def chosen(game: Game) -> list[Card]:
    """The cards with the most awkward names that lists call by the name alone, and a few plain ones."""
    alone = [
        card
        for card in game.cards
        if game.name_index.label(card) == card.name and len(game.name_index.called(card.name)) == 1
    ]
    alone = [card for card in alone if card.name.casefold() not in game.details_by_word]
    awkward = [card for card in alone if re.search(r"\d|[^\w' ]", card.name)]
    awkward.sort(key=lambda card: -sum(not (char.isalpha() or char in " '") for char in card.name))
    plain = [card for card in alone if card.name.isalpha()]
    return [*awkward[:AWKWARD], *plain[:PLAIN]]


def found(reading: Reading) -> list[tuple[int, str]]:
    return [(entry.count, entry.card.code) for entry in reading.deck]


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("form", COUNTED)
def test_a_form_is_read_with_its_count_and_its_card(form: str, slug: str) -> None:
    game = games()[slug]
    wrong = []
    for place, card in enumerate(chosen(game)):
        line = written(form, card.name, place % 3 + 2, 1)
        if found(read_deck(game, line)) != [(place % 3 + 2, card.code)]:
            wrong.append(line)
    assert wrong == []


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("form", SINGLE)
def test_a_form_without_a_count_is_one_card(form: str, slug: str) -> None:
    game, cards = games()[slug], chosen(games()[slug])
    text = "\n".join(written(form, card.name, 1, place) for place, card in enumerate(cards, 1))
    assert found(read_deck(game, text)) == [(1, card.code) for card in cards]


# One of each format, with no card that it writes in.
STARTERS = {
    f"{game.slug}-{starter.format}": (game, starter)
    for game in games().values()
    for starter in game.starters
    if not any(entry.card.written for entry in read_deck(game, starter.text).deck)
}


def rewritten(game: Game, deck: Decklist, form: str) -> str:
    """The list of the deck, every line of a card in this form."""
    labels = {detail.key: detail.label for detail in game.details_by_word.values()}
    lines = [f"{labels[key]}: {value}" for key, value in deck.details.items()]
    before = 0
    for section in game.sections:
        if entries := deck.in_section(section.slug):
            lines += ["", f"{section.name}:"]
            for place, entry in enumerate(entries, before + 1):
                # A detail of the game stands as it is: “Alarm: 8” counts no card.
                own = "{n} {name}" if entry.card.name.casefold() in game.details_by_word else form
                lines.append(written(own, game.name_index.label(entry.card), entry.count, place))
            before += len(entries)
    return "\n".join(lines)


@pytest.mark.parametrize("name", STARTERS)
def test_no_form_turns_the_verdict_on_a_list(name: str) -> None:
    game, starter = STARTERS[name]
    format = game.formats_by_slug[starter.format]
    plain = read_deck(game, starter.text, format)
    wanted = game.judge(plain.deck, format).verdict
    turned = []
    for form in COUNTED:
        reading = read_deck(game, rewritten(game, plain.deck, form), format)
        if not reading.unread and game.judge(reading.deck, format).verdict != wanted:
            turned.append(form)
    assert turned == []
