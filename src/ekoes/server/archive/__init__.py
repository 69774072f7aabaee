"""The archive: search, link previews and pictures."""
