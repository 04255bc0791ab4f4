"""Sets of one's own as pages: their cards by a form made of the game's declared facts, and the checklist of a
box whose cards are lost.
"""
