/** Families of operators: a caller asks for edits of a family, or switches it off. */

const FAMILIES: Readonly<Record<string, string>> = {
  arguments: "add_argument",
  arithmetic: "arithmetic augmented rounded",
  boolean: "boolean",
  build: "build_number build_item build_string build_bool asked",
  calls: "await",
  comparison: "compare close equals case",
  conditions: "negate add_clause bounds truthy",
  constants: "true_false step number string usual_string pattern times escape",
  copy: "copy_expression copy_statement sibling_statement",
  delete: "delete_statement",
  displays: "display",
  everyday:
    "keep_result new_value emptied skipped stateless bound by_reference fresh_copy give_error split question fallback",
  drop: "drop_operand drop_clause drop_argument",
  functions: "function attribute",
  guard: "condition_of_statement else",
  insert: "leave leftover reset like_statement place result wanted",
  jumps: "jump",
  move: "move_statement",
  names: "variable unread",
  ranges: "range_bounds slice_bounds index",
  regroup: "regroup",
  returns: "give_back exchange_returns",
  swap: "swap_operands swap_arguments swap_branches branches exchange_names exchange_values everywhere",
  unwrap: "unwrap optional",
  wrap:
    "wrap_both plus_minus_one wrap_number scale combine_told combine_name wrap_string join_name " +
    "sort_unique slice_name extend_name clamp limited rest overflow fraction text_units adapter",
};

const FAMILY_OF = new Map(
  Object.entries(FAMILIES).flatMap(([family, operators]) => operators.split(" ").map((one) => [one, family] as const)),
);

/** Whether names of operators and families include an operator. */
export const isAmong = (operator: string, names: readonly string[]): boolean =>
  names.includes(operator) || names.includes(FAMILY_OF.get(operator) ?? operator);
