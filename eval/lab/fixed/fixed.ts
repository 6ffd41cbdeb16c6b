/**
 * `npx tsx eval/lab/fixed/fixed.ts ROWS REPOSITORIES --out FILE`: of what `mend fix --model search` calls fixed, how
 * much is right, on bugs planted in real repositories.
 */

import "../../../utils/program/own_tsconfig.ts";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { createModel } from "../../../agent/models/create.ts";
import { fixRepository } from "../../../fix/fix.ts";
import { normalised, renderPatch } from "../../../fix/project/patch.ts";
import { readFindings, Searched, withEdit } from "../../../fix/search/findings.ts";
import { SEARCHERS } from "../../../fix/search/searchers.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import { wilson } from "../../../utils/base/statistics/stats.ts";
import { type Arguments, EXIT, runCommand } from "../../../utils/program/cli.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { applyPatch, openRepositories } from "../../benchmark/repositories/checkout.ts";
import { addEnvironment, ENVIRONMENTS_FOLDER } from "../../benchmark/repositories/environment/environment.ts";
import { type RepositoryTask, readRepositoryRows } from "../../benchmark/repositories/rows.ts";
import { commandOf, TEST_SECONDS } from "../../benchmark/repositories/tests.ts";
import { type PlantedBug, plantBugs } from "./plant.ts";

const PARTS = ["rules", "measured"] as const;
const TESTS = ["files", "folder", "all"] as const;

const command = {
  usage: "ROWS REPOSITORIES --out FILE [options]",
  summary: "Plants bugs in repositories, repairs them with search, and counts how often what is called fixed is right.",
  options: {
    out: { value: "FILE", help: "gets a JSON line a bug; those that are there are not done again" },
    bugs: { value: "N", help: "bugs a repository (default 4)" },
    seed: { value: "N", help: "of the bugs (default 1)" },
    part: {
      value: "PART",
      help: "repositories for making rules (rules), or for measuring them (measured); default both",
    },
    seconds: { value: "S", help: "processor time for one function (default: as mend fix has it)" },
    tests: {
      value: "TESTS",
      help: "test files of the repository's youngest task (files, the default), their folder (folder), or all (all)",
    },
    only: { value: "NAMES", help: "of repositories, separated by commas (default: all)" },
    suite: { value: "S", help: "leaves out repositories whose tests take more processor time (default 15)" },
    python: { value: "PATH", help: "interpreter of the tests" },
  },
  positionals: [2, 2] satisfies [number, number],
};

const Row = z.object({
  repo: z.string(),
  part: z.enum(PARTS),
  number: z.number(),
  kind: z.string(),
  failing: z.number(),
  bug: z.string(),
  outcome: z.enum(["fixed", "suggestion", "none"]),
  /** The program is the original again, but for blanks and comments. */
  isOriginal: z.boolean(),
  repair: z.string(),
  doubts: z.array(z.string()),
  /** The edits that pass: the lines that they put in the place of others. */
  passing: z.array(z.string()),
  /** What these cost, by the engine. */
  costs: z.array(z.number()).default([]),
  /** Whether one of the edits that pass is the original again. */
  hasOriginal: z.boolean(),
  functions: z.array(Searched),
});
type Row = z.infer<typeof Row>;

async function main(args: Arguments<keyof typeof command.options>) {
  const [rows = "", place = ""] = args.positionals;
  const out = args.text("out");
  if (out === undefined) throw new UserError("--out FILE is needed.");
  const count = args.count("bugs", 1) ?? 4;
  const seed = args.count("seed") ?? 1;
  const part = args.choice("part", PARTS);
  const python = args.text("python");
  const seconds = args.number("seconds", { min: 0.1 });
  const tests = args.choice("tests", TESTS) ?? "files";
  const suiteSeconds = args.number("suite", { min: 0.1 }) ?? 15;
  if (seconds !== undefined) for (const searcher of Object.values(SEARCHERS)) searcher.functionSeconds = seconds;
  using repositories = openRepositories(place);
  using trees = makeTemporaryFolder("trees");
  const box = await openCommandBox();
  await using sandbox = await openSandbox({ concurrency: 1 });
  const done = () =>
    existsSync(out)
      ? readFileSync(out, "utf8")
          .split("\n")
          .flatMap((line) => readJson(line, Row) ?? [])
      : [];
  const only = args.text("only")?.split(",");
  const places = oneOfEach((await readRepositoryRows(rows)).made)
    .map((task, i) => ({ task, part: PARTS[i % 2] ?? "rules", tree: join(trees.path, String(i)) }))
    .filter((one) => part === undefined || one.part === part)
    .filter(({ task }) => only === undefined || only.includes(task.repo));
  const planted = new Map<string, { test: string; bugs: PlantedBug[] }>();
  const model = await createModel("search", { temperature: 0, timeoutMs: 1, maxRetries: 0, log: () => {} });
  for (let number = 0; number < count; number++)
    for (const { task, part: its, tree } of places) {
      if (done().some((row) => row.repo === task.repo && row.number === number)) continue;
      const { test, bugs } = planted.get(task.repo) ?? (await plantIn(task, tree));
      planted.set(task.repo, { test, bugs });
      const bug = bugs[number];
      if (!bug) continue;
      const row = { repo: task.repo, part: its, number, ...(await repair(bug, tree, test)) };
      appendFileSync(out, `${JSON.stringify(row)}\n`);
      console.error(`${row.repo} ${number} ${row.kind}: ${row.outcome}${row.isOriginal ? ", the original" : ""}`);
    }
  console.log(summary(done()));
  return EXIT.ok;

  async function plantIn(task: RepositoryTask, tree: string) {
    repositories.checkOut(task, tree);
    const problem =
      applyPatch(tree, task.testPatch) ??
      applyPatch(tree, task.patch) ??
      (await addEnvironment(task, tree, { folder: ENVIRONMENTS_FOLDER, prepare: null }));
    if (problem !== null) throw new UserError(`${task.id}: ${problem}`);
    const test = commandOf(task, tree, tests);
    const drawn = { count, seed: deriveSeed(seed, task.repo), suiteSeconds };
    const bugs = await plantBugs(settings(tree, test), drawn).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      console.error(`${task.repo} is left out: ${error.message}`);
      return [];
    });
    return { test, bugs };
  }

  function settings(path: string, test: string) {
    return { box, path, test, issue: "", python, environment: {}, testSeconds: TEST_SECONDS };
  }

  /** As `mend fix PATH --test TEST --model search` does. */
  async function repair({ kind, failing, change }: PlantedBug, tree: string, test: string) {
    const path = join(tree, change.file);
    const { before, after, file } = change;
    writeFileSync(path, after);
    try {
      const seen: unknown[] = [];
      const outcome = await fixRepository(
        { ...settings(tree, test), samples: 1, write: false, maxIterations: 30, timeoutMs: 1_800_000 },
        {
          openModel: async () => model,
          openSandbox: async () => sandbox,
          openBox: async () => box,
          onStep: ({ observation }) => seen.push(observation.data),
        },
      );
      const found = seen.map(readFindings).find((one) => one !== null);
      const isOriginal = (text: string) => {
        const key = (now: string) => normalised([{ file, before: after, after: now }]);
        return key(text) === key(before);
      };
      const edits = found?.edits ?? [];
      return {
        kind,
        failing,
        bug: renderPatch([change]),
        outcome: outcome.outcome === "fixed" || outcome.outcome === "suggestion" ? outcome.outcome : "none",
        isOriginal: isOriginal(patchedText(file, after, outcome.diff)),
        repair: outcome.diff,
        doubts: outcome.doubts,
        passing: edits.map((edit) => `${edit.file} ${edit.from}: ${edit.text}`),
        costs: edits.map(({ cost }) => Number(cost.toFixed(2))),
        hasOriginal: edits.some((edit) => edit.file === file && isOriginal(withEdit(after, edit))),
        functions: found?.functions ?? [],
      };
    } finally {
      writeFileSync(path, before);
    }
  }
}

/**
 * The youngest task of each repository whose tests can be searched, so that neighbours in the list are of one language.
 */
function oneOfEach(tasks: readonly RepositoryTask[]): RepositoryTask[] {
  const searchable = tasks.filter(({ build, framework }) => build === "" && framework in SEARCHERS);
  const youngest = new Map(
    searchable.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map((one) => [one.repo, one]),
  );
  const key = ({ language, repo }: RepositoryTask) => `${language} ${repo}`;
  return [...youngest.values()].toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** The text of a file with a patch of this file alone; as it is where the patch does more. */
function patchedText(file: string, text: string, patch: string): string {
  using folder = makeTemporaryFolder("patch");
  const path = join(folder.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return patch !== "" && applyPatch(folder.path, patch) === null ? readFileSync(path, "utf8") : text;
}

function summary(rows: readonly Row[]): string {
  const line = (name: string, some: readonly Row[]) => {
    const fixed = some.filter(({ outcome }) => outcome === "fixed");
    const same = fixed.filter(({ isOriginal }) => isOriginal).length;
    const [low, high] = fixed.length === 0 ? [0, 1] : wilson(same, fixed.length);
    const of = (outcome: Row["outcome"]) => some.filter((row) => row.outcome === outcome);
    const right = of("suggestion").filter(({ isOriginal }) => isOriginal).length;
    return (
      `${name}: ${some.length} bugs in ${new Set(some.map(({ repo }) => repo)).size} repositories · fixed ` +
      `${fixed.length}, of them the ` +
      `original again ${same} [${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}%] · suggestion ` +
      `${of("suggestion").length}, of them ` +
      `the original ${right} · none ${of("none").length}`
    );
  };
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const others = rows.filter(({ outcome, isOriginal }) => outcome === "fixed" && !isOriginal);
  return [
    line("all", rows),
    ...PARTS.map((part) =>
      line(
        part,
        rows.filter((row) => row.part === part),
      ),
    ),
    ...kinds.map((kind) =>
      line(
        kind,
        rows.filter((row) => row.kind === kind),
      ),
    ),
    ...others.map(({ repo, bug, repair }) => `\nto be read, ${repo}: planted\n${bug}repaired\n${repair}`),
  ].join("\n");
}

await runCommand(command, main);
