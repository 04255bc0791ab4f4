"""Accessibility checks of a page with axe, at two widths and in two colour schemes.

``breaches_of_shapes`` is what most tests call. A "shape" is a pair (width in pixels, colour scheme). The
script below only saves time: it must not hide a breach from a shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

EVERY_RULE = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# The rules whose result depends on width or colours, and not only on the content of the page.
RULES_OF_A_SHAPE = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
# Both widths and both colour schemes are covered by two shapes.
WIDE_AND_NARROW = ((1280, "light"), (320, "dark"))

# axe spends most of its time on text contrast. Elements that have the same colours and fonts, inside
# ancestors that have the same too, give the same result, so only the first two of each such group are
# checked: of a table of cards two names, not two hundred. So it is with links, which must differ from the
# text around them; they also need the same lines, and text around them or none. In a second shape, the rules
# of RULES_OF_A_SHAPE run on the whole page. All other rules run only on elements that were not visible in the
# shape before; on most pages that is the menu button. Without ``preload: false`` axe would fetch the style
# sheets again, which none of these rules needs, and without ``selectors: false`` tell where each element is.
LOOK = """async ({ every, ofShape, isNext }) => {
    const LOOKS = ["color", "backgroundColor", "backgroundImage", "opacity", "filter", "textShadow"];
    LOOKS.push("fontSize", "fontWeight", "position", "zIndex");
    const hasText = one => [...one.childNodes]
        .some(part => part.nodeType === Node.TEXT_NODE && part.data.trim());
    const LINES = ["textDecorationLine", "borderBottomStyle", "borderBottomWidth"];
    const isInText = link => {
        let block = link.parentNode;
        while (getComputedStyle(block).display === "inline") block = block.parentNode;
        const length = one => one.textContent.trim().length;
        const links = [...block.querySelectorAll("a[href]")];
        return length(block) > links.reduce((sum, one) => sum + length(one), 0);
    };
    // A look: the style of an element and of all its ancestors. looks: element -> number of its look.
    const numbers = new Map();
    const looks = new Map();
    const times = {};
    // Marks the first two elements of each kind for the rule that checks only marked elements.
    const mark = (one, attribute, kind) => {
        times[kind] = (times[kind] || 0) + 1;
        one.toggleAttribute(attribute, times[kind] <= 2);
    };
    for (const one of document.querySelectorAll("*")) {
        const style = getComputedStyle(one);
        const look = `${looks.get(one.parentNode)}/${LOOKS.map(name => style[name])}`;
        if (!numbers.has(look)) numbers.set(look, numbers.size);
        const number = numbers.get(look);
        looks.set(one, number);
        if (!one.checkVisibility()) continue;
        if (hasText(one) || one.matches("input, select, textarea")) mark(one, "data-contrast", number);
        if (one.matches("a[href]"))
            mark(one, "data-link", `${number}/${LINES.map(name => style[name])}/${isInText(one)}`);
    }
    axe.configure({ rules: [
        { id: "color-contrast", selector: "[data-contrast]" },
        { id: "link-in-text-block", selector: "[data-link]" },
    ] });
    const run = async (where, runOnly, without = []) => {
        const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
        return (await axe.run(where, { runOnly, rules, resultTypes: ["violations"],
            preload: false, selectors: false })).violations;
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
    """Return the axe rules that the page breaks now, each as ``rule: HTML of the first element that breaks
    it``.

    ``is_next``: the page was already checked in another shape and has not been reloaded since, so only the
    differences are checked.
    """
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(LOOK, {"every": EVERY_RULE, "ofShape": RULES_OF_A_SHAPE, "isNext": is_next})
    return [f"{violation['id']}: {violation['nodes'][0]['html'][:140]}" for violation in violations]


def breaches_of_shapes(page: Any, shapes: Iterable[tuple[int, str]] = WIDE_AND_NARROW) -> list[str]:
    """Return what is wrong with the loaded page in each shape: broken axe rules, and sideways scrolling."""
    wrong = []
    for number, (width, scheme) in enumerate(shapes):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = breaches(page, is_next=number > 0)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append("scrolls sideways")
        wrong += [f"{page.url}, {width}, {scheme}: {breach}" for breach in found]
    return wrong
