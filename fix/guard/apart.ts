/** Tests of pytest run in one process, the code in another: what the tests say there is no work of the code's. */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../utils/base/data/record.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { pytest } from "../../utils/frameworks/python/frameworks.ts";
import { isPython } from "../project/functions.ts";
import type { Kinds } from "../project/kinds.ts";
import { filesIn } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";

const PROGRAM = fileURLToPath(new URL("../../utils/frameworks/python/apart.py", import.meta.url));
const SECONDS = 120;

/** `mixed`: more than plain values would have had to cross, so that nothing is told. */
const Line = z.object({ name: z.string(), status: z.enum(["passed", "failed", "mixed"]) });
export type Apart = Map<string, z.infer<typeof Line>["status"]>;

/** Empty where the tests are none of pytest's, or did not come to their end. */
export async function runApart(
  suite: Suite,
  tree: string,
  kinds: Kinds,
  tests: readonly TestResult[],
  signal?: AbortSignal,
): Promise<Apart> {
  if (suite.plan.framework?.name !== pytest.name) return new Map();
  const { project } = suite;
  const key = randomBytes(32).toString("hex");
  const own = filesIn(tree).filter((file) => isPython(file) && kinds.isTest(file));
  const names = tests.map(({ name }) => name);
  const ran = await suite.runCommand({
    tree,
    command: async () => {
      const { argv, env, readable } = await pytest.command({ project, args: [], results: "" });
      const python = argv[0] ?? "python3";
      return { argv: [python, "-B", PROGRAM, project.root, ...names], env, readable: [dirname(PROGRAM), ...readable] };
    },
    stdin: `${key}\n${JSON.stringify(own)}\n`,
    seconds: SECONDS,
    ...(signal ? { signal } : {}),
  });
  return new Map(signedLines(ran.stdout, key).map(({ name, status }) => [name, status]));
}

function signedLines(text: string, key: string): z.infer<typeof Line>[] {
  return text.split("\n").flatMap((row) => {
    const [, sign = "", line = ""] = /^([0-9a-f]{64}) (.*)$/.exec(row) ?? [];
    const wanted = createHmac("sha256", key).update(line).digest();
    if (sign === "" || !timingSafeEqual(Buffer.from(sign, "hex"), wanted)) return [];
    return readJson(line, Line) ?? [];
  });
}
