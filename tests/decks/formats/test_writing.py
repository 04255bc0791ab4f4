"""Round trips of every format: a deck that is written can be read again, or the file reports what it does not
hold (``writing.py``, ``notes.py``).
"""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Game, Marks, fold
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.line import unknown_card
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import FORMATS, ReadFile, export, format_of, read_any
from tests.support.awkward_names import EXPORTS, NAMES, codes, everything, tree
from tests.support.deck_files import HOLD_ALL, HOLD_SECTIONS, XML, counted


def written_and_read(game: Game, name: str, reading: Reading) -> ReadFile:
    """The list after it was written in this format and read again."""
    written = export(name, game, reading)
    return FORMATS[name].read(game, written.data, written.filename, games())


def with_all_marks(reading: Reading) -> Reading:
    """The reading with a marked line, notes, tags and house rules."""
    first, *others = reading.deck.entries
    marked = replace(others[0], marks=Marks("see #4 // then | agent", ("blue", "late game"), True))
    deck = replace(reading.deck, entries=(first, marked, *others[1:]))
    return replace(
        reading,
        deck=deck,
        notes="One line\n\n  and: another\n# and more",
        tags=("control", "two words"),
        house="AG-4.limit=4",
    )


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_awkward_names_and_reports_the_unread_line(game, name):
    written = export(name, game, everything(game))
    lines = [loss for loss in written.losses if loss.where == "line 30"]
    assert [loss.code for loss in lines] in (["line_kept"], ["line_dropped"])
    assert "Nobody Knows This One" in lines[0].message
    kept = "Nobody Knows This One" in written.text.replace("\\", "")
    assert kept == (lines[0].code == "line_kept")
    assert re.fullmatch(r"awkward-traps-quotes\.[a-z0-9.]+", written.filename)
    assert written.data.decode(written.encoding) == written.text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_the_empty_list_and_reports_it(game, name):
    written = export(name, game, read_deck(game, ""))
    assert codes(written)["no_cards"] == 1
    assert written.filename == f"awkward-deck{FORMATS[name].suffix}"


@pytest.mark.parametrize("name", XML)
def test_characters_that_xml_forbids_are_replaced_and_reported(game, name):
    reading = read_deck(
        game, "// name: a\ufffeb\n1 X\n1 bad\x00\u202eline\n1 \ufffeNoone | agent | skills: \uffff, b"
    )
    written = export(name, game, reading)
    assert codes(written)["characters_replaced"] == 1
    assert tree(written) is not None
    assert not re.search("[\x00\u202e\ufffe\uffff]", written.text)


def test_a_lone_surrogate_does_not_stop_the_file_from_being_encoded(game):
    for name in FORMATS:
        assert export(name, game, read_deck(game, "1 \ud800")).data


def test_the_exports_of_games_name_only_existing_formats_sections_and_facts():
    for game in games().values():
        for name, exported in game.exports.items():
            assert name in FORMATS
            assert set(exported.get("sections", {})) <= set(game.sections_by_slug)
            assert set(exported.get("shared", ())) <= set(game.sections_by_slug)
            assert set(exported.get("sets", {})) <= set(game.sets_by_code)
            assert exported.get("id_fact", next(iter(game.facts_by_key))) in game.facts_by_key


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_is_recognised_by_its_content(game, name):
    written = export(name, game, everything(game))
    assert format_of(written.data, "deck.whatever") == name
    assert format_of(written.data.replace(b"\n", b"\r\n"), "") == name


# -- round trips


@pytest.mark.parametrize("name", HOLD_ALL)
@pytest.mark.parametrize("known", [True, False])
def test_everything_a_format_holds_survives_writing_and_reading(game, name, known):
    configured = replace(game, exports=EXPORTS if known else {})
    reading = with_all_marks(everything(configured))
    read = written_and_read(configured, name, reading).reading
    # GCCG of this game folds its sideboard into the deck, and so two lines of one card into one.
    folds = name == "gccg" and known
    assert counted(read.deck, sections=not folds, marks=not folds) == counted(
        reading.deck, sections=not folds, marks=not folds
    )
    assert (read.deck.name, read.notes, read.tags, read.house) == (
        reading.deck.name,
        reading.notes,
        reading.tags,
        reading.house,
    )
    assert (read.format, dict(read.deck.details)) == ("open", {"players": 4})
    assert name == "text" or [unread.text for unread in read.unread] == ["7 Nobody Knows This One"]


@pytest.mark.parametrize("name", sorted({*FORMATS} - {*HOLD_ALL}))
def test_awkward_names_survive_the_other_formats_too(game, name):
    entries = tuple(Entry(card, 2, "deck") for card in game.cards if card.name in NAMES)
    read = written_and_read(game, name, Reading(Decklist(entries)))
    assert counted(read.reading.deck, sections=name in HOLD_SECTIONS) == counted(
        Decklist(entries), sections=name in HOLD_SECTIONS
    )
    assert not read.reading.unread


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"mpc"}))
@pytest.mark.parametrize("slug", games())
def test_every_starter_survives_every_format_with_its_sections_and_verdict(name, slug):
    """Except for written-in cards in LackeyCCG's format, and the chosen sections of formats that fold
    them.
    """
    game = games()[slug]
    before = read_deck(game, game.starters[0].text)
    written = export(name, game, before)
    read = read_any(game, written.data, written.filename)
    loss_codes = {loss.code for loss in read.losses}
    assert loss_codes <= {"place_chosen"} or name == "cod"
    if name == "dek":
        held = tuple(entry for entry in before.deck if not entry.card.written)
        before = replace(before, deck=replace(before.deck, entries=held))
    else:
        assert not read.reading.unread
    sections = name in HOLD_SECTIONS
    assert (
        counted(read.reading.deck, sections, marks=False).keys()
        == counted(before.deck, sections, marks=False).keys()
    )
    if read.reading.format and read.reading.deck.size == before.deck.size:
        format = game.formats_by_slug[read.reading.format]
        verdicts = [game.judge(deck, format).verdict for deck in (read.reading.deck, before.deck)]
        assert verdicts[0] == verdicts[1] or "place_chosen" in loss_codes


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("slug", games())
def test_every_card_of_every_game_survives_every_format(name, slug):
    game = games()[slug]
    cards = [card for card in game.cards if game.type_named(card.type).in_decks]
    # In decks of 250 different cards, each with 1 to 3 copies: that many copies fit into every format.
    for begin in range(0, len(cards), 250):
        some = cards[begin : begin + 250]
        entries = (Entry(card, 1 + at % 3, game.section_for(card.type)) for at, card in enumerate(some))
        deck, sections = Decklist(tuple(entries)), name in HOLD_SECTIONS
        # Two formats know a card by its name alone, and report names that several cards have.
        losses = export(name, game, Reading(deck)).losses
        ambiguous = {loss.where for loss in losses if loss.code == "name_ambiguous"}
        assert not ambiguous or name in ("o8d", "gccg")
        read = written_and_read(game, name, Reading(deck)).reading
        before = Decklist(tuple(entry for entry in deck if entry.card.name not in ambiguous))
        after = Decklist(tuple(entry for entry in read.deck if entry.card.name not in ambiguous))
        assert counted(after, sections, marks=False) == counted(before, sections, marks=False)
        for line in read.unread:
            assert any(fold(name) in fold(line.text) for name in ambiguous), line


ENTRIES = st.lists(
    st.tuples(
        st.integers(0, len(NAMES) - 1),
        st.integers(1, 9),
        st.builds(
            Marks,
            st.text("ab#/|^ \"'é=", max_size=20).map(lambda note: " ".join(note.split())),
            st.lists(st.text("ab!é-", min_size=1, max_size=6), max_size=3, unique=True).map(tuple),
            st.booleans(),
        ),
    ),
    max_size=8,
    unique_by=lambda entry: entry[0],
)


@given(
    drawn=ENTRIES,
    notes=st.lists(st.text("ab:/# -=@", max_size=12).map(str.strip), max_size=3),
    name=st.text("ab c#:", max_size=9),
)
@settings(max_examples=20, deadline=None)
@pytest.mark.parametrize("name_of_format", HOLD_ALL)
def test_any_marks_and_notes_survive_writing_and_reading(game, name_of_format, drawn, notes, name):
    # A save of Tabletop Simulator without cards has no object that holds name and notes.
    assume(drawn or name_of_format != "tts")
    entries = tuple(Entry(game.cards[place], count, "deck", marks) for place, count, marks in drawn)
    reading = Reading(
        Decklist(entries, name=" ".join(name.split()) or "n"), notes="\n".join(notes).strip("\n")
    )
    read = written_and_read(game, name_of_format, reading).reading
    assert counted(read.deck) == counted(reading.deck)
    assert (read.notes, read.deck.name) == (reading.notes, reading.deck.name)


@pytest.mark.parametrize("name", FORMATS)
def test_an_unknown_card_is_written_by_its_name_and_found_once_it_is_known(game, name):
    reading = Reading(
        Decklist(
            (Entry(unknown_card(game, "Kestrel #9"), 2, "deck"), Entry(game.cards[0], 1, "deck")), name="n"
        )
    )
    read = written_and_read(game, name, reading).reading
    still_unknown = [entry for entry in read.deck if entry.card.unknown]
    assert [e.card.name for e in still_unknown] + [u.text for u in read.unread] in (
        ["Kestrel #9"],
        ["2 Kestrel #9"],
    )
    renamed = replace(reading, deck=Decklist((Entry(unknown_card(game, "2Shy"), 2, "deck"),)))
    assert [entry.card.code for entry in written_and_read(game, name, renamed).reading.deck] == ["c3"]
