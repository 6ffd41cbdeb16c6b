def grade(points):
    """Whether the points are enough."""
    return "pass" if points < 50 else "fail"
