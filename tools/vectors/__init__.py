"""Test vectors: one file per scenario (tests/vectors/README.md). Each module here makes those of one area.

An area is a module with `vectors() -> Iterator[Vector]`; add it to AREAS. What a reader must do with a vector of each
`what` is in `tests/protocol/vectorjudges.py`.
"""
