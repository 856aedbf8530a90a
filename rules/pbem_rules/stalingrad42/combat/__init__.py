"""Combat: attacks, determined defence, retreats, losses, advances, recovery."""
