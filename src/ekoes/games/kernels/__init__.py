"""Small kernels that the rules of every game use."""
