"""Operators do this with the site: is it ready, what is wrong with it, its state in numbers, the whole of it
in one file.
"""
