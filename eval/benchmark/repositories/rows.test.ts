import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { readRepositoryRows } from "./rows.ts";

const PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n";
const TEST_PATCH = PATCH.replaceAll("a.py", "tests/test_a.py");
const swe = {
  instance_id: "o__r-1",
  repo: "o/r",
  base_commit: "abc",
  patch: PATCH,
  test_patch: TEST_PATCH,
  problem_statement: " It breaks. ",
  FAIL_TO_PASS: '["tests/test_a.py::test_x"]',
  PASS_TO_PASS: ["tests/test_a.py::test_y"],
};
const multi = {
  org: "o",
  repo: "r",
  number: 7,
  base: { sha: "abc" },
  resolved_issues: [{ title: "It breaks", body: "when asked" }, { title: "Twice" }],
  fix_patch: PATCH,
  test_patch: TEST_PATCH,
  f2p_tests: { "tests/test_a.py::test_x": { fix: "PASS" } },
  p2p_tests: {},
};
const js = { ...swe, test_patch: TEST_PATCH.replaceAll("test_a.py", "a.js"), FAIL_TO_PASS: ["a b"], PASS_TO_PASS: [] };
const own = { language: "js", framework: "mocha", test_files: ["tests/a.js"] };

/** Reads a file of the rows and one sound row, which is taken out again: a file of bad rows alone is an error. */
async function read(...rows: unknown[]) {
  using folder = temporaryFolder();
  const file = join(folder.path, "tasks.jsonl");
  const all = [...rows, { ...swe, instance_id: "sound" }];
  writeFileSync(file, all.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n"));
  const { tasks, remarks, order } = await readRepositoryRows(file);
  const leftOut = remarks.map(({ id, reason }) => ({ id, reason }));
  return { tasks: tasks.filter(({ id }) => id !== "sound"), leftOut, order: order.slice(0, -1) };
}

test("rows of SWE-bench, with names as JSON text or as a list", async () => {
  const [task] = (await read(swe)).tasks;
  expect(task).toMatchObject({
    id: "o__r-1",
    issue: "It breaks.",
    failToPass: ["tests/test_a.py::test_x"],
    passToPass: ["tests/test_a.py::test_y"],
    language: "python",
    framework: "pytest",
    testFiles: ["tests/test_a.py"],
    kind: "repair",
  });
});

test("of the files of a patch of tests those count whose tests are named", async () => {
  const data = TEST_PATCH.replaceAll("test_a.py", "data/sample.py");
  const [task] = (await read({ ...swe, test_patch: data + TEST_PATCH })).tasks;
  expect(task?.testFiles).toEqual(["tests/test_a.py"]);
  const [other] = (await read({ ...swe, test_patch: data })).tasks;
  expect(other?.testFiles, "none is named").toEqual(["tests/data/sample.py"]);
});

test("rows of one version share what had come when the last of them was made", async () => {
  const dated = (id: string, version: string, created_at: string) => ({ ...swe, instance_id: id, version, created_at });
  const rows = [dated("a", "3.1", "2020-05-01"), dated("b", "3.1", "2020-06-01"), dated("c", "", "2020-01-01")];
  expect((await read(...rows)).tasks.map(({ packagesAt }) => packagesAt)).toEqual([
    ...["2020-06-01", "2020-06-01", "2020-01-01"],
  ]);
});

test("rows of Multi-SWE-bench", async () => {
  const [task] = (await read(multi)).tasks;
  expect(task).toMatchObject({
    id: "o__r-7",
    repo: "o/r",
    base: "abc",
    issue: "It breaks\n\nwhen asked\n\nTwice",
    failToPass: ["tests/test_a.py::test_x"],
    passToPass: [],
    patch: PATCH,
  });
});

const PRO = {
  ...{ instance_id: "instance_o__r-abc", repo: "o/r", base_commit: "abc", patch: PATCH, test_patch: TEST_PATCH },
  ...{ problem_statement: "It breaks.", requirements: "It halves.", interface: "half(x)", repo_language: "python" },
  ...{ dockerhub_tag: "o.r-o__r-abc", pass_to_pass: "[]", selected_test_files_to_run: "['tests/test_a.py']" },
  fail_to_pass: `['tests/test_a.py::test_x[a-\\'b\\'\\n]', "tests/test_a.py::test_it's"]`,
};

test.each([
  ["Multi-SWE-bench", multi, { name: "mswebench/o_m_r:pr-7", root: "/home/r", command: "bash /home/run.sh" }],
  ["SWE-bench Pro", PRO, { name: "jefzda/sweap-images:o.r-o__r-abc", root: "/app", framework: "" }],
  ["SWE-bench Pro in Go", { ...PRO, repo_language: "go" }, { root: "/app", framework: "go test" }],
  ["SWE-bench", { ...swe, repo: "psf/requests" }, { root: "/testbed", framework: "pytest -rA", hides: [] }],
  ["a row that names its image", { ...swe, docker_image: "a/b:1" }, { name: "a/b:1", root: "/testbed" }],
])("the image of %s, and where it has the repository", async (_, row, image) => {
  expect((await read(row)).tasks[0]?.image).toMatchObject(image);
});

test("rows of SWE-bench Pro: lists as Python prints them, and all that is asked for", async () => {
  expect((await read(PRO)).tasks[0]).toMatchObject({
    ...{ id: "instance_o__r-abc", issue: "It breaks.\n\nIt halves.\n\nhalf(x)", framework: "pytest" },
    failToPass: ["tests/test_a.py::test_x[a-'b'\n]", "tests/test_a.py::test_it's"],
  });
  const { leftOut } = await read({ ...PRO, fail_to_pass: "['a', open('b')]" });
  expect(leftOut).toMatchObject([{ reason: expect.stringMatching(/^field "fail_to_pass" is wrong/) }]);
});

test("tests that are new with the fix fail before it; what is left out keeps its place", async () => {
  const row = {
    ...multi,
    f2p_tests: {},
    n2p_tests: { "tests/test_a.py::test_new": {} },
    s2p_tests: ["tests/test_a.py::s"],
  };
  const { tasks, order } = await read("{", swe, "", { ...swe, instance_id: "bad", patch: "" }, row);
  expect(tasks[1]?.failToPass).toEqual(["tests/test_a.py::test_new", "tests/test_a.py::s"]);
  expect(order.slice(1)).toEqual(["o__r-1", "bad", "o__r-7"]);
});

test("a framework that is not known is run by the row's command, else by the repository's own", async () => {
  const commandOf = async (row: object) => (await read(row)).tasks[0]?.command;
  expect(await commandOf({ ...js, mend: own })).toBe("");
  expect(await commandOf(js)).toBe("npm test");
  expect(await commandOf({ ...js, mend: { ...own, framework: "cypress" } })).toBe("npm test");
  expect(await commandOf({ ...js, mend: { ...own, framework: "ava", test: "npx ava --tap" } })).toBe("npx ava --tap");
  const rust = { ...js, test_patch: TEST_PATCH.replaceAll(".py", ".rs"), FAIL_TO_PASS: ["tests::half"] };
  expect(await commandOf(rust)).toBe("cargo test");
});

test("our own rows say language, framework and test files", async () => {
  expect((await read({ ...js, mend: own })).tasks[0]).toMatchObject({ language: "javascript", framework: "mocha" });
  expect((await read({ ...js, mend: { ...own, language: "ts", framework: "node:test" } })).tasks[0]).toMatchObject({
    language: "javascript",
    framework: "node:test",
  });
});

test.each([
  ["{", "line 1", "it is not valid JSON, perhaps cut off"],
  [{ ...swe, patch: "" }, "o__r-1", /^field "patch" is wrong/],
  [
    { ...swe, FAIL_TO_PASS: "x" },
    "o__r-1",
    'field "FAIL_TO_PASS" is wrong: it is not a list of names, nor such a list as JSON text',
  ],
  [{ ...swe, FAIL_TO_PASS: [] }, "o__r-1", "it names no test that fails before the fix"],
  [{ ...swe, test_patch: TEST_PATCH.replaceAll(".py", ".rb") }, "o__r-1", /in a language that is not run here/],
  [
    { ...swe, FAIL_TO_PASS: ["test_a"], PASS_TO_PASS: [] },
    "o__r-1",
    /does not say which test framework.*which command/,
  ],
  [
    { ...swe, mend: { language: "py", framework: "nose", test_files: ["tests/test_a.py"] } },
    "o__r-1",
    /^its test framework "nose" is not known, and its row names no command/,
  ],
  [{ ...js, mend: { ...own, language: "ruby" } }, "o__r-1", /^field "mend.language" is wrong: ruby is not a language/],
])("what is of no use is left out with the reason: %#", async (row, id, reason) => {
  const { tasks, leftOut } = await read(row);
  expect(tasks).toEqual([]);
  expect(leftOut).toEqual([{ id, reason: typeof reason === "string" ? reason : expect.stringMatching(reason) }]);
});

test.each([
  ...[
    "../private",
    "..",
    "/etc",
    "a/../b",
    "a/b/c",
    "",
    "o/",
    "o/.git",
    "o\n/r",
    "\x1b[2J/r",
    "o/r\0",
    "a".repeat(201),
  ],
])("the repository %j is refused by its name", async (repo) => {
  const reason = expect.stringMatching(/^field "repo" is wrong: it is not the name of a repository/);
  expect(await read({ ...swe, repo })).toMatchObject({ tasks: [], leftOut: [{ id: "o__r-1", reason }] });
  expect((await read({ ...multi, org: repo })).tasks).toEqual([]);
});

test.each(["../../etc/passwd", "/etc/passwd", ".git/config", "a\n.py", ""])(
  "the file of tests %j is refused",
  async (file) => {
    expect((await read({ ...js, mend: { ...own, test_files: [file] } })).leftOut).toMatchObject([
      { reason: 'field "mend.test_files.0" is wrong: it is not the path of a file in the repository' },
    ]);
  },
);

test("of two rows with one id the second is left out; a file that is not there is reported", async () => {
  expect(await read(swe, swe)).toMatchObject({
    tasks: [{ id: "o__r-1" }],
    leftOut: [{ id: "o__r-1 (line 2)", reason: "another row has the same id (line 1)" }],
  });
  await expect(readRepositoryRows("absent.jsonl")).rejects.toThrow("absent.jsonl: there is no such file");
});
