"""Arbitro: adjudicates combat played by forum post."""
