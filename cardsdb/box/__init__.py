"""All that people have beside the catalogue: texts of cards, sets of typed cards, checklists, pictures.
Files are added whole or not at all.
"""
