"""The solver: what becomes of a duel under standing orders, worked out instead of thrown."""
