/** What `build.py` reports for compilers that find errors, do not end, or crash, with commands in their place. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPython } from "../base/host/python.ts";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { PYTHON_FOLDER } from "./bwrap.ts";

const [FILE, LIBRARY] = ["Program.rs", "/usr/src/library/core/macros.rs"];

interface Span {
  file_name: string;
  line_start: number;
  is_primary?: boolean;
  label?: string | null;
  expansion?: { span: Span } | null;
}

const span = (more: Partial<Span>): Span => ({
  ...{ file_name: FILE, line_start: 2, is_primary: true, label: null, expansion: null, ...more },
});
const inJson = (message: string, spans: Span[], level = "error") =>
  `echo '${JSON.stringify({ message, level, spans, rendered: `${level}: ${message}` })}'`;
const LATE = "the compiler did not finish within 0.5 s";

test.each([
  ["lines", `echo '${FILE}:3:1: error: no such name'; exit 1`, [3, "no such name"]],
  [
    "a place's own words",
    `${inJson("mismatched types", [span({ label: "expected u8" })])}; exit 1`,
    [2, "mismatched types: expected u8"],
  ],
  [
    "the place of a macro's use",
    `${inJson("cannot compare", [span({ file_name: LIBRARY, line_start: 40, expansion: { span: span({ line_start: 7 }) } })])}; exit 1`,
    [7, "cannot compare"],
  ],
  [
    "no warning",
    `${inJson("unused", [span({})], "warning")}; ${inJson("cannot link", [])}; exit 1`,
    [0, "cannot link"],
  ],
  ["what it said before its time was over", `echo '${FILE}:5:1: error: first'; while :; do :; done`, [5, "first"]],
  ["that it came to no end", "while :; do :; done", [0, LATE]],
  [
    "that it crashed",
    "echo 'librustc_driver.so(+0x6db493)'; kill -SEGV $$",
    [0, "the compiler crashed (SIGSEGV): the program is nested too deeply, or too large"],
  ],
  ["that what it made is too large", "kill -XFSZ $$", [0, "the compiled program is larger than 16 MB"]],
  ["what is no message", 'echo \'{"level": "error", "spans": 3}\'; exit 1', [0, '{"level": "error", "spans": 3}']],
] satisfies [string, string, [number, string]][])("a compiler tells %s", DEEP, async (_, command, [line, text]) => {
  using folder = temporaryFolder();
  const python = await findPython();
  const job = { id: "1", sources: `${FILE} ${btoa("fn f() {}")}`, steps: [["sh", "-c", command]] };
  const bounds = JSON.stringify({ cpuSeconds: 0.5, memoryBytes: 1 << 29 });
  const words = ["-S", "-B", join(PYTHON_FOLDER, "build.py"), bounds];
  const said = execFileSync(python.executable, words, {
    cwd: folder.path,
    input: JSON.stringify(job),
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toEqual({ id: "1", problems: [{ file: line > 0 ? FILE : "", line, text }] });
});
