"""Turns by mail: what lies in the outbox is sent, what comes to the mailbox is opened, over a player's own account."""
