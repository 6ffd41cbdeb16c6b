"""Totals of an invoice in cents."""


def total(lines, rates, discount=0):
    """Sum of (price, amount, kind) lines: a discount in percent first, then the tax of each kind, rounded half up."""
    result = 0
    for price, amount, kind in lines:
        net = price * amount * (100 - discount)
        tax = net * rates.get(kind, 0)
        cents = net * 100 + tax
        result += (cents + 5000) // 10000
    return result
