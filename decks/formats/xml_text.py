"""An XML document as text, indented and escaped."""

from __future__ import annotations

from xml.etree.ElementTree import Element, indent, tostring


def document(root: Element) -> str:
    """The document with its declaration. Text is expected to be clean (``cleaning.fit``)."""
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'
