/** The formats of rows: what each calls its fields, and where its images have the repository. */

import { z } from "zod";
import { jsonValue } from "../../../utils/base/data/record.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { languageOf } from "../../../utils/languages/registry.ts";
import { sweBenchCommand, sweBenchImage } from "./swe_bench.ts";

/** A container image with a repository and what its tests need. */
export const TaskImage = z.object({
  /** Empty where the row names none. */
  name: z.string().default(""),
  /** The folder with the repository. */
  root: z.string().default("/testbed"),
  /** Runs tests there: followed by their files. Empty: as outside of it. */
  framework: z.string().default(""),
  /** Runs all tests there; empty: `framework` does. */
  command: z.string().default(""),
  /** Files that hold the developer's patch and tests: containers have empty ones in their place. */
  hides: z.array(z.string()).default([]),
});
export type TaskImage = z.infer<typeof TaskImage>;
const imageOf = (image: z.input<typeof TaskImage>): TaskImage => TaskImage.parse(image);
export const NO_IMAGE = imageOf({});

/** The texts of a list as Python prints it, such as `['a', "b's"]`; null where a text is none. */
function pythonList(text: string): string[] | null {
  if (!/^\[(?:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(?:,|(?=\])))*\s*\]$/s.test(text)) return null;
  const words = text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs) ?? [];
  return words.map((word) => word.slice(1, -1).replace(ESCAPED, unescaped));
}
const ESCAPED = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gis;
const PLAIN: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const unescaped = (_: string, x?: string, u?: string, U?: string, one = ""): string => {
  const code = x ?? u ?? U;
  return code === undefined ? (PLAIN[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16));
};

const Names = z.union(
  [
    z.array(z.string()),
    z.string().transform((text, context) => {
      const names = z.array(z.string()).safeParse(jsonValue(text)).data ?? pythonList(text);
      if (names === null) context.addIssue({ code: "custom", message: "it is not a JSON list of names" });
      return names ?? z.NEVER;
    }),
  ],
  "it is not a list of names, nor such a list as JSON text",
);
/** A part of `owner/name`: it is going to be the name of a folder. */
const isNamePart = (text: string): boolean => isPlainPath(text) && !text.includes("/") && text.length <= 200;
export const isRepositoryName = (name: string): boolean =>
  name.split("/").length <= 2 && name.split("/").every(isNamePart);
export const RepositoryName = z
  .string()
  .refine(isRepositoryName, "it is not the name of a repository, such as owner/name");
const NamePart = z.string().refine(isNamePart, "it is not the name of a folder");
/** Of a file in the repository. */
export const FilePath = z.string().refine(isPlainPath, "it is not the path of a file in the repository");

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
const Text = z.string().nullish();
const Common = z.looseObject({
  instance_id: z.string().min(1),
  repo: RepositoryName,
  base_commit: z.string(),
  patch: z.string().min(1),
  test_patch: z.string().min(1),
  problem_statement: z.string(),
  created_at: z.string().default(""),
  version: z.union([z.string(), z.number().transform(String)]).default(""),
  mend: Own.optional(),
});

/** SWE-bench's, and ours. SWE-bench-Live, SWE-rebench, SWE-Gym and others name an image in the row. */
const SweBench = Common.extend({
  FAIL_TO_PASS: Names,
  PASS_TO_PASS: Names,
  image_name: Text,
  docker_image: Text,
}).transform((row) => ({
  ...row,
  image: imageOf({
    name: row.image_name || row.docker_image || sweBenchImage(row.instance_id, row.repo),
    framework: sweBenchCommand(row.repo),
  }),
}));
export type CommonRow = z.output<typeof SweBench>;

/** Source: ScaleAI/SWE-bench_Pro and `swe_bench_pro_eval.py` of scaleapi/SWE-bench_Pro-os. */
const SweBenchPro = Common.extend({
  dockerhub_tag: z.string().min(1),
  fail_to_pass: Names,
  pass_to_pass: Names,
  repo_language: Text,
  requirements: Text,
  interface: Text,
}).transform(({ fail_to_pass, pass_to_pass, ...row }) => ({
  ...row,
  problem_statement: [row.problem_statement, row.requirements, row.interface].filter(Boolean).join("\n\n"),
  FAIL_TO_PASS: fail_to_pass,
  PASS_TO_PASS: pass_to_pass,
  image: imageOf({
    name: `jefzda/sweap-images:${row.dockerhub_tag}`,
    root: "/app",
    framework: row.repo_language === "go" ? "go test" : "",
  }),
}));

/** Results of tests by name, or a list of names. */
const Tests = z.union([
  z.array(z.string()),
  z.record(z.string(), z.unknown()).transform((tests) => Object.keys(tests)),
]);
/** Source: multi-swe-bench (PyPI), `harness/dataset.py`, `image.py` and the Dockerfiles of `repos/`. */
const MultiSweBench = z
  .looseObject({
    org: NamePart,
    repo: NamePart,
    number: z.union([z.number(), z.string()]).optional(),
    instance_id: z.string().optional(),
    base: z.looseObject({ sha: z.string() }),
    resolved_issues: z.array(z.looseObject({ title: Text, body: Text })),
    fix_patch: z.string().min(1),
    test_patch: z.string().min(1),
    f2p_tests: Tests,
    /** Tests that are not there before the fix, and those that are skipped before it. */
    n2p_tests: Tests.default([]),
    s2p_tests: Tests.default([]),
    p2p_tests: Tests,
    mend: Own.optional(),
  })
  .transform(
    (row): CommonRow => ({
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
      image: imageOf({
        name: row.number === undefined ? "" : `mswebench/${row.org}_m_${row.repo}:pr-${row.number}`.toLowerCase(),
        root: `/home/${row.repo}`,
        command: "bash /home/run.sh",
        hides: ["/home/fix.patch", "/home/test.patch"],
      }),
    }),
  );
/** The id of a row of Multi-SWE-bench that has none. */
export const multiId = (org: string, repo: string, number: string): string => `${org}__${repo}-${number}`;

/** A row is of the first format that has a field of it; of the last else. */
const FORMATS = [
  { field: "fix_patch", schema: MultiSweBench },
  { field: "dockerhub_tag", schema: SweBenchPro },
  { field: "FAIL_TO_PASS", schema: SweBench },
] as const;

export const formatOf = (row: object): z.ZodType<CommonRow> =>
  FORMATS.find(({ field }) => field in row)?.schema ?? SweBench;
