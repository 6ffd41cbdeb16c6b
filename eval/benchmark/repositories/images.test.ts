import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { demand } from "../../../utils/sandbox/container/engine.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { makeImage, podmanForTests } from "../../../utils/testing/container_image.ts";
import { until } from "../../../utils/testing/processes.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import {
  COMPILED_FILES,
  COMPILED_PATCH,
  hasImagePytest,
  IMAGE_FILES,
  IMAGE_REPAIR,
  type ImageSet,
  MULTI_SET,
  PRO_SET,
  writeImageRows,
} from "../../testing/image_rows.ts";
import { repositories } from "./row.ts";
import { sweBenchImage } from "./swe_bench.ts";

const engine = await podmanForTests();
test.skipIf(!engine || !hasImagePytest)(
  "a row is solved and scored in its image, and nothing is left",
  DEEP,
  async () => {
    if (!engine) throw new Error("unreachable");
    await using image = await makeImage(engine, IMAGE_FILES);
    using folder = temporaryFolder();
    const rows = writeImageRows(folder.path, image.name, 1);
    const evaluated = (...more: string[]) =>
      run("eval/pass1.ts", ["--dataset", rows, "--container-engine", "podman", ...more], folder.path);
    const gold = await evaluated("--gold", "--run", "gold");
    expect(gold.stderr + gold.stdout).toContain('"pass":true');
    expect((await evaluated("--empty")).stdout).toContain('"pass":false');
    writeFileSync(join(folder.path, "replies.json"), JSON.stringify(IMAGE_REPAIR));
    const solved = await evaluated("--model", "script:replies.json", "--few-shot-k", "0", "--run", "solved");
    expect(solved.stdout, solved.stderr).toContain('"pass":true');
    const exported = await run("mend export", ["solved", "--predictions", "--out", "preds.json"], folder.path);
    expect(exported.exitCode, exported.stderr).toBe(0);
    const scored = await run("mend score", ["preds.json", "--dataset", rows], folder.path);
    expect(scored.stdout, scored.stderr).toContain('"successes":1');
    expect(await demand(engine, ["ps", "--all", "--format", "{{.Names}}"])).not.toContain(`mend-${process.pid}`);
  },
);

const INTERRUPTED_ROWS = 10;
test.skipIf(!engine || !hasImagePytest)(
  "a run that is interrupted and resumed has the results of one that is not, and leaves no container",
  DEEP,
  async () => {
    if (!engine) throw new Error("unreachable");
    await using image = await makeImage(engine, IMAGE_FILES);
    using folder = temporaryFolder();
    const rows = writeImageRows(folder.path, image.name, INTERRUPTED_ROWS);
    writeFileSync(join(folder.path, "replies.json"), JSON.stringify(IMAGE_REPAIR));
    const options = ["--dataset", rows, "--container-engine", "podman", "--few-shot-k", "0", "--concurrency", "2"];
    const evaluated = (name: string) =>
      start("eval/pass1.ts", [...options, "--model", "script:replies.json", "--run", name], folder.path);
    const results = (name: string) => {
      const file = join(folder.path, "runs", name, "results.jsonl");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(comparable).sort() : [];
    };
    const containers = () =>
      demand(engine, ["ps", "--all", "--filter", `ancestor=${image.name}`, "--format", "{{.Names}}"]);
    for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
      const { process: mend, done } = evaluated("interrupted");
      const before = results("interrupted").length;
      await until(() => results("interrupted").length > before, "a row is scored");
      mend.kill(signal);
      const { stderr } = await done;
      if (signal !== "SIGKILL") expect(await containers(), `${signal}: ${stderr}`).toBe("");
    }
    expect(results("interrupted").length).toBeLessThan(INTERRUPTED_ROWS);
    expect((await evaluated("interrupted").done).exitCode).toBe(0);
    expect(await containers()).toBe("");
    expect((await evaluated("whole").done).exitCode).toBe(0);
    expect(results("interrupted")).toEqual(results("whole"));
  },
);

/** A result without what it took. */
const comparable = (line: string): string => JSON.stringify({ ...JSON.parse(line), usage: null });

test.skipIf(!engine || !hasImagePytest)("what an image has compiled is compiled anew with a patch", DEEP, async () => {
  if (!engine) throw new Error("unreachable");
  const compiled = Object.entries(COMPILED_FILES).map(([name, text]) => [`testbed/${name}`, text]);
  await using image = await makeImage(engine, { ...IMAGE_FILES, ...Object.fromEntries(compiled) });
  using folder = temporaryFolder();
  const rows = writeImageRows(folder.path, image.name, 1, COMPILED_PATCH);
  const options = ["--dataset", rows, "--container-engine", "podman", "--gold"];
  const { stdout, stderr } = await run("eval/pass1.ts", options, folder.path);
  expect(stdout, stderr).toContain('"pass":true');
});

test.skipIf(!engine || !hasImagePytest)("of what an image lacks no other way is advised", DEEP, async () => {
  if (!engine) throw new Error("unreachable");
  await using image = await makeImage(engine, { ...IMAGE_FILES, "testbed/conftest.py": "import yaml_of_nobody\n" });
  using folder = temporaryFolder();
  const rows = writeImageRows(folder.path, image.name, 1);
  const options = ["--dataset", rows, "--container-engine", "podman", "--prepare", "--gold"];
  const { stdout, stderr } = await run("eval/pass1.ts", options, folder.path);
  const said = "Its tests do not find 'yaml_of_nobody', which the package yaml_of_nobody has: its image lacks it.";
  expect(stdout, stderr).toContain(said);
  expect(stdout).not.toMatch(/--prepare|pip install/);
});

/** Debian's, which brings its packages compiled. */
const GO = "/usr/lib/go-1.19";
const addGo = (root: string): void => {
  execFileSync("cp", ["-rL", "--parents", `${GO}/bin`, `${GO}/pkg`, `${GO}/src`, `${GO}/VERSION`, root]);
  symlinkSync(`${GO}/bin/go`, join(root, "usr/bin/go"));
};

const SETS: readonly [set: ImageSet, isPossible: boolean, more?: (root: string) => void][] = [
  [MULTI_SET, existsSync(GO), addGo],
  [PRO_SET, hasImagePytest],
];
for (const [set, isPossible, more = () => {}] of SETS)
  test.skipIf(!engine || !isPossible)(
    `a row is scored where images of its set have the repository: ${set.name}`,
    DEEP,
    async () => {
      if (!engine) throw new Error("unreachable");
      const settings = ["ENV CGO_ENABLED=0"];
      await using _ = await makeImage(engine, set.files, { name: set.name, more, settings });
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, "rows.jsonl"), JSON.stringify(set.row));
      const options = ["--dataset", "rows.jsonl", "--container-engine", "podman"];
      const evaluated = (...more: string[]) => run("eval/pass1.ts", [...options, ...more], folder.path);
      const gold = await evaluated("--gold");
      expect(gold.stdout, gold.stderr).toContain('"pass":true');
      const empty = await evaluated("--empty");
      expect(empty.stdout, empty.stderr).toContain('"pass":false');
    },
  );

test("without an engine a sentence names the other way", async () => {
  const openEngine = () => Promise.reject(new UserError("No container engine works here: podman is not installed."));
  const openBox = () => Promise.reject(new Error("unreachable"));
  const opened = repositories.open("rows.jsonl", { openEngine, openBox, prepare: false, log: () => {} });
  await expect(opened).rejects.toThrow(/--repositories PATH.*podman is not installed/);
});

test("images of SWE-bench's tasks are named as it names them", () => {
  expect(sweBenchImage("sphinx-doc__sphinx-9698", "sphinx-doc/sphinx")).toBe(
    "swebench/sweb.eval.x86_64.sphinx-doc_1776_sphinx-9698:latest",
  );
  expect(sweBenchImage("a__b-1", "a/b")).toBeUndefined();
});
