/** Tests as Rust has them, made callable: what `cargo test` finds by its own harness is called by ours. */

import { blanked, type Change, changed, type Span } from "../tokens.ts";
import { CRATES } from "./crates.ts";
import { type Item, itemsOf } from "./items.ts";

/** What stands for all tests of a module. */
export const RUN_ALL = "mend_tests";

const isTest = (code: string, { start, end }: Span): boolean => /^#\s*\[\s*test\s*\]$/.test(code.slice(start, end));
const isCondition = (code: string, { start, end }: Span): boolean =>
  /^#\s*\[\s*cfg\s*\(\s*test\s*\)\s*\]$/.test(code.slice(start, end));

/** True where some function is marked as a test. */
export function hasTests(code: string): boolean {
  const within = (items: readonly Item[]): boolean =>
    items.some((one) => one.attributes.some((span) => isTest(code, span)) || within(one.items));
  return within(itemsOf(code));
}

/** Whether an item is there for tests alone. */
export const isForTests = (code: string, { attributes }: Item): boolean =>
  attributes.some((span) => isCondition(code, span) || MARK.test(code.slice(span.start, span.end)));

/** As other crates mark them, too: `#[tokio::test]`, `#[rstest]`. */
const MARK = /^#\s*\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case|bench)\b/;

/** Modules of a file that are there for its tests alone. */
export const testModules = (code: string): string =>
  itemsOf(code)
    .filter(({ kind, attributes }) => kind === "mod" && attributes.some((span) => isCondition(code, span)))
    .map(({ start, end }) => code.slice(start, end))
    .join("\n");

/**
 * A file of tests, in which a function `RUN_ALL` runs all that are marked as such; where none are its `main`, or its
 * statements. Each line stays where it was.
 */
export function callable(text: string): string {
  const code = withoutOwnCrate(text);
  const items = itemsOf(code);
  if (hasTests(code)) {
    const changes: Change[] = [];
    const all = runAll(code, items, changes, "");
    return `${changed(code, changes)}\n${all}\n`;
  }
  const hasMain = items.some(({ kind, name }) => kind === "fn" && name === "main");
  const body = hasMain ? "main();" : "";
  return hasMain ? `${code}\npub fn ${RUN_ALL}() { ${body} }\n` : `pub fn ${RUN_ALL}() { ${code}\n}\n`;
}

const OTHERS = new Set<string>(["std", "core", "alloc", "crate", "super", "self", ...CRATES]);

/** Without imports from the crate that a test in a folder of its own uses: it stands beside the program here. */
function withoutOwnCrate(code: string): string {
  const own = itemsOf(code).filter(({ kind, keyword, end }) => {
    const [, name] = /^use\s+(?:::\s*)?(\w+)\s*::/.exec(code.slice(keyword, end)) ?? [];
    return kind === "use" && name !== undefined && !OTHERS.has(name);
  });
  return blanked(code, own);
}

/** The function that runs the tests of a module, whose marks are taken off. */
function runAll(code: string, items: readonly Item[], changes: Change[], path: string): string {
  const calls: string[] = [];
  for (const item of items) {
    const text = ({ start, end }: Span) => code.slice(start, end);
    const marks = item.attributes.filter(
      (span) => isTest(code, span) || /^#\s*\[\s*(?:should_panic|ignore)\b/.test(text(span)),
    );
    const taken = item.attributes.filter((span) => isCondition(code, span) || marks.includes(span));
    changes.push(...taken.map((span) => ({ ...span, text: text(span).replace(/[^\n]/g, " ") })));
    if (item.kind === "mod" && item.body !== null) {
      const inner = runAll(code, item.items, changes, `${path}${item.name}::`);
      changes.push({ start: item.close, end: item.close, text: ` ${inner} ` });
      calls.push(`${item.name}::${RUN_ALL}();`);
    }
    const isIgnored = marks.some((span) => /^#\s*\[\s*ignore\b/.test(text(span)));
    if (item.kind !== "fn" || isIgnored || !marks.some((span) => isTest(code, span))) continue;
    const panics = marks.map(text).find((mark) => mark.includes("should_panic"));
    const wanted = panics && (/"(?:\\.|[^"\\])*"/s.exec(panics)?.[0] ?? '""');
    const ends = panics === undefined ? "Returns" : `Panics(${wanted})`;
    calls.push(`::mend_judge::run(${JSON.stringify(path + item.name)}, ::mend_judge::Ends::${ends}, ${item.name});`);
  }
  return `pub fn ${RUN_ALL}() { ${calls.join(" ")} }`;
}
