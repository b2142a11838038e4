"""What pages and API share: principal, problems, language, limits."""
