"""Every setting of a print; form, address, command and API are made from it."""
