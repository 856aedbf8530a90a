"""Stargard Solstice: Pomerania, February 1945. Here are its map, counters, set-up, arrivals and tables."""
