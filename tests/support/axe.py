"""Check pages for accessibility with axe, in several shapes: a shape is a width of the window and a colour
scheme.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

EVERY_RULE = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# The rules whose result depends on the shape, and not only on the content of the page.
RULES_OF_A_SHAPE = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
# (width in pixels, colour scheme): two widths, and each colour scheme in one of them.
WIDE_AND_NARROW = ((1280, "light"), (320, "dark"))

# A script that runs axe and saves time in three ways: - Contrast takes axe most time. Of all texts with the
# same colours, in boxes with the same colours all the way up,   only two are checked: two names of a table of
# cards, not two hundred. - In a second shape, only the rules of a shape check the whole page. All other rules
# check only elements that were   not shown in the shape before, on most pages the button of the menu. -
# ``preload: false`` keeps axe from loading the style sheets again, which none of these rules reads.
LOOK = """async ({ every, ofShape, isNext }) => {
    const LOOKS = ["color", "backgroundColor", "backgroundImage", "opacity", "filter", "textShadow"];
    LOOKS.push("fontSize", "fontWeight", "position", "zIndex");
    const hasText = one => [...one.childNodes]
        .some(part => part.nodeType === Node.TEXT_NODE && part.data.trim());
    const numbers = new Map(); // of each look, its own and that of all it stands in
    const looks = new Map();
    const times = [];
    const first = [];
    for (const one of document.querySelectorAll("*")) {
        const style = getComputedStyle(one);
        const look = `${looks.get(one.parentNode)}/${LOOKS.map(name => style[name])}`;
        if (!numbers.has(look)) numbers.set(look, numbers.size);
        const number = numbers.get(look);
        looks.set(one, number);
        if (!(hasText(one) || one.matches("input, select, textarea")) || !one.checkVisibility()) continue;
        times[number] = (times[number] || 0) + 1;
        if (times[number] <= 2) first.push(one);
    }
    for (const one of document.querySelectorAll("[data-contrast]")) one.removeAttribute("data-contrast");
    for (const one of first) one.setAttribute("data-contrast", "");
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-contrast]" }] });
    const run = async (where, runOnly, without = []) => {
        const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
        return (await axe.run(where, { runOnly, rules, resultTypes: ["violations"],
            preload: false })).violations;
    };

    const shown = [...document.body.querySelectorAll("*")]
        .filter(one => one.checkVisibility({ visibilityProperty: true }));
    const before = window.shownBefore;
    window.shownBefore = new Set(shown);
    if (!isNext) return run(document, every);
    const anew = shown.filter(one => !before.has(one) && before.has(one.parentNode));
    return [...await run(document, ofShape),
        ...anew.length ? await run({ include: anew }, every, ofShape) : []];
}"""


def breaches(page: Any, *, is_next: bool = False) -> list[str]:
    """The rules of axe that the page breaks in its present shape, each with the first element at fault.

    ``is_next``: the page was just checked in another shape, and not loaded again since.
    """
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(LOOK, {"every": EVERY_RULE, "ofShape": RULES_OF_A_SHAPE, "isNext": is_next})
    return [f"{violation['id']}: {violation['nodes'][0]['html'][:140]}" for violation in violations]


def breaches_of_shapes(page: Any, shapes: Iterable[tuple[int, str]] = WIDE_AND_NARROW) -> list[str]:
    """The faults of the page in each shape: broken rules of axe, and sideways scrolling. The page is not
    reloaded.
    """
    wrong = []
    for number, (width, scheme) in enumerate(shapes):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = breaches(page, is_next=number > 0)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append("scrolls sideways")
        wrong += [f"{page.url}, {width}, {scheme}: {breach}" for breach in found]
    return wrong
