// @module-tag deep
/** Rows in Go, Rust and Java whose fix needs a module: fetched in a box that reaches the registry, and run offline. */

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { FETCHERS } from "../../../utils/project/packages/modules/registries.ts";
import { getFrom } from "../../../utils/project/packages/registry_client.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { openRepositoryBenchmark } from "./benchmark.ts";

interface Case {
  language: "go" | "rust" | "java";
  program: string;
  files: Record<string, string>;
  fix: Record<string, string>;
  tests: Record<string, string>;
  failToPass: string[];
  passToPass: string[];
  /** Of what is fetched. */
  holds: string;
}

const GO: Case = {
  language: "go",
  program: "go",
  files: {
    "go.mod": "module example.com/shop\n\ngo 1.18\n",
    "shop.go": "package shop\n\nfunc Same(a, b []int) bool { return len(a) == len(b) }\n",
    "shop_test.go":
      'package shop\n\nimport "testing"\n\nfunc TestNone(t *testing.T) {\n\tif !Same(nil, nil) {\n\t\tt.Fail()\n\t}\n}\n',
  },
  fix: {
    "go.mod": "module example.com/shop\n\ngo 1.18\n\nrequire github.com/google/go-cmp v0.6.0\n",
    "go.sum":
      "github.com/google/go-cmp v0.6.0 h1:ofyhxvXcZhMsU5ulbFiLKl/XBFqE1GSq7atu8tAmTRI=\n" +
      "github.com/google/go-cmp v0.6.0/go.mod h1:17dUlkBOakJ0+DkrSSNjCkIjxS6bF9zb3elmeNGIjoY=\n",
    "shop.go":
      'package shop\n\nimport "github.com/google/go-cmp/cmp"\n\nfunc Same(a, b []int) bool { return cmp.Equal(a, b) }\n',
  },
  tests: {
    "shop_test.go":
      'package shop\n\nimport "testing"\n\nfunc TestNone(t *testing.T) {\n\tif !Same(nil, nil) {\n\t\tt.Fail()\n\t}\n}\n\n' +
      "func TestOther(t *testing.T) {\n\tif Same([]int{1}, []int{2}) {\n\t\tt.Fail()\n\t}\n}\n",
  },
  failToPass: ["TestOther"],
  passToPass: ["TestNone"],
  holds: "github.com",
};

const CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n';
const RUST: Case = {
  language: "rust",
  program: "cargo",
  files: {
    "Cargo.toml": CARGO,
    "src/lib.rs": 'pub fn text(number: i64) -> String {\n    format!("{number}.")\n}\n',
    "tests/shop.rs": "#[test]\nfn none() {\n    assert!(!shop::text(1).is_empty());\n}\n",
  },
  fix: {
    "Cargo.toml": `${CARGO}\n[dependencies]\nroman = "0.2"\n`,
    "src/lib.rs": "pub fn text(number: i64) -> String {\n    roman::to(number as _).unwrap_or_default()\n}\n",
  },
  tests: {
    "tests/shop.rs":
      "#[test]\nfn none() {\n    assert!(!shop::text(1).is_empty());\n}\n\n" +
      '#[test]\nfn other() {\n    assert_eq!(shop::text(12), "XII");\n}\n',
  },
  failToPass: ["other"],
  passToPass: ["none"],
  holds: "roman-",
};

const POM = (more: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>
      <scope>test</scope>
    </dependency>
${more}  </dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
`;
const LANG = `    <dependency>
      <groupId>org.apache.commons</groupId><artifactId>commons-lang3</artifactId><version>3.14.0</version>
    </dependency>
`;
const javaTest = (more: string) => `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShopTest {
    @Test
    void none() {
        new java.io.File("/modules/ran").mkdir();
        assertEquals(0, Shop.greatest(0, 0));
    }
${more}}
`;
const JAVA: Case = {
  language: "java",
  program: "mvn",
  files: {
    "pom.xml": POM(""),
    "src/main/java/shop/Shop.java":
      "package shop;\n\npublic class Shop {\n    public static int greatest(int... all) {\n        return all[0];\n    }\n}\n",
    "src/test/java/shop/ShopTest.java": javaTest(""),
  },
  fix: {
    "pom.xml": POM(LANG),
    "src/main/java/shop/Shop.java":
      "package shop;\n\nimport org.apache.commons.lang3.math.NumberUtils;\n\npublic class Shop {\n" +
      "    public static int greatest(int... all) {\n        return NumberUtils.max(all);\n    }\n}\n",
  },
  tests: {
    "src/test/java/shop/ShopTest.java": javaTest(
      "\n    @Test\n    void other() {\n        assertEquals(2, Shop.greatest(1, 2));\n    }\n",
    ),
  },
  failToPass: ["shop.ShopTest.other"],
  passToPass: ["shop.ShopTest.none"],
  holds: "org",
};

beforeEach(() => {
  // Neither what mend kept nor what the user has.
  for (const name of ["XDG_CACHE_HOME", "GOMODCACHE", "CARGO_HOME"]) vi.stubEnv(name, temporaryFolder().path);
});
afterEach(() => vi.unstubAllEnvs());

/** Writes a row as Multi-SWE-bench has it, and the repository that it is of. */
function written({ files, fix, tests, ...row }: Case): string {
  using made = makeRepository(files);
  const folder = temporaryFolder().path;
  const multi = {
    ...{ org: "o", repo: "r", number: 1, base: { sha: made.git("rev-parse", "HEAD").trim() } },
    resolved_issues: [{ title: "wrong", body: "It tells something else." }],
    ...{ fix_patch: made.patchTo(fix), test_patch: made.patchTo(tests) },
    f2p_tests: Object.fromEntries(row.failToPass.map((name) => [name, { fix: "PASS" }])),
    p2p_tests: Object.fromEntries(row.passToPass.map((name) => [name, { fix: "PASS" }])),
  };
  writeFileSync(join(folder, "tasks.jsonl"), JSON.stringify(multi));
  made.git("clone", "--quiet", ".", join(folder, "clones/o/r"));
  return folder;
}

/** Why modules cannot be fetched here; null where they can. */
async function lacking({ language, program }: Case, box: CommandBox): Promise<string | null> {
  if (findProgram(program) === undefined) return `there is no ${program}`;
  if (box.layer !== "bwrap") return "there is no bubblewrap";
  const { registry } = FETCHERS[language]?.open("/") ?? {};
  const reply = registry && (await getFrom(registry.root, registry, "*/*").catch(() => null));
  await reply?.body.dump();
  return reply ? null : `the registry of ${program} is not reached`;
}

test.for([GO, RUST, JAVA])("$language: a fix that needs a module", async (one, { skip }) => {
  const box = await openCommandBox();
  const why = await lacking(one, box);
  if (why !== null) console.warn(`skipped: ${why}`);
  skip(why !== null);
  const folder = written(one);
  const lines: string[] = [];
  const scored = async (prepare: boolean) => {
    using benchmark = await openRepositoryBenchmark({
      ...{ rows: join(folder, "tasks.jsonl"), repositories: join(folder, "clones") },
      ...{ prepare, box, log: (line: string) => lines.push(line) },
    });
    const [task] = benchmark.tasks;
    if (!task) throw new Error("the row was left out");
    const answer = task.reference("gold");
    return await task.score(answer, await openSandbox(), new AbortController().signal);
  };
  if (one.language !== "java" || !existsSync(join(homedir(), ".m2/repository")))
    expect(await scored(false)).toMatchObject({ error: expect.stringContaining("cannot be run here") });
  expect(await scored(true)).toMatchObject({ score: { passed: true } });
  expect(lines).toContain("dataset: o__r-1: its modules are being fetched");
  const kept = join(process.env.XDG_CACHE_HOME ?? "", "mend/environments");
  const [place = "", ...others] = readdirSync(kept);
  expect(others, "nothing else is kept").toEqual([]);
  const modules = readdirSync(join(kept, place, ".mend-modules"));
  expect(modules.some((name) => name.startsWith(one.holds))).toBe(true);
  expect(modules, "no test runs where they are fetched").not.toContain("ran");
  expect(existsSync(join(folder, "clones/o/r/.mend-modules"))).toBe(false);
  expect(await scored(false), "it is kept").toMatchObject({ score: { passed: true } });
  expect(lines.filter((line) => line.includes("being fetched"))).toHaveLength(1);
});
