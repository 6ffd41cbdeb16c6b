/** What is kept from boxes is shown by none, wherever it lies in what they show. */

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { openCommandBox } from "./command/command_box.ts";
import { hiddenFromServer, hiddenIn, isHidden, keepFromBoxes, serverOpened } from "./hidden.ts";
import type { Layer } from "./types.ts";

const { path: folder } = makeTemporaryFolder("hidden");
const at = (...names: string[]) => join(folder, ...names);

beforeAll(() => {
  chmodSync(folder, 0o755);
  mkdirSync(at("shown/runs/one"), { recursive: true });
  mkdirSync(at("elsewhere"));
  for (const name of [
    "shown/a.txt",
    "shown/tests.jsonl",
    "shown/runs/results",
    "shown/runs/one/named",
    "elsewhere/secret",
  ])
    writeFileSync(at(name), `in ${name}\n`);
  // Nothing may be shown for a link that lies beside what is hidden.
  symlinkSync(at("elsewhere"), at("shown/link"));
  keepFromBoxes(at("shown/tests.jsonl"));
  keepFromBoxes(at("shown/runs"));
});

describe.each(["bwrap", "landlock"] satisfies Layer[])("under %s", (layer) => {
  test("a file and a folder are hidden, what lies beside them and a mount inside of them is shown", async (context) => {
    const box = await openCommandBox({ layer }).catch(() => context.skip(`${layer} does not work here`));
    const names = ["a.txt", "tests.jsonl", "runs/results", "runs/one/named", "link/secret"];
    const { stdout } = await box.run({
      mounts: [
        { kind: "read", inside: "/shown/runs/one", outside: at("shown/runs/one") },
        { kind: "read", inside: "/shown", outside: at("shown") },
      ],
      start: (inBox) => ({
        argv: ["sh", "-c", 'cd "$1"; shift; ls >/dev/null && echo listed; cat "$@"', "sh", inBox("/shown"), ...names],
      }),
    });
    expect(stdout).toBe("listed\nin shown/a.txt\nin shown/runs/one/named\n");
  });
});

test("mend itself is hidden in all that lies above it, its tests alone where it is the folder itself", () => {
  const root = join(import.meta.dirname, "../..");
  expect(hiddenIn(join(root, ".."))).toContain(root);
  expect(hiddenIn(root)).toContain(join(root, "eval/benchmark/builtin"));
  expect(hiddenIn(root)).not.toContain(root);
  expect(hiddenIn(join(root, "utils"))).toEqual([]);
  expect([isHidden(join(root, "utils")), isHidden("/usr/lib")]).toEqual([true, false]);
});

test("an open sandbox cannot hide what it shows already, and none what is not there yet: both are refused", () => {
  const ended = serverOpened([at("elsewhere")]);
  expect(() => keepFromBoxes(at("elsewhere/secret"))).toThrow(/secret is in .*elsewhere, which programs .* are shown/);
  ended();
  keepFromBoxes(at("elsewhere/later"));
  expect(() => hiddenFromServer([at("elsewhere")])).toThrow(/later is in .*: put it somewhere else/);
  expect(hiddenFromServer([at("shown")])).toEqual([at("shown/tests.jsonl"), at("shown/runs")]);
});
