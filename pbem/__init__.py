"""pbem: play board wargames by email with strangers, without having to trust them."""

__version__ = "1.0.0rc1"
