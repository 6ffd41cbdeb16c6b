/** Packages of Python tasks: the project with what its tests need, as of the day on which the row was made. */

import { join } from "node:path";
import { UserError } from "../../../../utils/base/data/errors.ts";
import { jsonHash } from "../../../../utils/base/data/json_hash.ts";
import { listed } from "../../../../utils/base/text/text.ts";
import { installPython, type PythonPackages } from "../../../../utils/project/packages/python/install.ts";
import { generatedIn, importFromTree } from "../../../../utils/project/packages/python/own_modules.ts";
import { installedPythons, type Pythons } from "../../../../utils/project/packages/python/uv.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { readDeclarations } from "./declarations.ts";
import { type Environment, endOfDay, type PackageTask, type Recipe } from "./recipe.ts";

interface Pins {
  /** The Python that its tests are run with. */
  python: string;
  /** Versions that go with it, where packages are those of today. */
  packages: readonly string[];
}

/** Source: the harness of SWE-bench (`swebench/harness/constants/python.py`); docutils as it was then. */
const PINS: Readonly<Record<string, Pins>> = {
  "sphinx-doc/sphinx": {
    python: "3.9",
    packages: [
      ...["tox==4.16.0", "tox-current-env==0.0.11", "Jinja2==3.0.3", "alabaster<0.7.12", "docutils<0.22"],
      ...["sphinxcontrib-applehelp<=1.0.7", "sphinxcontrib-devhelp<=1.0.5", "sphinxcontrib-qthelp<=1.0.6"],
      ...["sphinxcontrib-htmlhelp<=2.0.4", "sphinxcontrib-serializinghtml<=1.1.9"],
    ],
  },
};

/** Names of kept environments begin with it. */
export const PYTHON = "python-";

/** @throws UserError where this machine has no uv, or no Python that the project takes */
export async function pythonRecipe(task: PackageTask, tree: string): Promise<Recipe> {
  const declared = readDeclarations(tree);
  const { repo = "", version = "" } = task;
  const pins = PINS[repo];
  const time = endOfDay(task.packagesAt || task.createdAt);
  const [minor, python] = chosenPython(await installedPythons(), { wanted: pins?.python, takes: declared.takes, time });
  const own = [...declared.tests, ...(task.framework === "pytest" ? ["pytest"] : [])];
  const parts = [repo, version, minor, declared.texts, own, pins ?? null, time?.toISOString() ?? null];
  const packages = {
    python,
    project: tree,
    texts: declared.replaced,
    version: /^\d[\w.]*$/.test(version) ? version : UNKNOWN_VERSION,
  };
  const plain = declared.isInstallable ? ["."] : [];
  const ways = waysTo(
    { whole: [declared.project, ...own].filter(Boolean), plain: [...plain, ...framework(task)] },
    time,
  );
  const key = `${PYTHON}${jsonHash(parts).slice(0, 16)}`;
  return {
    key,
    packages: ".venv",
    versionOf: () => "",
    install: (added, box, folder) => {
      // Of a tree that had the environment before something was added to it.
      const own = { tree, minor, made: generatedIn(join(folder, key)) };
      return install(packages, own, { ways, added: Object.keys(added), pins: pins?.packages ?? [], time }, box);
    },
  };
}

const framework = (task: PackageTask) => (task.framework === "pytest" ? ["pytest"] : []);

/** Of a project that asks git for its version: other packages that need it want it to be new enough. */
const UNKNOWN_VERSION = "9999";

interface Way {
  wanted: readonly string[];
  before: Date | null;
  /** What has to be said of it. */
  why: string | null;
}

/** Ways to install, the best first. */
function waysTo({ whole, plain }: Record<"whole" | "plain", readonly string[]>, time: Date | null): Way[] {
  const less = "what its tests need beside the project cannot be installed";
  const dated: Way[] = [
    { wanted: whole, before: time, why: null },
    { wanted: plain, before: time, why: less },
  ];
  if (time === null) return dated;
  const today = `its packages are those of today, since what was there on ${time.toISOString().slice(0, 10)} `;
  return [
    ...dated,
    { wanted: whole, before: null, why: `${today}cannot be installed` },
    { wanted: plain, before: null, why: `${today}cannot be installed, and ${less}` },
  ];
}

interface InstallPlan {
  ways: readonly Way[];
  added: readonly string[];
  /** Of packages of today. */
  pins: readonly string[];
  time: Date | null;
}

async function install(
  packages: Omit<PythonPackages, "wanted" | "before">,
  own: Parameters<typeof importFromTree>[1],
  { ways, added, pins, time }: InstallPlan,
  box: CommandBox,
): Promise<Environment | { problem: string }> {
  const problems: string[] = [];
  let undated: string[] = [];
  for (const { wanted, before, why } of ways) {
    if (before !== null && undated.length > 0) continue;
    const words = [...wanted, ...added, ...(before === null ? pins : [])];
    const installed = await installPython(box, { ...packages, wanted: words, before });
    if ("problem" in installed) {
      problems.push(installed.problem);
      undated = installed.undated;
      continue;
    }
    try {
      importFromTree(installed.path, own);
    } catch (error) {
      installed[Symbol.dispose]();
      throw error;
    }
    const notes =
      time === null ? ["its row does not say when it was made (created_at): its packages are of today"] : [];
    if (undated.length > 0)
      notes.push(`the index does not say when files came (${listed(undated, 3)}): packages are those of today`);
    else if (why !== null) notes.push(`${why}: ${problems[0]}`);
    return { ...installed, notes };
  }
  return { problem: problems[0] ?? "" };
}

const FIRST_MINOR = 9;
/** Packages follow a new Python within this time. */
const MONTHS_TO_FOLLOW = 6;

/**
 * The Python of a project: what the table names if the project takes it, else the newest that the project takes and
 * that packages of the time had followed, else the oldest that it takes.
 * @throws UserError where none is installed
 */
export function chosenPython(
  installed: Pythons,
  { wanted, takes, time }: { wanted: string | undefined; takes: (minor: number) => boolean; time: Date | null },
): [minor: string, path: string] {
  const minors = [...installed.keys()].map((version) => Number(version.split(".")[1])).sort((a, b) => a - b);
  const isTaken = wanted !== undefined && takes(Number(wanted.split(".")[1]));
  const able = minors.filter((minor) => minor >= FIRST_MINOR && (isTaken ? `3.${minor}` === wanted : takes(minor)));
  const minor = able.findLast((one) => time === null || followed(one) <= time) ?? able[0];
  const path = installed.get(`3.${minor}`);
  if (minor !== undefined && path !== undefined) return [`3.${minor}`, path];
  const needed = isTaken
    ? wanted
    : `3.${[...Array(20).keys()].findLast((one) => one >= FIRST_MINOR && takes(one)) ?? FIRST_MINOR}`;
  throw new UserError(
    `it needs Python ${needed}, and here are ${[...installed.keys()].sort().join(", ") || "none"}: ` +
      `\`uv python install ${needed}\``,
  );
}

/** A Python comes each October: 3.9 in 2020. */
const followed = (minor: number): Date => new Date(Date.UTC(2020 + minor - FIRST_MINOR, 9 + MONTHS_TO_FOLLOW, 5));
