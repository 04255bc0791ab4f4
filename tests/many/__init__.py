"""The site on many machines, on this one: two that serve and work, each with its own data folder, behind one
proxy.
"""
