// @module-tag deep
/** Tests of Java that run many times in one process end each as by themselves. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { junitConsole } from "../../../utils/frameworks/compiled/junit.ts";
import { SWITCH, switched } from "../../../utils/search/compiled/in_projects/version_switch.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";

const RUN_VERSIONS = fileURLToPath(new URL("./run_versions.py", import.meta.url));
const JARS = ["junit4", "hamcrest-core"]
  .concat(["api", "engine"].map((name) => `junit-jupiter-${name}`))
  .concat(["console", "launcher", "commons", "engine", "reporting"].map((name) => `junit-platform-${name}`))
  .concat(["opentest4j", "apiguardian-api", "opentest4j-reporting-events", "opentest4j-reporting-schema"])
  .concat(["picocli", "univocity-parsers"])
  .map((name) => `/usr/share/java/${name}.jar`)
  .filter((path) => existsSync(path));

const MAIN = `package shop;

public class Sums {
    static int made = 0;

    public static int add(int a, int b) {
        return a - b;
    }
}
`;

const TESTS = `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SumsTest {
    @Test
    void adds() {
        assertEquals(5, Sums.add(2, 3));
    }

    @Nested
    class WithNothing {
        @Test
        void addsNothing() {
            assertEquals(2, Sums.add(2, 0));
        }
    }
}
`;

/** The body in its place, whether an edit with it passes, and why. */
const BODIES: readonly [string, boolean, string][] = [
  ["return a + c;", false, "it does not compile"],
  ["System.exit(0); return a + b;", false, "it ends the process"],
  ["return a + b;", true, "it is right, in a new process"],
  ["while (true) { if (a > 9) return a; }", false, "it never ends"],
  ["made = 1; return a - b;", false, "it fails and leaves a static field"],
  ["return made == 1 ? a + b : a - b;", false, "what another edit left in the field is gone"],
  ['return System.setProperty("left", "1") == null ? a - b : a + b;', false, "it fails and leaves a property"],
  ['return System.getProperty("left") != null ? a + b : a - b;', false, "the property is gone, too"],
  [
    "Thread stays = new Thread(() -> { while (true) { made++; } }); stays.setDaemon(true); stays.start(); return a + b;",
    true,
    "a thread that it leaves does not speak against it",
  ],
  ["return b == 0 ? 7 : a + b;", false, "a test that passed fails"],
  ["return b + a;", true, "it is right behind all of these"],
];

const lacks = (): boolean => {
  const missing = ["java", "javac", "python3"].filter((program) => findProgram(program) === undefined);
  if (JARS.length < 12) missing.push("Debian's junit5");
  if (missing.length > 0) console.warn(`skipped: no ${missing.join(", no ")}`);
  return missing.length > 0;
};

test.skipIf(lacks()).each([
  ["each jar", `out:${JARS.join(":")}`],
  ["a folder of jars", "out:/usr/share/java/*"],
])("a process of many runs reports what a separate process would; its class path names %s", async (_, classPath) => {
  using folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  for (const [file, text] of Object.entries({ "shop/src/Sums.java": MAIN, "shop/test/SumsTest.java": TESTS })) {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  mkdirSync(at("build"));
  const shop = at("shop");
  const project = { root: shop, folder: shop, target: shop, shared: false };
  const args = ["-cp", classPath, "org.junit.platform.console.ConsoleLauncher", "--scan-classpath", "out"];
  const { argv, env } = await junitConsole.command({ project, args, results: at("report") });
  const place = { cwd: shop, env: { ...env, BUILD: at("build") }, encoding: "utf8" } as const;
  const compile = ["javac", "-d", "out", "-cp", classPath, "src/Sums.java", "test/SumsTest.java"];
  expect(spawnSync(compile[0] ?? "", compile.slice(1), place).stderr).toBe("");
  expect(spawnSync(argv[0] ?? "", argv.slice(1), place).status, "one test fails").toBe(1);
  const build: { files: string[][] } = JSON.parse(readFileSync(at("build/java/build.json"), "utf8"));
  expect(build.files.map(([path]) => path)).toEqual([join(shop, "out")]);

  const old = "return a - b;";
  const body = {
    startIndex: MAIN.indexOf("{", MAIN.indexOf("add(")),
    endIndex: MAIN.indexOf("}", MAIN.indexOf(old)) + 1,
  };
  const versions = BODIES.map(([text]) => MAIN.replace(old, text));
  // None of the commands runs: one that does would say so.
  const loud = ["sh", "-c", `echo started >> ${at("started")}; exit 1`];
  const job = {
    ...switched("java", MAIN, body, versions),
    ...{
      file: "src/Sums.java",
      switch: SWITCH,
      broken: "Sums\\.java:\\d+: error",
      unbuilt: ": error: ",
      costs: versions.map(() => 1),
    },
    ...{ seconds: 120, each: 20, keep: 99, margin: 9, most: 99, batches: [30], chars: 24_000 },
    tests: { failing: [["shop.SumsTest", "adds"]], passing: [["shop.SumsTest$WithNothing", "addsNothing"]] },
  };
  const words = ["3", ...loud, "3", ...loud, ...loud];
  const ran = spawnSync("python3", ["-S", "-B", RUN_VERSIONS, at("lines"), at("report"), ...words], {
    ...place,
    input: JSON.stringify(job),
  });
  expect(ran.stderr).toBe("");
  expect(existsSync(at("started")), "no process of its own").toBe(false);
  const lines: { version?: number; passes?: boolean; left?: number }[] = readFileSync(at("lines"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const passing = lines.flatMap(({ version, passes }) => (passes ? (version ?? []) : []));
  const tried = lines.flatMap(({ version }) => version ?? []);
  expect(tried, "all that compile").toEqual(BODIES.flatMap(([text], i) => (text.includes("+ c") ? [] : i)));
  for (const [i, [text, isRight, why]] of BODIES.entries())
    expect(passing.includes(i), `${text}: ${why}`).toBe(isRight);
  expect(lines.at(-1)?.left).toBe(0);
});
