"""Learning the weights of the search from games that it plays against itself."""
