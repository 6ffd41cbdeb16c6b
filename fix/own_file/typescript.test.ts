/** The search on a user's TypeScript, tests in TypeScript: what it writes differs in the repair alone. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseSpec } from "../../agent/models/create.ts";
import { searchModel } from "../../agent/models/search/chat.ts";
import { type CommandBox, openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { repairOwnFile } from "../fix.ts";
import { PASSES } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

let sandbox: Sandbox;
let box: CommandBox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 1 });
  box = await openCommandBox();
});
afterAll(() => sandbox.close());

const BOOKINGS = `import type { Room } from "./rooms.ts";
import { Day } from "./days.ts";

export interface Booking {
  readonly room: Room;
  from: Day;
  /** The day of leaving. */
  to: Day;
  cancelled?: boolean;
}

type Night = { room: string; day: Day };

/** The nights that are free of bookings, by room. */
export function freeNights(rooms: readonly Room[], bookings: readonly Booking[]): Night[];
export function freeNights(rooms: readonly Room[], bookings: readonly Booking[], first: Day, last: Day): Night[];
export function freeNights(
  rooms: readonly Room[],
  bookings: readonly Booking[],
  first: Day = 1,
  last: Day = 7,
): Night[] {
  const taken = new Map<string, Set<Day>>();
  for (const { room, from, to, cancelled } of bookings as readonly Booking[]) {
    if (cancelled) continue;
    const days: Set<Day> = taken.get(room.name) ?? new Set<Day>();
    for (let day = from; day < to; day++) days.add(day);
    taken.set(room.name, days);
  }
  const free: Night[] = [];
  for (const room of rooms) {
    for (let day = first; day <= last; day++) {
      if (!taken.get(room.name)!?.has(day)) free.push({ room: room.name, day } satisfies Night);
    }
  }
  return free;
}
`;

const TESTS = `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Booking, freeNights } from "./bookings.ts";
import type { Room } from "./rooms.ts";

const blue: Room = { name: "blue", beds: 2 };
const stay = (from: number, to: number, more: Partial<Booking> = {}): Booking => ({ room: blue, from, to, ...more });
const days = (bookings: Booking[], last: number): number[] => freeNights([blue], bookings, 1, last).map(({ day }) => day);

describe("freeNights", () => {
  it("ends a booking in the morning", () => assert.deepEqual(days([stay(2, 4)], 5), [1, 4, 5]));
  it("leaves out what was cancelled", () => {
    assert.deepEqual(days([stay(1, 3, { cancelled: true }), stay(3, 4)], 4), [1, 2, 4] as number[]);
  });
  it("is a week by default", () => assert.deepEqual(freeNights([blue], []).map(({ day }) => day), [1, 2, 3, 4, 5, 6, 7]));
});
`;

const FILES = {
  "package.json": JSON.stringify({ type: "module" }),
  "rooms.ts": "export interface Room {\n  name: string;\n  beds: number;\n}\n",
  "days.ts": "/** Of the year. */\nexport type Day = number;\n",
  "bookings.test.ts": TESTS,
};

async function repaired(files: Record<string, string>) {
  using folder = makeProject({ files: { ...FILES, ...files } });
  const request = { maxIterations: 4, timeoutMs: 300_000, testSeconds: 60, write: true, name: "freeNights" };
  const outcome = await repairOwnFile(
    { file: folder.at("bookings.ts"), ...request },
    {
      openModel: async () => ({ ...searchModel(0), kind: parseSpec("search").kind }),
      openSandbox: async () => sandbox,
      openBox: async () => box,
    },
  );
  return { outcome, text: readFileSync(folder.at("bookings.ts"), "utf8") };
}

const isRepaired = async (_: string, right: string, wrong: string) => {
  const { outcome, text } = await repaired({ "bookings.ts": BOOKINGS.replace(right, wrong) });
  expect(outcome).toMatchObject({ outcome: expect.stringMatching(PASSES), framework: "node:test", model: "search" });
  expect(text).toBe(BOOKINGS);
};

test.each([
  ["a default behind a type", "last: Day = 7", "last: Day = 6"],
  ["a bound", "day < to", "day <= to"],
  ["a condition", "if (cancelled) continue", "if (!cancelled) continue"],
])("repairs %s", DEEP, isRepaired);

test("an enum that nothing uses does not keep it from being repaired", DEEP, async () => {
  const days = `${BOOKINGS}\nexport enum Season {\n  High,\n  Low,\n}\n`;
  const { outcome, text } = await repaired({ "bookings.ts": days.replace("day < to", "day <= to") });
  expect(outcome).toMatchObject({ outcome: expect.stringMatching(PASSES), model: "search" });
  expect(text).toBe(days);
});
