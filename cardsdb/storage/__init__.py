"""Stores of files that people bring and ask for: in folders of this machine, or in an object store that
machines share; one contract.
"""
