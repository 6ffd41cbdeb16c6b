// @module-tag ci

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP } from "../../../utils/testing/repeats.ts";
import { type FileRow, rowsIn } from "./rows.ts";

/** Each row as `place: value`, or `place: problem`. */
async function read(name: string, content: string | Buffer): Promise<string[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, name);
  writeFileSync(file, content);
  return (await rowsOf(file)).map((row) => `${row.place}: ${row.problem ?? JSON.stringify(row.value)}`);
}

async function rowsOf(file: string): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const row of rowsIn(file)) rows.push(row);
  return rows;
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it was read",
    (error: unknown) => (error instanceof UserError ? error.message : error),
  );

test.each<[what: string, name: string, content: string | Buffer, rows: string[]]>([
  ["JSON lines", "a.jsonl", '{"a":1}\n\n{"a":2}\n', ['line 1: {"a":1}', 'line 3: {"a":2}']],
  ["a byte order mark and CRLF", "a.jsonl", '\uFEFF{"a":1}\r\n\r\n{"a":2}', ['line 1: {"a":1}', 'line 3: {"a":2}']],
  ["U+2028 within a line", "a.jsonl", '{"a":"\u2028"}\n', ['line 1: {"a":"\u2028"}']],
  ["gzip, by its bytes", "a.jsonl", gzipSync('{"a":1}\n'), ['line 1: {"a":1}']],
  ["a name of gzip on plain text", "a.jsonl.gz", '{"a":1}\n', ['line 1: {"a":1}']],
  [
    "numbers that JSON does not have",
    "a.jsonl",
    '{"a":[NaN,-Infinity,"NaN \\" NaN"]}\n',
    ['line 1: {"a":[null,null,"NaN \\" NaN"]}'],
  ],
  ["a comma after each line", "a.jsonl", '{"a":1},\n{"a":2},\r\n', ['line 1: {"a":1}', 'line 2: {"a":2}']],
  [
    "a comma after the last item",
    "a.json",
    '[\n{"a":[1,]},\n{"a":",]", "b":NaN,},\n]',
    ['item 1: {"a":[1]}', 'item 2: {"a":",]","b":null}'],
  ],
  ["a list", "a.json", '[\n {"a":1},\n {"a":2}\n]', ['item 1: {"a":1}', 'item 2: {"a":2}']],
  ["an object over several lines", "a.json", '{\n "a": 1\n}', ['the document: {"a":1}']],
  ["a table", "a.csv", 'a,b\n1,"x, ""y""\nz"\n', ['row 1: {"a":"1","b":"x, \\"y\\"\\nz"}']],
  [
    "a table of Windows with blank lines in a text",
    "a.csv",
    'a\r\n"x\n\ny"\r\n"z"\r\n',
    ['row 1: {"a":"x\\n\\ny"}', 'row 2: {"a":"z"}'],
  ],
  ["a table with tabs", "a.tsv", "a\tb\n1\t2\n", ['row 1: {"a":"1","b":"2"}']],
  ["a table with semicolons", "a.csv", 'a;b\n1;"x, y"\n', ['row 1: {"a":"1","b":"x, y"}']],
  ["nothing", "a.jsonl", " \n\n", []],
])("%s", async (_what, name, content, rows) => {
  expect(await read(name, content)).toEqual(rows);
});

test.each<[what: string, name: string, content: string | Buffer, problem: string]>([
  ["a torn line", "a.jsonl", '{"a":1}\n{"a":\n{"a":2}\n', "line 2: it is not valid JSON, perhaps cut off"],
  [
    "a first line that is torn",
    "a.jsonl",
    '{"a":\n{"a":1}\n{"a":2}\n',
    "line 1: it is not valid JSON, perhaps cut off",
  ],
  [
    "a line in Latin 1",
    "a.jsonl",
    Buffer.from('{"a":1}\n{"a":"caf\xe9"}\n{"a":2}\n', "latin1"),
    "line 2: it is not UTF-8 text",
  ],
  ["a line of a table", "a.csv", "a,b\n1,2\n3\n5,6\n", "a row: Invalid Record Length"],
])("%s is one row with a problem, and the others are read", async (_what, name, content, problem) => {
  const rows = await read(name, content);
  expect(rows).toHaveLength(3);
  expect(rows.filter((row) => row.startsWith(problem))).toHaveLength(1);
});

test("a line of more than 64 MB is one row with a problem", ALSO_DEEP, async () => {
  const rows = await read("a.jsonl", `{"a":"${"x".repeat(65 * 1024 * 1024)}"}\n{"a":2}\n`);
  expect(rows).toEqual(["line 1: it has more than 64 MB, so it is not read", 'line 2: {"a":2}']);
});

test("a text of 20 MB with NaN beside it is read", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.jsonl");
  writeFileSync(file, `{"n":NaN,"a":"${"x\\\\".repeat(7_000_000)}"}\n`);
  const [row] = await rowsOf(file);
  const value = row?.problem === undefined ? JSON.stringify(row?.value) : row.problem;
  expect(value.slice(0, 24)).toBe(`{"n":null,"a":"x${"\\\\"}x${"\\\\"}x${"\\\\"}`);
  expect(value.length).toBe(21_000_000 + '{"n":null,"a":""}'.length);
});

describe("a file that cannot be read as a whole is refused in one sentence:", () => {
  test.each<[name: string, content: string | Buffer, message: string]>([
    ["cut.jsonl.gz", gzipSync('{"a":1}\n'.repeat(1_000)).subarray(0, 30), "is not a whole gzip file"],
    ["cut.parquet", Buffer.from("PAR1 and nothing else"), "is not a readable Parquet file: "],
    ["text.parquet", "not parquet at all", "is not a readable Parquet file: "],
    ["latin1.csv", Buffer.from("a\ncaf\xe9\n", "latin1"), "is not UTF-8 text"],
    ["utf16.jsonl", Buffer.from('\uFEFF{"a":1}\n', "utf16le"), "is UTF-16 text; mend reads UTF-8"],
    ["utf16le.jsonl", Buffer.from('{"a":1}\n', "utf16le"), "iconv -f UTF-16LE -t UTF-8"],
    ["utf32.json", Buffer.from([0xff, 0xfe, 0, 0, 0x5b, 0, 0, 0, 0x5d, 0, 0, 0]), "is UTF-32 text"],
    ["a.jsonl.bz2", Buffer.from("BZh91AY"), "is packed with bzip2; mend reads UTF-8 text, also packed with gzip"],
    ["a.jsonl.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), "is packed with Zstandard"],
    ["a.zip", Buffer.from("PK\x03\x04"), "is a zip file"],
    ["blank.jsonl", "\n".repeat(10_000_001), "has more than 10,000,000 lines"],
  ])("%s", async (name, content, message) => {
    expect(await refusal(read(name, content))).toContain(message);
  });

  test("what is not there, and a folder", async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    mkdirSync(at("folder.jsonl"));
    expect(await refusal(rowsOf(at("none.jsonl")))).toBe(`${at("none.jsonl")}: there is no such file.`);
    expect(await refusal(rowsOf(at("none.parquet")))).toBe(`${at("none.parquet")}: there is no such file.`);
    expect(await refusal(rowsOf(at("folder.jsonl")))).toContain("is a folder");
  });
});
