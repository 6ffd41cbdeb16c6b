// A reporter of node:test: one JSON line a test, `{"begun":file}` before those of a file, `{"end":true}` at the end.
// Node starts it with --test-reporter.
import said from "./said.cjs";

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* lines(events) {
  const above = [];
  // What a file wrote that ended before its tests were known.
  const heard = new Map();
  for await (const { type, data } of events) {
    if (type === "test:stderr") heard.set(data.file, `${heard.get(data.file) ?? ""}${data.message}`.slice(0, 4000));
    // Of the files: a loop in a test lets nothing more out of its process.
    if (type === "test:dequeue" && data.nesting === 0) yield `${JSON.stringify({ begun: data.name })}\n`;
    if (type === "test:start") above[data.nesting] = data.name;
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite" && type === "test:pass") continue;
    // A test that failed only because of the tests inside it: those have results of their own.
    if (type === "test:fail" && data.details?.error?.failureType === "subtestsFailed") continue;
    const name = [...above.slice(0, data.nesting), data.name].join(" > ");
    const status =
      data.skip !== undefined || data.todo !== undefined ? "skipped" : type === "test:pass" ? "passed" : "failed";
    const told = status === "failed" ? said(data.details?.error?.cause ?? data.details?.error) : "";
    const message = told === "test failed" ? (/^\w*Error\b.*/m.exec(heard.get(data.file))?.[0] ?? told) : told;
    yield `${JSON.stringify({ name, status, message, file: data.file })}\n`;
  }
  yield `${JSON.stringify({ end: true })}\n`;
}
