"""Operators on calls, ranges, slices and indices: exchange, drop, add or shift their parts."""
import ast
import re
from itertools import combinations

from operators import operator
from source import Edit
from tables import TABLES
from templates import expand_all


@operator("swap_arguments", "swap", ast.Call)
def _(facts, node):
    for a, b in combinations(node.args, 2):
        yield facts.source.swap(a, b)
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not facts.is_library(node.func.value):
        yield facts.source.swap(node.func.value, node.args[0], 0.3)


def call(source, node, arguments):
    return f"{source.code(node.func)}({', '.join(arguments)})"


def arguments_of(source, node):
    keywords = [(k.arg + "=" if k.arg else "**") + source.code(k.value) for k in node.keywords]
    return [source.code(a) for a in node.args] + keywords


@operator("drop_argument", "drop", ast.Call)
def _(facts, node):
    texts = arguments_of(facts.source, node)
    for i in range(len(texts)):
        yield facts.source.replace(node, call(facts.source, node, texts[:i] + texts[i + 1:]), 0.4 * (len(texts) == 1))


@operator("add_argument", "arguments", ast.Call)
def _(facts, node):
    source, texts = facts.source, arguments_of(facts.source, node)
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    for more, extra in expand_all(facts, node, TABLES["arguments"].get(name, []), 0.08):
        if not any(more.split("=")[0] + "=" in text for text in texts):
            yield source.replace(node, call(source, node, texts + [more]), extra)


@operator("range_bounds", "ranges", ast.Call)
def _(facts, node):
    if isinstance(node.func, ast.Name) and node.func.id == "range" and 1 <= len(node.args) <= 3:
        texts = [facts.source.code(a) for a in node.args]
        for template, extra in expand_all(facts, node, TABLES["range"][str(len(texts))], 0.05):
            yield facts.source.replace(node, f"range({template.format(*texts)})", extra)


@operator("slice_bounds", "ranges", ast.Slice)
def _(facts, node):
    source = facts.source
    lower, upper, step = (source.code(part) if part else "" for part in (node.lower, node.upper, node.step))
    seen = set()
    for template, extra in expand_all(facts, node, TABLES["slices"], 0.03):
        needs_lower, needs_upper = re.search(r"\{0\} |-\{0\}", template), re.search(r"\{1\} |-\{1\}", template)
        if (needs_lower and not lower) or (needs_upper and not upper):
            continue
        text = template.format(lower, upper) + (":" + step if step and template.count(":") == 1 else "")
        if text not in seen:
            seen.add(text)
            start, end = source.span(node)
            yield Edit(((start, end, text),), source.text[start:end], text, extra)


@operator("index", "ranges", ast.Subscript)
def _(facts, node):
    source = facts.source
    if isinstance(node.slice, ast.Slice):
        return
    index = source.code(node.slice)
    for rank, text in enumerate((f"{index} - 1", f"{index} + 1", "-1", "0", f"-{source.atom(node.slice)}", f":{index}",
                                 f"{index}:", f"-{source.atom(node.slice)} - 1")):
        yield source.replace(node, f"{source.code(node.value)}[{text}]", 0.06 * rank)
    if isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
        yield source.swap(node.slice, node.value.slice)
