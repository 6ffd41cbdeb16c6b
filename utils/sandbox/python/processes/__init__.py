"""Watches other processes, measures what they use, ends them."""
