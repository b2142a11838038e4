"""What every game needs and nothing that a single game needs. Pure: values in, values out."""
