"""The games; each knows nothing of the others, nor of what people do around them."""
