"""Authoritative tables: seats, orders in, views out. No I/O and no await.

A table follows from the orders it has accepted: ``submit`` judges one and returns the next table, so
``ekoes.storage`` can build the same table again from the stored orders. ``turns`` has the turn-based
games, ``race`` those in real time.
"""
