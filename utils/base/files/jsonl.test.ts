import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/command.ts";
import { ALSO_DEEP, quarter } from "../../testing/repeats.ts";
import { UserError } from "../data/errors.ts";
import { appendJsonl, parseJsonl, readJsonlTolerant, readLocatedJsonl } from "./jsonl.ts";

const Line = z.object({ id: z.string(), n: z.number() });
const Union = z.union([
  z.object({ id: z.string(), passed: z.boolean() }),
  z.object({ id: z.string(), error: z.object({ kind: z.string() }) }),
]);

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  return error instanceof Error ? error.message : "";
}

describe("a strict file", () => {
  test.each([
    ["torn", '{"id":"a","n":1}\n{"id":"b","n', "t.jsonl, line 2: not valid JSON. Is the line cut off?"],
    ["field missing", '{"id":"a","n":1}\n\n{"id":"b"}\n', 't.jsonl, line 3: field "n" is missing.'],
    [
      "wrong type",
      '{"id":7,"n":1}\n',
      't.jsonl, line 1: field "id" is wrong: Invalid input: expected string, received number.',
    ],
    [
      "null",
      '{"id":"a","n":null}\n',
      't.jsonl, line 1: field "n" is wrong: Invalid input: expected number, received null.',
    ],
    ["no object", "[]\n", "t.jsonl, line 1: Invalid input: expected object, received array."],
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

  test("a file reads as its text does, gzipped or not, whatever characters its strings hold", async () => {
    using folder = temporaryFolder();
    const rows = Array.from({ length: 3_000 }, (_, n) => ({ id: `line\u2028separator é東🙂 ${n}`, n }));
    const text = `\uFEFF${rows.map((row) => JSON.stringify(row)).join("\r\n")}\r\n`;
    const plain = join(folder.path, "rows.jsonl");
    const packed = join(folder.path, "rows.jsonl.gz");
    writeFileSync(plain, text);
    writeFileSync(packed, gzipSync(text));
    const expected = rows.map((value, i) => ({ line: i + 1, value }));
    expect(await readLocatedJsonl(plain, Line)).toEqual(expected);
    expect(await readLocatedJsonl(packed, Line)).toEqual(expected);
  });

  test("a file that cannot be read is refused in one sentence", async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("latin1.jsonl"), Buffer.from('{"id":"caf\xe9","n":1}\n', "latin1"));
    writeFileSync(at("cut.jsonl.gz"), gzipSync('{"id":"a","n":1}\n'.repeat(1_000)).subarray(0, 60));
    writeFileSync(at("plain.jsonl.gz"), '{"id":"a","n":1}\n');
    mkdirSync(at("folder.jsonl"));
    expect(await refusal(readLocatedJsonl(at("none.jsonl"), Line))).toBe(`${at("none.jsonl")}: there is no such file.`);
    expect(await refusal(readLocatedJsonl(at("none.jsonl.gz"), Line))).toContain("there is no such file");
    expect(await refusal(readLocatedJsonl(at("folder.jsonl"), Line))).toContain("is a folder");
    expect(await refusal(readLocatedJsonl(at("latin1.jsonl"), Line))).toContain("is not UTF-8 text");
    expect(await refusal(readLocatedJsonl(at("cut.jsonl.gz"), Line))).toContain("is not a whole gzip file");
    expect(await refusal(readLocatedJsonl(at("plain.jsonl.gz"), Line))).toContain("is not a whole gzip file");
  });
});

describe("a file without end", () => {
  test.each(
    quarter([
      ["a line", "long.jsonl", `{"id":"${"x".repeat(65 * 1024 * 1024)}"}`, "line 1 has more than 64 MB"],
      ["a line, gzipped", "long.jsonl.gz", gzipSync(Buffer.alloc(65 * 1024 * 1024)), "line 1 has more than 64 MB"],
      ["blank lines", "blank.jsonl", "\n".repeat(10_000_001), "has more than 10,000,000 lines"],
    ]),
  )("%s: is not read on", ALSO_DEEP, async (_what, name, content, message) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, name), content);
    expect(await refusal(readLocatedJsonl(join(folder.path, name), Line))).toContain(message);
  });

  test("a long line is read in one piece, in a time that grows with its length alone", async () => {
    using folder = temporaryFolder();
    const id = "x".repeat(60_000_000);
    writeFileSync(join(folder.path, "long.jsonl"), JSON.stringify({ id, n: 1 }));
    const before = process.cpuUsage();
    const [found] = await readLocatedJsonl(join(folder.path, "long.jsonl"), Line);
    const { user } = process.cpuUsage(before);
    expect(found?.value.id.length).toBe(id.length);
    expect(user / 1e6).toBeLessThan(10);
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
