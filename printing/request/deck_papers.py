"""The papers of a deck besides its cards (register, label, tuck box), and the QR codes that lead to a list.

``assembly.py`` makes one ``DeckPapers`` for each print, and calls it for each list. The values it fills,
``Register``, ``Label`` and ``TuckBox``, are defined and drawn in ``printing/extras``.
Tests: ``tests/printing/request/test_assembly.py``.
"""

from dataclasses import dataclass

from django.urls import reverse

from cardsdb.games.kit import some
from cardsdb.identity.viewer import Viewer
from decks.core.judging import judge
from decks.formats.deck_link import write_link
from printing.extras.pieces import Label
from printing.extras.register import Register
from printing.extras.tuck_box import TuckBox
from printing.layout.qr_code import Code, code_of
from printing.options.values import Options
from printing.request.lists import PrintList

# Characters of an address in a QR code. A longer one needs more than 130 modules (squares) a side, which few
# phones can read from paper.
MAX_ADDRESS = 1_500


@dataclass(frozen=True)
class DeckPapers:
    """Makes the papers of decks for one print. ``root`` is the site's address without a slash at its end;
    empty if it is unknown, and then there are no QR codes.
    """

    options: Options
    viewer: Viewer
    root: str

    @property
    def saving(self) -> bool:
        """True if ink is to be saved."""
        return self.options.style == "saver"

    def codes(self, listed: PrintList, wanted: str) -> tuple[Code, ...]:
        """QR codes for a list, the preferred one first. ``wanted`` is a value of the option ``qr``:

        - "list": with the whole list in its address, then with the address of its page;
        - "page": with the address of its page; for a list without one, with the whole list;
        - "none": no codes.

        Addresses too long to be scanned are left out.
        """
        if wanted == "none" or not self.root:
            return ()
        addresses = []
        # The code of a whole list takes long to make, so it is made only if needed.
        if wanted == "list" or not listed.page:
            # Strangers may find the paper, so the code has no cards that are hidden from them.
            deck = listed.row.decklist_to_share(listed.game) if listed.row else listed.deck
            format = listed.format or listed.game.likely_format(deck)
            link = write_link(listed.game, deck, format, listed.row.house if listed.row else "")
            addresses.append(f"{self.root}{reverse('open_link')}#{link}")
        if listed.page:
            addresses.append(self.root + listed.page)
        codes = (code_of(address) for address in addresses if len(address) <= MAX_ADDRESS)
        return tuple(code for code in codes if code)

    def label(self, deck: PrintList) -> Label:
        """The label of a deck. It has a QR code even if the sheets have none."""
        codes = self.codes(deck, "page" if self.options.qr == "none" else self.options.qr)
        return Label(
            deck.deck_title,
            deck.format.name if deck.format else "",
            ", ".join((some(deck.deck.size, "card"), *deck.version)),
            codes[0] if codes else None,
            self.saving,
        )

    def box(self, deck: PrintList) -> TuckBox:
        """The tuck box for the cards of a deck."""
        return TuckBox(
            deck.deck_title,
            deck.format.name if deck.format else "",
            deck.deck.size,
            self.options.trim.lengths if self.options.trim else deck.game.trim,
            self.options.thickness,
            self.options.sleeves,
        )

    def register(self, listed: PrintList) -> Register:
        """The register of a deck: all its cards that the viewer may see, even if only some of them are
        printed, with its verdict.
        """
        row, game, deck = listed.row, listed.game, listed.deck
        format = listed.format or game.likely_format(deck)
        judged = row.judged_for(self.viewer, game) if row else judge(game, deck, format)
        findings = tuple(
            f"{view.severity_words}: {view.message} ({view.violation.code})"
            for view in judged.violation_views()
        )
        about = [game.name, format.name, *listed.version]
        if listed.without:
            about.append(listed.without)
        labels = {detail.key: detail.label for detail in judged.format.details}
        for key, value in deck.details.items():
            about.append(f"{labels.get(key, key.replace('_', ' '))}: {value}")
        sections = []
        for section in game.sections:
            if entries := deck.in_section(section.slug):
                sections.append((section.name, tuple((entry.card, entry.count) for entry in entries)))
        # ``deck`` has only what the viewer may see.
        has_secrets = any(section.secret for section in game.sections)
        is_hidden = has_secrets and row and not row.shows_secrets_to(self.viewer)
        return Register(
            game,
            listed.deck_title,
            about=tuple(about),
            sections=tuple(sections),
            verdict=f"{format.name}: {judged.verdict_words}.",
            findings=findings,
            remark="What is secret is not listed." if is_hidden else "",
            # To save ink, the smaller code, with the address of the page alone.
            codes=self.codes(listed, "page" if self.saving else "list"),
            saving=self.saving,
        )
