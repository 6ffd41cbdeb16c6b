import { expect, test } from "vitest";
import { toolNamed } from "./tool_names.ts";

const TOOLS = ["run", "view", "search", "edit", "create", "diff", "undo", "run_tests"];

test.each([
  ["bash", "run"],
  ["execute_command", "run"],
  ["read_file", "view"],
  ["list_dir", "view"],
  ["grep", "search"],
  ["find", "search"],
  ["str_replace", "edit"],
  ["replace_lines", "edit"],
  ["write_file", "create"],
  ["undo_edit", "undo"],
  ["git_diff", "diff"],
  ["pytest", "run_tests"],
  ["functions.view:0", "view"],
  ["submit", "final_answer"],
  ["browser", null],
])("a tool that other agents call %s is %s", (written, tool) => {
  expect(toolNamed(written, TOOLS)).toBe(tool);
});

test("another agent's name leads to no tool that is not there", () => {
  expect(toolNamed("bash", ["view", "edit"])).toBeNull();
});
