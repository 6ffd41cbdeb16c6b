/** For tests: no attack of a child does harm, as any user. */

import { execFile, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { programWords } from "../../../../utils/testing/command.ts";
import { findBox, temporaryFolder } from "../test_run.ts";
import { ATTACKS } from "./attacks.ts";
import type { AttackReport } from "./run.ts";

const PROGRAM = programWords("eval/meta/testing/hostile/run.ts");
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
const isRoot = process.getuid?.() === 0;
const box = await findBox();

/** Whether an ordinary user can run the attacks here: read the sources, make a box. */
const canBeNobody =
  isRoot &&
  spawnSync("setpriv", [...NOBODY.slice(1), ...PROGRAM, "--probe"], { env: { PATH: SYSTEM_PATH } }).status === 0;

/** Runs the attacks in a process of their own, with a temporary folder of their own. */
async function attack(prefix: readonly string[], path: string): Promise<AttackReport[]> {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o777);
  const [command = "", ...args] = [...prefix, ...PROGRAM];
  const env = { PATH: path, TMPDIR: folder.path, HOME: folder.path };
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

const RUNS = {
  self: { user: isRoot ? "root" : "this user", prefix: [], path: process.env.PATH ?? "", possible: true },
  nobody: { user: "an ordinary user", prefix: NOBODY, path: SYSTEM_PATH, possible: canBeNobody },
};

/** Declares the tests. @param who who runs mend: this user, or where this one is root an ordinary one */
export function checkChildren(who: keyof typeof RUNS): void {
  const { user, prefix, path, possible } = RUNS[who];
  const missing = box === null ? "bubblewrap does not work here" : possible ? "" : "not root, or no setpriv";
  describe.skipIf(missing)(`children that attack the machine, ${user}${missing && ` (skipped: ${missing})`}`, () => {
    let reports: AttackReport[];
    beforeAll(async () => {
      reports = await attack(prefix, path);
    }, 1_200_000);

    test("nothing of the host is read, changed or left", () => {
      expect(reports.filter(({ damage }) => damage.length > 0).map(({ name, damage }) => ({ name, damage }))).toEqual(
        [],
      );
    });

    test("none of them gets a point, and the next child's verdict is right", () => {
      expect(reports).toHaveLength(ATTACKS.length);
      expect(reports.filter(({ score, nextScore }) => score !== 0 || nextScore !== 1)).toEqual([]);
    });

    test("each was carried out: it tried what it is about, or was ended by it", () => {
      for (const { name, dies, status, trace } of reports) {
        if (dies !== "maybe") expect(`${name}: ${status === "ok"}`).toBe(`${name}: ${!dies}`);
        if (!dies) expect(trace).toMatch(/^tried /m);
      }
    });

    test("memory, files and threads without end are ended by the box, not by the machine", () => {
      const trace = (name: string) => reports.find((report) => report.name === name)?.trace;
      expect(trace("memory: 3 GB of buffers")).toContain("Array buffer allocation failed");
      expect(trace("memory of many processes")).toContain("it used more than 2048 MB of memory");
      expect(trace("a work folder with more files than a disk can bear")).toContain("MB of disk space");
    });
  });
}
