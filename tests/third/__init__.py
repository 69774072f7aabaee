"""Games of another package: what a game has to provide, and that no file of Ekoes names them."""
