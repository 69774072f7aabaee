"""Programs for the developers of this repository; none of them is installed."""
