import { expect, test } from "vitest";
import type { LanguageName } from "../../languages/language.ts";
import { canBeTakenApart } from "./search.ts";

test.each<[string, LanguageName, Record<"declaration" | "buggyCode" | "epilogue", string>, boolean]>([
  [
    "a function",
    "go",
    { declaration: "func half(n int) int {\n", buggyCode: "\treturn n / 3\n}\n", epilogue: "" },
    true,
  ],
  [
    "a method",
    "go",
    {
      declaration: "type T struct{ n int }\n\nfunc (t T) half() int {\n",
      buggyCode: "\treturn t.n / 3\n}\n",
      epilogue: "",
    },
    false,
  ],
  ["any function", "python", { declaration: "def half(n):\n", buggyCode: "    return n / 3\n", epilogue: "" }, true],
])("versions of %s in %s: whether one program can hold them", async (_, language, parts, expected) => {
  const task = { id: "t", language, entryPoint: "half", instruction: "", exampleTest: "", ...parts };
  expect(await canBeTakenApart(task)).toBe(expected);
});
