"""What stands outside the house and is asked or told something: the public beacon."""
