"""All tests of the search engine's parts, run in one Python process by engine.test.ts: prints one JSON line a test."""

import json
import resource
import sys
import traceback
import warnings

import edits_test
import evidence_test
import execute_test
import search_test
import statements_test
from engine import host
from examples import EXAMPLES

MODULES = (edits_test, evidence_test, execute_test, search_test, statements_test)


def run_all(cost):
    """Run the tests of a cost: `quick`, `deep`, or any other word for all."""
    host()
    # As in the sandbox: what a candidate builds in one step ends in a MemoryError.
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    warnings.simplefilter("ignore")
    tests = [(name, action) for module in MODULES for name, action in vars(module).items() if name.startswith("test_")]
    tests += [(f"operator {name}", lambda name=name: edits_test.check_operator(name)) for name in EXAMPLES]
    for name, action in tests:
        deep = hasattr(action, "is_deep")
        if cost == ("quick" if deep else "deep"):
            continue
        try:
            action()
            print(json.dumps({"name": name, "deep": deep, "ok": True}))
        except BaseException:
            print(json.dumps({"name": name, "deep": deep, "ok": False, "why": traceback.format_exc()[-1500:]}))


if __name__ == "__main__":
    run_all(sys.argv[1])
