import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/command.ts";
import { UserError } from "../data/errors.ts";
import { appendJsonl, parseJsonl, readJsonlTolerant } from "./jsonl.ts";

const Line = z.object({ id: z.string(), n: z.number() });
const Union = z.union([
  z.object({ id: z.string(), passed: z.boolean() }),
  z.object({ id: z.string(), error: z.object({ kind: z.string() }) }),
]);

describe("a strict file", () => {
  test.each([
    ["torn", '{"id":"a","n":1}\n{"id":"b","n', "t.jsonl, line 2: not valid JSON. Is the line cut off?"],
    ["field missing", '{"id":"a","n":1}\n\n{"id":"b"}\n', 't.jsonl, line 3: field "n" is missing.'],
    ["wrong type", '{"id":7,"n":1}\n', 't.jsonl, line 1: field "id" is wrong: it is a number, and a text is needed.'],
    ["null", '{"id":"a","n":null}\n', 't.jsonl, line 1: field "n" is wrong: it is null, and a number is needed.'],
    ["no object", "[]\n", "t.jsonl, line 1: it is a list, and an object is needed."],
  ])("%s: names file, line and field", (_, text, message) => {
    expect(() => parseJsonl(text, Line, "t.jsonl")).toThrow(new UserError(message));
  });

  test("a union is explained by the alternative that was nearly met", () => {
    expect(() => parseJsonl('{"id":"a","error":{}}\n', Union, "t")).toThrow('line 1: field "error.kind" is missing.');
  });

  test("a byte order mark, CRLF, blank lines and a missing last line break are accepted", () => {
    const text = '\uFEFF{"id":"a","n":1}\r\n\r\n{"id":"b","n":2}';
    expect(parseJsonl(text, Line, "t")).toEqual([
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ]);
  });
});

describe("a log", () => {
  test("that does not exist yet is empty", () => {
    using folder = temporaryFolder();
    expect(readJsonlTolerant(folder.path, "none.jsonl", Line)).toEqual([]);
  });

  test("that was cut anywhere loses at most the record that was cut, and can be continued", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log.jsonl");
    const rows = [
      { id: "é東🙂", n: 1 },
      { id: "b\nb", n: 22 },
      { id: "{}", n: 333 },
    ];
    for (const row of rows) appendJsonl(file, row);
    const whole = readFileSync(file);
    const next = { id: "next", n: 4 };
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(file, whole.subarray(0, size));
      const kept = readJsonlTolerant(folder.path, "log.jsonl", Line);
      const complete = whole.subarray(0, size).toString().split("\n").length - 1;
      expect(kept).toEqual(rows.slice(0, kept.length));
      expect(kept.length).toBeGreaterThanOrEqual(complete);
      appendJsonl(file, next);
      expect(readJsonlTolerant(folder.path, "log.jsonl", Line)).toEqual([...kept, next]);
    }
  });

  test("any records come back as they were appended", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log.jsonl");
    const written: unknown[] = [];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const record = JSON.parse(JSON.stringify({ value }));
        appendJsonl(file, record);
        written.push(record);
      }),
    );
    expect(readJsonlTolerant(folder.path, "log.jsonl", z.unknown())).toEqual(written);
  });

  test("a torn last line longer than a read is removed whole", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log.jsonl");
    writeFileSync(file, `{"id":"a","n":1}\n{"id":"${"x".repeat(200_000)}`);
    appendJsonl(file, { id: "b", n: 2 });
    expect(readFileSync(file, "utf8")).toBe('{"id":"a","n":1}\n{"id":"b","n":2}\n');
  });

  test("with a torn line in the middle is an error, not a shorter log", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log.jsonl");
    writeFileSync(file, '{"id":"a","n":1}\n{"id":"b\n{"id":"c","n":3}\n');
    expect(() => readJsonlTolerant(folder.path, "log.jsonl", Line)).toThrow("line 2: not valid JSON");
    writeFileSync(file, '{"id":"a"}\n{"id":"c","n":3}\n');
    expect(() => readJsonlTolerant(folder.path, "log.jsonl", Line)).toThrow('line 1: field "n" is missing');
  });

  test.skipIf(process.getuid?.() === 0)("that may not be read is refused", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "log.jsonl");
    writeFileSync(file, "{}\n");
    chmodSync(file, 0);
    expect(() => readJsonlTolerant(folder.path, "log.jsonl", Line)).toThrow("may not be read");
  });
});
