import { spawn, spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";
import { mountSmallDisk } from "../../testing/small_disk.ts";
import { requireWritable, writeNamed } from "./users_file.ts";

test("a read-only file is refused, by root too", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.py");
  writeFileSync(file, "old\n");
  expect(() => requireWritable(file)).not.toThrow();
  chmodSync(file, 0o444);
  expect(() => requireWritable(file)).toThrow("is read-only");
});

test("a file is replaced through links, and keeps its rights", () => {
  using folder = temporaryFolder();
  const [file, link] = [join(folder.path, "a"), join(folder.path, "link")];
  writeFileSync(file, "old", { mode: 0o640 });
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  writeNamed(link, "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o640]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  writeNamed(join(folder.path, "fresh"), "x");
  expect(() => writeNamed(join(folder.path, "absent/b"), "x")).toThrow("there is no such folder");
  expect(readdirSync(folder.path).sort()).toEqual(["a", "fresh", "link"]);
});

test("a full disk leaves the old file", (context) => {
  using disk = mountSmallDisk(256);
  if (!disk) return context.skip("no file system can be mounted here");
  const file = join(disk.path, "out");
  writeNamed(file, "old");
  disk.fill(8192);
  expect(() => writeNamed(file, "x".repeat(100_000))).toThrow(/out cannot be written: /);
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(disk.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("the reader of a pipe gets all of the text, and is not let go before", DEEP, async () => {
  using folder = temporaryFolder();
  const [pipe, got] = [join(folder.path, "pipe"), join(folder.path, "got")];
  spawnSync("mkfifo", [pipe]);
  const reader = spawn("sh", ["-c", `for i in $(seq 50); do cat "${pipe}"; done > "${got}"`]);
  const program = `import { writeNamed } from ${JSON.stringify(join(import.meta.dirname, "users_file.ts"))};
    for (let number = 0; number < 50; ) {
      try { writeNamed(${JSON.stringify(pipe)}, number + "\\n"); number++; }
      catch (error) { if (!String(error).includes("without a reader")) throw error; }
    }`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { status } = spawnSync(process.execPath, args, { timeout: 60_000, killSignal: "SIGKILL" });
  expect(status).toBe(0);
  await expect.poll(() => readFileSync(got, "utf8").split("\n").length, { timeout: 60_000 }).toBe(51);
  reader.kill();
});
