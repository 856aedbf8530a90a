"""A toolbox for rules authors: boards, stacks, zones of control, tables, decks, odds."""
