"""The log that strangers can trust: bytes in, verdicts out. No I/O, no clock, no game knowledge."""
