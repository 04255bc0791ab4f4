"""The table of line forms (``COUNTED``, ``SINGLE``): a line in any form that people and programs use is read
with its count and its card, or reported as unread.
"""

from __future__ import annotations

import re
from itertools import cycle

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from tests.cardsdb.games.kit.listtext.lists import read

# Forms of a line with a count: {n} is the count ({wide} in full-width digits, {words} in words), {name} the
# card, {i} the number of the line.
COUNTED = """\
{n} {name}
MD,{n},"{name}"
{n}x {name}
{n}X {name}
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
[*]{n} {name}
[*] {n}x [b]{name}[/b]
[b]{n}[/b] {name}
{n} [card]{name}[/card]
{n} [url=https://example.org/{i}]{name}[/url]
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
{name} ({words})
{name} [{words}]
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
{n} [{name}](address)
[{name}](address "A card") ({n})
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
{name} ({n}),
{name} x{n}.
{name}: {n},
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

# Forms of a line without a count, which is one copy.
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

# How many cards of each game are tried in each form.
PLAIN, AWKWARD = 3, 12
WORDS = "no one two Three four five six seven eight nine ten eleven twelve".split()
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


def written(form: str, name: str, count: int, place: int) -> str:
    """The line of a card in this form; ``place`` is the number of the line."""
    wide, words = str(count).translate(WIDE), WORDS[count] if count < len(WORDS) else str(count)
    return form.format(name=name, n=count, wide=wide, words=words, i=place)


def chosen(game: Game) -> list[Card]:
    """Cards with awkward names (digits, punctuation), and a few with plain ones. A line can name each of them
    without its set.
    """
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
def test_a_form_is_read_with_its_count_and_its_card(slug):
    game = games()[slug]
    lines = [
        (written(form, card.name, count, 1), [(count, card.code)])
        for form in COUNTED
        for card, count in zip(chosen(game), cycle((2, 3, 4)), strict=False)
    ]
    assert [line for line, wanted in lines if found(read_deck(game, line)) != wanted] == []


@pytest.mark.parametrize("slug", games())
def test_a_form_without_a_count_is_one_card(slug):
    game, cards = games()[slug], chosen(games()[slug])
    wrong = []
    for form in SINGLE:
        text = "\n".join(written(form, card.name, 1, place) for place, card in enumerate(cards, 1))
        if found(read_deck(game, text)) != [(1, card.code) for card in cards]:
            wrong.append(form)
    assert wrong == []


@pytest.mark.parametrize("line", ["Kai ON x3", "Kai (ON) x3", "Kai ON (3)", "Kai [ON] - 3"])
def test_a_count_may_stand_behind_a_print(line):
    reading = read(line)
    assert (found(reading), reading.notices) == ([(3, "kai")], ())


@pytest.mark.parametrize(
    ("line", "name", "note"),
    [
        ("1 Ghost [B] | unknown", "Ghost [B]", ""),
        ("1 Ghost | unknown | // see [i]rule[/i] [u]", "Ghost", "see [i]rule[/i] [u]"),
        ("[b]1 Kai // see [i]rule[/i][/b]", "Kai", "see [i]rule[/i][/b]"),
    ],
)
def test_brackets_in_a_name_or_a_note_are_no_markup_of_forums(line, name, note):
    (entry,) = read(line).deck
    assert (entry.card.name, entry.marks.note) == (name, note)


# -- lines that are not clear -----------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    (
        "2 Kai (3);2 Kai x3;2 Kai [3];Kai (2) (3);Kai (100);Kai [0];Kai|3;Kai 3;2 Kai, 3 Termite;Kai (ON) 2;"
        "Kai (2 of 3);Kai (2/3);Kai ON 12;2 Kai ON x3;2 Kai (ON) [3];Kai *2*;Kai ^2^;1x Kai 2x"
        " Termite;4x;Kai (2?);Kai (~2);"
        "Vault City (14);2 Kai (two);2 Kai (x2);Kai (two) (two)"
    ).split(";"),
)
def test_a_line_with_a_number_that_may_not_be_the_count_is_unread(line):
    reading = read(line)
    assert (found(reading), [unread.text for unread in reading.unread]) == ([], [line])


@pytest.mark.parametrize(
    ("numbers", "counts", "notice"),
    [
        (
            "1. {} 2. {} 3. {}",
            [1, 1, 1],
            "The numbers before the names count the lines; each line is one copy.",
        ),
        ("1. {} 1. {} 1. {}", [1, 1, 1], ""),
        ("1. 2 {} 2. 3x {} 3. 1 {}", [2, 3, 1], ""),
        ("1. {} x2 2. {} (3) 3. {}: 1", [2, 3, 1], ""),
        ("2. {} 2. {} 1. {}", [2, 2, 1], "The number before “Kai” was read as its count: 2."),
        ("1) {} 3) {} 2) {}", [1, 3, 2], "The number before “Termite” was read as its count: 3."),
    ],
)
def test_numbers_with_a_point_are_places_of_lines_if_they_go_up_by_one_and_counts_else(
    numbers, counts, notice
):
    text = re.sub(r" (?=\d[.)] )", "\n", numbers).format("Kai", "Termite", "Shiatsu")
    reading = read(text)
    assert found(reading) == list(zip(counts, ("kai", "termite", "shiatsu"), strict=True))
    assert [each.message for each in reading.notices] == ([notice] if notice else [])


def test_numbers_of_lines_may_begin_again_below_a_heading():
    text = "Leaders:\n1. Li Cong\n2. Minx\n\nDeck:\n1. Kai\n2. Termite\n3. Shiatsu"
    assert [entry.count for entry in read(text).deck] == [1] * 5


@pytest.mark.parametrize(
    "comment",
    ["# 2 Kai", "// 2 Kai", "## Kai x2", "#4 Zorgon", "// 4 Zorgon", "# SB: 4 Zorgon", "// Deck: Zorgon x4"],
)
def test_a_card_or_own_card_in_a_comment_does_not_count_is_told_and_is_not_the_name_of_the_deck(comment):
    own = Card("spycraft", "own_zorgon", "Zorgon", "agent")
    reading = read(f"{comment}\n1 Termite", also=[own])
    assert (found(reading), reading.deck.name) == ([(1, "termite")], "")
    assert [notice.message for notice in reading.notices] == [
        "This line is a comment: its card is not counted."
    ]


# -- headings and rules -----------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    (
        "== LEADERS ==;=== Leaders (4) ===;--- Leaders ---;**Leaders**;**Leaders:**;**Leaders**:;__Leaders__;"
        "### Leaders ###;Leaders: 2;Leaders - 2;Leaders [2];Leaders x2;LEADERS (2 cards):;\u200bLeaders:;"
        "\ufeff== Leaders ==;[Leaders];// Leaders;## Leaders;Leaders (4);// Leaders (4);Leaders: (4)"
    ).split(";"),
)
def test_a_heading_is_read_in_every_form(heading):
    reading = read(f"{heading}\n1 Kai")
    assert ([entry.section for entry in reading.deck], reading.unread) == (["leaders"], ())


def test_a_count_behind_a_word_that_is_a_heading_and_a_card_means_the_card():
    game = games()["agentdecker"]
    assert found(read_deck(game, "Alarm (8)")) == [(8, game.name_index.called("Alarm")[0].code)]


@pytest.mark.parametrize("line", ["Agent 47", "== Bosses ==", "layout 4 Heroic Act"])
def test_a_line_that_only_looks_like_a_heading_or_layout_is_unread(line):
    assert [unread.text for unread in read(f"{line}\n2 Kai").unread] == [line]
