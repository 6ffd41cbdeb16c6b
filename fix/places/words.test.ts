import { expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { localise } from "./localise.ts";
import { stemOf } from "./words.ts";

/** Names of the likeliest functions of some files. */
function namesFor(files: Record<string, string>, evidence: { issue: string; failure?: string }, most = 5) {
  using folder = temporaryFolder(files);
  const all = { failure: "", folder: "", failing: [], passing: [], ...evidence };
  return localise(folder.path, Object.keys(files), all, { most }).map(({ name, reasons }) => ({ name, reasons }));
}
const functionsNamed = (names: readonly string[], body: string) =>
  names.map((name) => `def ${name}(value):\n    ${body}\n\n\n`).join("");

test.each([
  [["parse", "parses", "parsed", "parser", "parsing"], "pars"],
  [["strip", "strips", "stripped", "stripping"], "strip"],
  [["entry", "entries"], "entry"],
  [["string", "strings"], "string"],
  [["process", "processes"], "process"],
])("forms of a word are one word: %s", (forms, stem) => {
  expect(forms.map(stemOf)).toEqual(forms.map(() => stem));
});

test("an issue about parsing names the function `parse`, in the issue's spelling", () => {
  const files = { "lib/read.py": functionsNamed(["load", "parse", "store"], "return value") };
  expect(namesFor(files, { issue: "Parsing is slow." })[0]).toEqual({ name: "parse", reasons: ["words: parsing"] });
});

test("one common word does not fill all places", () => {
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}_${i}`);
  const files = {
    "lib/a.py": functionsNamed([...numbered("output_table", 6), "strip", ...numbered("other", 60)], "pass"),
  };
  const names = namesFor(files, { issue: "The output table has trailing blanks: strip them." }).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["strip", "output_table_0", "output_table_1"]));
});

test("words of the first line count more than those below it", () => {
  const files = { "lib/a.py": functionsNamed(["indent", "plugin"], "return value") };
  const [first] = namesFor(files, { issue: "Wrong indent of examples\n\nSeen with a plugin" });
  expect(first?.name).toBe("indent");
  expect(namesFor(files, { issue: "Wrong plugin\n\nSeen with an indent" })[0]?.name).toBe("plugin");
});

test("with an issue, a trace of tests that cannot be loaded does not come before what the issue says", () => {
  const files = {
    "lib/exit.py": functionsNamed(["leave"], "raise SystemExit(value)"),
    "lib/message.py": functionsNamed(["excess_arguments"], 'return "too many"'),
  };
  const failure = 'Traceback (most recent call last):\n  File "lib/exit.py", line 2, in leave\nSystemExit: 1\n';
  expect(namesFor(files, { issue: "List excess arguments in the message", failure })[0]?.name).toBe("excess_arguments");
  expect(namesFor(files, { issue: "", failure })[0]?.name).toBe("leave");
});

test("the inner function that an issue speaks of comes before the long one around all", () => {
  const inner = (name: string, words: string) => `  const ${name} = (value) => {\n    return ${words};\n  };\n`;
  const own = Array.from({ length: 90 }, (_, i) => `  step(value, "brackets and open quotes of part ${i}");\n`).join(
    "",
  );
  const files = {
    "lib/parse.js": `function parse(value) {\n${inner("open", "value.brackets")}${inner("close", "value.end")}${inner(
      "quote",
      "value.mark",
    )}${own}}\nmodule.exports = parse;\n`,
  };
  expect(namesFor(files, { issue: "Parse of brackets fails: what is open stays open" })[0]?.name).toBe("open");
});

const SHELF = { "lib/shelf.py": functionsNamed(["alpha", "beta", "gamma"], "return value") };
const JAVA_SHELF =
  "class Shelf {\n  static int alpha(int value) {\n    return value;\n  }\n\n" +
  "  static int gamma(int value) {\n    return value;\n  }\n}\n";

/** A failure that says where, in a project whose functions all run in the failing test. */
test.each([
  [
    "its line",
    {
      ...SHELF,
      "tests/test_shelf.py": "from lib.shelf import *\n\ndef test_it():\n    alpha(1)\n    assert gamma(1) == 2\n",
    },
    { "lib/shelf.py": [2, 6, 10] },
    "tests/test_shelf.py:5: AssertionError",
  ],
  [
    "what a check is called",
    {
      ...SHELF,
      "tests/test_shelf.py":
        'def main():\n    check(alpha(1) == 1, "keeps one")\n    check(gamma(1) == 2, "adds one")\n',
    },
    { "lib/shelf.py": [2, 6, 10] },
    "shelf\nfailed: adds one",
  ],
  [
    "a check of several lines",
    {
      ...SHELF,
      "tests/test_shelf.py":
        'def main():\n    check("keeps one", alpha(1))\n    check("adds one", [\n        2,\n    ], gamma(1))\n    alpha(2)\n',
    },
    { "lib/shelf.py": [2, 6, 10] },
    "shelf\nfailed: adds one",
  ],
  ["the call itself", SHELF, { "lib/shelf.py": [2, 6, 10] }, "gamma(1) is 1, not 2"],
  [
    "a file without its folder",
    {
      "src/main/java/org/Shelf.java": JAVA_SHELF,
      "src/test/java/org/ShelfTest.java":
        "class ShelfTest {\n  @Test void all() {\n    Shelf.alpha(1);\n    assertEquals(2, Shelf.gamma(1));\n  }\n}\n",
    },
    { "src/main/java/org/Shelf.java": [3, 7] },
    "expected: <2> but was: <1>\n\tat org.ShelfTest.all(ShelfTest.java:4)",
  ],
])("of functions that ran alike the one comes first that the failing check calls: %s", (_, files, lines, failure) => {
  using folder = temporaryFolder(files);
  const evidence = { issue: "", failure, folder: "", failing: [{ test: "it", lines }], passing: [] };
  const [best] = localise(folder.path, Object.keys(files), evidence, { most: 3 });
  expect(best?.name).toMatch(/gamma$/);
  expect(best?.reasons).toContain("the check that fails calls it");
});

test("a function that the issue writes as code comes before one with more of its words", () => {
  const told = '"""More consistent ordering of values, performance, construct."""\n    return value';
  const files = { "lib/a.py": functionsNamed(["update"], "return value") + functionsNamed(["ordering"], told) };
  const issue = "Fix `update` ordering\n\nMore consistent values: construct them with better performance";
  expect(namesFor(files, { issue })[0]).toMatchObject({
    name: "update",
    reasons: expect.arrayContaining(["the issue names it"]),
  });
  expect(namesFor(files, { issue: issue.replaceAll("`", "") })[0]?.name).toBe("ordering");
});

test("hosts of links and mail addresses are no words, and copied libraries and setup.py no places", () => {
  const files = {
    "setup.py": functionsNamed(["quotes"], "return value"),
    "web/jquery-3.5.1.js": "function quotes(value) {\n  return value;\n}\n",
    "lib/mail.py": functionsNamed(["github", "gmail"], "return value"),
    "lib/text.py": functionsNamed(["keep_quotes"], "return value"),
  };
  const issue = "Keep quotes\n\nSeen at https://github.com/a/b/issues/1, by x@gmail.com";
  expect(namesFor(files, { issue }).map(({ name }) => name)).toEqual(["keep_quotes"]);
});

test("who wrote a change, and whose branch it merges, says nothing of its place", () => {
  const files = {
    "format.py": functionsNamed(["pad_column"], "return value.ljust(9)"),
    "people.py": functionsNamed(["jane_doe", "contributor"], "return value"),
  };
  const issue = "Merge pull request #7 from jane-doe/pad\n\npad\n\nCo-authored-by: Jane Doe <contributor@example.org>";
  expect(namesFor(files, { issue }, 1)).toEqual([{ name: "pad_column", reasons: expect.anything() }]);
});

const BODY = "return value";

test("a file that the issue names by its module comes first, as does the function that prints what it quotes", () => {
  const files = {
    "shop/other.py": functionsNamed(["tax_of_order"], BODY),
    "shop/ext/tax/__init__.py":
      functionsNamed(["rate"], BODY) + functionsNamed(["label"], "return _('%s: alias of %s')"),
  };
  const named = namesFor(files, { issue: "Orders are wrong\n\nSet `extensions = ['shop.ext.tax']`: order, tax" });
  expect(named).toContainEqual({ name: "rate", reasons: expect.arrayContaining(["the issue names its file"]) });
  const quoted = namesFor(files, { issue: "The tax of an order shows `Alias of x`" });
  expect(quoted).toContainEqual({ name: "label", reasons: expect.arrayContaining(['the issue quotes "alias of"']) });
});

test("a method of something else is not the function that an issue names", () => {
  const files = { "lib/stem.py": functionsNamed(["insert"], BODY), "lib/table.py": functionsNamed(["place"], BODY) };
  const reasonsFor = (issue: string) =>
    namesFor(files, { issue }).flatMap(({ name, reasons }) => (name === "insert" ? reasons : []));
  expect(reasonsFor("Wrong place: see `sys.path.insert(0, x)`")).not.toContain("the issue names it");
  expect(reasonsFor("Wrong place: see `insert/0.log`")).not.toContain("the issue names it");
  expect(reasonsFor("Wrong place: see `stem.insert(0, x)`")).toContain("the issue names it");
});

test("sections of an issue that describe a machine say nothing, and neither does code written for machines", () => {
  const files = {
    "lib/ubuntu.py": functionsNamed(["linux_release"], BODY),
    "lib/compressed.js": `function quotes(){${"quotes();".repeat(400)}}\n`,
    "lib/text.py": functionsNamed(["keep_quotes"], BODY),
  };
  const issue = "Keep quotes\n\n**Environment info**\n- Linux release: Ubuntu\n\n### OS\n\nubuntu\n\n### More\n";
  expect(namesFor(files, { issue }).map(({ name }) => name)).toEqual(["keep_quotes"]);
});

test.each([
  ["blank lines", "\n"],
  ["blanks in a heading", "# a", " ", "x"],
  ["comments that do not end", "<!--"],
  ["links", "http://."],
  ["one long word", "a"],
  ["people", "a-"],
  ["mail", "a@"],
  ["bold", "**"],
])("an issue of 2 million characters is read in proportion to its length: %s", (_, ...parts) => {
  const [first = "", repeated = first, last = ""] = parts;
  const issue = `Keep quotes\n${parts.length > 1 ? first : ""}${repeated.repeat(2_000_000 / repeated.length)}${last}`;
  const before = process.cpuUsage();
  namesFor({ "lib/text.py": functionsNamed(["keep_quotes"], BODY) }, { issue });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
