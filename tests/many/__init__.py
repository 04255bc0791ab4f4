"""The site on two simulated machines of this computer, each with its own data folder, server and worker,
behind one nginx.
"""
