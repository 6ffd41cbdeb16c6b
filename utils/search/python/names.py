"""Names that hint at a missing statement: computed and never used, or used and never computed."""

import ast
import builtins

from execute import BASE, offer
from source import FUNCTIONS, walk

BUILTINS = set(dir(builtins))
MOST_TOLD = 4  # names of the module that are never used tell nothing where there are more: others import them


def is_read(node):
    return not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def global_names(tree):
    """What assignments of the module bind."""
    return [n.id for one in tree.body if isinstance(one, ast.Assign) for n in one.targets if isinstance(n, ast.Name)]


def imported_names(tree):
    """What `from … import` of the module binds."""
    return [alias.asname or alias.name for n in tree.body if isinstance(n, ast.ImportFrom) for alias in n.names]


def unused_names(source, variables):
    """Those of the function's variables, and of what the module defines and imports, that nothing reads."""
    tree, target = source.tree, source.target
    inside, read = [
        {n.id for n in walk(one) if isinstance(n, ast.Name) and is_read(n)} | {"_", "self", "cls", target.name}
        for one in (target, tree)
    ]
    inner = [
        n.name for n in source.statements if isinstance(n, FUNCTIONS) and not isinstance(source.parent[n], ast.ClassDef)
    ]
    modules = [alias.asname or alias.name for n in tree.body if isinstance(n, ast.Import) for alias in n.names]
    defined = [n.name for n in tree.body if isinstance(n, FUNCTIONS)]
    outer = {*global_names(tree), *imported_names(tree), *modules, *defined} - read
    return {*variables, *inner} - inside | (outer if len(outer) <= MOST_TOLD else set())


def lost_names(source):
    """Names that the function reads and nothing binds, and its variables that are changed (`x += 1`) before they
    have a value."""
    nodes = source.nodes
    offer(source.text)
    changes = {n.target for n in nodes if isinstance(n, ast.AugAssign)}
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not is_read(n) and n not in changes}
    bound |= {n.arg for n in nodes if isinstance(n, ast.arg)} | {n.name for n in nodes if hasattr(n, "name")}
    bound |= {
        (alias.asname or alias.name).split(".")[0]
        for n in nodes
        if isinstance(n, (ast.Import, ast.ImportFrom))
        for alias in n.names
    }
    bound |= {name for n in nodes if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
    used = [n.id for n in source.expressions if isinstance(n, ast.Name)] + [
        n.id for n in changes if isinstance(n, ast.Name)
    ]
    return sorted({name for name in used if name not in bound | BUILTINS | set(BASE)})


def changed(nodes):
    """The names whose values are changed: `x = …`, `x += …`, `x[i] = …`, `x.append(…)`, `heappush(x, …)`."""
    found = set()
    for node in nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        targets = (
            [*call.args, getattr(call.func, "value", None)]
            if isinstance(call, ast.Call)
            else []
            if is_read(node)
            else [node]
        )
        for one in targets:
            while isinstance(one, (ast.Subscript, ast.Attribute, ast.Starred)):
                one = one.value
            found |= {one.id} if isinstance(one, ast.Name) else set()
    return found


def still_names(source, variables):
    """Variables that get a value made of no other, as what counts or collects does first, and that nothing changes
    then; and those of the conditions of loops that change nothing which their condition reads."""

    def named(node):
        return {n.id for n in walk(node) if isinstance(n, ast.Name)} & set(variables)

    pairs = []
    for node in [n for n in source.statements if isinstance(n, ast.Assign)]:
        for target in node.targets:
            both = [one.elts if isinstance(one, ast.Tuple) else [one] for one in (target, node.value)]
            pairs += zip(*both) if len(both[0]) == len(both[1]) else []
    targets = {target for target, value in pairs if isinstance(target, ast.Name) and not named(value)}
    found = {one.id for one in targets} - changed(n for n in walk(source.target) if n not in targets)
    for loop in source.statements:
        if isinstance(loop, ast.While) and not named(loop.test) & changed(n for one in loop.body for n in walk(one)):
            found |= named(loop.test)
    return found


def is_live(source, name, node, is_behind):
    """Whether what a name holds before a statement, or behind it, may be read afterwards, as far as the text tells."""

    def reads(part):
        return any(
            getattr(n, "id", "") == name
            and is_read(n)
            or name in getattr(n, "names", ())
            or isinstance(n, ast.AugAssign)
            and getattr(n.target, "id", "") == name
            for n in walk(part)
        )

    for up in source.ancestors(node):
        block = next((block for _, block in ast.iter_fields(up) if isinstance(block, list) and node in block), [node])
        for one in block[block.index(node) + is_behind :]:
            if (
                reads(one)
                or isinstance(one, ast.Return)
                or isinstance(one, ast.Assign)
                and name in [getattr(n, "id", "") for n in one.targets]
            ):
                return reads(one)
        if isinstance(up, (ast.For, ast.While, ast.Try)) and reads(up):
            return True
        if isinstance(up, FUNCTIONS):
            return up is not source.target or any(
                isinstance(n, FUNCTIONS + (ast.Lambda,)) and n is not up and reads(n) for n in walk(up)
            )
        node, is_behind = up, True
    return True


def offered(module):
    """The functions of a module, as far as candidates have it."""
    given = vars(BASE[module]) if module in BASE and hasattr(BASE[module], "__name__") else {}
    return sorted(name for name in given.get("__all__", given) if name[0] != "_" and callable(given.get(name)))[:40]
