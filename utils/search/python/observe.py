"""Running the buggy program once with every expression watched: kinds of values, and what failing tests execute."""

import ast
import copy
from collections import defaultdict, namedtuple

from execute import BASE, WATCHED_LINES, compile_tree, report
from meter import METERS, Meter
from facts import agreed, kind_of
from source import FUNCTIONS, is_docstring, is_read


# failing     expressions that ran in a failing test, and their statements; empty where no test fails
# passing     the same for passing tests
# kinds       expression -> kind of its values, as the edits of all languages name it
# kind_names  the same by name
# inputs      arguments of the calls the tests made
# lines       most lines of the program that one check executed and ended
# always      of `failing`, what ran in every failing test
# failed      the texts of the checks that fail
# needed      by its text, lines that a check executed which ended with a result
# raised      names of the errors that end the failing tests; empty where one of them fails in another way
Seen = namedtuple(
    "Seen",
    "failing passing kinds kind_names inputs lines always failed needed raised",
    defaults=({}, {}, (), 0, frozenset(), (), {}, frozenset()),
)

MOST_KINDS = 40  # values of an expression whose kinds are looked at


def watched_tree(source, first=0):
    """A copy of the program's tree in which every expression reports its number, from the first on, and its value; and
    these nodes."""
    nodes = [n for n in source.expressions if is_read(n) and not isinstance(n, (ast.Slice, ast.Starred))]
    copies = source.copies()
    for number, node in enumerate(nodes, first):
        report(copies[node], "_watch", number)

    def reading(name, node):
        """What reports what a name holds that is bound by a node: nothing may read it."""
        read = ast.copy_location(ast.Name(name, ast.Load()), node)
        report(read, "_watch", first + len(nodes))
        nodes.append(node)
        return read

    def bind(block, at, name, node):
        block.insert(at, ast.copy_location(ast.Expr(reading(name, node)), block[0]))

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
            bind(block, at, bound.id, bound)
    for loop in [loop for one in source.expressions for loop in getattr(one, "generators", ())]:
        for bound in [one for one in ast.walk(loop.target) if isinstance(one, ast.Name)]:
            read = reading(bound.id, bound)
            always = ast.copy_location(ast.Constant(True), bound)
            copies[loop].ifs.insert(0, ast.copy_location(ast.BoolOp(ast.Or(), [read, always]), bound))
    if isinstance(source.target, FUNCTIONS):
        block = copies[source.target].body
        for bound in [one for one in ast.walk(source.target.args) if isinstance(one, ast.arg)]:
            bind(block, int(is_docstring(block[0])), bound.arg, bound)
    return copies[source.tree], nodes


def kinds_of_names(source, kinds):
    """The kinds of what each name holds, by those of the nodes that read it or give it a value."""
    held = [(getattr(node, "id", None) or getattr(node, "arg", None), node) for node in kinds]
    for node in [one for one in source.statements if isinstance(one, ast.Assign)]:
        held += [(target.id, node.value) for target in node.targets if isinstance(target, ast.Name)]
    found = defaultdict(set)
    for name, node in held:
        if name:
            found[name] |= kinds.get(node, set())
    return {name: agreed(all_of_them) for name, all_of_them in found.items()}


def observe(source, entry, checks, names, lines):
    """Run the program on the checks."""
    inputs, most = [], 0
    sides, hit, needed, meter, failed, always = {True: set(), False: set()}, set(), {}, Meter(), [], None
    ends, kinds, left = set(), defaultdict(set), {}
    tree, nodes = watched_tree(source)
    code = compile_tree(tree)

    def watch(number, value):
        hit.add(nodes[number])
        left[number] = left.get(number, MOST_KINDS) - 1
        if left[number] >= 0:
            kinds[nodes[number]].add(kind_of(value))
        return value

    def recorded(*arguments, **keywords):
        try:
            inputs.append(copy.deepcopy(arguments))
        except Exception:  # an argument that cannot be copied is no input to compare candidates on
            pass
        return function(*arguments, **keywords)

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
            if outcome != "ok":
                failed.append(check.text)
                ends.add(meter.error if outcome == "raised" else None)
                always = ran if always is None else always & ran
            if outcome != "cut":
                most = max(most, used)
            if outcome in ("ok", "wrong"):
                needed[check.text] = used
    return Seen(
        sides[False],
        sides[True],
        {node: agreed(found) for node, found in kinds.items()},
        kinds_of_names(source, kinds),
        inputs,
        most,
        frozenset(always or ()),
        tuple(failed),
        needed,
        frozenset(ends if function is not None and None not in ends else ()),
    )
