"""Packages of other programs in their own shapes, with invented words."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

from cardsdb.games.kit import Card

Texts = Iterable[tuple[Card, str]]


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def octgn_set(texts: Texts, id_fact: str = "octgn_id", **properties: str) -> bytes:
    """A ``set.xml`` as OCTGN packages have it: with ids, the text in the property Rules."""
    cards = []
    for card, text in texts:
        values = {"Type": card.type.title(), "Rules": text, **properties}
        inside = "".join(f"<property name={quoteattr(key)} value={quoteattr(value)} />" for key, value in values.items())
        cards.append(f'<card id="{card.facts.get(id_fact, "")}" name={quoteattr(card.name)}>{inside}</card>')
    said = '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<set name="Invented" id="0" gameId="1" version="1.0.0.0">'
    return f"{said}<cards>{''.join(cards)}</cards></set>".encode()


def gccg_set(texts: Texts, abbrev: str = "PRE") -> bytes:
    """A set as GCCG modules have it: Latin-1, with a document type, the id in an attribute."""
    cards = []
    for card, text in texts:
        code = next((one.code for one in card.prints if one.set == abbrev), "")
        attr = f'<attr key="type" value="{card.type}"/><attr key="id" value="{code}"/>'
        about = f'name={quoteattr(card.name.upper())} text={quoteattr(text)} graphics="{card.code}.jpg"'
        cards.append(f"<card {about}>{attr}</card>")
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>\r\n<!DOCTYPE ccg-setinfo SYSTEM "../gccg-set.dtd">\r\n'
    body = f'<ccg-setinfo name="Invented" game="X" dir="invented" abbrev="{abbrev}"><cards>{"".join(cards)}</cards></ccg-setinfo>'
    return (head + body).encode("latin-1")


def cockatrice_cards(texts: Texts) -> bytes:
    cards = "".join(
        f"<card><name>{card.name}</name><text>{text}</text><prop><craft>9</craft></prop><set num='{card.prints[0].number}'>"
        f"{card.prints[0].set}</set></card>"
        for card, text in texts
    )
    return f'<cockatrice_carddatabase version="4"><sets/><cards>{cards}</cards></cockatrice_carddatabase>'.encode()


def lackey_table(texts: Texts, line_end: str = "\r") -> bytes:
    rows = ["Name\tSet\tImageFile\tType\tText"]
    rows += [f"{card.name}\t{card.prints[0].set}\t{card.code}\t{card.type}\t{text}" for card, text in texts]
    return line_end.join(rows).encode()


def workbook(rows: Iterable[Iterable[str]], shared: bool = True) -> bytes:
    """A spreadsheet with one sheet, its texts shared as programs write them, or in the cells."""
    texts: list[str] = []
    lines = []
    for number, row in enumerate(rows, 1):
        cells = ""
        for column, value in enumerate(row):
            address = f'r="{chr(65 + column)}{number}"'
            if not value:
                continue
            if shared:
                texts.append(value)
                cells += f'<c {address} t="s"><v>{len(texts) - 1}</v></c>'
            else:
                cells += f'<c {address} t="inlineStr"><is><t>{value}</t></is></c>'
        lines.append(f'<row r="{number}">{cells}</row>')
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return zipped(
        {
            "[Content_Types].xml": b"<Types/>",
            "xl/sharedStrings.xml": f'<sst xmlns="{name}">{"".join(f"<si><t>{text}</t></si>" for text in texts)}</sst>'.encode(),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{name}"><sheetData>{"".join(lines)}</sheetData></worksheet>'.encode(),
        }
    )
