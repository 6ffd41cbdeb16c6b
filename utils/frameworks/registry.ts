/**
 * The test frameworks that mend knows: the one place where a new one is listed. The first that recognises a file runs
 * it.
 */

import { UserError } from "../base/data/errors.ts";
import type { LanguageName } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import { cargoTest } from "./compiled/cargo_test.ts";
import { ctest } from "./compiled/ctest.ts";
import { goTest } from "./compiled/go_test.ts";
import { gradle } from "./compiled/gradle.ts";
import { junitConsole, maven } from "./compiled/junit.ts";
import type { Framework, FrameworkNames, TestFile } from "./framework.ts";
import { jest } from "./javascript/jest.ts";
import { nodeTap } from "./javascript/node_tap.ts";
import { mocha, nodeTest, script, tape } from "./javascript/runners.ts";
import { vitest } from "./javascript/vitest.ts";
import { LOGGED } from "./logged/logged.ts";
import { asserts, doctest, pytest, unittest } from "./python/frameworks.ts";

export const FRAMEWORKS: readonly Framework[] = [
  doctest,
  pytest,
  unittest,
  asserts,
  nodeTest,
  vitest,
  jest,
  mocha,
  tape,
  nodeTap,
  script,
  goTest,
  cargoTest,
  maven,
  gradle,
  junitConsole,
  ctest,
  ...LOGGED.filter(({ name, language }) => language === pytest.language && name !== pytest.name),
];

/** What all of them are called in projects and in code. */
export const NAMES: readonly FrameworkNames[] = FRAMEWORKS.flatMap(({ names }) => names ?? []);

/** Whether a source file holds tests of itself. */
export const holdsOwnTests = (language: LanguageName, text: string): boolean =>
  FRAMEWORKS.some((one) => one.language === language && one.isWithin?.(text));

/** Whether it is worth naming a file of source as its own file of tests. */
export const mayHoldTests = (language: LanguageName, text: string): boolean =>
  FRAMEWORKS.some((one) => one.language === language && one.isWithinNamed?.(text));

/** @throws UserError where no framework takes the file */
export async function frameworkOf(tests: TestFile, project: Project, frameworks = FRAMEWORKS): Promise<Framework> {
  for (const framework of frameworks) if (await framework.recognises(tests, project)) return framework;
  throw new UserError(
    `${tests.path} holds no tests that mend knows (${frameworks.map(({ name }) => name).join(", ")}): ` +
      "name their runner with --test-command.",
  );
}

/** Those that a command starts. Each is also started by its name. */
export const STARTED = FRAMEWORKS.filter(({ commands }) => commands !== null);

/** Of those that a command starts. */
export const frameworkNamed = (named: string): Framework | undefined => STARTED.find(({ name }) => name === named);

/** The framework that a command starts, and the command's arguments; null for any other command. */
export function frameworkStartedBy(
  command: string,
  frameworks = FRAMEWORKS,
): { framework: Framework; args: string } | null {
  for (const framework of frameworks) {
    const found = framework.commands?.exec(command.trim());
    if (!found) continue;
    const behind = command.trim().slice(found[0].length);
    return { framework, args: `${found.groups?.flags ?? ""}${behind}`.trim() };
  }
  return null;
}
