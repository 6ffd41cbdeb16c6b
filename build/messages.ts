/**
 * `npm run messages`: lists what commands say where they end with an error, from the source, in
 * `docs/troubleshooting.md`.
 */

import "../utils/program/own_tsconfig.ts";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyNode, type Expression, parse } from "acorn";
import { transform } from "esbuild";
import { isEntry } from "../utils/program/called_as.ts";
import { ROOT } from "./options.ts";

const PAGE = join(ROOT, "docs", "troubleshooting.md");
/** What follows on the page is written by this program. */
const HEADING = "## All messages\n";

/** Folders, the first that fits, with what their messages are about. */
const ABOUT: readonly (readonly [folder: string, about: string])[] = [
  ["agent/models/local", "Models on this machine"],
  ["utils/inference", "Models on this machine"],
  ["agent/models", "Models and their servers"],
  ["agent/run/model_errors.ts", "Models and their servers"],
  ["eval/meta", "The self-edit loop"],
  ["agent/process", "The self-edit loop"],
  ["eval/run/queue", "Queues and workers"],
  ["eval/benchmark", "Benchmarks and datasets"],
  ["utils/base/data", "Files and datasets"],
  ["utils/base/host/python.ts", "The sandbox"],
  ["eval/run", "Runs"],
  ["eval/pages", "Pages"],
  ["eval/cli", "Commands and options"],
  ["utils/program", "Commands and options"],
  ["fix", "Repairing a file or a repository"],
  ["utils/project", "Repairing a file or a repository"],
  ["utils/frameworks", "Repairing a file or a repository"],
  ["utils/git", "git"],
  ["utils/sandbox", "The sandbox"],
  ["", "Everything else"],
];

/** Whatever is put into a sentence. */
const BLANK = "…";
/** Alternatives of one message that are listed; of more the first ones are. */
const MOST = 8;

const sources = (): string[] =>
  ["agent", "eval", "fix", "utils"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/\/testing\/|^eval\/lab\/|\/browser\//.test(file))
    .sort();

interface Module {
  file: string;
  /** Each before what stands in it. */
  nodes: readonly AnyNode[];
}

const moduleOf = async (file: string): Promise<Module> => {
  const { code } = await transform(readFileSync(join(ROOT, file), "utf8"), { loader: "ts", target: "es2022" });
  return { file, nodes: nodesIn(parse(code, { ecmaVersion: "latest", sourceType: "module" })) };
};

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** A node and all that stand in it, put behind `nodes`. */
function nodesIn(value: unknown, nodes: AnyNode[] = []): AnyNode[] {
  if (isNode(value)) nodes.push(value);
  if (Array.isArray(value) || isNode(value)) for (const part of Object.values(value)) nodesIn(part, nodes);
  return nodes;
}

/** Texts that have a name: a message may be one of them. Names that stand for several texts tell nothing. */
function namedTexts(modules: readonly Module[]): Map<string, Expression> {
  const named = new Map<string, Expression>();
  for (const node of modules.flatMap(({ nodes }) => nodes)) {
    if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || !node.init) continue;
    if (/^[A-Z][A-Z_]+$/.test(node.id.name)) named.set(node.id.name, node.init);
  }
  return named;
}

/** What an expression may say, each with a blank for what varies. */
function textsOf(node: AnyNode, named: ReadonlyMap<string, Expression>): string[] {
  switch (node.type) {
    case "Literal":
      return [typeof node.value === "string" ? node.value : BLANK];
    case "TemplateLiteral": {
      const parts = node.quasis.flatMap(({ value }, i) => {
        const between = node.expressions[i];
        return between ? [[value.cooked ?? ""], textsOf(between, named)] : [[value.cooked ?? ""]];
      });
      return joined(parts);
    }
    case "BinaryExpression":
      return node.operator === "+" ? joined([textsOf(node.left, named), textsOf(node.right, named)]) : [BLANK];
    case "ConditionalExpression":
      return [...textsOf(node.consequent, named), ...textsOf(node.alternate, named)];
    case "Identifier": {
      const text = named.get(node.name);
      return text ? textsOf(text, named) : [BLANK];
    }
    default:
      return [BLANK];
  }
}

const joined = (parts: readonly string[][]): string[] =>
  parts.reduce((texts, part) => texts.flatMap((text) => part.map((more) => text + more)).slice(0, MOST), [""]);

/** What is said by the errors that a module makes. */
function messagesOf({ nodes }: Module, named: ReadonlyMap<string, Expression>): string[] {
  const found: string[] = [];
  for (const node of nodes) {
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "failure") {
      const [, told] = node.arguments;
      if (told) found.push(...textsOf(told, named));
    }
    if (node.type !== "NewExpression" || node.callee.type !== "Identifier") continue;
    const [first] = node.arguments;
    if (!first) continue;
    if (node.callee.name === "UserError" || node.callee.name === "LocalModelError")
      found.push(...textsOf(first, named));
    if (node.callee.name === "ModelCallError" && first.type === "ObjectExpression")
      for (const property of first.properties)
        if (property.type === "Property" && property.key.type === "Identifier" && property.key.name === "message")
          found.push(...textsOf(property.value, named));
  }
  return found.map(asLine).filter((text) => /\p{L}{2,}[^…]*\s[^…]*\p{L}{2,}/u.test(text));
}

const asLine = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, " ")
    .replace(/…(?:…)+/g, BLANK)
    .trim();

/** By what they are about. */
export async function messagesBySubject(): Promise<Map<string, Set<string>>> {
  const modules = await Promise.all(sources().map(moduleOf));
  const named = namedTexts(modules);
  const groups = new Map<string, Set<string>>(ABOUT.map(([, about]) => [about, new Set()]));
  for (const module of modules) {
    const [, about = ""] = ABOUT.find(([folder]) => module.file.startsWith(folder)) ?? [];
    for (const message of messagesOf(module, named)) groups.get(about)?.add(message);
  }
  return new Map([...groups].filter(([, messages]) => messages.size > 0));
}

async function messagesSection(): Promise<string> {
  const lists = [...(await messagesBySubject())].map(
    ([about, messages]) => `### ${about}\n\n${[...messages].map((message) => `- ${quoted(message)}`).join("\n")}\n`,
  );
  return (
    `${HEADING}\nFrom the source, by \`npm run messages\`; \`…\` stands for what varies. Each says what ` +
    `to do; search this page for its words.\n\n${lists.join("\n")}`
  );
}

/** As code, so that nothing in it is markup. */
export const quoted = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The page with this section at its end. */
async function withMessages(page: string): Promise<string> {
  const at = page.indexOf(HEADING);
  return `${at === -1 ? page : page.slice(0, at)}${await messagesSection()}`;
}

if (isEntry(import.meta.url)) writeFileSync(PAGE, await withMessages(readFileSync(PAGE, "utf8")));
