from durations import parse_duration

assert parse_duration("1h 30m") == 5400
assert parse_duration("1d2h") == 93600
assert parse_duration("  10S ") == 10
assert parse_duration("0s") == 0
try:
    parse_duration("3 weeks")
    raise SystemExit("accepted")
except ValueError:
    pass
