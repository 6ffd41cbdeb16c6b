"""Edits as data: expressions and statements built from the code in place (`_`) and names in scope (`$kind`)."""
import re
from itertools import product

from facts import COLLECTIONS, NUMBERS, SEQUENCES

KINDS = {"num": NUMBERS, "int": {"int"}, "seq": SEQUENCES, "coll": COLLECTIONS, "str": {"str"}, "list": {"list"},
         "set": {"set"}, "dict": {"dict"}, "fun": {"function"}, "bool": {"bool"}, "none": {"none"}, "float": {"float"}}

# Operator, types of the expression it changes, templates likeliest first.
WRAP = [
    ("plus_minus_one", "num", "_ + 1; _ - 1"),
    ("wrap_number", "num", "abs(_); -_; int(_); round(_); str(_); float(_); math.floor(_); math.ceil(_); max(_, 0); bin(_); chr(_); bool(_); range(_); max(_, 1)"),
    ("scale", "num", "_ // 2; _ / 2; _ * 2; _ ** 2; _ % 2; _ + 2; _ - 2; _ % 10; _ // 10; _ * -1; _ % 1; _ + 0.5"),
    ("combine_told", "num", "_ + $told; _ - $told; _ * $told; _ // $told; _ % $told; _ / $told"),
    ("combine_name", "num", "_ + $num; _ - $num; _ * $num; _ // $num; _ % $num; _ / $num; $num - _; $num // _; $num % _; max(_, $num); min(_, $num)"),
    ("combine_length", "num", "_ + len($coll); _ - len($coll); _ % len($coll); _ / len($coll); $seq[_]; $dict[_]"),
    ("string_method", "str", "_.lower(); _.upper(); _.strip(); _.swapcase(); _.split(); _.capitalize(); _.title(); _.replace(' ', '')"),
    ("wrap_string", "str", "int(_); list(_); len(_); ord(_); float(_); set(_); sorted(_); ''.join(sorted(_))"),
    ("join_name", "str", "_ + $str; $str + _"),
    ("join_text", "str", "_ + $text; $text + _"),
    ("sort_unique", "list tuple set str", "sorted(_); set(_); list(set(_)); sorted(set(_)); sorted(_, reverse=True); sorted(_, key=len); sorted(_, key=$fun); sorted(_, key=lambda x: $dict[x]); ''.join(_); ' '.join(_)"),
    ("wrap_collection", "list tuple set str range", "len(_); sum(_); max(_); min(_); list(_); tuple(_); any(_); all(_); len(set(_)); enumerate(_)"),
    ("slice_fixed", "list tuple str", "_[::-1]; _[1:]; _[:-1]; _[0]; _[-1]; _[::2]; _[1::2]; _[2:]; _[1:-1]; _[:]"),
    ("slice_name", "list tuple str", "_[:$int]; _[$int:]; _[$int]; _[:$int + 1]; _[$int + 1:]; _[:-$int]; _[-$int:]"),
    ("extend_name", "list", "_ + $list; _ + [$any]"),
]

# Operator, types the new expression has, templates. They take the place of an expression of a like type.
BUILD = [
    ("build_number", "num", "len($coll); $num + 1; $num - 1; len($coll) - 1; -$num; abs($num); sum($list); max($list); min($list); $num // 2; $num ** 2; $num * 2; int($str); $num % 10; $num // 10; $num / 2; ord($str)"),
    ("build_pair", "num", "$num1 + $num2; $num1 - $num2; $num1 * $num2; $num1 % $num2; $num1 // $num2"),
    ("build_item", "num str list tuple bool", "$seq[$int]; $list[0]; $list[-1]; $seq[$int + 1]; $seq[$int - 1]; $dict[$any]"),
    ("build_string", "str", "str($num); $str[::-1]; $str.lower(); $str.upper(); $str[0]; $str[-1]; bin($int)[2:]"),
    ("build_part", "list str", "$seq[:$int]; $seq[$int:]; sorted($list)"),
    ("build_bool", "bool", "$num1 == $num2; $num1 < $num2; $num1 <= $num2; $any in $coll"),
    ("plain_value", "num str list bool none dict set", "0; []; ''; 1; -1; True; False; None; {}; set()"),
]

# Conditions, for guards, filters and additional clauses.
PREDICATES = [
    "$num % 2 == 0; $num % 2 == 1; $num > 0; $num != 0; $num >= 0; $num < 0; $num > 1; $num == 0; $num == 1; $float % 1 == 0",
    "$any1 != $any2; $any1 == $any2; $num1 < $num2; $num1 <= $num2; $any1 not in $coll; $any1 in $coll",
    "$num == $told; $num <= $told; $num < $told; $num > $told; $num >= $told",
    "$none is not None; $none is None; not $coll; len($coll) == 1; len($coll) % 2 == 0; len($coll) > 1; len($coll) % 2 == 1",
    "$str.isalpha(); $str.isdigit(); $str.isupper(); $str.islower(); $str.isalnum(); $str != ''; $str == $tolds",
]

INSERT = [
    ("insert_list", "$list = sorted($list); $list.append($any); $list = $list[::-1]; $list = list(set($list)); $list = []; $list.sort()"),
    ("insert_number", "$num += 1; $num -= 1; $num = 0; $num = abs($num); $num = 1; $num //= 2; $num = -$num"),
    ("insert_sum", "$num1 += $num2; $num1 = $num2; $num1 -= $num2; $num1 *= $num2"),
    ("insert_string", "$str = $str.lower(); $str = $str.strip(); $str = $str.upper(); $str = ''; $str = $str[::-1]; $str1 += $str2; $str1 = $str2"),
    ("insert_flag", "$bool = not $bool; $bool = True; $bool = False; $set.add($any)"),
]

SLOT = re.compile(r"\$([a-z]+)(\d?)")
MOST = 5        # names tried for one slot


def fillers(facts, node, kind):
    """What may stand for `$kind` at a node, nearest first."""
    if kind == "told":
        return [repr(n) for n in facts.told_numbers if n not in (0, 1, 2, -1)][:6]
    if kind in ("tolds", "text"):
        return [repr(s) for s in dict.fromkeys(facts.strings[:4] + facts.told_strings[:4]) if 0 < len(s) <= 3]
    if kind == "any":
        return [n for n in facts.scope(node) if "function" not in facts.name_types(n)][:MOST + 1]
    named = facts.in_scope(node, KINDS[kind])
    return (named + facts.functions if kind == "fun" else named)[:MOST + 1]


def expand(facts, node, template):
    """All ways to fill the slots of a template at a node: (text, extra cost)."""
    key = (tuple(facts.scope(node)), template)
    if key not in facts.expanded:
        slots = list(dict.fromkeys(SLOT.findall(template)))
        choices = [list(enumerate(fillers(facts, node, kind))) for kind, _ in slots]
        filled = []
        for choice in product(*choices):
            names = [name for _, name in choice]
            if len(set(names)) == len(names):
                mapping = dict(zip(slots, names))
                text = SLOT.sub(lambda m: mapping[m.groups()], template)
                filled.append((text, 0.05 * sum(rank for rank, _ in choice)))
        facts.expanded[key] = filled
    return facts.expanded[key]


def expand_all(facts, node, templates, step=0.12):
    """The expansions of a row of templates; later ones cost more."""
    for rank, template in enumerate(templates.split("; ")):
        for text, extra in expand(facts, node, template):
            yield text, step * min(rank, 10) + extra
