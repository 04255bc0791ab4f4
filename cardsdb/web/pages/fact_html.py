"""The facts of a card as HTML, made by hand: a page has twenty, and a template takes as long over them as
over all the rest.

Every word goes through ``escaped``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote

from django.utils.safestring import SafeString, mark_safe

from cardsdb.site.templates import escaped, here
from cardsdb.web.pages.card_page import FactRow, Source

UNKNOWN = '<span class="blank"><span class="visually-hidden">not stated in any source we have</span></span>'
DIFFERS = '<span aria-hidden="true">≠</span><span class="visually-hidden">sources disagree</span>'


def facts_in_html(rows: Iterable[FactRow]) -> SafeString:
    """The children of a ``dl``: of each fact its title, its value, and a dot that opens who says so."""
    site = here()
    around = _Around(site.remembered_part, escaped(site.url("card_list")))
    return mark_safe("".join([_fact(row, around) for row in rows]))  # noqa: S308  (every piece is escaped)


class _Around(NamedTuple):
    """What the page is part of: what makes its parts, and the address of the list of cards, as HTML."""

    part: Callable[..., str]
    cards: str


def _fact(row: FactRow, around: _Around) -> str:
    title = escaped(row.title)
    weight = f' class="num{" is-zero" if row.value == "0" else ""}"' if row.is_number else ""
    differs = (
        f'<a class="fact-differs" href="#differ-{escaped(row.key)}" title="sources disagree">{DIFFERS}</a>'
        if row.others
        else ""
    )
    return (
        f'<div><dt><span title="{escaped(row.help)}">{title}</span></dt>\n '
        f" <dd{weight}>{_value(row, around)}</dd>\n"
        "  <dd"
        f' class="fact-source">{differs}{_sources(row, title, around) if row.has_sources else ""}</dd>\n</div>\n'
    )


def _value(row: FactRow, around: _Around) -> str:
    if not row.words:
        return escaped(row.value) or UNKNOWN
    links = (
        f'<a class="fact-word" href="{around.cards}?q={quote(query, safe="")}">{escaped(word)}</a>'
        for word, query in row.words
    )
    return '<span class="visually-hidden">, </span>'.join(links)


def _sources(row: FactRow, title: str, around: _Around) -> str:
    in_document = row.in_document
    dot = f'<span class="source-dot{" source-rulebook" if in_document else ""}"></span>'
    hint = "" if in_document else " (lists and cards only)"
    alone = (
        f"<p>{f'{escaped(source.value)}: ' if source.value else ''}{_source(around, source)}</p>"
        for source in row.sources
    )
    listed = "".join((*(_source(around, source, number) for number, source in row.numbered), *alone))
    return (
        f'<details name="fact-source"><summary>{dot}<span class="visually-hidden">Who says so:'
        f" {title}{hint}</span></summary><div>{listed}</div></details>"
    )


def _source(around: _Around, source: Source, number: int = 0) -> str:
    return around.part("cardsdb/source.html", source=source, number=number, legend_here=True)
