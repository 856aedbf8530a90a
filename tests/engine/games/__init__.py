"""Two small games that keep the engine honest: five seats on areas, and cards."""
