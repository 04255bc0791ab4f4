"""The whole site in one file: rows, pictures and secret, taken while it runs and put back into an empty
place.
"""
