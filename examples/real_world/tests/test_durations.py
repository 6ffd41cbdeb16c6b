from durations import parse_duration


def test_minutes():
    assert parse_duration("2m") == 120


def test_bare_number():
    assert parse_duration("45") == 45
