"""Case adapters, one module for each chapter: from a case's given to the rules and back."""
