"""Tables where one player after the other decides."""
