import { expect, test } from "vitest";
import { lastPartOf, shellPartOf } from "./suite.ts";

test.each([
  ["mkdir -p build && cd build && cmake .. && make", "cd build"],
  ["cmake -S . -B build && cmake --build build", ""],
  ["export A=1 && B=2 && C=3 make && . ./settings.sh && make", "export A=1 && B=2 && . ./settings.sh"],
  ["javac -d /tmp/classes A.java", ""],
  ['cd "my folder" && make', 'cd "my folder" && make'],
  ["", ""],
])("what is built is not built again, and the shell stays as tests need it: %s", (setup, part) => {
  expect(shellPartOf(setup)).toBe(part);
});

test.each([
  ["g++ a.cpp -o a && ./a", "./a"],
  ["cd build && cmake .. && make && ./tests", "cd build && ./tests"],
  ["make check", "make check"],
  ["g++ a.cpp || exit 2 && ./a", "g++ a.cpp || exit 2 && ./a"],
  ["make && ./a & ./b", "make && ./a & ./b"],
  ['sh -c "make && ./a"', 'sh -c "make && ./a"'],
])("of a command that builds and runs the last part is run for each edit: %s", (command, part) => {
  expect(lastPartOf(command)).toBe(part);
});
