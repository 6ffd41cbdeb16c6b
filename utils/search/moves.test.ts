import { expect, test } from "vitest";
import { DEFAULT_STEPS, type Engine, type PastTurn, searchFunction } from "./moves.ts";

const edit = { splices: [[0, 3, "DEF"]], operator: "o", line: 1, old: "def", new: "DEF" };
const other = { ...edit, splices: [[0, 3, "deF"]], new: "deF" };
const found = {
  ...{ status: "found", tried: 9, passing: 2, lines: 1, best: [edit, other], cursor: { single: 123 } },
  ...{ programs: ["DEF largest", "deF largest"], otherwise: "def largest" },
};
const nothing = { ...found, status: "none", passing: 0, best: [], programs: [] };

const next = (past: readonly PastTurn[], engine: Partial<Engine> = {}) =>
  searchFunction({ steps: DEFAULT_STEPS, ...engine })(past);

test("one program after the other is answered, then the search goes on from where it stopped", () => {
  expect(next([{ data: found, later: 0 }])).toMatchObject({ kind: "answer", text: "DEF largest" });
  expect(next([{ data: found, later: 1 }])).toMatchObject({ kind: "answer", text: "deF largest" });
  expect(next([{ data: found, later: 2 }])).toMatchObject({
    kind: "act",
    input: { cursor: { single: 123 }, rejected: [edit.splices, other.splices] },
    thought: expect.stringContaining("That was not it. After 9 candidates"),
  });
});

test("candidates of all searches are counted, and all that they found is rejected", () => {
  const past = [
    { data: found, later: 3 },
    { data: { ...nothing, cursor: 7 }, later: 0 },
  ];
  expect(next(past)).toMatchObject({
    input: { cursor: 7, rejected: [edit.splices, other.splices] },
    thought: expect.stringContaining("After 18 candidates"),
  });
});

test("a search that was cut off says so, in its answer and where it goes on", () => {
  expect(next([{ data: { ...found, cutOff: true }, later: 0 }])).toMatchObject({
    thought: expect.stringMatching(/cut off before its end/),
    text: "DEF largest",
  });
  expect(next([{ data: found, later: 0 }])).toMatchObject({ thought: expect.not.stringContaining("cut off") });
  expect(next([{ data: { ...nothing, cutOff: true }, later: 0 }])).toMatchObject({
    kind: "act",
    thought: expect.stringMatching(/cut off before its end.*After 9 candidates I go on/),
  });
});

test("with nothing left it answers with what passes most checks, else with the program unchanged", () => {
  const end = { ...nothing, status: "exhausted" };
  expect(next([{ data: end, later: 0 }])).toEqual({
    ...{ kind: "answer", isLast: true, text: "def largest" },
    thought: "None of 9 edits passes. I return the program unchanged.",
  });
  const closest = { splices: [], passes: 2, of: 3 };
  const close = { ...nothing, closest, otherwise: "dEF largest" };
  const past = [
    { data: close, later: 1 },
    { data: end, later: 0 },
  ];
  expect(next(past)).toMatchObject({ isLast: true, text: "dEF largest", thought: expect.stringContaining("2 of 3") });
});

test("its processor time is that of all calls together", () => {
  const used = (cpu: number) => next([{ data: { ...nothing, cpu }, later: 0 }], { cpuSeconds: 10 });
  expect(next([], { cpuSeconds: 10 })).toMatchObject({ input: { cpuSeconds: 10, tellsCpu: true } });
  expect(used(4)).toMatchObject({ kind: "act", input: { cpuSeconds: 6 } });
  expect(used(9.5)).toMatchObject({ kind: "answer", isLast: true });
});

test("an engine that gave no result says nothing about the task", () => {
  expect(next([{ data: { failed: "It printed no result." }, later: 0 }])).toEqual({
    ...{ kind: "failed", why: "It printed no result." },
  });
});
