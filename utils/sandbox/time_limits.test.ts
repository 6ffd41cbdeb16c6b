import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../languages/registry.ts";
import { secondsSoFar } from "../testing/children_seconds.ts";
import { DEEP } from "../testing/repeats.ts";
import { openSandbox } from "./sandbox.ts";
import { HOSTILE_GO } from "./testing/hostile/go.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();
const judge = (program: string, source: string, timeoutMs: number) =>
  sandbox.judge({ program, entryPoint: "f", test: source, timeoutMs });
const work = (seconds: number) =>
  `start = time.process_time()\n    while time.process_time() < start + ${seconds}: pass\n    return x`;

/** Processes that use all the processor they get, two for each core. */
function startBurners() {
  const burners = Array.from({ length: 2 * availableParallelism() }, () =>
    // Each in a session of its own: some kernels share the processor among sessions first.
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore", detached: true }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const burner of burners) burner.kill("SIGKILL");
    },
  };
}

test("a busy machine fails no correct program, however long it takes by the clock", DEEP, async () => {
  using _burners = startBurners();
  const source = `import time\ndef check(x):\n    ${work(0.3)}\nassert check(f(1)) == 1`;
  const started = performance.now();
  const verdict = await judge(`import time\ndef f(x):\n    ${work(0.5)}`, source, 1000);
  expect(verdict).toMatchObject({ outcome: "passed", explanation: "" });
  if (performance.now() - started < 1000)
    console.warn("the burners left it time: a limit by the clock would hold, too");
});

describe("what uses no processor time is ended for its waiting, and told so", () => {
  test.each([
    ["a program that sleeps", "import time\ndef f(x): time.sleep(1000)"],
    [
      "a program that waits for itself",
      "import threading\nlock = threading.Lock()\nlock.acquire()\ndef f(x): lock.acquire()",
    ],
    ["a program that looks from time to time", "import time\ndef f(x):\n    while True: time.sleep(0.1)"],
  ])("%s", DEEP, async (_, program) => {
    const verdict = await judge(program, "assert f(1) == 2", 300);
    expect(verdict).toMatchObject({ outcome: "timeout", loaded: true, calls: 1 });
    expect(verdict.explanation).toBe(
      "time limit: not finished within 0.3 s; it had waited for 0.9 s without using the processor; the last call f(1) did not return",
    );
  });

  test("tests that sleep", DEEP, async () => {
    const verdict = await judge("def f(x): return x", "import time\nf(1)\ntime.sleep(1000)", 300);
    expect(verdict).toMatchObject({ outcome: "timeout", passed: false });
  });

  test("a program that is run", async () => {
    const result = await sandbox.run({ code: "import time\nprint(1, flush=True)\ntime.sleep(1000)", timeoutMs: 300 });
    expect(result).toMatchObject({ status: "timeout", stdout: "1\n" });
    expect(result.explanation).toMatch(/waited for 0\.9 s without using the processor/);
  });

  test("a program that waits for a process of its own", async () => {
    const code = "import subprocess\nsubprocess.run(['sleep', '1000'])";
    expect(await sandbox.run({ code, timeoutMs: 300 })).toMatchObject({ status: "timeout" });
  });
});

test("a candidate that waits while its tests work is not blocked", DEEP, async () => {
  const source = `import time\ndef check(x):\n    ${work(1.1)}\nassert check(f(1)) == f(1)`;
  expect(await judge("def f(x): return x", source, 300)).toMatchObject({ outcome: "passed", calls: 2 });
});

test("processor time counts, not the clock: the explanation of a timeout names the limit", async () => {
  const { outcome, explanation } = await judge("def f(x):\n    while True: pass", "f(1)", 300);
  expect({ outcome, explanation }).toEqual({
    outcome: "timeout",
    // On a busy machine it also says how long it waited for a processor.
    explanation: expect.stringMatching(
      /^time limit: not finished within 0\.3 s;(?: it had waited for .*;)? the last call f\(1\) did not return$/,
    ),
  });
});

const missingGo = LANGUAGES.go.unavailable("");

test.skipIf(missingGo !== null)("a compiler that does not heed its limit is ended by it", DEEP, async () => {
  const endless = HOSTILE_GO.find(({ name }) => name === "Go: types that double")?.program ?? "";
  await using limited = await openSandbox({ compileSeconds: 1 });
  const judged = { language: "go" as const, entryPoint: "f", helpers: "func f(x int) string {\n", timeoutMs: 1000 };
  const source = 'func TestF(t *testing.T) {\n    if f(1) != "1" {\n        t.Fail()\n    }\n}\n';
  const before = secondsSoFar();
  const { outcome, explanation } = await limited.judge({ ...judged, program: endless, test: source });
  expect({ outcome, explanation }).toEqual({
    outcome: "failed",
    explanation: expect.stringContaining("did not finish within 1 s"),
  });
  expect(secondsSoFar() - before).toBeLessThan(6);
});
