"""One small module for each ruleset's post: which finding stands where."""
