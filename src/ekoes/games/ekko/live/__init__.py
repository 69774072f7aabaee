"""The live table as a state machine without I/O (K7): arrivals and their times determine the next state."""
