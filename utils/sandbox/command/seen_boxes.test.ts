/** What is kept of layers that work: it spares the trial, and never stands for another machine or another Python. */

import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPython } from "../../base/host/python.ts";
import { temporaryFolder } from "../../testing/command.ts";
import { SeenBox } from "./seen_boxes.ts";

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)("what was seen to work is known for a day, of the same layer and the same Python", async () => {
  using folder = temporaryFolder();
  const python = await findPython();
  const seen = () => new SeenBox("bwrap", python, folder.path);
  expect(seen().works).toBe(false);
  seen().keep();
  expect(seen().works).toBe(true);
  expect(new SeenBox("landlock", python, folder.path).works).toBe(false);
  expect(new SeenBox("bwrap", { ...python, executable: process.execPath }, folder.path).works).toBe(false);
  const [file = ""] = readdirSync(folder.path);
  const old = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(folder.path, file), old, old);
  expect(seen().works).toBe(false);
  seen().keep();
  expect(seen().works).toBe(true);
});

test.skipIf(!isLinux)(
  "what did not hold is forgotten, what is too old is removed, and a place that is none is no error",
  async () => {
    using folder = temporaryFolder();
    const python = await findPython();
    const one = new SeenBox("plain", python, folder.path);
    one.keep();
    one.forget();
    expect([one.works, readdirSync(folder.path)]).toEqual([false, []]);
    one.keep();
    const [file = ""] = readdirSync(folder.path);
    const old = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(join(folder.path, file), old, old);
    new SeenBox("landlock", python, folder.path).keep();
    expect(readdirSync(folder.path)).not.toContain(file);
    const nowhere = new SeenBox("plain", python, "/dev/null/boxes");
    nowhere.keep();
    nowhere.forget();
    expect(nowhere.works).toBe(false);
  },
);
