/** For tests: a small project as a user might have it, with a bug and tests that see it. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { PYTEST_INI } from "../../../utils/testing/pytest_plugins.ts";

/** A text and what stands in its place. */
export type Change = readonly [from: string, to: string];

export interface TestProject {
  name: string;
  /** Correct. */
  files: Record<string, string>;
  target: string;
  function: string;
  tests: string;
  framework: string;
  /** Of the target: the bug. */
  bug: Change;
  /** Of the target: another bug, which a test sees too. */
  wrong: Change;
  /** Part of the name of the test that fails with the bug and with the wrong answer. */
  fails: string;
  /** Of the tests, in one project of each framework: a change that keeps them from being loaded, and the message. */
  broken?: Change;
  says?: RegExp;
  /** What has to be installed: a Python package or one of npm. */
  needs?: { python?: string; npm?: string };
}

/** A `package.json`. */
export const manifest = (fields: object): string =>
  `${JSON.stringify({ name: "made-up", private: true, ...fields }, null, 2)}\n`;

export const changed = (text: string, [from, to]: Change): string => {
  if (!text.includes(from)) throw new Error(`the project's text does not hold ${JSON.stringify(from)}`);
  return text.replace(from, () => to);
};

/**
 * The project in a folder that is removed with the scope that holds it.
 * @param modules a `node_modules` folder that the project is to see
 */
export function makeProject({ files }: Pick<TestProject, "files">, modules: string | null = null) {
  const folder = temporaryFolder({ ...PYTEST_INI, ...files });
  const at = (name: string) => join(folder.path, name);
  if (modules) symlinkSync(modules, at("node_modules"));
  return Object.assign(folder, { at });
}
