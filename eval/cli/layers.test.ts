/** The default model and the demo under every layer that this machine has: what a user without bubblewrap gets. */
// @module-tag deep

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { probeLayers } from "../../utils/sandbox/sandbox.ts";
import type { Layer } from "../../utils/sandbox/types.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { repeats } from "../../utils/testing/repeats.ts";

// Not task 10: its buggy program never ends, which costs 10 s of processor time under each layer.
const INDICES = [...Array(repeats(21, 3)).keys()].filter((index) => index !== 10);
const CHEAP = ["--model", "search", "--dataset", "builtin", "--search-steps", "400"];
const Trajectory = z.object({ taskId: z.string(), answer: z.string().nullable(), verified: z.boolean() });

interface Report {
  exitCodes: (number | null)[];
  demo: unknown;
  summary: unknown;
  answers: z.infer<typeof Trajectory>[];
}

async function tryLayer(layer: Layer): Promise<Report> {
  using folder = temporaryFolder();
  const demo = await run("examples/demo_minimal.ts", [...CHEAP, "--index", "0", "--sandbox", layer], folder.path);
  const indices = ["--indices", INDICES.join(","), "--few-shot-k", "0", "--max-iterations", "2"];
  const pass1 = await run("eval/pass1.ts", [...CHEAP, ...indices, "--sandbox", layer, "--run", "r"], folder.path);
  const trajectories = join(folder.path, "runs/r/trajectories");
  const answers = readdirSync(trajectories)
    .sort()
    .map((name) => Trajectory.parse(JSON.parse(readFileSync(join(trajectories, name), "utf8"))));
  return {
    exitCodes: [demo.exitCode, pass1.exitCode],
    demo: demo.lines.at(-1),
    summary: pass1.lines.at(-1),
    answers,
  };
}

const working = (await probeLayers()).filter(({ works }) => works).map(({ layer }) => layer);

describe(`the demo and ${INDICES.length} tasks of pass1 with the search engine, under ${working.join(", ")}`, () => {
  const reports = new Map<Layer, Report>();
  beforeAll(async () => {
    // In turn: at once they would only wait for each other.
    for (const layer of working) reports.set(layer, await tryLayer(layer));
  });

  test.each(working)("%s: no errors", (layer) => {
    const report = reports.get(layer);
    expect(report?.exitCodes).toEqual([0, 0]);
    expect(report?.demo).toMatchObject({ index: 0, pass: true, verified: true });
    expect(report?.summary).toMatchObject({ num: INDICES.length, errors: 0, complete: true });
  });

  test("the answers are the same under each", () => {
    const [first, ...others] = working.map((layer) => reports.get(layer)?.answers);
    expect(first).toHaveLength(INDICES.length);
    expect(first?.filter(({ verified }) => verified).length).toBeGreaterThan(INDICES.length / 2);
    for (const other of others) expect(other).toEqual(first);
  });
});
