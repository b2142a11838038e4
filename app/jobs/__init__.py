"""What the service does by itself, without anybody asking."""
