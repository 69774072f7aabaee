"""Tables in play: the hub, one actor per table, commands, the scheduler and group commit."""
