"""What changed between two versions of a record."""


def changes(old, new, ignore=()):
    """{field: (before, after)} of the fields that differ; a field that is missing counts as None."""
    found = {}
    for field in sorted(set(old) & set(new)):
        if field in ignore or field.startswith("_"):
            continue
        before, after = old.get(field), new.get(field)
        if isinstance(before, dict) and isinstance(after, dict):
            for inner, pair in changes(before, after, ignore).items():
                found[f"{field}.{inner}"] = pair
        elif before != after:
            found[field] = (before, after)
    return found
