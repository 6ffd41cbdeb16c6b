// @module-tag ci

import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { programWords } from "../testing/command.ts";
import { probeLayers } from "./sandbox.ts";
import { passNotes } from "./testing/hostile/notes.ts";

const PROGRAM = fileURLToPath(new URL("./testing/hostile/notes.ts", import.meta.url));
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];
const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent" };
const hasBwrap = (await probeLayers()).some(({ layer, works }) => layer === "bwrap" && works);
/** Whether an ordinary user has namespaces here and can read our sources. */
const LOOK = ["bwrap", "--ro-bind", "/", "/", "cat", PROGRAM];
const canBeNobody = process.getuid?.() === 0 && spawnSync("setpriv", [...NOBODY, ...LOOK], { env }).status === 0;

const EXPECTED = { left: 1, found: "[]" };

test.skipIf(!hasBwrap)(
  "under bwrap a job writes into its own folder alone, and the next finds nothing of it",
  async () => {
    expect(await passNotes()).toMatchObject(EXPECTED);
  },
);

test.skipIf(!hasBwrap || !canBeNobody)("neither as an ordinary user, whose jobs all are that user", async () => {
  const { stdout } = await promisify(execFile)(
    "setpriv",
    [...NOBODY, ...programWords("utils/sandbox/testing/hostile/notes.ts")],
    {
      env,
    },
  );
  expect(JSON.parse(stdout)).toEqual({ ...EXPECTED, separateUsers: false });
});
