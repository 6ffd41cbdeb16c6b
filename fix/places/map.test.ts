import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { functionsOf } from "../project/functions.ts";
import { kindsOf } from "../project/patch.ts";
import { allFunctions, repositoryMap } from "./map.ts";

const FILES: Record<string, string> = {
  "bank/fees.py":
    "import math\n\n\n@cached\ndef fee(value, rate=2):\n    return value * rate\n\n\ndef none():\n    pass\n",
  "web/pay.js": "export class Till {\n  pay(\n    sum,\n    tip,\n  ) {\n    return sum;\n  }\n}\n",
};

test("files come with the signatures of their functions and the classes around them, the likeliest first, as far as the budget goes", () => {
  using folder = makeTemporaryFolder("map");
  const ranked = Object.entries(FILES).flatMap(([file, text]) => {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), text);
    return functionsOf(file, text).map((place) => ({ ...place, file, score: 1, reasons: [] }));
  });
  const till = "web/pay.js\n  1 export class Till\n    2 pay(sum, tip)\n";
  const all = `${till}bank/fees.py\n  5 def fee(value, rate=2)\n  9 def none()`;
  expect(repositoryMap(folder.path, [...ranked].reverse(), 500)).toBe(all);
  expect(repositoryMap(folder.path, [...ranked].reverse(), 90)).toBe(`${till}bank/fees.py\n  9 def none()`);
  expect(allFunctions(folder.path, kindsOf(folder.path)).map(({ name }) => name)).toEqual(["fee", "none", "pay"]);
});

test("a long signature ends behind a parameter", () => {
  using folder = makeTemporaryFolder("map");
  const long = `def send(${Array.from({ length: 12 }, (_, i) => `parameter_${i}: str`).join(", ")}):\n    pass\n`;
  writeFileSync(join(folder.path, "mail.py"), long);
  const [send] = functionsOf("mail.py", long);
  expect(repositoryMap(folder.path, send ? [{ ...send, file: "mail.py" }] : [], 500)).toMatch(/parameter_\d: str, …$/);
});
