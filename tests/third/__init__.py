"""Games of another package: what one has to bring, and that no file of the house names them."""
