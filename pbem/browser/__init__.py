"""The board in the player's own browser, on which every click is turned into typed orders. `gameboard` answers plain
dicts, `server` carries them over HTTP on this machine alone, the page beside them shows them. Games know nothing of the
browser.
"""
