"""A player's side of the table: identities, contacts, the game store on disk, inbox and outbox."""
