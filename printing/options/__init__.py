"""Every setting of a print, from which form, address, command line and API are made."""
