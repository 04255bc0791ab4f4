"""What is right with a site and what is not, each with what to do: looked at for whoever runs it."""
