import { expect, test } from "vitest";
import { render } from "./template.ts";

test("fills every place of a variable", () => {
  expect(render("{{a}} and {{b}} and {{a}}", { a: "1", b: "2" })).toBe("1 and 2 and 1");
});

test("a value is never expanded again", () => {
  expect(render("{{a}}{{b}}", { a: "{{b}}", b: "$& {{a}}" })).toBe("{{b}}$& {{a}}");
});

test("a missing variable throws and names itself", () => {
  expect(() => render("{{a}} {{b}}", { a: "1" }, "task.md")).toThrow("task.md: no value for {{b}}");
});

test("an unused variable throws and names itself", () => {
  expect(() => render("{{a}}", { a: "1", c: "2" }, "task.md")).toThrow("task.md: the template does not use c");
});

test("names every object has are not variables", () => {
  expect(() => render("{{constructor}}", {})).toThrow("no value");
});

test("text that only looks like a placeholder stays", () => {
  expect(render("{{ }} {{1}} {x} {{A}}", {})).toBe("{{ }} {{1}} {x} {{A}}");
});
