/** Rows of benchmarks of real fixes as tasks: those of `formats.ts`, and our own, SWE-bench's with a field `mend`. */

import { z } from "zod";
import { checkRecord } from "../../../utils/base/data/record.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { frameworkStartedBy, STARTED } from "../../../utils/frameworks/registry.ts";
import { LANGUAGE_NAMES, type LanguageName } from "../../../utils/languages/language.ts";
import { LANGUAGES, languageOf } from "../../../utils/languages/registry.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { idField, type RowsRead, readRows } from "../read_rows.ts";
import { FilePath, formatOf, multiId, RepositoryName, TaskImage } from "./formats.ts";

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
  image: TaskImage.prefault({}),
});
export type RepositoryTask = z.infer<typeof RepositoryTask>;

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

/** What runs the tests of a repository whose framework is not known; null where its language has many. */
const ownCommand = (language: LanguageName): string | null =>
  language === "python" ? null : LANGUAGES[language].files.usualTests;

/** A task, or the reason why the row gives none. */
function readRow(row: object): RepositoryTask | string {
  const { data, problem } = checkRecord(row, formatOf(row));
  if (!data) return problem;
  const { FAIL_TO_PASS: failToPass, PASS_TO_PASS: passToPass, mend, image, ...rest } = data;
  if (failToPass.length === 0) return "it names no test that fails before the fix";
  const testFiles = mend?.test_files ?? testFilesIn(rest.test_patch, [...failToPass, ...passToPass]);
  const strange = testFiles.find((file) => !isPlainPath(file));
  if (strange !== undefined) return `its patch of tests names "${inLine(strange)}", which is not the path of a file`;
  const language = mend?.language ?? testFiles.map((file) => languageOf(file)?.name).find(Boolean);
  if (language === undefined)
    return `its tests are in a language that is not run here (${testFiles.slice(0, 2).join(", ")})`;
  const framework = mend?.framework || (frameworkIn(failToPass, language) ?? image.framework);
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
    image,
  };
}

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
