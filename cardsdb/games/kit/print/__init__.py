"""What cards look like: faces, backs and symbols. Pure data; the app ``printing`` draws it."""
