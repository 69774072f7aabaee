"""Any player against any other: matches, ratings, reports, on one core or a cluster."""
