"""The desk's database: tables, migrations, and the journal that the tables follow from."""
