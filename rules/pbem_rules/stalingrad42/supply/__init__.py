"""Supply: lines, railheads, supply points."""
