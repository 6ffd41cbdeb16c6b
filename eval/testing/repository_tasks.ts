/** For tests: a small benchmark of real fixes, one task in Python with pytest and one in JavaScript with node:test. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRepository } from "../../fix/testing/repositories.ts";
import { PYTEST_INI } from "../../utils/testing/pytest_plugins.ts";

const RATES_TEST = "from rates import half, twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n";
const SCRIPT_TEST =
  'const assert = require("node:assert");\nconst test = require("node:test");\nconst { part, twice } = require("../rates");\n\ntest("twice", () => assert.equal(twice(2), 4));\n';

const BASE = {
  ...PYTEST_INI,
  "rates.py": "def half(x):\n    return x / 3\n\n\ndef twice(x):\n    return x + x\n",
  "tests/test_rates.py": RATES_TEST,
  "rates.js": "exports.part = function part(x) {\n  return x / 3;\n};\nexports.twice = (x) => x + x;\n",
  "test/rates.test.js": SCRIPT_TEST,
};

const TASKS = [
  {
    id: "python",
    source: ["rates.py", "return x / 3", "return x / 2"],
    tests: ["tests/test_rates.py", `${RATES_TEST}\n\ndef test_half():\n    assert half(4) == 2\n`],
    names: ["tests/test_rates.py::test_half", "tests/test_rates.py::test_twice"],
    issue: "half gives a third",
    mend: { language: "py", framework: "pytest" },
  },
  {
    id: "javascript",
    source: ["rates.js", "return x / 3;", "return x / 2;"],
    tests: ["test/rates.test.js", `${SCRIPT_TEST}test("part of four", () => assert.equal(part(4), 2));\n`],
    names: ["part of four", "twice"],
    issue: "part gives a third",
    mend: { language: "js", framework: "node:test" },
  },
] as const;

/**
 * Writes `tasks.jsonl` and `clones/` into a folder.
 * @param copies of each task, under other names
 * @returns options of `pass1`
 */
export function writeRepositoryTasks(folder: string, copies = 1): string[] {
  using repository = makeRepository(BASE);
  const { git, patchTo } = repository;
  const base = git("rev-parse", "HEAD").trim();
  const rows = TASKS.flatMap(
    ({ id, source: [file, old, now], tests: [testFile, text], names: [fails, passes], issue, mend }) =>
      Array.from({ length: copies }, (_, i) => ({
        instance_id: `o__r-${id}-${i}`,
        repo: "o/r",
        base_commit: base,
        patch: patchTo({ [file]: BASE[file].replace(old, now) }),
        test_patch: patchTo({ [testFile]: text }),
        problem_statement: issue,
        FAIL_TO_PASS: JSON.stringify([fails]),
        PASS_TO_PASS: JSON.stringify([passes]),
        mend: { ...mend, test_files: [testFile] },
      })),
  );
  writeFileSync(join(folder, "tasks.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  mkdirSync(join(folder, "clones/o"), { recursive: true });
  git("clone", "--quiet", "--bare", ".", join(folder, "clones/o/r"));
  return ["--dataset", join(folder, "tasks.jsonl"), "--repositories", join(folder, "clones")];
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: groups of a rule
/** A scripted model that goes where the first prompt points, and looks at what its edit does before it answers. */
export const REPAIRS = [
  {
    when: "/^\\d+\\. (?<file>\\S+):(?<start>\\d+)-\\d+ (?:half|part) /m",
    reply: 'Action: view\nAction Input: {"file": "${file}", "line": ${start}}',
  },
  {
    when: "/(?<file>\\S+), lines[\\s\\S]*? {2}(?<code>return x \\/) 3/m",
    reply: 'Action: replace_text\nAction Input: {"file": "${file}", "old": "${code} 3", "new": "${code} 2"}',
  },
  { when: "/^\\+.*x \\/ 2/m", reply: 'Action: run_tests\nAction Input: {"tests": []}' },
  { when: "/^(?:Observation: )?\\d+ tests? pass/", reply: "Final Answer: a half is one of two parts" },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: groups of a rule
