/** What the files of a Python project say of the packages that it and its tests need. Nothing of it is run. */

import { MOST_FOREIGN_BYTES, tryForeignText } from "../../../../utils/base/files/foreign_file.ts";
import { filesOf } from "../../../../utils/project/copy.ts";

export interface PythonDeclarations {
  /** Whether a build can be made of it. */
  isInstallable: boolean;
  /** The project as a word of `uv pip install`, with its extras for tests; empty where it cannot be installed. */
  project: string;
  /** What tests need beside it, as words of `uv pip install`. */
  tests: string[];
  /** Texts that are read in place of files of it. */
  replaced: Record<string, string>;
  /** Whether it takes a Python 3, by its minor version. */
  takes: (minor: number) => boolean;
  /** What decides which packages they are. */
  texts: string[];
}

const FOR_TESTS = /^(?:tests?|testing|pytest|unittests?)$/;
const FOR_DEVELOPERS = /^(?:dev|develop|development|all)$/;
const EGG_INFO = /^\[egg_info\][^\n]*(?:\n(?!\[).*)*/m;
const BUILD_FILES = ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini"] as const;

export function readDeclarations(tree: string): PythonDeclarations {
  const text = (name: string) => tryForeignText(tree, name, MOST_FOREIGN_BYTES).text ?? "";
  const [pyproject, cfg, setup, tox] = BUILD_FILES.map(text) as [string, string, string, string];
  const isInstallable = /^\[(?:build-system|project)\]/m.test(pyproject) || setup !== "";
  const sections = sectionsOf(pyproject);
  const extras = best([
    ...keysOf(sections, /^(?:project\.optional-dependencies|tool\.poetry\.extras)$/),
    ...keysOf(sectionsOf(cfg), /^options\.extras_require$/),
    ...[...setup.matchAll(/["'](\w+)["']\s*(?::|\]\s*=)/g)].flatMap(([, name]) => name ?? []),
  ]);
  const groups = best(keysOf(sections, /^dependency-groups$/));
  const poetry = keysOf(sections, /^tool\.poetry\.(?:dev-dependencies|group\.[\w-]+\.dependencies)$/);
  const files = requirementFiles(tree);
  const untagged = cfg.replace(EGG_INFO, (section) => section.replace(/^tag_(?:build|date|svn_revision)\s*=.*$/gm, ""));
  return {
    isInstallable,
    project: isInstallable ? `.${extras.length > 0 ? `[${extras.join(",")}]` : ""}` : "",
    tests: [
      ...files.flatMap((file) => ["-r", file]),
      ...groups.flatMap((group) => ["--group", group]),
      ...poetry.filter((name) => name !== "python"),
      ...ofTox(tox),
      ...(COMPILES.test(setup) ? builders(sections) : []),
    ],
    replaced: {
      // Tags that only make sense for a release, and that uv takes for no version: `.dev` and today's date.
      ...(untagged === cfg ? {} : { "setup.cfg": untagged }),
      ...Object.fromEntries(files.map((file) => [file, onlyOfIndex(text(file))])),
    },
    takes: takenBy([pyproject, cfg, setup].join("\n")),
    texts: [pyproject, cfg, setup, ...files.map(text)],
  };
}

/** Of names those for tests; where there are none, those for developers. */
function best(names: readonly string[]): string[] {
  const of = (pattern: RegExp) => [...new Set(names.filter((name) => pattern.test(name)))];
  const forTests = of(FOR_TESTS);
  return forTests.length > 0 ? forTests : of(FOR_DEVELOPERS);
}

/** Text of each section of a file in TOML or INI. */
function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^\[([^\]\n]+)\]\s*$/m);
  return new Map(parts.flatMap((name, i) => (i % 2 === 1 ? [[name.trim(), parts[i + 1] ?? ""] as const] : [])));
}

const keysOf = (sections: ReadonlyMap<string, string>, wanted: RegExp): string[] =>
  [...sections]
    .filter(([name]) => wanted.test(name))
    .flatMap(([, text]) => [...text.matchAll(/^["']?([A-Za-z][\w.-]*)["']?\s*=/gm)].flatMap(([, key]) => key ?? []));

const REQUIREMENTS =
  /^(?:tests?\/)?(?:(tests?|testing|dev)[-_.])?(?:requirements?|reqs?)(?:[-_.](tests?|testing|dev))?\.(?:txt|in)$/;
const IN_FOLDER = /^requirements\/(?:requirements[-_.])?(tests?|testing|pytest|dev)\.(?:txt|in)$/;

/** Files of requirements: the project's own and those for tests, else those for developers. */
function requirementFiles(tree: string): string[] {
  const all = filesOf(tree, "all").files.flatMap((file) => {
    const found = REQUIREMENTS.exec(file) ?? IN_FOLDER.exec(file);
    return found ? [{ file, use: found[1] ?? found[2] ?? (file.startsWith("test") ? "test" : "") }] : [];
  });
  const isForTests = all.some(({ use }) => FOR_TESTS.test(use));
  return all.filter(({ use }) => !isForTests || !FOR_DEVELOPERS.test(use)).map(({ file }) => file);
}

/** Without lines that name another index, a folder or an address. */
const onlyOfIndex = (text: string): string =>
  text.replace(/^\s*(?:-e\b|--editable|-i\b|--(?:extra-)?index-url|-f\b|--find-links|\.|file:|git\+|.*\/\/).*$/gm, "");

const REQUIREMENT = /^[A-Za-z][\w.-]*(?:\[[\w,-]+\])?\s*(?:[<>=!~][^;#@]*)?$/;

/** Plain requirements of its usual environment. */
function ofTox(text: string): string[] {
  const [, deps = ""] = /^deps\s*=(.*(?:\n[ \t]+.*)*)/m.exec(sectionsOf(text).get("testenv") ?? "") ?? [];
  return deps.split("\n").flatMap((line) => (REQUIREMENT.test(line.trim()) ? line.trim().replace(/\s+/g, "") : []));
}

/** In a setup.py: a patch of what it compiles is built once more, where no index is in reach. */
const COMPILES = /\b(?:ext_modules|cythonize|build_ext|numpy\.distutils)\b/;

/** Packages that build the project. */
function builders(sections: ReadonlyMap<string, string>): string[] {
  const [, list = ""] = /^requires\s*=\s*\[([^\]]*)/m.exec(sections.get("build-system") ?? "") ?? [];
  const words = [...list.matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map(([, one, other]) => one ?? other ?? "");
  return ["setuptools", ...words];
}

/** By what a project says of the Python that it requires. */
function takenBy(text: string): (minor: number) => boolean {
  const [, said = ""] = /(?:requires-python|python_requires)["']?\s*[=:]\s*["']?([^"'\n]+)/.exec(text) ?? [];
  const bounds = [...said.matchAll(/(>=|<=|<|>|!=|~=|==)\s*3\.(\d+)(\.\*)?/g)];
  return (minor) =>
    bounds.every(([, sign, text]) => {
      const bound = Number(text);
      if (sign === "<") return minor < bound;
      if (sign === "<=") return minor <= bound;
      if (sign === "==") return minor === bound;
      if (sign === "!=") return minor !== bound;
      return minor >= bound;
    });
}
