"""NR-13 The events of the cards. `book` has all of them; `base` what an event is, and is imported by everything."""
