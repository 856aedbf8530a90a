"""pbem: play board wargames by email with strangers, honestly."""

__version__ = "0.1.0"
