/** For tests: one edit of each operator, by the program before and after it. */

export interface Example {
  operator: string;
  program: string;
  repaired: string;
  tests: string;
}

/** The body of `f`, what is called, and the body with the edit made. */
const example = (operator: string, body: string, repaired: string, call: string): Example => {
  const program = (text: string) => `function f(a, b) {\n  ${text}\n}\n`;
  return {
    operator,
    program: program(body),
    repaired: program(repaired),
    tests: `console.assert(${call} === "x!");\n`,
  };
};

export const EXAMPLES: readonly Example[] = [
  example("compare", "return a < b;", "return a <= b;", "f(1, 2)"),
  example("arithmetic", "return a + b;", "return a - b;", "f(1, 2)"),
  example("augmented", "a += b;\n  return a;", "a -= b;\n  return a;", "f(1, 2)"),
  example("augmented", "a++;\n  return a;", "a--;\n  return a;", "f(1, 2)"),
  example("boolean", "return a && b;", "return a || b;", "f(1, 2)"),
  example("true_false", "return a === true;", "return a === false;", "f(1, 2)"),
  example("step", "return a + 2;", "return a + 3;", "f(1, 2)"),
  example("number", "return a + 7;", "return a + 0;", "f(1, 2)"),
  example("string", 'return a + "-";', 'return a + "";', 'f("p", 2)'),
  example("constant_to_length", "return a.slice(0, 5);", "return a.slice(0, a.length);", 'f("pq", 2)'),
  example("variable", "return a * a;", "return a * b;", "f(1, 2)"),
  example("function", "return parseInt(a);", "return parseFloat(a);", 'f("1", 2)'),
  example("attribute", "return Math.floor(a);", "return Math.ceil(a);", "f(1.5, 2)"),
  example("everywhere", "return a + 1 + b * 1;", "return a + 2 + b * 2;", "f(1, 2)"),
  example("swap_operands", "return a - b;", "return b - a;", "f(1, 2)"),
  example("swap_arguments", "return Math.max(a, b);", "return Math.max(b, a);", "f(1, 2)"),
  example("drop_operand", "return a + b;", "return b;", "f(1, 2)"),
  example("drop_clause", "return a || b;", "return b;", "f(1, 2)"),
  example("drop_filter", "return a.filter((n) => n > b);", "return a.filter((n) => true);", "f([1], 2)"),
  example("drop_argument", "return Math.max(a, b);", "return Math.max(b);", "f(1, 2)"),
  example("regroup", "return a + b * 2;", "return (a + b) * 2;", "f(1, 2)"),
  example("display", "return [a, b];", "return [b, a];", "f(1, 2)"),
  example("swap_branches", "return a ? 1 : b;", "return a ? b : 1;", "f(1, 2)"),
  example("swap_object", "return a.concat(b);", "return b.concat(a);", "f([1], [2])"),
  example("unwrap", "return Math.abs(a);", "return a;", "f(1, 2)"),
  example("add_argument", "return a.sort();", "return a.sort((a, b) => a - b);", "f([1], 2)"),
  example("slice_bounds", "return a.slice(1, b);", "return a.slice(1, b + 1);", "f([1], 2)"),
  example("index", "return a[b];", "return a[b - 1];", "f([1], 1)"),
  example("wrap_both", "return a === b;", "return a.toLowerCase() === b.toLowerCase();", 'f("p", "q")'),
  example("negate", "if (a) return b;\n  return 0;", "if (!a) return b;\n  return 0;", "f(1, 2)"),
  example(
    "add_clause",
    "return a.filter((n) => n > b);",
    "return a.filter((n) => (n > b) && n % 2 === 0);",
    "f([1], 2)",
  ),
  example("copy_expression", "const c = a * b;\n  return [c, a];", "const c = a * b;\n  return [c, a * b];", "f(1, 2)"),
  example("optional", "return a.b;", "return a?.b;", "f({ b: 1 }, 2)"),
  example("plus_minus_one", "return a;", "return a + 1;", "f(1, 2)"),
  example("wrap_number", "return a;", "return Math.abs(a);", "f(1, 2)"),
  example("scale", "return a;", "return Math.floor(a / 2);", "f(1, 2)"),
  example("combine_name", "return a;", "return a + b;", "f(1, 2)"),
  example(
    "combine_copy",
    "const c = b[0];\n  return [a, c];",
    "const c = b[0];\n  return [Math.max(a, b[0]), c];",
    "f(1, [2])",
  ),
  example("combine_length", "return b;", "return b + a.length;", "f([1], 2)"),
  example("string_method", "return a;", "return a.trim();", 'f("p", 2)'),
  example("wrap_string", "return a;", "return Number(a);", 'f("1", 2)'),
  example("join_name", "return a;", "return a + b;", 'f("1", "2")'),
  example("join_text", 'return a + "," + a;', 'return (a + "," + a) + ",";', 'f("1", "2")'),
  example("sort_unique", "return a;", "return [...new Set(a)];", "f([1], 2)"),
  example("wrap_collection", "return a;", "return a.length;", "f([1], 2)"),
  example("slice_fixed", "return a;", "return a.slice(1);", "f([1], 2)"),
  example("slice_name", "return a;", "return a.slice(0, b);", "f([1], 2)"),
  example("extend_name", "return a;", "return [...a, b];", "f([1], 2)"),
  example("build_number", "return b + 1;", "return a.length;", "f([1], 2)"),
  example("build_pair", "return a;", "return a * b;", "f(1, 2)"),
  example("build_item", "return b;", "return a[b];", "f([1], 2)"),
  example("build_string", "return b;", "return a.toUpperCase();", 'f("p", "q")'),
  example("build_part", "return a;", "return a.slice(b);", "f([1], 2)"),
  example("build_bool", "return a === 1;", "return a < b;", "f(1, 2)"),
  example("plain_value", "return a;", "return [];", "f(1, 2)"),
  example("copy_statement", "b.push(a);\n  return b;", "b.push(a);\n  b.push(a);\n  return b;", "f(1, [])"),
  example(
    "like_statement",
    "let c = 0;\n  c += a;\n  return c;",
    "let c = 0;\n  c += b;\n  c += a;\n  return c;",
    "f(1, 2)",
  ),
  example("leave", "let c = a;", "let c = a;\n  return c;", "f(1, 2)"),
  example("count", "let c = a;\n  return c;", "let c = a;\n  c++;\n  return c;", "f(1, 2)"),
  example("collect", "const c = [];\n  return c;", "const c = [];\n  c.push(a);\n  return c;", "f(1, 2)"),
  example("reset", "let c = a;\n  return c;", "let c = a;\n  c = 0;\n  return c;", "f(1, 2)"),
  example("assign", "let c = a;\n  return c;", "let c = a;\n  c = b;\n  return c;", "f(1, 2)"),
  example("delete_statement", "a++;\n  return a;", ";\n  return a;", "f(1, 2)"),
  example("branches", "if (a) return 1;\n  else return b;", "if (a) return b;\n  else return 1;", "f(1, 2)"),
  example("exchange_returns", "if (a) return 1;\n  return b;", "if (a) return b;\n  return 1;", "f(1, 2)"),
  example("exchange_names", "return a - b;", "return b - a;", "f(1, 2)"),
  example("move_statement", "a++;\n  a *= 2;\n  return a;", "a *= 2;\n  a++;\n  return a;", "f(1, 2)"),
  example("guard", "a++;\n  return a;", "if (a > 0) return a;\n  a++;\n  return a;", "f(1, 2)"),
  example("condition_of_statement", "a++;\n  return a;", "if (b > 0) a++;\n  return a;", "f(1, 2)"),
  example("else_branch", "if (a > 1) b = 2;\n  return b;", "if (a > 1) b = 2; else b = 0;\n  return b;", "f(1, 2)"),
  example("loop_kind", "for (const c in a) return c;", "for (const c of a) return c;", "f([1], 2)"),
  example("regex", 'return a.replace(/p/, "");', 'return a.replace(/p/g, "");', 'f("p", 2)'),
];
