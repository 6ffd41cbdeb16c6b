import { expect, test } from "vitest";
import { parseSpec } from "../../../agent/models/table.ts";
import { requireLanguages } from "./selection.ts";

test("a model for tasks in a language that it cannot is refused before anything runs", () => {
  const kind = { ...parseSpec("search").kind, title: "The parrot", languages: ["javascript"] as const };
  const asked = () => requireLanguages([{ task: { id: "t", language: "python" } }], { model: { kind }, tools: [] });
  expect(asked).toThrow("The parrot repairs only JavaScript, and t is in Python: choose another --model.");
});
