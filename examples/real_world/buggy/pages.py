"""Cutting a list of rows into pages."""


def paginate(rows, page, size=10):
    """One page (counted from 1) with what a pager shows: rows, numbers of the pages before and after, total."""
    if page < 1 or size < 1:
        raise ValueError("page and size start at 1")
    total = (len(rows) + size - 1) // size
    first = (page - 1) * size
    return {
        "rows": rows[first:first + size],
        "page": page,
        "pages": total,
        "previous": page - 1 if page > 1 else None,
        "next": page + 1 if page <= total else None,
    }
