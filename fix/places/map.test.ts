import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { functionsOf } from "../project/functions.ts";
import { repositoryMap } from "./map.ts";

const FILES: Record<string, string> = {
  "bank/fees.py":
    "import math\n\n\n@cached\ndef fee(value, rate=2):\n    return value * rate\n\n\ndef none():\n    pass\n",
  "web/pay.js": "class Till {\n  pay(sum) {\n    return sum;\n  }\n}\n",
};

test("files come with the signatures of their functions, the likeliest first, as far as the budget goes", () => {
  using folder = makeTemporaryFolder("map");
  const ranked = Object.entries(FILES).flatMap(([file, text]) => {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), text);
    return functionsOf(file, text).map((place) => ({ ...place, file, score: 1, reasons: [] }));
  });
  const all = "web/pay.js\n  2 pay(sum)\nbank/fees.py\n  5 def fee(value, rate=2)\n  9 def none()";
  expect(repositoryMap(folder.path, [...ranked].reverse(), 500)).toBe(all);
  expect(repositoryMap(folder.path, [...ranked].reverse(), 60)).toBe(
    "web/pay.js\n  2 pay(sum)\nbank/fees.py\n  9 def none()",
  );
});
