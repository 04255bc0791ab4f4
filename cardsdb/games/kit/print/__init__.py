"""The looks of cards as data: faces, backs, symbols.

``face`` has the elements of a card's layout, ``dossier`` the layout that games share, ``shapes`` the geometry
for emblems, ``deeds`` pictures of what cards do. Nothing is drawn here: ``printing/faces`` does that.
"""
