"""What a process that the fork server forked becomes."""
