"""Who somebody is: the viewer of a request, the names of accounts."""
