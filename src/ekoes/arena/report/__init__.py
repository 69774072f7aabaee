"""What a run has shown, for people: as text, as one page, as a picture."""
