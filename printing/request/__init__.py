"""What a request asks to be printed, as values; ``stored`` asks the database for decks and cards,
``printers`` for calibrations.
"""
