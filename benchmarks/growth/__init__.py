"""What growth needs: what a table, a visitor and a decision cost, and what follows for many of them."""
