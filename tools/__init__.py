"""Small programs for who works on this repository; nothing of them is installed."""
