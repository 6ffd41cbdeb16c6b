import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findProject } from "../../utils/project/project.ts";
import { planTests } from "./plan_tests.ts";
import { makeProject } from "./testing/project.ts";

async function planned(file: string, files: Record<string, string>, tests: string | null = null): Promise<string> {
  using folder = makeProject({ files });
  const own = tests === null ? [] : [folder.at(tests)];
  const project = findProject([folder.at(file), ...own]);
  return (await planTests(project, own[0] ?? null, undefined)).command;
}

const MAIN = "package main\n\nfunc main() {}\n";

test.each([
  ["join.cpp", "int main() { return 0; }\n", "g++ join.cpp -o join && ./join"],
  ["my join.cpp", "int main() { return 0; }\n", "g++ 'my join.cpp' -o 'my join' && ./'my join'"],
  ["a.rs", "#[test]\nfn t() {}\n", "rustc --edition 2021 --test a.rs -o a && ./a"],
  ["a.rs", "fn main() {}\n", "rustc --edition 2021 a.rs -o a && ./a"],
  ["a.go", MAIN, "go build -o a a.go && ./a"],
  [
    "Spans.java",
    "package x.y;\nclass Spans {\n  static void main(String[] a) {}\n}\n",
    "javac -d classes Spans.java && java -ea -cp classes x.y.Spans",
  ],
])("a file of no project is its own program: %s", async (file, text, command) => {
  expect(await planned(file, { [file]: text })).toBe(command);
});

test("Go's tests stand beside the file", async () => {
  const files = { "a.go": "package a\n", "a_test.go": "package a\n" };
  expect(await planned("a.go", files, "a_test.go")).toBe("go test a.go a_test.go");
});

test.each([
  ["a.cpp", '#include "a.cpp"\n', "g++ -std=c++20 a_test.cpp -o a_test && ./a_test"],
  ["a.hpp", '#include "a.hpp"\n', "g++ -std=c++20 a_test.cpp -o a_test && ./a_test"],
  ["a.cpp", '#include "a.hpp"\n', "g++ -std=c++20 a.cpp a_test.cpp -o a_test && ./a_test"],
  [
    "a.cpp",
    '#include "a.hpp"\n#include <gtest/gtest.h>\n',
    "g++ -std=c++20 a.cpp a_test.cpp -o a_test -lgtest -lgtest_main -pthread && ./a_test",
  ],
])("tests of C++ stand beside the file, and may include it: %s", async (file, text, command) => {
  expect(await planned(file, { [file]: "int f();\n", "a_test.cpp": text }, "a_test.cpp")).toBe(command);
});

test("tests of JUnit stand beside the file", async ({ skip }) => {
  skip(!existsSync("/usr/share/java/junit-platform-console.jar"), "JUnit's console is not installed");
  const files = { "A.java": "class A {}\n", "ATest.java": "import org.junit.jupiter.api.Test;\nclass ATest {}\n" };
  expect(await planned("A.java", files, "ATest.java")).toBe(
    "javac -d classes -cp '/usr/share/java/*' A.java ATest.java && " +
      "java -cp 'classes:/usr/share/java/*' org.junit.platform.console.ConsoleLauncher --scan-class-path classes",
  );
});

test("tests of Java that have a main stand beside the file", async () => {
  const main = "class ATest {\n  public static void main(String[] a) {}\n}\n";
  expect(await planned("A.java", { "A.java": "class A {}\n", "ATest.java": main }, "ATest.java")).toBe(
    "javac -d classes A.java ATest.java && java -ea -cp classes ATest",
  );
  await expect(planned("A.java", { "A.java": main, "ATest.java": "class ATest {}\n" }, "ATest.java")).rejects.toThrow(
    /has no pom\.xml/,
  );
});

test("what has no test is asked for one, and a project's file is no program of its own", async () => {
  await expect(planned("a.cpp", { "a.cpp": "int f();\n" })).rejects.toThrow(
    /has no CMakeLists\.txt: name the command that builds and tests it with --test-command COMMAND\.$/,
  );
  await expect(planned("a.rs", { "a.rs": "fn f() {}\n" })).rejects.toThrow(/has no Cargo\.toml:/);
  expect(await planned("cmd/a.go", { "go.mod": "module a\n", "cmd/a.go": MAIN })).toBe("go test ./...");
});

test("commands of CMake start at the outermost folder with its file, those of Gradle at the innermost", async () => {
  const cmake = { "CMakeLists.txt": "", "src/CMakeLists.txt": "", "src/a.cpp": "int main() {}\n" };
  using native = makeProject({ files: cmake });
  expect(findProject([native.at("src/a.cpp")]).folder).toBe(findProject([native.at("CMakeLists.txt")]).folder);
  const gradle = { "settings.gradle": "", "app/build.gradle": "", "app/src/A.java": "class A {}\n" };
  using app = makeProject({ files: gradle });
  const { root, folder } = findProject([app.at("app/src/A.java")]);
  expect(folder).toBe(`${root}/app`);
});
