"""Tables where the quicker hand wins, whatever is played at them."""
