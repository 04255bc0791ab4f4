"""The accessibility checker ``tests/support/axe.py`` finds faults that appear in only one width or colour
scheme. All browser tests rely on it.
"""

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser

# A fault of contrast in each colour scheme, a link that looks like the text around it in one of them, and two
# faults that only a narrow page has.
PAGE = """<!doctype html><html lang="en"><title>A page</title><style>
    body { background: #fff; color: #222 }
    a { color: #444 }
    @media (prefers-color-scheme: light) {
        li:nth-child(17) small { color: #ccc }
        li:nth-child(19) a { text-decoration: none }
    }
    @media (prefers-color-scheme: dark) {
        body { background: #111; color: #eee }
        a { color: #ccc }
        li:nth-child(18) { background: #bbb }
    }
    @media (min-width: 40rem) { #tabs { display: none } }
    h1 { width: 400px }
    </style><main><h1>Names</h1><ul>ROWS</ul><button id="tabs"></button></main>"""
ROWS = "".join(
    f'<li>Name {number} <a href="/">{number}</a> <small>{number}</small></li>' for number in range(20)
)


def test_a_fault_in_one_width_or_colour_scheme_is_found(page):
    page.set_content(PAGE.replace("ROWS", ROWS))
    wrong = [breach.split(", ", 1)[1] for breach in breaches_of_shapes(page)]
    assert sorted(breach.rpartition(": <")[0] or breach for breach in wrong) == [
        "1280, light: color-contrast",
        "1280, light: link-in-text-block",
        "320, dark: button-name",
        "320, dark: color-contrast",
        "320, dark: scrolls sideways",
    ]
