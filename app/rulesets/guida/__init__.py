"""Guida al Combattimento: one module for each chapter of the book."""
