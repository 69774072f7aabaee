"""What bots know of Ekö: judging positions and searching turns."""
