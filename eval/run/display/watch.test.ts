/** What a person sees while a model replies: a scripted server waits for the sign, then writes. */

import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { createModel } from "../../../agent/models/table.ts";
import { type FakeReply, startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { repair } from "../../../agent/repair.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { ADD_TASK, answerToAdd } from "../../../utils/testing/add_task.ts";
import { watchTurns } from "./watch.ts";

const sandbox = await openForTests();
const ANSWER = answerToAdd("a + b", "plus \u001b[31mnow.");

/** A terminal as it looks after each write, of the sequences that are used here. */
class Screen extends EventEmitter {
  readonly columns = 40;
  readonly looks: string[] = [];
  readonly isTTY: boolean;
  raw = "";
  #rows = [""];
  #row = 0;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  write(text: string): boolean {
    this.raw += text;
    for (const [, up, erase, return_, line, plain = ""] of text.matchAll(
      /(?:\p{Cc}\[(\d+)A)|(\p{Cc}\[J)|(\r)|(\n)|([^\p{Cc}]+|\p{Cc})/gu,
    )) {
      if (up) this.#row -= Number(up);
      else if (erase) this.#rows = [...this.#rows.slice(0, this.#row), ""];
      else if (line) this.#rows[++this.#row] = "";
      else if (!return_) this.#rows[this.#row] += plain;
    }
    this.looks.push(this.#rows.join("\n"));
    this.emit("write");
    return true;
  }

  shows(text: string): Promise<void> {
    return new Promise((done) => {
      const look = () => this.looks.some((screen) => screen.includes(text)) && done();
      look();
      this.on("write", look);
    });
  }
}

async function repairOn(screen: Screen, reply: (turn: number) => FakeReply | Promise<FakeReply>) {
  await using server = await startFakeOpenAI({ reply: (_, turn) => reply(turn) });
  const env = { OPENAI_BASE_URL: server.url };
  const model = await createModel("openai:any", {
    temperature: 0,
    timeoutMs: 60_000,
    maxRetries: 1,
    log: () => {},
    env,
  });
  // A terminal is a stream with these members; none other is asked for.
  using watch = watchTurns(
    Object.assign(Object.create(process.stderr), {
      isTTY: screen.isTTY,
      columns: 40,
      write: (text: string) => screen.write(text),
    }),
  );
  const { onStep, onProgress } = watch;
  const run = await repair(ADD_TASK, { model, sandbox, maxIterations: 3, timeoutMs: 600_000, onStep, onProgress });
  return { run, requests: server.requests };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test("a terminal shows the wait, then the reply as it is written, and in the end the turns alone", async () => {
  vi.stubEnv("CI", "");
  vi.stubEnv("TERM", "xterm");
  const screen = new Screen(true);
  const { run } = await repairOn(screen, async () => {
    await screen.shows("waiting for the model");
    return { text: ANSWER, partDelayMs: 20 };
  });
  expect(run.verified).toBe(true);
  expect(screen.looks.some((look) => /the model writes · \d+ s\n {2}Thought:$/.test(look.trimEnd()))).toBe(true);
  const last = screen.looks.at(-1) ?? "";
  expect(last).not.toMatch(/waiting for|the model writes|running/);
  expect(last.match(/Final Answer:/g)).toHaveLength(1);
  // What a model writes never reaches the terminal as a command.
  expect(screen.raw).not.toContain("\u001b[31m");
  expect(last).toContain("\\u{1b}[31mnow.");
});

test("a pipe gets lines alone: the turns, and now and then that the model is silent", async () => {
  const screen = new Screen(false);
  const { run } = await repairOn(screen, () => ANSWER);
  expect(run.verified).toBe(true);
  for (const sign of ["\u001b", "\r", "waiting"]) expect(screen.raw).not.toContain(sign);
  vi.useFakeTimers();
  const quiet = new Screen(false);
  using watch = watchTurns(
    Object.assign(Object.create(process.stderr), { isTTY: false, write: (text: string) => quiet.write(text) }),
  );
  watch.onProgress({ type: "asked" });
  vi.advanceTimersByTime(31_000);
  expect(quiet.raw).toBe("waiting for the model · 15 s\nwaiting for the model · 30 s\n");
  quiet.raw = "";
  watch.onProgress({ type: "searching", text: "a.go Half: 9 edits tried" });
  vi.advanceTimersByTime(31_000);
  watch.onProgress({ type: "searching", text: "a.go Half: 10 edits tried" });
  vi.advanceTimersByTime(15_000);
  expect(quiet.raw).toBe("a.go Half: 9 edits tried\nstill running · 29 s\na.go Half: 10 edits tried\n");
});

test("a reply that breaks off while it is watched is asked for again, whole", async () => {
  const { run, requests } = await repairOn(new Screen(true), (turn) =>
    turn === 0 ? { text: ANSWER, dropAfterWords: 3 } : ANSWER,
  );
  expect(run).toMatchObject({ verified: true, iterations: 1 });
  expect(requests.map(({ body }) => body.stream === true)).toEqual([true, false]);
});

test("of the search engine, its edits with the file alone and the answer's run of all tests are shown", async () => {
  const screen = new Screen(false);
  const model = await createModel("search", { temperature: 0, timeoutMs: 60_000, maxRetries: 0, log: () => {} });
  using watch = watchTurns(
    Object.assign(Object.create(process.stderr), { isTTY: false, write: (text: string) => screen.write(text) }),
    { isBrief: true },
  );
  watch.searches = true;
  await repair(ADD_TASK, { model, sandbox, maxIterations: 4, timeoutMs: 600_000, onStep: watch.onStep });
  expect(screen.raw).toMatch(
    /^with the file alone: \d+ edits tried, \d+ pass(es)?(, all behave alike)? \(.*s\)\nwith all your tests: the likeliest edit passes \(/,
  );
});
