/** For tests: twenty projects, and some that stand for the others. */

import { JAVASCRIPT_PROJECTS } from "./javascript_projects.ts";
import type { TestProject } from "./project.ts";
import { PYTHON_PROJECTS } from "./python_projects.ts";

export const PROJECTS: readonly TestProject[] = [...PYTHON_PROJECTS, ...JAVASCRIPT_PROJECTS];

/** One of each framework, the first. */
export const OF_FRAMEWORKS = PROJECTS.filter(
  ({ framework }, i) => PROJECTS.findIndex((other) => other.framework === framework) === i,
);

/** One of each language. */
export const OF_LANGUAGES = [...PYTHON_PROJECTS.slice(0, 1), ...JAVASCRIPT_PROJECTS.slice(0, 1)];

/** Those whose tests differ from the first of pytest in what pytest makes of them, not in what mend does. */
export const OF_PYTEST = PROJECTS.filter(
  (project) => project.framework === "pytest" && !OF_FRAMEWORKS.includes(project) && !project.name.includes("conftest"),
);

const LAYOUTS = ["src layout", "CommonJS", "a module that imports a neighbour", "node:test in .mjs", "TypeScript"];

/** In the order of `LAYOUTS`. */
export const IN_COPIES = LAYOUTS.flatMap((layout) => PROJECTS.filter(({ name }) => name.startsWith(layout)));
