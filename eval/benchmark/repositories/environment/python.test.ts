// @module-tag deep
/** Environments of Python: made by uv in a box that reaches an index on this machine, as of a day. */

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { indexSettings } from "../../../../utils/project/packages/python/index_settings.ts";
import { usualIndex } from "../../../../utils/project/packages/python/uv.ts";
import { getFrom } from "../../../../utils/project/packages/registry_client.ts";
import { openCommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import { hasUv } from "../../../../utils/testing/needs.ts";
import { type MadeUpWheel, PASSWORD, startIndex } from "../../../../utils/testing/python_index.ts";
import { triesIn } from "../../../testing/hostile_tries.ts";
import { addEnvironment, extendEnvironment } from "./environment.ts";
import { chosenPython } from "./python.ts";

afterEach(() => vi.unstubAllEnvs());

const OLD = { version: "1.0", published: "2019-01-01T00:00:00Z" };
const NEW = { version: "2.0", published: "2024-01-01T00:00:00Z" };
const PACKAGES = { helper: [OLD, NEW], extra: [OLD], more: [OLD, NEW] };

/** Builds a wheel of the project, says in it what it could reach, and lays links where mend is going to write. */
const BACKEND = `
import os, zipfile
from tries import TRIED, reached
# A build may write more than what is tried.
BEYOND = ["more than its disk"]
def build_wheel(folder, config_settings=None, metadata_directory=None):
    found = [name for name in TRIED if name not in BEYOND and reached(name)]
    found += ["password"] if "PASSWORD" in str(dict(os.environ)) else []
    for root, _, _ in os.walk("/environment"):
        if root.endswith("site-packages"):
            os.symlink(open("secret").read(), root + "/_project.pth")
    os.symlink(os.path.dirname(open("secret").read()), "/environment/generated")
    version = os.environ["SETUPTOOLS_SCM_PRETEND_VERSION"]
    info = "rates-" + version + ".dist-info/"
    with zipfile.ZipFile(os.path.join(folder, "rates-" + version + "-py3-none-any.whl"), "w") as wheel:
        wheel.write("src/rates/__init__.py", "rates/__init__.py")
        wheel.writestr("rates/_version.py", "version = %r\\nfound = %r\\n" % (version, found))
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: rates\\nVersion: " + version
            + "\\nRequires-Dist: helper\\nProvides-Extra: test\\nRequires-Dist: extra; extra == 'test'\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "rates/__init__.py,,\\nrates/_version.py,,\\n")
    return os.path.basename(wheel.filename)
`.replaceAll("PASSWORD", PASSWORD);

const FILES = {
  "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
  "setup.cfg": "[options.extras_require]\ntest =\n  extra\n",
  "backend.py": BACKEND,
  "src/rates/__init__.py": "from rates._version import found, version\nfrom rates.parts import half\n",
  "src/rates/parts.py": "half = 0.5\n",
};

async function opened(packages: Record<string, readonly MadeUpWheel[]> = PACKAGES) {
  const { variables, asked, port } = await startIndex(packages);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, "secret"), "of the user");
  vi.stubEnv("OPENAI_API_KEY", "key-of-the-user");
  for (const name of ["user", "open"]) mkdirSync(join(folder.path, name));
  for (const name of [".", "open"]) chmodSync(join(folder.path, name), 0o777);
  writeFileSync(join(folder.path, "user/secret"), "secret of hidden_words_of_the_test", { mode: 0o666 });
  const box = await openCommandBox();
  let trees = 0;
  const treeOf = () => {
    trees += 1;
    const tree = join(folder.path, `tree${trees}`);
    const files = { ...FILES, "tries.py": triesIn(folder.path, port), secret: join(folder.path, "secret") };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      writeFileSync(join(tree, name), text);
    }
    symlinkSync(join(folder.path, "user"), join(tree, "linked"));
    return tree;
  };
  const add = async (createdAt: string, isPrepared = true, version = "3.1") => {
    const [tree, said] = [treeOf(), [] as string[]];
    const options = { folder: join(folder.path, "kept"), prepare: isPrepared ? box : null };
    const task = taskOf(createdAt, version);
    const problem = await addEnvironment(task, tree, { ...options, say: (line) => said.push(line) });
    return { tree, said, problem };
  };
  return { add, asked, box, kept: join(folder.path, "kept"), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const taskOf = (createdAt: string, version: string) => ({
  ...{ id: "o__r-1", repo: "o/r", language: "python" as const, framework: "unittest", command: "", build: "" },
  ...{ createdAt, version },
});

const run = (tree: string, code: string): string =>
  execFileSync(join(tree, ".venv/bin/python"), ["-c", code], { cwd: "/", encoding: "utf8" }).trim();

test.skipIf(!(await hasUv()))(
  "what was current when the row was made, and the project itself from its tree",
  async () => {
    using opening = await opened();
    const { add, asked, box, kept } = opening;
    const { tree, said, problem } = await add("2020-05-05T00:00:00Z");
    expect(problem).toBeNull();
    expect(said).toEqual(["o__r-1: its packages are being installed"]);
    const VERSIONS = "import helper, extra, rates; print(helper.version, extra.version, rates.half, rates.version)";
    expect(run(tree, VERSIONS)).toBe("1.0 1.0 0.5 3.1");
    expect(run(tree, "import rates; print(rates.found)"), "what its build reached").toBe("[]");
    expect(readFileSync(join(dirname(kept), "secret"), "utf8"), "its links lead nowhere").toBe("of the user");
    expect(readdirSync(dirname(kept)).sort()).toEqual(["kept", "open", "secret", "tree1", "user"]);
    expect(readdirSync(join(dirname(kept), "open"))).toEqual([]);
    writeFileSync(join(tree, "src/rates/parts.py"), "half = 2\n");
    expect(run(tree, VERSIONS), "what is edited counts").toBe("1.0 1.0 2 3.1");
    const before = asked.length;
    const again = await add("2020-05-05T00:00:00Z", false);
    expect(run(again.tree, VERSIONS), "another tree has the same packages").toBe("1.0 1.0 0.5 3.1");
    expect([again.said, asked.length]).toEqual([[], before]);
    expect(existsSync(join((await add("2025-01-01", false)).tree, ".venv")), "nothing is installed unasked").toBe(
      false,
    );
    const task = taskOf("2020-05-05T00:00:00Z", "3.1");
    expect(await extendEnvironment(task, tree, ["more"], { folder: kept, prepare: box })).toBeNull();
    const extended = await add("2020-05-05T00:00:00Z", false);
    expect(run(extended.tree, "import more, rates; print(more.version, rates.version)")).toBe("1.0 3.1");
  },
);

test.skipIf(!(await hasUv()))("an index without dates gives packages of today, and a line says so", async () => {
  using opening = await opened({ helper: [{ version: "1.0" }, { version: "2.0" }], extra: [{ version: "1.0" }] });
  const { tree, said, problem } = await opening.add("2020-05-05");
  expect(problem).toBeNull();
  expect(run(tree, "import helper; print(helper.version)")).toBe("2.0");
  expect(said[1]).toMatch(
    /^o__r-1: the index does not say when files came \(.*helper.*\): packages are those of today$/,
  );
});

test.skipIf(!(await hasUv()))(
  "without what tests need beside it a project is installed alone, and a line says why",
  async () => {
    using opening = await opened({ helper: [OLD] });
    const { tree, said } = await opening.add("2020-05-05");
    expect(run(tree, "import helper; print(helper.version)")).toBe("1.0");
    expect(said[1]).toMatch(/what its tests need beside the project cannot be installed: .*extra/);
  },
);

test.skipIf(!(await hasUv()))("a package that is not there is named", async () => {
  using opening = await opened({ extra: [OLD] });
  const { problem } = await opening.add("2020-05-05");
  expect(problem).toMatch(/^its packages cannot be installed: .*helper/);
  expect(problem).not.toContain("127.0.0.1");
});

/** Whether the index that this machine's user has set up can be asked. */
async function isIndexReached(): Promise<boolean> {
  const settings = indexSettings(await usualIndex());
  const reply = await getFrom(new URL("six/", settings.root), settings, "text/html").catch(() => null);
  await reply?.body.dump();
  if (reply === null) console.warn("skipped: no index of Python packages can be reached");
  return reply !== null;
}

test.skipIf(!(await hasUv()) || !(await isIndexReached()))("the user's own index tells what was current", async () => {
  using folder = temporaryFolder();
  const tree = join(folder.path, "tree");
  mkdirSync(tree);
  writeFileSync(
    join(tree, "setup.py"),
    "from setuptools import setup\nsetup(name='a', py_modules=['a'], install_requires=['six'])\n",
  );
  writeFileSync(join(tree, "setup.cfg"), "[egg_info]\ntag_build = .dev\ntag_date = true\n");
  writeFileSync(join(tree, "a.py"), "import six\n");
  const options = { folder: join(folder.path, "kept"), prepare: await openCommandBox() };
  expect(await addEnvironment(taskOf("2020-12-01", ""), tree, options)).toBeNull();
  expect(run(tree, "import a, six; print(a.six.__version__, a.__file__)")).toBe(`1.15.0 ${join(tree, "a.py")}`);
});

test.each<[time: string, takes: (minor: number) => boolean, minor: string]>([
  ["2022-04-02", () => true, "3.9"],
  ["2024-08-01", (minor) => minor >= 10, "3.12"],
  ["2025-03-01", (minor) => minor >= 11, "3.12"],
])("the Python of a table gives way where the project does not take it (%s)", (time, takes, minor) => {
  const installed = new Map(["3.9", "3.10", "3.11", "3.12", "3.13"].map((one) => [one, `/${one}`]));
  expect(chosenPython(installed, { wanted: "3.9", takes, time: new Date(time) })).toEqual([minor, `/${minor}`]);
});
