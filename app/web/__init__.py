"""HTML: parse, one service call, render."""
