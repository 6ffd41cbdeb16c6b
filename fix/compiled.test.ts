// @module-tag deep
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../agent/models/script.ts";
import { parseSpec } from "../agent/models/table.ts";
import { languageOf } from "../utils/languages/registry.ts";
import { openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { temporaryFolder } from "../utils/testing/command.ts";
import { isSlow } from "../utils/testing/repeats.ts";
import { fixRepository, repairOwnFile } from "./fix.ts";
import { COMPILED_PROJECTS, type CompiledProject, missing } from "./testing/compiled_projects.ts";
import { makeRepository } from "./testing/repositories.ts";
import { PASSES } from "./testing/search.ts";

const SCRIPT = "script:rules";
const box = await openCommandBox();

/** Root's own repository may be root's alone: a copy of links to its files, which every user may read. */
function localRepository(folder: string) {
  const copy = temporaryFolder();
  chmodSync(copy.path, 0o755);
  const inside = join(copy.path, "repository");
  execFileSync("cp", ["-al", folder, inside]);
  execFileSync("chmod", ["-R", "o+rX", inside]);
  return { ...copy, path: inside };
}

const parts = (chat: ScriptedChat, sandbox: Sandbox) => ({
  openModel: async () => ({ kind: parseSpec(SCRIPT).kind, name: SCRIPT, chat, deterministic: false }),
  openSandbox: async () => sandbox,
  openBox: async () => box,
  say: () => {},
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: groups of a rule
/** The scripted model reads the file that fails to take percents off, writes an edit that does not compile, and mends it. */
const rulesFor = ({ file, failing }: CompiledProject) => [
  { turn: 1, reply: `Action: view\nAction Input: ${JSON.stringify({ file, line: 1 })}` },
  {
    turn: 2,
    when: "/(?<line>\\d+) {2}(?<head>\\s*(?:return )?price - )price ?\\* ?percent ?\\/ ?10(?<tail>\\S*)/",
    reply: `Action: replace_lines\nAction Input: {"file": "${file}", "from": \${line}, "to": \${line}, "text": "\${head}cost * percent / 100\${tail}"}`,
  },
  { turn: 3, reply: `Action: run_tests\nAction Input: ${JSON.stringify({ tests: [failing] })}` },
  {
    turn: 4,
    when: "/^Observation:[\\s\\S]*cost/",
    reply: `Action: replace_text\nAction Input: ${JSON.stringify({ file, old: "cost *", new: "price *" })}`,
  },
  { turn: 5, reply: `Action: run_tests\nAction Input: ${JSON.stringify({ tests: [failing] })}` },
  {
    turn: 6,
    when: "/^Observation: (?:1 test passes|\\d+ tests pass)/",
    reply: "Final Answer: percents are hundredths",
  },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: groups of a rule

// Java and Rust are repaired from end to end by the search (search/by_command.test.ts). In
// `npm run test:slow` all projects of each language.
const BY_SEARCH = /\.(?:java|rs)$/;
const projects = COMPILED_PROJECTS.filter(
  ({ file, isOneMore = false }) => isSlow || !(isOneMore || BY_SEARCH.test(file)),
);

describe.each(projects.map((project) => [project.name, project] as const))("%s", (_, project) => {
  const lacking = missing(project);
  if (lacking.length > 0) console.warn(`skipped: ${project.name} needs ${lacking.join(", ")}`);

  test.skipIf(lacking.length > 0)(
    "a bug that one of three tests sees is repaired; the compiler's words reach the model",
    async () => {
      using repository = makeRepository(project.files, false);
      using maven = project.localRepository === undefined ? null : localRepository(project.localRepository);
      const command = project.command + (maven === null ? "" : ` -Dmaven.repo.local=${maven.path}`);
      await using sandbox = await openSandbox({ concurrency: 1 });
      const chat = new ScriptedChat("script", parseRules(JSON.stringify(rulesFor(project)), "rules"));
      const observed: string[] = [];
      const changed: string[] = [];
      const fixed = await fixRepository(
        {
          path: repository.path,
          test: command,
          issue: "",
          samples: 1,
          write: true,
          environment: {},
          isInTestsAlone: true,
          maxIterations: 8,
          timeoutMs: 900_000,
          testSeconds: 300,
        },
        {
          ...parts(chat, sandbox),
          onStep: (step) => {
            observed.push(step.observation.output);
            changed.push(repository.git("status", "--porcelain"));
          },
        },
      );
      expect(fixed, observed.join("\n")).toMatchObject({ outcome: expect.stringMatching(PASSES), dropped: [] });
      expect(changed.join(""), "until it is written nothing changes").toBe("");
      expect(repository.git("status", "--porcelain").trim()).toBe(`M ${project.file}`);
      expect(fixed.before.failing.map(({ name }) => name)).toEqual([project.failing]);
      expect(fixed.before.passing).toHaveLength(2);
      expect(fixed.after).toEqual([{ name: project.failing, status: "passed" }]);
      expect(observed.join("\n")).toMatch(/cost/);
      expect(fixed.diff).toMatch(/^\+.*price ?\* ?percent ?\/ ?100/m);
      expect(readFileSync(join(repository.path, project.file), "utf8")).toContain("100");
    },
  );

  const { files, name: language } = languageOf(project.file) ?? {};
  // What differs by language are its outline, which quick tests look at, and its messages, which the test above shows.
  const isAlike = !isSlow && language !== "go";
  test.skipIf(lacking.length > 0 || !files?.outline || isAlike)(
    "mend repair: a function is answered, first with what does not compile",
    async () => {
      using repository = makeRepository(project.files, false);
      await using sandbox = await openSandbox({ concurrency: 1 });
      const original = project.files[project.file] ?? "";
      const line = original.split("\n").find((one) => one.includes("percent / 10") || one.includes("percent/10")) ?? "";
      const head = /^.*\b[dD]iscounted\(.*$/m.exec(original)?.[0] ?? "";
      const answer = (text: string) => `Final Answer:\n\`\`\`\n${head}\n${text}\n}\n\`\`\``;
      const rules = [
        { turn: 1, reply: answer(line.replace("/ 10", "/ hundred").replace("/10", "/hundred")) },
        { turn: 2, when: "hundred", reply: answer(line.replace("/ 10", "/ 100").replace("/10", "/100")) },
      ];
      const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
      const observed: string[] = [];
      const repaired = await repairOwnFile(
        {
          file: join(repository.path, project.file),
          testCommand: project.command,
          write: true,
          maxIterations: 4,
          timeoutMs: 900_000,
          testSeconds: 300,
        },
        { ...parts(chat, sandbox), onStep: ({ observation }) => observed.push(observation.output) },
      );
      expect(repaired, observed.join("\n")).toMatchObject({ outcome: expect.stringMatching(PASSES), dropped: [] });
      expect(repository.git("status", "--porcelain").trim()).toBe(`M ${project.file}`);
      expect(repository.git("diff")).toMatch(/^\+.*price ?\* ?percent ?\/ ?100/m);
    },
  );
});
