"""Findings to forum text and forum text to claims. Knows no web and no database."""
