/** Many versions of a Java method in one class, run one after the other in one virtual machine. */

import { withChecks } from "../../../languages/java/checks.ts";
import { findMethod, unitOf } from "../../../languages/java/members.ts";
import { signatureOf } from "../../../languages/java/signature.ts";
import { type ClonedProgram, type Clones, clonesBehind } from "../clones.ts";
import { caller, END, keeping, nearClass } from "./inputs.ts";
import { withCountedLoops } from "./loop_limits.ts";

/** A loop turns about so often in a millisecond, where nothing is compiled at run time yet. */
const TURNS_PER_MS = 2500;

/**
 * @param isLazy whether a check that throws is one that does not hold: it must not use what changes
 * @returns a sentence where the method cannot be taken apart
 */
export function javaClones(program: string, entry: string, tests: string, isLazy = true): Clones | string {
  const unit = unitOf(program);
  const found = findMethod(unit, entry);
  const signature = found && signatureOf(program, found.method);
  if (!found || !signature || found.method.body === null)
    return `no method \`${entry}\` with a signature of plain types stands in a class of the program`;
  const { start, end, body } = found.method;
  const isVoid = signature.returns.replace(/^<.*?>\s+(?=\S)/, "") === "void";
  const names = signature.parameters.map(({ name }) => name).join(", ");
  const [before, behind] = [program.slice(0, start), program.slice(end)];
  const imports = Math.max(0, ...unit.imports.map((one) => one.end));
  const head = program.slice(start, body).replace(/\{\s*$/, "");
  const type = found.type.name;
  const test = testClass(tests, isLazy);
  /** @param parts classes of ours, what a call does first and last, and other methods beside it */
  const put = (versions: readonly string[], { first, begin, end, more }: Parts): ClonedProgram => {
    let text = `${importsOf(tests)}${before.slice(0, imports)}\n${first}${before.slice(imports)}`;
    text += `${head} { ${begin}switch (mend$Run.at) {\n`;
    const cases = versions.map((_, at) => {
      const call = `${cloned(entry, at)}(${names});`;
      return `case ${at}: ${isVoid ? `${call} return;` : `return ${call}`}\n`;
    });
    text += `${cases.join("")}default: throw new Error(); } ${end}}\n${more}`;
    const made = clonesBehind(text, versions, [before, behind], (own, at) =>
      renamed(counted(own), entry, cloned(entry, at)),
    );
    const code = made.code.replace(/\bSystem\s*\.\s*exit\s*\(/g, "mend$Run.exit(");
    return { code: `${code}${behind}\n${test.code}`, lines: made.lines };
  };
  return {
    around: [before, behind],
    make: (versions, limits) =>
      put(versions, { first: runner(EACH_VERSION, limits, test.main), begin: "", end: "", more: "" }),
    ...(names !== "" && {
      compare: (versions: readonly string[], numbers: readonly string[]): string =>
        put(versions, {
          first: runner(EACH_INPUT, [0], test.main) + nearClass(type, versions.length, numbers),
          begin: keeping(signature.isStatic, names),
          end: END,
          more: caller(type, entry, signature),
        }).code,
    }),
    ...(isLazy && { otherwise: () => javaClones(program, entry, tests, false) }),
  };
}

type Parts = Record<"first" | "begin" | "end" | "more", string>;

const cloned = (entry: string, at: number): string => `mend$${at}$${entry}`;

const counted = (text: string): string => withCountedLoops(text, " mend$Run.turn();", "mend$Run.turned");

/** A method's text under another name, which overrides nothing. */
function renamed(text: string, name: string, now: string): string {
  const plain = text.replace(/^(\s*)@Override\b/, "$1");
  const at = new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}\\s*\\(`).exec(plain)?.index ?? 0;
  return `${plain.slice(0, at)}${now}${plain.slice(at + name.length)}`;
}

const IMPORT = /^\s*import\s[^;\n]*;/gm;
const importsOf = (code: string): string => [...code.matchAll(IMPORT)].map(([one]) => `${one.trim()} `).join("");

/** The tests' checks go on behind one that fails, or throws, and are counted. Its own `main` is not the first. */
function testClass(tests: string, isLazy: boolean): { code: string; main: string } {
  const code = withChecks(tests.replace(IMPORT, ""), (check) => `mend$Run.check(${isLazy ? "() -> " : ""}${check})`);
  const { types } = unitOf(code);
  if (types.length === 0)
    return {
      code: `class Main { public static void main(String[] args) throws Exception {\n${code}\n} }`,
      main: "Main",
    };
  const own = types.find(({ items }) => items.some(({ name }) => name === "main"));
  return { code, main: own?.name ?? "Main" };
}

const EACH_VERSION = `for (at = 0; at < LIMITS.length; at++) {
      steps++; left = LIMITS[at]; reached = 0; passed = 0;
      say(tested(), left < 0);
    }`;
const EACH_INPUT = "mend$Near.run(() -> tested());";

/**
 * The class whose `main` runs first. It runs each version on the tests with a limited number of turns. If a version
 * uses its time without taking turns, the whole program reports it and ends: nothing else stops such a version.
 */
const runner = (all: string, limits: readonly number[], main: string): string => `class mend$Run {
  static final long[] LIMITS = {${limits.map((ms) => `${ms * TURNS_PER_MS}L`).join(", ")}};
  static final long MOST_NANOS = 500_000_000L, MOST_IDLE_MS = 3000;
  static final java.io.PrintStream OUT = System.out;
  static final Late LATE = new Late();
  static volatile int at, steps;
  static long left;
  static int reached, passed;
  static final class Late extends Error { Late() { super(null, null, false, false); } }
  interface Check { boolean is() throws Throwable; }
  static void turn() { if (--left < 0) throw LATE; }
  static void exit(int code) { throw LATE; }
  static boolean turned(boolean on) { turn(); return on; }
  static boolean check(Check one) {
    reached++;
    try {
      boolean ok = one.is(); if (ok) passed++;
      return ok;
    } catch (Late late) { throw late; } catch (Throwable thrown) { return false; }
  }
  static boolean check(boolean ok) { reached++; if (ok) passed++; return ok; }
  static void say(boolean ended, boolean late) {
    OUT.println("mend " + at + " " + reached + " " + passed + " " + (ended ? 1 : 0) + " " + (late ? 1 : 0));
    OUT.flush();
  }
  static void all() {
    ${all}
  }
  static boolean tested() {
    try { ${main}.main(new String[0]); return true; } catch (Throwable thrown) { return false; }
  }
  public static void main(String[] args) throws Exception {
    java.io.PrintStream nowhere = new java.io.PrintStream(java.io.OutputStream.nullOutputStream());
    System.setOut(nowhere); System.setErr(nowhere);
    Thread worker = new Thread(null, mend$Run::all, "versions", 8 << 20);
    worker.setDaemon(true); worker.start();
    java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
    int seen = -1; long began = 0, since = 0;
    while (worker.isAlive()) {
      worker.join(10);
      long used = threads.getThreadCpuTime(worker.getId()), now = System.currentTimeMillis();
      if (steps != seen) { seen = steps; began = used; since = now; }
      boolean idle = now - since > MOST_IDLE_MS && used - began < MOST_NANOS / 10;
      if (worker.isAlive() && (used - began > MOST_NANOS || idle)) { say(false, true); Runtime.getRuntime().halt(0); }
    }
    Runtime.getRuntime().halt(0);
  }
}
`;
