"""Calls of the program by its judge: both ends of their conversation."""
