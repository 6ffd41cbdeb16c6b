/** What runners of many languages print, as the parsers of Multi-SWE-bench read it and as mend does. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { printedLog } from "../../../utils/frameworks/logged/printed_log.ts";
import { installedPythons, uvProgram } from "../../../utils/project/packages/python/uv.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { hasUv } from "../../../utils/testing/needs.ts";
import { NamedTests } from "./named_tests.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** Reads `[[parser, log], …]`. The parsers are loaded one by one: their package imports all of some thousand. */
const READ = `
import importlib, json, sys, types
site = next(path for path in sys.path if path.endswith("site-packages"))
def stub(name):
    module = types.ModuleType(name)
    module.__path__ = [site + "/" + name.replace(".", "/")]
    sys.modules.setdefault(name, module)
for name in ("multi_swe_bench", "multi_swe_bench.harness", "multi_swe_bench.harness.repos"):
    stub(name)
from multi_swe_bench.harness.instance import Instance
known = {}
def parser(path):
    parts = path.split("/")
    for i in range(1, len(parts)):
        stub(".".join(["multi_swe_bench.harness.repos", *parts[:i]]))
    before = set(Instance._registry)
    importlib.import_module(".".join(["multi_swe_bench.harness.repos", *parts]))
    [name] = set(Instance._registry) - before
    instance = Instance._registry[name].__new__(Instance._registry[name])
    instance._pr = types.SimpleNamespace(org="o", repo="r", number=1)
    return instance.parse_log
def read(path, log):
    known.setdefault(path, None)
    known[path] = known[path] or parser(path)
    result = known[path](log)
    return {"passed": sorted(result.passed_tests), "failed": sorted(result.failed_tests)}
print(json.dumps([read(path, log) for path, log in json.load(sys.stdin)]))
`;

const GO = `package half
import "testing"
func TestGood(t *testing.T) {}
func TestBad(t *testing.T) { t.Log("it is bad"); t.Fatal("bad") }
func TestSkipped(t *testing.T) { t.Skip("not now") }
func TestParts(t *testing.T) {
	for _, name := range []string{"one", "two words"} { t.Run(name, func(t *testing.T) { if name == "one" { t.Log(name) } }) }
}
`;
const RUST = `pub fn half(x: i32) -> i32 { x / 2 }
#[cfg(test)]
mod tests {
    #[test] fn good() { assert_eq!(super::half(4), 2); }
    #[test] fn bad() { println!("it is bad"); assert_eq!(super::half(4), 3); }
    #[test] #[ignore] fn slow() {}
    #[test] #[should_panic] fn panics() { panic!("so it should") }
}
`;
const POM = `<project><modelVersion>4.0.0</modelVersion><groupId>o</groupId><artifactId>r</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>
<scope>test</scope></dependency></dependencies><build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>
<artifactId>maven-surefire-plugin</artifactId><version>SUREFIRE</version></plugin></plugins></build></project>`;
const javaTest = (name: string, body: string) =>
  `package o;\nimport org.junit.jupiter.api.*;\nimport static org.junit.jupiter.api.Assertions.*;\nclass ${name} {\n${body}\n}\n`;
const JAVA = {
  "src/test/java/o/GoodTest.java": javaTest("GoodTest", "@Test void one() {}\n@Test @Disabled void two() {}"),
  "src/test/java/o/BadTest.java": javaTest("BadTest", "@Test void one() {}\n@Test void two() { assertEquals(1, 2); }"),
  "src/test/java/o/SkippedTest.java": javaTest("SkippedTest", "@Test @Disabled void one() {}"),
};
const CMAKE =
  "cmake_minimum_required(VERSION 3.10)\nproject(r NONE)\nenable_testing()\nadd_test(NAME good COMMAND true)\n" +
  'add_test(NAME "two words" COMMAND true)\nadd_test(NAME bad COMMAND false)\nadd_test(NAME lacking COMMAND ./lacking)\n';
const SPEC = `describe("rates", () => {
  it("halves", () => {});
  describe("of days", () => {
    it("counts, in days", () => {});
    it("fails", () => { throw new Error("bad"); });
    it.skip("waits", () => {});
  });
});
`;
const VITEST = `import { describe, it } from "vitest";\n${SPEC}`;
const bin = (name: string) => join(process.cwd(), "node_modules/.bin", name);

interface Printed {
  /** Of repositories whose tests are run in this way. */
  parsers: readonly string[];
  files: Readonly<Record<string, string>>;
  /** Of the shell. */
  commands: readonly string[];
}
const RUNNERS: readonly Printed[] = [
  {
    parsers: ["golang/cli/cli", "golang/grpc/grpc_go", "golang/zeromicro/go_zero"],
    files: {
      "go.mod": "module o/r\n\ngo 1.18\n",
      "half_test.go": GO,
      "broken/a_test.go": "package broken\nfunc x( {\n",
    },
    commands: ["go test -v -count=1 ./...", "go test -v ."],
  },
  {
    parsers: ["rust/BurntSushi/ripgrep", "rust/tokio_rs/tokio", "rust/clap_rs/clap"],
    files: {
      "Cargo.toml": '[package]\nname = "r"\nversion = "1.0.0"\n',
      "src/lib.rs": RUST,
      "tests/whole.rs": "#[test] fn whole() {}\n",
    },
    commands: ["cargo test --offline --no-fail-fast", "cargo test --offline --test whole"],
  },
  ...["2.22.2", "3.2.5"].map((version) => ({
    parsers: ["java/alibaba/fastjson2", "java/apache/dubbo", "java/fasterxml/jackson_core"],
    files: { "pom.xml": POM.replace("SUREFIRE", version), ...JAVA },
    commands: ["mvn -B clean test", "mvn test -Dstyle.color=always"],
  })),
  {
    parsers: ["cpp/fmtlib/fmt", "cpp/nlohmann/json", "cpp/simdjson/simdjson"],
    files: { "CMakeLists.txt": CMAKE },
    commands: ["cmake . >/dev/null; ctest"],
  },
  {
    parsers: ["javascript/axios/axios", "javascript/expressjs/express"],
    files: { "a.spec.js": SPEC },
    commands: [`${bin("mocha")} a.spec.js`],
  },
  {
    parsers: ["typescript/vuejs/core", "javascript/sveltejs/svelte"],
    files: { "a.test.ts": VITEST },
    commands: [`${bin("vitest")} run --reporter=verbose`],
  },
  {
    parsers: [
      "javascript/iamkun/dayjs",
      "typescript/darkreader/darkreader",
      "javascript/anuraghazra/github_readme_stats",
    ],
    files: { "package.json": "{}", "a.test.js": SPEC, "b.test.js": 'test("alone", () => {});\n' },
    commands: ["npm install --silent jest@29 && npx jest --verbose", "npx jest --verbose a.test.js"],
  },
];

/** @returns each output with a repository whose parser reads it */
function outputs({ parsers, files, commands }: Printed, at: number): [parser: string, log: string][] {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder.path, String(at), file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return commands.flatMap((command) => {
    const options = { cwd: join(folder.path, String(at)), encoding: "utf8", env: { ...process.env, CI: "" } } as const;
    const { stdout, stderr } = spawnSync("sh", ["-c", command], options);
    return parsers.map((parser): [string, string] => [parser, `${stdout}${stderr}`]);
  });
}

test.skipIf(!(await hasUv()))("each name that Multi-SWE-bench's harness reads passes or fails here, too", async () => {
  const python = join(folder.path, "parsers");
  const base = (await installedPythons()).get("3.11") ?? "3.11";
  const uv = (...words: string[]) => execFileSync(uvProgram(), words, { stdio: "pipe" });
  uv("venv", "--quiet", "--python", base, python);
  const harness = join(python, "bin/python");
  uv("pip", "install", "--quiet", "--python", harness, "--no-deps", "multi-swe-bench");
  uv("pip", "install", "--quiet", "--python", harness, "dataclasses-json", "unidiff");
  const logs = RUNNERS.flatMap(outputs);
  const said = execFileSync(harness, ["-c", READ], { input: JSON.stringify(logs), maxBuffer: 1 << 28 });
  const read: { passed: string[]; failed: string[] }[] = JSON.parse(said.toString());
  expect(read.filter(({ passed }) => passed.length > 0).length).toBeGreaterThanOrEqual(20);
  for (const [i, [parser, log]] of logs.entries()) {
    const index = new NamedTests([...worstOf(printedLog(log)?.tests ?? []).values()]);
    const passes = (name: string) => {
      const [meant = []] = index.meant(name);
      return meant.length > 0 && meant.every(({ status }) => status === "passed");
    };
    const { passed = [], failed = [] } = read[i] ?? {};
    const theirs = [...passed.map((name) => [name, true]), ...failed.map((name) => [name, false])];
    const ours = [...passed, ...failed].map((name) => [name, passes(name)]);
    expect(ours, `${parser}: ${log.slice(0, 3000)}`).toEqual(theirs);
  }
});

/** As a suite counts tests of one name. */
function worstOf<One extends { name: string; status: string }>(tests: readonly One[]): Map<string, One> {
  const worst = new Map<string, One>();
  for (const one of tests) if (worst.get(one.name)?.status !== "failed") worst.set(one.name, one);
  return worst;
}
