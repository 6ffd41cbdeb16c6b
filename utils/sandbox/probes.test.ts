/** What honest test suites ask of the machine works in a command's box where it works on this machine. */
// @module-tag deep

import { describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { openCommandBox } from "./command/command_box.ts";
import { probeInside, probeOutside } from "./testing/probes/run.ts";
import { PROBES } from "./testing/probes/table.ts";
import type { Layer } from "./types.ts";

const { path } = makeTemporaryFolder("probes");

test("there are enough of them, each with a name of its own", () => {
  expect(new Set(PROBES.map(({ name }) => name)).size).toBe(PROBES.length);
  expect(PROBES.length).toBeGreaterThan(150);
});

/** Layers, with how many run in a box: under landlock a process that is not a box's first sees no `/proc/self`. */
const GROUPS = [
  ["bwrap", 12],
  ["landlock", 1],
] satisfies [Layer, number][];

describe.each(GROUPS)("under %s", (layer, together) => {
  test("all that the layer can give, and this machine has most", async (context) => {
    const box = await openCommandBox({ layer }).catch(() => context.skip(`${layer} does not work here`));
    const asked = PROBES.filter(({ missing }) => !(layer === "landlock" && missing));
    const failed = (await probeInside(asked, box, together)).filter(({ works }) => !works);
    expect(asked.length - failed.length).toBeGreaterThan(80);
    expect(failed.length).toBeLessThan(asked.length / 3);
    // The machine itself may lack it: a compiler, say.
    const again = PROBES.filter(({ name }) => failed.some((one) => one.name === name));
    const outside = probeOutside(again, { ...process.env, TMPDIR: path }, path);
    const given = new Set(outside.flatMap(({ name, works }) => (works ? name : [])));
    expect(failed.filter(({ name }) => given.has(name))).toEqual([]);
  });
});
