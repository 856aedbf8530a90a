"""The umpire's desk: tournaments of hundreds of games, kept in a database and run by a keeper."""
