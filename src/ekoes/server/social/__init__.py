"""Relations between users, and moderation."""
