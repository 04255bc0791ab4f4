"""The accessibility checker ``tests/support/axe.py`` finds faults that appear in only one width or colour
scheme. All browser tests rely on it.
"""

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><title>A page</title><style>
    body { background: #fff; color: #222 }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
    STYLE </style><main><h1>Names</h1><ul>ROWS</ul><button id="tabs"></button></main>"""
ROWS = "".join(f"<li>Name {number} <small>{number}</small></li>" for number in range(20))
HIDDEN = "#tabs { display: none }"


@pytest.mark.parametrize(
    ("style", "where", "rule"),
    [
        (f"li:nth-child(17) small {{ color: #ccc }} {HIDDEN}", "1280, light", "color-contrast"),
        (
            f"@media (prefers-color-scheme: dark) {{ li:nth-child(17) {{ background: #bbb }} }} {HIDDEN}",
            "320, dark",
            "color-contrast",
        ),
        ("@media (min-width: 40rem) { #tabs { display: none } }", "320, dark", "button-name"),
        (f"h1 {{ width: 400px }} {HIDDEN}", "320, dark", "scrolls sideways"),
    ],
)
def test_a_fault_in_one_width_or_colour_scheme_is_found(page, style, where, rule):
    page.set_content(PAGE.replace("STYLE", style).replace("ROWS", ROWS))
    (wrong,) = breaches_of_shapes(page)
    assert where in wrong and rule in wrong
