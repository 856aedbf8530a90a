"""Dice that nobody can load, cards and choices that nobody can look at, and the audit that proves it afterwards."""
