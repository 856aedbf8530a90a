"""Stalingrad '42: Army Group South from 28 June 1942, by the S42 rules."""
