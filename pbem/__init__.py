"""pbem: play board wargames by email with strangers, honestly."""

__version__ = "1.0.0rc1"
