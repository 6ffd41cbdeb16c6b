/** What a source file defines and mentions, read without running it. */

import { execFile } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { UserError } from "../data/errors.ts";
import { isDefinition, topLevelBlocks } from "../languages/javascript/blocks.ts";
import { scan } from "../languages/javascript/scan.ts";
import { scriptProblem } from "../languages/javascript/script_problem.ts";
import type { Language, LanguageName } from "../languages/language.ts";
import { LANGUAGES, languageOf } from "../languages/registry.ts";
import type { Project } from "./project.ts";
import { startedPython } from "./python_environment.ts";

export const Outline = z.object({
  /** Where the file cannot be parsed; then the rest is empty. */
  error: z.object({ line: z.number(), message: z.string() }).nullable(),
  /** Top-level functions and classes. */
  definitions: z.array(z.object({ name: z.string(), methods: z.array(z.string()), words: z.array(z.string()) })),
  /** Names used outside of definitions and imports. */
  words: z.array(z.string()),
});
export type Outline = z.infer<typeof Outline>;

/** @throws UserError that names the languages, where the file is in none of them */
export function languageOfFile(file: string): Language {
  const language = languageOf(file);
  if (language) return language;
  const known = Object.values(LANGUAGES).map(({ title, extensions }) => `${title} (${extensions.join(" ")})`);
  throw new UserError(
    `${file}: mend repairs ${known.join(" and ")}, not "${extname(file) || "files without an ending"}".`,
  );
}

/** @throws UserError where there is no Python to read Python with */
export async function outline(file: string, text: string, project: Project): Promise<Outline> {
  return OUTLINES[languageOfFile(file).name](file, text, project);
}

const OUTLINES: Record<LanguageName, (file: string, text: string, project: Project) => Outline | Promise<Outline>> = {
  python: async (_, text, project) => Outline.parse(await outlinePython(text, project)),
  javascript: outlineScript,
};

async function outlineScript(file: string, text: string): Promise<Outline> {
  const error = await scriptProblem(file, text);
  if (error) return { error, definitions: [], words: [] };
  const { blocks } = topLevelBlocks(text);
  const definitions = blocks.filter(isDefinition).map((block) => ({
    name: block.names[0] ?? "",
    methods: block.kind === "class" ? methodsOf(block.text) : [],
    words: wordsOf(block.text),
  }));
  const others = blocks.filter((block) => !isDefinition(block) && block.kind !== "import" && block.kind !== "export");
  return { error, definitions, words: others.flatMap(({ text }) => wordsOf(text)) };
}

const wordsOf = (code: string): string[] => {
  const texts = scan(code).tokens.filter(({ kind }) => kind !== "mark");
  return [
    ...new Set(
      texts.flatMap(({ start, end }) => code.slice(start, end).match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []),
    ),
  ];
};

/** Methods of a class by its text: names at the depth of its body that a parameter list follows. */
function methodsOf(code: string): string[] {
  const { tokens } = scan(code);
  const text = (at: number) => code.slice(tokens[at]?.start, tokens[at]?.end);
  return tokens.flatMap(({ kind, depth, startsLine }, at) => {
    const opens = text(at + 1) === "(" || text(at + 1) === "<";
    const begins =
      startsLine || /^(?:[{};*]|static|async|get|set|public|private|protected|override)$/.test(text(at - 1));
    return kind === "word" && depth === 1 && opens && begins ? text(at) : [];
  });
}

const SCRIPT = fileURLToPath(new URL("./outline.py", import.meta.url));

async function outlinePython(text: string, project: Project): Promise<unknown> {
  const { executable } = await startedPython(project);
  return new Promise((resolve, reject) => {
    const child = execFile(executable, ["-I", "-S", SCRIPT], { timeout: 60_000 }, (error, stdout) => {
      if (error) return reject(error);
      resolve(JSON.parse(stdout));
    });
    child.stdin?.on("error", () => {}).end(text);
  });
}
