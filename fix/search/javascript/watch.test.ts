import { spawnSync } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

const WATCH = join(import.meta.dirname, "watch.cjs");

/** @param work what candidate 7 does, after 3 others */
function watched(work: string) {
  using folder = temporaryFolder();
  const out = join(folder.path, "out");
  const program = `
    const beat = new Int32Array(new SharedArrayBuffer(28));
    require(process.argv[1]).watch(beat, 3);
    beat.set([1, 1000, 7, 3, 0, process.memoryUsage.rss() / 1024 / 1024 + 200]);
    setTimeout(() => { ${work} }, 1);`;
  const { status, signal } = spawnSync(process.execPath, ["-e", program, WATCH], {
    stdio: ["ignore", "ignore", "inherit", openSync(out, "w")],
  });
  return { status, signal, told: readFileSync(out, "utf8") };
}

test.each([
  ["does not come back", "for (;;);", "hung"],
  ["fills the memory", "const all = []; for (;;) if (all.length < 20) all.push(Buffer.alloc(20e6, 1));", "memory"],
])("a candidate that %s ends its process, which says where to go on", DEEP, (_, work, stopped) => {
  const { signal, told } = watched(work);
  expect(signal).toBe("SIGKILL");
  expect(JSON.parse(told)).toMatchObject({ stopped, next: 8, tried: 3 });
});

test("one that ends is left alone", () => {
  expect(watched("beat[0] = 0; setTimeout(() => process.exit(), 200)")).toMatchObject({ status: 0, told: "" });
});
