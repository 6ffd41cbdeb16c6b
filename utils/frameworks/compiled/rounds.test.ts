/** Of many runs in one copy the first after a change builds, and those behind it run what was built. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../base/host/host_programs.ts";
import { temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";
import type { CommandRequest, Framework } from "../framework.ts";
import { cargoTest } from "./cargo_test.ts";
import { ctest } from "./ctest.ts";

const lacks = (...programs: string[]): boolean => {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) console.warn(`skipped: no ${missing.join(", no ")} on PATH`);
  return missing.length > 0;
};

/** A project of such files, in which the framework's tests run as in a box. */
function projectOf(framework: Framework, files: Record<string, string>) {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(at(`shop/${file}`)), { recursive: true });
    writeFileSync(at(`shop/${file}`), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  mkdirSync(at("build"));
  const project = { root: at("shop"), folder: at("shop"), target: at("shop"), shared: false };
  return {
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    write,
    at,
    kept: () => readdirSync(at("build/programs"), { recursive: true, encoding: "utf8" }),
    run: async ({ round, inside = "." }: Pick<CommandRequest, "round"> & { inside?: string } = {}) => {
      const { argv, env } = await framework.command({ project, args: [], results: at("report"), round });
      const [program = "", ...args] = argv;
      const place = { cwd: join(at("shop"), inside), env: { ...env, BUILD: at("build") } };
      return spawnSync(program, args, { ...place, encoding: "utf8" });
    },
  };
}

const CMAKE = `cmake_minimum_required(VERSION 3.10)
project(shop CXX)
enable_testing()
add_executable(one one.cpp)
add_test(NAME one COMMAND one)
`;
const returning = (code: string) => `int main() { return ${code}; }\n`;

test.skipIf(lacks("cmake", "ctest", "g++"))(
  "CTest, in our folder and in one that the command built",
  DEEP,
  async () => {
    using project = projectOf(ctest, { "CMakeLists.txt": CMAKE, "one.cpp": returning("1") });
    expect((await project.run()).stdout).toContain("(Failed)");
    project.write("one.cpp", returning("0"));
    expect((await project.run({ round: "next" })).stdout, "nothing is built").toContain("(Failed)");
    expect((await project.run({ round: "first" })).stdout).toContain("100% tests passed");
    project.write("one.cpp", "no program");
    expect((await project.run({ round: "next" })).stdout).toContain("100% tests passed");
    expect((await project.run({ round: "first" })).stderr).toContain("one.cpp:1:1: error");

    project.write("one.cpp", returning("0"));
    spawnSync("sh", ["-c", "cmake -S . -B there && cmake --build there"], { cwd: project.at("shop") });
    expect((await project.run({ inside: "there" })).stdout).toContain("100% tests passed");
  },
);

const RUST = {
  "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2018"\ndescription = "two\\nlines"\n',
  "tests/one.rs":
    '#[test]\nfn one() {\n    assert_eq!(shop::one(), std::env::var("CARGO_PKG_NAME").unwrap().len());\n}\n',
};
const one = (value: number) => `pub fn one() -> usize {\n    ${value}\n}\n`;

test.skipIf(lacks("cargo", "rustc"))("cargo, where comments hold no tests", DEEP, async () => {
  using project = projectOf(cargoTest, { ...RUST, "src/lib.rs": one(1) });
  expect((await project.run({ round: "first" })).status).toBe(101);
  project.write("src/lib.rs", one(4));
  expect((await project.run({ round: "next" })).status, "nothing is built").toBe(1);
  expect((await project.run({ round: "first" })).status).toBe(0);
  project.write("src/lib.rs", "no program");
  expect((await project.run({ round: "next" })).status).toBe(0);
  expect((await project.run({ round: "first" })).status).toBe(101);

  project.write("src/lib.rs", `/// \`\`\`\n/// assert_eq!(shop::one(), 5);\n/// \`\`\`\n${one(4)}`);
  expect((await project.run({ round: "first" })).status, "the test of the comment fails").toBe(101);
  expect(project.kept().filter((file) => file.endsWith("whole"))).toEqual([]);
});

test.skipIf(lacks("cargo", "rustc"))("cargo, with options that it takes once or that name no tests", async () => {
  const project = { root: "/", folder: "/", target: "/", shared: false };
  const args = ["--offline", "--workspace", "-q", "--no-fail-fast", "--", "--nocapture"];
  const { argv } = await cargoTest.command({ project, args, results: "/report" });
  expect(argv.slice(-3)).toEqual(["--workspace", "--", "--nocapture"]);
  expect(argv.join(" ").match(/--offline|--no-fail-fast/g)).toHaveLength(2);
});
