"""The filter form of a card list as HTML, made by hand: a template takes longer over a hundred values than
finding the cards.

Every word goes through ``escape``.
"""

from __future__ import annotations

from html import escape

from django.utils.safestring import SafeString, mark_safe

from cardsdb.search.query.filter_form import Range
from cardsdb.site.templates import escaped
from cardsdb.web.lists.facets import Choice, Facet


def facets_in_html(facets: tuple[Facet, ...]) -> SafeString:
    """The facets one below the other, each folded or open."""
    return mark_safe("\n".join(map(_facet, facets)))  # noqa: S308  (every piece is escaped)


def _facet(facet: Facet) -> str:
    title, more = escaped(facet.title), facet.more
    picked = "" if facet.is_open else "".join(f": {escaped(choice.shown)}" for choice in facet.picked)
    way = ""
    if facet.other_way:
        other = escape(facet.other_way)
        ways = (
            (f'<a href="{other}">any of them</a>', "<b>all of them</b>")
            if facet.wants_all
            else ("<b>any of them</b>", f'<a href="{other}">all of them</a>')
        )
        way = f'<p class="facet-way">{" ".join(ways)}</p>'
    rest = (
        f'<details class="facet-more"><summary>{len(more)} more<span class="visually-hidden"> of'
        f" {title}</span></summary><ul>{choices_of(more)}</ul></details>"
        if more
        else ""
    )
    state = " open" if facet.is_open else ""
    return (
        "<details"
        f' class="facet"{state}><summary>{title}{picked}</summary>{way}<ul>{choices_of(facet.first)}</ul>{rest}</details>'
    )


def choices_of(choices: tuple[Choice, ...]) -> SafeString:
    """The values of a facet: the children of a ``ul``. Nothing in the part of an address has to be escaped:
    it is quoted.
    """
    before, behind = map(escape, choices[0].around) if choices else ("", "")
    rows = []
    for choice in choices:
        value, count, _, dropped = choice
        row = (
            f'<li><a href="{before}{value.part}{behind}">{value.drawn}</a> <span'
            f' class="num">{count:,}</span></li>'
        )
        rows.append(_picked(choice) if dropped else row)
    return mark_safe("\n".join(rows))  # noqa: S308  (every piece is escaped)


def _picked(choice: Choice) -> str:
    return (
        f'<li><a href="{escape(choice.href)}" class="picked"'
        f' aria-current="true">{choice.mark}<span>{escaped(choice.shown)}<span class="visually-hidden">,'
        f' picked: take it out</span></span></a> <span class="num">{choice.count:,}</span></li>'
    )


def bounds_of(ranges: tuple[Range, ...]) -> SafeString:
    """The filter form's fields for number facts."""
    fieldsets = []
    for bounds in ranges:
        key, ends = bounds.fact.key, (("from", bounds.low), ("to", bounds.high))
        fields = "".join(
            f'<label for="f-{key}-{end}">{end}</label><input type="number" id="f-{key}-{end}"'
            f' name="{key}_{end}" value="{escape(value)}">'
            for end, value in ends
        )
        fieldsets.append(
            f'<fieldset class="field range"><legend>{escaped(bounds.fact.title)}</legend>{fields}</fieldset>'
        )
    return mark_safe("\n".join(fieldsets))  # noqa: S308  (every piece is escaped)


def options_of(orders: list[tuple[str, str, bool]]) -> SafeString:
    """The options of the filter form's order."""
    options = (
        f'<option value="{escape(value)}"{" selected" if chosen else ""}>{escaped(label)}</option>'
        for value, label, chosen in orders
    )
    return mark_safe("".join(options))  # noqa: S308  (every piece is escaped)
