from settings import flatten

assert flatten({"db": {"host": "x", "port": 5432}}) == {"DB_HOST": "x", "DB_PORT": "5432"}
assert flatten({"debug": True, "tags": ["a", "b"], "proxy": None}) == {"DEBUG": "1", "TAGS": "a,b"}
