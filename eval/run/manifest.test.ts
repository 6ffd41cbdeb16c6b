import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { PYTHON_FOLDER } from "../../utils/sandbox/bwrap.ts";
import { decidingFiles, settingsThatDiffer } from "./manifest.ts";

test("all that judges takes part in the hash of the code, and no test does", () => {
  const files = decidingFiles();
  const servers = readdirSync(PYTHON_FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".py"),
  );
  expect(servers.length).toBeGreaterThan(40);
  expect(files).toEqual(expect.arrayContaining(servers.map((file) => `utils/sandbox/python/${file}`)));
  expect(files.filter((file) => /\.test\.ts$|\/testing\//.test(file))).toEqual([]);
});

test("of two models what differs is named, whatever their parameters are", () => {
  const before = { model: ["search", { steps: 9 }, {}], splits: [["a", "b"]] };
  const now = { model: ["openai:x", { steps: 9, temperature: 0.2 }, {}], splits: [["a", "c"]] };
  expect(settingsThatDiffer(before, now)).toEqual([
    { setting: "model", a: "search", b: "openai:x" },
    { setting: "model.temperature", a: "none", b: "0.2" },
    { setting: "splits", a: '[["a","b"]]', b: '[["a","c"]]' },
  ]);
});
