/** Families of operators: a caller asks for edits of a family, or switches it off. */

const FAMILIES: Readonly<Record<string, string>> = {
  arguments: "add_argument",
  arithmetic: "arithmetic augmented rounded round_up",
  boolean: "boolean",
  build: "build_number build_pair build_item build_part build_string build_bool plain_value asked",
  calls: "await await_all",
  comparison: "compare ordered close equals case",
  conditions: "negate add_clause bounds truthy",
  constants: "true_false step number string usual_string pattern times escape",
  copy: "copy_expression copy_statement branch_statement sibling_statement neighbour",
  delete: "delete_statement",
  displays: "display",
  everyday:
    "keyed extreme digit room copied keep_result new_value emptied skipped " +
    "stateless bound by_reference fresh_copy give_error split question fallback",
  defaults: "own_default",
  drop: "drop_operand drop_clause drop_argument",
  functions: "function attribute",
  guard: "condition_of_statement else handled",
  insert: "leave late_leave leftover reset like_statement place result",
  jumps: "jump block_end",
  move: "move_statement move_far",
  names: "variable unread size_to_name",
  ranges: "range_bounds slice_bounds index backwards",
  regroup: "regroup",
  returns: "give_back exchange_returns",
  swap:
    "swap_operands swap_arguments swap_branches branches exchange_names exchange_two exchange_values everywhere " +
    "chain_order",
  unwrap: "unwrap optional",
  wrap:
    "wrap_both wrap_each plus_minus_one wrap_number scale combine_told combine_name " +
    "wrap_string join_name join_two combine_length string_method slice_fixed " +
    "sort_unique slice_name extend_name clamp limited rest overflow fraction text_units adapter",
};

export const FAMILY_NAMES = Object.keys(FAMILIES);

const FAMILY_OF = new Map(
  Object.entries(FAMILIES).flatMap(([family, operators]) => operators.split(" ").map((one) => [one, family] as const)),
);

/** Rows that were learned have names that begin so, and are a family. */
const LEARNED = "learned";

const familyOf = (operator: string): string =>
  operator.startsWith(`${LEARNED}_`) ? LEARNED : (FAMILY_OF.get(operator) ?? operator);

/** Whether names of operators and families include an operator. */
export const isAmong = (operator: string, names: readonly string[]): boolean =>
  names.includes(operator) || names.includes(familyOf(operator));
