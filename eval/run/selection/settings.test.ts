import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type FakeRequest, startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import { Arguments } from "../../../utils/program/cli.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { right, taskOf, wrong } from "../../testing/fake_repairer.ts";
import { compareRuns } from "../compare/comparison.ts";
import { loadRun } from "../load_run.ts";
import { readSampling, warnOfSameness } from "./settings.ts";

const PASS1 = "eval/pass1.ts";
const Seeded = z.looseObject({ seed: z.number() });
const seedOf = ({ body }: FakeRequest) => Seeded.parse(body).seed;
const ARGS = ["--model", "openai:scripted", "--dataset", "builtin", "--indices", "3,4,5", "--few-shot-k", "0"];
const SAMPLED = [...ARGS, "--samples", "4", "--k", "1,2", "--max-iterations", "1", "--seed", "7"];
const environment = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "k" });

/** pass@k by its definition: the share of the subsets of k samples that hold a pass. */
function bruteForce(passed: readonly boolean[], k: number): number {
  const subsets = (from: number, size: number): boolean[][] =>
    size === 0
      ? [[]]
      : passed.slice(from).flatMap((first, i) => subsets(from + i + 1, size - 1).map((rest) => [first, ...rest]));
  const all = subsets(0, k);
  return all.filter((subset) => subset.includes(true)).length / all.length;
}

test("each sample has the seed of its task and attempt, and pass@k is that of its definition", DEEP, async () => {
  using folder = temporaryFolder();
  await using server = await startFakeOpenAI({
    reply: (request) => (seedOf(request) % 2 ? right(taskOf(request)) : wrong(taskOf(request))),
  });
  const { exitCode, lines, stderr } = await run(
    PASS1,
    [...SAMPLED, "--run", "r"],
    folder.path,
    environment(server.url),
  );
  expect(stderr).toContain("3 tasks, 4 attempts each");
  expect(exitCode).toBe(0);

  const ids = [3, 4, 5].map((index) => `Builtin/${index}`);
  const seeds = (id: string) => [0, 1, 2, 3].map((attempt) => deriveSeed(7, id, attempt));
  expect(server.requests.map(seedOf).sort()).toEqual(ids.flatMap(seeds).sort());
  const passed = ids.map((id) => seeds(id).map((seed) => seed % 2 === 1));
  const mean = (k: number) => passed.reduce((sum, row) => sum + bruteForce(row, k), 0) / 3;
  const at = (k: number) => expect.objectContaining({ k, tasks: 3, value: expect.closeTo(mean(k), 12) });
  expect(lines.at(-1)).toMatchObject({ num: 3, samples: 12, complete: true, pass_at_k: [at(1), at(2)] });
  for (const [i, id] of ids.entries()) {
    const c = passed[i]?.filter(Boolean).length;
    expect(lines).toContainEqual({ index: i + 3, task_id: id, n: 4, c, errors: 0 });
  }

  const whole = loadRun(join(folder.path, "runs/r"));
  expect(whole.results.map(({ seed }) => seed)).toEqual(ids.flatMap(seeds));
  expect(compareRuns(whole, whole).difference).toMatchObject({ value: 0, test: "exact sign-flip over tasks" });
});

test(
  "a sample that ended with an error is no fail: its task counts with the others, and the run is incomplete",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const broken = deriveSeed(7, "Builtin/4", 2);
    let mended = false;
    await using server = await startFakeOpenAI({
      reply: (request) =>
        seedOf(request) === broken && !mended ? { status: 400, body: "no such luck" } : right(taskOf(request)),
    });
    const args = [...SAMPLED, "--k", "1,4", "--run", "r"];
    const first = await run(PASS1, args, folder.path, environment(server.url));
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain("INCOMPLETE (1 of 12 samples ended with an error: if it fails, pass@1 is 92%)");
    expect(first.stderr).toContain("pass@4 100% (95% interval 34–100) (of the 2 tasks with 4 scored samples)");
    expect(first.lines).toContainEqual({ index: 4, task_id: "Builtin/4", n: 3, c: 3, errors: 1 });

    mended = true;
    const asked = server.requests.length;
    const again = await run(PASS1, [...args, "--retry-errors"], folder.path, environment(server.url));
    expect(again.lines.at(-1)).toMatchObject({ samples: 12, successes: 12, complete: true });
    expect(server.requests.slice(asked).map(seedOf)).toEqual([broken]);
  },
);

const args = (values: Record<string, string>) => new Arguments<"samples" | "k" | "seed">(values, []);

test("a k above the number of samples is refused; without a seed of the user's several samples get one", () => {
  expect(() => readSampling(args({ samples: "2", k: "1,5" }))).toThrow("pass@5 needs 5 samples of each task");
  expect(() => readSampling(args({ samples: "0" }))).toThrow("--samples takes a whole number from 1");
  expect(readSampling(args({}))).toEqual({ samples: 1, ks: [1], seed: null });
  expect(readSampling(args({ samples: "12" }))).toEqual({ samples: 12, ks: [1, 5, 10], seed: 0 });
  expect(readSampling(args({ samples: "3", k: "3,1,3", seed: "9" }))).toEqual({
    samples: 3,
    ks: [1, 3],
    seed: 9,
  });
});

test("a model that says the same each time is named, as several samples of it tell little", () => {
  const model = (temperature: number) => ({ name: "m", deterministic: false, parameters: { temperature } });
  expect(warnOfSameness(model(0), 5)).toContain("m gives nearly the same reply each time at temperature 0");
  expect(warnOfSameness(model(0.8), 5)).toBeNull();
  expect(warnOfSameness(model(0), 1)).toBeNull();
  expect(warnOfSameness({ name: "search", deterministic: true, parameters: {} }, 5)).toContain(
    "search always gives the same reply",
  );
});
