import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/command.ts";
import { removeFolder } from "./remove_folder.ts";

test("a folder goes with its links, and nothing that these lead to", () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const name of ["outside/deep", "inside/a/b"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("outside/deep/kept.txt"), "kept");
  writeFileSync(at("inside/a/0.txt"), "");
  symlinkSync(at("outside"), at("inside/a/link"));
  symlinkSync(at("outside/deep/kept.txt"), at("inside/a/b/link"));
  // A name that is no UTF-8.
  execFileSync("sh", ["-c", 'touch "$(printf "b\\377d")"'], { cwd: at("inside/a") });
  removeFolder(at("inside"));
  expect(existsSync(at("inside"))).toBe(false);
  expect([readdirSync(at("outside")), readFileSync(at("outside/deep/kept.txt"), "utf8")]).toEqual([["deep"], "kept"]);
});
