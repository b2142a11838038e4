"""What was decided, kept: tables, codec, queries. Is not known by the rules."""
