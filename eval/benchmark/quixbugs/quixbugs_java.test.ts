import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { toolchain } from "../../../utils/languages/java/toolchain.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { findBenchmark } from "../find.ts";
import { quixBugsJava } from "./quixbugs_java.ts";

/** Programs of our own in the layout of QuixBugs. */
const program = (part: string, sign: string) =>
  `package ${part};\n\npublic class COUNT_DOWN {\n    public static int count_down(Link link) {\n        int n = 0;\n` +
  `        while (link != null) { n ${sign}= 1; link = link.next; }\n        return n;\n    }\n}\n`;
const FILES = {
  "java_programs/COUNT_DOWN.java": program("java_programs", "-"),
  "java_programs/Link.java": "package java_programs;\n\npublic class Link { public Link next; }\n",
  "java_programs/Unused.java": "package java_programs;\nimport com.missing.Thing;\npublic class Unused {}\n",
  "java_programs/ALONE.java": "package java_programs;\npublic class ALONE {}\n",
  "correct_java_programs/COUNT_DOWN.java": program("correct_java_programs", "+"),
  "java_testcases/junit/COUNT_DOWN_TEST.java":
    "package java_testcases.junit;\n\npublic class COUNT_DOWN_TEST {\n    @org.junit.Test(timeout = 1)\n" +
    "    public void test_0() {\n        org.junit.Assert.assertEquals(1, java_programs.COUNT_DOWN.count_down(Helper.one()));\n    }\n}\n",
  "java_testcases/junit/Helper.java":
    "package java_testcases.junit;\n\npublic class Helper { static java_programs.Link one() { return new java_programs.Link(); } }\n",
  "java_testcases/junit/ALONE_TEST.java": "package java_testcases.junit;\npublic class ALONE_TEST {}\n",
};
const { signal } = new AbortController();

async function open(folder: string, lines: string[] = []) {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return await quixBugsJava.open(folder, {
    ...{ prepare: false, log: (line) => lines.push(line), openBox: () => openCommandBox() },
  });
}

test("each program with tests is a file to repair, shown with what it uses and without its tests", async () => {
  using folder = temporaryFolder();
  using left = temporaryFolder();
  const lines: string[] = [];
  using benchmark = await open(folder.path, lines);
  expect((await findBenchmark(folder.path, { log: () => {} })).benchmark.name).toBe("quixbugs-java");
  expect(benchmark.tasks.map(({ id }) => id)).toEqual(["QuixBugs-Java/COUNT_DOWN"]);
  expect(lines.join("\n")).toContain("QuixBugs-Java/ALONE: there is no correct_java_programs/ALONE.java");
  expect(benchmark.shown).toBe("instructions and the buggy file, one try");
  const [task] = benchmark.tasks;
  if (task?.assignment.type !== "work") throw new Error("a folder");
  const told = await task.assignment.prepare(left.path, signal);
  expect(told).toContain("n -= 1");
  expect(told).toContain("class Link");
  expect(told).not.toMatch(/Unused|assertEquals|Helper/);
  expect(task.reference("gold")).toContain("+        while (link != null) { n += 1; link = link.next; }");
});

test("the correct program passes JUnit's tests however slow the machine is, the buggy one does not", DEEP, async () => {
  if (!toolchain()) return console.warn("skipped: there is no javac");
  using folder = temporaryFolder();
  using benchmark = await open(folder.path);
  const unused = undefined as never;
  const [checked] = await benchmark.check(benchmark.tasks, { sandbox: unused, by: "gold", log: () => {} });
  const task = checked?.task;
  if (!task) return console.warn(`skipped: ${checked?.remarks[0]?.reason}`);
  const scored = async (which: "gold" | "empty") => await task.score(task.reference(which), unused, signal);
  expect(await scored("gold")).toMatchObject({ score: { passed: true, explanation: "" } });
  expect(await scored("empty")).toMatchObject({
    score: {
      passed: false,
      explanation: expect.stringMatching(/failing tests: test_0[\s\S]*expected:<1> but was:<-1>/),
    },
  });
});
