"""The board in the player's own browser, on which clicking is typing. `gameboard` answers plain dicts, `server` carries
them over HTTP on this machine alone, the page beside them shows them. No game knows of it."""
