"""The map workshop: hex maps of real country from open geodata and a few hand-written pages. Not needed to play."""
