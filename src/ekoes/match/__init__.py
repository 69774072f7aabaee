"""Authoritative tables: seats, orders in, views out. No I/O and no await.

A table is the list of the orders it took: ``submit`` judges one and returns the table after it, so
whoever keeps the orders (``ekoes.storage``) can build the same table again at any time. ``turns``
are the tables where one player after the other decides, ``race`` those where the quicker hand wins.
"""
