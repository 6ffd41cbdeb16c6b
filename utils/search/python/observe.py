"""Running the buggy program once with every expression watched: types of values, and what failing tests execute."""

import ast
import copy
from collections import defaultdict, namedtuple

from execute import BASE, WATCHED_LINES, compile_tree, report
from meter import METERS, Meter
from facts import agreed, kind_of, type_name
from names import is_read


# types     expression -> names of the types of its values
# names     variable -> the same
# failing   expressions that ran in a failing test, and their statements; empty where no test fails
# passing   the same for passing tests
# inputs    arguments of the calls the tests made
# lines     most lines of the program that one check executed and ended
# always    of `failing`, what ran in every failing test
# failed    the texts of the checks that fail
# is_bare   whether a call in a failing test returned nothing
# needed    by its text, lines that a check executed which ended with a result
# raised    names of the errors that end the failing tests; empty where one of them fails in another way
# kinds     expression -> kind of its values, as the edits of all languages name it; kind_names: the same by name
Seen = namedtuple(
    "Seen",
    "types names failing passing inputs lines always failed is_bare needed raised kinds kind_names",
    defaults=(frozenset(), (), False, {}, frozenset(), {}, {}),
)

MOST_KINDS = 40  # values of an expression whose kinds are looked at


def watched_code(source):
    """Code object of the program in which every expression reports its number and value, and these nodes."""
    nodes = [n for n in source.expressions if is_read(n) and not isinstance(n, (ast.Slice, ast.Starred))]
    copies = source.copies()
    for number, node in enumerate(nodes):
        report(copies[node], "_watch", number)
    # What loops and unpackings bind: nothing may read it.
    for statement in source.statements:
        copied, target = copies[statement], getattr(statement, "target", None)
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            block, at = copied.body, 0
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Tuple, ast.List)):
            fields = vars(copies[source.parent[statement]]).values()
            block = next(field for field in fields if isinstance(field, list) and copied in field)
            at, target = block.index(copied) + 1, statement.targets[0]
        else:
            continue
        for bound in [one for one in ast.walk(target) if isinstance(one, ast.Name) and not is_read(one)]:
            name = ast.copy_location(ast.Name(bound.id, ast.Load()), bound)
            report(name, "_watch", len(nodes))
            block.insert(at, ast.copy_location(ast.Expr(name), bound))
            nodes.append(bound)
    return compile_tree(copies[source.tree]), nodes


def observe(source, entry, checks, names, lines):
    """Run the program on the checks."""
    types, by_name, inputs, most = defaultdict(set), defaultdict(set), [], 0
    bare, is_bare = [], False
    sides, hit, needed, meter, failed, always = {True: set(), False: set()}, set(), {}, Meter(), [], None
    ends, kinds, left = set(), defaultdict(set), {}
    code, nodes = watched_code(source)

    def watch(number, value):
        hit.add(nodes[number])
        types[nodes[number]].add(type_name(value))
        left[number] = left.get(number, MOST_KINDS) - 1
        if left[number] >= 0:
            kinds[nodes[number]].add(kind_of(value))
        return value

    def recorded(*arguments, **keywords):
        try:
            inputs.append(copy.deepcopy(arguments))
        except Exception:  # an argument that cannot be copied is no input to compare candidates on
            pass
        value = function(*arguments, **keywords)
        bare.append(value is None)
        return value

    namespace = dict(BASE, _watch=watch)
    meter.run(lambda: exec(code, namespace), lines)
    function = namespace.get(entry)
    if callable(function):
        namespace.update(dict.fromkeys(names, recorded))
    for check in checks:
        hit.clear()
        outcome, used = meter.run(lambda: exec(check.code, namespace), lines)
        METERS.spent += WATCHED_LINES * min(used, lines)
        if check.judges:
            ran = hit | {up for node in hit for up in source.ancestors(node)}
            sides[outcome == "ok"] |= ran
            is_bare = is_bare or outcome != "ok" and any(bare)
            bare.clear()
            if outcome != "ok":
                failed.append(check.text)
                ends.add(meter.error if outcome == "raised" else None)
                always = ran if always is None else always & ran
            if outcome != "cut":
                most = max(most, used)
            if outcome in ("ok", "wrong"):
                needed[check.text] = used
    known = {name: {type_name(value)} for name, value in namespace.items() if name not in BASE}
    held = [(node.id, node) for node in nodes if isinstance(node, ast.Name)]
    held += [
        (target.id, node.value)
        for node in source.statements
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]  # written but maybe never read
    given = [
        (p.arg, value)
        for arguments in (inputs if hasattr(source.target, "args") else ())
        for p, value in zip(source.target.args.args, arguments)
    ]
    for name, found in [(name, types[node]) for name, node in held] + [(n, {type_name(v)}) for n, v in given]:
        by_name[name] |= found
    by_name = {**known, **by_name}
    kind_names = defaultdict(set)
    for name, found in [(name, kinds[node]) for name, node in held] + [(n, {kind_of(v)}) for n, v in given]:
        kind_names[name] |= found
    return Seen(
        types,
        by_name,
        sides[False],
        sides[True],
        inputs,
        most,
        frozenset(always or ()),
        tuple(failed),
        is_bare,
        needed,
        frozenset(ends if function is not None and None not in ends else ()),
        {node: agreed(found) for node, found in kinds.items()},
        {name: agreed(found) for name, found in kind_names.items()},
    )
