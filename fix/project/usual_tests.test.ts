import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { usualTestCommand } from "./usual_tests.ts";

const script = (test: string) => JSON.stringify({ scripts: { test } });

test.each([
  [{ "Cargo.toml": "" }, "cargo test"],
  [{ "go.mod": "module a" }, "go test ./..."],
  [{ "pom.xml": "" }, "mvn -o -q test"],
  [{ "CMakeLists.txt": "" }, "ctest"],
  [{ "package.json": script("vitest run") }, "npm test"],
  [{ "bag.py": "", "test_bag.py": "" }, "pytest"],
  [{ "bag.mjs": "", "bag.test.mjs": 'import { test } from "node:test";' }, "node --test"],
  [{ "bag/__init__.py": "", "tests/test_bag.py": "" }, "pytest"],
  [{ "package.json": script('echo "Error: no test specified" && exit 1'), "tests/test_bag.py": "" }, "pytest"],
])("of a project with %j it is %s", (files, command) => {
  using folder = temporaryFolder(files);
  const outside = process.cwd();
  process.chdir(folder.path);
  const found = [folder.path, "."].map(usualTestCommand);
  process.chdir(outside);
  expect(found).toEqual([command, command]);
});

test.each([
  [{ "bag.py": "" }, /--test COMMAND is needed.*does not say how its tests are run/],
  [{ "go.mod": "", "package.json": script("jest") }, /--test COMMAND is needed.*both `(?:go test|npm test)/],
])("of a project with %j it has to be named", (files, sentence) => {
  using folder = temporaryFolder(files);
  expect(() => usualTestCommand(folder.path)).toThrow(sentence);
  expect(() => usualTestCommand(join(folder.path, "absent"))).toThrow(/There is no folder /);
});
