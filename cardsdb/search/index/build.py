"""Write an index from the rows of the catalogue, one after the other: the text goes to disk, only positions stay in memory."""

from __future__ import annotations

import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from pyroaring import BitMap

from cardsdb.search.index.container import Writer
from cardsdb.search.index.postings import FEW, Gathered, gather, write_postings
from cardsdb.search.index.texts import BROAD, LONGEST_GRAM, LineWriter, words_of_name

# What is kept as a line per card.
LINES = ("keys", "shown", "name", "search", "text", "brief")
# Written by the card's own slug first, then by its name; lists and counts go by the slug.
SLUGS_FIRST = ("game", "type")


class Row(NamedTuple):
    """One card as its table keeps it. ``key`` is ``game/code``; ``brief`` is one line of what lists show, in whatever form they like."""

    pk: int
    key: str
    name: str
    name_folded: str
    sort_name: str
    search_text: str
    terms: str
    brief: str = ""


def build(path: Path, edition: int, rows: Iterable[Row]) -> int:
    """Write the index of an edition; the number of its cards. The rows come in catalogue order.

    The order is (sort_name, game, code), each by code point. Raises ValueError for rows that come otherwise:
    a database that sorts by a language's alphabet would make pages that differ from its own.
    """
    with Writer(path, edition) as writer, tempfile.TemporaryDirectory(dir=path.parent) as folder, ExitStack() as files:
        lines = {name: files.enter_context(closing(LineWriter(Path(folder) / name))) for name in LINES}
        gathered: dict[str, Gathered] = {name: {} for name in ("name", "search", "text")}
        inner: Gathered = {}
        terms: Gathered = {}
        with_text = array("I")
        names_begin, pks, folded_names = array("I"), array("Q"), []
        before: tuple[str, ...] = ("",)
        for position, row in enumerate(rows):
            here = (row.sort_name, *row.key.split("/", 1))
            if here <= before:
                raise ValueError(f"The rows are not in catalogue order: {row.key} ({row.sort_name!r}) comes after {before[0]!r}.")
            if here[0] != before[0] or not position:
                names_begin.append(position)
            before = here
            pks.append(row.pk)
            folded_names.append(row.name_folded)
            fields, text = _terms(row.terms)
            if text:
                with_text.append(position)
            gather(terms, fields, position)
            gather(gathered["search"], set(row.search_text.split()), position)
            gather(gathered["name"], words_of_name(row.name_folded), position)
            gather(inner, set(row.name_folded.split()[1:]), position)
            gather(gathered["text"], set(text.split()), position)
            for name, value in (
                ("keys", row.key),
                ("shown", row.name),
                ("name", row.name_folded),
                ("search", row.search_text),
                ("text", text),
                ("brief", row.brief),
            ):
                lines[name].add(value)
        for one in lines.values():
            one.write(writer)
        writer.add("pks", pks)
        by_pk = array("I", sorted(range(len(pks)), key=pks.__getitem__))
        writer.add("pks.order", by_pk)
        writer.add("names.begin", BitMap(names_begin).serialize())
        writer.add("names.order", array("I", sorted(range(len(pks)), key=folded_names.__getitem__)))
        folded_names.clear()
        _write_fields(writer, terms, with_text)
        terms.clear()
        write_postings(writer, "name.inner", inner)
        inner.clear()
        for name, found in gathered.items():
            write_postings(writer, f"{name}.words", found)
            write_postings(writer, f"{name}.grams", _grams(found))
            found.clear()
        return len(pks)


def _terms(terms: str) -> tuple[list[str], str]:
    """The terms of a card, each once and the slugs also under names of their own, and its text."""
    fields = terms[1:-1].split("|")
    text = ""
    for place in range(len(fields) - 1, -1, -1):
        if fields[place].startswith("text="):
            text = fields.pop(place)[5:]
            break
    for key in SLUGS_FIRST:
        first = next((field for field in fields if field.startswith(f"{key}=")), None)
        if first:
            fields.append(f"{key}!{first[len(key) :]}")
    return fields, text


def _write_fields(writer: Writer, terms: Gathered, with_text: array[int]) -> None:
    """The values of every key in sections of its own, and which cards have the key at all."""
    by_key: dict[str, Gathered] = defaultdict(dict)
    while terms:
        term, held = terms.popitem()
        key, _, value = term.partition("=")
        by_key[key][value] = held
    known: Gathered = {}
    for key, values in by_key.items():
        write_postings(writer, f"key:{key}", values)
        known[key] = _any_of(values.values())
    if with_text:
        known["text"] = with_text
    write_postings(writer, "known", known)


def _any_of(held: Iterable[int | array[int]]) -> array[int]:
    """The positions of all, each once, ascending."""
    single = array("I", (positions for positions in held if isinstance(positions, int)))
    return BitMap.union(BitMap(single), *(BitMap(positions) for positions in held if not isinstance(positions, int))).to_array()


def _grams(words: Mapping[str, int | array[int]]) -> Gathered:
    """The short parts that very many words share, so that no search has to join the cards of all those words."""
    shared: dict[str, list[str]] = defaultdict(list)
    for word in words:
        for gram in {word[at : at + size] for size in range(1, LONGEST_GRAM + 1) for at in range(len(word) - size + 1)}:
            shared[gram].append(word)
    bitmaps: dict[str, BitMap] = {}
    found: Gathered = {}
    for gram, sharing in shared.items():
        if len(sharing) <= BROAD:
            continue
        few, many = array("I"), []
        for word in sharing:
            held = words[word]
            if isinstance(held, int):
                few.append(held)
            elif len(held) <= FEW:
                few.extend(held)
            else:
                if word not in bitmaps:
                    bitmaps[word] = BitMap(held)
                many.append(bitmaps[word])
        found[gram] = BitMap.union(BitMap(few), *many).to_array()
    return found
