def restock_list(items, minimum=5):
    """Names of the items with fewer than the minimum."""
    return [name for name, amount in items if amount <= minimum]
