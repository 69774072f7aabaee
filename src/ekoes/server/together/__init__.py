"""What servers have together where there is a Redis: one count of what is asked, and a line to each other."""
