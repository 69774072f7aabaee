"""Programs that play over HTTP: tokens, streams of what happens, and challenges."""
