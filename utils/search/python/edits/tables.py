"""The tables of edits and words, `tables.json`: what operators exchange, the templates they build from."""
import json
import os

TABLES = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables.json"), encoding="utf8"))
