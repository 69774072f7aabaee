"""Searching Ekö: a learned judgement of positions, and a tree of decisions grown by it."""
