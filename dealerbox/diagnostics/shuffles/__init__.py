"""Whether the shuffler shuffles: the order in which cards went in against the order in which they came out."""
