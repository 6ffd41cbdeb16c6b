// @module-tag ci

import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, programWords, temporaryFolder } from "../../utils/testing/command.ts";
import { ALSO_DEEP, repeats, runs } from "../../utils/testing/repeats.ts";
import { isRunning, lock, ownerOf, ownMark } from "./lock.ts";

const TRIES = repeats(150, runs(40));
/** Long enough for all of them to have heard of the next try. */
const HEAD_START_MS = 5;

const deadPid = () => spawnSync(process.execPath, ["-e", "0"]).pid;
const other = (changes: object) => JSON.stringify({ ...ownMark(), ...changes });

async function startContenders(count: number) {
  const [, start, source] = programWords("eval/testing/lock_contender.ts");
  const children = Array.from({ length: count }, () => fork(start, [source]));
  const lost = Promise.race(children.map(ended)).then(() => Promise.reject(new Error("a contender ended")));
  lost.catch(() => {});
  const all = <Reply>(replies: Promise<Reply>[]): Promise<Reply[]> => Promise.race([Promise.all(replies), lost]);
  await all(children.map((child) => once(child, "message")));
  const ask = (child: ChildProcess, order: object | string): Promise<unknown> => {
    const reply = once(child, "message").then(([message]) => message);
    child.send(order);
    return reply;
  };
  return {
    children,
    askAll: (order: object | string) => all(children.map((child) => ask(child, order))),
    [Symbol.dispose]: () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

test(
  "of four processes that want a lock exactly one gets it, whether it is free or its owner is gone",
  ALSO_DEEP,
  async () => {
    using folder = temporaryFolder();
    using contenders = await startContenders(4);
    const gone = deadPid();
    const winners: number[] = [];
    for (let round = 0; round < 2 * TRIES; round++) {
      const file = join(folder.path, `lock-${round}`);
      if (round % 2 === 1) writeFileSync(file, round % 4 === 1 ? other({ pid: gone }) : String(gone));
      const said = await contenders.askAll({ file, at: Date.now() + HEAD_START_MS });
      winners.push(said.filter((word) => word === "won").length);
      const winner = contenders.children[said.indexOf("won")];
      expect(ownerOf(file)?.pid).toBe(winner?.pid);
      await contenders.askAll("give back");
      expect(existsSync(file)).toBe(false);
    }
    expect(winners).toEqual(winners.map(() => 1));
  },
);

test("a lock outlives neither its process nor a kill", async () => {
  using folder = temporaryFolder();
  using contenders = await startContenders(1);
  const [child] = contenders.children;
  const file = join(folder.path, "lock");
  expect(await contenders.askAll({ file, at: 0 })).toEqual(["won"]);
  expect(isRunning(folder.path)).toBe(true);
  expect(() => lock(file, "r")).toThrow(`run "r" is being written by process ${child?.pid}. Wait for it`);
  child?.kill("SIGKILL");
  if (child) await ended(child);
  expect(isRunning(folder.path)).toBe(false);
  lock(file, "r")();
  expect(existsSync(file)).toBe(false);
});

test("a process does not take its own lock twice", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "lock");
  const giveBack = lock(file, "r");
  expect(() => lock(file, "r")).toThrow(`being written by process ${process.pid}`);
  giveBack();
  lock(file, "r")();
});

test("a number that another process has, and a process of another boot, hold nothing", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "lock");
  const stranger = spawn("sleep", ["60"]);
  try {
    for (const text of [other({ pid: stranger.pid }), other({ boot: "another" }), "1", "", "{"]) {
      writeFileSync(file, text);
      expect(isRunning(folder.path), text).toBe(false);
      lock(file, "r")();
    }
  } finally {
    stranger.kill();
  }
});

test("who gives a lock back leaves the one that was put in its place", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "lock");
  const first = lock(file, "r");
  spawnSync("rm", [file]);
  const second = lock(file, "r");
  first();
  expect(isRunning(folder.path)).toBe(true);
  second();
  expect(existsSync(file)).toBe(false);
});
