/** The search on a user's TypeScript, tests in TypeScript: what it writes differs in the repair alone. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEEP } from "../../utils/testing/repeats.ts";
import { repairOwnFile } from "../fix.ts";
import { LIMITS, PASSES, searchParts } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

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
  const request = { ...LIMITS, file: folder.at("bookings.ts"), write: true, name: "freeNights" };
  const outcome = await repairOwnFile(request, searchParts());
  return { outcome, text: readFileSync(folder.at("bookings.ts"), "utf8") };
}

test.each([
  ["a default behind a type", BOOKINGS, "last: Day = 7", "last: Day = 6"],
  ["a bound beside an enum", `${BOOKINGS}\nexport enum Season {\n  High,\n  Low,\n}\n`, "day < to", "day <= to"],
])("repairs %s", DEEP, async (_, correct, right, wrong) => {
  const { outcome, text } = await repaired({ "bookings.ts": correct.replace(right, wrong) });
  expect(outcome).toMatchObject({ outcome: expect.stringMatching(PASSES), framework: "node:test", model: "search" });
  expect(text).toBe(correct);
});
