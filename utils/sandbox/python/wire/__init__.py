"""Values and messages between processes that do not trust each other."""
