"""Looking things up in sorted data."""


def insertion_point(values, wanted, key=lambda value: value):
    """The first index at which `wanted` can be inserted so that the values stay sorted."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if key(values[middle]) < wanted:
            low = middle
        else:
            high = middle
    return low
