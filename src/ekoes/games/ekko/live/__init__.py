"""The live table as a pure machine (K7): what arrives, and when, makes the next state of the last."""
