import { expect, test } from "vitest";
import { UserError } from "../base/data/errors.ts";
import { Arguments } from "./arguments.ts";

const seconds = (time: string) => new Arguments<"time">({ time }, []).seconds("time");

test.each([
  ["30", 30],
  ["30s", 30],
  ["1.5m", 90],
  ["2h", 7200],
])("a time of %s is %d seconds", (text, expected) => {
  expect(seconds(text)).toBe(expected);
});

test.each(["", "s", "-3", "0", "0.5", "3 days", "1e3", "Infinity"])('a time of "%s" is refused', (text) => {
  expect(() => seconds(text)).toThrow(UserError);
  expect(() => seconds(text)).toThrow(
    `--time takes a time from 1 seconds to 500 hours, such as 30, 30s or 2m, not "${text}".`,
  );
});

test("each number has an upper bound, which the message says", () => {
  const args = new Arguments<"n">({ n: "2147483648" }, []);
  expect(() => args.count("n", 1, 256)).toThrow('--n takes a whole number from 1 to 256, not "2147483648".');
  const huge = new Arguments<"n">({ n: "1e300" }, []);
  for (const read of [() => huge.count("n"), () => huge.number("n"), () => huge.counts("n")])
    expect(read).toThrow(/from .*to 1000000000000.*, not "1e300"/);
  // A timer of Node.js that is longer ends at once.
  expect(() => seconds("600h")).toThrow("to 500 hours");
});

test("a command line is given again with options set, each once", () => {
  const args = ["--num", "2", "--run", "a b"];
  const again = new Arguments<"run" | "all">({ num: "2", run: "a b" }, [], { name: "mend eval", args });
  expect(again.again({ run: "a b", all: true })).toBe("mend eval --num 2 --run 'a b' --all");
  const secret = new Arguments<"run" | "all">({}, [], { name: "mend eval", args: ["redis://u:p@host"] });
  expect(secret.again({ run: "a b", all: true })).toBe("the same command with --run 'a b' --all");
});
