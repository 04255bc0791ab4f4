"""What axe finds wrong with a page, in each shape that it is looked at in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

EVERY_RULE = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# The rules that hang on widths and colours, and not only on what is in the page.
RULES_OF_A_SHAPE = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
# The shapes a page is looked at in: two widths, and each colour scheme in one of them.
WIDE_AND_NARROW = ((1280, "light"), (320, "dark"))

# Most of axe's time goes into the contrast of text. Of text that has the same colours as other text, in boxes
# that have the same colours all the way up, two pieces are looked at: of a table of cards two names, not two
# hundred.
# In a second shape the rules that hang on it look at the page, and all others at what did not show in the
# shape before: on most pages that is the button of the menu, and those rules that need to know where
# everything on the page stands need not be asked twice.
# Without ``preload`` axe does not fetch the style sheets once more, which no rule of these reads.
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
    """The rules of axe that the page breaks as it stands, each with the first element that does.

    ``is_next``: it was looked at in another shape just now, and was not loaded since.
    """
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(LOOK, {"every": EVERY_RULE, "ofShape": RULES_OF_A_SHAPE, "isNext": is_next})
    return [f"{violation['id']}: {violation['nodes'][0]['html'][:140]}" for violation in violations]


def breaches_of_shapes(page: Any, shapes: Iterable[tuple[int, str]] = WIDE_AND_NARROW) -> list[str]:
    """What is wrong with the page in each width and colour scheme: rules of axe, and that it scrolls
    sideways. It is loaded once.
    """
    wrong = []
    for number, (width, scheme) in enumerate(shapes):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = breaches(page, is_next=number > 0)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append("scrolls sideways")
        wrong += [f"{page.url}, {width}, {scheme}: {one}" for one in found]
    return wrong
