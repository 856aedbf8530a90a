"""Movement: on the ground, by rail, by sea, and past zones of control."""
