/**
 * Rows of benchmarks of real fixes: SWE-bench, Multi-SWE-bench, and our own, which are SWE-bench's with a field `mend`.
 */

import { z } from "zod";
import { checkRecord } from "../../../utils/base/data/record.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { frameworkStartedBy, STARTED } from "../../../utils/frameworks/registry.ts";
import { LANGUAGE_NAMES, type LanguageName } from "../../../utils/languages/language.ts";
import { LANGUAGES, languageOf } from "../../../utils/languages/registry.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { idField, type RowsRead, readRows } from "../read_rows.ts";
import { sweBenchCommand, sweBenchImage } from "./swe_bench.ts";

const Names = z.union(
  [
    z.array(z.string()),
    z.string().transform((text, context) => {
      try {
        return z.array(z.string()).parse(JSON.parse(text));
      } catch {
        context.addIssue({ code: "custom", message: "it is not a JSON list of names" });
        return z.NEVER;
      }
    }),
  ],
  "it is not a list of names, nor such a list as JSON text",
);
/** A part of `owner/name`: it is going to be the name of a folder. */
const isNamePart = (text: string): boolean => isPlainPath(text) && !text.includes("/") && text.length <= 200;
export const isRepositoryName = (name: string): boolean =>
  name.split("/").length <= 2 && name.split("/").every(isNamePart);
const RepositoryName = z.string().refine(isRepositoryName, "it is not the name of a repository, such as owner/name");
const NamePart = z.string().refine(isNamePart, "it is not the name of a folder");
/** Of a file in the repository. */
const FilePath = z.string().refine(isPlainPath, "it is not the path of a file in the repository");
/** A repository before a fix, what was wrong, and the tests that tell. */
export const RepositoryTask = z.object({
  id: z.string().min(1),
  /** `owner/name`. */
  repo: RepositoryName,
  base: z.string(),
  issue: z.string(),
  /** The developer's fix, and tests. Never shown to a model, unless the protocol shows the tests. */
  patch: z.string(),
  testPatch: z.string(),
  failToPass: z.array(z.string()),
  passToPass: z.array(z.string()),
  language: z.enum(LANGUAGE_NAMES),
  /** A row of the table of frameworks, or another one that `command` starts; empty where the row names none. */
  framework: z.string(),
  /** Runs all tests of the repository, in place of a framework that is known; empty where one is. */
  command: z.string(),
  /** Shell commands that the tests need before them; empty for most. */
  build: z.string(),
  testFiles: z.array(FilePath),
  kind: z.string(),
  createdAt: z.string(),
  /** The project's own, as SWE-bench names it; empty where its row does not say. */
  version: z.string().default(""),
  /** The newest `createdAt` of the rows that share an environment, see `withSharedDates`. */
  packagesAt: z.string().default(""),
  /** A container image with the repository and what its tests need; empty where the row names none. */
  image: z.string().default(""),
});
export type RepositoryTask = z.infer<typeof RepositoryTask>;

const Own = z.looseObject({
  /** As the names of its files end. */
  language: z.string().transform((end, context) => {
    const language = languageOf(`file.${end}`);
    if (!language) context.addIssue({ code: "custom", message: `${end} is not a language that mend runs` });
    return language?.name ?? z.NEVER;
  }),
  framework: z.string().nullish(),
  /** The command that runs its tests, where it is not that of a framework that is known. */
  test: z.string().nullish(),
  build: z.string().nullish(),
  test_files: z.array(FilePath).min(1),
  kind: z.string().default("repair"),
});
const SweBench = z.looseObject({
  instance_id: z.string().min(1),
  repo: RepositoryName,
  base_commit: z.string(),
  patch: z.string().min(1),
  test_patch: z.string().min(1),
  problem_statement: z.string(),
  FAIL_TO_PASS: Names,
  PASS_TO_PASS: Names,
  created_at: z.string().default(""),
  version: z.union([z.string(), z.number().transform(String)]).default(""),
  // As SWE-bench-Live, SWE-rebench, SWE-Gym and others call it.
  image_name: z.string().nullish(),
  docker_image: z.string().nullish(),
  mend: Own.optional(),
});
/** Results of tests by name, or a list of names. */
const Tests = z.union([
  z.array(z.string()),
  z.record(z.string(), z.unknown()).transform((tests) => Object.keys(tests)),
]);
const MultiSweBench = z.looseObject({
  org: NamePart,
  repo: NamePart,
  number: z.union([z.number(), z.string()]).optional(),
  instance_id: z.string().optional(),
  base: z.looseObject({ sha: z.string() }),
  resolved_issues: z.array(z.looseObject({ title: z.string().nullish(), body: z.string().nullish() })),
  fix_patch: z.string().min(1),
  test_patch: z.string().min(1),
  f2p_tests: Tests,
  /** Tests that are not there before the fix, and those that are skipped before it. */
  n2p_tests: Tests.default([]),
  s2p_tests: Tests.default([]),
  p2p_tests: Tests,
  mend: Own.optional(),
});

/** @throws UserError if no row can be read */
export async function readRepositoryRows(file: string): Promise<RowsRead<RepositoryTask>> {
  keepFromBoxes(file);
  const read = await readRows(file, {
    schema: z.looseObject({}),
    idOf: (row) => {
      const [id, org, repo, number] = [
        idField(row, "instance_id"),
        ...["org", "repo", "number"].map((name) => idField(row, name)),
      ];
      return id ?? (org && repo && number ? multiId(org, repo, number) : undefined);
    },
    make: (row) => {
      const task = readRow(row);
      return typeof task === "string" ? task : [task];
    },
  });
  return { ...read, tasks: withSharedDates(read.tasks) };
}

/** One environment serves all rows of a version of a repository: it has what came until the last of them was made. */
function withSharedDates(tasks: readonly RepositoryTask[]): RepositoryTask[] {
  const last = new Map<string, string>();
  const key = ({ repo, version }: RepositoryTask) => `${repo} ${version}`;
  for (const task of tasks) if (task.createdAt > (last.get(key(task)) ?? "")) last.set(key(task), task.createdAt);
  return tasks.map((task) => (task.version === "" ? task : { ...task, packagesAt: last.get(key(task)) ?? "" }));
}

/** The id of a row of Multi-SWE-bench that has none. */
export const multiId = (org: string, repo: string, number: string): string => `${org}__${repo}-${number}`;

/** What runs the tests of a repository whose framework is not known; null where its language has many. */
const ownCommand = (language: LanguageName): string | null =>
  language === "python" ? null : LANGUAGES[language].files.usualTests;

/** A task, or the reason why the row gives none. */
function readRow(row: object): RepositoryTask | string {
  const isMulti = "fix_patch" in row;
  const { data, problem } = isMulti ? checkRecord(row, MultiSweBench.transform(fromMulti)) : checkRecord(row, SweBench);
  if (!data) return problem;
  const { FAIL_TO_PASS: failToPass, PASS_TO_PASS: passToPass, mend, ...rest } = data;
  if (failToPass.length === 0) return "it names no test that fails before the fix";
  const testFiles = mend?.test_files ?? testFilesIn(rest.test_patch, [...failToPass, ...passToPass]);
  const strange = testFiles.find((file) => !isPlainPath(file));
  if (strange !== undefined) return `its patch of tests names "${inLine(strange)}", which is not the path of a file`;
  const language = mend?.language ?? testFiles.map((file) => languageOf(file)?.name).find(Boolean);
  if (language === undefined)
    return `its tests are in a language that is not run here (${testFiles.slice(0, 2).join(", ")})`;
  const framework = mend?.framework || (frameworkIn(failToPass, language) ?? sweBenchCommand(rest.repo) ?? "");
  const command = mend?.test || (frameworkStartedBy(framework) ? "" : ownCommand(language));
  if (command === null)
    return framework === ""
      ? "its row does not say which test framework it needs (`mend.framework`), or which command runs its " +
          "tests (`mend.test`)"
      : `its test framework "${inLine(framework)}" is not known, and its row names no command that runs its ` +
          "tests (`mend.test`)";
  return {
    id: rest.instance_id,
    repo: rest.repo,
    base: rest.base_commit,
    issue: rest.problem_statement.trim(),
    patch: rest.patch,
    testPatch: rest.test_patch,
    failToPass,
    passToPass,
    language,
    framework,
    command,
    build: mend?.build ?? "",
    testFiles,
    kind: mend?.kind ?? "repair",
    createdAt: rest.created_at,
    version: rest.version,
    packagesAt: rest.created_at,
    image: rest.image_name || rest.docker_image || (sweBenchImage(rest.instance_id, rest.repo) ?? ""),
  };
}

const fromMulti = (row: z.infer<typeof MultiSweBench>): z.infer<typeof SweBench> => ({
  instance_id: row.instance_id ?? multiId(row.org, row.repo, String(row.number ?? row.base.sha.slice(0, 8))),
  repo: `${row.org}/${row.repo}`,
  base_commit: row.base.sha,
  patch: row.fix_patch,
  test_patch: row.test_patch,
  problem_statement: row.resolved_issues
    .map(({ title, body }) => [title, body].filter(Boolean).join("\n\n"))
    .join("\n\n"),
  FAIL_TO_PASS: [...new Set([...row.f2p_tests, ...row.n2p_tests, ...row.s2p_tests])],
  PASS_TO_PASS: row.p2p_tests,
  created_at: "",
  version: "",
  mend: row.mend,
});

/** Files of a patch whose tests are named, where any are: others are what tests read. */
function testFilesIn(patch: string, names: readonly string[]): string[] {
  const files = filesIn(patch);
  const named = files.filter((file) => names.some((name) => name.startsWith(`${file}::`)));
  return named.length > 0 ? named : files;
}

/** Files of a patch as they are after it. */
export const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].flatMap(([, file]) => file ?? []).filter((file) => languageOf(file));

/** Where the names of tests show it. */
const frameworkIn = (names: readonly string[], language: LanguageName): string | undefined =>
  STARTED.find(
    ({ language: its, namesHold }) => its === language && namesHold && names.every((name) => name.includes(namesHold)),
  )?.name;
