"""A tournament as a folder of static pages and tables, which needs no script to be read and holds nobody's address."""
