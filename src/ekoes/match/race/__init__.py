"""Tables where the quicker hand wins: EKKO's (K7)."""
