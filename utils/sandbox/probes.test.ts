/** What honest test suites ask of the machine works in a command's box where it works on this machine. */
// @module-tag deep

import { describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { openCommandBox } from "./command/command_box.ts";
import { probeInside, probeOutside } from "./testing/probes/run.ts";
import { PROBES } from "./testing/probes/table.ts";
import type { Layer } from "./types.ts";

const { path } = makeTemporaryFolder("probes");
const outside = probeOutside(PROBES, { ...process.env, TMPDIR: path }, path);
/** What this machine lacks (a compiler, say), but for what a box brings itself. */
const lacking = new Set(outside.flatMap(({ name, works }) => (works ? [] : name)));

test("there are enough of them, each with a name of its own, and this machine has most", () => {
  expect(new Set(PROBES.map(({ name }) => name)).size).toBe(PROBES.length);
  expect(PROBES.length).toBeGreaterThan(150);
  expect(lacking.size).toBeLessThan(PROBES.length / 3);
});

describe.each(["bwrap", "landlock"] satisfies Layer[])("under %s", (layer) => {
  test("all that the layer can give", async (context) => {
    const box = await openCommandBox({ layer }).catch(() => context.skip(`${layer} does not work here`));
    const asked = PROBES.filter(({ name, missing }) => !lacking.has(name) && !(layer === "landlock" && missing));
    expect(asked.length).toBeGreaterThan(80);
    expect((await probeInside(asked, box)).filter(({ works }) => !works)).toEqual([]);
  });
});
