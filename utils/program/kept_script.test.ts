/** What processes keep of a compiled script, and that it never decides what runs. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { makeTemporaryFolder } from "../base/files/temporary.ts";

const folder = makeTemporaryFolder("kept-script").path;
const script = join(folder, "program.cjs");
const cache = join(folder, "cache");
const own = `some-${process.version}-${process.arch}-`;
/** Of the script as it is now. */
const keptAt = () => join(cache, own + createHash("sha256").update(readFileSync(script)).digest("hex").slice(0, 16));

/** Of many functions, so that code is what the process holds most of. */
const textOf = (says: string): string => `#!/usr/bin/env node
const { basename } = require("node:path");
const all = [${Array.from({ length: 4000 }, (_, i) => `(x) => (x > ${i} ? x - ${i} : ${i})`).join(",\n")}];
const sum = process.argv[2] === "all" ? all.reduce((sum, one) => sum + one(0), 0) : 0;
console.log("${says} " + basename(__filename) + " " + sum);
if (process.argv[2] === "wrong") process.exitCode = 2;
`;

beforeAll(async () => {
  await build({
    ...{ entryPoints: [new URL("kept_script.ts", import.meta.url).pathname], outfile: join(folder, "kept_script.mjs") },
    ...{ bundle: true, format: "esm", platform: "node", logLevel: "error" },
  });
  writeFileSync(
    join(folder, "start.mjs"),
    `import { runKept } from "./kept_script.mjs";\n` +
      `runKept(new URL(${JSON.stringify(pathToFileURL(script).href)}), "some", ${JSON.stringify(cache)});\n`,
  );
});

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "start.mjs"), ...words], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const said = (text: string, sum = 0) => ({ status: 0, stdout: `${text} program.cjs ${sum}\n`, stderr: "" });
const ALL = (3999 * 4000) / 2;

test("keeps what was compiled, and anew where a process needed clearly more of it", () => {
  writeFileSync(script, textOf("one"));
  expect(run()).toEqual(said("one"));
  const first = readFileSync(keptAt());
  expect(run()).toEqual(said("one"));
  expect(readFileSync(keptAt()).equals(first)).toBe(true);
  expect(run("all")).toEqual(said("one", ALL));
  const all = readFileSync(keptAt());
  expect(all.length).toBeGreaterThan(2 * first.length);
  expect(run("all")).toEqual(said("one", ALL));
  expect(run()).toEqual(said("one"));
  expect(readFileSync(keptAt()).equals(all)).toBe(true);
});

test("runs the script as it is, also beside what is kept of one as long, or is damaged", () => {
  writeFileSync(script, textOf("one"));
  run();
  writeFileSync(script, textOf("two"));
  expect(run()).toEqual(said("two"));
  const kept = readFileSync(keptAt());
  for (const damaged of [kept.subarray(0, 30), kept.subarray(0, -100), Buffer.concat([kept, kept]), flipped(kept)]) {
    writeFileSync(keptAt(), damaged);
    expect(run()).toEqual(said("two"));
    expect(readFileSync(keptAt()).equals(damaged)).toBe(false);
  }
});

test("keeps nothing of a process that was asked for something wrong, and does without where it cannot", () => {
  writeFileSync(script, textOf("three"));
  const before = existsSync(keptAt()) ? statSync(keptAt()).mtimeMs : undefined;
  expect(run("wrong")).toEqual({ ...said("three"), status: 2 });
  expect(existsSync(keptAt()) ? statSync(keptAt()).mtimeMs : undefined).toBe(before);
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o500);
  expect(run()).toEqual(said("three"));
  chmodSync(cache, 0o700);
});

test("two installs keep one each, and three of a name are kept in all", () => {
  const modified = ["one", "two", "one", "two"].map((says) => {
    writeFileSync(script, textOf(says));
    expect(run()).toEqual(said(says));
    return statSync(keptAt()).mtimeMs;
  });
  expect(modified.slice(2)).toEqual(modified.slice(0, 2));
  const others = ["some-v1.2.3-x64", `some-v1.2.4-x64`];
  const mine = [join(cache, "someone-v1.2.3-x64"), join(cache, "v22.1.0-x64-some")];
  for (const [at, path] of [...others.map((name) => join(cache, name)), ...mine].entries()) {
    writeFileSync(path, "");
    utimesSync(path, at + 1, at + 1);
  }
  writeFileSync(script, textOf("five"));
  run();
  const kept = readdirSync(cache).filter((name) => name.startsWith("some-"));
  expect(kept).toHaveLength(3);
  expect(kept.filter((name) => others.includes(name))).toEqual([]);
  expect(mine.every((path) => existsSync(path))).toBe(true);
});

function flipped(kept: Buffer): Buffer {
  const copy = Buffer.from(kept);
  copy.writeUInt8(copy.readUInt8(kept.length - 50) ^ 1, kept.length - 50);
  return copy;
}
