"""With forced colours (high contrast mode), a selected item differs from the others by a line, not only by
its fill.
"""

import pytest

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser

# All borders, the outline and the underline of an element, as one text.
LINES = """(element) => {
  const style = getComputedStyle(element);
  const seen = (kind) => {
    const width = style[`${kind}Width`], line = style[`${kind}Style`], colour = style[`${kind}Color`];
    return line === "none" || width === "0px" || colour === "rgba(0, 0, 0, 0)" ? ""
      : `${width} ${line} ${colour}`;
  };
  return [...["borderTop", "borderRight", "borderBottom", "borderLeft", "outline"].map(seen),
    style.textDecorationLine].join("; ");
}"""


def test_selected_items_have_a_line_that_others_lack(page):
    page.emulate_media(forced_colors="active")
    page.goto(saved_starter(page, "game=spycraft&starter=nine-tiger"))
    link = page.url.split("/")[-2]
    places = {
        f"/decks/{link}/": (
            (".site-nav a[aria-current]", ".site-nav a:not([aria-current])"),
            (".rail > .switch a[aria-current]", ".rail > .switch a:not([aria-current])"),
            (".deck-views > [aria-current]", ".deck-views > :not([aria-current])"),
        ),
        f"/decks/{link}/edit/": (
            (".deck-choices > [aria-current]", ".deck-choices > :not([aria-current])"),
            (".result-row.in-deck", ".result-row:not(.in-deck)"),
        ),
        f"/print/?deck={link}": (
            (".print-presets [aria-pressed=true]", ".print-presets button:not([aria-pressed=true])"),
        ),
    }
    for address, pairs in places.items():
        page.goto(address)
        for chosen, other in pairs:
            assert page.locator(chosen).first.evaluate(LINES) != page.locator(other).first.evaluate(LINES), (
                chosen
            )
