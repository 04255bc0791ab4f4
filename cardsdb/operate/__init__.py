"""What whoever runs the site does with it: is it ready, what is wrong with it, its state in numbers, the whole
of it in one file.
"""
