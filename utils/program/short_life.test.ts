/** That V8 prepares for nothing in a process of a short life, and that what such a process compiled is still kept. */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { makeTemporaryFolder } from "../base/files/temporary.ts";

const folder = makeTemporaryFolder("short-life").path;
const cache = join(folder, "cache");
const keptAt = () => join(cache, readdirSync(cache)[0] ?? "");

/** A function that V8 would optimise, and others, so that their code is worth keeping. */
const PROGRAM = `import { expectShortLife } from "./short_life.ts";
const others = [${Array.from({ length: 1000 }, (_, i) => `(x: number) => (x > ${i} ? x - ${i} : ${i})`).join(",\n")}];
if (process.argv[2] === "short") expectShortLife(500);
function hot(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += i % 7;
  return sum;
}
const runHot = () => {
  for (let i = 0; i < 500; i += 1) hot(2000);
};
runHot();
console.log("done", others.reduce((sum, one) => sum + one(0), 0));
const used = () => process.cpuUsage().user / 1e6;
if (process.argv[3] === "waits") setTimeout(runHot, 700);
if (process.argv[3] === "stays") {
  while (used() < 0.6) Math.hypot(used());
  // Behind the timer that is due by now.
  setTimeout(runHot, 1);
}
`;

beforeAll(async () => {
  const common = { bundle: true, platform: "node", logLevel: "error" } as const;
  const resolveDir = new URL(".", import.meta.url).pathname;
  await Promise.all([
    build({ ...common, stdin: { contents: PROGRAM, resolveDir, loader: "ts" }, outfile: join(folder, "program.cjs") }),
    build({
      ...{ ...common, format: "esm", outfile: join(folder, "kept_script.mjs") },
      entryPoints: [join(resolveDir, "kept_script.ts")],
    }),
  ]);
  writeFileSync(
    join(folder, "start.mjs"),
    `import { runKept } from "./kept_script.mjs";\n` +
      `runKept(new URL(${JSON.stringify(pathToFileURL(join(folder, "program.cjs")).href)}), "some", ` +
      `${JSON.stringify(cache)});\n`,
  );
});

const run = (options: readonly string[], ...words: readonly string[]) =>
  spawnSync(process.execPath, [...options, join(folder, "start.mjs"), ...words], { encoding: "utf8" });

test("nothing is optimised in a process that does little, and all as ever in one that goes on", () => {
  const optimised = (...words: string[]) =>
    /completed optimizing .*\bhot\b/.test(run(["--trace-opt"], ...words).stdout);
  expect([optimised("long"), optimised("short"), optimised("short", "stays")]).toEqual([true, false, true]);
  expect(optimised("short", "waits")).toBe(false);
});

test("what it compiled is kept under V8's usual flags, so that the next process takes it", () => {
  const first = run([], "short");
  expect([first.status, first.stderr, first.stdout]).toEqual([0, "", expect.stringMatching(/^done \d+\n$/)]);
  const [kept, { mtimeMs }] = [readFileSync(keptAt()), statSync(keptAt())];
  // Code that is refused is compiled and kept anew.
  expect(run([], "short").stdout).toBe(first.stdout);
  expect(readFileSync(keptAt()).equals(kept)).toBe(true);
  expect(statSync(keptAt()).mtimeMs).toBe(mtimeMs);
});
