"""JSON: parse, one service call, render."""
