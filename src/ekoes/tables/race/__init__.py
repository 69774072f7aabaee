"""Tables of real-time games, where the first player to act wins the chance."""
