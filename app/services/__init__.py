"""One function, one use case, one transaction."""
