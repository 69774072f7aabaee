"""People beside the game: whom somebody blocks, follows or reports, and those who run the server."""
