"""The pages, files and API addresses of the print shop."""
