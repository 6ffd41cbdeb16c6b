import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../base/host/host_programs.ts";
import { temporaryFolder } from "../../testing/command.ts";
import type { CommandRequest } from "../framework.ts";
import { ctest } from "./ctest.ts";

const missing = ["cmake", "ctest", "g++"].filter((program) => findProgram(program) === undefined);
if (missing.length > 0) console.warn(`skipped: no ${missing.join(", no ")} on PATH`);

const CMAKE = `cmake_minimum_required(VERSION 3.10)
project(shop CXX)
enable_testing()
add_executable(one one.cpp)
add_test(NAME one COMMAND one)
`;
const returning = (code: string) => `int main() { return ${code}; }\n`;

test.skipIf(missing.length > 0)(
  "of many runs the first after a change builds, and those behind it run what was built",
  async () => {
    using folder = temporaryFolder();
    const at = (path: string) => join(folder.path, path);
    const project = { root: at("shop"), folder: at("shop"), target: at("shop/one.cpp"), shared: false };
    for (const name of ["shop", "build"]) mkdirSync(at(name));
    writeFileSync(at("shop/CMakeLists.txt"), CMAKE);
    const run = async (round: CommandRequest["round"], source: string) => {
      writeFileSync(at("shop/one.cpp"), source);
      const { argv, env } = await ctest.command({ project, args: [], results: at("report"), round });
      const [program = "", ...args] = argv;
      return spawnSync(program, args, { cwd: at("shop"), env: { ...env, BUILD: at("build") }, encoding: "utf8" });
    };
    expect((await run(undefined, returning("1"))).stdout).toContain("(Failed)");
    expect((await run("next", returning("0"))).stdout, "nothing is built").toContain("(Failed)");
    expect((await run("first", returning("0"))).stdout).toContain("100% tests passed");
    expect((await run("next", "no program")).stdout).toContain("100% tests passed");
    expect((await run("first", "no program")).stderr).toContain("one.cpp:1:1: error");

    writeFileSync(at("shop/one.cpp"), returning("0"));
    spawnSync("sh", ["-c", "cmake -S . -B there && cmake --build there"], { cwd: at("shop") });
    const { argv, env } = await ctest.command({ project, args: [], results: at("report") });
    const [program = "", ...args] = argv;
    const there = { cwd: at("shop/there"), env: { ...env, BUILD: at("build") }, encoding: "utf8" as const };
    expect(spawnSync(program, args, there).stdout, "in a folder that is built").toContain("100% tests passed");
  },
);
