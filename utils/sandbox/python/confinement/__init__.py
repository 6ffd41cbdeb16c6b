"""Restricts a process: its rights, its limits, what it sees of the machine."""
