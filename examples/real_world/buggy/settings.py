"""Nested settings as flat keys, as environment variables want them."""


def flatten(settings, separator="_"):
    """{"db": {"host": "x"}} -> {"DB_HOST": "x"}; lists are joined by commas, None is left out."""
    flat = {}
    for key, value in settings.items():
        name = str(key).upper()
        if value is None:
            continue
        if isinstance(value, dict):
            for inner, deep in flatten(value, separator).items():
                flat[inner] = deep
        elif isinstance(value, (list, tuple)):
            flat[name] = ",".join(str(item) for item in value)
        elif isinstance(value, bool):
            flat[name] = "1" if value else "0"
        else:
            flat[name] = str(value)
    return flat
