"""What bots know of EKKO: what a seat sees, weighing cards, and how soon a player notices."""
