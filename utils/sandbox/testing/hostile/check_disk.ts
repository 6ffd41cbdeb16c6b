/** For tests: that no program keeps more on the disk than it may. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { programWords } from "../../../testing/command.ts";
import { probeLayers } from "../../sandbox.ts";
import type { Layer } from "../../types.ts";
import { DISK_ATTACKS } from "./disk.ts";
import { type DiskReport, holdDisk } from "./hold_disk.ts";

const COMMAND = programWords("utils/sandbox/testing/hostile/hold_disk.ts");
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/** As in most containers: root of files, not of processes. */
const NO_TRACING = ["--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"];
const works = new Map((await probeLayers()).map(({ layer, works }) => [layer, works]));
const isRoot = process.getuid?.() === 0;

async function through(options: string[], layer: Layer): Promise<DiskReport> {
  const { stdout } = await promisify(execFile)("setpriv", [...options, ...COMMAND, layer], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent" },
  });
  return JSON.parse(stdout);
}

const couldBe = async (options: string[]) =>
  isRoot &&
  String(await promisify(execFile)("setpriv", [...options, ...COMMAND]).catch((error) => error)).includes("usage: ");

const users = [
  { user: isRoot ? "root" : "this user", possible: true, hold: holdDisk },
  {
    user: "root without tracing",
    possible: await couldBe(NO_TRACING),
    hold: (layer: Layer) => through(NO_TRACING, layer),
  },
  { user: "an ordinary user", possible: await couldBe(NOBODY), hold: (layer: Layer) => through(NOBODY, layer) },
];

/** Declares the tests of a layer. @param who all users as whom mend can run here, or this one alone */
export function checkDisk(layer: Layer, who: "all" | "self"): void {
  describe.each(who === "all" ? users : users.slice(0, 1))(
    `the disk limit, ${layer}, $user`,
    ({ user, possible, hold }) => {
      // What root may look at does not depend on the layer.
      const enough = user !== "root without tracing" || layer === "landlock";
      const missing = process.platform !== "linux" || !works.get(layer) || !possible;
      if (missing)
        console.warn(`skipped: the disk limit, ${layer}: no Linux, no such layer, or no setpriv for another user`);

      test.skipIf(missing || !enough)("no program keeps more, where it is seen or not", async () => {
        const { attacks } = await hold(layer);
        expect(attacks.filter(({ ending }) => ending !== "ended" && ending !== "refused")).toEqual([]);
        const tried = DISK_ATTACKS.filter(({ plainCannotStop }) => layer !== "plain" || !plainCannotStop);
        expect(attacks).toHaveLength(tried.reduce((count, { starts }) => count + (starts ? 1 : 2), 0));
        // Not all are refused: the limit itself was put to the test.
        expect(attacks.filter(({ ending }) => ending === "ended").length).toBeGreaterThan(attacks.length / 2);
      });
    },
  );
}
