/** Many versions of a C++ function in one program, each run in a process of its own. */

import { findFunction, itemsOf } from "../../../languages/cpp/items.ts";
import { anySignatureOf, isTemplate } from "../../../languages/cpp/signature.ts";
import { withMain, withoutOwnFiles } from "../../../languages/cpp/sources.ts";
import { type ClonedProgram, type Clones, versionsBehind } from "../clones.ts";
import { beforeNear, nearInputs, nearMain } from "./inputs.ts";

const HEADERS = [
  "sys/wait.h",
  "sys/time.h",
  "sys/resource.h",
  "sys/mman.h",
  "unistd.h",
  "fcntl.h",
  "cstdio",
  "assert.h",
];

/** What is there before the program: where the results of a version are kept. */
const BEFORE = `${HEADERS.map((one) => `#include <${one}>`).join("\n")}
struct mend_Seen { int reached, passed, ended; };
static mend_Seen* mend_seen; static int mend_at;
static bool mend_check(bool ok) { mend_seen->reached++; mend_seen->passed += ok; return ok; }
`;

/** The tests' own assertions go on behind one that fails, and are counted. */
const ASSERT = "#undef assert\n#define assert(...) mend_check(bool(__VA_ARGS__))\n#define main mend_tests\n";

const main = (count: number, limits: readonly number[]) => `
#undef main
int main() {
  mend_seen = (mend_Seen*)mmap(0, sizeof(mend_Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  rlimit none = {0, 0}, most = {1u << 29, 1u << 29};
  setrlimit(RLIMIT_CORE, &none); setrlimit(RLIMIT_DATA, &most);
  int out = dup(1), nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, 1); dup2(nowhere, 2);
  const int limits[] = {${limits.join(", ")}};
  for (mend_at = 0; mend_at < ${count}; mend_at++) {
    *mend_seen = {0, 0, 0};
    pid_t child = fork();
    if (child == 0) {
      int ms = limits[mend_at];
      itimerval left = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
      setitimer(ITIMER_PROF, &left, 0);
      mend_tests();
      mend_seen->ended = 1;
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    dprintf(out, "mend %d %d %d %d %d\\n", mend_at, mend_seen->reached, mend_seen->passed, mend_seen->ended, late);
  }
}
`;

/** @returns a sentence where the function cannot be taken apart */
export function cppClones(program: string, entry: string, tests: string): Clones | string {
  const found = findFunction(itemsOf(program), entry);
  const signature = found && anySignatureOf(program, found);
  if (!found || !signature || found.body === null)
    return `no function \`${entry}\` with a signature of plain types stands in the program`;
  const { returns, parameters } = signature;
  const head = program.slice(found.start, found.body - 1).trimEnd();
  const names = parameters.map((_, at) => `mend_${at}`);
  const list = parameters.map(({ type }, at) => `${type} ${names[at]}`).join(", ");
  const passed = names.map((name) => `static_cast<decltype(${name})&&>(${name})`).join(", ");
  const plain = runnable(tests);
  const before = program.slice(0, found.start);
  const behind = program.slice(found.end);
  /** @param parts in front of the program, in front of its function, at the beginning of that, and how all are run */
  const put = (
    versions: readonly string[],
    { first, before: outside, begin, last }: Record<"first" | "before" | "begin" | "last", string>,
  ) => {
    const made = versionsBehind(`${BEFORE}${first}${before}\n${head};\n`, entry, versions, [before, behind]);
    const cases = made.names.map((own, at) => `${at === 0 ? "default" : `case ${at}`}: return ${own}(${passed});`);
    const caller = `${returns} ${entry}(${list}) {${begin} switch (mend_at) { ${cases.join(" ")} } }\n`;
    const tail = `${behind}\n${ASSERT}${plain}\n${last}`;
    return { code: made.code + outside + caller + tail, lines: made.lines };
  };
  return {
    around: [before, behind],
    make: (versions, limits): ClonedProgram =>
      put(versions, { first: "", before: "", begin: "", last: main(versions.length, limits) }),
    ...(!isTemplate(signature) &&
      parameters.length > 0 && {
        compare: (versions, numbers): string =>
          put(versions, {
            first: beforeNear(),
            before: nearInputs(signature, numbers),
            begin:
              " mend_Within within; if (mend_keeps && mend_depth == 1) " +
              `mend_given.emplace_back(${names.join(", ")});`,
            last: nearMain(entry, signature, versions.length),
          }).code,
      }),
  };
}

/** Tests with a `main`, also where they are statements alone or none, without what would bring their `assert` back. */
const runnable = (tests: string): string =>
  // Lines are counted on from those of the versions, which a number of a line would mix up.
  withMain(
    withoutOwnFiles(tests).replace(/^[ \t]*#\s*(?:undef\s+NDEBUG|include\s*<(?:assert\.h|cassert)>)[ \t]*$/gm, ""),
  ).replace(/^#line \d+$/gm, "");
