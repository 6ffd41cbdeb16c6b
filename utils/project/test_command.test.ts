import { expect, test } from "vitest";
import { placed, shownCommand } from "./test_command.ts";

test.each([
  ["/tmp/my clone/a.mjs", "/box/outside/tmp/my clone/a.mjs"],
  ["--out=/tmp/my clone", "--out=/box/outside/tmp/my clone"],
  ["/srv/other:/tmp/my clone/b", "/srv/other:/box/outside/tmp/my clone/b"],
  ["--reporter=file:///tmp/my%20clone/a%23b.mjs", "--reporter=file:///box/outside/tmp/my%20clone/a%23b.mjs"],
  ["--import file:///tmp/my%20clone/a.mjs --flag", "--import file:///box/outside/tmp/my%20clone/a.mjs --flag"],
  ["file:///tmp/my%20clones/a.mjs http://tmp/my%20clone", "file:///tmp/my%20clones/a.mjs http://tmp/my%20clone"],
])("a word has paths as the box has them: %s", (word, inBox) => {
  expect(placed(word, ["/tmp/my clone"], (path) => `/box/outside${path}`)).toBe(inBox);
});

test("of many files the first ones and the number of the others are shown", () => {
  const files = Array.from({ length: 40 }, (_, i) => `tests/part-${i}.test.js`).join(" ");
  const short = "jest tests/part-0.test.js tests/part-1.test.js tests/part-2.test.js …(37 more)";
  expect(shownCommand(`jest ${files}`)).toBe(short);
  expect(shownCommand(`jest ${files} --ci`)).toBe(`${short} --ci`);
  expect(shownCommand("pytest tests/a.py tests/b.py -q")).toBe("pytest tests/a.py tests/b.py -q");
});

test("of a long class path the first entry and the number of the others are shown", () => {
  const jars = Array.from({ length: 12 }, (_, i) => `/usr/share/java/part-${i}.jar`).join(":");
  expect(shownCommand(`java -cp out:${jars} org.junit.Main --scan-classpath out`)).toBe(
    "java -cp out:…(12 more) org.junit.Main --scan-classpath out",
  );
  for (const command of [
    "java -cp out:lib/a.jar:lib/b.jar Main",
    `pytest tests/test_${"long_".repeat(12)}name.py::TestRates::test_total`,
  ])
    expect(shownCommand(command)).toBe(command);
});
