/** For tests: one edit of each operator, by the program before and after it. */

import { readFileSync } from "node:fs";
import { z } from "zod";

export interface Example {
  operator: string;
  program: string;
  repaired: string;
  tests: string;
}

/** A row of `examples.json`: operator, the body of `f(a, b)`, the body with the edit made, and what is called. */
const Row = z.tuple([z.string(), z.string(), z.string(), z.string()]);
const rows = z.array(Row).parse(JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8")));

const program = (body: string) => `function f(a, b) {\n  ${body}\n}\n`;

export const EXAMPLES: readonly Example[] = rows.map(([operator, body, repaired, call]) => ({
  operator,
  program: program(body),
  repaired: program(repaired),
  tests: `console.assert(${call} === "x!");\n`,
}));
