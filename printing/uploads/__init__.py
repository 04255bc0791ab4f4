"""What people bring: own pictures, taken in with care and stored privately, and packages with rows and
pictures together.
"""
